"""The one object through which the rest of stonebrowse reaches the store."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self

from stonebrowse.errors import StoreUnavailable
from stonebrowse.store import checking, facts, files, measuring, pruning, schema, writing
from stonebrowse.store.database import Database
from stonebrowse.store.desk import Desk
from stonebrowse.store.graph import Graph
from stonebrowse.store.graph_copying import GraphCopies
from stonebrowse.store.handouts import Handouts
from stonebrowse.store.notes import Notes
from stonebrowse.store.pruning import Dropped
from stonebrowse.store.records import FolderIdentity
from stonebrowse.store.reviews import Reviews
from stonebrowse.store.shelves import Shelves
from stonebrowse.store.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path
    from types import TracebackType

    from stonebrowse.store.checking import Fault
    from stonebrowse.store.measuring import Sizes
    from stonebrowse.store.records import Version

WAIT_SECONDS: Final = 60.0
"""How long another writer is waited for."""
TIDIED_AT_ONCE_BYTES: Final = 1 << 20
_FOLDER: Final = "folder"


class Store(Shelves):
    """A library's Files and versions.

    One object may be used by several threads at once: each call that reads borrows a connection of its own,
    and `writing` lets one thread in at a time. Any number of processes may read while one writes. It must not
    be used across a fork.
    """

    def __init__(self, database: Database) -> None:
        """Made by `Store.open` only."""
        super().__init__(database)
        self.handouts = Handouts(database)
        self.reviews = Reviews(database)
        self.desk = Desk(database)
        self.graph = Graph(database)
        self.graph_copies = GraphCopies(database)
        self.notes = Notes(database)

    @classmethod
    def open(
        cls,
        place: Path,
        *,
        folder: bytes,
        create: bool = True,
        write: bool = True,
        relocate: bool = False,
        wait_seconds: float = WAIT_SECONDS,
    ) -> Self:
        """Open the store in a place, or make it.

        Args:
            place: the folder the store lies in; made with mode 0700 where it is missing.
            folder: the bytes of the real path of the library's folder.
            create: make the store where there is none (only with `write`).
            write: allow writing. Without, a place that cannot be written will do.
            relocate: the store's folder has moved to `folder`: write that down.
            wait_seconds: how long to wait for another writer.

        Raises:
            StoreUnavailable: there is none, it belongs to another folder, is not permitted, or was written by
                a newer stonebrowse.
            StoreDamaged: what lies there is no store any more.
        """
        database = Database(place, create=create, write=write, wait_seconds=wait_seconds)
        store = cls(database)
        try:
            store._claim(folder, relocate=relocate)
        except BaseException:
            store.close()
            raise
        return store

    def _claim(self, folder: bytes, *, relocate: bool) -> None:
        place = self._database.place
        known = self._fact(_FOLDER)
        if known == folder.hex():
            return
        if known is not None and not relocate:
            of = bytes.fromhex(known).decode("utf-8", "backslashreplace")
            raise StoreUnavailable(
                f"The store {place} belongs to the folder {of}: choose another `--store`, or say"
                " `--relocate` if that folder has moved."
            )
        with self._database.transaction() as connection:
            # Another process may have been quicker.
            quicker = known is None and facts.read(connection, _FOLDER) is not None
            if not quicker:
                facts.write(connection, _FOLDER, folder.hex())
        if quicker:
            self._claim(folder, relocate=relocate)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it; it cannot be used afterwards."""
        self._database.close()

    @property
    def place(self) -> Path:
        """The folder the store lies in."""
        return self._database.place

    def data_version(self) -> int:
        """Give a number that changes when anything was committed, by this or another process.

        Only numbers of this one object can be compared.
        """
        return self._database.data_version()

    # Facts

    def skipped(self) -> list[tuple[str, str]]:
        """What is skipped: pairs of path and reason, by path."""
        with self._database.reading() as connection:
            return connection.execute("SELECT path, reason FROM skipped ORDER BY path").fetchall()

    def noted(self, key: str) -> str | None:
        """Read a small fact that was noted."""
        return self._fact(writing.NOTE + key)

    def folder_identity(self) -> FolderIdentity | None:
        """What the folder was when that was last written down."""
        fact = self._fact(writing.FOLDER_IDENTITY)
        return None if fact is None else FolderIdentity(*map(int, fact.split()))

    def _fact(self, name: str) -> str | None:
        with self._database.reading() as connection:
            return facts.read(connection, name)

    # Writing, checking, copying

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Begin a transaction: all of the block is kept, or nothing where it raises.

        When the block has ended without an error, what was written is on the disk. Another writer is waited
        for, 60 seconds unless the store was opened otherwise.

        Raises:
            StoreUnavailable: another writer did not end in time, the disk is full, or the store was opened
            for
                reading only.
        """
        try:
            with self._database.transaction() as connection:
                transaction = Writing(connection, self._dictionaries)
                yield transaction
                transaction.finish()
        except BaseException:
            self._dictionaries.forget()
            raise

    def tidy(self, budget_bytes: int = TIDIED_AT_ONCE_BYTES) -> bool:
        """Make the store smaller, a little at a time.

        To be called again and again while nothing else is to be done.

        Args:
            budget_bytes: how much is written again in this transaction, about 50 ms for each megabyte.

        Returns:
            Whether there is more to do.
        """
        with self.writing() as transaction:
            return transaction.tidy(budget_bytes) <= 0

    def check(self, progress: Callable[[int, int], None] | None = None) -> list[Fault]:
        """Check the whole store: its database, each content, each cut, each derived ID. Repairs nothing.

        Args:
            progress: told now and then how many of how many things are checked; what it raises stops the
            check.
        """
        return checking.check(self._database, self._dictionaries, progress)

    def sizes(self, largest: int = 10) -> Sizes:
        """How much there is, and what takes the room.

        Args:
            largest: how many Files to name.
        """
        with self._database.reading() as connection:
            return measuring.sizes(connection, largest)

    def schema_version(self) -> int:
        """How many migrations the store has had."""
        with self._database.reading() as connection:
            return schema.schema_version(connection)

    def engine_version(self) -> str:
        """Which SQLite it is kept with."""
        with self._database.reading() as connection:
            version: str = connection.execute("SELECT sqlite_version()").fetchone()[0]
            return version

    def held_versions(self) -> set[int]:
        """The keys of the versions that anything holds on to; see `pruning.held_versions`."""
        with self._database.reading() as connection:
            return pruning.held_versions(connection)

    def prune(self, before: datetime, *, dry_run: bool = False) -> Dropped:
        """Drop the bytes of versions that were replaced before a time; see `pruning`.

        Args:
            before: the time, with a time zone.
            dry_run: only say what would be dropped.
        """
        before_us = files.microseconds(before)
        if dry_run:
            with self._database.reading() as connection:
                return pruning.Pruning(connection, self._dictionaries).measure(before_us)
        total = Dropped()
        while True:
            with self._database.transaction() as connection:
                dropped = pruning.Pruning(connection, self._dictionaries).drop_due(before_us)
            if not dropped.versions:
                return total
            total = Dropped(
                total.versions + dropped.versions,
                total.bytes_raw + dropped.bytes_raw,
                total.bytes_kept + dropped.bytes_kept,
            )

    def forget(self, version_id: str, then: Callable[[], None] = lambda: None) -> list[Version]:
        """Drop the bytes of one version so that nothing of them is left in the store's files.

        Args:
            version_id: the version.
            then: what else has to be done for them to be gone; until it is, `scrubbed` is false.

        Returns:
            All versions that had the same bytes.

        Raises:
            NotFound: there is no such version.
            InputInvalid: it is the current version of a File, or one has the same bytes.
            StoreUnavailable: another process goes on reading what was there before: the bytes cannot be read
                any more, but are not gone from the files yet. To be called again.
        """
        try:
            with self._database.transaction() as connection:
                forgotten = pruning.Pruning(connection, self._dictionaries).forget(version_id)
        finally:
            self._dictionaries.forget()
        self._database.scrub()
        then()
        with self._database.transaction() as connection:
            pruning.scrubbed(connection)
        return forgotten

    def scrubbed(self) -> bool:
        """Whether nothing of what was forgotten is left in the store's files."""
        with self._database.reading() as connection:
            return pruning.is_scrubbed(connection)

    def backup(self, path: Path) -> None:
        """Write a copy of the whole store, as it is at one moment, to a new file; others may go on writing.

        Put into an empty folder under the name `store.sqlite3` it is a store again.

        Raises:
            InputInvalid: there is something at the path already.
            StoreUnavailable: the copy cannot be written.
        """
        self._database.copy(path)

    def checkpoint(self) -> None:
        """Move what was written last from the log into the database file."""
        self._database.checkpoint()
