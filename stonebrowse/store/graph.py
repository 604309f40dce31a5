"""Entities and relationships, the citations that support them, workspaces, and citations to confirm.

An entity or a relationship is a *thing*. What it says is a revision; revisions, and which citations each holds,
are never changed. What is staged in a workspace touches nothing until it is committed.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from stonebrowse.errors import NotFound
from stonebrowse.store import files
from stonebrowse.store.graph_writing import GraphWriting

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from stonebrowse.store.database import Database

TABLES: Final = """
CREATE TABLE workspaces (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'committed', 'discarded')),
    made_us INTEGER NOT NULL
) STRICT;

-- Entities (e_) and relationships (r_). `current`: the number of the newest revision, 0 before the first.
CREATE TABLE things (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    current INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE revisions (
    key INTEGER PRIMARY KEY,
    thing INTEGER NOT NULL REFERENCES things,
    number INTEGER NOT NULL CHECK (number >= 1),
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    properties TEXT NOT NULL,
    source INTEGER REFERENCES things,
    target INTEGER REFERENCES things,
    removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
    recorded_us INTEGER NOT NULL,
    UNIQUE (thing, number)
) STRICT;
CREATE INDEX revisions_by_source ON revisions (source) WHERE source IS NOT NULL;
CREATE INDEX revisions_by_target ON revisions (target) WHERE target IS NOT NULL;

-- `passage`: the chunk-id of that form. `start_byte`: the quoted words of the form of a token. `version`: NULL
-- where it was imported and this library has no such version.
CREATE TABLE citations (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    version INTEGER REFERENCES versions,
    passage TEXT,
    start_byte INTEGER,
    end_byte INTEGER,
    note TEXT NOT NULL,
    CHECK ((start_byte IS NULL) = (end_byte IS NULL)),
    CHECK (passage IS NULL OR start_byte IS NULL)
) STRICT;
CREATE INDEX citations_by_version ON citations (version);

-- What an imported citation cites in the library where it was captured, if that gave the version another ID.
CREATE TABLE citation_origins (
    citation INTEGER PRIMARY KEY REFERENCES citations,
    path TEXT NOT NULL,
    file TEXT NOT NULL,
    version TEXT NOT NULL,
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    passage TEXT,
    start_byte INTEGER,
    end_byte INTEGER
) STRICT;

CREATE TABLE held (
    revision INTEGER NOT NULL REFERENCES revisions,
    position INTEGER NOT NULL,
    citation INTEGER NOT NULL REFERENCES citations,
    PRIMARY KEY (revision, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_by_citation ON held (citation);

CREATE TABLE staged (
    key INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    thing INTEGER NOT NULL REFERENCES things,
    base INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    properties TEXT NOT NULL,
    source INTEGER REFERENCES things,
    target INTEGER REFERENCES things,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    UNIQUE (workspace, thing)
) STRICT;
CREATE INDEX staged_by_thing ON staged (thing);
CREATE TABLE staged_citations (
    staged INTEGER NOT NULL REFERENCES staged ON DELETE CASCADE,
    position INTEGER NOT NULL,
    citation INTEGER NOT NULL REFERENCES citations,
    PRIMARY KEY (staged, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX staged_citations_by_citation ON staged_citations (citation);

-- Does this citation still support the entity as it now reads?
CREATE TABLE questions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    before INTEGER NOT NULL REFERENCES revisions,
    after INTEGER NOT NULL REFERENCES revisions,
    citation INTEGER NOT NULL REFERENCES citations,
    answer TEXT CHECK (answer IN ('keep', 'drop')),
    note TEXT NOT NULL DEFAULT '',
    answered_us INTEGER
) STRICT;
CREATE INDEX questions_open ON questions (key) WHERE answer IS NULL;
CREATE INDEX questions_by_after ON questions (after);

CREATE TRIGGER revisions_are_kept BEFORE DELETE ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is never deleted'); END;
CREATE TRIGGER revisions_stay BEFORE UPDATE ON revisions
BEGIN SELECT RAISE(ABORT, 'a revision is never changed'); END;
CREATE TRIGGER held_citations_are_kept BEFORE DELETE ON held
BEGIN SELECT RAISE(ABORT, 'what a revision holds is never changed'); END;
CREATE TRIGGER held_citations_stay BEFORE UPDATE ON held
BEGIN SELECT RAISE(ABORT, 'what a revision holds is never changed'); END;
CREATE TRIGGER citations_stay BEFORE UPDATE ON citations WHEN NOT (
    -- What an imported one cites may be found later; nothing else of it changes.
    OLD.version IS NULL AND (NEW.key, NEW.id, NEW.note) = (OLD.key, OLD.id, OLD.note)
)
BEGIN SELECT RAISE(ABORT, 'a citation is never changed'); END;
"""

State = Literal["open", "committed", "discarded"]


class Workspace(NamedTuple):
    """Where things are staged."""

    workspace_id: str
    state: State
    made_at: str
    staged: int
    """How many things are staged in it."""


class HeldCitation(NamedTuple):
    """A citation that an entity or a relationship holds, as it was captured.

    The version of one that was imported may be in no library but its own.
    """

    citation_id: str
    version_id: str
    chunk_id: str | None
    start: int | None
    end: int | None
    note: str


@dataclass(frozen=True, slots=True)
class Revision:
    """What an entity or a relationship says.

    Attributes:
        thing_id: `e_…` or `r_…`.
        number: from 1; of a staged one the number it would get.
        name: of a relationship empty.
        kind: may be empty.
        properties: in the order of their names.
        source: of a relationship the entity it comes from; else None.
        target: of a relationship the entity it leads to; else None.
        removed: this revision takes the thing away.
        recorded_at: RFC 3339, UTC; empty while it is staged.
        citations: in the order in which they were captured.
    """

    thing_id: str
    number: int
    name: str
    kind: str
    properties: dict[str, str]
    source: str | None
    target: str | None
    removed: bool
    recorded_at: str
    citations: tuple[HeldCitation, ...]


class Question(NamedTuple):
    """A citation to confirm."""

    question_id: str
    before: Revision
    after: Revision
    citation: HeldCitation


_REVISION: Final = """
    SELECT t.id, r.number, r.name, r.kind, r.properties, s.id, g.id, r.removed, r.recorded_us, r.key
    FROM revisions r JOIN things t ON t.key = r.thing
        LEFT JOIN things s ON s.key = r.source LEFT JOIN things g ON g.key = r.target
"""
_STAGED: Final = """
    SELECT t.id, r.base + 1, r.name, r.kind, r.properties, s.id, g.id, r.removed, NULL, r.key
    FROM staged r JOIN things t ON t.key = r.thing
        LEFT JOIN things s ON s.key = r.source LEFT JOIN things g ON g.key = r.target
"""
_CITATION: Final = """
    SELECT c.id, coalesce(v.id, o.version), c.passage, c.start_byte, c.end_byte, c.note
    FROM citations c LEFT JOIN versions v ON v.key = c.version
        LEFT JOIN citation_origins o ON o.citation = c.key AND c.version IS NULL
"""
_TABLE_OF_KIND: Final[dict[str, str]] = {
    "e": "things",
    "r": "things",
    "w": "workspaces",
    "c": "citations",
    "q": "questions",
}
KINDS: Final = frozenset(_TABLE_OF_KIND)
"""Of the IDs that are in this room."""


class Graph:
    """Reads and writes the graph."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def writing(self) -> Iterator[GraphWriting]:
        """Begin a transaction: all of the block is kept, or nothing where it raises."""
        with self._database.transaction() as connection:
            yield GraphWriting(connection)

    # Workspaces

    def workspaces(self) -> list[Workspace]:
        """All workspaces, the newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT id, state, made_us, (SELECT count(*) FROM staged s WHERE s.workspace = w.key)
                FROM workspaces w ORDER BY key DESC
                """
            )
            return [Workspace(id_, state, files.timestamp(made), count) for id_, state, made, count in rows]

    def staged(self, workspace_id: str) -> list[Revision]:
        """What a workspace would commit, in the order of staging.

        Raises:
            NotFound: there is no such workspace.
        """
        with self._database.reading() as connection:
            if not connection.execute("SELECT 1 FROM workspaces WHERE id = ?", (workspace_id,)).fetchone():
                raise NotFound(f"the workspace {workspace_id} is not in this library")
            rows = connection.execute(
                f"{_STAGED} JOIN workspaces w ON w.key = r.workspace WHERE w.id = ? ORDER BY r.key",
                (workspace_id,),
            ).fetchall()
            return [_revision(connection, row, "staged_citations", "staged") for row in rows]

    # Things

    def current(self, kind: Literal["e", "r"], *, removed: bool = False) -> list[Revision]:
        """The newest revision of every entity, or relationship, by name; without their citations."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"{_REVISION} WHERE r.number = t.current AND t.id GLOB ? AND r.removed <= ?"
                " ORDER BY r.name, r.kind, t.id",
                (f"{kind}_*", removed),
            )
            return [_bare(row) for row in rows]

    def revision(self, thing_id: str, number: int | None = None) -> Revision:
        """A revision of a thing; None is its newest.

        Raises:
            NotFound: there is no such thing, or no such revision.
        """
        with self._database.reading() as connection:
            row = connection.execute(
                f"{_REVISION} WHERE t.id = ? AND r.number = coalesce(?, t.current)",
                (thing_id, number),
            ).fetchone()
            if row is None:
                what = "entity" if thing_id.startswith("e_") else "relationship"
                raise NotFound(f"the {what} {thing_id} is not in this library, or not committed yet")
            return _revision(connection, row, "held", "revision")

    def history(self, thing_id: str) -> list[Revision]:
        """All revisions of a thing, newest first.

        Raises:
            NotFound: there is no such thing, or it is not committed yet.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                f"{_REVISION} WHERE t.id = ? ORDER BY r.number DESC",
                (thing_id,),
            ).fetchall()
            if not rows:
                raise NotFound(f"{thing_id} is not in this library, or not committed yet")
            return [_revision(connection, row, "held", "revision") for row in rows]

    def citing(self, version_ids: list[str]) -> list[tuple[Revision, list[HeldCitation]]]:
        """The newest revisions that hold citations of some versions, each with these citations alone."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"""{_REVISION} WHERE r.number = t.current AND NOT r.removed AND r.key IN (
                    SELECT h.revision FROM json_each(?) j JOIN versions v ON v.id = j.value
                    JOIN citations c ON c.version = v.key JOIN held h ON h.citation = c.key)
                    ORDER BY r.name, t.id""",  # noqa: S608 -- written above
                (json.dumps(version_ids),),
            ).fetchall()
            wanted = set(version_ids)
            found = []
            for row in rows:
                revision = _revision(connection, row, "held", "revision")
                found.append((revision, [each for each in revision.citations if each.version_id in wanted]))
            return found

    def relationships_of(self, entity_id: str) -> list[Revision]:
        """The current relationships that come from an entity, or lead to it."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"""{_REVISION} WHERE r.number = t.current AND NOT r.removed AND r.key IN (
                    SELECT key FROM revisions WHERE source = (SELECT key FROM things WHERE id = ?1)
                    UNION SELECT key FROM revisions WHERE target = (SELECT key FROM things WHERE id = ?1))
                    ORDER BY r.kind, t.id""",  # noqa: S608 -- written above
                (entity_id,),
            ).fetchall()
            return [_revision(connection, row, "held", "revision") for row in rows]

    # Citations to confirm

    def questions(self) -> list[Question]:
        """The open questions, the oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, before, after, citation FROM questions WHERE answer IS NULL ORDER BY key"
            ).fetchall()
            found = []
            for id_, before, after, citation in rows:
                old, new = (
                    _revision(
                        connection,
                        connection.execute(f"{_REVISION} WHERE r.key = ?", (key,)).fetchone(),
                        "held",
                        "revision",
                    )
                    for key in (before, after)
                )
                held = connection.execute(f"{_CITATION} WHERE c.key = ?", (citation,)).fetchone()
                found.append(Question(id_, old, new, HeldCitation(*held)))
            return found


def ids_beginning(connection: sqlite3.Connection, prefix: str) -> list[str]:
    """The whole IDs of things, workspaces, citations or questions that begin so."""
    table = _TABLE_OF_KIND[prefix[0]]
    rows = connection.execute(f"SELECT id FROM {table} WHERE id GLOB ? ORDER BY id LIMIT 50", (prefix + "*",))  # noqa: S608 -- written above
    return [row[0] for row in rows]


def _bare(row: tuple[object, ...]) -> Revision:
    thing, number, name, kind, properties, source, target, removed, recorded, _ = row
    return Revision(
        str(thing),
        int(str(number)),
        str(name),
        str(kind),
        json.loads(str(properties)),
        None if source is None else str(source),
        None if target is None else str(target),
        bool(removed),
        "" if recorded is None else files.timestamp(int(str(recorded))),
        (),
    )


def _revision(connection: sqlite3.Connection, row: tuple[object, ...], table: str, column: str) -> Revision:
    rows = connection.execute(
        f"{_CITATION} JOIN {table} h ON h.citation = c.key WHERE h.{column} = ? ORDER BY h.position",
        (row[-1],),
    )
    return replace(_bare(row), citations=tuple(HeldCitation(*each) for each in rows))
