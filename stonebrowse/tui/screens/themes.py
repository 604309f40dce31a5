"""Choosing a theme, seen on everything while one chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from stonebrowse.tui.painting import PLAIN, clipped
from stonebrowse.tui.reader.safety import cells, visible
from stonebrowse.tui.rows import Rows
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from stonebrowse.tui.painting import Piece

KEYS = "  Enter keeps, Esc leaves"
# A held key moves on before the whole screen is drawn in each colour that it passes.
PREVIEW_SECONDS = 0.03
MOST_FAULTS = 3


@dataclass(frozen=True, slots=True)
class Offer:
    """One theme that can be chosen.

    Attributes:
        name: as the settings have it.
        about: what it is like, in a few words; a person may have written it.
        sort: `dark`, `light`, or whose it is.
    """

    name: str
    about: str
    sort: str


class Offers(Rows):
    """The themes: name and sort on one line, what it is like below."""

    ROW_HEIGHT = 2

    def __init__(self, offers: Sequence[Offer], *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.offers = list(offers)

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.offers)

    def draw(self, index: int, line: int, width: int) -> list[Piece]:
        """See `Rows.draw`."""
        offer = self.offers[index]
        if line:
            return clipped([("  " + visible(offer.about), self.style("dim"))], width - 1)
        name = clipped([(visible(offer.name), PLAIN)], max(1, width - cells(offer.sort) - 3))
        gap = max(1, width - sum(cells(text) for text, _ in name) - cells(offer.sort) - 1)
        return [*name, (" " * gap + offer.sort, self.style("dim"))]


class ThemesScreen(ModalScreen[str | None]):
    """Stands at the left over the main screen; gives the name of the theme that is kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "give_up", show=False),
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("space,pagedown", "page(1)", show=False),
        Binding("b,pageup", "page(-1)", show=False),
        Binding("g,home", "end(False)", show=False),
        Binding("G,end", "end(True)", show=False),
        Binding("enter", "keep", show=False),
    ]

    def __init__(
        self, offers: Sequence[Offer], now: str, faults: Sequence[str], preview: Callable[[str], None]
    ) -> None:
        """Made of the themes.

        Args:
            offers: what can be chosen.
            now: the name that the settings have.
            faults: what was wrong in theme files.
            preview: shows everything in a theme.
        """
        super().__init__()
        self._offers = offers
        self._now = now
        self._faults = faults
        self._preview = preview
        self._waits = False

    def compose(self) -> ComposeResult:
        """A title, the themes, and what was wrong in their files."""
        with Vertical(id="themes-pane"):
            yield PaneTitle(id="themes-title")
            yield Offers(self._offers, id="themes")
            for fault in self._faults[:MOST_FAULTS]:
                yield Static(visible(fault), markup=False, classes="themes-fault")

    def on_mount(self) -> None:
        """Begins at the theme that is set."""
        self.query_one(PaneTitle).say([(" Themes", "strong"), (KEYS, "dim")])
        names = [offer.name for offer in self._offers]
        self._list.focus()
        if self._now in names:
            self._list.place_cursor(names.index(self._now))

    @property
    def _list(self) -> Offers:
        return self.query_one(Offers)

    @property
    def _chosen(self) -> str:
        return self._offers[self._list.cursor].name

    def _moved(self) -> None:
        if not self._waits:
            self._waits = True
            self.set_timer(PREVIEW_SECONDS, self._show)

    def _show(self) -> None:
        self._waits = False
        self._preview(self._chosen)

    def action_give_up(self) -> None:
        """Closes it; nothing is kept."""
        self.dismiss(None)

    def action_keep(self) -> None:
        """Keeps the theme under the cursor."""
        self.dismiss(self._chosen)

    def action_move(self, rows: int) -> None:
        """Moves the cursor."""
        self._list.move(rows)
        self._moved()

    def action_page(self, pages: float) -> None:
        """Moves the cursor by pages."""
        self._list.page(pages)
        self._moved()

    def action_end(self, last: bool) -> None:
        """Goes to the first or the last."""
        self._list.to_end(last=last)
        self._moved()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """A click moved the cursor."""
        event.stop()
        self._moved()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A second click keeps."""
        event.stop()
        self.action_keep()
