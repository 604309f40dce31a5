"""Opening what entities and relationships cite: each citation at the version that it names.

Whether it is out of date is worked out here, when someone asks, and stored nowhere (CONTRACT section 7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.errors import NotFound, StoreDamaged
from stonebrowse.library.checking import Checking
from stonebrowse.library.sources import Source
from stonebrowse.library.things import Opened, Thing
from stonebrowse.text.citations import citation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.library.checking import Checked
    from stonebrowse.library.reading import Document
    from stonebrowse.library.references import References
    from stonebrowse.store import Store
    from stonebrowse.store.graph import HeldCitation, Revision


class Opening:
    """Opens citations of one library. Holds versions that it read; made anew for each run."""

    def __init__(self, store: Store, references: References) -> None:
        self._store = store
        self._checking = Checking(store, references)

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
            opened = self.open(each)
            if opened is None:
                withheld += 1
            elif len(shown) < limit:
                shown.append(opened)
            else:
                truncated = True
        return Thing(revision, tuple(shown), truncated, withheld)

    def open(self, held: HeldCitation) -> Opened | None:
        """A citation at its own version; None where that cannot be read, or is not what was cited."""
        document = self.document(held)
        if document is None:
            return None
        file, version = document.file, document.version
        passage, quote = None, None
        start, end = held.start, held.end
        if held.chunk_id is not None:
            found = self._store.passage(held.chunk_id)
            if found is None:
                return None
            passage = document.passage(found[1])
            start, end = passage.start, passage.end
        elif start is not None and end is not None:
            passage = document.passage_at(start)
            quote = document.read(start, end).decode("utf-8", "replace")
        string = citation(file.path, "", 1) if passage is None else passage.citation
        fields = {
            "citation_id": held.citation_id,
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
            "note": held.note or None,
            "current": version.current,
        }
        opened = Opened(fields)
        fields["standing"] = self._standing(document, opened)
        return opened

    def document(self, held: HeldCitation) -> Document | None:
        """The version that a citation names; None where it cannot be read, or is not what was cited."""
        try:
            return self._checking.document(held.version_id)
        except (NotFound, StoreDamaged):
            return None

    def judge(self, document: Document, opened: Opened) -> Checked | None:
        """What became of a passage, or of words, since; None for a whole version."""
        fields = opened.fields
        start, end, words = fields["start"], fields["end"], fields["quote"] is not None
        if start is None or end is None:
            return None
        source = Source(document.file, document.version, start, end, words=words)
        return self._checking.judge(opened.citation, source)

    def _standing(self, document: Document, opened: Opened) -> str:
        file, version = document.file, document.version
        cites = f"cites version {version.number} of {file.number}"
        if version.current:
            return f"{cites}: current"
        became = self.judge(document, opened)
        if became is None:
            return (
                f"{cites}: {'the file is trashed' if file.state == 'trashed' else 'a newer version stands'}"
            )
        said = {"holds": "unchanged since", "edited": "edited since"}.get(became.verdict, became.verdict)
        return f"{cites}: {said}" + (f" to {became.now}" if became.verdict == "moved" else "")
