"""Asking the library as a person types, and again as the library changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from stonebrowse.library.searching import Answer
    from stonebrowse.tui.lanes import Lane

FIRST_HITS = 40
MOST_HITS = 600
# Snippets are cut when they are drawn; those of the first screen already in the thread.
SNIPPETS_AHEAD = 14


@dataclass(frozen=True, slots=True)
class Found:
    """An answer, and to what.

    Attributes:
        query: as it was typed.
        answer: what the library said.
        typing: whether the person was still typing it.
        again: whether the same was asked before, so that the cursor stays where it is.
        looking: whether what is not indexed yet is still being looked through.
        stale: whether the library has changed since.
    """

    query: str
    answer: Answer
    typing: bool
    again: bool
    looking: bool
    stale: bool


class Asking:
    """The question that is being asked, and its answers."""

    def __init__(self, library: Library, lane: Lane, told: Callable[[Found], None]) -> None:
        """Made for one lane; `told` gets each answer, on the lane's owner's message queue."""
        self._library = library
        self._lane = lane
        self._told = told
        self._limit = FIRST_HITS
        self._typing = False
        self._scanning = False
        self._complete = True
        self._again = False
        self.query = ""

    def ask(self, query: str, *, typing: bool, keep: bool = False) -> None:
        """Asks something else.

        Args:
            query: the words.
            typing: the last of them may be unfinished.
            keep: the cursor stays on its hit.
        """
        self._typing, self._limit = typing, FIRST_HITS
        self.query = query
        self._search(again=keep)

    def again(self) -> None:
        """Asks the same, since the library changed. What is being read through is read to its end first."""
        if self._scanning:
            self._again = True
        elif self.query.strip():
            # What was found by reading must not go and come back: it is read for at once.
            self._search(again=True, scan=not self._complete)

    def more(self) -> None:
        """Asks the same for more hits."""
        if self._limit < MOST_HITS:
            self._limit = min(MOST_HITS, self._limit * 4)
            self._search(again=True, scan=not self._complete)

    def stop(self) -> None:
        """Asks nothing any more."""
        self.query = ""
        self._lane.drop()

    def _search(self, *, again: bool, scan: bool = False) -> None:
        query, typing, limit = self.query, self._typing, self._limit
        if not query.strip():
            self._lane.drop()
            return

        self._scanning, self._again = scan, False

        def work() -> Answer:
            answer = self._library.search(
                query, limit=limit, typing=typing, scan=scan, stopped=lambda: self._lane.waiting
            )
            for hit in answer.hits[:SNIPPETS_AHEAD]:
                _ = hit.snippet
            return answer

        def done(answer: Answer) -> None:
            if query != self.query:
                return
            self._complete, stale = answer.complete, self._again
            self._scanning = False
            # The index answers at once; what it does not hold yet is read through afterwards.
            looking = not scan and not answer.complete
            if looking:
                self._search(again=True, scan=True)
            self._told(Found(query, answer, typing, again, looking, stale))

        self._lane.ask(work, done)
