"""Which version is on the page, and where: opening, following edits, going back and forward."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stonebrowse.errors import StonebrowseError
from stonebrowse.tui.following import follow
from stonebrowse.tui.links import anchor_section, nearest_anchors
from stonebrowse.tui.visits import Visit, Visits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stonebrowse.index import Query
    from stonebrowse.library.library import Library
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document
    from stonebrowse.library.searching import Hit
    from stonebrowse.store import File, FileId
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.page import Page

HIT_ALIGN = 1 / 3


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in a version to go, and what to mark there.

    Attributes:
        offset: in bytes of its text.
        align: where on the page that comes to stand, 0 the top.
        passage: what is marked; None for nothing.
        query: whose words are lit; None for none.
    """

    offset: int = 0
    align: float = 0.0
    passage: PassageView | None = None
    query: Query | None = None


class Opening:
    """The page.

    Attributes:
        document: the version that is shown; None before the first.
        passage: the passage that is marked; None where none is.
    """

    def __init__(self, library: Library, page: Page, lane: Lane, shown: Callable[[], None]) -> None:
        """Made for one page; `shown` is called whenever another version is on it."""
        self._library = library
        self._page = page
        self._lane = lane
        self._shown = shown
        self._visits = Visits()
        self._glancing = False
        self._align = 0.0
        self.document: Document | None = None
        self.passage: PassageView | None = None
        self._growing: FileId | None = None

    # -- going somewhere ---------------------------------------------------------------------------------

    def glance(self, hit: Hit) -> None:
        """Shows a hit while the person moves through the hits. Many glances are one step of the way back."""
        self._leave(glancing=True)
        self._lane.drop()
        self._show(hit.document, Spot(hit.start, HIT_ALIGN, hit, hit.query))

    def glance_at_file(self, file: File) -> None:
        """Shows a file while the person moves through the tree."""
        self._leave(glancing=True)
        self._load(lambda: self._open(file))

    def settle(self) -> None:
        """The person stays here: what is shown from now on is another step."""
        self._glancing = False

    def open_file(
        self, file: File, anchor: str = "", missing: Callable[[str, Sequence[str]], None] | None = None
    ) -> None:
        """Opens the newest version of a File, at the heading with that anchor.

        Args:
            file: the File.
            anchor: of a heading; empty for the beginning.
            missing: gets the anchor where no heading has it, and the nearest that there are.
        """
        self._leave()

        def work() -> tuple[Document, Spot, Sequence[str] | None]:
            document, spot = self._open(file)
            section = anchor_section(document.cut, anchor) if anchor else None
            if section is not None:
                return document, Spot(document.cut.section(section).start), None
            return document, spot, nearest_anchors(document.cut, anchor) if anchor else None

        def done(result: tuple[Document, Spot, Sequence[str] | None]) -> None:
            self._show(*result[:2])
            if missing is not None and result[2] is not None:
                missing(anchor, result[2])

        self._lane.ask(work, done)

    def choose_file(self, file: File) -> None:
        """Opens a File, unless a glance has shown it already."""
        if self.document is None or self.document.file.file_id != file.file_id:
            self.open_file(file)

    def open_version(self, file: File, number: int) -> None:
        """Opens one version of a File, where the same words stand."""
        self._leave()
        here, offset = self.document, self._page.place()[0] if self.document is not None else 0

        def work() -> tuple[Document, Spot]:
            document = self._library.document(self._library.find_version(file, str(number)), file)
            same = here is not None and here.file.file_id == file.file_id
            return document, Spot(follow(here, document, offset) if same and here is not None else 0)

        self._load(work)

    def open_reference(
        self, reference: str, told: Callable[[str], None], failed: Callable[[StonebrowseError], None]
    ) -> None:
        """Opens what a citation, ID or path names.

        Args:
            reference: any text.
            told: gets what is to be said of what was opened; may be empty.
            failed: gets the reason where nothing is called so.
        """

        def work() -> tuple[Document, Spot, str] | StonebrowseError:
            try:
                target = self._library.resolve(reference)
            except StonebrowseError as error:
                return error
            document = self._library.document(target.version, target.file)
            _ = document.cut
            spot = Spot() if target.passage is None else Spot(target.passage.start, HIT_ALIGN, target.passage)
            return document, spot, target.notice

        def done(result: tuple[Document, Spot, str] | StonebrowseError) -> None:
            if isinstance(result, StonebrowseError):
                failed(result)
                return
            self._leave()
            self._show(*result[:2])
            told(result[2])

        self._lane.ask(work, done)

    def go_to(self, offset: int, *, align: float = 0.0) -> None:
        """Goes to a place of the page that is shown, as a step of its own."""
        if self.document is not None:
            self._leave()
            self._align = align
            self._page.go_to(offset, align=align)

    def open_place(self, version_id: str, offset: int) -> None:
        """Opens a File where the text stands now that a version had at a place."""
        self._leave()

        def work() -> tuple[Document, Spot]:
            then = self._library.document(self._library.store.version(version_id))
            if self._shows_newest(then):
                return then, Spot(offset)
            newest = self._library.document(self._library.find_version(then.file, None), then.file)
            return newest, Spot(follow(then, newest, offset))

        self._load(work)

    def open_cited(self, version_id: str, start: int | None) -> None:
        """Opens a version itself, not a newer one, and marks the passage at a place; None is the beginning."""
        self._leave()

        def work() -> tuple[Document, Spot]:
            document = self._library.document(self._library.store.version(version_id))
            _ = document.cut
            passage = None if start is None else document.passage_at(start)
            return document, Spot() if start is None else Spot(start, HIT_ALIGN, passage)

        self._load(work)

    @property
    def here(self) -> Visit | None:
        """Where the person is; None before the first page."""
        return self._here()

    def resume(self, visit: Visit) -> None:
        """Opens where the person was at another time, as the first step of the way."""
        self._revisit(visit)

    def back(self) -> bool:
        """Goes back; says whether there was where to."""
        return self._revisit(self._visits.back(self._here()))

    def forward(self) -> bool:
        """Goes forward again; says whether there was where to."""
        return self._revisit(self._visits.forward(self._here()))

    def stay_at_end(self) -> None:
        """Goes to the end of the page, and stays there as its File grows, until the person moves up."""
        if self.document is not None:
            self._leave()
            self._growing = self.document.file.file_id
            self._page.action_scroll_end()

    @property
    def stays_at_end(self) -> bool:
        """Whether the page is kept at the end of its File."""
        here = self.document
        return here is not None and self._growing == here.file.file_id and self._page.at_end

    # -- following edits ---------------------------------------------------------------------------------

    def renew(self, file: File) -> None:
        """The File on the page has a newer version or another path: shows that, keeping the place.

        An older version that was opened on purpose stays; only what is known of its File is taken anew.
        """
        here = self.document
        if here is None or here.file.file_id != file.file_id:
            return
        if not self._shows_newest(here):
            here.file = file
            self._shown()
            return

        def work() -> Document:
            document = self._library.document(self._library.find_version(file, None), file)
            _ = document.cut
            return document

        def done(document: Document) -> None:
            if self.document is here:
                self._replace(here, document)

        self._lane.ask(work, done)

    # -- inside ------------------------------------------------------------------------------------------

    def _replace(self, here: Document, document: Document) -> None:
        offset, top = self._page.place().offset, self._page.top_offset
        # Where one went to stays at its height on the screen, else what stands in the first row.
        align = self._align if offset != top else 0.0
        passage, stays = self.passage, self.stays_at_end
        if not stays:
            self._growing = None
        self.document = document
        if document.version.version_id == here.version.version_id:
            self._shown()
            return
        self._page.show(document, at=follow(here, document, offset), align=align)
        if passage is not None and len(document.cut):
            start = min(follow(here, document, passage.start), document.size)
            self.passage = document.passage(document.cut.at(start))
            self._page.mark(self.passage.start, self.passage.end)
        if stays:
            self._page.action_scroll_end()
        self._shown()

    def _open(self, file: File) -> tuple[Document, Spot]:
        document = self._library.document(self._library.find_version(file, None), file)
        _ = document.cut
        return document, Spot()

    def _load(self, work: Callable[[], tuple[Document, Spot]]) -> None:
        self._lane.ask(work, lambda result: self._show(*result))

    def _show(self, document: Document, spot: Spot) -> None:
        shown = self.document
        if shown is not None and shown.version.version_id == document.version.version_id:
            # The same text: what the page made of it already is kept.
            shown.file = document.file
            document = shown
        self.document, self.passage, self._align = document, spot.passage, spot.align
        passage, query = spot.passage, spot.query
        self._page.open(
            document,
            spot.offset,
            align=spot.align,
            mark=(0, 0) if passage is None else (passage.start, passage.end),
            lights=None if query is None else query.lights,
        )
        self._shown()

    def _leave(self, *, glancing: bool = False) -> None:
        here = self._here()
        if here is not None and not (glancing and self._glancing):
            self._visits.leave(here)
        self._glancing = glancing

    def _here(self) -> Visit | None:
        if self.document is None:
            return None
        version = self.document.version
        newest = self._shows_newest(self.document)
        return Visit(version.file_id, version.version_id, newest, self._page.place()[0])

    def _revisit(self, visit: Visit | None) -> bool:
        if visit is None:
            return False
        self._glancing = False

        def work() -> tuple[Document, Spot]:
            file = self._library.find_file(visit.file_id)
            then = self._library.find_version(file, visit.version_id)
            document = self._library.document(then, file)
            offset = visit.offset
            if visit.newest and then.version_id != file.version_id:
                newest = self._library.document(self._library.find_version(file, None), file)
                document, offset = newest, follow(document, newest, offset)
            _ = document.cut
            return document, Spot(offset)

        self._load(work)
        return True

    @staticmethod
    def _shows_newest(document: Document) -> bool:
        return document.version.number == document.file.number
