"""Exporting the graph to a file, and importing what such a file tells.

A library that has the same documents has other File IDs. An imported citation is found here by its version ID,
else by the digest: the version with these bytes of the File at that path, else of the only File that has them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.errors import (
    EvidenceQuoteMismatch,
    EvidenceUnavailable,
    FileNotEvidence,
    InputInvalid,
    NotFound,
    StonebrowseError,
    StoreDamaged,
)
from stonebrowse.library import graph_toml, saying
from stonebrowse.library.evidence import check_size, is_engraved
from stonebrowse.library.graph_toml import Shown
from stonebrowse.library.reading import WHOLE_BYTES, Document
from stonebrowse.library.saying import MAX_NOTE
from stonebrowse.store.graph_copying import Kept, Whole
from stonebrowse.store.graph_writing import MOST_CITATIONS
from stonebrowse.store.identifiers import passage_id, passage_ids
from stonebrowse.text.citations import citation

if TYPE_CHECKING:
    from stonebrowse.library.graph_toml import Told
    from stonebrowse.store import Store
    from stonebrowse.store.graph_copying import (
        CopiedCitation,
        CopiedQuestion,
        CopiedRevision,
        GraphAdding,
        Place,
    )

MOST_LISTED: Final = 20


class Exported(NamedTuple):
    """A graph as a file.

    Attributes:
        text: the file's text, TOML.
        entities, relationships: how many stand in it.
    """

    text: str
    entities: int
    relationships: int


class Imported(NamedTuple):
    """What an import did.

    Attributes:
        added: IDs of things that were not here.
        extended: IDs of things that were here with fewer revisions.
        unchanged: IDs of things that were here already.
        withheld: IDs of the file's citations of versions that this library does not have.
    """

    added: list[str]
    extended: list[str]
    unchanged: list[str]
    withheld: list[str]


class Copying:
    """Exports and imports the graph of one library. Holds versions that it read; made anew for each run."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._document = lru_cache(maxsize=64)(self._open)
        self._passages = lru_cache(maxsize=64)(self._spans)
        self._version = lru_cache(maxsize=1 << 12)(self._version_here)

    # -- exporting ---------------------------------------------------------------------------------------

    def export(self) -> Exported:
        """All that was ever committed. What is staged is no part of it."""
        copies = self._store.graph_copies
        entities, relationships = copies.everything("e"), copies.everything("r")
        seen = self._seen([*entities, *relationships])
        text = graph_toml.write([_shown(each, seen) for each in (*entities, *relationships)])
        return Exported(text, len(entities), len(relationships))

    def _seen(self, things: list[Whole]) -> dict[str, tuple[Place, Shown]]:
        """Where citations that can be opened begin and end, and what they are called; each version opened once."""
        by_version: dict[str, list[CopiedCitation]] = {}
        for each in (one for whole in things for one in whole.citations):
            if each.kept is not None:
                by_version.setdefault(each.kept.version_id, []).append(each)
        seen: dict[str, tuple[Place, Shown]] = {}
        for version_id, citations in by_version.items():
            document = self._document(version_id)
            if document is not None:
                for each in citations:
                    place = self._with_span(each)
                    seen[each.citation_id] = place, _called(document, place)
        return seen

    def _with_span(self, copied: CopiedCitation) -> Place:
        place, kept = copied.place, copied.kept
        if kept is None or kept.chunk_id is None or place.start is not None:
            return place
        start, end = self._passages(kept.version_id).get(kept.chunk_id, (None, None))
        return place._replace(start=start, end=end)

    # -- importing ---------------------------------------------------------------------------------------

    def load(self, data: bytes) -> Imported:
        """Adds what a file tells of, all or none.

        A thing that is here already must be the same as far as both go; then the one with more revisions wins.

        Raises:
            InputInvalid: the file is wrong, or differs from what is here; says where.
            Refused: a citation that can be looked up is not what it says.
        """
        told = graph_toml.read(data)
        for each in told:
            _check(each)
        found = self._found(told)
        with self._store.graph_copies.adding() as adding:
            _check_ends(told, adding)
            here = {each.thing_id: adding.whole(each.thing_id) for each in found}
            differing = [text for each in found for text in _differences(each, here[each.thing_id], adding)]
            if differing:
                more = len(differing) - MOST_LISTED
                listed = "; ".join(differing[:MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
                raise InputInvalid(f"nothing was imported, since this library has it otherwise: {listed}")
            return _added(found, here, adding)

    def _found(self, told: list[Told]) -> list[Whole]:
        """The things, each citation with what it is here; each version is opened once."""
        listed = [(each, one) for one in told for each in one.whole.citations]
        listed.sort(key=lambda pair: pair[0].place.version_id)
        kept: dict[str, Kept | None] = {}
        for each, one in listed:
            try:
                kept[each.citation_id] = self._kept(each.place, one.shown[each.citation_id].quote)
            except StonebrowseError as error:
                raise type(error)(one.where.wrong(each.citation_id, error.message).message) from error
        return [
            replace(
                one.whole,
                citations=tuple(each._replace(kept=kept[each.citation_id]) for each in one.whole.citations),
            )
            for one in told
        ]

    def _kept(self, place: Place, quote: str | None) -> Kept | None:
        """What a place is here; None where this library does not have it.

        Raises:
            FileNotEvidence, EvidenceUnavailable, EvidenceQuoteMismatch, InputInvalid: it is here, and is not
                what may be cited.
        """
        version_id = self._version(place.version_id, place.digest, place.path)
        if version_id is None:
            return None
        document = self._document(version_id)
        if document is None:  # its bytes were dropped: it is withheld as long as that is so
            same = version_id == place.version_id
            return Kept(version_id, place.chunk_id) if same else None
        if is_engraved(document):
            raise FileNotEvidence(f"cites {document.file.path}, which was engraved by stonebrowse")
        if place.chunk_id is None:
            if place.start is not None and place.end is not None:
                _check_words(document, place.start, place.end, quote)
            return Kept(version_id, None)
        if version_id == place.version_id:
            chunk = place.chunk_id
        elif place.start is None or place.end is None:
            return None
        else:
            chunk = passage_id(document.version.version_id, place.start, place.end)
        if chunk not in self._passages(version_id):
            raise EvidenceUnavailable(
                f"names a passage that version {document.version.number} of {document.file.path} does not have"
            )
        return Kept(version_id, chunk)

    # -- looking up --------------------------------------------------------------------------------------

    def _version_here(self, version_id: str, digest: str, path: str) -> str | None:
        versions = self._store.graph_copies.versions_with_digest(digest, path)
        if any(found == version_id for found, _, _ in versions):
            return version_id
        there = [found for found, _, at_path in versions if at_path]
        if there:
            return there[0]
        files = {file_id for _, file_id, _ in versions}
        return versions[0][0] if len(files) == 1 else None

    def _open(self, version_id: str) -> Document | None:
        try:
            opened = self._store.opened_version(version_id, WHOLE_BYTES)
            if opened.text is None:  # every byte of it is compared with its digest
                self._store.raw(version_id)
            return Document(self._store, opened.file, opened.version, opened)
        except (NotFound, StoreDamaged):
            return None

    def _spans(self, version_id: str) -> dict[str, tuple[int, int]]:
        """Where the passages of a version begin and end, by their IDs."""
        document = self._document(version_id)
        if document is None:
            return {}
        ids = passage_ids(document.version.version_id, document.cut)
        return {id_: (each.start, each.end) for id_, each in zip(ids, document.cut.passages(), strict=True)}


def _shown(whole: Whole, seen: dict[str, tuple[Place, Shown]]) -> tuple[Whole, dict[str, Shown]]:
    """A thing as the file shows it."""
    ids = [each.citation_id for each in whole.citations if each.citation_id in seen]
    citations = [
        each._replace(place=seen[each.citation_id][0]) if each.citation_id in seen else each
        for each in whole.citations
    ]
    return replace(whole, citations=tuple(citations)), {id_: seen[id_][1] for id_ in ids}


def _called(document: Document, place: Place) -> Shown:
    """What a citation is called in this library, and the words that a token stands for."""
    if place.start is None or place.end is None:
        return Shown(citation(document.file.path, "", 1))
    passage = document.passage_at(place.start)
    string = citation(document.file.path, "", 1) if passage is None else passage.citation
    if place.chunk_id is not None:
        return Shown(string)
    return Shown(string, document.read(place.start, place.end).decode("utf-8", "replace"))


def _check_words(document: Document, start: int, end: int, quote: str | None) -> None:
    """Whether some words may be cited, and are those that the file shows."""
    data = document.read(start, end)
    at = f"in version {document.version.number} of {document.file.path}"
    if len(data) != end - start:
        raise EvidenceQuoteMismatch(f"cites words past the end of the text {at}")
    check_size(data)
    try:
        words = data.decode()
    except UnicodeDecodeError:
        raise EvidenceQuoteMismatch(f"begins or ends inside a character {at}") from None
    if quote is not None and quote != words:
        raise EvidenceQuoteMismatch(f"has a quote that does not stand there {at}")


# -- the rules of a thing --------------------------------------------------------------------------------


def _check(told: Told) -> None:
    """The rules of CONTRACT section 7, of one thing by itself."""
    whole, wrong = told.whole, told.where.wrong
    if [each.number for each in whole.revisions] != list(range(1, len(whole.revisions) + 1)):
        raise wrong("revision", "is to be numbered 1, 2, … without a gap")
    if not whole.revisions:
        raise wrong("revision", "is missing; a thing has at least one")
    own = {each.citation_id for each in whole.citations}
    for revision in whole.revisions:
        _check_revision(told, revision, own)
    if loose := own.difference(*(each.citations for each in whole.revisions)):
        raise wrong("citation", f"{min(loose)} is held by no revision")
    notes = [(each.citation_id, each.note) for each in whole.citations]
    for id_, note in (*notes, *((each.question_id, each.note) for each in whole.questions)):
        if len(note) > MAX_NOTE:
            raise wrong("note", f"of {id_} has {len(note)} characters; shorten it to {MAX_NOTE}")
    for question in whole.questions:
        _check_question(told, question)


def _check_revision(told: Told, revision: CopiedRevision, own: set[str]) -> None:
    at, held, wrong = str(revision.number), revision.citations, told.where.wrong
    if len(held) > MOST_CITATIONS:
        raise wrong("revision", f"{at} has {len(held)} citations; {MOST_CITATIONS} is the most")
    if len(set(held)) < len(held) or not own.issuperset(held):
        raise wrong("revision", f"{at} holds a citation twice, or one that does not stand beside it")
    entity = revision.source is None
    if not (revision.name if entity else revision.kind).strip():
        raise wrong("revision", f"{at} has no {'name' if entity else 'kind'}")
    try:
        saying.check(revision.name, revision.kind, revision.properties)
    except InputInvalid as error:
        raise wrong("revision", f"{at}: {error.message}") from error


def _check_question(told: Told, question: CopiedQuestion) -> None:
    revisions = told.whole.revisions
    right = 1 <= question.before < question.after <= len(revisions) and all(
        question.citation_id in revisions[number - 1].citations
        for number in (question.before, question.after)
    )
    if not right:
        said = "asks of a citation that its revisions before and after do not both hold"
        raise told.where.wrong("question", f"{question.question_id} {said}")


def _check_ends(told: list[Told], adding: GraphAdding) -> None:
    entities = {each.whole.thing_id for each in told}
    for each in told:
        for revision in each.whole.revisions:
            for key, end in (("from", revision.source), ("to", revision.target)):
                if end is not None and end not in entities and not adding.has_entity(end):
                    raise each.where.wrong(key, f"names {end}, which is neither in the file nor here")


# -- adding ----------------------------------------------------------------------------------------------


def _differences(whole: Whole, here: Whole, adding: GraphAdding) -> list[str]:
    """What of a thing is not the same here, in words."""
    found = [
        f"{whole.thing_id} revision {mine.number}"
        for mine, other in zip(whole.revisions, here.revisions, strict=False)
        if mine != other
    ][:1]
    held = {each.citation_id: each for each in here.citations}
    for each in whole.citations:
        known = held.get(each.citation_id)
        if (known.said != each.said) if known else adding.has("citations", each.citation_id):
            found.append(f"{whole.thing_id} citation {each.citation_id}")
    asked = {each.question_id: each for each in here.questions}
    for question in whole.questions:
        other = asked.get(question.question_id)
        if other is None:
            differs = adding.has("questions", question.question_id)
        else:
            answered = question.answer is not None and other.answer is not None
            differs = question.asked != other.asked or (answered and question != other)
        if differs:
            found.append(f"{whole.thing_id} question {question.question_id}")
    return found


def _added(found: list[Whole], here: dict[str, Whole], adding: GraphAdding) -> Imported:
    done = Imported([], [], [], [])
    for whole in found:
        # All of them first: a relationship may lead to one that stands further below.
        adding.add_thing(whole.thing_id)
    for whole in found:
        before = here[whole.thing_id]
        done.withheld.extend(_add_citations(whole, before, adding))
        fresh = whole.revisions[len(before.revisions) :]
        for revision in fresh:
            adding.add_revision(whole.thing_id, revision)
        kind = done.unchanged if not fresh else done.extended if before.revisions else done.added
        kind.append(whole.thing_id)
    _add_questions(found, here, adding)
    return done


def _add_citations(whole: Whole, before: Whole, adding: GraphAdding) -> list[str]:
    """Adds those that are not here; gives those of versions that this library does not have."""
    held = {each.citation_id: each for each in before.citations}
    for each in whole.citations:
        known = held.get(each.citation_id)
        if known is None:
            adding.add_citation(each)
        elif known.kept is None and each.kept is not None:
            adding.find_citation(each.citation_id, each.kept)
    return [each.citation_id for each in whole.citations if each.kept is None]


def _add_questions(found: list[Whole], here: dict[str, Whole], adding: GraphAdding) -> None:
    """Adds those that are not here, in the order in which they came up, and what was answered to the others."""
    fresh: list[tuple[int, str, CopiedQuestion]] = []
    for whole in found:
        asked = {each.question_id for each in here[whole.thing_id].questions}
        for question in whole.questions:
            if question.question_id not in asked:
                moment = whole.revisions[question.after - 1].recorded_us
                fresh.append((moment, whole.thing_id, question))
            elif question.answer is not None:
                adding.answer(question)
    for _, thing_id, question in sorted(fresh, key=lambda each: each[:2]):
        adding.add_question(thing_id, question)
