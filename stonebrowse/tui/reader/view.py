"""The document view: a widget that shows one document, whatever its length, by painting what is visible.

It follows Textual's line API. The place is held as a byte offset (`window`), `moving` changes it, `painting`
paints its rows. Nothing is animated, and nothing is painted unless something changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.worker import get_current_worker

from stonebrowse.errors import StonebrowseError
from stonebrowse.tui.reader.code import highlight
from stonebrowse.tui.reader.moving import MovingView
from stonebrowse.tui.reader.painting import Painter, is_marked
from stonebrowse.tui.reader.safety import cells
from stonebrowse.tui.reader.styles import COMPONENT_CLASSES, COMPONENT_PREFIX, STYLE_SHEET

if TYPE_CHECKING:
    from textual import events

    from stonebrowse.tui.reader.code import Pieces, Wanted
    from stonebrowse.tui.reader.layout import Layout
    from stonebrowse.tui.reader.model import Span
    from stonebrowse.tui.reader.source import Source
    from stonebrowse.tui.reader.window import Place, VisibleLink
    from stonebrowse.tui.reader.wrapping import Lights


class DocumentView(MovingView, can_focus=True):
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

    class Filled(Message, bubble=False):
        """What was made in a thread is there.

        Attributes:
            layout: the document's rows that missed it.
            colours: highlighted code.
            references: whether all definitions have been found.
        """

        def __init__(self, layout: Layout, colours: dict[Wanted, list[Pieces]], *, references: bool) -> None:
            super().__init__()
            self.layout = layout
            self.colours = colours
            self.references = references

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
        super().__init__(text_width=text_width, name=name, id=id, classes=classes, disabled=disabled)
        self._painter = Painter(self._style)
        self._marked: tuple[int, int] | None = None
        self._lights: Lights | None = None
        self._raw = False
        self._front_matter_open = False
        self._colours: dict[str, Style] = {}
        self._filling = False

    # ------------------------------------------------------------------ what is shown

    def show(self, source: Source, at: int = 0, align: float = 0.0) -> None:
        """Show a document, or a newer version of it; words that are lit stay so, a mark does not.

        Args:
            source: the document; if it is the one that is shown, the view only moves.
            at: byte offset of where to begin.
            align: where on the screen that stands: 0 the top, 1 the bottom.
        """
        if self._window.open(source):
            self._marked = None
        # Before the place is found: rows must not be made once for the defaults and once for this view.
        self._window.width = self._paper.text
        self._configure()
        self._window.aim(at, align)
        self._settle()
        self.post_message(self.PlaceChanged(self, at))

    def clear(self) -> None:
        """Show no document."""
        self._window.open(None)
        self._marked = None
        self.refresh()

    @property
    def source(self) -> Source | None:
        """The document that is shown."""
        return self._window.source

    def mark(self, start: int, end: int) -> None:
        """Mark a passage, by byte offsets, with a bar beside it; an empty one marks nothing."""
        marked = (start, end) if end > start else None
        if marked != self._marked:
            self._marked = marked
            self.refresh()

    def light(self, lights: Lights | None) -> None:
        """Light up words.

        Args:
            lights: finds character spans in a piece of visible text (a paragraph, a line of code, a cell);
                None for none. Called only for text that comes into view.
        """
        if lights != self._lights:
            self._lights = lights
            self._configure()
            self.refresh()

    @property
    def raw(self) -> bool:
        """Whether the source is shown, with line numbers."""
        return self._raw

    @raw.setter
    def raw(self, raw: bool) -> None:
        if raw != self._raw:
            self._raw = raw
            self._settle()

    def _configure(self) -> None:
        self._window.configure(raw=self._raw, lights=self._lights, front_matter_open=self._front_matter_open)

    # ------------------------------------------------------------------ places

    def _report(self, offset: int) -> None:
        self.post_message(self.PlaceChanged(self, offset))

    @property
    def top_offset(self) -> int:
        """Byte offset of the first row on the screen."""
        return self._window.top_offset

    def place(self) -> Place:
        """Where one reads: where one went to last, until one moves from there; then the first row."""
        return self._window.place

    def line_of(self, offset: int) -> int:
        """The one-based line that holds a byte."""
        return self._window.line_of(offset)

    def footnote(self, label: str) -> int | None:
        """Byte offset of where a footnote is defined; None where it is not."""
        layout = self._window.layout
        return layout.references.footnote_offset(label) if layout else None

    def anchor_offset(self, name: str) -> int | None:
        """Byte offset of an anchor in HTML (`id="NAME"`, `<a name=NAME>`) or beside a heading (`{#NAME}`)."""
        layout = self._window.layout
        return layout.references.anchor_offset(name) if layout else None

    # ------------------------------------------------------------------ links

    def links(self) -> list[VisibleLink]:
        """The links on the screen, from the top."""
        return self._window.links()

    def show_hints(self) -> list[VisibleLink]:
        """Number the links on the screen, until `hide_hints` or the next move."""
        self._window.number_links()
        self.refresh()
        return self.links()

    def hide_hints(self) -> None:
        """Take the numbers away."""
        if self._window.hints:
            self._window.hints = {}
            self.refresh()

    @property
    def hinted(self) -> bool:
        """Whether the links carry numbers."""
        return bool(self._window.hints)

    # ------------------------------------------------------------------ events

    def on_click(self, event: events.Click) -> None:
        """A click on a link chooses it; one on front matter opens or folds it."""
        offset = event.get_content_offset(self)
        span = self._span_at(offset.x, offset.y) if offset is not None else None
        if span is None:
            return
        if span.link is not None:
            event.stop()
            self.post_message(self.LinkChosen(self, span.link.target))
        elif span.style == "front-matter":
            event.stop()
            self.action_toggle_front_matter()

    def _span_at(self, x: int, y: int) -> Span | None:
        rows = self._window.rows()
        if not 0 <= y < len(rows):
            return None
        row = rows[y]
        column = self._paper.left
        if row.fixed >= 0 and x - column >= row.fixed:
            x += self._window.sideways
        for span in row.spans:
            width = cells(span.text)
            if column <= x < column + width:
                return span
            column += width
        return None

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        self._colours.clear()
        super().notify_style_update()

    # ------------------------------------------------------------------ what is made after painting

    def _look_ahead(self) -> None:
        """After painting: colours of code, and definitions far away, in a thread, if any are missed."""
        layout = self._window.layout
        if layout is None or self._filling:
            return
        wanted = layout.highlighter.take_wanted()
        if wanted or (layout.references.missed and not layout.references.complete):
            self._filling = True
            self.run_worker(lambda: self._fill_in(layout, wanted), thread=True, group="reader")

    def _fill_in(self, layout: Layout, wanted: set[Wanted]) -> None:
        """In a thread: make what was missed."""
        worker = get_current_worker()
        colours: dict[Wanted, list[Pieces]] = {}
        references = False
        try:
            colours = highlight(wanted)
            if layout.references.missed:
                while layout is self._window.layout and not worker.is_cancelled:
                    if not layout.references.search_step():
                        references = True
                        break
        except StonebrowseError:
            pass  # the place that cannot be read says so where it is shown
        self.post_message(self.Filled(layout, colours, references=references))

    def on_document_view_filled(self, message: Filled) -> None:
        """Paint again those rows that came out otherwise."""
        message.stop()
        self._filling = False
        layout = message.layout
        changed = layout.highlighter.keep(message.colours)
        if layout is not self._window.layout:
            self._look_ahead()
        elif changed or message.references:
            if message.references:
                layout.references.missed = False
            rows = self._window.refill(references=message.references)
            if rows:
                self._sync_bar()
                self.refresh(*(Region(0, y, self.size.width, 1) for y in rows))

    # ------------------------------------------------------------------ actions

    def action_toggle_raw(self) -> None:
        """The source with line numbers, and back."""
        self.raw = not self._raw

    def action_toggle_front_matter(self) -> None:
        """Show front matter whole, and fold it again."""
        self._front_matter_open = not self._front_matter_open
        self._settle()

    # ------------------------------------------------------------------ painting

    def _style(self, names: str) -> Style:
        """The colours of a style: only what its rules say, but worked out (`auto`, `60%`)."""
        found = self._colours.get(names)
        if found is None:
            found = self.rich_style
            for name in names.split():
                own = self.get_component_rich_style(COMPONENT_PREFIX + name, partial=True)
                whole = self.get_component_rich_style(COMPONENT_PREFIX + name)
                found += own + Style(
                    color=whole.color if own.color else None, bgcolor=whole.bgcolor if own.bgcolor else None
                )
            self._colours[names] = found
        return found

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        window = self._window
        rows = window.rows()
        if not y:
            self.call_after_refresh(self._look_ahead)
        if y >= len(rows):
            return Strip.blank(self.size.width, self._style(""))
        following = rows[y + 1] if y + 1 < len(rows) else None
        hints = {index: hint for (row, index), hint in window.hints.items() if row == y}
        return self._painter.paint(
            rows[y],
            self._paper,
            marked=is_marked(rows[y], following, self._marked),
            sideways=window.sideways,
            hints=hints,
        )
