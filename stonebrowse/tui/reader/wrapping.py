"""Where a text breaks into rows of a width, and spans cut at those places.

Rows break after a blank; between wide characters (Chinese, Japanese, Korean); and where one word alone is
longer, after a mark inside of it, else anywhere. Never between a character and the combining marks after it.
The widths are those of `safety.cells`, so no row is wider than asked, except that a row of one cell cannot
hold a wide character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stonebrowse.tui.reader.model import Span
from stonebrowse.tui.reader.safety import cells, widths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Lights = Callable[[str], list[tuple[int, int]]]

_MARKS: Final = frozenset("/-_.,;:?&=+|)]}>\\")
# No row begins with one of these (Unicode Standard Annex 14, classes CL, EX, NS; the common ones).
_NOT_FIRST: Final = frozenset(
    "、。，．・：；？！）」』】〉》〕］｝ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…‥％"
)

Range = tuple[int, int]


def break_words(text: str, first: int, rest: int) -> list[Range]:
    """Rows of a text as (start, end): the first row has `first` cells, the others `rest`."""
    first, rest = max(first, 1), max(rest, 1)
    if text.isascii():
        if len(text) <= first:
            return [(0, len(text))]
        return _break_ascii(text, first, rest)
    return _break_any(text, first, rest)


def _break_ascii(text: str, room: int, rest: int) -> list[Range]:
    rows: list[Range] = []
    position, length = 0, len(text)
    while length - position > room:
        blank = text.rfind(" ", position, position + room + 1)
        end = blank
        while end > position and text[end - 1] == " ":
            end -= 1
        if end <= position:
            end = position + room
            for index in range(end - 1, position + room // 2 - 1, -1):
                if text[index] in _MARKS:
                    end = index + 1
                    break
            blank = end - 1
        rows.append((position, end))
        position = blank + 1
        while position < length and text[position] == " ":
            position += 1
        room = rest
    if position < length or not rows:
        rows.append((position, length))
    return rows


def _break_any(text: str, room: int, rest: int) -> list[Range]:
    wide = widths(text)
    length = len(text)
    rows: list[Range] = []
    position = 0
    while position < length:
        end, used = position, 0
        while end < length and used + wide[end] <= room:
            used += wide[end]
            end += 1
        if end == length:
            rows.append((position, end))
            break
        end = _best_break(text, wide, position, max(end, position + 1))
        stop = end
        while stop > position and text[stop - 1] == " ":
            stop -= 1
        rows.append((position, stop if stop > position else end))
        position = end
        while position < length and text[position] == " ":
            position += 1
        room = rest
    return rows or [(0, 0)]


def _best_break(text: str, wide: list[int], position: int, end: int) -> int:
    """The best place to break at or before `end`, after `position`."""
    if text[end] == " ":
        return end
    for index in range(end, position, -1):
        if text[index - 1] == " ":
            return index
        if (wide[index - 1] > 1 or wide[index] > 1) and wide[index] and text[index] not in _NOT_FIRST:
            return index
    for index in range(end, position + (end - position) // 2, -1):
        if text[index - 1] in _MARKS and wide[index]:
            return index
    while end > position + 1 and not wide[end]:
        end -= 1
    return end


def break_cells(text: str, first: int, rest: int) -> list[Range]:
    """Rows of a text that is cut at any cell, as code is."""
    first, rest = max(first, 1), max(rest, 1)
    length = len(text)
    if text.isascii():
        rows = [(0, min(first, length))]
        rows.extend((start, min(start + rest, length)) for start in range(first, length, rest))
        return rows
    wide = widths(text)
    rows, position, room = [], 0, first
    while position < length:
        end, used = position, 0
        while end < length and used + wide[end] <= room:
            used += wide[end]
            end += 1
        end = max(end, position + 1)
        rows.append((position, end))
        position, room = end, rest
    return rows or [(0, 0)]


def slice_spans(spans: Sequence[Span], ranges: Sequence[Range]) -> list[list[Span]]:
    """The spans in pieces, one list for each range (ascending, of characters of the joined text)."""
    pieces: list[list[Span]] = []
    index, begin = 0, 0
    for start, end in ranges:
        while index < len(spans) and begin + len(spans[index].text) <= start:
            begin += len(spans[index].text)
            index += 1
        piece: list[Span] = []
        at, here = index, begin
        while at < len(spans) and here < end:
            span = spans[at]
            low, high = max(start - here, 0), min(end - here, len(span.text))
            if low == 0 and high == len(span.text):
                piece.append(span)
            elif low < high:
                place = span.at
                if place >= 0 and low:
                    place += len(span.text[:low].encode("utf-8", "replace"))
                piece.append(Span(span.text[low:high], span.style, span.link, place))
            here += len(span.text)
            at += 1
        pieces.append(piece)
    return pieces


def light_spans(spans: list[Span], lights: Lights | None) -> list[Span]:
    """The spans with what `lights` finds in their joined text in the style `lit`."""
    if lights is None or not spans:
        return spans
    text = "".join([span.text for span in spans])
    found = sorted((max(a, 0), min(b, len(text))) for a, b in lights(text))
    ranges: list[Range] = []
    lit: list[bool] = []
    position = 0
    for start, end in found:
        low = max(start, position)
        if low >= end:
            continue
        if low > position:
            ranges.append((position, low))
            lit.append(False)
        ranges.append((low, end))
        lit.append(True)
        position = end
    if not lit:
        return spans
    if position < len(text):
        ranges.append((position, len(text)))
        lit.append(False)
    result: list[Span] = []
    for piece, is_lit in zip(slice_spans(spans, ranges), lit, strict=True):
        result.extend(
            [span._replace(style=f"{span.style} lit" if span.style else "lit") for span in piece]
            if is_lit
            else piece
        )
    return result


def spans_width(spans: Sequence[Span]) -> int:
    """Cells of spans."""
    return sum([cells(span.text) for span in spans])
