"""Finding in the page: its line, its matches, and going from one to the next."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.reading import Document
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.opening import Opening

ALIGN = 1 / 3
MOST_MATCHES = 100_000


class Matches(NamedTuple):
    """Where some words stand in one version.

    Attributes:
        version_id: the version.
        words: what was looked for.
        places: the byte offsets, ascending; no more than can be wanted.
    """

    version_id: str
    words: str
    places: list[int]


class PageFinding:
    """What the line "in this page" does.

    The words are found as they stand, in any case unless one of them is a capital; a blank stands for any blanks,
    a line's end included. They are looked for in the source, so that nothing that is there is missed.
    """

    def __init__(
        self, desk: Desk, opening: Opening, lane: Lane, place: Callable[[], None], say: Callable[[str], None]
    ) -> None:
        """Made of what it works on.

        `place` says anew where the person is; `say` shows how many there are, an empty text takes that away.
        """
        self._desk = desk
        self._opening = opening
        self._lane = lane
        self._place = place
        self._say = say
        self._page = desk.furniture.page
        self._matches: Matches | None = None
        self._origin = 0
        self._at = -1
        self.words = ""

    @property
    def active(self) -> bool:
        """Whether words are looked for in the page."""
        return bool(self.words)

    def begin(self) -> None:
        """Goes to the line, with the old words selected."""
        if self._opening.document is not None:
            self._origin = self._page.place().offset
            self._desk.find_in_page()

    def typed(self, words: str) -> None:
        """Another text stands in the line: goes to the first match from where the person was."""
        if words.strip() == "":
            self._forget()
        elif words != self.words:
            self.words = words
            self._look(self._origin)

    def submitted(self) -> None:
        """Enter: the keys go to the page."""
        self._desk.go("document")

    def close(self) -> None:
        """Takes the lights and the count away; the page stays where it is."""
        self._forget()
        self._desk.leave_page_finding()

    def page_shown(self) -> None:
        """Another version is on the page: the same words are looked for in it."""
        document = self._opening.document
        if self.words and document is not None:
            if self._matches is None or document.version.version_id != self._matches.version_id:
                self._look(None)
            else:
                self._page.light(self._lights())

    def step(self, by: int) -> None:
        """Goes to a match below or above the one that was gone to last, around the end where there is none."""
        if self._matches is None or not self._matches.places:
            return
        here, places = self._page.place().offset, self._matches.places
        if self._at < 0 or here != places[self._at]:
            below = bisect_left(places, here + 1)
            at = below - 1 + by if by > 0 else bisect_left(places, here) + by
        else:
            at = self._at + by
        self._go(at % len(places))

    # -- inside ------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        self.words, self._matches, self._at = "", None, -1
        self._lane.drop()
        self._page.light(None)
        self._say("")
        self._place()

    def _look(self, origin: int | None) -> None:
        document, words = self._opening.document, self.words
        if document is None:
            return

        def done(found: Matches) -> None:
            if found.words != self.words:
                return
            self._matches, self._at = found, -1
            self._page.light(self._lights())
            if origin is None or not found.places:
                self._count()
                return
            at = bisect_left(found.places, origin)
            self._go(at % len(found.places))

        self._lane.ask(lambda: find(document, words), done)

    def _go(self, at: int) -> None:
        assert self._matches is not None
        self._at = at
        self._page.go_to(self._matches.places[at], align=ALIGN)
        self._count()
        self._place()

    def _count(self) -> None:
        assert self._matches is not None
        total = len(self._matches.places)
        if not total:
            self._say("not in this page")
        else:
            more = "+" if total >= MOST_MATCHES else ""
            self._say(
                f"{self._at + 1:,} of {total:,}{more}" if self._at >= 0 else f"{total:,}{more} in this page"
            )

    def _lights(self) -> Callable[[str], list[tuple[int, int]]]:
        found = pattern(self.words)
        return lambda text: [match.span() for match in found.finditer(text)]


def pattern(words: str) -> re.Pattern[str]:
    """What words match: themselves, blanks for any blanks; in any case unless they hold a capital."""
    case = re.IGNORECASE if words == words.lower() else re.NOFLAG
    return re.compile(r"\s+".join(map(re.escape, words.split())) or r"(?!)", case)


def find(document: Document, words: str) -> Matches:
    """Finds words in the source of a version. Reads all of it: to be called in a thread."""
    text = document.read(0, document.size).decode("utf-8", "replace")
    places: list[int] = []
    offset = at = 0
    for match in pattern(words).finditer(text):
        offset += len(text[at : match.start()].encode())
        at = match.start()
        places.append(offset)
        if len(places) == MOST_MATCHES:
            break
    return Matches(document.version.version_id, words, places)
