"""How much a store holds, and what takes the room: for `store stats`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stonebrowse.store.contents import PRUNED
from stonebrowse.store.database import FILE_NAME

if TYPE_CHECKING:
    import sqlite3

    from stonebrowse.store.identifiers import FileId

_LARGEST: Final = """
    SELECT f.id, f.path, f.state, count(*), sum(v.size),
        coalesce(sum((SELECT length(data) FROM contents c JOIN pieces p ON p.key = piece WHERE c.key = content)), 0)
    FROM versions v JOIN files f ON f.key = v.file GROUP BY f.key ORDER BY sum(v.size) DESC, f.path LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class FileSize:
    """What one File takes.

    Attributes:
        file_id, path, state: the File.
        versions: how many it has.
        bytes_raw: the bytes of all its versions together.
        bytes_kept: the stored bytes of its versions; what several versions share counts for each, and the
            frames of large versions are not counted.
    """

    file_id: FileId
    path: str
    state: str
    versions: int
    bytes_raw: int
    bytes_kept: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a store holds.

    Attributes:
        files: Files in the library; `trashed`: Files that are not any more.
        versions: all versions; `pruned`: those whose bytes were dropped.
        bytes_raw: the bytes of all versions together; `bytes_pruned`: of those that were dropped.
        bytes_kept: what the store's own files take on the disk.
        largest: the Files with the most bytes.
    """

    files: int
    trashed: int
    versions: int
    pruned: int
    bytes_raw: int
    bytes_pruned: int
    bytes_kept: int
    largest: tuple[FileSize, ...]


def sizes(connection: sqlite3.Connection, largest: int) -> Sizes:
    """Measure a store; see `Store.sizes`."""
    current, trashed = connection.execute(
        "SELECT count(*) FILTER (WHERE state = 'current'), count(*) FILTER (WHERE state = 'trashed') FROM files"
    ).fetchone()
    versions, raw, pruned, gone = connection.execute(
        "SELECT count(*), coalesce(sum(v.size), 0), count(*) FILTER (WHERE c.form = ?),"
        " coalesce(sum(v.size) FILTER (WHERE c.form = ?), 0)"
        " FROM versions v JOIN contents c ON c.key = v.content",
        (PRUNED, PRUNED),
    ).fetchone()
    found = tuple(FileSize(*row) for row in connection.execute(_LARGEST, (largest,)))
    return Sizes(current, trashed, versions, pruned, raw, gone, _on_disk(connection), found)


def _on_disk(connection: sqlite3.Connection) -> int:
    from pathlib import Path

    file = next((row[2] for row in connection.execute("PRAGMA database_list") if row[1] == "main"), "")
    database = Path(file)
    if not file or database.name != FILE_NAME:
        return 0
    total = 0
    for name in (FILE_NAME, FILE_NAME + "-wal"):
        place = database.with_name(name)
        total += place.stat().st_size if place.exists() else 0
    return total
