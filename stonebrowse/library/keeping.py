"""The keeper: the one process of a library that records, indexes and watches.

A command is the keeper for as long as its sync takes; the browser's child process, and `watch`, until they
end. All others only read. The keeper's work is made so that it may be killed at any moment: what was recorded
is there, the rest is found by the next pass.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from stonebrowse.errors import StonebrowseError, Unusable
from stonebrowse.library.indexing import Indexing, discard_index, open_index
from stonebrowse.library.status import Requests, Status, StatusFile
from stonebrowse.library.syncing import Event, Syncing
from stonebrowse.library.watching import Watching

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from stonebrowse.library.folder import Folder
    from stonebrowse.library.status import Phase
    from stonebrowse.library.syncing import EventKind, Report
    from stonebrowse.library.watching import Hints, Polling
    from stonebrowse.store import Store

# Editors and version control take files away for a moment; what is still gone after this was removed.
GONE_SECONDS = 0.25
# After a burst, or an event of a folder, the whole is looked through once things are quiet.
QUIET_SECONDS = 0.5
IDLE_WALK_SECONDS = 60.0
RETRY_SECONDS = 2.0
# The progress of fewer files is over before anyone could read it.
WORTH_TELLING = 50
# With nothing to do for so long, old versions are packed closer, a piece at a time.
IDLE_SECONDS = 1.0
TIDY_BYTES = 1 << 18


class Keeper:
    """Records and indexes one library. Only the holder of the library's lock may use it.

    `say` is told in one line what a person should know, `on_status` how far the work is.
    """

    def __init__(
        self,
        store: Store,
        folder: Folder,
        place: Path,
        *,
        say: Callable[[str], None] = lambda _line: None,
        on_status: Callable[[Status], None] = lambda _status: None,
    ) -> None:
        self.folder = folder
        self.place = place
        self._store = store
        self._say = say
        self._on_status = on_status
        self._status = StatusFile(place)
        self._watching_notice = ""
        self._trouble = ""
        self._index = open_index(place / "index", say=say)
        self._syncing = Syncing(store, folder, progress=self._telling("recording"))
        self._indexing = Indexing(store, self._index, progress=self._telling("indexing"))
        self._data_version = -1
        self._change = 0

    def sync(
        self, *, full: bool = False, rebuild: bool = False, between: Callable[[], None] = lambda: None
    ) -> Report:
        """One whole pass: records what changed, then brings passages and index level.

        Args:
            full: compare contents, not only what the file system says.
            rebuild: build the index anew.
            between: called now and then while indexing.

        Raises:
            Unusable: the folder or the store cannot be used now.
        """
        begun = time.monotonic()
        if rebuild:
            self._index.close()
            discard_index(self.place / "index")
            self._index = open_index(self.place / "index", say=self._say)
            self._indexing = Indexing(self._store, self._index, progress=self._telling("indexing"))
        self._tell("looking")
        try:
            report = self._syncing.whole(full=full)
            # After the first pass: what changes from now on is what a review shows.
            self._store.reviews.begin()
            report.passages += self._indexing.level(between=between)
            self._indexing.finish()
            self._change = self._store.last_change()
        finally:
            self._tell("idle")
        report.seconds = time.monotonic() - begun
        return report

    def places(self, files: Iterable[str], folders: Iterable[str]) -> tuple[Report, set[str]]:
        """A pass over some files and folders; see `Syncing.places`."""
        report, missing = self._syncing.places(files, folders)
        return self._levelled(report), missing

    def gone(self, paths: Iterable[str]) -> Report:
        """Trashes what is still not there; see `Syncing.gone`."""
        return self._levelled(self._syncing.gone(paths))

    def follow(self) -> list[Event]:
        """Brings the index level with what other processes changed: they may trash and restore a File by hand."""
        version = self._store.data_version()
        if version == self._data_version:
            return []
        self._data_version = version
        if not self._indexing.behind():
            return []
        self._indexing.level()
        self._tell("idle")
        return self._changed()

    def _changed(self) -> list[Event]:
        """What changed by others since the end of our last pass."""
        self._change, changes = self._store.changes(self._change)
        events = []
        for change in changes:
            file = self._store.file_at(change.path)
            if file is not None:
                kind: EventKind = "trashed" if file.state == "trashed" else "restored"
                events.append(Event(kind, file.path, file.file_id, file.version_id, file.number))
        return events

    def tidy(self) -> bool:
        """Makes the store a little smaller, for some hundredths of a second; says whether more is to do."""
        return self._store.tidy(TIDY_BYTES)

    def _levelled(self, report: Report) -> Report:
        if report.events:
            report.passages += self._indexing.level()
            self._change = self._store.last_change()
            self._tell("idle")
        return report

    def close(self) -> None:
        """Closes the index. The store belongs to whoever opened it."""
        self._index.close()

    def tell(self, *, watching: str | None = None, trouble: str | None = None) -> None:
        """Tells everyone how the folder is watched, or what is wrong; an empty text ends it."""
        for text, before in ((watching, self._watching_notice), (trouble, self._trouble)):
            if text and text != before:
                self._say(text)
        self._watching_notice = self._watching_notice if watching is None else watching
        self._trouble = self._trouble if trouble is None else trouble
        self._tell("idle")

    def _telling(self, phase: Phase) -> Callable[[int, int], None]:
        def tell(done: int, of: int) -> None:
            if of >= WORTH_TELLING:
                self._tell(phase, done, of)

        return tell

    def _tell(self, phase: Phase, done: int = 0, of: int = 0) -> None:
        status = Status(os.getpid(), phase, done, of, self._trouble or self._watching_notice)
        self._status.tell(status)
        self._on_status(status)


class KeeperLoop:
    """Keeps a library level with its folder for as long as it runs."""

    def __init__(
        self,
        keeper: Keeper,
        *,
        polling: Polling = "auto",
        poll_seconds: float = 2.0,
        on_event: Callable[[Event], None] = lambda _event: None,
    ) -> None:
        self._keeper = keeper
        self._watching = Watching(keeper.folder, polling=polling, poll_seconds=poll_seconds)
        self._requests = Requests(keeper.place)
        self._on_event = on_event
        self._files: set[str] = set()
        self._folders: set[str] = set()
        self._gone: dict[str, float] = {}
        self._whole_at = 0.0
        self._busy_at = time.monotonic()
        self._tidied = False

    def run(self, stop: threading.Event) -> None:
        """Watches until `stop` is set, which it notices within a tenth of a second.

        Trouble with the folder or the store is told, and tried again a little later.
        """
        for hints in self._watching.hints(stop):
            self._take(hints)
            for request in self._requests.pending():
                self._requests.reply(request, self._answer(full=request.full, rebuild=request.rebuild))
            try:
                self._step()
            except Unusable as error:
                self._keeper.tell(trouble=error.message)
                self._whole_at = time.monotonic() + RETRY_SECONDS

    def _take(self, hints: Hints) -> None:
        now = time.monotonic()
        if hints.notice is not None:
            self._keeper.tell(watching=hints.notice)
        if hints.rules:
            self._keeper.folder.forget_rules()
        if hints.whole or hints.rules:
            self._whole_at = now
        elif hints.folders:
            self._whole_at = min(self._whole_at, now + QUIET_SECONDS)
        self._files |= hints.files
        self._folders |= hints.folders

    def _step(self) -> None:
        now = time.monotonic()
        if now >= self._whole_at:
            self._whole()
        elif self._files or self._folders:
            files, folders, self._files, self._folders = self._files, self._folders, set(), set()
            report, missing = self._keeper.places(files, folders)
            self._gone.update({path: self._gone.get(path, now + GONE_SECONDS) for path in missing})
            self._send(report)
        elif any(due <= now for due in self._gone.values()):
            paths = {path for path, due in self._gone.items() if due <= now}
            self._gone = {path: due for path, due in self._gone.items() if path not in paths}
            self._send(self._keeper.gone(paths))
        elif others := self._keeper.follow():
            self._busy_at, self._tidied = now, False
            for event in others:
                self._on_event(event)
        elif not self._tidied and now - self._busy_at > IDLE_SECONDS:
            self._tidied = not self._keeper.tidy()

    def _whole(self, *, full: bool = False, rebuild: bool = False) -> Report:
        begun = time.monotonic()
        self._files, self._folders, self._gone = set(), set(), {}
        self._whole_at = begun + IDLE_WALK_SECONDS
        report = self._keeper.sync(full=full, rebuild=rebuild)
        self._keeper.tell(trouble="")
        self._watching.walk_seconds = report.seconds
        self._send(report)
        return report

    def _answer(self, *, full: bool, rebuild: bool) -> dict[str, object]:
        try:
            return {"report": self._whole(full=full, rebuild=rebuild).counts()}
        except StonebrowseError as error:
            return {"error": {"code": error.code, "message": error.message}}

    def _send(self, report: Report) -> None:
        self._busy_at = time.monotonic()
        self._tidied &= not report.events
        for event in report.events:
            self._on_event(event)
