"""A list of any length, of which only the visible rows are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from stonebrowse.tui.painting import strip, wrapped
from stonebrowse.tui.reader.safety import visible

if TYPE_CHECKING:
    from textual import events

    from stonebrowse.tui.painting import Piece


class Rows(ScrollView, can_focus=True):
    """A list with a cursor. Subclasses say how many rows there are and draw one.

    Attributes:
        ROW_HEIGHT: lines that each row takes.
    """

    ROW_HEIGHT: ClassVar[int] = 1
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rows--row",
        "rows--cursor",
        "rows--mark",
        "rows--strong",
        "rows--dim",
        "rows--lit",
        "rows--note",
    }
    DEFAULT_CSS = """
    Rows {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    cursor: reactive[int] = reactive(0, repaint=False, init=False)

    @dataclass
    class Moved(Message):
        """A person moved the cursor by a click."""

        rows: Rows

        @property
        def control(self) -> Rows:
            """The list."""
            return self.rows

    @dataclass
    class Chosen(Message):
        """A person chose the row under the cursor by a second click."""

        rows: Rows

        @property
        def control(self) -> Rows:
            """The list."""
            return self.rows

    # -- what subclasses say -----------------------------------------------------------------------------

    def count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def draw(self, index: int, line: int, width: int) -> list[Piece]:
        """One line of one row, as pieces; what is too long is cut.

        Args:
            index: the row, from 0.
            line: which of the row's lines, from 0.
            width: the cells there are.
        """
        raise NotImplementedError

    def note(self) -> list[str]:
        """What is said instead of rows where there are none, a line each."""
        return []

    # -- moving ------------------------------------------------------------------------------------------

    def place_cursor(self, index: int, *, align: float | None = None) -> None:
        """Puts the cursor on a row without saying that a person did, and shows it.

        Args:
            index: the row; held within the list.
            align: where the row comes to stand, 0 the top and 1 the bottom; None moves no more than needed.
        """
        self.cursor = max(0, min(index, self.count() - 1))
        self._show_cursor(align)

    def move(self, rows: int) -> bool:
        """Moves the cursor by rows, as a person asked; says whether it moved."""
        before = self.cursor
        self.place_cursor(before + rows)
        return self.cursor != before

    def page(self, pages: float) -> bool:
        """Moves the cursor by pages or parts of one; says whether it moved."""
        rows = max(1, int(self.size.height // self.ROW_HEIGHT * abs(pages)))
        return self.move(rows if pages > 0 else -rows)

    def to_end(self, *, last: bool) -> bool:
        """Moves the cursor to the last or first row; says whether it moved."""
        return self.move(self.count() if last else -self.count())

    def choose(self) -> bool:
        """Whether the row under the cursor is to be opened; subclasses may do something else with it."""
        return self.count() > 0

    def changed(self) -> None:
        """To be called when the rows are others: their number and what they show is taken anew."""
        self._measure()
        self.set_reactive(Rows.cursor, max(0, min(self.cursor, self.count() - 1)))
        self.refresh()

    def _measure(self) -> None:
        """Tells the scroll bar how long the list is. The bar is always there: nothing else has to move."""
        size = Size(self.size.width, self.count() * self.ROW_HEIGHT)
        if size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)
            self.scroll_to(y=min(self.scroll_y, self.max_scroll_y), animate=False, force=True)

    def watch_cursor(self, before: int, now: int) -> None:
        """Draws both rows anew."""
        for index in (before, now):
            self.refresh_lines(index * self.ROW_HEIGHT, self.ROW_HEIGHT)

    def _show_cursor(self, align: float | None) -> None:
        height = self.size.height
        if not height:
            return
        top, rows = self.cursor * self.ROW_HEIGHT, self.ROW_HEIGHT
        if align is not None:
            y = top - int((height - rows) * align)
        elif top < self.scroll_y or rows > height:
            y = top
        elif top + rows > self.scroll_y + height:
            y = top + rows - height
        else:
            return
        self.scroll_to(y=y, animate=False, force=True)

    # -- drawing -----------------------------------------------------------------------------------------

    def style(self, name: str) -> Style:
        """One of the list's styles (`rows--` and the name), without a background unless it sets one."""
        return self.get_component_rich_style(f"rows--{name}", partial=True)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self.size.width
        base = self.visual_style.rich_style
        if not self.count():
            return self._note_line(y, width, base)
        index, line = divmod(y + self.scroll_offset.y, self.ROW_HEIGHT)
        if index >= self.count():
            return Strip.blank(width, base)
        on = index == self.cursor
        fill = base + self.style("cursor") if on else base
        bar = ("▌" if on else " ", self.style("mark") if on else Style.null())
        pieces = self.draw(index, line, width - 2)
        if on and self.screen.focused is self:
            # On the colour of the cursor only its own text colour is sure to be read.
            over = Style(color=self.style("cursor").color)
            pieces = [(text, style + over) for text, style in pieces]
        return strip([bar, *pieces], width, fill)

    def _note_line(self, y: int, width: int, base: Style) -> Strip:
        lines = self.note()
        rows = [
            (row, "strong" if number == 0 else "dim")
            for number, line in enumerate(lines)
            for row in wrapped(visible(line), max(1, width - 3))
        ]
        if not 0 < y <= len(rows):
            return Strip.blank(width, base)
        text, name = rows[y - 1]
        return strip([(" " + text, self.style(name))], width, base)

    # -- events ------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Keeps the cursor in sight."""
        self._measure()
        self._show_cursor(None)
        self.refresh()

    def on_focus(self) -> None:
        """Draws the cursor as of the pane that has the keys."""
        self.refresh()

    def on_blur(self) -> None:
        """Draws the cursor as of a pane that waits."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A click goes to a row, a second one on it chooses it."""
        index = (event.get_content_offset_capture(self).y + self.scroll_offset.y) // self.ROW_HEIGHT
        if 0 <= index < self.count():
            if event.chain > 1:
                if self.choose():
                    self.post_message(self.Chosen(self))
            elif self.move(index - self.cursor):
                self.post_message(self.Moved(self))

    def row_region(self, index: int) -> Region:
        """Where a row stands on the list's surface."""
        return Region(0, index * self.ROW_HEIGHT, self.size.width, self.ROW_HEIGHT)
