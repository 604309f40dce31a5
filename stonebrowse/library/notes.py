"""The engraved notes of a library: which there are, what each names as its sources, and what became of those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stonebrowse.errors import NotFound, StoreDamaged
from stonebrowse.library.checking import Checked, Checking, Counts
from stonebrowse.library.engraving import changed_at
from stonebrowse.library.reading import Document
from stonebrowse.text.engraved import EngravedSource, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stonebrowse.library.references import References
    from stonebrowse.store import File, Store

LARGEST_NOTE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Note:
    """An engraved note as it stands in the folder now.

    Attributes:
        file: the File.
        sources: what its `## Sources` names now.
        checked: what became of each, in the same order; None where that was not asked.
    """

    file: File
    sources: tuple[EngravedSource, ...]
    checked: tuple[Checked, ...] | None = None

    @property
    def holding(self) -> int | None:
        """How many of its sources hold; None where that was not asked."""
        if self.checked is None:
            return None
        return sum(each.verdict == "holds" for each in self.checked)

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        sources: list[dict[str, Any]] = [each._asdict() for each in self.sources]
        shown: dict[str, Any] = {
            "file_id": self.file.file_id,
            "path": self.file.path,
            "version_id": self.file.version_id,
            "sources": sources,
        }
        if self.checked is not None:
            counts = Counts()
            counts.add(self.checked)
            for source, checked in zip(sources, self.checked, strict=True):
                source |= {"verdict": checked.verdict, "now": checked.now}
            shown["counts"] = counts.as_json()
        return shown


def notes(store: Store, references: References, *, check: bool) -> Iterator[Note]:
    """The current Files that stonebrowse wrote, by path.

    Args:
        store: of the library.
        references: of the library.
        check: also say what became of each source.
    """
    checking = Checking(store, references, brief=True) if check else None
    for file in store.files(state="current"):
        if file.written_by == "stonebrowse":
            sources = sources_of(_text(store, file))
            if checking is None or file.stat is None:
                yield Note(file, sources)
                continue
            moment = changed_at(file.stat)
            checked = tuple(checking.named(each.citation, each.version_id, moment) for each in sources)
            yield Note(file, sources, checked)


def _text(store: Store, file: File) -> str:
    """Its text; empty where it cannot be read, so that the others are still listed."""
    try:
        document = Document(store, file, store.version(file.version_id))
        return document.read(0, min(document.size, LARGEST_NOTE_BYTES)).decode("utf-8", "replace")
    except (NotFound, StoreDamaged):
        return ""
