"""Text into cells."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from stonebrowse.text.citations import citation
from stonebrowse.tui.painting import Guard, clipped, fit_citation, lit, strip, tail, window
from stonebrowse.tui.reader.safety import cells

PLAIN, LIGHT = Style.null(), Style(bold=True)


@pytest.mark.parametrize("width", range(1, 60))
def test_a_citation_fits_any_width_and_keeps_its_line_while_there_is_room(width: int) -> None:
    path = "a/long/way/down/to/the/notes.md"
    shown = fit_citation(citation(path, "A heading", 42), path, width)
    assert cells(shown) <= width
    assert width <= 11 or shown.endswith(" (Line 42)")
    assert width < 24 or " § A heading (Line 42)" in shown


def test_a_wide_character_is_never_cut_in_half() -> None:
    text = "日本語の見出し"
    for width in range(1, 15):
        assert cells(tail(text, width)) <= width


def test_words_are_lit_and_control_characters_made_visible() -> None:
    pieces = lit("a\x1b[31m word", [(7, 11)], PLAIN, LIGHT)
    assert pieces == [("a\\x1b[31m ", PLAIN), ("word", LIGHT)]


def test_spans_that_overlap_or_lie_outside_do_no_harm() -> None:
    pieces = lit("abcdef", [(0, 3), (2, 4), (5, 99)], PLAIN, LIGHT)
    assert "".join(text for text, _ in pieces) == "abcdef"


def test_a_snippet_is_cut_so_that_the_lit_word_is_seen() -> None:
    text = "many words that come before " * 3 + "needle and some after it"
    start = text.index("needle")
    for width in range(10, 60):
        shown = window(lit(text, [(start, start + 6)], PLAIN, LIGHT), width, LIGHT)
        assert sum(cells(text) for text, _ in shown) <= width
        assert any(style is LIGHT for _, style in shown)


def test_pieces_are_clipped_to_a_width() -> None:
    pieces = [("abc", PLAIN), ("def", LIGHT), ("ghi", PLAIN)]
    for width in range(1, 12):
        assert sum(cells(text) for text, _ in clipped(pieces, width)) <= width
    assert clipped(pieces, 9) == pieces


def test_a_row_has_exactly_its_width() -> None:
    assert strip([("abc", PLAIN)], 10).cell_length == 10
    assert strip([("abc", PLAIN), ("漢字", LIGHT)], 4).cell_length == 4


@pytest.mark.parametrize(
    "character",
    ["\x00", "\x07", "\x08", "\r", "\n", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u202e", "\u2066"],
)
def test_the_guard_lets_no_control_character_through(character: str) -> None:
    kept = Guard().apply([Segment(f"a{character}b", PLAIN)], Color(0, 0, 0))
    assert [segment.text for segment in kept] == ["ab"]


def test_the_guard_leaves_ordinary_text_alone() -> None:
    segments = [Segment("שלום עולם – naïve 日本 👩‍👩‍👧", PLAIN)]
    assert Guard().apply(segments, Color(0, 0, 0)) is segments
