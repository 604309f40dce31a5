"""Writing the graph, inside one transaction of the store."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.store import identifiers
from stonebrowse.store.graph_revising import Cited, GraphRevising, now_us

if TYPE_CHECKING:
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


class GraphWriting(GraphRevising):
    """One transaction on the graph."""

    # -- workspaces

    def create(self) -> str:
        """Makes a workspace; gives its ID."""
        workspace = identifiers.random_id("w")
        self._connection.execute("INSERT INTO workspaces (id, made_us) VALUES (?, ?)", (workspace, now_us()))
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

    def said(self, workspace_id: str, thing_id: str) -> Saying:
        """What is staged of a thing in a workspace, else what it says now.

        Raises:
            NotFound: it is not committed, nor staged here.
        """
        row = self._connection.execute(
            """
            SELECT w.name, w.kind, w.properties, s.id, g.id, w.removed, 0 FROM (
                SELECT d.* FROM staged d JOIN workspaces k ON k.key = d.workspace
                WHERE k.id = ?1 AND d.thing = (SELECT key FROM things WHERE id = ?2)
            ) w LEFT JOIN things s ON s.key = w.source LEFT JOIN things g ON g.key = w.target
            UNION ALL
            SELECT r.name, r.kind, r.properties, s.id, g.id, r.removed, 1
            FROM things t JOIN revisions r ON r.thing = t.key AND r.number = t.current
                LEFT JOIN things s ON s.key = r.source LEFT JOIN things g ON g.key = r.target
            WHERE t.id = ?2 ORDER BY 7
            """,
            (workspace_id, thing_id),
        ).fetchone()
        if row is None:
            raise NotFound(f"{thing_id} is not in this library, or not committed yet")
        name, kind, properties, source, target, removed, _ = row
        return Saying(name, kind, json.loads(properties), source, target, removed=bool(removed))

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
            (now_us(), staged),
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

    # -- inside

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
