"""From what SQLite says to what stonebrowse says: one clear sentence, and what to do."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from stonebrowse.errors import Internal, StonebrowseError, StoreDamaged, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PRIMARY: Final = 0xFF
"""The low byte of an extended result code is the primary one. Source: sqlite.org/rescode.html."""

_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_CLOSED: Final = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH}
_DAMAGED: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_MISMATCH,
    # No such table or column, or a schema that does not parse: the schema is not the one that was made.
    sqlite3.SQLITE_ERROR,
}
_DOCTOR: Final = "run `stonebrowse doctor`, and restore a backup if it finds damage"


@contextmanager
def translated(place: Path) -> Iterator[None]:
    """Let no `sqlite3.Error` out of the block.

    Args:
        place: the store's folder, for the sentence.

    Raises:
        StoreUnavailable: a lock, a permission, a full disk.
        StoreDamaged: what is in the database is not what was written.
        Internal: stonebrowse used the database wrongly.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise translation(error, place) from error
    except UnicodeDecodeError as error:
        # All text was written as UTF-8. SQLite puts text of a damaged schema into its message, and Python
        # fails to read that.
        raise StoreDamaged(f"The store {place} is damaged (text that is no UTF-8): {_DOCTOR}.") from error


@contextmanager
def usable(place: Path) -> Iterator[None]:
    """Let no `OSError` out of a block that handles the store's folder and files.

    Raises:
        StoreUnavailable: what the system said.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreUnavailable(f"The store {place} cannot be used ({reason}): look at its folder.") from error


def busy(place: Path) -> StoreUnavailable:
    """The error that says that another writer did not end in time."""
    return StoreUnavailable(
        f"Another stonebrowse has been writing to the store {place} all the time: try again when it is done."
    )


def translation(error: sqlite3.Error, place: Path) -> StonebrowseError:
    """Find the error of stonebrowse that says what an error of SQLite means."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & _PRIMARY
    if primary in _BUSY:
        return busy(place)
    if primary == sqlite3.SQLITE_FULL:
        return StoreUnavailable(f"The disk of the store {place} is full: free some space and try again.")
    if primary in _CLOSED:
        return StoreUnavailable(
            f"The store {place} cannot be opened or written ({error}): look at the permissions of its files."
        )
    if primary == sqlite3.SQLITE_IOERR:
        return StoreUnavailable(
            f"The disk of the store {place} failed or is full ({error}): look at it and try again."
        )
    if primary in _DAMAGED or (primary is None and isinstance(error, sqlite3.OperationalError)):
        # Python reports text that is no UTF-8 without a code: it was written as UTF-8.
        return StoreDamaged(f"The store {place} is damaged ({error}): {_DOCTOR}.")
    return Internal(f"The store {place} refused what stonebrowse asked of it ({error}).")
