"""The laws of passages: they cover the text, in order, within bounds, under the right heading."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

from tests.cli.program import ID, Program

LIMIT = 4096
BLANK = " \t\r\n"
WORDS = "Lorem ipsum dolor sit amet, consectetur adipiscing elit. "

PARAGRAPHS = "\n\n".join(f"Paragraph {number}. {WORDS * 8}".rstrip() for number in range(40))
ITEMS = "\n".join(f"- item {number} {WORDS}".rstrip() for number in range(200))
ROWS = "| a | b |\n|---|---|\n" + "\n".join(f"| {number} | {WORDS} |" for number in range(200))
CODE = "```py\n" + "\n".join(f"value_{number} = {number}  # {WORDS}" for number in range(200)) + "\n```"

FILES = {
    "paragraphs.md": f"# Long\n\n{PARAGRAPHS}\n\n## Short\n\ntext\n",
    "preamble.md": f"\n\n{PARAGRAPHS}\n\n# After\n",
    "list.md": f"# List\n\n{ITEMS}\n",
    "table.md": f"# Table\n\n{ROWS}\n",
    "code.md": f"# Code\n\n{CODE}\n\nafter\n",
    "one-line.md": "# Line\n\n" + "x" * 10_000 + "\n",
    "one-line-wide.md": "# 日本\n\n" + "日本語😀é" * 1500 + "\n",
    "crlf.md": f"# Long\n\n{PARAGRAPHS}\n".replace("\n", "\r\n"),
    "cr.md": f"# Long\n\n{PARAGRAPHS}\n".replace("\n", "\r"),
    "blank-runs.md": "\n\n  \n# A\n" + "\n" * 9000 + "text\n\n\n\n# B\n\n\t\n\n# C\n\n\n",
    "blank-long.md": " \n" * 5000,
    "exact.md": "# H\n\n" + "x" * (LIMIT - 6) + "\n\n\n\n# Next\n",
    "exact-and-one.md": "# H\n\n" + "x" * (LIMIT - 4) + "\n\n\n\n# Next\n",
    "front.md": "---\n" + "\n".join(f"key{number}: {WORDS}" for number in range(150)) + "\n---\n\n# First\n",
    "bom.md": f"\ufeff# Long\n\n{PARAGRAPHS}\n",
    "nul.md": f"# A\0\n\n{PARAGRAPHS}\0\n",
    "feed.md": f"# A\n\n{WORDS}\f{WORDS}\n\f\n# B\n\u2028\n# C\n",
    "quote.md": "# Quote\n\n" + "\n".join(f"> line {number} {WORDS}" for number in range(200)) + "\n",
    "nested.md": "# Deep\n\n" + ">" * 6000 + " x\n\n## After\n\ntext\n",
}
"""`exact.md` has a section of just the limit, blank lines at its end not counted."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program.in_dir(tmp_path_factory.mktemp("passages"), FILES)
    program.sync()
    return program


@pytest.fixture(scope="module")
def all_passages(program: Program) -> dict[str, list[dict[str, Any]]]:
    return {path: program.passages(path, "--no-sync") for path in FILES}


