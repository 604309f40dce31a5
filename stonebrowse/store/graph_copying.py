"""Copying the graph as a whole: everything that is kept of a thing, read from one store and added to another.

A library that has the same documents has given them IDs of its own. So a citation says besides where it is kept
here (`kept`) also where it was captured (`place`), and that is never lost.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from stonebrowse.store.database import Database


class Place(NamedTuple):
    """What a citation cites, in the library where it was captured.

    Attributes:
        path: where the File was.
        file_id, version_id, number, digest: which version.
        chunk_id: the passage, in that form; else None.
        start, end: the bytes of the text, of words or of a passage; None of a whole version, or not known.
    """

    path: str
    file_id: str
    version_id: str
    number: int
    digest: str
    chunk_id: str | None
    start: int | None
    end: int | None


class Kept(NamedTuple):
    """The version and the passage that a citation cites in this library."""

    version_id: str
    chunk_id: str | None


class CopiedCitation(NamedTuple):
    """A citation; `kept` is None where this library does not have what it cites."""

    citation_id: str
    place: Place
    note: str
    kept: Kept | None

    @property
    def said(self) -> tuple[object, ...]:
        """What tells it from every other."""
        place = self.place
        span = (place.start, place.end) if place.chunk_id is None else None
        return self.citation_id, place.version_id, place.digest, place.chunk_id, span, self.note


class CopiedRevision(NamedTuple):
    """A revision; `recorded_us` is in microseconds since 1970."""

    number: int
    name: str
    kind: str
    properties: dict[str, str]
    source: str | None
    target: str | None
    removed: bool
    recorded_us: int
    citations: tuple[str, ...]


class CopiedQuestion(NamedTuple):
    """A question to confirm; `before` and `after` are numbers of revisions."""

    question_id: str
    before: int
    after: int
    citation_id: str
    answer: Literal["keep", "drop"] | None
    note: str
    answered_us: int | None

    @property
    def asked(self) -> tuple[object, ...]:
        """What it asks, whatever was answered."""
        return self[:4]


@dataclass(frozen=True, slots=True)
class Whole:
    """All that is kept of an entity or a relationship.

    Attributes:
        thing_id: `e_…` or `r_…`.
        citations: in the order in which its revisions first hold them.
        revisions: from the first on, without a gap.
        questions: by revision, and then in the order of the citations.
    """

    thing_id: str
    citations: tuple[CopiedCitation, ...]
    revisions: tuple[CopiedRevision, ...]
    questions: tuple[CopiedQuestion, ...] = ()


_CITATIONS: Final = """
    SELECT r.number, c.id, c.note, v.id, c.passage,
        coalesce(o.path, f.path), coalesce(o.file, f.id), coalesce(o.version, v.id), coalesce(o.number, v.number),
        coalesce(o.digest, 'sha256:' || lower(hex(n.digest))),
        iif(o.citation IS NULL, c.passage, o.passage), iif(o.citation IS NULL, c.start_byte, o.start_byte),
        iif(o.citation IS NULL, c.end_byte, o.end_byte)
    FROM revisions r JOIN held h ON h.revision = r.key JOIN citations c ON c.key = h.citation
        LEFT JOIN citation_origins o ON o.citation = c.key LEFT JOIN versions v ON v.key = c.version
        LEFT JOIN files f ON f.key = v.file LEFT JOIN contents n ON n.key = v.content
    WHERE r.thing = ? ORDER BY r.number, h.position
"""
_REVISIONS: Final = """
    SELECT r.number, r.name, r.kind, r.properties, s.id, g.id, r.removed, r.recorded_us
    FROM revisions r LEFT JOIN things s ON s.key = r.source LEFT JOIN things g ON g.key = r.target
    WHERE r.thing = ? ORDER BY r.number
"""
_QUESTIONS: Final = """
    SELECT q.id, b.number, a.number, c.id, q.answer, q.note, q.answered_us
    FROM revisions a JOIN questions q ON q.after = a.key JOIN revisions b ON b.key = q.before
        JOIN citations c ON c.key = q.citation
    WHERE a.thing = ?
"""


class GraphCopies:
    """Reads the graph as a whole, and adds to it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def everything(self, kind: Literal["e", "r"]) -> list[Whole]:
        """All entities, or relationships, that were ever committed, by ID."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT key, id FROM things WHERE current > 0 AND id GLOB ? ORDER BY id", (f"{kind}_*",)
            ).fetchall()
            return [_whole(connection, key, thing_id) for key, thing_id in rows]

    @contextmanager
    def adding(self) -> Iterator[GraphAdding]:
        """Begin a transaction: all of the block is kept, or nothing where it raises."""
        with self._database.transaction() as connection:
            yield GraphAdding(connection)

    def versions_with_digest(self, digest: str, path: str) -> list[tuple[str, str, bool]]:
        """The versions with some bytes, the last of their Files first.

        Returns:
            Version ID, File ID, and whether the File is, or was, at the path.
        """
        raw = bytes.fromhex(digest.removeprefix("sha256:"))
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT v.id, f.id, f.path = ?3 OR EXISTS (
                    SELECT 1 FROM former_paths p WHERE p.path = ?3 AND p.file = f.key)
                FROM contents c JOIN versions v ON v.content = c.key JOIN files f ON f.key = v.file
                WHERE substr(c.digest, 1, 8) = ?1 AND c.digest = ?2 ORDER BY v.number DESC, v.id
                """,
                (raw[:8], raw, path),
            )
            return [(version_id, file_id, bool(there)) for version_id, file_id, there in rows]


