"""What is painted first, while the rest of the browser is still being loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.screen import Screen

from stonebrowse.tui.status import OneLine

if TYPE_CHECKING:
    from textual.app import ComposeResult


class WaitingScreen(Screen[None]):
    """Names the folder, and keeps what is typed for the main screen.

    Attributes:
        typed: the keys, in their order.
    """

    CSS = """
    WaitingScreen {
        background: $sb-background;
        & > OneLine { background: $sb-surface; }
        .line--strong { color: $sb-accent; text-style: bold; }
        .line--dim { color: $sb-muted; }
    }
    """

    def __init__(self, folder: str) -> None:
        super().__init__()
        self._folder = folder
        self.typed: list[events.Key] = []

    def compose(self) -> ComposeResult:
        """The search line without its field, and the title of the list."""
        yield OneLine(id="waiting-top")
        yield OneLine(id="waiting-title")

    def on_mount(self) -> None:
        """Names the folder."""
        self.query_one("#waiting-top", OneLine).say(
            [(" Search", "strong"), (f"   Search {self._folder}", "dim")]
        )
        self.query_one("#waiting-title", OneLine).say([(f" {self._folder}", "strong")])

    def on_key(self, event: events.Key) -> None:
        """Keeps a key."""
        event.stop()
        self.typed.append(events.Key(event.key, event.character))
