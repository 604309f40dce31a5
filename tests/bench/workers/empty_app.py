"""`empty_app`: the least that a Textual app can be; it paints one word, and quits with `q`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.widgets import Static

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

PAINTED = "painted"


class Empty(App[None]):
    """One word."""

    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """The word."""
        yield Static(PAINTED)


if __name__ == "__main__":
    Empty().run()
