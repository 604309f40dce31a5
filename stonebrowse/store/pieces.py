"""Pieces: the compressed bytes of contents and cuts, apart from what is known about them.

A File's newest content is large, those before it are small. When a newer one comes it is written where the
one before stood, and what the older one shrinks to goes to the end: so pages stay full (written the other way
round they were half empty: 47 % more for the history of a documentation of 7,501 versions).
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from stonebrowse.store.compression import Spoilt

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


def read(connection: sqlite3.Connection, key: int) -> bytes:
    """Read a piece.

    Raises:
        Spoilt: it is gone.
    """
    row = connection.execute("SELECT data FROM pieces WHERE key = ?", (key,)).fetchone()
    if row is None or not isinstance(row[0], bytes):
        raise Spoilt("its bytes are gone")
    data: bytes = row[0]
    return data


def add(connection: sqlite3.Connection, data: bytes) -> int:
    """Keep a piece; gives its key."""
    key = connection.execute("INSERT INTO pieces (data) VALUES (?)", (data,)).lastrowid
    assert key is not None
    return key


def put(connection: sqlite3.Connection, key: int | None, data: bytes) -> int:
    """Write other bytes over a piece, through the door that allows it; without a key, keep a new one."""
    if key is None:
        return add(connection, data)
    connection.execute("UPDATE pieces SET data = ? WHERE key = ?", (data, key))
    return key


def move(connection: sqlite3.Connection, key: int, data: bytes) -> int:
    """Write a piece at the end, and take the old one away, through the door; gives its new key."""
    moved = add(connection, data)
    connection.execute("DELETE FROM pieces WHERE key = ?", (key,))
    return moved


@contextmanager
def re_encoding(connection: sqlite3.Connection) -> Iterator[None]:
    """Open the door through which a content is written in another form, for the length of the block."""
    connection.execute("INSERT INTO doors VALUES ('re-encode')")
    yield
    connection.execute("DELETE FROM doors WHERE name = 're-encode'")
