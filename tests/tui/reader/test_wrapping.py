"""Where rows break, and how wide they are."""

from __future__ import annotations

import pytest

from stonebrowse.tui.reader.model import Link, Span
from stonebrowse.tui.reader.wrapping import break_cells, break_words, light_spans, slice_spans


def words(text: str, first: int, rest: int | None = None) -> list[str]:
    return [text[low:high] for low, high in break_words(text, first, first if rest is None else rest)]


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("", 5, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one  two   three", 4, ["one", "two", "thre", "e"]),
        ("a-long/path.name", 8, ["a-long/", "path.", "name"]),
        ("0123456789", 4, ["0123", "4567", "89"]),
        ("trailing   ", 8, ["trailing"]),
        ("中文字符", 5, ["中文", "字符"]),
        ("中文字符。", 8, ["中文字", "符。"]),
        ("go 中文", 5, ["go 中", "文"]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
        ("naïve façade", 6, ["naïve", "façade"]),
    ],
)
def test_words_break(text: str, width: int, rows: list[str]) -> None:
    assert words(text, width) == rows


def test_the_first_row_may_have_another_width() -> None:
    assert words("aa bb cc dd", 2, 5) == ["aa", "bb cc", "dd"]


def test_code_breaks_at_cells() -> None:
    assert break_cells("abcdef", 3, 2) == [(0, 3), (3, 5), (5, 6)]
    assert break_cells("中中", 3, 3) == [(0, 1), (1, 2)]


def test_spans_are_cut_with_their_places() -> None:
    link = Link("x")
    spans = [Span("ab", "strong", None, 10), Span("cdef", "", link, 14)]
    assert slice_spans(spans, [(0, 3), (3, 6)]) == [
        [Span("ab", "strong", None, 10), Span("c", "", link, 14)],
        [Span("def", "", link, 15)],
    ]


def test_light_falls_on_words_over_several_spans() -> None:
    spans = [Span("some st"), Span("ro", "strong"), Span("ng words")]
    lit = light_spans(
        spans, lambda text: [(text.index("strong"), text.index("strong") + 6), (90, 95), (3, 1)]
    )
    assert [(span.text, span.style) for span in lit] == [
        ("some ", ""),
        ("st", "lit"),
        ("ro", "strong lit"),
        ("ng", "lit"),
        (" words", ""),
    ]
