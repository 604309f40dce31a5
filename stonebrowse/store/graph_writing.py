"""Writing the graph, inside one transaction of the store."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.store import files, identifiers

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

MOST_CITATIONS: Final = 32
"""On one entity or relationship."""


class Saying(NamedTuple):
    """What a thing is to say.

    Attributes:
        name: of a relationship empty.
        kind: may be empty.
        properties: texts by their names.
        source: of a relationship the ID of the entity it comes from.
        target: of a relationship the ID of the entity it leads to.
        removed: it is to be taken away.
    """

    name: str
    kind: str
    properties: Mapping[str, str]
    source: str | None = None
    target: str | None = None
    removed: bool = False


class Cited(NamedTuple):
    """What a citation is to cite: a whole version, one passage of it, or the bytes of a span of its text."""

    version_id: str
    chunk_id: str | None
    span: tuple[int, int] | None
    note: str


class GraphWriting:
    """One transaction on the graph."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    # -- workspaces

    def create(self) -> str:
        """Makes a workspace; gives its ID."""
        workspace = identifiers.random_id("w")
        self._connection.execute("INSERT INTO workspaces (id, made_us) VALUES (?, ?)", (workspace, _now()))
        return workspace

    def discard(self, workspace_id: str) -> None:
        """Forgets what is staged in a workspace, and closes it."""
        key = self._open(workspace_id)
        self._connection.execute("DELETE FROM staged WHERE workspace = ?", (key,))
        self._connection.execute("UPDATE workspaces SET state = 'discarded' WHERE key = ?", (key,))

    # -- staging

    def stage(self, workspace_id: str, thing_id: str | None, kind: Literal["e", "r"], saying: Saying) -> str:
        """Stages a new thing, or an edit of one; what was staged of it before in this workspace is replaced.

        Citations that it has, staged ones too, are kept.

        Returns:
            Its ID.
        """
        workspace = self._open(workspace_id)
        if thing_id is None:
            thing_id = identifiers.random_id(kind)
            self._connection.execute("INSERT INTO things (id) VALUES (?)", (thing_id,))
            staged = self._stage(workspace, thing_id)
        else:
            staged = self._staged(workspace, thing_id)
        ends = [None if end is None else self._end(workspace, end) for end in (saying.source, saying.target)]
        self._connection.execute(
            """
            UPDATE staged SET name = ?, kind = ?, properties = ?, source = ?, target = ?, removed = ?
            WHERE key = ?
            """,
            (
                saying.name,
                saying.kind,
                json.dumps(dict(sorted(saying.properties.items())), ensure_ascii=False),
                *ends,
                saying.removed,
                staged,
            ),
        )
        return thing_id

    def drop(self, workspace_id: str, thing_id: str, citation_id: str) -> None:
        """Takes a citation from what is staged of a thing.

        Raises:
            NotFound: it holds no such citation.
        """
        staged = self._staged(self._open(workspace_id), thing_id)
        done = self._connection.execute(
            """
            DELETE FROM staged_citations WHERE staged = ?
            AND citation = (SELECT key FROM citations WHERE id = ?)
            """,
            (staged, citation_id),
        )
        if not done.rowcount:
            raise NotFound(f"{thing_id} holds no citation {citation_id}")

    def capture(
        self,
        workspace_id: str,
        thing_id: str,
        version_id: str,
        *,
        chunk_id: str | None,
        span: tuple[int, int] | None,
        note: str,
    ) -> str:
        """Stages a citation onto a thing, which is staged as it is where it was not.

        Returns:
            The citation's ID.

        Raises:
            InputInvalid: it would hold too many.
        """
        staged = self._staged(self._open(workspace_id), thing_id)
        last, count = self._connection.execute(
            "SELECT coalesce(max(position), 0), count(*) FROM staged_citations WHERE staged = ?", (staged,)
        ).fetchone()
        if count >= MOST_CITATIONS:
            raise InputInvalid(f"{thing_id} has {count} citations; {MOST_CITATIONS} is the most one can have")
        citation, key = self._cite(Cited(version_id, chunk_id, span, note))
        self._connection.execute("INSERT INTO staged_citations VALUES (?, ?, ?)", (staged, last + 1, key))
        return citation

    # -- committing

    def commit(self, workspace_id: str) -> list[tuple[str, int]]:
        """Makes one new revision of each thing that is staged, all or none.

        Returns:
            Each thing's ID and its new revision's number.

        Raises:
            InputInvalid: nothing is staged, or a thing was changed since it was staged.
        """
        workspace = self._open(workspace_id)
        rows = self._connection.execute(
            """
            SELECT s.key, s.thing, t.id, s.base, t.current FROM staged s JOIN things t ON t.key = s.thing
            WHERE s.workspace = ? ORDER BY s.key
            """,
            (workspace,),
        ).fetchall()
        if not rows:
            raise InputInvalid(f"nothing is staged in {workspace_id}; stage an entity first")
        for _, _, thing_id, base, current in rows:
            if base != current:
                raise InputInvalid(
                    f"{thing_id} was changed since it was staged (it was revision {base}, it is {current});"
                    " discard this workspace and stage it again"
                )
        made = [self._revise(staged, thing, thing_id, base) for staged, thing, thing_id, base, _ in rows]
        self._connection.execute("DELETE FROM staged WHERE workspace = ?", (workspace,))
        self._connection.execute("UPDATE workspaces SET state = 'committed' WHERE key = ?", (workspace,))
        return made

    def _revise(self, staged: int, thing: int, thing_id: str, base: int) -> tuple[str, int]:
        connection = self._connection
        after = connection.execute(
            """
            INSERT INTO revisions (thing, number, name, kind, properties, source, target, removed, recorded_us)
            SELECT thing, base + 1, name, kind, properties, source, target, removed, ? FROM staged
            WHERE key = ? RETURNING key
            """,
            (_now(), staged),
        ).fetchone()[0]
        connection.execute(
            "INSERT INTO held SELECT ?, position, citation FROM staged_citations WHERE staged = ?",
            (after, staged),
        )
        connection.execute("UPDATE things SET current = ? WHERE key = ?", (base + 1, thing))
        if base and thing_id.startswith("e_"):
            self._ask(thing, base, after)
        return thing_id, base + 1

    def _ask(self, thing: int, base: int, after: int) -> None:
        """Queues a question for each citation that an edited entity keeps."""
        before, edited = self._connection.execute(
            """
            SELECT b.key, (b.name, b.kind, b.properties) <> (a.name, a.kind, a.properties) AND NOT a.removed
            FROM revisions b, revisions a WHERE b.thing = ? AND b.number = ? AND a.key = ?
            """,
            (thing, base, after),
        ).fetchone()
        if not edited:
            return
        kept = self._connection.execute(
            """
            SELECT citation FROM held WHERE revision = ?
            AND citation IN (SELECT citation FROM held WHERE revision = ?) ORDER BY position
            """,
            (after, before),
        ).fetchall()
        self._connection.executemany(
            "INSERT INTO questions (id, before, after, citation) VALUES (?, ?, ?, ?)",
            [(identifiers.random_id("q"), before, after, citation) for (citation,) in kept],
        )

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
            (answer, note, _now(), key),
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
            (_now(), revision),
        ).fetchone()
        self._connection.execute("UPDATE things SET current = ? WHERE key = ?", (number, thing))
        made: int = key
        return made

    def _open(self, workspace_id: str) -> int:
        row = self._connection.execute(
            "SELECT key, state FROM workspaces WHERE id = ?", (workspace_id,)
        ).fetchone()
        if row is None:
            raise NotFound(f"the workspace {workspace_id} is not in this library")
        if row[1] != "open":
            raise InputInvalid(f"the workspace {workspace_id} is {row[1]}; create another")
        key: int = row[0]
        return key

    def _staged(self, workspace: int, thing_id: str) -> int:
        """The key of what is staged of a thing; it is staged as it is now where it was not."""
        row = self._connection.execute(
            """
            SELECT t.current, s.key FROM things t LEFT JOIN staged s ON s.thing = t.key AND s.workspace = ?
            WHERE t.id = ?
            """,
            (workspace, thing_id),
        ).fetchone()
        if row is None:
            raise NotFound(f"{thing_id} is not in this library")
        current, staged = row
        if staged is not None:
            key: int = staged
            return key
        if not current:
            raise NotFound(f"{thing_id} was staged in another workspace, and is not committed")
        return self._stage(workspace, thing_id)

    def _stage(self, workspace: int, thing_id: str) -> int:
        """Stages a thing as it is now, with its citations; gives the key of that."""
        staged: int
        staged, revision = self._connection.execute(
            """
            INSERT INTO staged (workspace, thing, base, name, kind, properties, source, target, removed)
            SELECT ?, t.key, t.current, coalesce(r.name, ''), coalesce(r.kind, ''), coalesce(r.properties, '{}'),
                r.source, r.target, coalesce(r.removed, 0)
            FROM things t LEFT JOIN revisions r ON r.thing = t.key AND r.number = t.current WHERE t.id = ?
            RETURNING key, (SELECT key FROM revisions r WHERE r.thing = staged.thing AND r.number = base)
            """,
            (workspace, thing_id),
        ).fetchone()
        self._connection.execute(
            "INSERT INTO staged_citations SELECT ?, position, citation FROM held WHERE revision = ?",
            (staged, revision),
        )
        return staged

    def _end(self, workspace: int, entity_id: str) -> int:
        """The key of an entity that a relationship may name: a current one, or one staged beside it."""
        row = self._connection.execute(
            """
            SELECT t.key FROM things t LEFT JOIN revisions r ON r.thing = t.key AND r.number = t.current
            LEFT JOIN staged s ON s.thing = t.key AND s.workspace = ?
            WHERE t.id = ? AND ((r.key IS NOT NULL AND NOT r.removed) OR s.key IS NOT NULL)
            """,
            (workspace, entity_id),
        ).fetchone()
        if row is None:
            raise NotFound(f"the entity {entity_id} is not in this library; stage it in this workspace first")
        key: int = row[0]
        return key


def _now() -> int:
    return files.microseconds(datetime.now(UTC))
