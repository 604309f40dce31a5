"""The search line and its hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.offers import offers
from stonebrowse.tui.searching import Asking, Found

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.opening import Opening
    from stonebrowse.tui.status import OneLine, Word

AGAIN_SECONDS = 0.25
GLANCE_SECONDS = 0.1
# Reading through what is not indexed yet costs more than asking the index.
SCAN_AGAIN_SECONDS = 2.0


class Finding:
    """What the search line, the hits and their count do.

    Attributes:
        asking: the question.
        finished: called with each query that a person is done typing.
    """

    def __init__(
        self,
        library: Library,
        lane: Lane,
        desk: Desk,
        opening: Opening,
        count: OneLine,
        later: Callable[[float, Callable[[], None]], object],
        place: Callable[[], None],
    ) -> None:
        """Made of what it works on.

        `later` calls something after so many seconds, `place` says anew where the person is.
        """
        self._library = library
        self._desk = desk
        self._opening = opening
        self._count = count
        self._later = later
        self._place = place
        self._again_waits = False
        self._found: Found | None = None
        self._resumed: str | None = None
        self.files = 0
        self.finished: Callable[[str], None] = lambda _query: None
        self.asking = Asking(library, lane, self._answered)

    @property
    def found(self) -> Found | None:
        """The last answer; None while nothing is asked."""
        return self._found

    # -- typing ------------------------------------------------------------------------------------------

    def typed(self, query: str) -> None:
        """Another text stands in the search line."""
        if not query.strip():
            self.asking.stop()
            self._found = None
            self._say()
            if self._desk.left == "hits":
                self._desk.show_left("files", go=False)
        elif query != self.asking.query:
            self.asking.ask(query, typing=True)

    def submitted(self, query: str) -> None:
        """Enter in the search line: the last word is finished, and the keys go to the hits."""
        if query.strip():
            self.finished(query)
            hits, same = self._desk.furniture.hits, self._found is not None and self._found.query == query
            self.asking.ask(query, typing=False, keep=same and hits.moved)
            self._desk.show_left("hits")
        else:
            self._desk.go("list")

    def put(self, query: str) -> None:
        """Puts a whole query into the search line, and asks it."""
        line = self._desk.furniture.search
        if query.strip() and query != self.asking.query:
            # Before the line says that it changed: nothing of it is unfinished.
            self.asking.ask(query, typing=False)
        line.value = query
        line.cursor_position = len(query)

    def take(self, query: str) -> None:
        """Asks what was offered instead; the keys stay in the list."""
        self.finished(query)
        self.put(query)

    def again(self) -> None:
        """The library changed: asks the same again, but not too often."""
        if self._found is None or self._again_waits:
            return
        self._again_waits = True
        self._later(AGAIN_SECONDS if self._found.answer.complete else SCAN_AGAIN_SECONDS, self._ask_again)

    def _ask_again(self) -> None:
        self._again_waits = False
        self.asking.again()

    def resume(self, query: str) -> None:
        """Asks what was asked at another time: the hits come, and nothing else on the screen moves."""
        self._resumed = query
        self.asking.ask(query, typing=False)

    # -- answers -----------------------------------------------------------------------------------------

    def _answered(self, found: Found) -> None:
        hits = self._desk.furniture.hits
        self._found = found
        offered = [] if found.looking else offers(found.query, found.answer)
        hits.offer_instead(self._nothing(found, offered=bool(offered)), offered)
        hits.show(found.answer.hits, found.answer.total, keep=found.again)
        if found.query == self._resumed:
            self._say()
            if found.stale:
                self.again()
            return
        self._resumed = None
        if self._desk.left == "files" and not found.again:
            self._desk.show_left("hits", go=False)
        self._say()
        if not self._desk.shows_page:
            self._place()
        if found.stale:
            self.again()
        if not found.again and self._desk.shows_page:
            if found.typing:
                # Not before a person has stopped typing: the page would make the next letter wait.
                query = found.query
                self._later(GLANCE_SECONDS, lambda: self.glance() if self.asking.query == query else None)
            else:
                self.glance()

    def glance(self) -> None:
        """Shows the hit under the cursor on the page."""
        self.name_hits()
        hit = self._desk.furniture.hits.hit
        if hit is not None and self._desk.left == "hits":
            self._opening.glance(hit)

    def step(self, by: int) -> None:
        """Goes to the hit after or before this one; the page shows it, the keys stay where they are."""
        hits = self._desk.furniture.hits
        if not hits.count():
            return
        before = hits.cursor
        hits.place_cursor(before + by)
        if hits.cursor != before and hits.hit is not None:
            if self._desk.left != "hits":
                self._desk.show_left("hits", go=False)
            self._opening.glance(hits.hit)
            self.name_hits()

    # -- saying ------------------------------------------------------------------------------------------

    def _nothing(self, found: Found, *, offered: bool) -> list[str]:
        """What is said where there is no hit."""
        answer = found.answer
        if answer.hits:
            return []
        if found.looking:
            return ["Looking through what is not indexed yet …"]
        said = [
            f"Nothing found for {found.query.strip()}",
            f"in {self.files:,} files of {self._library.folder.name}",
        ]
        if not answer.complete:
            said.append("(indexing goes on; this is kept up to date)")
        # The last note says what the offers show.
        said += [*answer.notes[:-1], "No passage holds all of these words."] if answer.alone else answer.notes
        if offered:
            said += ["", "Nearest (↓ ↑ and Enter choose):"]
        return said

    def _say(self) -> None:
        found = self._found
        if found is None:
            self._count.say(())
            self._count.styles.width = 0
            return
        answer = found.answer
        total = f"{answer.total:,}" + ("" if answer.complete or found.looking else "+")
        words: list[Word] = [(f" {total} {'hit' if answer.total == 1 else 'hits'} ", "accent")]
        if not answer.complete:
            words.append(("indexing … ", "warning"))
        self._count.say(words)
        self._count.styles.width = sum(len(text) for text, _ in words)
        self.name_hits()

    def name_hits(self) -> None:
        """Says above the hits which one the cursor is on, and how the words were taken."""
        if self._found is None:
            return
        hits, answer = self._desk.furniture.hits, self._found.answer
        title: list[Word] = [(" Hits", "strong")]
        if answer.hits:
            title.append((f"  {hits.cursor + 1:,} of {answer.total:,}", "dim"))
        if answer.notes:
            title.append((f"  {answer.notes[0]}", "warning"))
        self._desk.title("hits", title)
