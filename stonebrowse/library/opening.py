"""Opening what entities and relationships cite: each citation at the version that it names.

Whether it is out of date is worked out here, when someone asks, and stored nowhere (CONTRACT section 7).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from stonebrowse.errors import NotFound, StoreDamaged
from stonebrowse.library.checking import Checking
from stonebrowse.library.sources import Source
from stonebrowse.library.things import Opened, Thing
from stonebrowse.store.identifiers import passage_ordinals
from stonebrowse.text.citations import citation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stonebrowse.library.checking import Checked
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document
    from stonebrowse.library.references import References
    from stonebrowse.store import Store
    from stonebrowse.store.graph import HeldCitation, Revision


class Opening:
    """Opens citations of one library. Holds versions that it read; made anew for each run."""

    def __init__(self, store: Store, references: References, *, brief: bool = True) -> None:
        """Begins a run.

        Args:
            store: of the library.
            references: of the library.
            brief: no more is wanted of what became of a citation than stands in one line.
        """
        self._checking = Checking(store, references, brief=brief)
        self._places = lru_cache(maxsize=1 << 13)(self._open)
        self._ordinals = lru_cache(maxsize=64)(self._passages_of)

    def thing(self, revision: Revision, *, limit: int, held: Sequence[HeldCitation] | None = None) -> Thing:
        """A thing with its citations.

        Args:
            revision: what it says.
            limit: so many citations are shown.
            held: those of its citations that are asked for; None are all.
        """
        shown: list[Opened] = []
        withheld = 0
        truncated = False
        for each in revision.citations if held is None else held:
            if len(shown) >= limit:
                readable = self._found(each) is not None
                truncated, withheld = truncated or readable, withheld + (not readable)
            elif (opened := self.open(each)) is not None:
                shown.append(opened)
            else:
                withheld += 1
        return Thing(revision, tuple(shown), truncated, withheld)

    def open(self, held: HeldCitation) -> Opened | None:
        """A citation at its own version; None where that cannot be read, or is not what was cited."""
        opened = self._places(held._replace(citation_id="", note=""))
        if opened is None:
            return None
        own = {"citation_id": held.citation_id, "note": held.note or None}
        return Opened({**opened.fields, **own}, opened.became)

    def _open(self, held: HeldCitation) -> Opened | None:
        """What many may cite, without what is one citation's own."""
        found = self._found(held)
        if found is None:
            return None
        document, passage = found
        file, version = document.file, document.version
        quote = None
        start, end = held.start, held.end
        if passage is not None:
            start, end = passage.start, passage.end
        elif start is not None and end is not None:
            passage = document.passage_at(start)
            quote = document.read(start, end).decode("utf-8", "replace")
        string = citation(file.path, "", 1) if passage is None else passage.citation
        fields = {
            "citation_id": "",
            "citation": string,
            "label": file.path if passage is None else passage.label,
            "line": None if passage is None else passage.line,
            "trail": [] if passage is None else list(passage.trail),
            "file_id": file.file_id,
            "version_id": version.version_id,
            "number": version.number,
            "digest": version.digest,
            "chunk_id": held.chunk_id,
            "start": start,
            "end": end,
            "quote": quote,
            "note": None,
            "current": version.current,
        }
        became = None
        if not version.current and start is not None and end is not None:
            source = Source(file, version, start, end, words=quote is not None)
            became = self._checking.judge(string, source)
        fields["standing"] = _standing(document, became)
        return Opened(fields, became)

    def document(self, held: HeldCitation) -> Document | None:
        """The version that a citation names; None where it cannot be read, or is not what was cited."""
        try:
            return self._checking.document(held.version_id)
        except (NotFound, StoreDamaged):
            return None

    def _found(self, held: HeldCitation) -> tuple[Document, PassageView | None] | None:
        """The version, and the passage in that form; None where there is none to be read."""
        document = self.document(held)
        if document is None:
            return None
        if held.chunk_id is None:
            return document, None
        ordinal = self._ordinals(held.version_id)(held.chunk_id)
        return None if ordinal is None else (document, document.passage(ordinal))

    def _passages_of(self, version_id: str) -> Callable[[str], int | None]:
        """Tells the ordinals of a version's passages by their IDs."""
        document = self._checking.document(version_id)
        return passage_ordinals(document.version.version_id, document.cut)


def _standing(document: Document, became: Checked | None) -> str:
    file, version = document.file, document.version
    cites = f"cites version {version.number} of {file.number}"
    if version.current:
        return f"{cites}: current"
    if became is None:
        return f"{cites}: {'the file is trashed' if file.state == 'trashed' else 'a newer version stands'}"
    said = {"holds": "unchanged since", "edited": "edited since"}.get(became.verdict, became.verdict)
    return f"{cites}: {said}" + (f" to {became.now}" if became.verdict == "moved" else "")
