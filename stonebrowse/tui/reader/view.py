"""The document view: a widget that shows one document, whatever its length, by painting what is visible.

It follows Textual's line API. The place is held as a byte offset; `scroll_y` and the virtual size serve the
scroll bar only, and are estimates. Nothing is animated, and nothing is painted unless something changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from stonebrowse.errors import StonebrowseError
from stonebrowse.tui.reader.layout import Layout, Position
from stonebrowse.tui.reader.raw import first_line
from stonebrowse.tui.reader.safety import cells, visible
from stonebrowse.tui.reader.styles import COMPONENT_CLASSES, COMPONENT_PREFIX, STYLE_SHEET

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType
    from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp

    from stonebrowse.tui.reader.model import Link, Row, Span
    from stonebrowse.tui.reader.source import Source
    from stonebrowse.tui.reader.wrapping import Lights

_BAR: Final = "▌"
_GUTTER: Final = 2  # cells at the left, for the bar of the marked passage
_NARROW: Final = 30  # cells of the view below which margins are left out
_SIDEWAYS: Final = 16  # cells by which wide tables are moved


class VisibleLink(NamedTuple):
    """A link on the screen.

    Attributes:
        number: counted from 1, from the top.
        target: where it leads, as written.
        text: what it shows.
        row: of the view, from 0.
        column: of the view, from 0.
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


class DocumentView(ScrollView, can_focus=True):
    """Shows one document. See the module's docstring."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENT_CLASSES)
    ALLOW_SELECT = False
    DEFAULT_CSS = (
        """
