"""File names and headings that could act on a terminal, mislead, or are no UTF-8."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import Program
from tests.cli.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES: dict[bytes, str] = {
    b"a\x1b]0;b\x07.md": r"a\x1b]0;b\x07.md",
    b"new\nline.md": r"new\x0aline.md",
    "ann\u202egpj.md".encode(): r"ann\u202egpj.md",
    "iso\u2066x\u2069.md".encode(): r"iso\u2066x\u2069.md",
    "sep\u2028x\u2029.md".encode(): r"sep\u2028x\u2029.md",
    b"caf\xe9.md": r"caf\xe9.md",
    b"\xff\xfe/in.md": r"\xff\xfe/in.md",
    b"back\\x1bslash.md": r"back\x5cx1bslash.md",
    b"back\\u202eslash.md": r"back\x5cu202eslash.md",
    b"C:\\new.md": r"C:\new.md",
    "cafe\u0301.md".encode(): "cafe\u0301.md",
    "caf\u00e9.md".encode(): "caf\u00e9.md",
    "日本/日記.md".encode(): "日本/日記.md",
    b" lead.md": " lead.md",
    b"two  blanks.md": "two  blanks.md",
    "x § y (Line 3).md".encode(): "x § y (Line 3).md",
    b"-n.md": "-n.md",
    b"a'b\"c$(d).md": "a'b\"c$(d).md",
    b"[red]x[/red].md": "[red]x[/red].md",
}
SAME_LOOKING = (b"c1\x9b.md", "c1\u009b.md".encode())
"""A byte that is no UTF-8, and the control character of the same number: two names, two spellings."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    if sys.platform == "darwin":
        pytest.skip("this file system takes UTF-8 names only")
    program = Program.in_dir(tmp_path_factory.mktemp("names"))
    for number, name in enumerate((*NAMES, *SAME_LOOKING)):
        path = os.path.join(os.fsencode(program.folder), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"# Name %d\n\ntamarind\n" % number)
    assert program.sync()["added"] == len(NAMES) + 2
    return program


def test_names_are_shown_escaped_everywhere(program: Program) -> None:
    files = program.files()
    assert set(NAMES.values()) <= set(files)
    assert len(files) == len(NAMES) + 2
    assert all(character.isprintable() for path in files for character in path)
    out = program.ok("files", "list").out
    assert all(path in out for path in files)
    allowed = {"\n", "\t"}
    assert all(character.isprintable() or character in allowed for character in out)


def test_a_search_finds_and_names_them(program: Program) -> None:
    hits = program.search("tamarind", "-n", "100")["hits"]
    assert {hit["path"] for hit in hits} == set(program.files())
    out = program.ok("search", "tamarind", "-n", "100").stdout
    for path in NAMES.values():
        assert path.encode() in out


def test_citations_and_paths_lead_back_to_the_file(program: Program) -> None:
    for number, path in enumerate(program.files()):
        passage = program.passages(f"./{path}" if path.startswith("-") else path, "--no-sync")[0]
        assert passage["path"] == path
        assert passage["citation"] == f"{path} § {passage['trail'][0]} (Line 1)"
        # Each one by path; by citation, one of four: the time is spent on starting the program.
        if number % 4 == 0 and not path.startswith("-"):
            opened = program.ask("open", "--print", "--no-sync", passage["citation"])
            assert opened["passage_id"] == passage["passage_id"], path


def test_an_edit_of_such_a_file_is_recorded(program: Program) -> None:
    path = os.path.join(os.fsencode(program.folder), b"caf\xe9.md")
    with open(path, "ab") as file:
        file.write(b"\nmore\n")
    assert program.sync()["changed"] == 1
    assert [one["number"] for one in program.versions(r"caf\xe9.md")] == [2, 1]


def test_errors_name_them_escaped_too(program: Program) -> None:
    done = program.run("files", "show", "no\x1b[31m\u202e.md")
    sentence = done.refusal(3, "not_found")
    assert "\x1b" not in done.err
    assert "\u202e" not in done.err
    assert r"\x1b" in sentence


@pytest.fixture(scope="module")
def headings(tmp_path_factory: pytest.TempPathFactory) -> Program:
    text = "# red \x1b[31m \u202egnp\n\ntamarind\n\n## a § b (Line 9)\n\n## \\\\x1b\n\n## [b]x[/b]\n"
    program = Program.in_dir(
        tmp_path_factory.mktemp("headings"), {"h.md": text, "h.md § a.md": "# b (Line 9)\n"}
    )
    program.sync()
    return program


def test_headings_are_escaped_in_labels_and_trails_and_read_back(headings: Program) -> None:
    passages: list[dict[str, Any]] = headings.passages("h.md") + headings.passages("h.md § a.md")
    assert passages[0]["label"] == r"h.md § red \x1b[31m \u202egnp"
    assert passages[0]["trail"] == [r"red \x1b[31m \u202egnp"]
    assert passages[2]["label"] == r"h.md § \x5cx1b"
    for passage in passages:
        opened = headings.ask("open", "--print", passage["citation"], "--no-sync")
        assert opened["passage_id"] == passage["passage_id"]


def test_listings_of_such_headings_hold_no_control_characters(headings: Program) -> None:
    for args in (["files", "outline", "h.md"], ["files", "passages", "h.md"], ["search", "tamarind"]):
        out = headings.ok(*args).out
        assert "\u202e" not in out
        assert "\x1b" not in out


def test_a_long_path_is_read_like_any_other(make: Callable[..., Program]) -> None:
    path = "/".join(f"level{number:020}" for number in range(90)) + "/" + "n" * 240 + ".md"
    program = make({path: "# Bottom\n\npapaya\n"})
    citation = f"{path} § Bottom (Line 1)"
    assert program.found("papaya") == [citation]
    assert program.ask("open", "--print", citation)["text"] == "# Bottom\n\npapaya\n"


@pytest.mark.skipif(sys.platform == "darwin", reason="this file system takes UTF-8 names only")
def test_an_edit_of_a_name_that_is_no_utf_8_is_noticed(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    path = os.path.join(os.fsencode(program.folder), b"caf\xe9\x1b.md")
    with open(path, "wb") as file:
        file.write(b"# C\n")
    program.sync()
    with Watch(program) as watch:
        watch.ready()
        with open(path, "ab") as file:
            file.write(b"\nmore\n")
        assert watch.wait_for("changed", r"caf\xe9\x1b.md")["number"] == 2
