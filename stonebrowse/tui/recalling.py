"""Earlier queries: kept as they are finished, and brought back into the search line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.search_line import LONGEST, NOT_TYPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.finding import Finding
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.status import Notice

MOST = 200


class Recalling:
    """The history of queries, as a shell has it: what stands in the line is come back to at its end."""

    def __init__(
        self, library: Library, lane: Lane, desk: Desk, finding: Finding, notice: Notice, *, kept: bool
    ) -> None:
        """Made of what it works on; `kept` says whether queries outlast the browser.

        The lane must be its own: what waits in it holds all that is not kept yet.
        """
        self._store = library.store.desk
        self._lane = lane
        self._desk = desk
        self._finding = finding
        self._notice = notice
        self._kept = kept
        self._queries: list[str] | None = None
        self._unsaved: list[str] = []
        self._finished: list[str] = []
        self._at = -1
        self._draft = ""
        finding.finished = self.keep

    def acts(self) -> dict[str, Callable[[int], None]]:
        """What each action does, given the number that was typed before it."""
        return {
            "earlier_query": lambda count: self._recall(max(1, count)),
            "later_query": lambda count: self._recall(-max(1, count)),
        }

    def keep(self, query: str) -> None:
        """Keeps a query that a person has finished; the same one again only becomes the last."""
        query = query.strip()
        if not query:
            return
        self._at = -1
        self._finished = [query, *(each for each in self._finished if each != query)][:MOST]
        if self._queries is not None:
            self._queries = [query, *(each for each in self._queries if each != query)][:MOST]
        if self._kept:
            self._unsaved.append(query)
            self._lane.ask(self._save, lambda _: None)

    def _save(self) -> None:
        while self._unsaved:
            self._store.asked(self._unsaved.pop(0))

    def _recall(self, by: int) -> None:
        if self._desk.finding_in_page:
            return
        if not self._desk.typing:
            self._desk.search()
        if self._queries is not None:
            self._show(by)
            return

        def read() -> list[str]:
            self._save()
            return self._store.queries()

        def done(stored: list[str]) -> None:
            if self._queries is None:
                mine = self._finished
                self._queries = [*mine, *(query for query in stored if query not in mine)][:MOST]
            self._show(by)

        self._lane.ask(read, done)

    def _show(self, by: int) -> None:
        queries, line = self._queries or [], self._desk.furniture.search
        at = self._at
        shown = queries[at] if 0 <= at < len(queries) else None
        if shown is None or line.value != _typed(shown):
            # Something else was typed since: it is what one comes back to.
            at, self._draft = -1, line.value
            if by > 0 and queries and line.value.strip() == _typed(queries[0]):
                at = 0
        if not queries and by > 0:
            self._notice.tell("There is no earlier query")
            return
        wanted = max(-1, min(at + by, len(queries) - 1))
        if wanted == at:
            return
        self._at = wanted
        query = self._draft if wanted < 0 else queries[wanted]
        self._finding.put(_typed(query))


def _typed(query: str) -> str:
    """A query as the line holds it."""
    return NOT_TYPED.sub(" ", query)[:LONGEST]
