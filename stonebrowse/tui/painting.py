"""Plain text into cells: cutting to a width, lighting words, and the last guard before the terminal.

Texts come in visible (`reader.safety.visible`); only `lit` makes its own so, since that shifts spans.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter
from textual.strip import Strip

from stonebrowse.text.citations import shorten
from stonebrowse.tui.reader.safety import cells, clip, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.color import Color

Piece = tuple[str, Style]
ELLIPSIS = "…"
PLAIN = Style.null()
LINE = re.compile(r" \(Line \d+\)\Z")
LONGEST_WORD = 10
# What `visible` leaves none of.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def tail(text: str, width: int) -> str:
    """The last cells of a text; where it is cut it begins with `…`."""
    if cells(text) <= width:
        return text
    if width <= 0:
        return ""
    used, start = 0, len(text)
    while start and (used := used + cells(text[start - 1])) <= width - 1:
        start -= 1
    return ELLIPSIS + text[start:]


def fit_citation(citation: str, path: str, width: int) -> str:
    """A citation in at most so many cells: its path cut on the left, then its heading, never its line.

    Args:
        citation: made visible.
        path: the path it begins with, made visible.
        width: the cells there are.
    """
    shown = shorten(citation, path, width, cells)
    line = LINE.search(shown)
    if cells(shown) <= width or line is None:
        return clip(shown, width)
    return (
        clip(shown[: line.start()], max(1, width - cells(line[0]))) + line[0]
        if width > cells(line[0])
        else clip(shown, width)
    )


def strip(pieces: Iterable[Piece], width: int, fill: Style = PLAIN) -> Strip:
    """Pieces as one row of exactly this width, each laid over the row's own style."""
    segments = [Segment(text, fill + style) for text, style in pieces if text]
    return Strip(segments).adjust_cell_length(width, fill)


def lit(text: str, spans: Sequence[tuple[int, int]], plain: Style, light: Style) -> list[Piece]:
    """A text in pieces, those within spans lit, all made safe to show.

    Args:
        text: as it was found, control characters and all.
        spans: ascending, apart, in characters of `text`.
        plain: the style outside.
        light: the style inside.
    """
    pieces: list[Piece] = []
    at = 0
    for first, last in spans:
        start, end = max(first, at), min(last, len(text))
        if end > start:
            pieces += [(visible(text[at:start]), plain), (visible(text[start:end]), light)]
            at = end
    pieces.append((visible(text[at:]), plain))
    return [piece for piece in pieces if piece[0]]


def window(pieces: Sequence[Piece], width: int, light: Style) -> list[Piece]:
    """The pieces that fit a width, cut so that the first lit one is among them."""
    before = 0
    for text, style in pieces:
        if style is light:
            if before + cells(text) <= width - 1 or not before:
                break
            return clipped([(ELLIPSIS, PLAIN), *_from_word(pieces, before - width // 3)], width)
        before += cells(text)
    return clipped(pieces, width)


def _from_word(pieces: Sequence[Piece], count: int) -> list[Piece]:
    """The pieces without their first cells, from the next word on; never without what is lit."""
    kept: list[Piece] = []
    for text, style in pieces:
        size = cells(text)
        if size <= count:
            count -= size
            continue
        start = 0
        while count > 0:
            count -= cells(text[start])
            start += 1
        blank = text.find(" ", start, start + LONGEST_WORD) if start else -1
        kept.append((text[max(start, blank + 1) :], style))
    return kept


def clipped(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """The pieces that fit a width; where they are cut they end in `…`."""
    kept: list[Piece] = []
    for index, (text, style) in enumerate(pieces):
        size = cells(text)
        more = index + 1 < len(pieces)
        if size > width or (more and size == width):
            kept.append((clip(text + (ELLIPSIS if more else ""), width), style))
            break
        kept.append((text, style))
        width -= size
    return kept


def wrapped(text: str, width: int) -> list[str]:
    """A text in rows, broken at blanks where there are any."""
    rows: list[str] = []
    while cells(text) > width:
        used = end = 0
        while end < len(text) and used + cells(text[end]) <= width:
            used += cells(text[end])
            end += 1
        end = max(1, end)
        blank = text.rfind(" ", 0, end)
        if blank > width // 2:
            rows.append(text[:blank])
            text = text[blank + 1 :]
        else:
            rows.append(text[:end])
            text = text[end:]
    return [*rows, text]


class Guard(LineFilter):
    """Takes control characters out of every row that any widget draws.

    Texts are made printable where they enter; this is for what was forgotten, in widgets of Textual's own
    too: nothing of a document can reach the terminal as a control sequence.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's
        """The same segments without what a terminal would obey."""
        if not any(UNSAFE.search(segment.text) for segment in segments if not segment.control):
            return segments
        return [
            segment if segment.control else Segment(UNSAFE.sub("", segment.text), segment.style)
            for segment in segments
        ]
