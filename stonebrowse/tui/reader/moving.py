"""A view that a window on a document moves in: the scroll bar, the wheel, the keys.

`scroll_y` and the virtual size serve the scroll bar only, and are estimates; the place is the window's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.widget import Widget

from stonebrowse.tui.reader.painting import Page
from stonebrowse.tui.reader.window import Window

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType
    from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp

_SIDEWAYS: Final = 16  # cells by which wide tables are moved
_STAYING: Final = 2  # rows of a page that stay when one moves by a page
_LOW: Final = 4  # rows of the view up to which none stay


class MovingView(ScrollView):
    """A view on a window. What moves it is here; what it shows is `DocumentView`'s."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Line down", show=False),
        Binding("k,up", "scroll_up", "Line up", show=False),
        Binding("space,pagedown,ctrl+f", "page_down", "Page down", show=False),
        Binding("b,pageup,ctrl+b", "page_up", "Page up", show=False),
        Binding("d", "half_page_down", "Half a page down", show=False),
        Binding("u", "half_page_up", "Half a page up", show=False),
        Binding("g,home", "scroll_home", "Top", show=False),
        Binding("G,end", "scroll_end", "Bottom", show=False),
        Binding("right_square_bracket", "next_heading", "Next heading", show=False),
        Binding("left_square_bracket", "previous_heading", "Previous heading", show=False),
        Binding("l,right", "scroll_right", "Tables to the right", show=False),
        Binding("h,left", "scroll_left", "Tables to the left", show=False),
        Binding("r", "toggle_raw", "Source", show=False),
    ]

    def __init__(
        self,
        *,
        text_width: int = 100,
        name: str | None = None,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
        disabled: bool = False,
    ) -> None:
        """Make a view without a document.

        Args:
            text_width: cells of a row of text, at most.
            name: as for any widget.
            id: as for any widget.
            classes: as for any widget.
            disabled: as for any widget.
        """
        super().__init__(name=name, id=id, classes=classes, disabled=disabled)
        self.text_width = text_width
        self._window = Window()
        self._paper = Page.fitting(0, 1, text_width)
        self._syncing = False

    # ------------------------------------------------------------------ geometry

    def _fit(self) -> Page:
        """How the page lies. The scroll bar is always there, so that nothing is wrapped anew for it."""
        width = self.size.width
        room = max(width - self.styles.scrollbar_size_vertical, 1)
        return Page.fitting(width, room, self.text_width)

    def _configure(self) -> None:
        """Tell the window what its rows depend on."""

    def _report(self, offset: int) -> None:
        """Another place is shown."""

    def _settle(self) -> None:
        """Lay out again, at the place that is held."""
        window = self._window
        self._paper = self._fit()
        window.width, window.height = self._paper.text, self.size.height
        self._configure()
        window.settle()
        self._sync_bar(measure=True)
        self.refresh()

    def _moved(self, offset: int) -> None:
        """The window shows another place."""
        self._sync_bar()
        self.refresh()
        self._report(offset)

    def go_to(self, offset: int, align: float = 0.0) -> None:
        """Show a place.

        Args:
            offset: its byte offset.
            align: where on the screen it stands: 0 the top, 1 the bottom.
        """
        self._window.go_to(offset, align)
        self._moved(offset)

    def scroll_rows(self, by: int) -> None:
        """Move by rows, down if positive."""
        if self._window.move(by):
            self._moved(self._window.top_offset)

    def scroll_pages(self, by: float) -> None:
        """Move by pages or parts of one, down if positive; two rows of a page stay."""
        rows = max(1, round(self._page * abs(by)))
        self.scroll_rows(rows if by > 0 else -rows)

    @property
    def _page(self) -> int:
        height = self.size.height
        return height - _STAYING if height > _LOW else max(height, 1)

    # ------------------------------------------------------------------ the scroll bar

    def _sync_bar(self, *, measure: bool = False) -> None:
        """Tell the scroll bar where the view stands."""
        if self._window.layout is None or not self._window.height:
            return
        self._syncing = True
        try:
            if measure:
                size = Size(self.size.width, self._window.bar_length())
                if size != self.virtual_size:
                    self.set_reactive(Widget.virtual_size, size)
                    self._scroll_update(size)
            position = float(self._window.bar_position(self.virtual_size.height))
            if position != self.scroll_y:
                self.set_reactive(Widget.scroll_y, position)
                self.set_reactive(Widget.scroll_target_y, position)
                if self.show_vertical_scrollbar:
                    self.vertical_scrollbar.position = position
        finally:
            self._syncing = False

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:  # noqa: ARG002 - Textual's signature
        """The scroll bar was moved (everything else sets the place itself)."""
        if self._syncing:
            return
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.position = new_value
        if self._window.move_bar(new_value, self.virtual_size.height):
            self.refresh()
            self._report(self._window.top_offset)

    def on_scroll_to(self, message: ScrollTo) -> None:
        """The scroll bar is dragged: no animation."""
        message.stop()
        message.prevent_default()
        if message.y is not None:
            self.scroll_to(y=message.y, animate=False)

    def on_scroll_up(self, message: ScrollUp) -> None:
        """A click above the scroll bar's thumb."""
        message.stop()
        message.prevent_default()
        self.action_page_up()

    def on_scroll_down(self, message: ScrollDown) -> None:
        """A click below the scroll bar's thumb."""
        message.stop()
        message.prevent_default()
        self.action_page_down()

    # ------------------------------------------------------------------ events

    def on_resize(self) -> None:
        """Keep the place."""
        self._settle()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Wheel."""
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Wheel."""
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, direction: int) -> None:
        event.stop()
        event.prevent_default()
        if event.shift or event.ctrl:
            self._move_sideways(direction * _SIDEWAYS)
        else:
            self.scroll_rows(direction * max(round(self.app.scroll_sensitivity_y), 1))

    # ------------------------------------------------------------------ actions

    def action_scroll_down(self) -> None:
        """One row down."""
        self.scroll_rows(1)

    def action_scroll_up(self) -> None:
        """One row up."""
        self.scroll_rows(-1)

    def action_page_down(self) -> None:
        """A page down; two rows stay."""
        self.scroll_pages(1)

    def action_page_up(self) -> None:
        """A page up; two rows stay."""
        self.scroll_pages(-1)

    def action_half_page_down(self) -> None:
        """Half a page down."""
        self.scroll_rows(max(self.size.height // 2, 1))

    def action_half_page_up(self) -> None:
        """Half a page up."""
        self.scroll_rows(-max(self.size.height // 2, 1))

    def action_scroll_home(self) -> None:
        """To the top."""
        self.go_to(0)

    def action_scroll_end(self) -> None:
        """To the end."""
        layout = self._window.layout
        if layout and self._window.move_to(layout.end):
            self._moved(self._window.top_offset)

    def action_next_heading(self) -> None:
        """To the next heading."""
        self._go_to_heading(1)

    def action_previous_heading(self) -> None:
        """To the heading above; from within a section, to its own."""
        self._go_to_heading(-1)

    def _go_to_heading(self, by: int) -> None:
        offset = self._window.heading(by)
        if offset is not None:
            self.go_to(offset)

    def action_scroll_right(self) -> None:
        """Wide tables to the right."""
        self._move_sideways(_SIDEWAYS)

    def action_scroll_left(self) -> None:
        """Wide tables to the left."""
        self._move_sideways(-_SIDEWAYS)

    def _move_sideways(self, by: int) -> None:
        if self._window.move_sideways(by):
            self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's signature
        """All there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """All there is."""
        return container.height
