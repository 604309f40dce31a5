"""Reading from the store: Files, versions and their bytes, each call on a connection of its own."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from stonebrowse.errors import InputInvalid
from stonebrowse.store import files, graph, identifiers
from stonebrowse.store.dictionaries import Dictionaries
from stonebrowse.store.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.store.database import Database
    from stonebrowse.store.files import Change, Held, States
    from stonebrowse.store.identifiers import FileId, VersionId
    from stonebrowse.store.records import File, Frame, Opened, Stat, Version
    from stonebrowse.text.passages import Cut


class Shelves:
    """What the store holds of documents, to be read. The base of `Store`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._dictionaries = Dictionaries()

    # Files

    def files(self, *, state: States = "current") -> list[File]:
        """All Files of a state, by path."""
        with self._database.reading() as connection:
            return files.all_files(connection, state)

    def file(self, file_id: str) -> File:
        """Find a File by its whole ID.

        Raises:
            NotFound: there is none.
        """
        with self._database.reading() as connection:
            return files.file(connection, file_id)

    def file_at(self, path: str) -> File | None:
        """Find the current File at a path, else the one that was last trashed there."""
        with self._database.reading() as connection:
            return files.file_at(connection, path)

    def files_with_digest(self, digest: str) -> list[File]:
        """The current Files whose newest version has the bytes of this digest (`sha256:…`), by path."""
        with self._database.reading() as connection:
            return files.files_with_digest(connection, digest)

    def files_trashed_by_hand(self) -> list[File]:
        """The Files that were trashed by hand, by path."""
        with self._database.reading() as connection:
            return files.files_trashed_by_hand(connection)

    def stats(self) -> dict[str, tuple[FileId, Stat | None]]:
        """The current Files by path, each with what its file looked like when it was last seen."""
        with self._database.reading() as connection:
            return files.stats(connection)

    def find_ids(self, prefix: str) -> list[str]:
        """Find the whole IDs of Files, versions or passages that begin so, in order.

        Raises:
            InputInvalid: no ID, of another kind, or with fewer than 4 characters after the `_`.
        """
        kind = identifiers.kind_of(prefix)
        with self._database.reading() as connection:
            if kind in graph.KINDS:
                return graph.ids_beginning(connection, prefix)
            if kind != "p":
                return files.ids_beginning(connection, prefix)
            found = Reading(connection, self._dictionaries).passages(prefix)
            return sorted(each.passage_id for each in found)

    # Versions

    def versions(self, file_id: str) -> list[Version]:
        """All versions of a File, newest first.

        Raises:
            NotFound: there is no such File.
        """
        with self._database.reading() as connection:
            return files.versions(connection, file_id)

    def version(self, version_id: str) -> Version:
        """Find a version by its whole ID.

        Raises:
            NotFound: there is none.
        """
        with self._database.reading() as connection:
            return files.held(connection, version_id).version

    def version_by_key(self, key: int) -> Version:
        """Find a version by its key.

        Raises:
            NotFound: there is none.
        """
        with self._database.reading() as connection:
            return files.held_by_key(connection, key).version

    def opened(self, keys: Iterable[int], whole_bytes: int) -> list[Opened]:
        """Open several versions at one moment, at a fraction of what it takes one thing after the other.

        Args:
            keys: of the versions.
            whole_bytes: texts up to this size are read.

        Raises:
            NotFound: there is no such version, or its bytes were pruned.
            StoreDamaged: something is not what was recorded; the message names File and version.
        """
        with self._database.reading() as connection:
            reading = Reading(connection, self._dictionaries)
            return [reading.opened(files.held_by_key(connection, key), whole_bytes) for key in keys]

    def opened_version(self, version_id: str, whole_bytes: int) -> Opened:
        """Open one version by its ID, as `opened` does."""
        with self._database.reading() as connection:
            reading = Reading(connection, self._dictionaries)
            return reading.opened(files.held(connection, version_id), whole_bytes)

    def version_numbered(self, file_id: str, number: int) -> Version:
        """Find a version by its File and its number.

        Raises:
            NotFound: there is none.
        """
        with self._database.reading() as connection:
            return files.held_numbered(connection, file_id, number).version

    def current_keys(self) -> dict[int, FileId]:
        """The keys of all current versions, and the Files they belong to."""
        with self._database.reading() as connection:
            return files.current_keys(connection)

    def files_once_at(self, path: str) -> list[File]:
        """The Files that were at a path before they were renamed, the last to change first."""
        with self._database.reading() as connection:
            return files.files_once_at(connection, path)

    def paths_ever(self) -> set[str]:
        """Every path at which a File is or once was, trashed ones included."""
        with self._database.reading() as connection:
            return files.paths_ever(connection)

    def changes(self, since: int = 0) -> tuple[int, list[Change]]:
        """What changed of path, state or newest version after a change's number.

        Returns:
            The number of the last change, to ask with the next time, and each File that changed, as it is
            now.
        """
        with self._database.reading() as connection:
            return files.changes(connection, since)

    def last_change(self) -> int:
        """The number of the last change, see `changes`."""
        with self._database.reading() as connection:
            return files.last_change(connection)

    def processing(self) -> list[VersionId]:
        """The versions that have no cut yet, oldest first."""
        with self._database.reading() as connection:
            return files.processing(connection)

    # Bytes

    def raw(self, version_id: str) -> bytes:
        """Read the exact bytes of a version; they are compared with its digest.

        Raises:
            NotFound: there is no such version, or its bytes were pruned.
            StoreDamaged: the bytes are not what was recorded; the message names File and version.
        """
        with self._reading(version_id) as (reading, held):
            return reading.raw(held)

    def text(self, version_id: str) -> bytes:
        """Read the text of a version as UTF-8, decoded as it was recorded.

        Raises:
            NotFound: there is no such version, or its bytes were pruned.
            StoreDamaged: the bytes are not what was recorded; the message names File and version.
        """
        with self._reading(version_id) as (reading, held):
            return reading.text(held)

    def text_size(self, version_id: str) -> int:
        """How many bytes the text of a version has.

        Raises:
            NotFound: there is no such version.
        """
        with self._reading(version_id) as (_reading, held):
            return held.text_bytes

    def window(self, version_id: str, start: int, max_bytes: int) -> bytes:
        """Read the bytes of a version's text from `start`, at most `max_bytes`, wherever characters end.

        Of a large version only the frames that the window touches are read and checked.

        Raises:
            NotFound: there is no such version, or its bytes were pruned.
            InputInvalid: start or max_bytes is negative.
            StoreDamaged: the bytes are not what was recorded; the message names File and version.
        """
        if start < 0 or max_bytes < 0:
            raise InputInvalid("A window starts at 0 or later, and has 0 bytes or more.")
        with self._reading(version_id) as (reading, held):
            return reading.window(held, start, max_bytes)

    def frames(self, version_id: str) -> list[Frame]:
        """The stretches of a version's text that are read and checked by themselves, with their first lines.

        A small version, and one that is not UTF-8, is one frame.

        Raises:
            NotFound: there is no such version, or its bytes were pruned.
            StoreDamaged: the list is not what was recorded; the message names File and version.
        """
        with self._reading(version_id) as (reading, held):
            return reading.frames(held)

    def cut(self, version_id: str) -> Cut | None:
        """How a version is cut into sections and passages; None while it is processing.

        Raises:
            NotFound: there is no such version.
            StoreDamaged: it is not what was recorded; the message names File and version.
        """
        with self._reading(version_id) as (reading, held):
            return reading.cut(held)

    def passage(self, passage_id: str) -> tuple[Version, int] | None:
        """Find a passage by its whole ID.

        Returns:
            Its version (current, older or of a trashed File) and its ordinal in that version's cut.
        """
        with self._database.reading() as connection:
            for found in Reading(connection, self._dictionaries).passages(passage_id):
                return found.version, found.ordinal
        return None

    @contextmanager
    def _reading(self, version_id: str) -> Iterator[tuple[Reading, Held]]:
        with self._database.reading() as connection:
            reading = Reading(connection, self._dictionaries)
            yield reading, reading.intact(files.held(connection, version_id))
