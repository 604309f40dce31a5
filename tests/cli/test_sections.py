"""Which places of a document are sections, and how each is cited."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from tests.cli.program import DATA, Program

LONG = {"LONG256": "x" * 256, "LONG257": "y" * 257}
CUT = {"LONG256": "x" * 256, "LONG257": "y" * 255 + "…"}


def replaced(text: str, words: dict[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(name, word)
    return text


DOCUMENTS: list[dict[str, Any]] = tomllib.loads((DATA / "sections.toml").read_text(encoding="utf-8"))[
    "document"
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    files = {entry["name"]: replaced(entry["text"], LONG) for entry in DOCUMENTS}
    program = Program.in_dir(tmp_path_factory.mktemp("sections"), files)
    assert program.sync()["added"] == len(files)
    return program


def is_shown_safely(text: str) -> bool:
    return text.isprintable() or "\u00a0" in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda entry: str(entry["name"]).removesuffix(".md"))
def test_the_sections_of_a_document(program: Program, document: dict[str, Any]) -> None:
    path = document["name"]
    got = [one for one in program.passages(path, "--no-sync") if one["part"] == 1]
    assert len(got) == len(document["sections"]), [one["citation"] for one in got]
    for passage, (line, written, trail_written) in zip(got, document["sections"], strict=True):
        heading = replaced(written, CUT)
        trail = [replaced(part, CUT) for part in trail_written]
        if heading == "*":  # any form, so long as nothing of it can act on a terminal
            heading = passage["label"].removeprefix(f"{path} § ")
            trail[-1] = heading
            assert is_shown_safely(heading)
        label = f"{path} § {heading}" if heading else path
        assert passage["label"] == label
        assert passage["line"] == line
        assert passage["citation"] == f"{label} (Line {line})"
        assert passage["trail"] == trail
        assert passage["path"] == path


def test_the_outline_names_every_heading_with_line_and_level(handbook: Program) -> None:
    headings = handbook.ask("files", "outline", "people/onboarding.md")["headings"]
    assert [(one["line"], one["level"], one["text"]) for one in headings] == [
        (1, 1, "Onboarding"),
        (4, 2, "The first day"),
        (13, 2, "The first week"),
    ]


def test_the_outline_of_a_file_without_headings_is_empty(handbook: Program) -> None:
    assert handbook.ask("files", "outline", "plain.md")["headings"] == []
    assert handbook.ok("files", "outline", "plain.md").code == 0


def test_the_outline_for_a_person_has_a_line_for_each_heading(handbook: Program) -> None:
    lines = handbook.ok("files", "outline", "tools/printer.md").lines
    for line, level, text in [(1, 1, "Printer"), (3, 2, "Paper"), (12, 2, "Toner"), (16, 2, "Paper")]:
        row = next(row for row in lines if row.rstrip().endswith(text) and str(line) in row.split())
        assert str(level) in row or "#" * level in row, row


def test_the_passages_for_a_person_name_citation_trail_places_and_id(handbook: Program) -> None:
    out = handbook.ok("files", "passages", "tools/printer.md").out
    for passage in handbook.passages("tools/printer.md"):
        at = out.index(passage["citation"])
        after = out[at:]
        assert " › ".join(passage["trail"]) in after
        assert str(passage["start"]) in after
        assert str(passage["end"]) in after
        assert passage["passage_id"] in after
