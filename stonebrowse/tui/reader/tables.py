"""Tables: columns that fit the page, cells wrapped; one that cannot fit is moved sideways."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from stonebrowse.tui.reader.model import Row, Span
from stonebrowse.tui.reader.safety import cells
from stonebrowse.tui.reader.wrapping import break_words, light_spans, slice_spans, spans_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.tui.reader.wrapping import Lights

Cell = list[list[Span]]
"""The content of one cell: lines of spans (more than one where it holds `<br>`)."""

_BETWEEN: Final = " │ "
_CROSSING: Final = "─┼─"
_WORD_AT_MOST: Final = 14  # cells that a long word may ask for before it is broken
_GENEROUS: Final = 24  # cells up to which a column is not narrowed while others are wider


@dataclass(slots=True)
class TableRow:
    """One row of a table: its cells, and where it stands."""

    cells: list[Cell]
    start: int


@dataclass(slots=True)
class Table:
    """A table, or those rows of it that are in the chunk.

    Attributes:
        start: byte offset of its first line.
        head: the head; None where it is in another chunk.
        ruled: byte offset of its delimiter row; -1 where that is in another chunk.
        body: its other rows.
        aligns: `left`, `center`, `right` or `` of each column.
        natural: cells that each column would like to have, of the whole table.
        least: cells that each column needs, of the whole table.
        first: prefix of the first row.
        rest: prefix of the other rows.
    """

    start: int
    head: TableRow | None
    ruled: int
    body: list[TableRow]
    aligns: list[str]
    natural: list[int]
    least: list[int]
    first: tuple[Span, ...] = ()
    rest: tuple[Span, ...] = ()
    starts_inside: bool = field(default=False)


def measure(rows: Sequence[Sequence[Cell]], columns: int) -> tuple[list[int], list[int]]:
    """Cells that each column would like to have and that it needs."""
    natural, least = [1] * columns, [1] * columns
    for row in rows:
        for column, cell in enumerate(row[:columns]):
            for line in cell:
                text = "".join([span.text for span in line])
                natural[column] = max(natural[column], cells(text))
                longest = max(map(cells, text.split()), default=1)
                least[column] = max(least[column], min(longest, _WORD_AT_MOST))
    return natural, least


def column_widths(natural: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Cells of each column, so that they fit into `room` if they can."""
    room -= len(_BETWEEN) * (len(natural) - 1)
    if sum(natural) <= room:
        return list(natural)
    if sum(least) >= room:
        return list(least)
    chosen = list(least)
    left = room - sum(chosen)
    # First all columns up to what is generous, then the long ones by what they would like to have.
    for bound in (_GENEROUS, max(natural)):
        wants = [
            min(want, bound) - have if min(want, bound) > have else 0
            for want, have in zip(natural, chosen, strict=True)
        ]
        total = sum(wants)
        if not total:
            continue
        share = min(left, total)
        given = [share * want // total for want in wants]
        for index in sorted(range(len(wants)), key=lambda i: given[i] - wants[i]):
            if sum(given) >= share:
                break
            given[index] += 1 if given[index] < wants[index] else 0
        chosen = [have + more for have, more in zip(chosen, given, strict=True)]
        left = room - sum(chosen)
    return chosen


def lay_out(table: Table, width: int, lights: Lights | None) -> list[Row]:
    """The table's rows on a page of `width` cells."""
    prefix_width = spans_width(table.rest)
    chosen = column_widths(table.natural, table.least, width - prefix_width)
    total = sum(chosen) + len(_BETWEEN) * (len(chosen) - 1)
    fixed = prefix_width if total + prefix_width > width else -1
    rows: list[Row] = []
    prefix = table.first

    def add(spans: list[Span], start: int) -> None:
        nonlocal prefix
        row = Row([*prefix, *spans], start, fixed=fixed)
        row.width = spans_width(row.spans)
        rows.append(row)
        prefix = table.rest

    if table.head:
        for spans in _row(table.head.cells, chosen, table.aligns, "table-head", lights):
            add(spans, table.head.start)
    if table.ruled >= 0:
        add([Span(_CROSSING.join("─" * wide for wide in chosen), "table-line")], table.ruled)
    open_rows = sum(table.natural) > sum(chosen)
    for index, row in enumerate(table.body):
        if open_rows and (index or table.starts_inside):
            add([Span("╌┼╌".join("╌" * wide for wide in chosen), "table-line")], row.start)
        for spans in _row(row.cells, chosen, table.aligns, "", lights):
            add(spans, row.start)
    return rows


def _row(
    content: Sequence[Cell], chosen: Sequence[int], aligns: Sequence[str], style: str, lights: Lights | None
) -> list[list[Span]]:
    columns: list[list[list[Span]]] = []
    for index, wide in enumerate(chosen):
        lines: list[list[Span]] = []
        for line in content[index] if index < len(content) else []:
            lit = light_spans(line, lights)
            text = "".join([span.text for span in lit])
            lines.extend(slice_spans(lit, break_words(text, wide, wide)))
        columns.append(lines)
    height = max(1, *map(len, columns)) if columns else 1
    return [
        _join([column[index] if index < len(column) else [] for column in columns], chosen, aligns, style)
        for index in range(height)
    ]


def _join(pieces: list[list[Span]], chosen: Sequence[int], aligns: Sequence[str], style: str) -> list[Span]:
    spans: list[Span] = []
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        if index:
            spans.append(Span(_BETWEEN, "table-line"))
        blank = chosen[index] - spans_width(piece)
        align = aligns[index]
        left = blank if align == "right" else blank // 2 if align == "center" else 0
        if left > 0:
            spans.append(Span(" " * left))
        spans.extend(
            span._replace(style=f"{style} {span.style}".strip()) if style else span for span in piece
        )
        if blank - left > 0 and index < last:
            spans.append(Span(" " * (blank - left)))
    return spans
