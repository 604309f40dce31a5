"""The tray: the citations that were collected, to be put in order, copied at once, or written to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from textual.binding import Binding
from textual.screen import ModalScreen

from stonebrowse.tui.painting import PLAIN, clipped
from stonebrowse.tui.reader.safety import visible
from stonebrowse.tui.rows import Rows
from stonebrowse.tui.search_line import Line
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from stonebrowse.store import TrayItem
    from stonebrowse.tui.painting import Piece

KEYS = "Enter opens, J K reorder, d removes, y copies all, w writes a file, e engraves, Esc closes "
FILE = "A new file, below the folder you started in"
NOTE = "A new note in the library, such as notes/found.md"


class Items(Rows):
    """The citations, in their order."""

    def __init__(self, items: Sequence[TrayItem], *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.items = list(items)

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.items)

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return ["The tray is empty", "a puts the citation of the passage you read into it"]

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        return clipped([(visible(self.items[index].citation), PLAIN)], width - 1)


Done = tuple[Literal["open", "copy", "write", "engrave"], str] | None
"""What is to be done: open a citation, copy a text, write the tray to a path, or engrave it as a note there."""


class TrayScreen(ModalScreen[tuple[list["TrayItem"], Done]]):
    """Stands over the main screen; gives the tray as it is then, and what is to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("J,shift+down", "carry(1)", show=False),
        Binding("K,shift+up", "carry(-1)", show=False),
        Binding("d,delete", "remove", show=False),
        Binding("y", "copy", show=False),
        Binding("w", "write", show=False),
        Binding("e", "engrave", show=False),
        Binding("enter", "open", show=False),
    ]

    def __init__(self, items: Sequence[TrayItem]) -> None:
        super().__init__()
        self._given = items
        self._wanted: Literal["write", "engrave"] = "write"

    def compose(self) -> ComposeResult:
        """A title, the citations, and the line for a path."""
        yield PaneTitle(id="tray-title")
        yield Items(self._given, id="tray")
        yield Line(id="tray-line")

    def on_mount(self) -> None:
        """Shows the citations."""
        self.query_one(PaneTitle).say([(" Tray", "strong")], [(KEYS, "dim")])
        self.query_one(Line).display = False
        self._items.focus()

    @property
    def _items(self) -> Items:
        return self.query_one(Items)

    def _end(self, done: Done) -> None:
        self.dismiss((self._items.items, done))

    def action_leave(self) -> None:
        """Closes the line for a path, else the tray."""
        line = self.query_one(Line)
        if line.display:
            line.display = False
            self._items.focus()
        else:
            self._end(None)

    def action_move(self, rows: int) -> None:
        """Moves the cursor."""
        self._items.move(rows)

    def action_carry(self, rows: int) -> None:
        """Moves the citation under the cursor."""
        items, at = self._items.items, self._items.cursor
        to = max(0, min(at + rows, len(items) - 1))
        if items and to != at:
            items.insert(to, items.pop(at))
            self._items.changed()
            self._items.place_cursor(to)

    def action_remove(self) -> None:
        """Takes the citation under the cursor out."""
        if self._items.items:
            del self._items.items[self._items.cursor]
            self._items.changed()

    def action_copy(self) -> None:
        """Copies all of them, one a line."""
        if self._items.items:
            self._end(("copy", "".join(f"{item.citation}\n" for item in self._items.items)))

    def action_write(self) -> None:
        """Asks for the file."""
        self._ask_for("write", FILE)

    def action_engrave(self) -> None:
        """Asks for the note."""
        self._ask_for("engrave", NOTE)

    def _ask_for(self, wanted: Literal["write", "engrave"], placeholder: str) -> None:
        if self._items.items:
            self._wanted = wanted
            line = self.query_one(Line)
            line.placeholder = placeholder
            line.display = True
            line.focus()

    def action_open(self) -> None:
        """Opens the citation under the cursor."""
        if self._items.items:
            self._end(("open", self._items.items[self._items.cursor].citation))

    def on_input_submitted(self, event: Line.Submitted) -> None:
        """The file is named."""
        event.stop()
        if event.value.strip():
            self._end((self._wanted, event.value.strip()))

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A second click opens."""
        event.stop()
        self.action_open()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """A click moved the cursor."""
        event.stop()
