"""What was handed out: which citation string, of which version, when, and to which note.

A string in a note does not say which version it cites. It is the one from which stonebrowse handed it out:
copied, printed by `cite`, engraved, or taken for granted when the note was first checked (CONTRACT section 5,
"`check` verdicts").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.store import files

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    from stonebrowse.store.database import Database

TABLES: Final = """
-- `note`: the file in which the string was first checked; empty where the string was handed out to anyone.
CREATE TABLE handouts (
    citation TEXT NOT NULL,
    note TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES versions,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    handed_us INTEGER NOT NULL,
    PRIMARY KEY (citation, note, version, start_byte, end_byte)
) STRICT, WITHOUT ROWID;
CREATE INDEX handouts_by_version ON handouts (version);
"""


class Handout(NamedTuple):
    """One citation string that was handed out.

    Attributes:
        citation: the string.
        version_id: the version it was made from.
        start: the first byte of what it cites in that version's text.
        end: the byte after the last.
    """

    citation: str
    version_id: str
    start: int
    end: int


class Handouts:
    """Remembers citation strings that were handed out."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def remember(self, handouts: Iterable[Handout], at: datetime, *, note: str = "") -> None:
        """Remembers strings as handed out at a time; one that was before, of the same version, was so now again.

        Args:
            handouts: the strings.
            at: the time.
            note: the file in which they were first checked; empty for strings handed out to anyone.
        """
        with self._database.transaction() as connection:
            write(connection, handouts, at, note)

    def last(self, citation: str, before: datetime, *, note: str = "") -> Handout | None:
        """The last that was handed out of a string, to anyone or to a note, not after a time."""
        with self._database.reading() as connection:
            row = connection.execute(
                """
                SELECT h.citation, v.id, h.start_byte, h.end_byte
                FROM handouts h JOIN versions v ON v.key = h.version
                WHERE h.citation = ? AND h.note IN ('', ?) AND h.handed_us <= ?
                ORDER BY h.handed_us DESC, v.number DESC LIMIT 1
                """,
                (citation, note, files.microseconds(before)),
            ).fetchone()
            return None if row is None else Handout(*row)


def forget(connection: sqlite3.Connection, version: int) -> None:
    """Drop the strings that were handed out from a version, by its key: they hold its headings."""
    connection.execute("DELETE FROM handouts WHERE version = ?", (version,))


def write(connection: sqlite3.Connection, handouts: Iterable[Handout], at: datetime, note: str = "") -> None:
    """Remember strings as handed out, in a transaction; see `Handouts.remember`."""
    moment = files.microseconds(at)
    connection.executemany(
        """
        INSERT INTO handouts
        SELECT ?, ?, key, ?, ?, ? FROM versions WHERE id = ?
        ON CONFLICT DO UPDATE SET handed_us = max(handed_us, excluded.handed_us)
        """,
        [(each.citation, note, each.start, each.end, moment, each.version_id) for each in handouts],
    )
