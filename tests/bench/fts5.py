"""The peer of the search: SQLite's FTS5, as one would set it up for passages."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stonebrowse.library.library import Library

CACHE_KIB = 64 * 1024
CREATE = """
CREATE VIRTUAL TABLE passages USING fts5(
    path, heading, trail, body, tokenize = 'porter unicode61 remove_diacritics 2'
)
"""
# The best 20 with what a hit shows: as much as our call gives.
SEARCH = """
SELECT rowid, path, heading, trail, body FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 20
"""

Values = tuple[str, str, str, str]


class Fts5:
    """A table of all current passages of a library."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Made by `build`."""
        self._connection = connection

    @classmethod
    def build(cls, place: Path, library: Library) -> tuple[Fts5 | None, str]:
        """Builds the table; None and the reason where this SQLite has no FTS5."""
        connection = sqlite3.connect(place)
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        try:
            connection.execute(CREATE)
        except sqlite3.OperationalError as error:
            connection.close()
            return None, f"SQLite {sqlite3.sqlite_version} has no FTS5 ({error})"
        with connection:
            connection.executemany("INSERT INTO passages VALUES (?, ?, ?, ?)", _passages(library))
            connection.execute("INSERT INTO passages (passages) VALUES ('optimize')")
        return cls(connection), ""

    def search(self, query: str) -> list[Values]:
        """The best 20 passages for a query in FTS5's own language."""
        return self._connection.execute(SEARCH, (query,)).fetchall()

    def close(self) -> None:
        """Closes it."""
        self._connection.close()


def _passages(library: Library) -> Iterator[Values]:
    for file in library.files():
        document = library.document(library.find_version(file, None), file)
        pieces = document.cut
        for passage in pieces.passages():
            heading = pieces.section(passage.section).heading
            body = document.read(passage.start, passage.end).decode()
            yield file.path, heading, " ".join(pieces.trail(passage.section)), body
