"""What a person has seen of the changes: for `review`.

A row for a File says what was seen of it last, and stands there only while something has changed since: the first
change writes it, by a trigger, with the File as it was before. So nothing is to be kept up to date, whoever writes
to the store. Before the first pass over a folder is over nothing is written: all of a new library counts as seen.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stonebrowse.store import files

if TYPE_CHECKING:
    import sqlite3

    from stonebrowse.store.database import Database
    from stonebrowse.store.records import FileState

TABLES: Final = """
-- One row, once the first pass over the folder is over.
CREATE TABLE review_begun (
    only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
    begun_us INTEGER NOT NULL
) STRICT;

-- What was seen last of a File that has changed since; all NULL where it is new.
CREATE TABLE review_unseen (
    file INTEGER PRIMARY KEY REFERENCES files,
    version INTEGER REFERENCES versions,
    path TEXT,
    state TEXT CHECK (state IN ('current', 'trashed')),
    CHECK ((version IS NULL) = (path IS NULL) AND (version IS NULL) = (state IS NULL))
) STRICT;
CREATE INDEX review_unseen_by_version ON review_unseen (version);

-- Changes of such a File that were marked as seen one by one, by a hash of what changed.
CREATE TABLE review_marks (
    file INTEGER NOT NULL REFERENCES review_unseen ON DELETE CASCADE,
    mark TEXT NOT NULL,
    PRIMARY KEY (file, mark)
) STRICT, WITHOUT ROWID;

-- Where a File was, and whether it was in the library, until a time: versions alone do not say that.
CREATE TABLE review_moves (
    key INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES files,
    until_us INTEGER NOT NULL,
    path TEXT NOT NULL,
    state TEXT NOT NULL
) STRICT;
CREATE INDEX review_moves_by_time ON review_moves (until_us);

CREATE TRIGGER review_new_files AFTER INSERT ON files WHEN EXISTS (SELECT 1 FROM review_begun)
BEGIN INSERT OR IGNORE INTO review_unseen (file) VALUES (NEW.key); END;
CREATE TRIGGER review_changed_files AFTER UPDATE OF path, state, newest ON files
WHEN (OLD.path <> NEW.path OR OLD.state <> NEW.state OR OLD.newest <> NEW.newest)
    AND OLD.path NOT LIKE '//%' AND EXISTS (SELECT 1 FROM review_begun)
BEGIN INSERT OR IGNORE INTO review_unseen VALUES (OLD.key, OLD.newest, OLD.path, OLD.state); END;
CREATE TRIGGER review_moved_files AFTER UPDATE OF path, state ON files
WHEN (OLD.path <> NEW.path OR OLD.state <> NEW.state) AND OLD.path NOT LIKE '//%'
BEGIN
    INSERT INTO review_moves (file, until_us, path, state)
    VALUES (OLD.key, CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER), OLD.path, OLD.state);
END;
"""


@dataclass(frozen=True, slots=True)
class Seen:
    """A File that changed, and what was seen of it last.

    Attributes:
        file_id: the File.
        version_id: its newest version then; None where it is new.
        path, state: where it was then, and whether it was in the library; None where it is new.
    """

    file_id: str
    version_id: str | None
    path: str | None
    state: FileState | None


class Reviews:
    """What a person has seen of the changes: for `review`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self) -> None:
        """Count as seen all there is now, and keep what changes from now on. Does nothing the second time."""
        with self._database.reading() as connection:
            begun = _begun(connection)
        if not begun:
            with self._database.transaction() as connection:
                connection.execute(
                    "INSERT OR IGNORE INTO review_begun VALUES (1, ?)", (time.time_ns() // 1000,)
                )

    def begun(self) -> bool:
        """Whether it has begun."""
        with self._database.reading() as connection:
            return _begun(connection)

    def unseen(self) -> list[Seen]:
        """The Files that changed since they were last seen, by their path now."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT f.id, v.id, u.path, u.state FROM review_unseen u JOIN files f ON f.key = u.file"
                " LEFT JOIN versions v ON v.key = u.version ORDER BY f.path, f.key"
            )
            return [Seen(*row) for row in rows]

    def since(self, moment_us: int) -> list[Seen]:
        """The Files that changed after a time (in microseconds since 1970), by path, as they were then."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT f.id, (SELECT v.id FROM versions v WHERE v.file = f.key AND v.recorded_us <= :at"
                "  ORDER BY v.number DESC LIMIT 1), coalesce(m.path, f.path), coalesce(m.state, f.state)"
                " FROM files f LEFT JOIN review_moves m ON m.key ="
                "  (SELECT min(n.key) FROM review_moves n WHERE n.file = f.key AND n.until_us > :at)"
                " WHERE m.key IS NOT NULL OR f.key IN (SELECT file FROM versions WHERE recorded_us > :at)"
                " ORDER BY f.path, f.key",
                {"at": moment_us},
            )
            found = [Seen(*row) for row in rows]
        return [each if each.version_id else Seen(each.file_id, None, None, None) for each in found]

    def marks(self, file_id: str) -> set[str]:
        """The changes of a File that were marked as seen one by one."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT m.mark FROM review_marks m JOIN files f ON f.key = m.file WHERE f.id = ?", (file_id,)
            )
            return {mark for (mark,) in rows}

    def mark(self, file_id: str, mark: str) -> None:
        """Mark one change of a File as seen."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO review_marks SELECT u.file, ? FROM review_unseen u"
                " JOIN files f ON f.key = u.file WHERE f.id = ?",
                (mark, file_id),
            )

    def see(self, seen: list[Seen]) -> None:
        """Write down what was seen of some Files; what has changed since it was shown stays unseen."""
        with self._database.transaction() as connection:
            for each in seen:
                now = files.file(connection, each.file_id)
                same = (now.version_id, now.path, now.state) == (each.version_id, each.path, each.state)
                (key,) = connection.execute("SELECT key FROM files WHERE id = ?", (each.file_id,)).fetchone()
                connection.execute("DELETE FROM review_marks WHERE file = ?", (key,))
                if same:
                    connection.execute("DELETE FROM review_unseen WHERE file = ?", (key,))
                else:
                    connection.execute(
                        "UPDATE review_unseen SET version = (SELECT key FROM versions WHERE id = ?), path = ?,"
                        " state = ? WHERE file = ?",
                        (each.version_id, each.path, each.state, key),
                    )


def _begun(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM review_begun").fetchone() is not None
