"""What is on the screen of one document: which rows, from which place. Nothing of a terminal.

The place is a byte offset: either where one went to (the *aim*, held at its height on the screen until one
moves) or what stood in the first row (*held*). Rows follow from it, at whatever width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.tui.reader.layout import Layout, Position
from stonebrowse.tui.reader.raw import first_line
from stonebrowse.tui.reader.safety import cells

if TYPE_CHECKING:
    from stonebrowse.tui.reader.model import Link, Row
    from stonebrowse.tui.reader.source import Source
    from stonebrowse.tui.reader.wrapping import Lights


class VisibleLink(NamedTuple):
    """A link on the screen.

    Attributes:
        number: counted from 1, from the top.
        target: where it leads, as written.
        text: what it shows.
        row: of the view, from 0.
        column: of the text, from 0.
    """

    number: int
    target: str
    text: str
    row: int
    column: int


class Place(NamedTuple):
    """Where one reads.

    Attributes:
        offset: byte offset into the text.
        line: one-based line that holds it.
    """

    offset: int
    line: int


class Window:
    """The part of a document that is shown.

    Attributes:
        layout: the document's rows; None without a document.
        width: cells of a row of text.
        height: rows of the screen; 0 until that is known.
        top: the first row.
        sideways: cells by which wide tables are moved.
        hints: numbers shown over links: row of the screen and span in it → number.
    """

    def __init__(self) -> None:
        self.layout: Layout | None = None
        self.width = 80
        self.height = 0
        self.top = Position(0, 0)
        self.sideways = 0
        self.hints: dict[tuple[int, int], str] = {}
        self._held = 0
        self._held_step = 0
        self._aim: tuple[int, float] | None = None
        self._shown: list[Row] | None = None

    # ------------------------------------------------------------------ the document

    @property
    def source(self) -> Source | None:
        """The document."""
        return self.layout.source if self.layout else None

    def open(self, source: Source | None) -> bool:
        """Take a document; False if it is the one that is shown."""
        if source is self.source:
            return False
        self.layout = Layout(source) if source is not None else None
        self.top = Position(0, 0)
        self.sideways = 0
        self._forget()
        return True

    def configure(self, *, raw: bool, lights: Lights | None, front_matter_open: bool) -> None:
        """Set what rows depend on besides the width. `settle` must follow where that moves rows."""
        layout = self.layout
        if layout and layout.configure(
            width=self.width, raw=raw, lights=lights, front_matter_open=front_matter_open
        ):
            self._shown = None

    def _forget(self) -> None:
        self._shown = None
        self.hints = {}

    # ------------------------------------------------------------------ places

    def aim(self, offset: int, align: float = 0.0) -> None:
        """Take a place, `align` of the way down the screen; `settle` shows it."""
        self._aim = (offset, align)
        self._held, self._held_step = offset, 0

    def go_to(self, offset: int, align: float = 0.0) -> None:
        """Show a place, `align` of the way down the screen."""
        self.aim(offset, align)
        self.settle()

    def settle(self) -> None:
        """Find the first row again, from the place."""
        layout = self.layout
        self._forget()
        if layout is None or not self.height:
            return
        if self._aim:
            offset, align = self._aim
            top = layout.move(layout.find(offset), -round(align * max(self.height - 1, 0)))
        else:
            top = self._step(layout, layout.find(self._held))
        self.top = layout.clamp(top, self.height)

    def move_to(self, top: Position) -> bool:
        """Show from a row on; False where that changes nothing. The place that one went to is given up."""
        layout = self.layout
        if layout is None or not self.height:
            return False
        top = layout.clamp(top, self.height)
        if top == self.top:
            return False
        self.top = top
        self._aim = None
        self._held = layout.offset(top)
        found = layout.find(self._held)
        self._held_step = top.row - found.row if found.ordinal == top.ordinal else 0
        self._forget()
        return True

    def _step(self, layout: Layout, found: Position) -> Position:
        """From the row that shows the held byte to the one that stood at the top: several may begin there."""
        rows, row = layout.rows(found.ordinal), found.row
        for _ in range(self._held_step):
            if row + 1 < len(rows) and rows[row + 1].start == rows[row].start:
                row += 1
        for _ in range(-self._held_step):
            if row and rows[row - 1].pad:
                row -= 1
        return Position(found.ordinal, row)

    def move(self, by: int) -> bool:
        """Move by rows; False where that changes nothing."""
        return self.layout is not None and self.move_to(self.layout.move(self.top, by))

    @property
    def top_offset(self) -> int:
        """Byte offset of the first row."""
        return self.layout.offset(self.top) if self.layout else 0

    @property
    def place(self) -> Place:
        """Where one reads: where one went to, until one moves; then the first row."""
        offset = self._aim[0] if self._aim else self.top_offset
        return Place(offset, self.line_of(offset))

    def line_of(self, offset: int) -> int:
        """The one-based line that holds a byte."""
        source = self.source
        if source is None or not len(source.cut):
            return 1
        chunk = source.cut.passage(source.cut.at(min(max(offset, 0), source.size)))
        text = source.read(chunk.start, chunk.end)
        before = text[: max(offset - chunk.start, 0)]
        breaks = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
        if before.endswith(b"\r") and text[len(before) : len(before) + 1] == b"\n":
            breaks -= 1
        return first_line(text, chunk) + breaks

    def heading(self, by: int) -> int | None:
        """Byte offset of the next heading (1), or of the one above (-1): first that of the section itself."""
        source = self.source
        if source is None or not len(source.cut):
            return None
        here = min(self.place.offset, source.size)
        section = source.cut.passage(source.cut.at(here)).section
        start = source.cut.section(section).start
        inside = here > start or (
            self.layout is not None and not self._aim and self.top > self.layout.find(start)
        )
        wanted = section + 1 if by > 0 else section if inside else section - 1
        return source.cut.section(wanted).start if 0 <= wanted < source.cut.section_count else None

    # ------------------------------------------------------------------ what is shown

    def rows(self) -> list[Row]:
        """The rows on the screen."""
        if self._shown is None:
            layout = self.layout
            self._shown = [row for _, row in layout.screen(self.top, self.height)] if layout else []
        return self._shown

    def refill(self, *, references: bool) -> list[int]:
        """Make the rows again, code or links having become known: those of the screen that look otherwise."""
        layout = self.layout
        if layout is None:
            return []
        before = [_look(row) for row in self._shown or ()]
        if references:
            layout.forget_references()
        else:
            layout.forget()
        if self.top.row >= len(layout.rows(self.top.ordinal)):
            self.settle()
        self._shown = None
        after = [_look(row) for row in self.rows()]
        return [y for y in range(self.height) if before[y : y + 1] != after[y : y + 1]]

    def links(self) -> list[VisibleLink]:
        """The links on the screen, from the top."""
        found: list[VisibleLink] = []
        known: dict[Link, int] = {}
        for y, row in enumerate(self.rows()):
            column = 0
            for span in row.spans:
                if span.link is not None:
                    at = known.setdefault(span.link, len(found))
                    if at < len(found):
                        found[at] = found[at]._replace(text=found[at].text + span.text)
                    else:
                        found.append(VisibleLink(at + 1, span.link.target, span.text, y, column))
                column += cells(span.text)
        return found

    def number_links(self) -> None:
        """Show a number over each link."""
        self.hints = {}
        seen: set[Link] = set()
        for y, row in enumerate(self.rows()):
            for index, span in enumerate(row.spans):
                if span.link is not None and span.link not in seen:
                    seen.add(span.link)
                    self.hints[y, index] = str(len(seen))

    def move_sideways(self, by: int) -> bool:
        """Move wide tables; False where that changes nothing."""
        widest = max((row.width for row in self.rows() if row.fixed >= 0), default=0)
        sideways = min(max(self.sideways + by, 0), max(widest - self.width, 0))
        changed = sideways != self.sideways
        self.sideways = sideways
        return changed

    # ------------------------------------------------------------------ the scroll bar

    def bar_length(self) -> int:
        """Rows that the scroll bar stands for: an estimate, but more than the screen has unless all fits."""
        layout = self.layout
        if layout is None:
            return 0
        short = len(layout.source.cut) <= self.height
        if short and layout.clamp(layout.end, self.height) == layout.top:
            return min(layout.height(), self.height)
        return max(layout.height(), self.height + 1)

    def bar_position(self, length: int) -> int:
        """Where the scroll bar stands, of `length` rows: 0 only at the top, the last only at the end."""
        layout, most = self.layout, length - self.height
        if layout is None or most <= 0 or self.top == layout.top:
            return 0
        if layout.move(self.top, self.height) == layout.move(self.top, self.height - 1):
            return most
        share = layout.offset(self.top) / max(layout.source.size, 1)
        return min(max(round(share * length), 1), most - 1) if most > 1 else 0

    def move_bar(self, position: float, length: int) -> bool:
        """Show what the scroll bar says; False where that changes nothing."""
        layout = self.layout
        if layout is None:
            return False
        if position <= 0:
            return self.move_to(layout.top)
        if position >= length - self.height:
            return self.move_to(layout.end)
        return self.move_to(layout.find(int(position / length * layout.source.size)))


def _look(row: Row) -> list[tuple[str, str]]:
    return [(span.text, span.style) for span in row.spans]
