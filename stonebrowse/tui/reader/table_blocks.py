"""Tokens of a table → its rows that are in the chunk, and the widths of the columns of all of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from stonebrowse.tui.reader.grammar import parse_inlines
from stonebrowse.tui.reader.inlines import InlineWriter
from stonebrowse.tui.reader.model import Span
from stonebrowse.tui.reader.safety import visible
from stonebrowse.tui.reader.tables import Cell, Table, TableRow, measure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stonebrowse.tui.reader.stretches import Stretch

_MEASURED_ROWS: Final = 120  # of a long table; the cells of the others are measured by their source
_SLACK: Final = 2  # cells for what comes further down in a very long table
_LINK_TARGET: Final = re.compile(r"\]\([^)]*\)|[*_`\[\]!]")
_ALIGN: Final = re.compile(r"text-align:\s*(left|center|right)")


def read_table(stretch: Stretch, first: int, last: int, low: int, high: int, env: Mapping[str, Any]) -> Table:
    """The table between two tokens.

    Args:
        stretch: what it belongs to.
        first: index of its opening token.
        last: index of its closing token.
        low: first line of the chunk.
        high: line after the chunk.
        env: what inline content may refer to.
    """
    tokens = stretch.tokens
    rows: list[tuple[int, list[int]]] = []  # line, indices of the cells' content
    aligns: list[str] = []
    for index in range(first, last):
        token = tokens[index]
        if token.type == "tr_open":
            rows.append(((token.map or (0, 0))[0], []))
        elif token.type in {"th_open", "td_open"}:
            rows[-1][1].append(index + 1)
            if token.type == "th_open":
                found = _ALIGN.search(str(token.attrs.get("style", "")))
                aligns.append(found[1] if found else "")

    def cell(index: int, line: int) -> Cell:
        kept = stretch.spans.get(index)
        if kept is None:
            writer = InlineWriter(stretch, line, line + 1)
            kept = stretch.spans[index] = writer.write(parse_inlines(tokens[index].content, env))
        return kept

    measured = [
        [
            cell(index, line) if number < _MEASURED_ROWS else _source(tokens[index].content)
            for index in indices
        ]
        for number, (line, indices) in enumerate(rows)
    ]
    if stretch.lead_lines:  # all parts of a very long table are as wide as the first one asks for
        measured = [row for row, (line, _) in zip(measured, rows, strict=True) if line < stretch.lead_lines]
    natural, least = measure(measured, len(aligns))
    if stretch.alone:
        natural = [want + _SLACK for want in natural]
    table_line = (tokens[first].map or (0, 0))[0]
    wanted = [
        TableRow([cell(index, line) for index in indices], stretch.byte_of_line(line))
        for line, indices in rows[1:]
        if low <= line < high
    ]
    head_line, head_cells = rows[0]
    head = TableRow([cell(index, head_line) for index in head_cells], stretch.byte_of_line(head_line))
    return Table(
        start=stretch.byte_of_line(table_line),
        head=head if low <= head_line < high else None,
        ruled=stretch.byte_of_line(head_line + 1) if low <= head_line + 1 < high else -1,
        body=wanted,
        aligns=aligns,
        natural=natural,
        least=least,
        starts_inside=len(rows) > 1 and rows[1][0] < low,
    )


def _source(content: str) -> Cell:
    """A cell as its source without the marks: near enough to measure it."""
    return [[Span(visible(_LINK_TARGET.sub("", content)))]]
