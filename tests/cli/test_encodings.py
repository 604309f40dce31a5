"""Text in other encodings than UTF-8, broken text, and what is no text at all."""

from __future__ import annotations

import hashlib

import pytest

from tests.cli.program import Program
from tests.cli.test_which_files import skipped

FRENCH = "saffron\n\n# Caf\xe9\n\nLa na\xefvet\xe9 du caf\xe9 \xe0 No\xebl, d\xe9j\xe0 vu.\n"
FILES: dict[str, bytes] = {
    "utf8.md": "# Gut\n\nsaffron ü\n".encode(),
    "latin1.md": FRENCH.encode("latin-1"),
    "cut.md": "# Ende\n\nsaffron €".encode()[:-1],
    "over.md": b"# A\n\n\xc0\xaf \xed\xa0\x80 saffron\n\n## B\n",
    "utf16le.md": "\ufeff# Über\r\n\r\nsaffron 😀\r\n".encode("utf-16-le"),
    "utf16be.md": "\ufeff# Über\n\nsaffron\n".encode("utf-16-be"),
    "utf32le.md": "\ufeff# Über\n\nsaffron\n".encode("utf-32-le"),
    "utf32be.md": "\ufeff# Über\n\nsaffron\n".encode("utf-32-be"),
    "nul.md": b"# A\0B\n\nlemon \0 tail\n\n## Later\n\nsaffron\n",
    "blob.md": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64,
    "odd16.md": "\ufeff# Odd\n\nsaffron\n".encode("utf-16-le") + b"x",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program.in_dir(tmp_path_factory.mktemp("encodings"), FILES)
    program.sync()
    return program


def test_every_text_is_listed_and_found_whatever_its_encoding(program: Program) -> None:
    texts = sorted(set(FILES) - {"blob.md"})
    assert sorted(program.files()) == texts
    assert sorted({hit["path"] for hit in program.search("saffron")["hits"]}) == texts


def test_what_is_no_text_is_named_with_its_reason(program: Program) -> None:
    assert list(skipped(program)) == ["blob.md"]
    assert skipped(program)["blob.md"]


@pytest.mark.parametrize("path", sorted(set(FILES) - {"blob.md"}))
def test_digest_and_size_are_those_of_the_bytes(program: Program, path: str) -> None:
    version = program.versions(path, "--no-sync")[0]
    assert version["bytes"] == len(FILES[path])
    assert version["digest"] == "sha256:" + hashlib.sha256(FILES[path]).hexdigest()
    assert version["encoding"]


@pytest.mark.parametrize("name", ["utf16le", "utf16be", "utf32le", "utf32be"])
def test_the_mark_of_utf_16_and_32_is_no_part_of_the_text(program: Program, name: str) -> None:
    codec = f"utf-{name[3:5]}-{name[5:]}"
    text = FILES[f"{name}.md"].decode(codec).removeprefix("\ufeff")
    window = program.ask("files", "text", f"{name}.md", "--no-sync")
    assert window["text"] == text
    assert window["size"] == len(text.encode())
    assert program.passages(f"{name}.md", "--no-sync")[0]["citation"] == f"{name}.md § Über (Line 1)"


def test_a_guess_is_marked_and_keeps_headings_and_lines(program: Program) -> None:
    passages = program.passages("latin1.md", "--no-sync")
    assert [one["line"] for one in passages] == [1, 3]
    assert passages[1]["label"] in ("latin1.md § Café", "latin1.md § Caf\ufffd")
    out = program.ok("files", "show", "latin1.md").out.lower()
    assert "guess" in out


def test_broken_bytes_do_not_shift_lines(program: Program) -> None:
    assert [one["citation"] for one in program.passages("over.md", "--no-sync")] == [
        "over.md § A (Line 1)",
        "over.md § B (Line 5)",
    ]
    assert program.passages("cut.md", "--no-sync")[0]["citation"] == "cut.md § Ende (Line 1)"


def test_a_text_with_nul_is_read_to_its_end(program: Program) -> None:
    assert program.ask("files", "text", "nul.md", "--no-sync")["text"].encode() == FILES["nul.md"]
    assert [hit["citation"] for hit in program.search("saffron", "--path", "nul.md")["hits"]] == [
        "nul.md § Later (Line 5)"
    ]


def test_the_encoding_is_recorded_with_the_version(program: Program) -> None:
    names = {
        path: program.versions(path, "--no-sync")[0]["encoding"].lower() for path in ("utf8.md", "utf16le.md")
    }
    assert "utf" in names["utf8.md"]
    assert "8" in names["utf8.md"]
    assert "16" in names["utf16le.md"]
