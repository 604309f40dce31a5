"""Documents and their rows, for the tests of the reader: whole, in chunks, and on a screen."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from textual.app import App

from stonebrowse.text.passages import Passage, Section, cut
from stonebrowse.tui.reader.layout import Layout
from stonebrowse.tui.reader.source import MemorySource
from stonebrowse.tui.reader.stretches import Stretches
from stonebrowse.tui.reader.view import DocumentView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult

    from stonebrowse.tui.reader.model import Row


class Pieces:
    """A cut at any offsets, its sections where it is told."""

    def __init__(self, size: int, starts: Iterable[int], sections: Iterable[int] = ()) -> None:
        self._size = size
        self._sections = sorted({0, *sections})
        self._starts = sorted({0, *starts, *self._sections})

    def __len__(self) -> int:
        return len(self._starts)

    def passage(self, ordinal: int) -> Passage:
        start = self._starts[ordinal]
        end = self._starts[ordinal + 1] if ordinal + 1 < len(self._starts) else self._size
        section = bisect_right(self._sections, start) - 1
        part = ordinal - self._starts.index(self._sections[section]) + 1
        return Passage(start, end, 1, part, section)

    def at(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def section(self, index: int) -> Section:
        return Section(1, "", 1, self._sections[index], self._size, -1)

    @property
    def section_count(self) -> int:
        return len(self._sections)


def source(text: str | bytes) -> MemorySource:
    """A document, cut as the library cuts it."""
    data = text.encode() if isinstance(text, str) else text
    return MemorySource(data, cut(data))


def rows_of(document: MemorySource, width: int = 60, *, limit: int | None = None) -> list[Row]:
    """All rows, chunk by chunk; with a limit, long sections and blocks are those over it."""
    layout = Layout(document)
    if limit is not None:
        layout.stretches = Stretches(document, small=limit, giant=limit * 4)
        layout.references._stretches = layout.stretches
    layout.configure(width=width, raw=False, lights=None)
    return [row for ordinal in range(len(document.cut)) for row in layout.rows(ordinal)]


def whole(text: str | bytes, width: int = 60) -> list[Row]:
    """All rows of a document that is parsed as one."""
    data = text.encode() if isinstance(text, str) else text
    return rows_of(MemorySource(data, Pieces(len(data), [0])), width, limit=len(data) + 1)


def seen(rows: Iterable[Row]) -> list[tuple[str, str, int]]:
    """What can be seen of rows, and where they stand."""
    return [
        ("".join(span.text for span in row.spans), " ".join(span.style for span in row.spans), row.start)
        for row in rows
    ]


def screen(text: str | bytes, width: int = 60) -> str:
    """All rows of a document as text, blanks at their ends left out."""
    return "\n".join(
        "".join(span.text for span in row.spans).rstrip() for row in rows_of(source(text), width)
    )


class Reader(App[None]):
    """A view alone on the screen."""

    def __init__(self, document: MemorySource | None = None, at: int = 0, align: float = 0.0) -> None:
        super().__init__()
        self._document = document
        self._at = (at, align)
        self.places: list[int] = []
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield DocumentView()

    def on_mount(self) -> None:
        self.view.focus()
        if self._document:
            self.view.show(self._document, *self._at)

    @property
    def view(self) -> DocumentView:
        return self.query_one(DocumentView)

    def text(self) -> list[str]:
        """What stands on the screen, row by row, blanks at the ends left out."""
        view = self.view
        return [view.render_line(y).text.rstrip() for y in range(view.size.height)]

    def on_document_view_place_changed(self, event: DocumentView.PlaceChanged) -> None:
        self.places.append(event.offset)

    def on_document_view_link_chosen(self, event: DocumentView.LinkChosen) -> None:
        self.chosen.append(event.target)
