"""Marks: one key names the place to be marked, or the mark to go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import ModalScreen

from stonebrowse.tui.sheet import Sheet
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from stonebrowse.tui.sheet import Entry


class MarksScreen(ModalScreen[str | None]):
    """Stands over the main screen until a letter or a digit is pressed."""

    def __init__(self, title: str, marks: Sequence[tuple[str, str]]) -> None:
        """Made for a question.

        Args:
            title: what the key is for.
            marks: the marks that there are: name, and the citation of the place.
        """
        super().__init__()
        self._title = title
        self._marks = marks

    def compose(self) -> ComposeResult:
        """A title, and the marks that there are."""
        entries: list[Entry] = [("pair", name, citation) for name, citation in self._marks]
        yield PaneTitle(id="marks-title")
        yield Sheet(entries or [("text", "There are no marks yet: m and a letter sets one", "")], id="marks")

    def on_mount(self) -> None:
        """Says what the key is for."""
        self.query_one(PaneTitle).say(
            [(f" {self._title}", "strong")], [("a letter or a digit, Esc closes ", "dim")]
        )
        self.query_one(Sheet).focus()

    def on_key(self, event: events.Key) -> None:
        """Takes the letter."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.character and event.character.isalnum():
            event.stop()
            self.dismiss(event.character)
