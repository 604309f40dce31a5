"""Logical lines → rows of a width, and the walk over the chunks of a document.

A place is a byte offset. A `Position` (chunk and row) is what it comes to at one width, and lives no longer.
Rows are made for the chunks that are looked at, and the latest are kept; nothing here grows with the
document.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.errors import StonebrowseError
from stonebrowse.tui.reader.code import Highlighter
from stonebrowse.tui.reader.model import Line, Row, Span
from stonebrowse.tui.reader.raw import raw_rows
from stonebrowse.tui.reader.references import References
from stonebrowse.tui.reader.render import Context, render
from stonebrowse.tui.reader.safety import cells, clip, visible
from stonebrowse.tui.reader.stretches import Stretches
from stonebrowse.tui.reader.tables import lay_out
from stonebrowse.tui.reader.wrapping import break_cells, break_words, light_spans, slice_spans, spans_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.tui.reader.source import PassageLike, Source
    from stonebrowse.tui.reader.wrapping import Lights

_KEPT_ROWS: Final = 12_000
_KEPT_CHUNKS: Final = 256


class Position(NamedTuple):
    """A row at the present width: the chunk's ordinal and the row's index in it."""

    ordinal: int
    row: int


class Layout:
    """The rows of one document.

    Args:
        source: the document.

    Attributes:
        references: what its links lead to.
        highlighter: its code in colours.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.stretches = Stretches(source)
        self.references = References(source, self.stretches)
        self.highlighter = Highlighter()
        self._context = Context(
            {"references": self.references, "footnote": self.references.footnote}, self.highlighter
        )
        self._width = 80
        self._raw = False
        self._lights: Lights | None = None
        self._rows: OrderedDict[int, list[Row]] = OrderedDict()
        self._row_count = 0
        self._count = len(source.cut)
        self._seen_rows = 0
        self._seen_bytes = 0

    # ------------------------------------------------------------------ what rows depend on

    def configure(
        self, *, width: int, raw: bool, lights: Lights | None, front_matter_open: bool = False
    ) -> bool:
        """Set what rows depend on; True if anything changed, and positions with it."""
        front_matter = self._context.front_matter_open
        if (width, raw, lights, front_matter_open) == (self._width, self._raw, self._lights, front_matter):
            return False
        if width != self._width or raw != self._raw:
            self._seen_rows = self._seen_bytes = 0
        self._width, self._raw, self._lights = width, raw, lights
        self._context.front_matter_open = front_matter_open
        self.forget()
        return True

    def forget(self) -> None:
        """Drop all rows: they are made again when they are looked at."""
        self._rows.clear()
        self._row_count = 0

    def forget_references(self) -> None:
        """Drop what was made before definitions were known."""
        self.stretches.forget_inlines()
        self.forget()

    @property
    def raw_number_width(self) -> int:
        """Cells of the line numbers in the raw view."""
        return len(str(self.source.cut.passage(self._count - 1).line + 1)) if self._count else 1

    # ------------------------------------------------------------------ rows

    def rows(self, ordinal: int) -> list[Row]:
        """The rows of a chunk."""
        kept = self._rows.get(ordinal)
        if kept is not None:
            self._rows.move_to_end(ordinal)
            return kept
        made = self._make(ordinal)
        self._rows[ordinal] = made
        self._row_count += len(made)
        while len(self._rows) > 2 and (self._row_count > _KEPT_ROWS or len(self._rows) > _KEPT_CHUNKS):
            _, dropped = self._rows.popitem(last=False)
            self._row_count -= len(dropped)
        return made

    def _make(self, ordinal: int) -> list[Row]:
        if not self._count:
            return [_message("This document is empty.", 0)]
        chunk = self.source.cut.passage(ordinal)
        try:
            made = self._chunk_rows(ordinal, chunk)
        except StonebrowseError as error:
            # Only this place cannot be read; the others may well be.
            made = [_message(visible(error.message), chunk.start)]
        self._seen_rows += len(made)
        self._seen_bytes += chunk.end - chunk.start
        return made

    def _chunk_rows(self, ordinal: int, chunk: PassageLike) -> list[Row]:
        if self._raw:
            text = self.source.read(chunk.start, chunk.end)
            fresh = ordinal == 0 or self.source.read(chunk.start - 1, chunk.start) in {b"\n", b"\r"}
            return raw_rows(
                text,
                chunk,
                width=self._width,
                number_width=self.raw_number_width,
                fresh=fresh,
                lights=self._lights,
            )
        made: list[Row] = []
        for stretch in self.stretches.of(ordinal):
            low, high = max(chunk.start, stretch.start), min(chunk.end, stretch.end)
            is_first = stretch.start == 0 or (ordinal == 1 and not self.rows(0))
            rows: list[Row] = []
            for line in render(stretch, low, high, self._context, is_first=is_first):
                if isinstance(line, Line):
                    rows.extend(wrap(line, self._width, self._lights))
                else:
                    rows.extend(lay_out(line, self._width, self._lights))
            made.extend(_inside(rows, low, high))
        return made

    def row(self, position: Position) -> Row:
        """The row at a position."""
        return self.rows(position.ordinal)[position.row]

    # ------------------------------------------------------------------ places

    @property
    def top(self) -> Position:
        """The first row of the document."""
        return self._first_from(0)

    @property
    def end(self) -> Position:
        """The last row of the document."""
        return self._last_from(max(self._count - 1, 0))

    def _first_from(self, ordinal: int) -> Position:
        while ordinal < self._count - 1 and not self.rows(ordinal):
            ordinal += 1
        return Position(ordinal, 0) if self.rows(ordinal) else self._last_from(ordinal)

    def _last_from(self, ordinal: int) -> Position:
        while ordinal > 0 and not self.rows(ordinal):
            ordinal -= 1
        return Position(ordinal, max(len(self.rows(ordinal)) - 1, 0))

    def find(self, offset: int) -> Position:
        """The row that shows the byte; not the space above a block."""
        if not self._count:
            return Position(0, 0)
        ordinal = self.source.cut.at(min(max(offset, 0), max(self.source.size - 1, 0)))
        rows = self.rows(ordinal)
        index = bisect_right(rows, offset, key=lambda row: row.start) - 1
        if index < 0:
            if ordinal > 0 and rows:
                before = self._last_from(ordinal - 1)
                if self.rows(before.ordinal):
                    return before
            return self._first_from(ordinal)
        while index and rows[index - 1].start == rows[index].start and not rows[index - 1].pad:
            index -= 1
        while rows[index].pad and index + 1 < len(rows):
            index += 1
        return Position(ordinal, index)

    def offset(self, position: Position) -> int:
        """The byte at which the row begins."""
        rows = self.rows(position.ordinal)
        if position.row < len(rows):
            return rows[position.row].start
        return self.source.cut.passage(position.ordinal).start if self._count else 0

    def move(self, position: Position, by: int) -> Position:
        """The row that stands `by` rows below (above, if negative), within the document."""
        ordinal, row = position
        row += by
        while row < 0:
            if ordinal == 0:
                return self.top
            ordinal -= 1
            row += len(self.rows(ordinal))
        while row >= len(self.rows(ordinal)):
            if ordinal >= self._count - 1:
                return self.end
            row -= len(self.rows(ordinal))
            ordinal += 1
        return Position(ordinal, row)

    def screen(self, top: Position, height: int) -> list[tuple[int, Row]]:
        """The rows from a position on, at most `height`, each with its chunk's ordinal."""
        found: list[tuple[int, Row]] = []
        ordinal, row = top
        while len(found) < height:
            rows = self.rows(ordinal)
            found.extend(
                (ordinal, rows[index]) for index in range(row, min(len(rows), row + height - len(found)))
            )
            ordinal, row = ordinal + 1, 0
            if ordinal >= self._count:
                break
        return found

    def clamp(self, top: Position, height: int) -> Position:
        """The position, moved up as far as needed to fill a screen."""
        shown = 0
        ordinal, row = top
        while shown < height:
            shown += len(self.rows(ordinal)) - row
            ordinal, row = ordinal + 1, 0
            if ordinal >= self._count:
                break
        return top if shown >= height else self.move(top, shown - height)

    # ------------------------------------------------------------------ estimates

    def height(self) -> int:
        """Rows of the document: counted while it is short, else estimated by its bytes."""
        if self._count <= 1 or (self._count <= _KEPT_CHUNKS and len(self._rows) == self._count):
            return sum(len(self.rows(ordinal)) for ordinal in range(max(self._count, 1)))
        per_byte = self._seen_rows / self._seen_bytes if self._seen_bytes else 1 / 40
        return max(int(self.source.size * per_byte), 1)


