"""The SQLite database of a store: opening it, many readers, one writer.

WAL with `synchronous=FULL`: what a transaction has committed survives a crash of the process and of the
machine, and readers never wait. Connections for reading are kept in a pool and lent for one call at a time,
so that any number of threads may read at once. Writing is one connection, one transaction at a time.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote_from_bytes

from stonebrowse.errors import InputInvalid, Internal, StoreDamaged, StoreUnavailable
from stonebrowse.store import schema
from stonebrowse.store.translation import busy, translated, usable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE_NAME: Final = "store.sqlite3"
PAGE_BYTES: Final = 1024
"""Small, since most rows are: pages of 4,096 bytes took 8 % more, and were no faster."""
CHECKPOINT_BYTES: Final = 4 << 20
"""From this length on the write-ahead log is moved into the database."""
MAX_LEFT_WAL_BYTES: Final = 4 << 20
"""What a write-ahead log may keep of its length between transactions."""
CACHE_KIB: Final = 8 << 10
"""The most that one connection keeps of the file: all that is known of 50,000 Files."""
MAX_IDLE_READERS: Final = 8


class Database:
    """One database file and the connections to it. Safe to use from several threads."""

    def __init__(self, place: Path, *, create: bool, write: bool, wait_seconds: float) -> None:
        """Open it, or make it.

        Args:
            place: the folder it lies in.
            create: make folder and database where they are missing.
            write: allow writing.
            wait_seconds: how long to wait for another writer.

        Raises:
            StoreUnavailable: missing, not permitted, of another program, or of a newer stonebrowse.
            StoreDamaged: no database.
        """
        self.place = place
        self.file = place / FILE_NAME
        self._write = write
        self._wait_seconds = wait_seconds
        self._guard = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        self._writing = threading.Lock()
        self._writing_thread: int | None = None
        self._writer: sqlite3.Connection | None = None
        self._watch: sqlite3.Connection | None = None
        with usable(place):
            if write and create:
                self._create()
            self._mode = self._access()
        with translated(place):
            self._prepare()

    # Opening

    def _create(self) -> None:
        self.place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not any(self.place.iterdir()):
            # Made by someone else, for this: what is kept here is nobody else's to read.
            self.place.chmod(0o700)
        try:
            # SQLite gives its other files the mode of this one.
            os.close(os.open(self.file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            return

    def _access(self) -> str:
        """Find out how the file can be opened: `mode=rw`, `mode=ro` or `immutable=1`."""
        try:
            self.file.stat()
        except FileNotFoundError:
            raise StoreUnavailable(
                f"There is no store at {self.place} yet: run `stonebrowse sync` to make one."
            ) from None
        if os.access(self.file, os.W_OK) and os.access(self.place, os.W_OK | os.X_OK):
            return "mode=rw"
        if self._write:
            raise StoreUnavailable(
                f"The store {self.place} cannot be written: look at the permissions of its files."
            )
        log = self.file.with_name(FILE_NAME + "-wal")
        if not log.exists() or not log.stat().st_size:
            # Nobody is writing, and nobody can start: no lock files are needed, and none can be made.
            return "immutable=1"
        return "mode=ro"

    def _connect(self, mode: str, *, read_only: bool) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{_uri(self.file)}?{mode}",
            uri=True,
            timeout=self._wait_seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            for pragma in (
                "foreign_keys=ON",
                "synchronous=FULL",
                "recursive_triggers=ON",
                "trusted_schema=OFF",
            ):
                connection.execute(f"PRAGMA {pragma}")
            connection.execute("PRAGMA cell_size_check=ON")
            connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
            if read_only:
                connection.execute("PRAGMA query_only=ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self) -> None:
        connection = self._connect(self._mode, read_only=False)
        try:
            self._look(connection)
            if schema.schema_version(connection) < len(schema.MIGRATIONS):
                self._bring_up_to_date(connection)
            self._set_up_log(connection)
        except BaseException:
            connection.close()
            raise
        if self._write:
            connection.execute(f"PRAGMA journal_size_limit={MAX_LEFT_WAL_BYTES}")
            connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_BYTES // PAGE_BYTES}")
            self._writer = connection
        else:
            connection.close()

    def _look(self, connection: sqlite3.Connection) -> None:
        """Refuse what is not ours, or is beyond us."""
        version = schema.schema_version(connection)
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        tables: int = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if application != schema.APPLICATION_ID and (tables or application or version):
            raise StoreUnavailable(f"{self.file} is a database of another program: choose another `--store`.")
        if application == schema.APPLICATION_ID and not (tables and version):
            raise StoreDamaged(f"The store {self.place} is damaged (its tables are gone): restore a backup.")
        if version > len(schema.MIGRATIONS):
            raise StoreUnavailable(
                f"The store {self.place} was written by a newer stonebrowse (schema {version}, this one knows"
                f" {len(schema.MIGRATIONS)}): upgrade stonebrowse."
            )

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        if self._mode != "mode=rw":
            raise StoreUnavailable(
                f"The store {self.place} is of an older stonebrowse and cannot be written: run"
                " `stonebrowse sync` where it can be."
            )
        # The size of a page can be chosen only while there is none.
        connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
        # So that what tidying frees can be given back to the disk.
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        self._set_up_log(connection)
        schema.migrate(connection, schema.MIGRATIONS)

    def _set_up_log(self, connection: sqlite3.Connection) -> None:
        """Turn WAL on, where it is not: in a new database, and in a restored backup."""
        if self._mode != "mode=rw":
            return
        deadline = time.monotonic() + self._wait_seconds
        while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            try:
                connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError:
                # SQLite does not wait for this lock; another process may be at the same place.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    # Reading

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that only reads, for the length of the block: the store at one moment."""
        with translated(self.place):
            connection = self._borrow()
            try:
                # One moment for all statements: between two of them another process may write a piece
                # elsewhere.
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._give_back(connection)

    def _borrow(self) -> sqlite3.Connection:
        with self._guard:
            if self._closed:
                raise Internal("The store was used after it was closed.")
            if self._idle:
                return self._idle.pop()
        return self._connect(self._mode, read_only=True)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._guard:
            if not self._closed and len(self._idle) < MAX_IDLE_READERS:
                self._idle.append(connection)
                return
        connection.close()

    def data_version(self) -> int:
        """Give a number that changes when anything was committed, by this or any other process.

        Only numbers of one Database can be compared.
        """
        with translated(self.place), self._guard:
            if self._closed:
                raise Internal("The store was used after it was closed.")
            if self._watch is None:
                # SQLite counts what other connections did: this one never does anything itself.
                self._watch = self._connect(self._mode, read_only=True)
            version: int = self._watch.execute("PRAGMA data_version").fetchone()[0]
            return version

    # Writing

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write in one transaction: all of the block, or nothing where it raises.

        When the block has ended without an error, what it wrote is on the disk.

        Raises:
            StoreUnavailable: the store was opened for reading only, or another writer did not end in time.
        """
        if not self._write:
            raise StoreUnavailable(f"The store {self.place} was opened for reading only.")
        if self._writing_thread == threading.get_ident():
            raise Internal("A transaction was begun inside a transaction.")
        if not self._writing.acquire(timeout=self._wait_seconds):
            raise busy(self.place)
        self._writing_thread = threading.get_ident()
        try:
            with translated(self.place):
                connection = self._writer
                if connection is None:
                    raise Internal("The store was used after it was closed.")
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        finally:
            self._writing_thread = None
            self._writing.release()

    def checkpoint(self) -> None:
        """Move all of the write-ahead log into the database, as far as readers allow."""
        with translated(self.place), self._writing:
            if self._writer is not None:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def scrub(self) -> None:
        """Write the database anew, so that nothing of what was deleted is left in its files.

        VACUUM copies only what is there, and the log is cut off when it is in the database. Takes as much room
        again for a moment.

        Raises:
            StoreUnavailable: another process goes on reading what was there before, or the disk is full.
        """
        deadline = time.monotonic() + self._wait_seconds
        with translated(self.place), self._writing:
            if self._writer is None:
                raise Internal("The store was used after it was closed.")
            self._writer.execute("VACUUM")
            while True:
                left, _, _ = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not left:
                    return
                if time.monotonic() > deadline:
                    raise busy(self.place)
                time.sleep(0.05)

    def copy(self, path: Path) -> None:
        """Write the database, as it is at one moment, to a new file: whole or not at all.

        Raises:
            InputInvalid: there is something at the path.
            StoreUnavailable: it cannot be written.
        """
        with translated(path), usable(path):
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            except FileExistsError:
                raise InputInvalid(f"There is something at {path} already: choose another path.") from None
            unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            try:
                os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                with closing(self._connect(self._mode, read_only=False)) as connection:
                    connection.execute("VACUUM INTO ?", (_uri(unfinished),))
                _sync(unfinished)
                unfinished.replace(path)
                _sync(path.parent)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                path.unlink(missing_ok=True)
                raise

    def close(self) -> None:
        """Close all connections; those that are lent close when they are given back."""
        with self._guard:
            self._closed = True
            connections = [*self._idle, self._watch, self._writer]
            self._idle, self._watch, self._writer = [], None, None
        for connection in connections:
            if connection is not None:
                connection.close()


def _uri(path: Path) -> str:
    """A path as SQLite takes it, whatever bytes are in it."""
    return "file:" + quote_from_bytes(os.fsencode(path.absolute()))


def _sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
