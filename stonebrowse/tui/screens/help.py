"""The help screen: every action with its keys, and how to search."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.screen import ModalScreen

from stonebrowse.tui.actions import grouped
from stonebrowse.tui.sheet import Entry, Sheet
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from stonebrowse.tui.actions import Action

SEARCHING: tuple[tuple[str, str], ...] = (
    ("two words", "both, anywhere in a section, its headings, path, title or tags"),
    ('"a phrase"', "these words in this order"),
    ("begin*", "words that begin so; while you type, the last word is one"),
    ("-word", "not with this word"),
    ("one OR other", "either"),
    ("heading:word", "in a heading"),
    ("path:word", "in the path"),
    ("tag:word", "in the tags of the front matter"),
)


def entries(actions: Iterable[Action]) -> list[Entry]:
    """What the help screen says."""
    said: list[Entry] = [("title", "How to search", "")]
    said += [("pair", term, meaning) for term, meaning in SEARCHING]
    for group, members in grouped(actions):
        said += [("blank", "", ""), ("title", group, "")]
        said += [("pair", action.shown_keys or "(no key)", action.description) for action in members]
        if group == "Move":
            said.append(("pair", "a number", "before a key: so many times; before G: the line"))
        if group == "Browser":
            said.append(
                ("pair", "Ctrl+C, Ctrl+Z", "Quit from anywhere; leave for the shell, `fg` comes back")
            )
    return said


class HelpScreen(ModalScreen[None]):
    """Stands over the main screen until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter", "dismiss_help", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("d", "page(0.5)", show=False),
        Binding("u", "page(-0.5)", show=False),
        Binding("space,pagedown", "page(1)", show=False),
        Binding("b,pageup", "page(-1)", show=False),
        Binding("g,home", "page(-1000)", show=False),
        Binding("G,end", "page(1000)", show=False),
    ]

    def __init__(self, actions: Iterable[Action]) -> None:
        super().__init__()
        self._entries = entries(actions)

    def compose(self) -> ComposeResult:
        """A title and the sheet."""
        yield PaneTitle(id="help-title")
        yield Sheet(self._entries, id="help")

    def on_mount(self) -> None:
        """Gives the sheet the keys."""
        self.query_one(PaneTitle).say([(" Help", "strong")], [("Esc closes ", "dim")])
        self.query_one(Sheet).focus()

    def action_scroll(self, rows: int) -> None:
        """Scrolls by rows."""
        self.query_one(Sheet).scroll_by(rows)

    def action_page(self, pages: float) -> None:
        """Scrolls by pages."""
        sheet = self.query_one(Sheet)
        sheet.scroll_by(pages * sheet.size.height)

    def action_dismiss_help(self) -> None:
        """Closes it."""
        self.dismiss()
