"""Making revisions without staging them: answers to questions, and citing anew on a new version."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.store import files, identifiers

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping


class Cited(NamedTuple):
    """What a citation is to cite: a whole version, one passage of it, or the bytes of a span of its text."""

    version_id: str
    chunk_id: str | None
    span: tuple[int, int] | None
    note: str


class GraphRevising:
    """One transaction that makes revisions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    # -- confirming

    def answer(self, question_id: str, answer: Literal["keep", "drop"], note: str) -> int | None:
        """Answers a question.

        Returns:
            The number of the revision that was made without the citation; None where none was.

        Raises:
            NotFound: there is no such question.
            InputInvalid: it is answered already.
        """
        row = self._connection.execute(
            """
            SELECT q.key, q.answer, q.citation, r.thing, t.current
            FROM questions q JOIN revisions r ON r.key = q.after JOIN things t ON t.key = r.thing
            WHERE q.id = ?
            """,
            (question_id,),
        ).fetchone()
        if row is None:
            raise NotFound(f"the question {question_id} is not in this library")
        key, answered, citation, thing, current = row
        if answered is not None:
            raise InputInvalid(f"the question {question_id} was answered already ({answered})")
        self._connection.execute(
            "UPDATE questions SET answer = ?, note = ?, answered_us = ? WHERE key = ?",
            (answer, note, now_us(), key),
        )
        return self._without(thing, current, citation) if answer == "drop" else None

    def _without(self, thing: int, current: int, citation: int) -> int | None:
        connection = self._connection
        held = connection.execute(
            """
            SELECT r.key FROM revisions r JOIN held h ON h.revision = r.key
            WHERE r.thing = ? AND r.number = ? AND h.citation = ?
            """,
            (thing, current, citation),
        ).fetchone()
        if held is None:
            return None
        after = self._repeated(held[0])
        connection.execute(
            "INSERT INTO held SELECT ?, position, citation FROM held WHERE revision = ? AND citation <> ?",
            (after, held[0], citation),
        )
        number: int = current + 1
        return number

    # -- a new edition

    def refresh(self, thing_id: str, base: int, fresh: Mapping[str, Cited]) -> dict[str, str]:
        """Makes a revision that says the same, with new citations in the place of some.

        Nothing is asked about them: what the thing says is what it said.

        Args:
            thing_id: whose.
            base: the number of the revision that is current.
            fresh: by the IDs of the citations that it holds, what is to be cited in their place.

        Returns:
            The IDs of the new citations, by those of the old.

        Raises:
            InputInvalid: it was changed meanwhile.
        """
        connection = self._connection
        row = connection.execute(
            """
            SELECT r.key FROM things t JOIN revisions r ON r.thing = t.key AND r.number = t.current
            WHERE t.id = ? AND t.current = ?
            """,
            (thing_id, base),
        ).fetchone()
        if row is None:
            raise InputInvalid(f"{thing_id} was changed meanwhile; look again, then refresh")
        after = self._repeated(row[0])
        made: dict[str, str] = {}
        held = connection.execute(
            """
            SELECT h.position, c.key, c.id FROM held h JOIN citations c ON c.key = h.citation
            WHERE h.revision = ?
            """,
            (row[0],),
        ).fetchall()
        for position, key, id_ in held:
            citation = key
            if id_ in fresh:
                made[id_], citation = self._cite(fresh[id_])
            connection.execute("INSERT INTO held VALUES (?, ?, ?)", (after, position, citation))
        return made

    # -- inside

    def _cite(self, cited: Cited) -> tuple[str, int]:
        """Makes a citation; gives its ID and its key."""
        citation = identifiers.random_id("c")
        start, end = cited.span or (None, None)
        key: int = self._connection.execute(
            """
            INSERT INTO citations (id, version, passage, start_byte, end_byte, note)
            SELECT ?, key, ?, ?, ?, ? FROM versions WHERE id = ? RETURNING key
            """,
            (citation, cited.chunk_id, start, end, cited.note, cited.version_id),
        ).fetchone()[0]
        return citation, key

    def _repeated(self, revision: int) -> int:
        """Makes a thing's next revision, which says the same and holds nothing yet; gives its key."""
        key, thing, number = self._connection.execute(
            """
            INSERT INTO revisions (thing, number, name, kind, properties, source, target, removed, recorded_us)
            SELECT thing, number + 1, name, kind, properties, source, target, removed, ? FROM revisions
            WHERE key = ? RETURNING key, thing, number
            """,
            (now_us(), revision),
        ).fetchone()
        self._connection.execute("UPDATE things SET current = ? WHERE key = ?", (number, thing))
        made: int = key
        return made


def now_us() -> int:
    """The time, in microseconds since 1970."""
    return files.microseconds(datetime.now(UTC))
