"""The schema of the database, and how an older one becomes this one.

One migration a step, applied in one transaction each; a migration that has been released is never changed.
The number of steps applied is SQLite's `user_version`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stonebrowse.store import desk, graph_tables, handouts, notes, pruning, reviews

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

APPLICATION_ID: Final = 0x5374_6F6E
"""`Ston`, in the header of the file: tells a store from any other SQLite database."""

_FIRST: Final = """
-- Small facts by name: the folder, and what the library notes.
CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A row here opens a door: it lets the rest of its transaction do what the triggers below forbid.
CREATE TABLE doors (
    name TEXT PRIMARY KEY CHECK (name IN ('re-encode', 'prune'))
) STRICT, WITHOUT ROWID;

-- Samples that contents and cuts are compressed against, in parts, see parity: much depends on them.
CREATE TABLE dictionaries (
    key INTEGER PRIMARY KEY,
    purpose TEXT NOT NULL CHECK (purpose IN ('contents', 'cuts'))
) STRICT;
CREATE TABLE dictionary_parts (
    dictionary INTEGER NOT NULL REFERENCES dictionaries,
    part INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (dictionary, part)
) STRICT, WITHOUT ROWID;

-- Compressed bytes. What they are is said by the one row of contents or cuts that names them (not by a
-- foreign key: to delete a piece would then need an index of those rows).
CREATE TABLE pieces (
    key INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Contents by their digest. `form` says how the piece is read:
--   0 by itself; 1 with `dictionary`; 2 with the content of `base` as prefix; 3 a list of frames, each a
--   content of its own; 4 pruned: the bytes are gone.
-- `depth`: how many contents hang below this one, each the base of the next. At 7 it never hangs itself.
CREATE TABLE contents (
    key INTEGER PRIMARY KEY,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    size INTEGER NOT NULL CHECK (size >= 0),
    form INTEGER NOT NULL CHECK (form BETWEEN 0 AND 4),
    depth INTEGER NOT NULL DEFAULT 0 CHECK (depth BETWEEN 0 AND 7),
    base INTEGER REFERENCES contents CHECK ((base IS NOT NULL) = (form = 2)),
    dictionary INTEGER REFERENCES dictionaries CHECK ((dictionary IS NOT NULL) = (form = 1)),
    piece INTEGER CHECK ((piece IS NULL) = (form = 4))
) STRICT;
-- Eight bytes find it; the rest of the digest is compared then. Half the size of an index over all 32.
CREATE INDEX contents_by_digest ON contents (substr(digest, 1, 8));

-- `changed`: the number of the last change of path, state or newest version, counted over all Files, so that
-- a reader can ask for what changed since.
CREATE TABLE files (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'current' CHECK (state IN ('current', 'trashed')),
    trashed_by TEXT CHECK (trashed_by IN ('disappearance', 'hand')),
    trashed_order INTEGER,
    written_by TEXT NOT NULL CHECK (written_by IN ('person', 'stonebrowse')),
    newest INTEGER NOT NULL REFERENCES versions,
    seen_size INTEGER,
    seen_mtime_ns INTEGER,
    seen_ctime_ns INTEGER,
    seen_inode INTEGER,
    seen_device INTEGER,
    changed INTEGER NOT NULL DEFAULT 0,
    CHECK ((state = 'trashed') = (trashed_by IS NOT NULL)),
    CHECK ((state = 'trashed') = (trashed_order IS NOT NULL))
) STRICT;
CREATE INDEX files_by_change ON files (changed);
CREATE TRIGGER files_count_their_making AFTER INSERT ON files
BEGIN UPDATE files SET changed = (SELECT max(changed) + 1 FROM files) WHERE key = NEW.key; END;
CREATE TRIGGER files_count_their_changes AFTER UPDATE OF path, state, newest ON files
BEGIN UPDATE files SET changed = (SELECT max(changed) + 1 FROM files) WHERE key = NEW.key; END;

-- Paths that a File had before it was renamed.
CREATE TABLE former_paths (
    path TEXT NOT NULL,
    file INTEGER NOT NULL REFERENCES files,
    PRIMARY KEY (path, file)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER files_leave_their_paths AFTER UPDATE OF path ON files
WHEN OLD.path <> NEW.path AND OLD.path NOT LIKE '//%'
BEGIN INSERT OR IGNORE INTO former_paths VALUES (OLD.path, OLD.key); END;

CREATE UNIQUE INDEX files_current_at ON files (path) WHERE state = 'current';
CREATE INDEX files_trashed_at ON files (path, trashed_order) WHERE state = 'trashed';
CREATE INDEX files_trashed_in_order ON files (trashed_order) WHERE state = 'trashed';

-- A File's first version is written before the File. (The other way round, with `newest` deferred, each
-- insert would look through all Files for it: there is no index on it.) `text_size`: NULL where the text is
-- the bytes themselves. `seal`: a hash over the row, see identifiers.
CREATE TABLE versions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    file INTEGER NOT NULL REFERENCES files DEFERRABLE INITIALLY DEFERRED,
    number INTEGER NOT NULL CHECK (number >= 1),
    content INTEGER NOT NULL REFERENCES contents,
    size INTEGER NOT NULL,
    text_size INTEGER,
    encoding TEXT NOT NULL,
    guessed INTEGER NOT NULL CHECK (guessed IN (0, 1)),
    recorded_us INTEGER NOT NULL,
    seal INTEGER NOT NULL,
    UNIQUE (file, number)
) STRICT;
CREATE INDEX versions_by_content ON versions (content);

