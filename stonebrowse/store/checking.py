"""Checking a whole store, for `doctor`. It reports and never repairs."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from stonebrowse.errors import StonebrowseError
from stonebrowse.store import cuts, dictionaries, files, parity
from stonebrowse.store.compression import Spoilt
from stonebrowse.store.contents import Contents, Pruned
from stonebrowse.store.cuts import Cuts

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.store.database import Database
    from stonebrowse.store.dictionaries import Dictionaries

_MOST_LINES: Final = 100
"""Of SQLite's own report."""
_STEP: Final = 64
"""How many things are checked between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the store that is not as it was written."""

    kind: Literal["database", "dictionary", "content", "version", "cut"]
    message: str
    """One sentence. It may hold a path, and text of a damaged row."""
    file_id: str | None = None
    path: str | None = None
    version_id: str | None = None
    number: int | None = None


class Check:
    """One run over a store, through one connection."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        self._connection = connection
        self._contents = Contents(connection, shared)
        self._cuts = Cuts(connection, shared)
        self._faults: list[Fault] = []
        self._bad: dict[int, str] = {}
        """By the key of a damaged content, what is wrong with it."""

    def run(self, progress: Callable[[int, int], None] | None) -> list[Fault]:
        """Check everything; see `Store.check`."""
        self._check_database()
        contents = self._keys(
            "SELECT key FROM contents", "SELECT key FROM contents ORDER BY substr(digest, 1, 8)"
        )
        versions = self._keys("SELECT key FROM versions", "SELECT key FROM versions ORDER BY content")
        for key in self._keys("SELECT key FROM dictionaries"):
            self._check_dictionary(key)
        work = [(self._check_content, key) for key in contents] + [
            (self._check_version, key) for key in versions
        ]
        for done, (check, key) in enumerate(work):
            if progress is not None and done % _STEP == 0:
                progress(done, len(work))
            check(key)
        if progress is not None:
            progress(len(work), len(work))
        self._faults += [
            Fault("content", f"Content {key} is damaged ({reason}).") for key, reason in self._bad.items()
        ]
        return self._faults

    def _keys(self, *statements: str) -> list[int]:
        """All keys that can still be found: an index may be whole where its table is not."""
        found: set[int] = set()
        for statement in statements:
            try:
                found.update(key for (key,) in self._connection.execute(statement))
            except sqlite3.Error as error:
                self._faults.append(Fault("database", f"Some rows cannot be found ({error})."))
        return sorted(found)

    def _check_database(self) -> None:
        try:
            for (line,) in self._connection.execute(f"PRAGMA integrity_check({_MOST_LINES})"):
                if line != "ok":
                    self._faults.append(Fault("database", f"SQLite finds: {line}."))
            for table, row, parent, _ in self._connection.execute("PRAGMA foreign_key_check"):
                message = f"Row {row} of {table} names a row of {parent} that is gone."
                self._faults.append(Fault("database", message))
        except sqlite3.Error as error:
            self._faults.append(Fault("database", f"SQLite cannot check the database ({error})."))

    def _check_dictionary(self, key: int) -> None:
        stored = dictionaries.parts(self._connection, key)
        if self._emptied(key, stored):
            return
        bad = sum(not parity.good(part) for part in stored)
        if bad == 1:
            message = f"Dictionary {key} is damaged in one part, which its spare part makes good."
            self._faults.append(Fault("dictionary", message))
        elif bad:
            self._faults.append(Fault("dictionary", f"Dictionary {key} is damaged in {bad} parts."))

    def _emptied(self, key: int, stored: list[bytes | None]) -> bool:
        """Whether a dictionary was emptied on purpose: then nothing needs it any more."""
        users = (
            "SELECT (SELECT count(*) FROM contents WHERE dictionary = :key)"
            " + (SELECT count(*) FROM cuts WHERE dictionary = :key)"
        )
        if any(part is not None for part in stored):
            return False
        return bool(self._connection.execute(users, {"key": key}).fetchone() == (0,))

    def _check_content(self, key: int) -> None:
        try:
            self._contents.read(key)
        except Pruned:
            return
        except (Spoilt, sqlite3.Error) as error:
            self._bad[key] = str(error)

    def _check_version(self, key: int) -> None:
        try:
            held = files.held_by_key(self._connection, key)
            path = files.file(self._connection, held.version.file_id).path
        except (sqlite3.Error, StonebrowseError) as error:
            message = f"The row of the version with key {key}, or of its File, cannot be read ({error})."
            self._faults.append(Fault("version", message))
            return
        version = held.version
        name = f"Version {version.number} ({version.version_id}) of {path} ({version.file_id})"
        named = (version.file_id, path, version.version_id, version.number)
        if not held.intact:
            message = (
                f"{name} is damaged: its row is not what was written, or its ID does not follow from it."
            )
            self._faults.append(Fault("version", message, *named))
        if held.content in self._bad:
            self._faults.append(Fault("version", f"{name} is damaged ({self._bad[held.content]}).", *named))
        try:
            cuts.unpacked(self._cuts.read(key))
        except (Spoilt, sqlite3.Error) as error:
            self._faults.append(Fault("cut", f"{name} has a damaged cut ({error}).", *named))


def check(
    database: Database, shared: Dictionaries, progress: Callable[[int, int], None] | None
) -> list[Fault]:
    """Check a whole store; see `Store.check`."""
    with database.reading() as connection:
        return Check(connection, shared).run(progress)
