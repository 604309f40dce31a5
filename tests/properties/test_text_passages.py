"""The laws of passages: they cover the text, none is too long, and none is cut where it need not be."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stonebrowse.text import authority
from stonebrowse.text.front_matter import BOM, body_start
from stonebrowse.text.headings import headings
from stonebrowse.text.lines import Lines
from stonebrowse.text.parts import MAX_PASSAGE
from stonebrowse.text.passages import Cut, Passage, cut

BLANKS = b" \t\r\n"
BLANK_LINES = re.compile(rb"\A(?:[ \t]*(?:\r\n?|\n))+|(?:[ \t]*(?:\r\n?|\n))+[ \t]*\Z")

BLOCKS = [
    "para\n",
    "two\nlines\n",
    "# H\n",
    "## H2 ##\n",
    "Setext\n===\n",
    "---\n",
    "***\n",
    "> quote\n",
    "> # in\n",
    "- item\n",
    "- item\n\n  more\n",
    "1. one\n2. two\n",
    "- ```\n  code\n  ```\n",
    "```\ncode\n\ncode\n```\n",
    "~~~\nopen\n",
    "<div>\nx\n</div>\n",
    "<!-- c\n\nd -->\n",
    "| a | b |\n|---|---|\n| c | d |\n",
    "[r]: /x\n",
    "[^1]: note\n",
    "    code\n",
    "\n",
    "\n\n \n",
    "\t\n",
    "x" * 300 + "\n",
    ("word " * 30 + "\n") * 9,
    "- item\n" * 300,
    "| a | b |\n|---|---|\n" + "| c | d |\n" * 300,
    "line\n" * 900,
    "é" * 5000 + "\n",
    "```\n" + "code\n\n" * 500 + "```\n",
    "> q\n" * 1100,
    "[r]: /x\n" * 600,
    "x" * 4096 + "\n",
    "x" * 4095,
]
DOCUMENTS = st.tuples(
    st.sampled_from(["", "", "", "\ufeff", "---\nx: y\n---\n", "---\n" + "x: y\n" * 1_000 + "---\n"]),
    st.lists(st.sampled_from(BLOCKS), max_size=12).map("".join),
    st.sampled_from(["\n", "\n", "\r\n", "\r"]),
).map(lambda parts: (parts[0] + parts[1]).replace("\n", parts[2]).encode())


def counted(piece: bytes) -> int:
    """The bytes of a piece, without the blank lines at its ends."""
    return len(BLANK_LINES.sub(b"", piece))


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS)
def test_passages_cover_the_text_and_are_short(text: bytes) -> None:
    passages = list(cut(text).passages())
    assert b"".join(text[passage.start : passage.end] for passage in passages) == (text if passages else b"")
    assert bool(passages) == bool(text.removeprefix(BOM).strip(BLANKS))
    for passage in passages:
        piece = text[passage.start : passage.end].removeprefix(BOM)
        assert piece.strip(BLANKS)
        assert counted(piece) <= MAX_PASSAGE
        piece.decode("utf-8")


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS)
def test_sections_are_those_of_the_headings(text: bytes) -> None:
    found, lines = cut(text), Lines(text)
    sections = list(found.sections())
    assert [section[:3] for section in sections if section.level] == [
        (heading.level, heading.text, heading.line) for heading in headings(text)
    ]
    parts: dict[int, int] = {}
    for passage in found.passages():
        section = sections[passage.section]
        parts[passage.section] = parts.get(passage.section, 0) + 1
        assert passage.part == parts[passage.section]
        if passage.part == 1:
            assert (passage.start, passage.line) == (section.start, section.line)
        else:
            assert passage.line == lines.line_at(passage.start)
            assert section.start < passage.start < passage.end <= section.end
    for section in sections:
        parent = sections[section.parent] if section.parent >= 0 else None
        assert parent is None or 0 < parent.level < section.level


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS)
def test_a_cut_is_inside_a_block_or_a_line_only_where_that_is_too_long(text: bytes) -> None:
    later = [passage for passage in cut(text).passages() if passage.part > 1]
    assume(later)
    lines, body = Lines(text), body_start(text)
    blocks = authority.blocks(authority.source_of(text[body:]))
    assume(blocks is not None)

    def start_of(line: int) -> int:
        line += lines.line_at(body)
        return lines.start_of(line) if line <= len(lines) else len(text)

    spans = [(start_of(block.first), start_of(block.after)) for block in blocks or []] + [(0, body)]
    for passage in later:
        for start, end in spans:
            if start < passage.start < end:
                assert counted(text[start:end]) > MAX_PASSAGE
        line = lines.start_of(passage.line)
        if line < passage.start:
            after = lines.start_of(passage.line + 1) if passage.line < len(lines) else len(text)
            assert len(text[line:after].rstrip(b"\r\n")) > MAX_PASSAGE


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS)
def test_a_cut_comes_back_from_its_packed_form(text: bytes) -> None:
    found = cut(text)
    again = Cut.unpack(found.pack())
    assert list(again.passages()) == list(found.passages())
    assert list(again.sections()) == list(found.sections())
    assert [again.trail(index) for index in range(again.section_count)] == [
        found.trail(index) for index in range(found.section_count)
    ]


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, st.sampled_from(["# New\n\ntext\n", "# New\n", "# New\n" + "line\n" * 1_000]))
def test_what_is_appended_under_a_heading_changes_no_passage_above(text: bytes, added: str) -> None:
    text += b"\n\n"  # a blank line ends what only that ends
    above = list(cut(text).passages())
    longer = text + added.encode()
    assume(above and headings(longer) and headings(longer)[-1].start == len(text))  # else a fence is open
    assert list(cut(longer).passages())[: len(above)] == above


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, st.data())
def test_every_place_is_in_the_passage_that_is_named(text: bytes, data: st.DataObject) -> None:
    found, lines = cut(text), Lines(text)
    assume(len(found))
    offset = data.draw(st.integers(0, len(text) - 1))
    passage = found.passage(found.at(offset))
    assert passage.start <= offset < passage.end
    line = lines.line_at(offset)
    passage = found.passage(found.at_line(line))
    assert passage.start <= lines.start_of(line) <= passage.end


@pytest.mark.parametrize("ordinal", range(3))
def test_a_passage_is_a_plain_tuple(ordinal: int) -> None:
    assert cut(b"# A\n# B\n# C\n").passage(ordinal) == Passage(
        4 * ordinal, 4 * ordinal + 4, ordinal + 1, 1, ordinal
    )
