"""Citations to confirm: does the cited text still support what an entity says since it was edited?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.binding import Binding
from textual.containers import Container
from textual.screen import ModalScreen

from stonebrowse.library.things import Opened
from stonebrowse.tui.lanes import Lane
from stonebrowse.tui.sheet import Sheet
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from stonebrowse.errors import StonebrowseError
    from stonebrowse.library.library import Library
    from stonebrowse.store.graph import Question, Revision
    from stonebrowse.tui.sheet import Entry

# Where there is no room for all, the last ones are shown.
KEYS = ("Esc closes, ", "Enter opens, ", "n N others, ", "y keeps, d drops ")
NONE: tuple[Entry, ...] = (
    ("title", "There is nothing to confirm", ""),
    ("blank", "", ""),
    ("text", "When an entity is edited, each citation that it keeps is asked about here.", ""),
)
MOST_SHOWN = 4096


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with what there is to know for an answer.

    Attributes:
        question: the question.
        opened: the citation; None where it cannot be read.
        name: of the entity; of a relationship the names of both ends.
        text: the cited text; empty of a whole version.
    """

    question: Question
    opened: Opened | None
    name: str
    text: str


def asked(library: Library) -> list[Asked]:
    """The open questions of a library, oldest first, with the cited texts."""
    listed = []
    for question, opened in library.graph.questions():
        after = question.after
        name, text = after.name, ""
        if after.source is not None and after.target is not None:
            ends = [library.graph.read(end, limit=0).revision.name for end in (after.source, after.target)]
            name = " → ".join(ends)
        if opened is not None and opened.fields["start"] is not None:
            start, end = opened.fields["start"], opened.fields["end"]
            document = library.document(library.store.version(opened.fields["version_id"]))
            text = document.read(start, min(end, start + MOST_SHOWN)).decode("utf-8", "replace")
        listed.append(Asked(question, opened, name, text))
    return listed


class QuestionsScreen(ModalScreen[Opened | None]):
    """Stands over the main screen; gives the citation that is to be opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("n,right,l", "step(1)", show=False),
        Binding("N,left,h", "step(-1)", show=False),
        Binding("y", "answer('keep')", show=False),
        Binding("d", "answer('drop')", show=False),
        Binding("enter", "open", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("tab", "app.focus_next", show=False),
        Binding("shift+tab", "app.focus_previous", show=False),
    ]

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._asked: list[Asked] = []
        self._at = 0
        self._trouble = ""

    def compose(self) -> ComposeResult:
        """A title, the cited text, and both wordings side by side."""
        yield PaneTitle(id="questions-title")
        yield Sheet((), id="question")
        with Container(id="wordings"):
            yield Sheet((), id="before")
            yield Sheet((), id="after")

    def on_mount(self) -> None:
        """Asks for the questions."""
        self._lane = Lane(self, "questions", self._failed)
        self._sheet("question").focus()
        self._load()

    def _sheet(self, name: str) -> Sheet:
        return self.query_one(f"#{name}", Sheet)

    @property
    def here(self) -> Asked | None:
        """The question that is shown."""
        return self._asked[self._at] if self._at < len(self._asked) else None

    def _failed(self, error: StonebrowseError) -> None:
        """Says why, with the questions as they are now: another may have answered."""
        self._trouble = error.message
        self._load()

    def _load(self) -> None:
        self._lane.ask(lambda: asked(self._library), self._came)

    def _came(self, listed: list[Asked]) -> None:
        self._asked = listed
        self._at = max(0, min(self._at, len(listed) - 1))
        self._show()

    def _show(self) -> None:
        here = self.here
        count = f" {self._at + 1} of {len(self._asked)}" if here else ""
        self.query_one(PaneTitle).say([(f" To confirm{count}", "strong")], [(key, "dim") for key in KEYS])
        self.query_one("#wordings").display = here is not None
        trouble: list[Entry] = [("text", self._trouble, ""), ("blank", "", "")] if self._trouble else []
        self._trouble = ""
        if here is None:
            self._sheet("question").rewrite([*trouble, *NONE])
            return
        self._sheet("question").rewrite([*trouble, *_cited(here)])
        self._sheet("before").rewrite(_wording("Before", here.question.before))
        self._sheet("after").rewrite(_wording("Now", here.question.after))
        for name in ("question", "before", "after"):
            self._sheet(name).scroll_to(y=0, animate=False)

    # -- keys --------------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Closes it; what was not answered stays asked."""
        self.dismiss(None)

    def action_step(self, by: int) -> None:
        """Goes to another question."""
        if self._asked:
            self._at = (self._at + by) % len(self._asked)
            self._show()

    def action_scroll(self, rows: int) -> None:
        """Scrolls what has the keys."""
        if isinstance(self.focused, Sheet):
            self.focused.scroll_by(rows)

    def action_answer(self, answer: Literal["keep", "drop"]) -> None:
        """Answers the question that is shown; not twice while an answer is being written."""
        here = self.here
        if here is None or self._lane.busy:
            return
        self._lane.ask(self._answering(here.question.question_id, answer), self._came)

    def _answering(self, question: str, answer: Literal["keep", "drop"]) -> Callable[[], list[Asked]]:
        def work() -> list[Asked]:
            self._library.graph.answer(question, answer)
            return asked(self._library)

        return work

    def action_open(self) -> None:
        """Opens the cited text in its version."""
        if self.here is not None and self.here.opened is not None:
            self.dismiss(self.here.opened)


def _cited(here: Asked) -> list[Entry]:
    said: list[Entry] = [("title", f"Does this still support {here.name}?", ""), ("blank", "", "")]
    opened = here.opened
    if opened is None:
        return [*said, ("text", "The citation is withheld: its version cannot be read", "")]
    said.append(("pair", opened.citation, opened.standing))
    if opened.fields["note"]:
        said.append(("pair", "Note", opened.fields["note"]))
    said.append(("blank", "", ""))
    text = here.text or "The whole version is cited"
    return [*said, *(("text", line, "") for line in text.split("\n"))]


def _wording(title: str, revision: Revision) -> list[Entry]:
    said: list[Entry] = [("title", f"{title}: revision {revision.number}", "")]
    if revision.name:
        said.append(("pair", "name", revision.name))
    said.append(("pair", "kind", revision.kind or "none"))
    for key, value in revision.properties.items():
        first, *others = value.split("\n")
        said.append(("pair", key, first))
        said += [("pair", "", line) for line in others]
    return said