-- How a version is cut into passages. Without a row here it is still processing. `base`: the version whose
-- cut is the prefix to read the piece with; `depth` as above.
CREATE TABLE cuts (
    version INTEGER PRIMARY KEY REFERENCES versions,
    hash BLOB NOT NULL CHECK (length(hash) = 8),
    size INTEGER NOT NULL,
    depth INTEGER NOT NULL DEFAULT 0 CHECK (depth BETWEEN 0 AND 7),
    base INTEGER REFERENCES cuts,
    dictionary INTEGER REFERENCES dictionaries CHECK (base IS NULL OR dictionary IS NULL),
    piece INTEGER NOT NULL
) STRICT;

CREATE TABLE skipped (
    path TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER versions_are_kept BEFORE DELETE ON versions
BEGIN SELECT RAISE(ABORT, 'a version is never deleted'); END;
CREATE TRIGGER versions_stay BEFORE UPDATE ON versions
BEGIN SELECT RAISE(ABORT, 'a version is never changed'); END;

CREATE TRIGGER contents_are_kept BEFORE DELETE ON contents
BEGIN SELECT RAISE(ABORT, 'a content is never deleted'); END;
CREATE TRIGGER contents_stay BEFORE UPDATE OF key, digest, size ON contents
BEGIN SELECT RAISE(ABORT, 'a content is never changed'); END;
CREATE TRIGGER contents_are_encoded_by_the_door BEFORE UPDATE OF form, base, dictionary, piece ON contents
WHEN NOT EXISTS (SELECT 1 FROM doors WHERE name = iif(NEW.form = 4, 'prune', 're-encode'))
BEGIN SELECT RAISE(ABORT, 'the bytes of a content are never changed'); END;

CREATE TRIGGER cuts_are_kept BEFORE DELETE ON cuts
WHEN NOT EXISTS (SELECT 1 FROM doors WHERE name = 'prune')
BEGIN SELECT RAISE(ABORT, 'a cut is never deleted'); END;
CREATE TRIGGER cuts_stay BEFORE UPDATE OF version, hash, size ON cuts
BEGIN SELECT RAISE(ABORT, 'a cut is never changed'); END;
CREATE TRIGGER cuts_are_encoded_by_the_door BEFORE UPDATE OF base, dictionary, piece ON cuts
WHEN NOT EXISTS (SELECT 1 FROM doors WHERE name = 're-encode')
BEGIN SELECT RAISE(ABORT, 'the bytes of a cut are never changed'); END;

CREATE TRIGGER pieces_are_kept BEFORE DELETE ON pieces
WHEN NOT EXISTS (SELECT 1 FROM doors)
BEGIN SELECT RAISE(ABORT, 'stored bytes are never deleted'); END;
CREATE TRIGGER pieces_stay BEFORE UPDATE ON pieces
WHEN NOT EXISTS (SELECT 1 FROM doors WHERE name = 're-encode')
BEGIN SELECT RAISE(ABORT, 'stored bytes are never changed'); END;

CREATE TRIGGER dictionaries_are_kept BEFORE DELETE ON dictionaries
BEGIN SELECT RAISE(ABORT, 'a dictionary is never deleted'); END;
CREATE TRIGGER dictionaries_stay BEFORE UPDATE ON dictionaries
BEGIN SELECT RAISE(ABORT, 'a dictionary is never changed'); END;
CREATE TRIGGER dictionary_parts_are_kept BEFORE DELETE ON dictionary_parts
BEGIN SELECT RAISE(ABORT, 'a dictionary is never deleted'); END;
CREATE TRIGGER dictionary_parts_stay BEFORE UPDATE ON dictionary_parts
BEGIN SELECT RAISE(ABORT, 'a dictionary is never changed'); END;

CREATE TRIGGER files_are_kept BEFORE DELETE ON files
BEGIN SELECT RAISE(ABORT, 'a File is never deleted'); END;
CREATE TRIGGER files_keep_their_ids BEFORE UPDATE OF key, id, written_by ON files
BEGIN SELECT RAISE(ABORT, 'a File keeps its ID'); END;
"""

MIGRATIONS: Final[tuple[str, ...]] = (
    _FIRST,
    # What persons and models make of the documents, each area in its own module.
    handouts.TABLES + reviews.TABLES + desk.TABLES + graph_tables.TABLES + notes.TABLES + pruning.TABLES,
)


def schema_version(connection: sqlite3.Connection) -> int:
    """How many migrations the database has had; 0 for an empty one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Bring the database to the newest schema, one transaction a step.

    Two processes may do this at once: each step looks again, inside its transaction, how far the other came.
    """
    while schema_version(connection) < len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            done = schema_version(connection)
            if done < len(migrations):
                for statement in _statements(migrations[done]):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {done + 1}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # Ctrl-C may come between the commit and its being known
                connection.execute("ROLLBACK")
            raise


def _statements(script: str) -> list[str]:
    """Split a script; `executescript` would commit the transaction first."""
    from sqlite3 import complete_statement

    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if complete_statement(pending):
            statements.append(pending)
            pending = ""
    return statements
