"""The file tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.folders import Folders
from stonebrowse.tui.painting import PLAIN, tail
from stonebrowse.tui.reader.safety import cells, clip, visible
from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from stonebrowse.store import File
    from stonebrowse.tui.folders import Row
    from stonebrowse.tui.painting import Piece

INDENT = 2
DEEPEST_INDENT = 12


class Files(Rows):
    """The files of the library, folders folded until opened.

    Attributes:
        said: what is shown where there is no file.
        fresh: paths that changed since the browser was started.
        here: the path of the page that is open.
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.folders = Folders()
        self.said: list[str] = []
        self.fresh: set[str] = set()
        self.here = ""

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        rows = self.folders.rows
        return rows[self.cursor] if self.cursor < len(rows) else None

    @property
    def file(self) -> File | None:
        """The File under the cursor."""
        return self.row.file if self.row is not None else None

    def show(self, folders: Folders) -> None:
        """Shows another state of the library; the cursor stays on its path, and where it stands."""
        path = self.row.path if self.row is not None else ""
        below = self.cursor - int(self.scroll_y)
        self.folders = folders
        self.changed()
        row = folders.row_of(path)
        if row is not None and row != self.cursor:
            self.cursor = row
            self.scroll_to(y=max(0, row - below), animate=False, force=True)

    def show_here(self, path: str) -> None:
        """Marks the page that is open, and goes to it unless a person is moving in the tree."""
        self.here = path
        if self.screen.focused is not self or self.file is None:
            before = len(self.folders.rows)
            row = self.folders.reveal(path)
            if len(self.folders.rows) != before:
                self.changed()
            if row is not None:
                self.place_cursor(row)
        self.refresh()

    def unfold(self) -> bool:
        """Opens the folder under the cursor, or goes to its first row; says whether the cursor moved."""
        row = self.row
        if row is None or row.file is not None:
            return False
        if row.opened:
            return self.move(1)
        self._toggle(row.path, opened=True)
        return False

    def fold(self) -> bool:
        """Closes the folder under the cursor, or goes to the one around it; says whether the cursor moved."""
        row = self.row
        if row is not None and row.opened:
            self._toggle(row.path, opened=False)
        elif row is not None and (parent := self.folders.parent_row(self.cursor)) is not None:
            return self.move(parent - self.cursor)
        return False

    def choose(self) -> bool:
        """A file is to be opened; a folder is folded or unfolded."""
        row = self.row
        if row is not None and row.file is None:
            self._toggle(row.path)
            return False
        return super().choose()

    def _toggle(self, path: str, *, opened: bool | None = None) -> None:
        self.folders.toggle(path, opened=opened)
        self.changed()
        self._show_cursor(None)

    # -- drawing -----------------------------------------------------------------------------------------

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.folders.rows)

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return self.said

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        row = self.folders.rows[index]
        name = visible(row.name)
        indent = " " * min(row.depth * INDENT, DEEPEST_INDENT, max(0, width - 8))
        if row.file is None:
            sign = "▾ " if row.opened else "▸ "
            number = f" {row.count:,}"
            room = width - len(indent) - 2 - len(number)
            if room < cells(name) and room < 8:
                number, room = "", width - len(indent) - 2
            return [
                (indent + sign, self.style("dim")),
                (tail(name, room), PLAIN),
                (number, self.style("dim")),
            ]
        here = row.path == self.here
        mark = " •" if row.path in self.fresh else ""
        name = clip(name, width - len(indent) - 2 - len(mark))
        pieces: list[Piece] = [(f"{indent}  ", PLAIN), (name, self.style("strong") if here else PLAIN)]
        return [*pieces, (mark, self.style("note"))]