class GraphAdding:
    """One transaction that adds things from another store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def whole(self, thing_id: str) -> Whole:
        """What is kept of a thing; no revision where there is none."""
        row = self._connection.execute("SELECT key FROM things WHERE id = ?", (thing_id,)).fetchone()
        return Whole(thing_id, (), ()) if row is None else _whole(self._connection, row[0], thing_id)

    def has_entity(self, entity_id: str) -> bool:
        """Whether an entity was ever committed."""
        found = self._connection.execute("SELECT 1 FROM things WHERE id = ? AND current > 0", (entity_id,))
        return found.fetchone() is not None

    def has(self, table: Literal["citations", "questions"], id_: str) -> bool:
        """Whether there is a citation, or a question, with this ID, whatever thing it belongs to."""
        found = self._connection.execute(f"SELECT 1 FROM {table} WHERE id = ?", (id_,))  # noqa: S608 -- two names
        return found.fetchone() is not None

    def add_thing(self, thing_id: str) -> None:
        """Makes a thing where there is none; its revisions are to follow."""
        self._connection.execute("INSERT OR IGNORE INTO things (id) VALUES (?)", (thing_id,))

    def add_citation(self, citation: CopiedCitation) -> None:
        """Adds a citation; where it was captured is kept if this library calls that otherwise."""
        place, kept = citation.place, citation.kept
        words = place.chunk_id is None
        key = self._connection.execute(
            """
            INSERT INTO citations (id, version, passage, start_byte, end_byte, note)
            VALUES (?, (SELECT key FROM versions WHERE id = ?), ?, ?, ?, ?) RETURNING key
            """,
            (
                citation.citation_id,
                kept and kept.version_id,
                kept and kept.chunk_id,
                place.start if words else None,
                place.end if words else None,
                citation.note,
            ),
        ).fetchone()[0]
        if kept is None or kept.version_id != place.version_id:
            self._connection.execute(
                "INSERT INTO citation_origins VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (key, *place)
            )

    def find_citation(self, citation_id: str, kept: Kept) -> None:
        """Notes what a citation cites here that was imported before that was here."""
        self._connection.execute(
            """
            UPDATE citations SET version = (SELECT key FROM versions WHERE id = ?), passage = ?
            WHERE id = ? AND version IS NULL
            """,
            (kept.version_id, kept.chunk_id, citation_id),
        )

    def add_revision(self, thing_id: str, revision: CopiedRevision) -> None:
        """Adds the next revision of a thing; its citations and ends must be there."""
        key = self._connection.execute(
            """
            INSERT INTO revisions (thing, number, name, kind, properties, source, target, removed, recorded_us)
            SELECT t.key, ?, ?, ?, ?, (SELECT key FROM things WHERE id = ?),
                (SELECT key FROM things WHERE id = ?), ?, ? FROM things t WHERE t.id = ? RETURNING key
            """,
            (
                revision.number,
                revision.name,
                revision.kind,
                json.dumps(dict(sorted(revision.properties.items())), ensure_ascii=False),
                revision.source,
                revision.target,
                revision.removed,
                revision.recorded_us,
                thing_id,
            ),
        ).fetchone()[0]
        self._connection.executemany(
            "INSERT INTO held SELECT ?, ?, key FROM citations WHERE id = ?",
            [(key, position, id_) for position, id_ in enumerate(revision.citations, 1)],
        )
        self._connection.execute("UPDATE things SET current = ? WHERE id = ?", (revision.number, thing_id))

    def add_question(self, thing_id: str, question: CopiedQuestion) -> None:
        """Adds a question about a thing; its revisions and the citation must be there."""
        self._connection.execute(
            """
            INSERT INTO questions (id, before, after, citation, answer, note, answered_us)
            SELECT ?, b.key, a.key, c.key, ?, ?, ? FROM things t JOIN revisions b ON b.thing = t.key
            JOIN revisions a ON a.thing = t.key JOIN citations c
            WHERE t.id = ? AND b.number = ? AND a.number = ? AND c.id = ?
            """,
            (
                question.question_id,
                *question[4:],
                thing_id,
                question.before,
                question.after,
                question.citation_id,
            ),
        )

    def answer(self, question: CopiedQuestion) -> None:
        """Notes what a question was answered elsewhere."""
        self._connection.execute(
            "UPDATE questions SET answer = ?, note = ?, answered_us = ? WHERE id = ? AND answer IS NULL",
            (*question[4:], question.question_id),
        )


def _whole(connection: sqlite3.Connection, key: int, thing_id: str) -> Whole:
    held: dict[int, list[str]] = {}
    citations: dict[str, CopiedCitation] = {}
    for number, citation_id, note, version_id, passage, *place in connection.execute(_CITATIONS, (key,)):
        held.setdefault(number, []).append(citation_id)
        kept = None if version_id is None else Kept(version_id, passage)
        citations.setdefault(citation_id, CopiedCitation(citation_id, Place(*place), note, kept))
    revisions = [_copied(row, tuple(held.get(row[0], ()))) for row in connection.execute(_REVISIONS, (key,))]
    order = {citation_id: place for place, citation_id in enumerate(citations)}
    questions = [CopiedQuestion(*row) for row in connection.execute(_QUESTIONS, (key,))]
    questions.sort(
        key=lambda each: (each.after, each.before, order.get(each.citation_id, 0), each.question_id)
    )
    return Whole(thing_id, tuple(citations.values()), tuple(revisions), tuple(questions))


def _copied(row: tuple[Any, ...], citations: tuple[str, ...]) -> CopiedRevision:
    number, name, kind, properties, source, target, removed, recorded_us = row
    return CopiedRevision(
        number, name, kind, json.loads(properties), source, target, bool(removed), recorded_us, citations
    )
