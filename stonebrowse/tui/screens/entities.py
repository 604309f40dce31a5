"""Entities: a list that is searched as one types, and the one under the cursor to be read beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Container
from textual.screen import ModalScreen

from stonebrowse.library.things import Opened
from stonebrowse.store.graph_writing import MOST_CITATIONS
from stonebrowse.tui.knowledge_rows import Known, Knowns, Reading, Said, lines_of
from stonebrowse.tui.lanes import Lane
from stonebrowse.tui.rows import Rows  # noqa: TC001 - Textual reads the handlers' annotations
from stonebrowse.tui.search_line import Line
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from stonebrowse.errors import StonebrowseError
    from stonebrowse.library.graph import Knowledge

PAGE = 200
NEAR_THE_END = 50
NARROW = 80
# Where there is no room for all, the last ones are shown.
LISTING = ("Esc closes, ", "Tab reads it ")
READING = ("Tab back, ", "m more, ", "v history, ", "n N citations, ", "Enter opens ")
FIRST = (
    "There are no entities yet",
    "An entity is something you want to remember, with the citations it stands on.",
    "Make the first one in a shell:",
    "stonebrowse graph workspace create",
    "then stage-entity, capture, commit.",
    "stonebrowse guide entities tells how; x copies the token that capture takes.",
)
NOT_CITED = (
    "Nothing cites this file yet",
    "x copies the token of a passage; stonebrowse graph workspace capture puts it on an entity.",
    "stonebrowse guide entities tells how.",
)


class EntitiesScreen(ModalScreen[Opened | None]):
    """Stands over the main screen; gives the citation that is to be opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("tab,shift+tab", "other", show=False, priority=True),
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("j", "move(1)", show=False),
        Binding("k", "move(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup,b", "page(-1)", show=False),
        Binding("n", "citation(1)", show=False),
        Binding("N", "citation(-1)", show=False),
        Binding("v", "history", show=False),
        Binding("m", "more", show=False),
        Binding("enter", "open", show=False),
    ]

    def __init__(self, graph: Knowledge, *, citing: Sequence[Known] | None = None, of: str = "") -> None:
        """Made for a graph.

        Args:
            graph: of the library.
            citing: only these are listed, and of each only the citations it comes with.
            of: the path of the file that those cite.
        """
        super().__init__()
        self._graph = graph
        self._citing = citing
        self._of = of
        self._words = ""
        self._all_read = citing is not None
        self._past = False
        self._shown: str | None = None

    def compose(self) -> ComposeResult:
        """A title, the line for words, the list, and what is read."""
        yield PaneTitle(id="entities-title")
        yield Line(placeholder="Words of a name, a kind or a property", id="entities-line")
        with Container(id="entities-panes"):
            yield Knowns(FIRST if self._citing is None else NOT_CITED, id="entities")
            yield Reading(id="entity")

    def on_mount(self) -> None:
        """Lists them all."""
        self._listing, self._reading = (
            Lane(self, "entities", self._failed),
            Lane(self, "entity", self._failed),
        )
        self.query_one(Line).focus()
        self._say(LISTING)
        self._list("")

    def on_resize(self, event: events.Resize) -> None:
        """What is read stands beside the list, or below it."""
        self.set_class(event.size.width < NARROW, "-narrow")

    @property
    def _list_rows(self) -> Knowns:
        return self.query_one(Knowns)

    @property
    def _text(self) -> Reading:
        return self.query_one(Reading)

    @property
    def _reads(self) -> bool:
        return self.focused is self._text

    def _say(self, keys: Sequence[str]) -> None:
        title = f" What cites {self._of}" if self._citing is not None else " Entities"
        self.query_one(PaneTitle).say([(title, "strong")], [(key, "dim") for key in keys])

    def _failed(self, error: StonebrowseError) -> None:
        self._text.show([Said(error.message, "note")])

    # -- the list ----------------------------------------------------------------------------------------

    def on_input_changed(self, event: Line.Changed) -> None:
        """Lists what has the words."""
        event.stop()
        self._list(event.value)

    def _list(self, words: str) -> None:
        self._words = words
        if self._citing is not None:
            self._listed(words, [known for known in self._citing if known.has(words)])
            return
        self._listing.ask(self._part(words, 0), lambda found: self._listed(words, found))

    def _part(self, words: str, offset: int) -> Callable[[], list[Known]]:
        def work() -> list[Known]:
            found = self._graph.entities(words, limit=PAGE, offset=offset)
            return [Known(each.thing_id, each.name, each.kind) for each in found]

        return work

    def _listed(self, words: str, found: list[Known]) -> None:
        if words == self._words:
            self._all_read = self._citing is not None or len(found) < PAGE
            self._list_rows.show(found, words=words)
            self._read()

    def _near_the_end(self) -> None:
        rows, words = self._list_rows, self._words
        count = rows.count()
        if self._all_read or self._listing.busy or rows.cursor < count - NEAR_THE_END:
            return

        def came(found: list[Known]) -> None:
            if words == self._words and rows.count() == count:
                self._all_read = len(found) < PAGE
                rows.add(found)

        self._listing.ask(self._part(words, count), came)

    # -- reading -----------------------------------------------------------------------------------------

    def _read(self, *, past: bool = False, everything: bool = False) -> None:
        known = self._list_rows.chosen
        self._past, self._shown = past, None if known is None else known.thing_id
        if known is None:
            self._text.show([])
        elif known.thing is not None and not past:
            self._text.show(lines_of(known.thing, known.name))
        else:
            self._reading.ask(lambda: self._lines(known, past, everything), self._came(known.thing_id, past))

    def _lines(self, known: Known, past: bool, everything: bool) -> list[Said]:
        """In a thread: what is read of a thing."""
        if not past:
            limit = {"limit": MOST_CITATIONS} if everything else {}
            thing = self._graph.read(known.thing_id, **limit)
            return lines_of(thing, thing.revision.name or known.name)
        said: list[Said] = []
        for thing in self._graph.history(known.thing_id):
            said += [*lines_of(thing, thing.revision.name or known.name), Said("")]
        return said

    def _came(self, thing_id: str, past: bool) -> Callable[[list[Said]], None]:
        def came(said: list[Said]) -> None:
            if (self._shown, self._past) == (thing_id, past):
                self._text.show(said)
                if self._reads and not past:
                    self._text.to_first_citation()

        return came

    # -- keys --------------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Leaves the history, then what is read, then the screen."""
        if self._past:
            self._read()
        elif self._reads:
            self.action_other()
        else:
            self.dismiss(None)

    def action_other(self) -> None:
        """Goes from the line to what is read, and back."""
        if self._reads:
            self.query_one(Line).focus()
            self._say(LISTING)
        elif self._list_rows.count():
            self._text.focus()
            self._text.to_first_citation()
            self._say(READING)

    def action_move(self, rows: int) -> None:
        """Moves the cursor of what has the keys; what is read follows the list."""
        if self._reads:
            self._text.move(rows)
        elif self._list_rows.move(rows):
            self._moved()

    def action_page(self, pages: float) -> None:
        """Moves it by pages."""
        if self._reads:
            self._text.page(pages)
        elif self._list_rows.page(pages):
            self._moved()

    def _moved(self) -> None:
        self._read()
        self._near_the_end()

    def action_citation(self, by: int) -> None:
        """Goes to the next citation, or to the one before."""
        self._text.to_citation(by)

    def action_history(self) -> None:
        """Shows every revision, newest first, or the current one again."""
        self._read(past=not self._past)

    def action_more(self) -> None:
        """Shows all citations."""
        self._read(everything=True)

    def action_open(self) -> None:
        """Opens the citation under the cursor."""
        if self._reads and self._text.cited is not None:
            self.dismiss(self._text.cited)

    def on_input_submitted(self, event: Line.Submitted) -> None:
        """Enter in the line goes to what is read."""
        event.stop()
        self.action_other()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """A click moved a cursor."""
        event.stop()
        if event.rows is self._list_rows:
            self.query_one(Line).focus()
            self._moved()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A second click reads an entity, or opens a citation."""
        event.stop()
        if event.rows is self._text:
            self._text.focus()
            self.action_open()
        elif not self._reads:
            self.action_other()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The list itself has no keys of its own."""
        if event.widget is self._list_rows:
            self.query_one(Line).focus()
        self._say(READING if event.widget is self._text else LISTING)