def _message(text: str, start: int) -> Row:
    return Row([Span(text, "empty")], start, cells(text))


def _inside(rows: list[Row], start: int, end: int) -> list[Row]:
    """The rows that begin in [start, end), their starts made ascending first."""
    latest = -1
    kept: list[Row] = []
    for row in rows:
        row.start = max(row.start, latest)
        latest = row.start
        if start <= latest < end:
            kept.append(row)
    return kept


def wrap(line: Line, width: int, lights: Lights | None) -> list[Row]:
    """The rows of a logical line on a page of `width` cells."""
    first = _shortened(line.first, width)
    rest = _shortened(line.rest, width)
    first_width = spans_width(first)
    if line.rule:
        spans = [*first, Span(line.rule * max(width - first_width, 1), line.fill)]
        return [Row(spans, line.start, max(width, 1))]
    spans = light_spans(line.spans, lights)
    text = "".join([span.text for span in spans])
    if line.pad and text:  # the label of what comes below it stands at the right
        label = clip(text, max(width - first_width, 0))
        spans = [Span(" " * (width - first_width - cells(label))), Span(label, line.spans[0].style)]
        return [Row([*first, *spans], line.start, spans_width(first) + spans_width(spans), pad=True)]
    if line.wrap == "clip":
        text = clip(text, max(width - first_width, 1))
        return [Row([*first, Span(text, spans[0].style)], line.start, first_width + cells(text))]
    rest_width = spans_width(rest)
    breaking = break_cells if line.wrap == "cells" else break_words
    ranges = breaking(text, width - first_width, width - rest_width)
    if len(ranges) == 1:
        return [Row([*first, *spans], line.start, first_width + cells(text), line.fill, line.pad)]
    rows: list[Row] = []
    start = line.start
    for index, (piece, (low, high)) in enumerate(zip(slice_spans(spans, ranges), ranges, strict=True)):
        if index:
            start = _place(piece, start + len(text[slice(*ranges[index - 1])]), start, line.end)
        prefix, prefix_width = (rest, rest_width) if index else (first, first_width)
        rows.append(Row([*prefix, *piece], start, prefix_width + cells(text[low:high]), line.fill, line.pad))
    return rows


def _place(piece: Sequence[Span], guess: int, least: int, end: int) -> int:
    """Where a row begins: as its first span that knows its place says, within its line."""
    before = 0
    for span in piece:
        if span.at >= 0:
            guess = span.at - before
            break
        before += len(span.text)
    guess = max(guess, least)
    return min(guess, max(end - 1, least)) if end >= 0 else guess


def _shortened(prefix: tuple[Span, ...], width: int) -> tuple[Span, ...]:
    """A prefix that leaves at least half of the width, cut at its left."""
    while prefix and spans_width(prefix) > max(width // 2, 1):
        prefix = prefix[1:]
    return prefix
