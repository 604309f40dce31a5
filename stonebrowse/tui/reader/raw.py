"""The source itself, with line numbers: every character that cannot be seen is an escape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from stonebrowse.tui.reader.model import Row, Span
from stonebrowse.tui.reader.safety import cells, expand_tabs, raw_visible
from stonebrowse.tui.reader.wrapping import break_cells, light_spans, slice_spans

if TYPE_CHECKING:
    from stonebrowse.tui.reader.source import PassageLike
    from stonebrowse.tui.reader.wrapping import Lights

_LINE_END: Final = re.compile(rb"\r\n?|\n")
_HEADING: Final = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_NUMBERS_FROM: Final = 24  # cells of the page below which numbers are left out


def first_line(text: bytes, chunk: PassageLike) -> int:
    """The one-based line in which a chunk begins: its `line` is where its own text does."""
    blank = len(text) - len(text.lstrip(b" \t\r\n"))
    return chunk.line - len(_LINE_END.findall(text[:blank]))


def raw_rows(
    text: bytes, chunk: PassageLike, *, width: int, number_width: int, fresh: bool, lights: Lights | None
) -> list[Row]:
    """The rows of a chunk's source.

    Args:
        text: the bytes of the chunk.
        chunk: where they stand.
        width: cells of the page.
        number_width: cells of the longest line number.
        fresh: whether the chunk begins at the beginning of a line.
        lights: what to light up.
    """
    rows: list[Row] = []
    number = first_line(text, chunk)
    gutter = number_width + 2 if width >= _NUMBERS_FROM else 0
    position = 0
    for index, line in enumerate(_LINE_END.split(text)):
        if position >= len(text):
            break
        label = str(number + index) if index or fresh else ""
        shown = raw_visible(expand_tabs(line.decode("utf-8", "replace")))
        style = "raw-heading" if _HEADING.match(shown) else ""
        spans = light_spans([Span(shown, style)], lights)
        ranges = break_cells(shown, width - gutter, width - gutter)
        for part, (piece, (low, high)) in enumerate(zip(slice_spans(spans, ranges), ranges, strict=True)):
            mark = f"{label:>{number_width}}  " if not part else " " * gutter
            start = chunk.start + min(position + len(shown[:low].encode()), position + max(len(line) - 1, 0))
            prefix = [Span(mark, "raw-number")] if gutter else []
            rows.append(Row([*prefix, *piece], start, gutter + cells(shown[low:high])))
        position += len(line)
        end = _LINE_END.match(text, position)
        position = end.end() if end else len(text)
    return rows
