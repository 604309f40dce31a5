"""The page: the document view as the browser uses it, its keys coming from the list of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.reader.view import DocumentView

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.tui.reader.source import Source

    Lights = Callable[[str], list[tuple[int, int]]]


class Page(DocumentView, inherit_bindings=False):
    """A document view without keys of its own."""

    def open(
        self,
        source: Source,
        offset: int,
        *,
        align: float = 0.0,
        mark: tuple[int, int] = (0, 0),
        lights: Lights | None = None,
    ) -> None:
        """Shows a document at a place, with a passage marked and words lit, laying it out once.

        Args:
            source: the document; if it is the one that is shown, the page only moves.
            offset: in bytes.
            align: where on the page that comes to stand, 0 the top.
            mark: the passage's bytes; an empty span marks nothing.
            lights: finds the spans of a text that are lit; None for none.
        """
        if source is self.source:
            self.light(lights)
            self.go_to(offset, align)
        else:
            self._lights = lights
            self.show(source, offset, align)
        self.mark(*mark)

    @property
    def hinted(self) -> bool:
        """Whether its links carry numbers."""
        return bool(self._hints)

    def move_rows(self, rows: int) -> None:
        """Moves by rows."""
        self._scroll_rows(rows)

    def move_pages(self, pages: float) -> None:
        """Moves by pages or parts of one."""
        rows = max(1, round(self._page * abs(pages)))
        self._scroll_rows(rows if pages > 0 else -rows)

    def go_to_end(self) -> None:
        """Goes to the end."""
        self.action_scroll_end()
