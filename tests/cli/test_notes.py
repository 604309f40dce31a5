"""`notes engrave` and `notes list`, and what `check` says of an engraved note."""

from __future__ import annotations

import resource
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from stonebrowse.library.library import Library
from stonebrowse.store import TrayItem
from tests.cli.program import DIGEST, ID, Done, Program, picture

if TYPE_CHECKING:
    from collections.abc import Callable

LAMP = "# Lamp room\n\nBrass and glass.\n\n## Wick\n\nTrim the wick every evening.\n"
WICK = "lamp.md § Wick (Line 5)"


def engrave(
    program: Program, path: str, *cited: str, body: bytes = b"# Note\n\ntext\n", **options: Any
) -> Done:
    words = [word for each in cited for word in ("--cite", each)]
    return program.run("notes", "engrave", path, *words, stdin=body, **options)


def test_a_note_is_engraved_listed_and_checked(make: Callable[..., Program]) -> None:
    program = make({"lamp.md": LAMP})
    done = program.ask("notes", "engrave", "notes/wick.md", "--cite", WICK, stdin=b"# Trimming\r\n\r\ntext")
    assert ID["f"].fullmatch(done["file_id"])
    assert DIGEST.fullmatch(done["digest"])
    (source,) = done["sources"]
    assert source["citation"] == WICK
    assert (source["version_id"], source["digest"]) == (
        program.file("lamp.md")["version_id"],
        program.versions("lamp.md")[0]["digest"],
    )
    note = program.folder / "notes/wick.md"
    assert note.read_text().endswith(
        f"\n\n# Trimming\n\ntext\n\n## Sources\n\n- `{WICK}` ({source['version_id']}, {source['digest']})\n"
    )
    shown = program.file("notes/wick.md")
    assert (shown["written_by"], shown["file_id"]) == ("stonebrowse", done["file_id"])
    assert program.found("trimming")[0] == "notes/wick.md § Trimming (Line 6)"
    assert program.ok("check", str(note)).out.splitlines()[-1] == "1 holds"
    assert "1 of 1 sources hold" in program.ok("notes", "list", "--check").out

    program.write({"lamp.md": LAMP.replace("evening", "morning")})
    listed = program.run("notes", "list", "--check", "--json").expect(1).json()
    (entry,) = listed["notes"]
    assert (entry["path"], entry["counts"]["edited"]) == ("notes/wick.md", 1)
    assert [each["verdict"] for each in entry["sources"]] == ["edited"]
    (checked,) = program.run("check", str(note), "--json").expect(1).json()["citations"]
    assert (checked["verdict"], checked["version_id"]) == ("edited", source["version_id"])
    assert "verdict" not in program.ask("notes", "list")["notes"][0]["sources"][0]


def test_a_note_is_refused_as_evidence(make: Callable[..., Program]) -> None:
    program = make({"lamp.md": LAMP})
    engrave(program, "note.md", WICK).expect(0)
    program.run("cite", "note.md").refusal(4, "file_not_evidence")
    before = picture(program.folder)
    engrave(program, "second.md", "note.md").refusal(4, "file_not_evidence")
    assert picture(program.folder) == before


@pytest.mark.parametrize(
    ("path", "cited", "body", "exit_code", "code"),
    [
        ("lamp.md", [WICK], b"text", 2, "input_invalid"),
        ("../out.md", [WICK], b"text", 2, "input_invalid"),
        ("note.txt", [WICK], b"text", 2, "input_invalid"),
        ("note.md", [WICK], b" \n", 2, "input_invalid"),
        ("note.md", [WICK], b"\xff\xfe", 2, "input_invalid"),
        ("note.md", [WICK], b"---\na: b\n---\ntext", 2, "input_invalid"),
        ("note.md", [WICK], b"a" * ((16 << 20) + 1), 2, "input_invalid"),
        ("note.md", ["other.md"], b"text", 3, "not_found"),
        ("note.md", ["lamp.md \x1b]0;x\x07"], b"text", 3, "not_found"),
    ],
)
def test_what_is_refused_changes_nothing(
    make: Callable[..., Program], path: str, cited: list[str], body: bytes, exit_code: int, code: str
) -> None:
    program = make({"lamp.md": LAMP})
    before = picture(program.folder)
    done = engrave(program, path, *cited, body=body)
    done.refusal(exit_code, code)
    assert b"\x1b" not in done.stderr
    assert picture(program.folder) == before
    assert not (program.root / "out.md").exists()


def test_control_characters_are_written_down_as_text(make: Callable[..., Program]) -> None:
    program = make({"lamp.md": LAMP})
    engrave(program, "note.md", body=b"a \x1b[31m red \x00\n").expect(0)
    text = (program.folder / "note.md").read_bytes()
    assert b"\x1b" not in text
    assert b"a \\x1b[31m red \\x00\n" in text
    assert b"No sources were named." in text


def test_no_note_yet(make: Callable[..., Program]) -> None:
    program = make({"lamp.md": LAMP})
    done = program.ok("notes", "list")
    assert done.out == ""
    assert "no note" in done.err
    assert program.ask("notes", "list") == {"notes": []}


@pytest.mark.parametrize("size", [0, 5_000, 40_000])
def test_a_full_disk(make: Callable[..., Program], size: int) -> None:
    program = make({"lamp.md": LAMP})
    program.sync()
    before = picture(program.folder)
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size))
    done = engrave(program, "deep/note.md", WICK, body=b"a line\n" * 6_000, preexec_fn=limit).expect(5)
    assert "_unavailable: " in done.err
    assert picture(program.folder).keys() == before.keys()
    engrave(program, "deep/note.md", WICK).expect(0)
    assert program.ok("doctor").code == 0


def test_what_was_collected_in_the_browser_is_cited(make: Callable[..., Program]) -> None:
    program = make({"lamp.md": LAMP})
    program.sync()
    with Library.open(program.folder, store=program.store) as library:
        version = library.find_file("lamp.md").version_id
        library.store.desk.put(TrayItem(WICK, version, LAMP.index("## Wick"), len(LAMP)))
    done = program.ask("notes", "engrave", "note.md", "--tray", "--cite", "lamp.md", stdin=b"text")
    assert [each["citation"] for each in done["sources"]] == ["lamp.md (Line 1)", WICK]
    assert len(program.ask("tray")["citations"]) == 1
