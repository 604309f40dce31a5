"""The go-to prompt and palette: a citation, a path, a line, or any action."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.screen import ModalScreen

from stonebrowse.tui.choices import Choice, Choices, choices
from stonebrowse.tui.search_line import Line
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from stonebrowse.tui.actions import Action
    from stonebrowse.tui.rows import Rows


class PaletteScreen(ModalScreen[Choice | None]):
    """Stands over the main screen until something is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+p", "give_up", show=False),
        Binding("down,ctrl+n", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
    ]

    def __init__(self, actions: Sequence[Action], paths: Sequence[str], themes: Sequence[str]) -> None:
        super().__init__()
        self._actions = actions
        self._paths = paths
        self._themes = themes

    def compose(self) -> ComposeResult:
        """A title, the line, and what it offers."""
        yield PaneTitle(id="palette-title")
        yield Line(placeholder="A citation, a path, a line number, or what to do", id="palette-line")
        yield Choices(id="choices")

    def on_mount(self) -> None:
        """Offers every action."""
        self.query_one(PaneTitle).say([(" Go to", "strong")], [("Enter chooses, Esc closes ", "dim")])
        self._offer("")
        self.query_one(Line).focus()

    def on_input_changed(self, event: Line.Changed) -> None:
        """Offers what fits."""
        event.stop()
        self._offer(event.value)

    def on_input_submitted(self, event: Line.Submitted) -> None:
        """Chooses what is under the cursor."""
        event.stop()
        self.dismiss(self.query_one(Choices).choice)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Chooses by a click."""
        event.stop()
        self.dismiss(self.query_one(Choices).choice)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """A click moved the cursor: the line keeps the keys."""
        event.stop()
        self.query_one(Line).focus()

    def action_give_up(self) -> None:
        """Closes it with nothing chosen."""
        self.dismiss(None)

    def action_move(self, rows: int) -> None:
        """Moves the cursor."""
        self.query_one(Choices).move(rows)

    def action_page(self, pages: float) -> None:
        """Moves the cursor by pages."""
        self.query_one(Choices).page(pages)

    def _offer(self, text: str) -> None:
        self.query_one(Choices).show(choices(text, self._actions, self._paths, self._themes))
