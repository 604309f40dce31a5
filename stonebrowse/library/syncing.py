"""One pass that makes the record equal to the folder: what is new, changed, renamed, gone, or back.

The folder is the truth, events are only hints; a pass may look at the whole folder or at some places of it.
Statuses are compared for being different, not newer. Nothing is read until it stands still (see `settle`).
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from stonebrowse.errors import FolderUnavailable
from stonebrowse.library.engraving import is_marked, recognised
from stonebrowse.library.folder import Folder, Seen, Unreadable
from stonebrowse.library.renaming import Renames
from stonebrowse.text.decoding import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from stonebrowse.store import File, FileId, Stat, Store, Writing
    from stonebrowse.store.records import WrittenBy

    Known = dict[str, tuple[FileId, Stat | None]]

EventKind = Literal["added", "changed", "renamed", "trashed", "restored"]

# File systems stamp times by the kernel's tick (10 ms at the coarsest in use): a file written twice within
# one tick can look the same before and after, so nothing younger than a step is read.
STEP_NS = 12_000_000
EMPTIED_NS = 500_000_000
SETTLE_SECONDS = 2.0
BATCH_BYTES = 8 << 20
BATCH_FILES = 400


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was recorded.

    Attributes:
        event: what happened to the File.
        path: its path afterwards.
        file_id: the File.
        version_id: its newest version.
        number: that version's number.
    """

    event: EventKind
    path: str
    file_id: str
    version_id: str
    number: int


@dataclass(slots=True)
class Report:
    """What a pass did. `skipped` counts what was passed over with a reason; `seconds` is wall time."""

    events: list[Event] = field(default_factory=list)
    unchanged: int = 0
    skipped: int = 0
    passages: int = 0
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)

    def count(self, kind: EventKind) -> int:
        """How many Files were added, changed, renamed, trashed or restored."""
        return sum(event.event == kind for event in self.events)

    def counts(self) -> dict[str, int | float]:
        """The contract's fields, in its order."""
        kinds: tuple[EventKind, ...] = ("added", "changed", "renamed", "trashed", "restored")
        return {kind: self.count(kind) for kind in kinds} | {
            "unchanged": self.unchanged,
            "skipped": self.skipped,
            "passages": self.passages,
            "seconds": round(self.seconds, 3),
        }


@dataclass(slots=True)
class _Difference:
    """Where the folder and the record differ: what to read, and Files (by ID) whose path is not there."""

    read: dict[str, Stat] = field(default_factory=dict)
    missing: dict[str, FileId] = field(default_factory=dict)
    unchanged: int = 0


class _Read(NamedTuple):
    """A file that was read: its path, what is recorded of it, its bytes and the status they belong to."""

    path: str
    known: File | None
    data: bytes
    stat: Stat


