"""Whatever stands in a document: only text reaches the terminal, and no row is wider than the page."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from wcwidth import wcswidth

from stonebrowse.tui.reader.model import Span
from stonebrowse.tui.reader.painting import Page, Painter
from stonebrowse.tui.reader.safety import cells, clip, raw_visible, visible, widths
from stonebrowse.tui.reader.wrapping import break_cells, break_words, slice_spans
from tests.tui.reader.pages import rows_of, source

FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
NASTY = st.sampled_from(
    "\x1b\x9b\x07\x08\r\n\t\x00\x7f\x85\u2028\u202e\u2066\u200b\u200d\ufe0f\u00ad\ufeff\u0301中한ｶ🙂👍🏽⚠❤🇩क्षि﷽"
)
ANY = st.text(
    st.one_of(NASTY, st.characters(exclude_categories=()), st.sampled_from("ab *_`[]()<>|#-")), max_size=80
)
MARKDOWN = st.lists(
    st.one_of(
        ANY, ANY.map("# ".__add__), ANY.map("| a | ".__add__), ANY.map("- ".__add__), st.just("|---|---|")
    ),
    max_size=8,
).map("\n".join)


@settings(deadline=None)
@given(ANY)
def test_only_text_is_visible(text: str) -> None:
    for shown in (visible(text), raw_visible(text)):
        assert not FORBIDDEN.search(shown)
        assert visible(shown) == shown


@settings(deadline=None)
@given(ANY)
def test_widths_add_up_as_the_terminal_library_measures(text: str) -> None:
    shown = visible(text)
    assert cells(shown) == sum(widths(shown)) == cell_len(shown)


@settings(deadline=None)
@given(ANY, st.integers(0, 30))
def test_a_clipped_text_fits(text: str, width: int) -> None:
    assert cells(clip(visible(text), width)) <= width


@settings(deadline=None)
@given(ANY, st.integers(2, 40), st.integers(2, 40))
def test_rows_fit_and_lose_nothing_but_blanks(text: str, first: int, rest: int) -> None:
    shown = visible(text)
    for breaking in (break_words, break_cells):
        ranges = breaking(shown, first, rest)
        pieces = [shown[low:high] for low, high in ranges]
        assert all(cells(piece) <= (rest if index else first) for index, piece in enumerate(pieces))
        assert "".join(pieces).replace(" ", "") == shown.replace(" ", "")
        spans = [Span(shown[:3], "a"), Span(shown[3:], "b")]
        assert ["".join(span.text for span in piece) for piece in slice_spans(spans, ranges)] == pieces


@settings(max_examples=200, deadline=None)
@given(MARKDOWN, st.integers(4, 60))
def test_what_is_painted_is_text_and_as_wide_as_the_view(text: str, width: int) -> None:
    painter = Painter(lambda _: Style.null())
    page = Page.fitting(width, width - 1, 100)
    for row in rows_of(source(text.encode("utf-8", "replace")), page.text):
        strip = painter.paint(row, page, marked=True, sideways=0)
        assert sum(cell_len(segment.text) for segment in strip) == width == strip.cell_length
        assert not FORBIDDEN.search(strip.text)
        assert row.width <= page.text or row.fixed >= 0 or page.text < 4


CLUSTERS = st.sampled_from(
    ["a", "中", "é", "🙂", "⚠️", "❤", "👨‍👩‍👧", "👍🏽", "🇩🇪", "e\u0301", " ", "1️⃣", "한", "🏳️‍🌈"]
)


@settings(deadline=None)
@given(st.lists(CLUSTERS, max_size=40).map("".join))
def test_emoji_are_as_wide_as_a_terminal_draws_them(text: str) -> None:
    shown = visible(text)
    assert cells(shown) == wcswidth(shown)
