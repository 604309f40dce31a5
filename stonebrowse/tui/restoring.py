"""Beginning where the browser was left: the page and its place, the panes, the query."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, get_args

from stonebrowse.errors import StonebrowseError
from stonebrowse.store import Sitting
from stonebrowse.tui.desk import PANES, Left
from stonebrowse.tui.visits import Visit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stonebrowse.library.library import Library
    from stonebrowse.store import File
    from stonebrowse.tui.arranging import Pane
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.finding import Finding
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.opening import Opening

LEAVING_SECONDS = 0.5
LISTS: tuple[Left, ...] = get_args(Left)


class Restoring:
    """Keeps how the browser is left, and brings it back."""

    def __init__(
        self, library: Library, desk: Desk, opening: Opening, finding: Finding, lane: Lane, *, kept: bool
    ) -> None:
        """Made of what is brought back.

        Args:
            library: whose desk it is.
            desk: the panes.
            opening: the page.
            finding: the query.
            lane: where the store is read; nothing else goes there.
            kept: whether anything is kept and brought back at all.
        """
        self._library = library
        self._desk = desk
        self._opening = opening
        self._finding = finding
        self._lane = lane
        self._kept = kept
        self._before: Sitting | None = None

    def resume(
        self,
        files: Sequence[File],
        keep: Callable[[Callable[[], None]], None],
        otherwise: Callable[[], None],
    ) -> None:
        """Brings back how the browser was left, where its File is still in the library.

        Args:
            files: the current Files.
            keep: does something unless the person went elsewhere meanwhile.
            otherwise: called where there is no place to go back to.
        """
        if not self._kept:
            otherwise()
            return
        there = {file.file_id for file in files}

        def work() -> tuple[Sitting | None, Visit | None]:
            try:
                sitting = self._library.store.desk.sitting()
                if sitting is None or sitting.version_id is None:
                    return sitting, None
                version = self._library.store.version(sitting.version_id)
                visit = Visit(version.file_id, version.version_id, sitting.newest, sitting.offset)
                # Its bytes may have been pruned; then the newest is what is left to read.
                self._library.document(version)
            except StonebrowseError:
                return None, None
            return sitting, visit if visit.file_id in there else None

        def done(read: tuple[Sitting | None, Visit | None]) -> None:
            sitting, visit = read
            self._before = sitting
            if self._opening.document is not None or self._finding.found is not None:
                return  # the person was quicker
            if visit is None:
                otherwise()
            else:
                self._opening.resume(visit)
            if sitting is not None:
                keep(lambda: self._arrange(sitting, has_page=visit is not None))

        self._lane.ask(work, done)

    def _arrange(self, sitting: Sitting, *, has_page: bool) -> None:
        desk, query = self._desk, sitting.query
        if query.strip():
            line = desk.furniture.search
            with line.prevent(line.Changed):
                line.value = query
            self._finding.resume(query)
        shown: Left = next((kind for kind in LISTS if kind == sitting.list and kind != "versions"), "files")
        if shown == "hits" and not query.strip():
            shown = "files"
        desk.show_left(shown, go=False)
        pane: Pane = next((pane for pane in PANES if pane == sitting.pane), "list")
        desk.alone = sitting.alone and has_page
        desk.go(pane if has_page else "list")

    def keep(self) -> threading.Thread | None:
        """Keeps how the browser is left. A store that cannot be written now keeps nothing.

        Returns:
            The thread that still writes, where another process makes it wait; None where nothing is left to do.
        """
        if not self._kept:
            return None
        here, desk = self._opening.here, self._desk
        sitting = Sitting(
            None if here is None else here.version_id,
            here is None or here.newest,
            0 if here is None else here.offset,
            desk.at,
            desk.left,
            desk.alone,
            desk.furniture.search.value,
        )
        if sitting == self._before:
            return None
        writing = threading.Thread(target=self._write, args=(sitting,), daemon=True, name="leave")
        writing.start()
        writing.join(LEAVING_SECONDS)
        return writing if writing.is_alive() else None

    def _write(self, sitting: Sitting) -> None:
        # Whatever goes wrong while everything ends: there is nobody left to be told.
        with contextlib.suppress(Exception):
            self._library.store.desk.leave(sitting)