class Syncing:
    """Brings the record of one library level with its folder.

    Only the keeper of the library may use it. `progress` is called with what is done and how much there is.
    """

    def __init__(
        self, store: Store, folder: Folder, *, progress: Callable[[int, int], None] = lambda _done, _of: None
    ) -> None:
        self._store = store
        self._folder = folder
        self._progress = progress

    def whole(self, *, full: bool = False) -> Report:
        """A pass over the whole folder.

        Args:
            full: compare contents, not only what the file system says of them.

        Raises:
            FolderUnavailable: the folder is missing, unreadable, or came back empty on another device.
        """
        begun = time.monotonic()
        device, _ = self._folder.identity()
        seen = self._folder.walk()
        known = self._store.stats()
        self._refuse_unmounted(device, seen, known)
        difference = _compare(known, seen, everything=full)
        report = self._record(difference, seen)
        skipped = sorted(seen.skipped.items())
        if skipped != sorted(self._store.skipped()) or self._store.noted("folder_device") != str(device):
            with self._store.writing() as writing:
                writing.set_skipped(skipped)
                writing.note("folder_device", str(device))
        report.skipped = len(seen.skipped)
        report.seconds = time.monotonic() - begun
        return report

    def places(self, files: Iterable[str], folders: Iterable[str]) -> tuple[Report, set[str]]:
        """A pass over some files and folders that something may have happened to.

        What is gone is not trashed yet: editors and version control take files away for a moment.

        Returns:
            The report, and the paths that are known and were not found: pass them to `gone` a little later.
        """
        begun = time.monotonic()
        self._folder.identity()
        seen = Seen()
        looked: set[str] = set(files)
        below = tuple(f"{folder}/" if folder else "" for folder in folders)
        for folder in folders:
            _merge(seen, self._folder.walk(folder))
        for path in looked:
            _merge(seen, self._folder.look(path))
        known = self._known(looked)
        if below:
            known |= {path: entry for path, entry in self._store.stats().items() if path.startswith(below)}
        difference = _compare(known, seen, everything=False)
        missing = set(difference.missing)
        difference.missing = {}
        report = self._record(difference, seen)
        self._remember_skipped(seen, looked, below)
        report.skipped = len(seen.skipped)
        report.seconds = time.monotonic() - begun
        return report, missing - {event.path for event in report.events}

    def gone(self, paths: Iterable[str]) -> Report:
        """Trashes the Files of paths that are still not there."""
        begun = time.monotonic()
        self._folder.identity()
        wanted = set(paths)
        seen = Seen()
        for path in wanted:
            _merge(seen, self._folder.look(path))
        report = self._record(_compare(self._known(wanted), seen, everything=False), seen)
        report.seconds = time.monotonic() - begun
        return report

    def _known(self, paths: Iterable[str]) -> Known:
        files = filter(None, map(self._store.file_at, paths))
        return {file.path: (file.file_id, file.stat) for file in files if file.state == "current"}

    # -- recording ---------------------------------------------------------------------------------------

    def _record(self, difference: _Difference, seen: Seen) -> Report:
        report = Report(unchanged=difference.unchanged)
        pending = difference.read
        renames = Renames(self._store, self._folder, difference.missing.values())
        done, total = 0, len(pending)
        for batch in self._batches(pending, seen):
            renames.next_transaction()
            with self._store.writing() as writing:
                for read in batch:
                    reason = self._one(writing, renames, read, report)
                    if reason is not None:
                        seen.skipped[read.path] = reason
            done += len(batch)
            self._progress(done, total)
        missing = list(renames.missing())
        if missing:
            with self._store.writing() as writing:
                for file in missing:
                    writing.trash(file.file_id, "disappearance")
                    report.events.append(
                        Event("trashed", file.path, file.file_id, file.version_id, file.number)
                    )
        return report

    def _one(self, writing: Writing, renames: Renames, read: _Read, report: Report) -> str | None:
        """Records one file that was read; answers why it is skipped, if it is."""
        digest = "sha256:" + hashlib.sha256(read.data).hexdigest()
        # A note may have been engraved here since it was looked at.
        known, path, stat = self._store.file_at(read.path), read.path, read.stat
        same = known is not None and self._store.version(known.version_id).digest == digest
        if known is not None and known.state == "current" and same:
            if stat != known.stat:
                writing.seen(known.file_id, stat)
            report.unchanged += 1
            return None
        if self._elsewhere(writing, renames, read._replace(known=known), digest, report):
            return None
        decoded = decode(read.data)
        if isinstance(decoded, NotText):
            return decoded.reason
        kind: EventKind = "added" if known is None else "changed" if known.state == "current" else "restored"
        engraved = known is None and is_marked(decoded.text)
        author: WrittenBy = "stonebrowse" if engraved else "person"
        file_id = writing.add_file(path, stat, author) if known is None else known.file_id
        if kind == "restored":
            writing.restore(file_id, stat)
        if known is not None and same:
            report.events.append(Event(kind, path, file_id, known.version_id, known.number))
            return None
        version = writing.record(file_id, read.data, decoded, stat, datetime.now(UTC))
        if engraved:
            writing.name_sources(file_id, recognised(self._store, decoded.text), datetime.now(UTC))
        report.events.append(Event(kind, path, file_id, version.version_id, version.number))
        return None

    def _elsewhere(
        self, writing: Writing, renames: Renames, read: _Read, digest: str, report: Report
    ) -> bool:
        """Whether a file is not that of the File at its path: one that was renamed, or one that is out by hand."""
        known, path, stat = read.known, read.path, read.stat
        # Another process may have trashed it since it was looked at.
        out = known is not None and self._store.file(known.file_id).trashed_by == "hand"
        if known is not None and known.state == "current" and not out:
            return False
        gone = renames.trashed(digest, stat) if known is None else None
        if gone is not None:
            writing.rename(gone.file_id, path, stat)
            return True
        # Where one is out by hand another File may have been moved; a new one cannot come up.
        before = renames.before(path, digest, stat, moved=out)
        if before is not None:
            writing.rename(before.file_id, path, stat)
            report.events.append(Event("renamed", path, before.file_id, before.version_id, before.number))
        elif out and known is not None and stat != known.stat:
            writing.seen(known.file_id, stat)
        return out or before is not None

    def _batches(self, pending: dict[str, Stat], seen: Seen) -> Iterator[list[_Read]]:
        batch: list[_Read] = []
        size = 0
        for path in self._settled(pending):
            if path is None:
                if batch:
                    yield batch
                    batch, size = [], 0
                continue
            known = self._store.file_at(path)
            if known is not None and known.trashed_by == "hand" and known.stat == pending[path]:
                continue
            try:
                data, stat = self._folder.read(path)
            except Unreadable as unreadable:
                if not unreadable.gone:
                    seen.skipped[path] = unreadable.reason
                continue
            batch.append(_Read(path, known, data, stat))
            size += len(data)
            if size >= BATCH_BYTES or len(batch) >= BATCH_FILES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _settled(self, pending: dict[str, Stat]) -> Iterator[str | None]:
        """The paths, each once it stands still; those that do not in time come all the same.

        None stands for a wait: what came before it need not wait for the others.
        """
        waiting = dict(pending)
        deadline = time.monotonic() + SETTLE_SECONDS
        while waiting:
            late = time.monotonic() > deadline
            now = time.time_ns()
            ready = [path for path, stat in waiting.items() if late or stands_still(stat, now)]
            for path in ready:
                del waiting[path]
            yield from ready
            if waiting:
                yield None
                time.sleep(STEP_NS / 1e9 / 3)
                self._look_again(waiting)

    def _look_again(self, waiting: dict[str, Stat]) -> None:
        for path, stat in list(waiting.items()):
            again = self._folder.look(path).stats.get(path)
            if again is None:
                del waiting[path]
            elif again != stat:
                waiting[path] = again

    def _remember_skipped(self, seen: Seen, looked: set[str], below: tuple[str, ...]) -> None:
        before = dict(self._store.skipped())
        inside = {path for path in before if path in looked or (below and path.startswith(below))}
        if {path: before[path] for path in inside} != seen.skipped:
            kept = {path: reason for path, reason in before.items() if path not in inside}
            with self._store.writing() as writing:
                writing.set_skipped(sorted({**kept, **seen.skipped}.items()))

    def _refuse_unmounted(self, device: int, seen: Seen, known: Known) -> None:
        before = self._store.noted("folder_device")
        if known and not seen.stats and not seen.unreadable and before is not None and before != str(device):
            raise FolderUnavailable(
                f"the folder {self._folder.place} has come back empty on another device; mount it again,"
                " or read what is stored with --no-sync"
            )


def stands_still(stat: Stat, now_ns: int) -> bool:
    """Whether a file with this status may be read at this time.

    A time in the future proves nothing: such a file is read at once, and again if its status changes.
    """
    age = now_ns - stat.ctime_ns
    return age >= (EMPTIED_NS if stat.size == 0 else STEP_NS) or age < -STEP_NS


def _compare(known: Known, seen: Seen, *, everything: bool) -> _Difference:
    difference = _Difference(read={path: stat for path, stat in seen.stats.items() if path not in known})
    for path, (file_id, before) in known.items():
        stat = seen.stats.get(path)
        if stat is None:
            if path not in seen.skipped and seen.covers(path):
                difference.missing[path] = file_id
        elif everything or stat != before:
            difference.read[path] = stat
        else:
            difference.unchanged += 1
    return difference


def _merge(into: Seen, other: Seen) -> None:
    into.stats.update(other.stats)
    into.skipped.update(other.skipped)
    into.unreadable.extend(other.unreadable)
    into.links.update(other.links)
