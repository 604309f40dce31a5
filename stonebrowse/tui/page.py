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
        self.light(lights)
        if source is self.source:
            self.go_to(offset, align)
        else:
            self.show(source, offset, align)
        self.mark(*mark)

    @property
    def at_end(self) -> bool:
        """Whether the end of the document is on the screen, and its beginning is not."""
        return 0 < self.max_scroll_y <= self.scroll_y
