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
    from collections.abc import Callable, Iterator, Sequence

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

    def words(self) -> str:
        """All that it says, case folded, to be looked through."""
        pieces = [self.name, self.kind, *self.properties, *self.properties.values()]
        return "\n".join(pieces).casefold()


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
_COLUMNS: Final = 10
_COLUMNS_OF: Final = {
    "e": "SELECT t.id, r.number, r.name, r.kind, r.properties, NULL, NULL, r.removed, r.recorded_us, r.key",
    "r": "SELECT t.id, r.number, r.name, r.kind, r.properties, s.id, g.id, r.removed, r.recorded_us, r.key",
}
_TABLES_OF: Final = {
    "e": "CROSS JOIN things t ON t.key = r.thing AND t.current = r.number"
    " WHERE r.source IS NULL AND NOT r.removed",
    "r": "CROSS JOIN things t ON t.key = r.thing AND t.current = r.number"
    " CROSS JOIN things s ON s.key = r.source CROSS JOIN things g ON g.key = r.target"
    " WHERE r.source IS NOT NULL AND NOT r.removed",
}
_ORDER_OF: Final = {"e": "ORDER BY r.name, r.kind, t.id", "r": "ORDER BY r.kind, t.id"}
# All of them are read in the order in which they lie; a page in that of the index, without the rest.
ALL: Final = {kind: f"{_COLUMNS_OF[kind]} FROM revisions r NOT INDEXED {_TABLES_OF[kind]}" for kind in "er"}
PAGE: Final = {
    kind: f"{_COLUMNS_OF[kind]} FROM revisions r INDEXED BY {index} {_TABLES_OF[kind]} {_ORDER_OF[kind]}"
    " LIMIT ? OFFSET ?"
    for kind, index in (("e", "revisions_by_name"), ("r", "revisions_by_kind"))
}
CITING: Final = """
    SELECT t.id, r.number, r.name, r.kind, r.properties, s.id, g.id, r.removed, r.recorded_us, r.key,
        c.id, v.id, c.passage, c.start_byte, c.end_byte, c.note
    FROM json_each(?) j CROSS JOIN versions v ON v.id = j.value JOIN citations c ON c.version = v.key
        JOIN held h ON h.citation = c.key JOIN revisions r ON r.key = h.revision
        JOIN things t ON t.key = r.thing AND t.current = r.number
        LEFT JOIN things s ON s.key = r.source LEFT JOIN things g ON g.key = r.target
    WHERE NOT r.removed ORDER BY r.name, t.id, h.position
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

    def current(
        self,
        kind: Literal["e", "r"],
        *,
        words: Sequence[str] = (),
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Revision]:
        """The newest revisions of entities by name, or of relationships by kind; without their citations.

        Args:
            kind: which of the two.
            words: only those whose name, kind and properties together hold all of these.
            limit: at most so many.
            offset: after so many.
        """
        with self._database.reading() as connection:
            if limit is not None and not words:
                return [_bare(row) for row in connection.execute(PAGE[kind], (limit, offset))]
            folded = [word.casefold() for word in words]
            where = ALL[kind]
            if words:
                # Named in SQL, so that a row without the words is not even made.
                connection.create_function("may_hold", 3, _may_hold(folded), deterministic=True)
                where += " AND may_hold(r.name, r.kind, r.properties)"
            found = [_bare(row) for row in connection.execute(where)]
        if words:
            found = [each for each in found if all(word in each.words() for word in folded)]
        found.sort(key=lambda each: (each.name, each.kind, each.thing_id))
        return found[offset:] if limit is None else found[offset : offset + limit]

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
            found: dict[int, tuple[Revision, list[HeldCitation]]] = {}
            for row in connection.execute(CITING, (json.dumps(version_ids),)):
                revision, held = row[:_COLUMNS], HeldCitation(*row[_COLUMNS:])
                key = revision[-1]
                if key not in found:
                    found[key] = (_bare(revision), [])
                found[key][1].append(held)
            return list(found.values())

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


def _may_hold(words: Sequence[str]) -> Callable[[str, str, str], bool]:
    """Tells whether a row may hold some words, before its properties are read."""
    # As JSON, properties have another form where there are quotes, backslashes and control characters.
    plain = [word for word in words if json.dumps(word, ensure_ascii=False)[1:-1] == word]

    def may_hold(name: str, kind: str, properties: str) -> bool:
        text = f"{name}\n{kind}\n{properties}".casefold()
        return all(word in text for word in plain)

    return may_hold


def _revision(connection: sqlite3.Connection, row: tuple[object, ...], table: str, column: str) -> Revision:
    rows = connection.execute(
        f"{_CITATION} JOIN {table} h ON h.citation = c.key WHERE h.{column} = ? ORDER BY h.position",
        (row[-1],),
    )
    return replace(_bare(row), citations=tuple(HeldCitation(*each) for each in rows))
