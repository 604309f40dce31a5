"""The graph: what a person or a model keeps of the documents, each with the citations that it stands on.

Whether a citation is out of date is worked out when someone asks, and stored nowhere (CONTRACT section 7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from stonebrowse.errors import InputInvalid
from stonebrowse.library import saying
from stonebrowse.library.opening import Opening
from stonebrowse.library.things import Explored
from stonebrowse.store.graph_writing import MOST_CITATIONS, Saying

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from stonebrowse.library.editions import Edition
    from stonebrowse.library.evidence import Evidences
    from stonebrowse.library.graph_copying import Exported, Imported
    from stonebrowse.library.references import References
    from stonebrowse.library.things import Opened, Thing
    from stonebrowse.store import File, Store
    from stonebrowse.store.graph import Question, Revision, Workspace

SHOWN = 10


class Knowledge:
    """The graph of one library."""

    def __init__(self, store: Store, references: References, evidences: Evidences) -> None:
        self._store = store
        self._references = references
        self._evidences = evidences

    # -- workspaces --------------------------------------------------------------------------------------

    def workspaces(self) -> list[Workspace]:
        """All workspaces, the newest first."""
        return self._store.graph.workspaces()

    def create(self) -> str:
        """Makes a workspace; gives its ID."""
        with self._store.graph.writing() as writing:
            return writing.create()

    def staged(self, workspace: str) -> list[Thing]:
        """What a workspace would commit, with all citations."""
        revisions = self._store.graph.staged(self._references.identifier(workspace, "w"))
        opening = self._opening()
        return [opening.thing(revision, limit=MOST_CITATIONS) for revision in revisions]

    def commit(self, workspace: str) -> list[tuple[str, int]]:
        """Makes one new revision of each staged thing, all or none; gives their IDs and revisions."""
        full = self._references.identifier(workspace, "w")
        with self._store.graph.writing() as writing:
            return writing.commit(full)

    def discard(self, workspace: str) -> None:
        """Forgets what is staged in a workspace."""
        full = self._references.identifier(workspace, "w")
        with self._store.graph.writing() as writing:
            writing.discard(full)

    # -- staging -----------------------------------------------------------------------------------------

    def stage_entity(
        self,
        workspace: str,
        *,
        name: str | None = None,
        kind: str | None = None,
        properties: Mapping[str, str] | None = None,
        entity_id: str | None = None,
        drop: Sequence[str] = (),
        remove: bool = False,
    ) -> str:
        """Stages a new entity, or an edit of one.

        Args:
            workspace: where.
            name: its name; an edit without one keeps the old.
            kind: what kind of thing it is; an edit without one keeps the old.
            properties: texts by their names; an edit changes those named, an empty text takes one away.
            entity_id: the entity to be edited.
            drop: citations that the edit does not keep.
            remove: take the entity away; its history stays.

        Returns:
            Its ID.

        Raises:
            InputInvalid: no name, or something too long.
            NotFound: no such workspace, entity or citation.
        """
        full = self._references.identifier(workspace, "w")
        entity = None if entity_id is None else self._references.identifier(entity_id, "e")
        if entity is None and (drop or remove):
            raise InputInvalid("name the entity to be edited with --entity-id")
        dropped = [self._references.identifier(each, "c") for each in drop]
        with self._store.graph.writing() as writing:
            # Read here, so that of two who change it at once none loses what it said.
            before = None if entity is None else writing.said(full, entity)
            said = Saying(
                name if name is not None or before is None else before.name,  # type: ignore[arg-type]
                kind if kind is not None else (before.kind if before else ""),
                saying.merged(before.properties if before else {}, properties or {}),
                removed=remove,
            )
            if not said.name or not said.name.strip():
                raise InputInvalid("an entity needs a name; give it with --name")
            saying.check(said.name, said.kind, said.properties)
            staged = writing.stage(full, entity, "e", said)
            for each in dropped:
                writing.drop(full, staged, each)
            return staged

    def stage_relationship(
        self,
        workspace: str,
        *,
        source: str | None = None,
        target: str | None = None,
        kind: str | None = None,
        relationship_id: str | None = None,
        remove: bool = False,
    ) -> str:
        """Stages a relationship between two entities, or an edit of one; gives its ID.

        Raises:
            InputInvalid: an end or the kind is missing.
            NotFound: no such workspace, entity or relationship.
        """
        full = self._references.identifier(workspace, "w")
        known = None if relationship_id is None else self._references.identifier(relationship_id, "r")
        ends = [None if end is None else self._references.identifier(end, "e") for end in (source, target)]
        with self._store.graph.writing() as writing:
            before = None if known is None else writing.said(full, known)
            said = Saying(
                "",
                kind if kind is not None else (before.kind if before else ""),
                {},
                ends[0] or (before.source if before else None),
                ends[1] or (before.target if before else None),
                removed=remove,
            )
            if not said.source or not said.target or not said.kind.strip():
                raise InputInvalid("a relationship needs --from, --to and --kind")
            saying.check(said.name, said.kind, said.properties)
            return writing.stage(full, known, "r", said)

    def capture(
        self,
        workspace: str,
        on: str,
        *,
        token: str | None = None,
        file_id: str | None = None,
        version_id: str | None = None,
        digest: str | None = None,
        chunk_id: str | None = None,
        note: str = "",
    ) -> str:
        """Stages a citation onto an entity or a relationship; gives its ID.

        Raises:
            InputInvalid, Refused: in the contract's order, see `Evidences.check`; nothing is staged then.
            NotFound: no such workspace, entity or relationship.
        """
        kind: Literal["e", "r"] = "r" if on.startswith("r_") else "e"
        full, thing = self._references.identifier(workspace, "w"), self._references.identifier(on, kind)
        if len(self._said(full, thing).citations) >= MOST_CITATIONS:
            raise InputInvalid(f"{thing} has {MOST_CITATIONS} citations; that is the most one can have")
        evidence = self._evidences.check(
            token=token,
            file_id=file_id,
            version_id=version_id,
            digest=digest,
            chunk_id=chunk_id,
            note=note,
        )
        span = None
        if evidence.start is not None and evidence.end is not None:
            span = (evidence.start, evidence.end)
        with self._store.graph.writing() as writing:
            return writing.capture(
                full, thing, evidence.version.version_id, chunk_id=evidence.chunk_id, span=span, note=note
            )

    # -- reading -----------------------------------------------------------------------------------------

    def entities(self, words: str = "", *, limit: int | None = None, offset: int = 0) -> list[Revision]:
        """The entities whose name, kind or properties hold all words, by name; all of them without words.

        Args:
            words: as they are typed.
            limit: at most so many; a page is read without the rest.
            offset: after so many.
        """
        return self._store.graph.current("e", words=words.split(), limit=limit, offset=offset)

    def relationships(self, *, limit: int | None = None, offset: int = 0) -> list[Revision]:
        """The current relationships, by kind."""
        return self._store.graph.current("r", limit=limit, offset=offset)

    def read(self, thing: str, *, limit: int = SHOWN) -> Thing:
        """The newest revision of an entity or a relationship, its citations opened at their own versions."""
        kind = "r" if thing.startswith("r_") else "e"
        full = self._references.identifier(thing, kind)
        return self._opening().thing(self._store.graph.revision(full), limit=limit)

    def history(self, thing: str) -> list[Thing]:
        """Every revision of an entity or a relationship, newest first, with all its citations."""
        kind = "r" if thing.startswith("r_") else "e"
        revisions = self._store.graph.history(self._references.identifier(thing, kind))
        opening = self._opening()
        return [opening.thing(each, limit=MOST_CITATIONS) for each in revisions]

    def explore(
        self, *, file_id: str | None = None, version_id: str | None = None, entity_id: str | None = None
    ) -> Explored:
        """Who cites a File or a version; or what an entity cites, and the relationships around it.

        Raises:
            InputInvalid: not exactly one of them is named.
            NotFound: there is no such thing.
        """
        named = [each for each in (file_id, version_id, entity_id) if each is not None]
        if len(named) != 1:
            raise InputInvalid("name one of --file-id, --version-id and --entity-id")
        found, opening = Explored(), self._opening()
        if entity_id is not None:
            full = self._references.identifier(entity_id, "e")
            found.entities.append(opening.thing(self._store.graph.revision(full), limit=MOST_CITATIONS))
            around = self._store.graph.relationships_of(full)
            found.relationships += [opening.thing(each, limit=MOST_CITATIONS) for each in around]
            return found
        if file_id is not None:
            full = self._references.identifier(file_id, "f")
            versions = [str(version.version_id) for version in self._store.versions(full)]
        else:
            versions = [self._references.identifier(str(version_id), "v")]
        for revision, held in self._store.graph.citing(versions):
            thing = opening.thing(revision, limit=MOST_CITATIONS, held=held)
            (found.entities if revision.thing_id.startswith("e_") else found.relationships).append(thing)
        return found

    # -- citations to confirm ----------------------------------------------------------------------------

    def questions(self) -> list[tuple[Question, Opened | None]]:
        """The open questions with the cited text; None where that cannot be read."""
        opening = self._opening()
        return [(each, opening.open(each.citation)) for each in self._store.graph.questions()]

    def answer(self, question: str, answer: Literal["keep", "drop"], note: str = "") -> int | None:
        """Answers a question; gives the number of the revision that was made without the citation, if one was.

        Raises:
            InputInvalid: it is answered already, or the note is too long.
            NotFound: there is no such question.
        """
        full = self._references.identifier(question, "q")
        saying.check_note(note)
        with self._store.graph.writing() as writing:
            return writing.answer(full, answer, note)

    # -- as a file ---------------------------------------------------------------------------------------

    def export(self) -> Exported:
        """The whole graph as a TOML file; see `Copying.export`."""
        from stonebrowse.library.graph_copying import Copying

        return Copying(self._store).export()

    def load(self, data: bytes) -> Imported:
        """Adds what such a file tells of, all or none; see `Copying.load`."""
        from stonebrowse.library.graph_copying import Copying

        return Copying(self._store).load(data)

    # -- a new edition -----------------------------------------------------------------------------------

    def edition(self, file: File, *, refresh: bool = False) -> Edition:
        """What cites older versions of a File, and what became of it; see `Editions`."""
        from stonebrowse.library.editions import Editions

        editions = Editions(self._store, self._evidences, Opening(self._store, self._references, brief=False))
        return editions.refresh(file) if refresh else editions.look(file)

    # -- inside ------------------------------------------------------------------------------------------

    def _opening(self) -> Opening:
        return Opening(self._store, self._references)

    def _said(self, workspace: str, thing: str) -> Revision:
        """What a thing says now, or what is staged of it in this workspace."""
        for staged in self._store.graph.staged(workspace):
            if staged.thing_id == thing:
                return staged
        return self._store.graph.revision(thing)
