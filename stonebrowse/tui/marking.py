"""Marks: places that have a letter, kept in the store, so that they outlast a restart and an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.errors import NotFound
from stonebrowse.store import Mark
from stonebrowse.tui.screens.marks import MarksScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    from stonebrowse.library.library import Library
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.opening import Opening
    from stonebrowse.tui.status import Notice


class Marking:
    """The actions that set marks and go to them."""

    def __init__(
        self, app: App[int], library: Library, lane: Lane, *, desk: Desk, opening: Opening, notice: Notice
    ) -> None:
        """Made of what has places, and of what shows them."""
        self._app = app
        self._library = library
        self._lane = lane
        self._desk = desk
        self._opening = opening
        self._notice = notice

    def acts(self) -> dict[str, Callable[[int], None]]:
        """What each action does; none takes a number."""
        return {"mark": lambda _: self._ask(self._set), "go_to_mark": lambda _: self._ask(self._go)}

    def _ask(self, then: Callable[[str], None]) -> None:
        setting = then == self._set
        if setting and self._opening.document is None:
            self._notice.tell("No page is open that could be marked", warning=True)
            return

        def done(name: str | None) -> None:
            if name is not None:
                then(name)

        title = "Mark this place" if setting else "Go to a mark"

        def shown(marks: list[tuple[str, str]]) -> None:
            self._app.push_screen(MarksScreen(title, marks), done)

        self._lane.ask(self._listed, shown)

    def _listed(self) -> list[tuple[str, str]]:
        """Each mark and the citation of its place, in the version in which it was set."""
        listed = []
        for name, mark in sorted(self._library.store.desk.marks().items()):
            try:
                version = self._library.store.version(mark.version_id)
                document = self._library.document(version)
                passage = document.passage_at(min(mark.offset, document.size))
            except NotFound:
                continue  # its bytes were pruned
            listed.append((name, document.file.path if passage is None else passage.citation))
        return listed

    def _set(self, name: str) -> None:
        document = self._opening.document
        if document is None:
            return
        mark = Mark(document.version.version_id, self._desk.furniture.page.place().offset)
        self._lane.ask(
            lambda: self._library.store.desk.set_mark(name, mark),
            lambda _: self._notice.tell(f"Marked as {name}"),
        )

    def _go(self, name: str) -> None:
        def found(mark: Mark | None) -> None:
            if mark is None:
                self._notice.tell(f"There is no mark {name}", warning=True)
            else:
                self._opening.open_place(mark.version_id, mark.offset)
                self._desk.go("document")

        self._lane.ask(lambda: self._library.store.desk.marks().get(name), found)
