"""Engraved notes: which Files stonebrowse wrote, and the sources each names.

That a File was written by stonebrowse stands in `files.written_by`, which never changes. Here stands what its sources
are: a row of `note_sources` holds on to the version it names, so that pruning keeps its bytes (see
`pruning.held_versions`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from stonebrowse.store.database import Database

TABLES: Final = """
-- `start_byte`, `end_byte`: what of the version's text is cited. `words`: exact words, not a passage or a whole text.
CREATE TABLE note_sources (
    file INTEGER NOT NULL REFERENCES files,
    place INTEGER NOT NULL,
    citation TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES versions,
    digest TEXT NOT NULL,
    start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
    end_byte INTEGER NOT NULL CHECK (end_byte >= start_byte),
    words INTEGER NOT NULL CHECK (words IN (0, 1)),
    PRIMARY KEY (file, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_sources_by_version ON note_sources (version);
CREATE TRIGGER note_sources_stay BEFORE UPDATE ON note_sources
BEGIN SELECT RAISE(ABORT, 'a source of a note is never changed'); END;
CREATE TRIGGER note_sources_are_kept BEFORE DELETE ON note_sources
WHEN NOT EXISTS (SELECT 1 FROM doors WHERE name = 'prune')
BEGIN SELECT RAISE(ABORT, 'a source of a note is never deleted'); END;
"""


class NoteSource(NamedTuple):
    """One source of a note.

    Attributes:
        citation: its citation string, as it stands in the note.
        version_id: the version it cites.
        digest: that version's digest.
        start, end: the bytes of the version's text that it cites.
        words: whether it cites exact words, not a passage or a whole text.
    """

    citation: str
    version_id: str
    digest: str
    start: int
    end: int
    words: bool = False


class Notes:
    """The sources of engraved notes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sources(self, file_id: str) -> list[NoteSource]:
        """The sources that a note was engraved with, in their order."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT s.citation, v.id, s.digest, s.start_byte, s.end_byte, s.words
                FROM note_sources s JOIN files f ON f.key = s.file JOIN versions v ON v.key = s.version
                WHERE f.id = ? ORDER BY s.place
                """,
                (file_id,),
            )
            return [NoteSource(*row)._replace(words=bool(row[5])) for row in rows]

    def citing(self, version_id: str) -> list[str]:
        """The File IDs of the notes that name a version as a source."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT DISTINCT f.id FROM note_sources s JOIN files f ON f.key = s.file
                JOIN versions v ON v.key = s.version WHERE v.id = ? ORDER BY f.key
                """,
                (version_id,),
            )
            return [file_id for (file_id,) in rows]


def write(connection: sqlite3.Connection, file_id: str, sources: Iterable[NoteSource]) -> None:
    """Write down the sources of a File that was just recorded, in its transaction."""
    (key,) = connection.execute("SELECT key FROM files WHERE id = ?", (file_id,)).fetchone()
    connection.executemany(
        """
        INSERT INTO note_sources
        SELECT ?, ?, ?, key, ?, ?, ?, ? FROM versions WHERE id = ?
        """,
        [
            (key, place, each.citation, each.digest, each.start, each.end, int(each.words), each.version_id)
            for place, each in enumerate(sources)
        ],
    )


def forget(connection: sqlite3.Connection, version: int) -> None:
    """Drop the sources that name a version, by its key: they hold its headings."""
    connection.execute("DELETE FROM note_sources WHERE version = ?", (version,))
