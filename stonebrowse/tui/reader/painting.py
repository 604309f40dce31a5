"""Rows → strips: the margin with its bar, the text in the theme's colours, wide tables moved sideways.

This is the last gate: a text that is not printable goes through `safety.visible` here, wherever it came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from stonebrowse.tui.reader.safety import cells, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.style import Style

    from stonebrowse.tui.reader.model import Row, Span

BAR: Final = "▌"
GUTTER: Final = 2
"""Cells at the left of the text, for the bar of the marked passage."""
_NARROW: Final = 30  # cells of the page below which margins are left out


class Page(NamedTuple):
    """How a page lies in the view.

    Attributes:
        width: cells of the view, scroll bar included.
        left: the column at which text begins.
        text: cells of a row of text.
    """

    width: int
    left: int
    text: int

    @classmethod
    def fitting(cls, width: int, room: int, text_width: int) -> Page:
        """A page in a view.

        Args:
            width: cells of the view.
            room: cells of it without the scroll bar.
            text_width: cells of a row of text, at most.
        """
        if room < _NARROW:
            return cls(width, 1, max(room - 1, 1))
        text = max(min(text_width, room - GUTTER - 1), 1)
        return cls(width, max((room - text) // 2, GUTTER), text)


class Painter:
    """Paints rows.

    Args:
        style: a style's names → its colours.
    """

    def __init__(self, style: Callable[[str], Style]) -> None:
        self._style = style

    def paint(
        self, row: Row, page: Page, *, marked: bool, sideways: int, hints: dict[int, str] | None = None
    ) -> Strip:
        """One row as a strip as wide as the view.

        Args:
            row: what it shows.
            page: how the page lies.
            marked: whether the bar stands beside it.
            sideways: cells by which wide tables are moved.
            hints: numbers over links, by the index of the span.
        """
        base = self._style("")
        segments = self._margin(page.left, base, marked=marked)
        used = page.left + page.text
        if row.width > page.text:
            segments.extend(self._wide(row, page.text, sideways, hints))
        else:
            segments.extend(self._segments(row.spans, hints))
            if not row.fill:
                used = page.left + row.width
            elif row.width < page.text:
                segments.append(Segment(" " * (page.text - row.width), self._style(row.fill)))
        if used > page.width:
            return Strip(segments).adjust_cell_length(page.width, base)
        if used < page.width:
            segments.append(Segment(" " * (page.width - used), base))
        return Strip(_packed(segments), page.width)

    def _margin(self, left: int, base: Style, *, marked: bool) -> list[Segment]:
        if not marked:
            return [Segment(" " * left, base)]
        before = max(left - GUTTER, 0)
        segments = [Segment(" " * before, base)] if before else []
        segments.append(Segment(BAR, self._style("mark")))
        if left - before > 1:
            segments.append(Segment(" " * (left - before - 1), base))
        return segments

    def _segments(self, spans: list[Span], hints: dict[int, str] | None) -> list[Segment]:
        segments: list[Segment] = []
        for index, span in enumerate(spans):
            text = span.text if span.text.isprintable() else visible(span.text)
            hint = hints.get(index) if hints else None
            if hint:
                segments.append(Segment(hint, self._style("hint")))
                text = _without_cells(text, cells(hint))
            if text:
                segments.append(Segment(text, self._style(span.style)))
        return segments

    def _wide(self, row: Row, room: int, sideways: int, hints: dict[int, str] | None) -> list[Segment]:
        """A row that is wider than the page: the part that is moved into view, with marks at the cuts."""
        whole = Strip(self._segments(row.spans, hints))
        if row.fixed < 0:
            return list(whole.crop(0, room))
        fixed = min(row.fixed, room)
        most = max(row.width - room, 0)
        sideways = min(sideways, most)
        more = self._style("more")
        body = whole.crop(fixed + sideways, sideways + room)
        shown = Strip([*whole.crop(0, fixed), *body]).adjust_cell_length(room, self._style(""))
        if sideways < most:
            shown = Strip([*shown.crop(0, room - 1), Segment("›", more)])
        if sideways > 0 and room > fixed + 1:
            shown = Strip([*shown.crop(0, fixed), Segment("‹", more), *shown.crop(fixed + 1, room)])
        return list(shown)


def _packed(segments: Iterable[Segment]) -> list[Segment]:
    """The same in fewer segments: each costs some forty bytes on the way to the terminal.

    Blanks show a background only, so they join what stands beside them on the same one.
    """
    packed: list[Segment] = []
    for segment in segments:
        before = packed[-1] if packed else None
        if before is None or before.style is None or segment.style is None:
            packed.append(segment)
        elif before.style == segment.style or (
            _is_blank(segment) and _carries_blanks(before.style, segment.style)
        ):
            packed[-1] = Segment(before.text + segment.text, before.style)
        elif _is_blank(before) and _carries_blanks(segment.style, before.style):
            packed[-1] = Segment(before.text + segment.text, segment.style)
        else:
            packed.append(segment)
    return packed


def _is_blank(segment: Segment) -> bool:
    return segment.text.isspace() and segment.style is not None and not _is_drawn_on_blanks(segment.style)


def _carries_blanks(style: Style, other: Style) -> bool:
    return style.bgcolor == other.bgcolor and not _is_drawn_on_blanks(style)


def _is_drawn_on_blanks(style: Style) -> bool:
    return bool(style.underline or style.strike or style.reverse or style.overline)


def is_marked(row: Row, following: Row | None, marked: tuple[int, int] | None) -> bool:
    """Whether a row shows something of the marked bytes.

    Args:
        row: the row.
        following: the row below it, if there is one on the screen.
        marked: the bytes' span.
    """
    if not marked:
        return False
    start, end = marked
    if row.pad:
        return start < row.start < end
    return row.start < end and (row.start >= start or (following is not None and following.start > start))


def _without_cells(text: str, width: int) -> str:
    """A text without its first cells."""
    used = 0
    for index, character in enumerate(text):
        if used >= width:
            return " " * (used - width) + text[index:]
        used += cells(character)
    return " " * (used - width) if used > width else ""
