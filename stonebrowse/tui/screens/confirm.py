"""A question before something that may take long."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.screen import ModalScreen

from stonebrowse.tui.sheet import Entry, Sheet
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType


class ConfirmScreen(ModalScreen[bool]):
    """Asks; `y` and Enter say yes, `n`, `q` and Escape say no."""

    CSS_PATH = "../browser.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", show=False),
        Binding("n,q,escape,ctrl+c", "answer(False)", show=False),
    ]

    def __init__(self, question: str, lines: Sequence[str], *, yes: str, no: str) -> None:
        """Made of the question, what there is to know, and what both answers do."""
        super().__init__()
        said: list[Entry] = [("title", question, ""), ("blank", "", "")]
        said += [("text", line, "") for line in lines]
        self._entries: list[Entry] = [
            *said,
            ("blank", "", ""),
            ("pair", "y, Enter", yes),
            ("pair", "n, Esc", no),
        ]

    def compose(self) -> ComposeResult:
        """The question."""
        yield PaneTitle(id="confirm-title")
        yield Sheet(self._entries, id="confirm")

    def on_mount(self) -> None:
        """Gives it the keys."""
        self.query_one(PaneTitle).say([(" stonebrowse", "strong")])
        self.query_one(Sheet).focus()

    def action_answer(self, answer: bool) -> None:
        """Closes it with the answer."""
        self.dismiss(answer)
