"""What is said about the page: status line, outline, window title."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from stonebrowse.library.status import Status
from stonebrowse.tui.reader.safety import clip, visible
from stonebrowse.tui.status import Standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document
    from stonebrowse.store import File
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.opening import Opening
    from stonebrowse.tui.status import StatusLine, Word

PHASES = {"looking": "looking", "recording": "recording", "indexing": "indexing"}
CHANGED_SECONDS = 10.0
LONGEST_TROUBLE = 34


class Telling:
    """Keeps the lines around the page true.

    Attributes:
        status: what the keeper does.
        trouble: what is wrong with the folder or the library; empty for nothing.
        count: the number that is being typed before a key.
        found: which match in the page is shown, of how many; empty where none was asked for.
    """

    def __init__(
        self,
        desk: Desk,
        opening: Opening,
        line: StatusLine,
        name_window: Callable[[str], None],
        later: Callable[[float, Callable[[], None]], object],
    ) -> None:
        """Made of what it tells about, and where; `later` calls something after so many seconds."""
        self._desk = desk
        self._opening = opening
        self._line = line
        self._name_window = name_window
        self._later = later
        self._outlined: str = ""
        self._changed_at = -CHANGED_SECONDS
        self._gone = False
        self.status = Status()
        self.trouble = ""
        self.count = ""
        self.found = ""

    def changed(self) -> None:
        """The page's File has just changed on disk."""
        self._changed_at = time.monotonic()
        self._later(CHANGED_SECONDS, self.place)

    def gone(self, gone: bool) -> None:
        """Whether the page's File is in the library no more."""
        if gone != self._gone:
            self._gone = gone
            self.place()

    def page(self) -> None:
        """Another version, or another place of the File, is on the page."""
        document = self._opening.document
        if document is None:
            return
        if document.version.version_id != self._outlined:
            self._outlined = document.version.version_id
            self._desk.furniture.outline.show(document.cut)
        self._desk.furniture.titles.say("document", [(f"  {document.file.path}", "strong")])
        self._name_window(f"{document.file.path} — stonebrowse")
        self._desk.page_came()
        self.place()

    def place(self) -> None:
        """Another place is read, or something else of the status line changed."""
        document = self._opening.document
        news = self._news()
        if not self._desk.shows_page:
            self._line.stand(self._under_cursor(), news)
            return
        if document is None:
            self._line.stand(None, news)
            return
        offset, line = self._desk.furniture.page.place()
        view = document.passage_at(min(offset, document.size))
        where: list[Word] = [(f" line {line:,} ", "plain")]
        if document.size:
            where.insert(
                0,
                (" end " if self._desk.furniture.page.at_end else f" {_percent(offset, document)}% ", "dim"),
            )
        if view is not None:
            self._desk.furniture.outline.follow(document.cut.passage(view.ordinal).section)
        self._line.stand(_standing(view, document.file), [*news, *self._version(), *where])

    def _under_cursor(self) -> Standing | None:
        """Where a list alone is on the screen: what its cursor is on."""
        things = self._desk.furniture
        if self._desk.left == "hits" and things.hits.hit is not None:
            return _standing(things.hits.hit, None)
        if self._desk.left == "files" and things.files.file is not None:
            return _standing(None, things.files.file)
        document = self._opening.document
        return None if document is None else _standing(None, document.file)

    def _version(self) -> list[Word]:
        document = self._opening.document
        assert document is not None
        since = document.file.number - document.version.number
        words: list[Word] = [(f" v{document.version.number} ", "dim")]
        if since:
            words.append((f"{since} since ", "warning"))
        if document.version.guessed:
            words.append((f"{document.version.encoding}? ", "dim"))
        return words

    def _news(self) -> list[Word]:
        words: list[Word] = []
        if self.count:
            words.append((f" {self.count} ", "accent"))
        if self._opening.stays_at_end:
            words.append((" following ", "accent"))
        if self.found:
            words.append((f" {self.found} ", "accent"))
        if self._gone:
            words.append((" no longer in the folder ", "warning"))
        elif time.monotonic() - self._changed_at < CHANGED_SECONDS:
            words.append((" changed ", "warning"))
        if self.trouble:
            words.append((f" {clip(visible(self.trouble), LONGEST_TROUBLE)} ", "warning"))
        if self.status.phase in PHASES:
            words.append((f" {self.progress()} ", "accent"))
        return words

    def progress(self) -> str:
        """What the keeper is at, in a few words; empty where it is at nothing."""
        word = PHASES.get(self.status.phase, "")
        if word and self.status.of:
            return f"{word} {self.status.done:,} of {self.status.of:,}"
        return word and f"{word} …"


def _percent(offset: int, document: Document) -> int:
    return min(100, 100 * offset // document.size)


def _standing(view: PassageView | None, file: File | None) -> Standing | None:
    if view is not None:
        return Standing(view.citation, view.path, view.trail)
    return None if file is None else Standing(file.path, file.path, ())
