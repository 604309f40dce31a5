"""What is kept of the documents: the screens for entities, for what cites a file, for citations to confirm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.knowledge_rows import Known
from stonebrowse.tui.screens.entities import EntitiesScreen
from stonebrowse.tui.screens.questions import QuestionsScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    from stonebrowse.library.library import Library
    from stonebrowse.library.reading import Document
    from stonebrowse.library.things import Opened, Thing
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.opening import Opening
    from stonebrowse.tui.status import Notice


class Knowing:
    """The actions that show entities."""

    def __init__(
        self, app: App[int], library: Library, lane: Lane, *, desk: Desk, opening: Opening, notice: Notice
    ) -> None:
        """Made of what is cited, and of what shows it."""
        self._app = app
        self._library = library
        self._lane = lane
        self._desk = desk
        self._opening = opening
        self._notice = notice

    def acts(self) -> dict[str, Callable[[int], None]]:
        """What each action does; none takes a number."""
        return {
            "entities": lambda _: self._entities(),
            "who_cites": lambda _: self._who_cites(),
            "confirm": lambda _: self._confirm(),
        }

    def _entities(self) -> None:
        self._app.push_screen(EntitiesScreen(self._library.graph), self._open)

    def _confirm(self) -> None:
        self._app.push_screen(QuestionsScreen(self._library), self._open)

    def _who_cites(self) -> None:
        document = self._opening.document
        if document is None:
            self._notice.tell("No page is open that something could cite", warning=True)
            return
        file = document.file

        def shown(citing: list[Known]) -> None:
            self._app.push_screen(
                EntitiesScreen(self._library.graph, citing=citing, of=file.path), self._open
            )

        offset = min(self._desk.furniture.page.place().offset, document.size)
        self._lane.ask(lambda: self._citing(document, offset), shown)

    def _citing(self, document: Document, offset: int) -> list[Known]:
        """In a thread: what cites a File; first what cites the section at a place, entities before others."""
        found = self._library.graph.explore(file_id=document.file.file_id)
        passage = document.passage_at(offset)
        here = None if passage is None else (list(passage.trail), passage.label)

        def elsewhere(thing: Thing) -> bool:
            return all((each.fields["trail"], each.fields["label"]) != here for each in thing.citations)

        things = sorted((*found.entities, *found.relationships), key=elsewhere)
        return [self._known(thing) for thing in things]

    def _known(self, thing: Thing) -> Known:
        said = thing.revision
        name = said.name
        if said.source is not None and said.target is not None:
            graph = self._library.graph
            ends = [graph.read(end, limit=0).revision.name for end in (said.source, said.target)]
            name = " → ".join(ends)
        return Known(said.thing_id, name, said.kind, thing)

    def _open(self, opened: Opened | None) -> None:
        """Opens a citation at the version that it names."""
        if opened is not None:
            self._opening.open_cited(opened.fields["version_id"], opened.fields["start"])
            self._desk.go("document")