def without_blank_lines(piece: bytes) -> bytes:
    """A piece without the blank lines at its ends."""
    lines = re.findall(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$", piece)
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return b"".join(lines).rstrip(b"\r\n")


def line_of(text: bytes, offset: int) -> int:
    return 1 + len(re.findall(rb"\r\n|\n|\r", text[:offset]))


@pytest.mark.parametrize("path", FILES)
def test_they_cover_the_text_in_order_without_gap_or_overlap(
    all_passages: dict[str, list[dict[str, Any]]], path: str
) -> None:
    size = len(FILES[path].encode())
    places = [(one["start"], one["end"]) for one in all_passages[path]]
    if not FILES[path].strip():
        assert places == []
        return
    assert places[0][0] == 0
    assert places[-1][1] == size
    assert all(end == start for (_, end), (start, _) in itertools.pairwise(places))
    assert all(start < end for start, end in places)


@pytest.mark.parametrize("path", FILES)
def test_none_is_longer_than_the_limit_or_blank_or_splits_a_character(
    all_passages: dict[str, list[dict[str, Any]]], path: str
) -> None:
    text = FILES[path].encode()
    for one in all_passages[path]:
        piece = text[one["start"] : one["end"]]
        assert len(without_blank_lines(piece)) <= LIMIT
        assert piece.strip(BLANK.encode()), one
        piece.decode("utf-8")


@pytest.mark.parametrize("path", FILES)
def test_the_parts_of_a_section_share_its_heading_and_have_their_own_lines(
    all_passages: dict[str, list[dict[str, Any]]], path: str
) -> None:
    text = FILES[path].encode()
    before: dict[str, Any] | None = None
    for one in all_passages[path]:
        if one["part"] > 1:
            assert before is not None
            assert one["part"] == before["part"] + 1
            assert (one["label"], one["trail"]) == (before["label"], before["trail"])
            piece = text[one["start"] : one["end"]]
            begins = one["start"] + len(piece) - len(piece.lstrip(BLANK.encode()))
            assert one["line"] == line_of(text, begins)
        assert one["citation"] == f"{one['label']} (Line {one['line']})"
        before = one


@pytest.mark.parametrize("path", ["paragraphs.md", "preamble.md", "crlf.md", "cr.md", "bom.md"])
def test_a_long_section_is_cut_between_paragraphs(
    all_passages: dict[str, list[dict[str, Any]]], path: str
) -> None:
    text = FILES[path].encode()
    passages = all_passages[path]
    assert len(passages) > 3
    for one in passages[1:]:
        begins = text[one["start"] : one["end"]].lstrip(BLANK.encode())
        assert begins.startswith((b"Paragraph ", b"# ", b"## ")), begins[:40]


def test_a_long_list_table_or_fence_is_cut_at_line_ends(
    all_passages: dict[str, list[dict[str, Any]]],
) -> None:
    for path in ("list.md", "table.md", "code.md", "quote.md", "front.md"):
        text = FILES[path].encode()
        assert len(all_passages[path]) > 2, path
        for one in all_passages[path][1:]:
            assert text[one["start"] - 1 : one["start"]] == b"\n", (path, one)


def test_a_long_line_is_cut_at_characters(all_passages: dict[str, list[dict[str, Any]]]) -> None:
    for path in ("one-line.md", "one-line-wide.md"):
        passages = all_passages[path]
        assert len(passages) >= 3
        assert [one["part"] for one in passages] == list(range(1, len(passages) + 1))
        assert {one["line"] for one in passages[1:]} == {3}


def test_blank_lines_belong_to_the_passage_before_them(all_passages: dict[str, list[dict[str, Any]]]) -> None:
    assert [one["label"] for one in all_passages["blank-runs.md"] if one["part"] == 1] == [
        "blank-runs.md § A",
        "blank-runs.md § B",
        "blank-runs.md § C",
    ]


def test_a_section_of_exactly_the_limit_is_one_passage(all_passages: dict[str, list[dict[str, Any]]]) -> None:
    assert [one["part"] for one in all_passages["exact.md"]] == [1, 1]
    assert [one["part"] for one in all_passages["exact-and-one.md"]] == [1, 2, 1]


@pytest.mark.parametrize("path", ["one-line-wide.md", "crlf.md", "nul.md", "blank-runs.md"])
def test_a_chunk_is_the_bytes_between_its_offsets(
    program: Program, all_passages: dict[str, list[dict[str, Any]]], path: str
) -> None:
    text = FILES[path].encode()
    for listed in all_passages[path][:2]:
        opened = program.ask("files", "chunks", listed["passage_id"], "--no-sync")
        assert opened.pop("text").encode() == text[listed["start"] : listed["end"]]
        assert {key: opened[key] for key in listed} == listed


def test_a_passage_has_the_fields_that_scripts_read(all_passages: dict[str, list[dict[str, Any]]]) -> None:
    kinds = {
        "passage_id": str,
        "version_id": str,
        "file_id": str,
        "number": int,
        "path": str,
        "label": str,
        "line": int,
        "citation": str,
        "trail": list,
        "start": int,
        "end": int,
        "part": int,
        "current": bool,
    }
    for passages in all_passages.values():
        for one in passages:
            assert {key: type(one[key]) for key in kinds} == kinds
            assert ID["p"].fullmatch(one["passage_id"])
            assert ID["v"].fullmatch(one["version_id"])
            assert ID["f"].fullmatch(one["file_id"])


def test_rebuilding_the_index_and_reading_everything_again_gives_the_same_ids(
    program: Program, all_passages: dict[str, list[dict[str, Any]]]
) -> None:
    program.sync("--full")
    program.ok("doctor", "--rebuild-index")
    for path in ("paragraphs.md", "one-line-wide.md", "blank-runs.md"):
        assert program.passages(path) == all_passages[path]


def test_ids_are_never_shared(all_passages: dict[str, list[dict[str, Any]]]) -> None:
    ids = [one["passage_id"] for passages in all_passages.values() for one in passages]
    assert len(ids) == len(set(ids))
