"""Asking a model: the conversation, the answer as it comes, and its citations, each to be opened."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.binding import Binding
from textual.screen import ModalScreen

from stonebrowse.errors import StonebrowseError
from stonebrowse.tui.painting import PLAIN, clipped
from stonebrowse.tui.reader.safety import visible
from stonebrowse.tui.rows import Rows
from stonebrowse.tui.search_line import Line
from stonebrowse.tui.sheet import Sheet
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from stonebrowse.library.asking import Asking, Cited, Conversation
    from stonebrowse.tui.painting import Piece
    from stonebrowse.tui.sheet import Entry

KEYS = "Enter asks, Tab citations, Esc closes "
RUNNING = "Esc stops "
CITED = "Enter opens, w engraves the answer, Tab back, Esc closes "
STANDING = {
    "handed_over": "handed over",
    "in_library": "in the library, not handed over",
    "unknown": "unknown",
}
NO_COMMAND = (
    "No model command is set. stonebrowse hands the passages that fit a question to a command of yours, such as"
    ' llm, on its standard input. Set it in the settings: [ask] command = ["llm"]'
)
COPIES = "Until then Enter copies the prompt, ready to be pasted into any model."

Done = tuple[Literal["open", "copy", "engrave"], str] | None
"""What is to be done: open a citation, copy a prompt, engrave the last answer at a path."""


class Citations(Rows):
    """The citations of the last answer."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.cited: Sequence[Cited] = ()

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.cited)

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return ["No citations"]

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        each = self.cited[index]
        standing = STANDING[each.standing]
        return clipped([(f"{visible(each.citation)}  ", PLAIN), (standing, self.style("dim"))], width - 1)


class AskScreen(ModalScreen[Done]):
    """Stands over the main screen; gives what is to be done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("tab,shift+tab", "swap", show=False, priority=True),
        Binding("pageup", "turn(-1)", show=False, priority=True),
        Binding("pagedown", "turn(1)", show=False, priority=True),
    ]

    def __init__(self, conversation: Conversation) -> None:
        super().__init__()
        self._conversation = conversation
        self._asking: Asking | None = None
        self._said: list[str] = []
        self._question = ""
        self._fault = ""
        self._left = Event()

    def compose(self) -> ComposeResult:
        """A title, the conversation, its last citations, and the line."""
        yield PaneTitle(id="ask-title")
        yield Sheet([], id="ask")
        yield Citations(id="ask-citations")
        yield Line(placeholder="Ask the library", id="ask-line")
        yield Line(placeholder="A new note in the library, such as notes/answer.md", id="ask-path")

    def on_mount(self) -> None:
        """Shows what was asked before."""
        self._path.display = False
        self._show()
        self._line.focus()

    @property
    def _line(self) -> Line:
        return self.query_one("#ask-line", Line)

    @property
    def _path(self) -> Line:
        return self.query_one("#ask-path", Line)

    @property
    def _citations(self) -> Citations:
        return self.query_one(Citations)

    # -- what is shown -----------------------------------------------------------------------------------

    def _show(self) -> None:
        entries: list[Entry] = []
        if not self._conversation.settings.command:
            entries += [("title", "Ask", ""), ("text", NO_COMMAND, ""), ("text", COPIES, "")]
        for turn in self._conversation.turns:
            entries += _spoken(turn.prompt.question, turn.answer)
            if turn.stopped:
                entries.append(("text", "(stopped)", ""))
        if self._asking is not None:
            entries += _spoken(self._question, "".join(self._said) or "…")
        if self._fault:
            entries += [("blank", "", ""), ("text", self._fault, "")]
        sheet = self.query_one(Sheet)
        sheet.rewrite(entries)
        sheet.scroll_end(animate=False, immediate=True)
        turns = self._conversation.turns
        cited = turns[-1].citations if turns and self._asking is None else ()
        self._citations.cited = cited
        self._citations.display = bool(cited)
        self._citations.changed()
        keys = RUNNING if self._asking else CITED if self._citations.has_focus else KEYS
        self.query_one(PaneTitle).say([(" Ask", "strong")], [(keys, "dim")])

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Says the keys of what has the focus."""
        event.stop()
        self._show()

    # -- asking ------------------------------------------------------------------------------------------

    def on_input_submitted(self, event: Line.Submitted) -> None:
        """A question was asked, or a path was named."""
        event.stop()
        value = event.value.strip()
        if not value:
            return
        if event.input is self._path:
            self.dismiss(("engrave", value))
        elif self._asking is None:
            self._ask(value)

    def _ask(self, question: str) -> None:
        self._fault, self._question, self._said = "", question, []

        def prepare() -> None:
            try:
                if not self._conversation.settings.command:
                    prompt = self._conversation.prompt(question)
                    self.app.call_from_thread(self.dismiss, ("copy", prompt.text))
                    return
                asking = self._conversation.ask(question)
                self.app.call_from_thread(self._begin, asking)
                for piece in asking:
                    if self._left.is_set():
                        asking.stop()
                    else:
                        self.app.call_from_thread(self._hear, piece)
            except StonebrowseError as error:
                self._fault = error.message
            if not self._left.is_set():
                self.app.call_from_thread(self._end)

        self.run_worker(prepare, thread=True, exclusive=True)

    def _begin(self, asking: Asking) -> None:
        self._asking = asking
        self._line.value = ""
        self._show()

    def _hear(self, piece: str) -> None:
        self._said.append(piece)
        self._show()

    def _end(self) -> None:
        self._asking = None
        self._show()

    # -- keys --------------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Stops the answer, closes the line for a path, or the screen."""
        if self._asking is not None:
            self._asking.stop()
        elif self._path.display:
            self._path.display = False
            self._citations.focus()
        else:
            self.dismiss(None)

    def on_unmount(self) -> None:
        """A model is never left running."""
        self._left.set()
        if self._asking is not None:
            self._asking.stop()

    def action_swap(self) -> None:
        """Goes to the citations, or back to the line."""
        if self._citations.display and not self._citations.has_focus:
            self._citations.focus()
        elif not self._path.display:
            self._line.focus()

    def action_turn(self, pages: int) -> None:
        """Scrolls the conversation."""
        sheet = self.query_one(Sheet)
        sheet.scroll_by(pages * max(1, sheet.size.height - 1))

    def on_key(self, event: events.Key) -> None:
        """The keys of the citations."""
        if not self._citations.has_focus:
            return
        if event.key in {"j", "down", "k", "up"}:
            self._citations.move(1 if event.key in {"j", "down"} else -1)
        elif event.key == "enter":
            self._open()
        elif event.key == "w":
            self._path.display = True
            self._path.focus()
        else:
            return
        event.stop()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A second click opens."""
        event.stop()
        self._open()

    def _open(self) -> None:
        cited = self._citations.cited
        if cited:
            each = cited[self._citations.cursor]
            self.dismiss(("open", each.passage_id or each.citation))


def _spoken(question: str, answer: str) -> list[Entry]:
    lines: list[Entry] = [
        ("text", line, "") if line.strip() else ("blank", "", "") for line in answer.split("\n")
    ]
    return [("blank", "", ""), ("title", question, ""), *lines]
