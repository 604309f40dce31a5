"""After a File has a new version: what cites the older ones, what became of the cited text, and citing it anew.

Only what stands unchanged in the newest version is refreshed, in a new revision that says the same; the revision
before keeps the old citation. The rest is for a person to read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from stonebrowse.errors import Refused, StonebrowseError
from stonebrowse.store.graph_revising import Cited
from stonebrowse.text.alignment import normal
from stonebrowse.text.citations import citation

if TYPE_CHECKING:
    from stonebrowse.library.checking import Checked, Verdict
    from stonebrowse.library.evidence import Evidence, Evidences
    from stonebrowse.library.opening import Opening
    from stonebrowse.library.reading import Document
    from stonebrowse.library.things import Opened
    from stonebrowse.store import File, Store, Version
    from stonebrowse.store.graph import HeldCitation, Revision

ANSWER_FIRST = "a question about it is open: answer it with `stonebrowse confirm` first"
READ_AGAIN = "read it again, then capture it as it is now"


@dataclass(frozen=True, slots=True)
class Outdated:
    """A citation of an older version.

    Attributes:
        revision: of the thing that holds it.
        held: the citation.
        opened: the same, opened at its own version.
        verdict: what became of the cited text.
        now: the citation string of the same text, or of the edited section, now; None where there is none.
        advice: what it means and what to do, one sentence.
        fresh: what a refresh cites in its place; None where it is left as it is.
        refreshed: the ID of the citation that was made in its place; None where there is none.
    """

    revision: Revision
    held: HeldCitation
    opened: Opened
    verdict: Verdict
    now: str | None
    advice: str
    fresh: Cited | None = None
    refreshed: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Whose it is, which it is, and what became of it."""
        thing = self.revision.thing_id
        kind = "entity_id" if thing.startswith("e_") else "relationship_id"
        fields = self.opened.fields
        named = {
            key: fields[key] for key in ("citation_id", "citation", "version_id", "number", "quote", "note")
        }
        return {kind: thing, "name": self.revision.name, "revision": self.revision.number} | named | {
            "verdict": self.verdict,
            "now": self.now,
            "advice": self.advice,
            "refreshable": self.fresh is not None,
            "refreshed": self.refreshed,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edition:
    """A File's newest version, and what cites older ones.

    Attributes:
        file: the File.
        version: its newest version.
        outdated: the citations of older versions that current revisions hold, by the name of who holds them.
        withheld: how many more cannot be read, or are not what was cited.
        revised: the things that were revised, and the numbers of their new revisions.
    """

    file: File
    version: Version
    outdated: list[Outdated]
    withheld: int = 0
    revised: list[tuple[str, int]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The edition for scripts."""
        counts = Counter(each.verdict for each in self.outdated)
        return {
            "file_id": self.file.file_id,
            "path": self.file.path,
            "version_id": self.version.version_id,
            "number": self.version.number,
            "citations": [each.as_json() for each in self.outdated],
            "counts": dict(sorted(counts.items())),
            "withheld": self.withheld,
            "revised": [
                {("entity_id" if thing.startswith("e_") else "relationship_id"): thing, "revision": number}
                for thing, number in self.revised
            ],
        }


class Editions:
    """Looks at what cites older versions, and refreshes it, in one library."""

    def __init__(self, store: Store, evidences: Evidences, opening: Opening) -> None:
        self._store = store
        self._evidences = evidences
        self._opening = opening
        self._fresh = lru_cache(maxsize=1 << 13)(self._evidence)

    def look(self, file: File) -> Edition:
        """What cites older versions of a File, and what became of each cited text."""
        newest, *older = self._store.versions(file.file_id)
        asked = self._store.graph.asked()
        outdated: list[Outdated] = []
        withheld = 0
        for revision, held in self._store.graph.citing([str(each.version_id) for each in older]):
            for each in held:
                opened, document = self._opening.open(each), self._opening.document(each)
                if opened is None or document is None:
                    withheld += 1
                    continue
                found = self._judged(revision, each, opened, document, newest)
                if found.fresh is not None and each.citation_id in asked:
                    found = replace(found, fresh=None, advice=f"{found.advice}; {ANSWER_FIRST}")
                outdated.append(found)
        return Edition(file, newest, outdated, withheld)

    def refresh(self, file: File) -> Edition:
        """Cites anew what stands unchanged in the newest version, all or none.

        Raises:
            InputInvalid: one of the things was changed meanwhile.
        """
        edition = self.look(file)
        fresh: dict[str, dict[str, Cited]] = {}
        bases: dict[str, int] = {}
        for each in edition.outdated:
            if each.fresh is not None:
                fresh.setdefault(each.revision.thing_id, {})[each.held.citation_id] = each.fresh
                bases[each.revision.thing_id] = each.revision.number
        if not fresh:
            return edition
        made: dict[str, str] = {}
        with self._store.graph.writing() as writing:
            for thing, cited in fresh.items():
                made |= writing.refresh(thing, bases[thing], cited)
        outdated = [replace(each, refreshed=made.get(each.held.citation_id)) for each in edition.outdated]
        revised = [(thing, base + 1) for thing, base in bases.items()]
        return replace(edition, outdated=outdated, revised=revised)

    # -- what became of it -------------------------------------------------------------------------------

    def _judged(
        self, revision: Revision, held: HeldCitation, opened: Opened, document: Document, newest: Version
    ) -> Outdated:
        became = opened.became
        if became is None:
            verdict, now, advice = _whole(document, newest)
        else:
            verdict, now, advice = became.verdict, became.now, became.advice
        if verdict == "moved":
            advice = f"the same text stands at {now} now"
        found = Outdated(revision, held, opened, verdict, now, advice)
        if verdict not in {"holds", "moved"}:
            return found
        try:
            evidence = self._fresh(held._replace(citation_id="", note=""), document, newest, became)
        except StonebrowseError as error:
            left = "it cannot be cited" if isinstance(error, Refused) else "it is left"
            return replace(found, advice=f"{advice}, but {left}: {error.message}")
        if evidence is None:
            return replace(found, advice=f"{advice}, but in another passage; {READ_AGAIN}")
        span = None if evidence.start is None or evidence.end is None else (evidence.start, evidence.end)
        return replace(found, fresh=Cited(newest.version_id, evidence.chunk_id, span, held.note))

    def _evidence(
        self, held: HeldCitation, document: Document, newest: Version, became: Checked | None
    ) -> Evidence | None:
        """The same words, or the same passage, in the newest version; None where it is cut otherwise there."""
        now = self._opening.document(held._replace(version_id=newest.version_id))
        named = {"file_id": newest.file_id, "version_id": newest.version_id, "digest": newest.digest}
        if became is None:
            return self._evidences.check(**named)
        place = became.handout
        if place is None or now is None:
            return None
        if held.chunk_id is None:
            return self._evidences.check(token=self._evidences.token(now, place.start, place.end))
        passage = now.passage_at(place.start)
        source = became.source
        if passage is None or source is None:
            return None
        before = document.read(source.start, source.end)
        if normal(now.read(passage.start, passage.end)) != normal(before):
            return None
        return self._evidences.check(**named, chunk_id=passage.passage_id)


def _whole(document: Document, newest: Version) -> tuple[Verdict, str | None, str]:
    """What became of a whole version: its verdict, its citation now, and advice."""
    file, version = document.file, document.version
    if file.state == "trashed":
        return "gone", None, f"{file.path} is trashed; version {version.number} is read there"
    string = citation(file.path, "", 1)
    if version.digest == newest.digest:
        return "holds", string, "the newest version has the same bytes"
    return "edited", string, f"it cites the whole of version {version.number}; {READ_AGAIN}"
