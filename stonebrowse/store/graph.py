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

    def asked(self) -> set[str]:
        """The IDs of the citations about which a question is open."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT c.id FROM questions q JOIN citations c ON c.key = q.citation WHERE q.answer IS NULL"
            )
            return {citation_id for (citation_id,) in rows}


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