DocumentView {
    overflow-x: hidden;
    overflow-y: scroll;
    scrollbar-size-vertical: 1;
    scrollbar-background: $background;
    scrollbar-background-hover: $background;
    scrollbar-background-active: $background;
    scrollbar-color: $foreground 30%;
    scrollbar-color-hover: $foreground 45%;
    scrollbar-color-active: $accent;
    background: $background;
    color: $foreground;
"""
        + STYLE_SHEET
        + "}\n"
    )
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

    class PlaceChanged(Message):
        """The view shows another place.

        Attributes:
            view: the view.
            offset: byte offset of where one reads.
        """

        def __init__(self, view: DocumentView, offset: int) -> None:
            super().__init__()
            self.view = view
            self.offset = offset

        @property
        def control(self) -> DocumentView:
            """The view."""
            return self.view

    class LinkChosen(Message):
        """A link was clicked.

        Attributes:
            view: the view.
            target: where it leads, as written in the document: data, never to be trusted.
        """

        def __init__(self, view: DocumentView, target: str) -> None:
            super().__init__()
            self.view = view
            self.target = target

        @property
        def control(self) -> DocumentView:
            """The view."""
            return self.view

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
        self._layout: Layout | None = None
        self._top = Position(0, 0)
        self._held = 0  # the byte offset that stays at the top through a resize
        self._held_pad = False
        self._aim: tuple[int, float] | None = None
        self._marked: tuple[int, int] | None = None
        self._lights: Lights | None = None
        self._raw = False
        self._front_matter_open = False
        self._sideways = 0
        self._hints: dict[tuple[int, int], str] = {}  # row of the screen, span in it → number
        self._shown: list[tuple[int, Row]] | None = None
        self._syncing = False
        self._styles_of: dict[str, Style] = {}
        self._filling = False

    # ------------------------------------------------------------------ what is shown

    def show(self, source: Source, at: int = 0, align: float = 0.0) -> None:
        """Show a document, or a newer version of it.

        Args:
            source: the document.
            at: byte offset of where to begin.
            align: where on the screen that stands: 0 the top, 1 the bottom.
        """
        if self._layout is None or self._layout.source is not source:
            self._layout = Layout(source)
            self._marked = None
            self._sideways = 0
        self._hints = {}
        self._hold(at)
        self._aim = (at, align)
        self._settle()
        self.post_message(self.PlaceChanged(self, at))

    def clear(self) -> None:
        """Show no document."""
        self._layout = None
        self._hints = {}
        self._repaint()

    @property
    def source(self) -> Source | None:
        """The document that is shown."""
        return self._layout.source if self._layout else None

    def mark(self, start: int, end: int) -> None:
        """Mark a passage, by byte offsets, with a bar beside it; an empty one marks nothing."""
        marked = (start, end) if end > start else None
        if marked != self._marked:
            self._marked = marked
            self.refresh()

    def light(self, lights: Lights | None) -> None:
        """Light up words.

        Args:
            lights: finds character spans in a piece of visible text (a paragraph, a line of code, a cell); None
                for none. Called again only for text that comes into view.
        """
        if lights != self._lights:
            self._lights = lights
            self._configure()
            self._repaint()

    @property
    def raw(self) -> bool:
        """Whether the source is shown, with line numbers."""
        return self._raw

    @raw.setter
    def raw(self, raw: bool) -> None:
        if raw != self._raw:
            self._raw = raw
            self._hints = {}
            self._settle()

    # ------------------------------------------------------------------ places

    def go_to(self, offset: int, align: float = 0.0) -> None:
        """Show a place.

        Args:
            offset: its byte offset.
            align: where on the screen it stands: 0 the top, 1 the bottom.
        """
        self._hold(offset)
        self._aim = (offset, align)
        self._place_top()
        self.post_message(self.PlaceChanged(self, offset))

    @property
    def top_offset(self) -> int:
        """Byte offset of the first row on the screen."""
        return self._layout.offset(self._top) if self._layout else 0

    def place(self) -> Place:
        """Where one reads: where one went to last, as long as it is on the screen, else the first row."""
        if not self._layout:
            return Place(0, 1)
        offset = self._aim[0] if self._aim else self.top_offset
        return Place(offset, self.line_of(offset))

    def line_of(self, offset: int) -> int:
        """The one-based line that holds a byte."""
        if not self._layout or not len(self._layout.source.cut):
            return 1
        source = self._layout.source
        chunk = source.cut.passage(source.cut.at(min(max(offset, 0), source.size)))
        text = source.read(chunk.start, chunk.end)
        before = text[: max(offset - chunk.start, 0)]
        breaks = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
        return first_line(text, chunk) + breaks

    def footnote(self, label: str) -> int | None:
        """Byte offset of where a footnote is defined."""
        return self._layout.references.footnote_offset(label) if self._layout else None

    # ------------------------------------------------------------------ links

    def links(self) -> list[VisibleLink]:
        """The links on the screen, from the top."""
        found: list[VisibleLink] = []
        texts: dict[Link, int] = {}
        for y, (_, row) in enumerate(self._screen_rows()):
            column = self._left
            for span in row.spans:
                if span.link is not None:
                    if span.link in texts:
                        known = found[texts[span.link]]
                        found[texts[span.link]] = known._replace(text=known.text + span.text)
                    else:
                        texts[span.link] = len(found)
                        found.append(VisibleLink(len(found) + 1, span.link.target, span.text, y, column))
                column += cells(span.text)
        return found

    def show_hints(self) -> list[VisibleLink]:
        """Number the links on the screen, until `hide_hints` or the next move."""
        self._hints = {}
        seen: set[Link] = set()
        for y, (_, row) in enumerate(self._screen_rows()):
            for index, span in enumerate(row.spans):
                if span.link is not None and span.link not in seen:
                    seen.add(span.link)
                    self._hints[y, index] = str(len(seen))
        self.refresh()
        return self.links()

    @property
    def hinted(self) -> bool:
        """Whether the links carry numbers."""
        return bool(self._hints)

    def hide_hints(self) -> None:
        """Take the numbers away."""
        if self._hints:
            self._hints = {}
            self.refresh()

    # ------------------------------------------------------------------ geometry

    @property
    def _page_cells(self) -> int:
        """Cells of a row without the scroll bar, which is always there, so that nothing is wrapped anew for it."""
        return max(self.size.width - self.styles.scrollbar_size_vertical, 0)

    @property
    def _text_cells(self) -> int:
        width = self._page_cells
        margin = _GUTTER + 1 if width >= _NARROW else 1
        return max(min(self.text_width, width - margin), 1)

    @property
    def _left(self) -> int:
        """The column at which text begins."""
        width = self._page_cells
        if width < _NARROW:
            return 1
        return max((width - self._text_cells) // 2, _GUTTER)

    def _hold(self, offset: int, *, pad: bool = False) -> None:
        self._held = offset
        self._held_pad = pad

    def _settle(self) -> None:
        """Lay out again, at the place that is held."""
        layout = self._layout
        if layout is None or not self.size.width or not self.size.height:
            self._repaint()
            return
        self._configure()
        self._place_top()
        self._sync_bar(measure=True)

    def _configure(self) -> None:
        if self._layout:
            self._layout.configure(
                width=self._text_cells, raw=self._raw, lights=self._lights, front_matter_open=self._front_matter_open
            )

    def _place_top(self) -> None:
        """Find the first row: from the aim, else from the offset that is held."""
        layout, height = self._layout, self.size.height
        if layout is None or not height:
            return
        if self._aim:
            offset, align = self._aim
            top = layout.move(layout.find(offset), -round(align * max(height - 1, 0)))
        else:
            top = layout.find(self._held)
            if self._held_pad and top.row and layout.rows(top.ordinal)[top.row - 1].pad:
                top = Position(top.ordinal, top.row - 1)
        self._top = layout.clamp(top, height)
        self._sync_bar()
        self._repaint()

    def _scroll_rows(self, by: int) -> None:
        """Move by rows; the place that one went to is given up."""
        layout = self._layout
        if layout is None or not self.size.height:
            return
        top = layout.clamp(layout.move(self._top, by), self.size.height)
        if top == self._top:
            return
        self._top = top
        row = layout.row(top)
        self._aim = None
        self._hints = {}
        self._hold(row.start, pad=row.pad)
        self._sync_bar()
        self._repaint()
        self.post_message(self.PlaceChanged(self, row.start))

    def _repaint(self) -> None:
        self._shown = None
        self.refresh()

    def _screen_rows(self) -> list[tuple[int, Row]]:
        if self._shown is None:
            layout = self._layout
            self._shown = layout.screen(self._top, self.size.height) if layout else []
            self.call_after_refresh(self._look_ahead)
        return self._shown

    # ------------------------------------------------------------------ the scroll bar

    def _sync_bar(self, *, measure: bool = False) -> None:
        """Tell the scroll bar where the view stands."""
        layout = self._layout
        if layout is None:
            return
        height = self.size.height
        self._syncing = True
        try:
            if measure:
                fits = layout.clamp(layout.end, height) == layout.top if len(layout.source.cut) < height else False
                rows = min(layout.height(), height) if fits else max(layout.height(), height + 1)
                size = Size(self.size.width, rows)
                if size != self.virtual_size:
                    self.set_reactive(Widget.virtual_size, size)
                    self._scroll_update(size)
            position = self._bar_position(layout)
            if position != self.scroll_y:
                self.set_reactive(Widget.scroll_y, position)
                self.set_reactive(Widget.scroll_target_y, position)
                if self.show_vertical_scrollbar:
                    self.vertical_scrollbar.position = position
        finally:
            self._syncing = False

    def _bar_position(self, layout: Layout) -> float:
        most = self.max_scroll_y
        if self._top == layout.top or not most:
            return 0.0
        if layout.move(self._top, self.size.height) == layout.move(self._top, self.size.height - 1):
            return float(most)
        share = layout.offset(self._top) / max(layout.source.size, 1)
        return float(min(max(round(share * self.virtual_size.height), 1), most - 1)) if most > 1 else 0.0

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The scroll bar was moved (everything else sets the place itself)."""
        if self._syncing or self._layout is None:
            return
        layout = self._layout
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.position = new_value
        if new_value <= 0:
            top = layout.top
        elif new_value >= self.max_scroll_y:
            top = layout.end
        else:
            top = layout.find(int(new_value / max(self.virtual_size.height, 1) * layout.source.size))
        top = layout.clamp(top, self.size.height)
        if top != self._top:
            self._top = top
            self._aim = None
            self._hints = {}
            self._hold(layout.offset(top))
            self._repaint()
            self.post_message(self.PlaceChanged(self, self._held))

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
            self._scroll_rows(direction * max(round(self.app.scroll_sensitivity_y), 1))

    def on_click(self, event: events.Click) -> None:
        """A click on a link chooses it; one on folded front matter opens it."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        span = self._span_at(offset.x, offset.y)
        if span is None:
            return
        if span.link is not None:
            event.stop()
            self.post_message(self.LinkChosen(self, span.link.target))
        elif span.style == "front-matter":
            event.stop()
            self.action_toggle_front_matter()

    def _span_at(self, x: int, y: int) -> Span | None:
        rows = self._screen_rows()
        if not 0 <= y < len(rows):
            return None
        row = rows[y][1]
        column = self._left
        if row.fixed >= 0:
            x += self._sideways if x - column >= row.fixed else 0
        for span in row.spans:
            width = cells(span.text)
            if column <= x < column + width:
                return span
            column += width
        return None

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        self._styles_of.clear()
        super().notify_style_update()

    # ------------------------------------------------------------------ what is made after painting

    def _look_ahead(self) -> None:
        """After painting: colours of code, and definitions far away, in a thread, if any are missed."""
        layout = self._layout
        if layout is None or self._filling:
            return
        if layout.highlighter.wanted or (layout.references.missed and not layout.references.complete):
            self._filling = True
            self.run_worker(lambda: self._fill_in(layout), thread=True, group="reader")

    def _fill_in(self, layout: Layout) -> None:
        """In a thread: make what was missed."""
        changed = found = False
        try:
            changed = layout.highlighter.load()
            if layout.references.missed:
                while layout is self._layout and layout.references.search_step():
                    pass
                found = layout.references.complete
        except StonebrowseError:
            pass  # the place that cannot be read says so where it is shown
        self.app.call_from_thread(self._filled_in, layout, changed=changed, references=found)

    def _filled_in(self, layout: Layout, *, changed: bool, references: bool) -> None:
        """Paint again if the rows on the screen came out otherwise."""
        self._filling = False
        if layout is not self._layout:
            self._look_ahead()
            return
        if references:
            layout.references.missed = False
            layout.forget_references()
        elif changed:
            layout.forget()
        else:
            return
        before, count = self._shown, len(layout.rows(self._top.ordinal))
        if self._top.row >= count:
            self._place_top()
            return
        self._shown = layout.screen(self._top, self.size.height)
        if before is None or not _look_alike(before, self._shown):
            self._repaint()

    # ------------------------------------------------------------------ actions

    def scroll_rows(self, by: int) -> None:
        """Move by rows, down if positive."""
        self._scroll_rows(by)

    def scroll_pages(self, by: float) -> None:
        """Move by pages or parts of one, down if positive; two rows of a page stay."""
        rows = max(1, round(self._page * abs(by)))
        self._scroll_rows(rows if by > 0 else -rows)

    @property
    def _page(self) -> int:
        return max(self.size.height - 2, 1) if self.size.height > 4 else max(self.size.height, 1)  # noqa: PLR2004

    def action_scroll_down(self) -> None:
        """One row down."""
        self._scroll_rows(1)

    def action_scroll_up(self) -> None:
        """One row up."""
        self._scroll_rows(-1)

    def action_page_down(self) -> None:
        """A page down; two rows stay."""
        self._scroll_rows(self._page)

    def action_page_up(self) -> None:
        """A page up; two rows stay."""
        self._scroll_rows(-self._page)

    def action_half_page_down(self) -> None:
        """Half a page down."""
        self._scroll_rows(max(self.size.height // 2, 1))

    def action_half_page_up(self) -> None:
        """Half a page up."""
        self._scroll_rows(-max(self.size.height // 2, 1))

    def action_scroll_home(self) -> None:
        """To the top."""
        self.go_to(0)

    def action_scroll_end(self) -> None:
        """To the end."""
        if self._layout:
            self._aim = None
            self._top = self._layout.clamp(self._layout.end, self.size.height)
            self._hold(self.top_offset)
            self._sync_bar()
            self._repaint()
            self.post_message(self.PlaceChanged(self, self._held))

    def action_next_heading(self) -> None:
        """To the next heading."""
        self._go_to_heading(1)

    def action_previous_heading(self) -> None:
        """To the heading above; from within a section, to its own."""
        self._go_to_heading(-1)

    def _go_to_heading(self, by: int) -> None:
        if not self._layout or not len(self._layout.source.cut):
            return
        source = self._layout.source
        here = self.place().offset
        section = source.cut.passage(source.cut.at(min(here, source.size))).section
        start = source.cut.section(section).start
        wanted = section + 1 if by > 0 else section if here > start else section - 1
        if 0 <= wanted < source.cut.section_count:
            self.go_to(source.cut.section(wanted).start)

    def action_toggle_raw(self) -> None:
        """The source with line numbers, and back."""
        self.raw = not self._raw

    def action_toggle_front_matter(self) -> None:
        """Show front matter whole, and fold it again."""
        self._front_matter_open = not self._front_matter_open
        self._settle()

    def action_scroll_right(self) -> None:
        """Wide tables to the right."""
        self._move_sideways(_SIDEWAYS)

    def action_scroll_left(self) -> None:
        """Wide tables to the left."""
        self._move_sideways(-_SIDEWAYS)

    def _move_sideways(self, by: int) -> None:
        widest = max((row.width for _, row in self._screen_rows() if row.fixed >= 0), default=0)
        most = max(widest - self._text_cells, 0)
        sideways = min(max(self._sideways + by, 0), most)
        if sideways != self._sideways:
            self._sideways = sideways
            self.refresh()

    # ------------------------------------------------------------------ painting

    def _style(self, names: str) -> Style:
        found = self._styles_of.get(names)
        if found is None:
            found = self.rich_style
            for name in names.split():
                # Only what its rules say, but with colours that are worked out: `auto`, `60%`, `muted`.
                own = self.get_component_rich_style(COMPONENT_PREFIX + name, partial=True)
                whole = self.get_component_rich_style(COMPONENT_PREFIX + name)
                colours = Style(
                    color=whole.color if own.color else None, bgcolor=whole.bgcolor if own.bgcolor else None
                )
                found += own + colours
            self._styles_of[names] = found
        return found

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        width = self.size.width
        base = self._style("")
        rows = self._screen_rows()
        if y >= len(rows):
            return Strip.blank(width, base)
        row = rows[y][1]
        following = rows[y + 1][1].start if y + 1 < len(rows) else None
        left = self._left
        segments: list[Segment] = []
        if self._is_marked(row, following):
            at = max(left - _GUTTER, 0)
            if at:
                segments.append(Segment(" " * at, base))
            segments.append(Segment(_BAR, self._style("mark")))
            segments.append(Segment(" " * (left - at - 1), base))
        else:
            segments.append(Segment(" " * left, base))
        room = self._text_cells
        segments.extend(self._wide_row(y, row, room) if row.width > room else self._segments(y, row.spans))
        rest = room - row.width
        if row.fill and rest > 0:
            segments.append(Segment(" " * rest, self._style(row.fill)))
        return Strip(segments).adjust_cell_length(width, base)

    def _is_marked(self, row: Row, following: int | None) -> bool:
        if not self._marked:
            return False
        start, end = self._marked
        if row.pad:
            return start < row.start < end
        return row.start < end and (row.start >= start or (following is not None and following > start))

    def _segments(self, y: int, spans: list[Span]) -> list[Segment]:
        segments: list[Segment] = []
        for index, span in enumerate(spans):
            # The last gate: whatever a renderer forgot, nothing but text leaves here.
            text = span.text if span.text.isprintable() else visible(span.text)
            hint = self._hints.get((y, index)) if self._hints else None
            if hint:
                segments.append(Segment(hint, self._style("hint")))
                text = _without_cells(text, cells(hint))
            if text:
                segments.append(Segment(text, self._style(span.style)))
        return segments

    def _wide_row(self, y: int, row: Row, room: int) -> list[Segment]:
        """A row that is wider than the page: the part that is moved into view, with marks at the cuts."""
        if row.fixed < 0:
            return list(Strip(self._segments(y, row.spans)).crop(0, room))
        strip = Strip(self._segments(y, row.spans))
        most = max(row.width - room, 0)
        sideways = min(self._sideways, most)
        more = self._style("more")
        body = strip.crop(row.fixed + sideways, sideways + room)
        parts = [*strip.crop(0, row.fixed), *body]
        joined = Strip(parts).adjust_cell_length(room, self._style(""))
        if sideways < most:
            joined = Strip([*joined.crop(0, room - 1), Segment("›", more)])
        if sideways > 0:
            after = joined.crop(row.fixed + 1, room)
            joined = Strip([*joined.crop(0, row.fixed), Segment("‹", more), *after])
        return list(joined)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """All there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """All there is."""
        return container.height

    def __rich_repr__(self) -> Any:
        """For logs."""
        yield from super().__rich_repr__()
        yield "place", self._held


def _look_alike(before: list[tuple[int, Row]], after: list[tuple[int, Row]]) -> bool:
    """Whether two screens show the same."""
    return len(before) == len(after) and all(
        [(span.text, span.style) for span in one.spans] == [(span.text, span.style) for span in other.spans]
        for (_, one), (_, other) in zip(before, after, strict=True)
    )


def _without_cells(text: str, width: int) -> str:
    """A text without its first cells."""
    used = 0
    for index, character in enumerate(text):
        if used >= width:
            return " " * (used - width) + text[index:]
        used += cells(character)
    return ""
