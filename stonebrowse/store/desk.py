"""What lies on a person's desk: the tray, what was sent last, marks, and earlier queries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.store import files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.store.database import Database

QUERIES_KEPT: Final = 200

TABLES: Final = """
CREATE TABLE tray (
    position INTEGER PRIMARY KEY,
    citation TEXT NOT NULL,
    version INTEGER NOT NULL REFERENCES versions,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL
) STRICT;
CREATE INDEX tray_by_version ON tray (version);

-- What was handed to the terminal last; no token, but the citation that it stands for.
CREATE TABLE sent (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    text TEXT NOT NULL,
    sent_us INTEGER NOT NULL
) STRICT;

CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    version INTEGER NOT NULL REFERENCES versions,
    offset_byte INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX marks_by_version ON marks (version);

-- How the browser was left last.
CREATE TABLE sittings (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    version INTEGER REFERENCES versions,
    newest INTEGER NOT NULL,
    offset_byte INTEGER NOT NULL,
    pane TEXT NOT NULL,
    list TEXT NOT NULL,
    alone INTEGER NOT NULL,
    query TEXT NOT NULL
) STRICT;

CREATE TABLE queries (
    query TEXT PRIMARY KEY,
    asked INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""


class TrayItem(NamedTuple):
    """One citation in the tray.

    Attributes:
        citation: its string, as it was when it was put there.
        version_id: the version it cites.
        start: the first byte of the version's text that it cites.
        end: the byte after the last.
    """

    citation: str
    version_id: str
    start: int
    end: int


class Mark(NamedTuple):
    """A place that a person marked.

    Attributes:
        version_id: the version in which it was marked.
        offset: the byte of that version's text.
    """

    version_id: str
    offset: int


class Sitting(NamedTuple):
    """How a person left the browser.

    Attributes:
        version_id: the version that was read; None for none.
        newest: whether that was its File's newest then.
        offset: what stood at the top, in bytes of that version's text.
        pane: the pane in which the person was.
        list: what stood in the left pane.
        alone: whether the page stood alone.
        query: what stood in the search line; may be empty.
    """

    version_id: str | None
    newest: bool
    offset: int
    pane: str
    list: str
    alone: bool
    query: str


class Desk:
    """Keeps a person's desk."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # The tray

    def tray(self) -> list[TrayItem]:
        """What lies in the tray, in its order."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT t.citation, v.id, t.start_byte, t.end_byte
                FROM tray t JOIN versions v ON v.key = t.version ORDER BY t.position
                """
            )
            return [TrayItem(*row) for row in rows]

    def put(self, item: TrayItem) -> int:
        """Puts a citation at the end of the tray, unless it lies there; gives how many there are."""
        with self._database.transaction() as connection:
            connection.execute(
                """
                INSERT INTO tray (citation, version, start_byte, end_byte)
                SELECT ?1, key, ?3, ?4 FROM versions WHERE id = ?2
                AND NOT EXISTS (SELECT 1 FROM tray WHERE citation = ?1 AND version = versions.key
                                AND start_byte = ?3 AND end_byte = ?4)
                """,
                item,
            )
            count: int = connection.execute("SELECT count(*) FROM tray").fetchone()[0]
            return count

    def lay_out(self, items: Sequence[TrayItem]) -> None:
        """Makes the tray hold exactly these, in this order."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM tray")
            connection.executemany(
                """
                INSERT INTO tray (citation, version, start_byte, end_byte)
                SELECT ?1, key, ?3, ?4 FROM versions WHERE id = ?2
                """,
                items,
            )

    # What was sent

    def note_sent(self, text: str) -> None:
        """Keeps what was handed to the terminal; before it, another is forgotten."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO sent VALUES (1, ?, ?)", (text, files.microseconds(datetime.now(UTC)))
            )

    def sent(self) -> str | None:
        """What was handed to the terminal last."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT text FROM sent").fetchone()
            return None if row is None else row[0]

    # Marks

    def marks(self) -> dict[str, Mark]:
        """The marked places by their names."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT m.name, v.id, m.offset_byte FROM marks m JOIN versions v ON v.key = m.version"
            )
            return {name: Mark(version, offset) for name, version, offset in rows}

    def set_mark(self, name: str, mark: Mark) -> None:
        """Marks a place; one that had the name has it no more."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO marks SELECT ?, key, ? FROM versions WHERE id = ?",
                (name, mark.offset, mark.version_id),
            )

    # How the browser was left

    def sitting(self) -> Sitting | None:
        """How the browser was left last; None where it never was."""
        with self._database.reading() as connection:
            row = connection.execute(
                """
                SELECT v.id, s.newest, s.offset_byte, s.pane, s.list, s.alone, s.query
                FROM sittings s LEFT JOIN versions v ON v.key = s.version
                """
            ).fetchone()
        if row is None:
            return None
        version, newest, offset, pane, shown, alone, query = row
        return Sitting(version, bool(newest), offset, pane, shown, bool(alone), query)

    def leave(self, sitting: Sitting) -> None:
        """Keeps how the browser is left; before it, another is forgotten."""
        with self._database.transaction() as connection:
            connection.execute(
                """
                INSERT OR REPLACE INTO sittings
                VALUES (1, (SELECT key FROM versions WHERE id = ?), ?, ?, ?, ?, ?, ?)
                """,
                sitting,
            )

    # Queries

    def queries(self) -> list[str]:
        """Earlier queries, the last one first, each once."""
        with self._database.reading() as connection:
            return [row[0] for row in connection.execute("SELECT query FROM queries ORDER BY asked DESC")]

    def asked(self, query: str) -> None:
        """Keeps a query as the last that was asked; the oldest of too many are forgotten."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO queries VALUES (?, (SELECT coalesce(max(asked), 0) + 1 FROM queries))",
                (query,),
            )
            connection.execute(
                "DELETE FROM queries WHERE query NOT IN (SELECT query FROM queries ORDER BY asked DESC LIMIT ?)",
                (QUERIES_KEPT,),
            )
