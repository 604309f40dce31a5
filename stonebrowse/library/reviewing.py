"""What changed since one last looked: each changed section with its diff, new, renamed and trashed Files.

It is per person: what was seen is kept in the store, which is its owner's. A first review has nothing to show: all
that a library held at the end of its first pass counts as seen. One change is marked by what it changed: when other
sections of that File are edited later it stays seen, when the same section is edited again it is shown again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Literal

from stonebrowse.errors import InputInvalid, NotFound, StoreDamaged
from stonebrowse.library.comparing import SectionDiff, compare
from stonebrowse.library.reading import Document
from stonebrowse.store.reviews import Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stonebrowse.library.references import References
    from stonebrowse.store import File, Store, Version

ChangeKind = Literal[
    "new file", "renamed", "trashed", "restored", "pruned", "damaged", "added", "removed", "moved", "edited"
]
_UNITS: Final = {"minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
_AGO: Final = re.compile(r"(\d{1,6}) *(minute|hour|day|week)s?(?: ago)?")


@dataclass(frozen=True, slots=True)
class Change:
    """Something that changed.

    Attributes:
        kind: of a File: `new file`, `renamed`, `trashed`, `restored`; `pruned` or `damaged`: its text changed, and
            cannot be compared with what was seen of it; of a section: `added`, `removed`, `moved`, `edited`.
        file: the File as it is now.
        citation: the citation of the section, now or the last it had; the path for a File.
        was: its citation before, or the File's path before; None if it had none.
        version: the newest version, which the change leads to.
        before: the version that was seen last; None for a new File.
        section: the section's diff; None for a File.
        mark: what it is known by, for marking it as seen.
    """

    kind: ChangeKind
    file: File
    citation: str
    was: str | None
    version: Version
    before: Version | None
    section: SectionDiff | None
    mark: str

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        section = self.section
        return {
            "kind": self.kind,
            "file_id": self.file.file_id,
            "path": self.file.path,
            "citation": self.citation,
            "was": self.was,
            "trail": list(section.trail) if section else [],
            "version_id": self.version.version_id,
            "number": self.version.number,
            "before_version_id": self.before.version_id if self.before else None,
            "before_number": self.before.number if self.before else None,
            "lines": [line.as_json() for line in section.lines] if section else [],
            "truncated": bool(section and section.truncated),
        }


@dataclass(frozen=True, slots=True)
class Review:
    """What changed.

    Attributes:
        changes: by path, in the order of the text.
        since: the time from which on, RFC 3339; None: since it was last seen.
    """

    changes: tuple[Change, ...]
    since: str | None = None


class Reviewing:
    """Reviews of one library."""

    def __init__(self, store: Store, references: References) -> None:
        self._store = store
        self._references = references

    def review(
        self, since: str | None = None, progress: Callable[[int, int], None] = lambda _done, _of: None
    ) -> Review:
        """What changed since it was last seen, or since a time or a version.

        Args:
            since: RFC 3339, a date, `2 days`, or a version ID; None: what was not seen yet.
            progress: told of how many Files how many are compared; what it raises stops the review.

        Raises:
            InputInvalid: it is none of these.
            NotFound: there is no such version.
        """
        moment = None if since is None else self._moment(since)
        reviews = self._store.reviews
        found = reviews.unseen() if moment is None else reviews.since(_microseconds(moment))
        changes: list[Change] = []
        for done, seen in enumerate(found):
            progress(done, len(found))
            changes += self._unseen(seen) if moment is None else self._changes(seen)
        said = None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return Review(tuple(changes), said)

    def mark_seen(self, seen: Change | Review | None = None) -> int:
        """Marks as seen: one change, all of a review, or all that there is now.

        What has changed since it was shown stays unseen.

        Returns:
            How many changes that were.
        """
        if isinstance(seen, Change):
            self._store.reviews.mark(seen.file.file_id, seen.mark)
            for row in self._store.reviews.unseen():
                if row.file_id == seen.file.file_id and not list(self._unseen(row)):
                    self._store.reviews.see([_state(self._store.file(row.file_id))])
            return 1
        review = self.review() if seen is None else seen
        files = {change.file.file_id: change.file for change in review.changes}
        self._store.reviews.see([_state(file) for file in files.values()])
        return len(review.changes)

    def find(self, reference: str) -> list[Change]:
        """The unseen changes that a citation, a path or a File ID names.

        Raises:
            NotFound: none is named so.
        """
        changes = self.review().changes
        found = [change for change in changes if reference in {change.citation, change.was}]
        if not found:
            file = self._references.file(reference)
            found = [change for change in changes if change.file.file_id == file.file_id]
        if not found:
            raise NotFound(f"nothing unseen is called {reference}; `stonebrowse review` prints what is")
        return found

    def _unseen(self, seen: Seen) -> Iterator[Change]:
        marks = self._store.reviews.marks(seen.file_id)
        return (change for change in self._changes(seen) if change.mark not in marks)

    def _changes(self, seen: Seen) -> Iterator[Change]:
        """What changed of a File since it was seen so."""
        file = self._store.file(seen.file_id)
        newest = self._store.version(file.version_id)
        before = None if seen.version_id is None else self._store.version(seen.version_id)

        def of_file(kind: ChangeKind, was: str | None = None) -> Change:
            mark = _mark(kind, was or "", file.path, file.version_id if kind in {"pruned", "damaged"} else "")
            return Change(kind, file, file.path, was, newest, before, None, mark)

        if before is None:
            if file.state == "current":
                yield of_file("new file")
            return
        if file.state != seen.state:
            yield of_file("trashed" if file.state == "trashed" else "restored", seen.path)
        if file.state == "trashed":
            return
        if seen.path != file.path:
            yield of_file("renamed", seen.path)
        if before.digest == newest.digest:
            return
        try:
            yield from self._sections(file, before, newest)
        except NotFound:
            yield of_file("pruned")
        except StoreDamaged:
            yield of_file("damaged")  # the others are to be seen all the same

    def _sections(self, file: File, before: Version, newest: Version) -> Iterator[Change]:
        for section in compare(Document(self._store, file, before), Document(self._store, file, newest)):
            mark = _mark(section.kind, *section.trail, _bare(section.old_text), _bare(section.new_text))
            yield Change(section.kind, file, section.citation, section.was, newest, before, section, mark)

    def _moment(self, since: str) -> datetime:
        if since.startswith("v_"):
            version = self._store.version(self._references.identifier(since, "v"))
            return datetime.fromisoformat(version.recorded_at)
        return moment(since, datetime.now(UTC))


def moment(text: str, now: datetime) -> datetime:
    """Reads a time: RFC 3339, a date (its first moment, local time), or how long ago (`2 days`).

    Raises:
        InputInvalid: it is none of these, or lies outside what a calendar knows.
    """
    text = text.strip()
    ago = _AGO.fullmatch(text)
    try:
        if ago is not None:
            return now - timedelta(seconds=int(ago[1]) * _UNITS[ago[2]])
        found = datetime.fromisoformat(text)
        found = found.astimezone() if found.tzinfo is None else found
        # A time zone may carry it beyond the calendar's ends.
        found.timestamp()
        found.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise InputInvalid(
            f"{text!r} is no time; give a date (2026-03-01), a time (2026-03-01T12:00:00Z), how long ago (2 days),"
            " or a version ID"
        ) from None
    return found


def _microseconds(moment: datetime) -> int:
    """A time as the store keeps it: microseconds since 1970, exactly."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def _state(file: File) -> Seen:
    return Seen(file.file_id, file.version_id, file.path, file.state)


def _bare(text: bytes) -> bytes:
    """A section's text without what edits beside it change: blank lines around, the kind of line ends."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").strip(b" \t\n")


def _mark(*parts: str | bytes) -> str:
    hashed = blake2b(digest_size=12)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        hashed.update(b"%d:" % len(data) + data)
    return hashed.hexdigest()
