"""A text to read that is not a document: help, a question. It scrolls, and wraps to any width."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from stonebrowse.tui.painting import strip, wrapped
from stonebrowse.tui.reader.safety import cells, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["title", "text", "pair", "blank"]
Entry = tuple[Kind, str, str]
"""A title, a text, or a term with what it means."""

WIDEST_TERM = 22
NARROW = 46


class Sheet(ScrollView, can_focus=True):
    """Some lines of text, and terms with their meanings."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"sheet--title", "sheet--text", "sheet--term"}
    DEFAULT_CSS = """
    Sheet { overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """

    def __init__(self, entries: Sequence[Entry], *, id: str | None = None) -> None:  # noqa: A002 - Textual's
        super().__init__(id=id)
        self._entries = [(kind, visible(first), visible(second)) for kind, first, second in entries]
        self._rows: list[list[tuple[str, str]]] = []

    def rewrite(self, entries: Sequence[Entry]) -> None:
        """Says something else; nothing is drawn where it is the same."""
        new = [(kind, visible(first), visible(second)) for kind, first, second in entries]
        if new != self._entries:
            self._entries = new
            self._lay_out()
            self.refresh()

    def scroll_by(self, rows: float) -> None:
        """Scrolls by rows."""
        self.scroll_to(y=self.scroll_y + rows, animate=False)

    def rows_for(self, width: int) -> list[list[tuple[str, str]]]:
        """The rows at a width: each a list of texts and the names of their styles."""
        rows: list[list[tuple[str, str]]] = []
        terms = [cells(first) for kind, first, _ in self._entries if kind == "pair"]
        term_width = min(WIDEST_TERM, max(terms, default=0)) + 2
        for kind, first, second in self._entries:
            if kind == "blank":
                rows.append([])
            elif kind != "pair":
                rows += [[(row, kind)] for row in wrapped(first, width)]
            elif width < NARROW:
                rows += [[(row, "term")] for row in wrapped(first, width)]
                rows += [[("  " + row, "text")] for row in wrapped(second, max(1, width - 2))]
            else:
                rows += _pair(first, second, width, term_width)
        return rows

    def _lay_out(self) -> None:
        # One column is left to the scroll bar, whether it is there or not.
        width = self.size.width - 1
        if width < 1:
            return
        self._rows = self.rows_for(width)
        self.virtual_size = Size(width, len(self._rows))

    def on_resize(self) -> None:
        """Wraps anew."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """One row."""
        base = self.visual_style.rich_style
        index = y + self.scroll_offset.y
        if index >= len(self._rows):
            return Strip.blank(self.size.width, base)
        style = self.get_component_rich_style
        pieces = [(text, style(f"sheet--{name}", partial=True)) for text, name in self._rows[index]]
        return strip(pieces, self.size.width, base)


def _pair(first: str, second: str, width: int, term_width: int) -> list[list[tuple[str, str]]]:
    terms = wrapped(first, term_width - 2)
    meanings = wrapped(second, width - term_width)
    rows = []
    for index in range(max(len(terms), len(meanings))):
        term = terms[index] if index < len(terms) else ""
        meaning = meanings[index] if index < len(meanings) else ""
        rows.append([(term + " " * (term_width - cells(term)), "term"), (meaning, "text")])
    return rows
