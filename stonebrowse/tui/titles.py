"""The line above the panes: what each of them shows. One widget for all, so that little has to be painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.strip import Strip
from textual.widget import Widget

from stonebrowse.tui.painting import clipped, strip
from stonebrowse.tui.reader.safety import cells, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style

    from stonebrowse.tui.arranging import Arrangement, Pane
    from stonebrowse.tui.painting import Piece
    from stonebrowse.tui.status import Word


class Titles(Widget):
    """Titles of the panes that are shown, each above its own."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "titles--list",
        "titles--document",
        "titles--strong",
        "titles--active",
        "titles--dim",
        "titles--warning",
    }
    DEFAULT_CSS = """
    Titles { height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._words: dict[Pane, tuple[Word, ...]] = {}
        self._arranged: Arrangement | None = None
        self._at: Pane = "list"

    def say(self, pane: Pane, words: Sequence[Word]) -> None:
        """Names a pane otherwise; nothing is drawn where it is the same. Texts are made visible here."""
        new = tuple((visible(text), style) for text, style in words)
        if new != self._words.get(pane):
            self._words[pane] = new
            self.refresh()

    def stand(self, arranged: Arrangement, at: Pane) -> None:
        """Says which panes are shown, and in which the person is."""
        if (arranged, at) != (self._arranged, self._at):
            self._arranged, self._at = arranged, at
            self.refresh()

    def _widths(self, width: int) -> list[tuple[Pane, int]]:
        """The panes that are shown, from the left, each with its cells."""
        arranged = self._arranged
        if arranged is None:
            return []
        left = width if arranged.list_width < 0 else arranged.list_width
        right = width if arranged.outline_width < 0 else arranged.outline_width
        sides: list[tuple[Pane, int]] = [
            ("list", left),
            ("document", width - left - right),
            ("outline", right),
        ]
        return [(pane, room) for pane, room in sides if room > 0 and arranged.shows(pane)]

    def render_line(self, y: int) -> Strip:
        """The line."""
        width = self.size.width
        base = self.visual_style.rich_style
        if y or width < 1:
            return Strip.blank(max(0, width), base)
        strips = [self._title(pane, room) for pane, room in self._widths(width)]
        return Strip.join(strips).adjust_cell_length(width, base)

    def _title(self, pane: Pane, width: int) -> Strip:
        fill = self._style("document" if pane == "document" else "list")
        pieces: list[Piece] = [
            (text, self._style("active" if name == "strong" and pane == self._at else name))
            for text, name in self._words.get(pane, ())
        ]
        shown = clipped(pieces, width)
        gap = width - sum(cells(text) for text, _ in shown)
        return strip([*shown, (" " * max(0, gap), fill)], width, fill)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"titles--{name}", partial=True)
