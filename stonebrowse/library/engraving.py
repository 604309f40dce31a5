"""Engraving: a new Markdown note in the folder, with its sources, that is read and searched but never cited.

The note and its record come together: the record is written, then the file gets its name, then the record is
committed. A process that dies in between leaves the whole note or none; what it could not record, the next pass over
the folder does from the note's own front matter and `## Sources` (see `recognised`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.library.citing import cite
from stonebrowse.library.placing import NewDocument, new_path
from stonebrowse.library.sources import in_version
from stonebrowse.store.notes import NoteSource
from stonebrowse.text.citations import citation
from stonebrowse.text.decoding import Decoded, decode
from stonebrowse.text.engraved import EngravedSource, clean_body, compose, sources_of
from stonebrowse.text.front_matter import front_matter
from stonebrowse.text.passages import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stonebrowse.library.evidence import Evidences
    from stonebrowse.library.folder import Folder
    from stonebrowse.library.references import References
    from stonebrowse.store import File, Stat, Store, TrayItem, Version

MAX_SOURCES = 1000
_MARK = b"engraved_by"
_HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Engraved:
    """A note that was engraved.

    Attributes:
        file: the File, `written_by` stonebrowse.
        version: its first version.
        sources: what it names, in its order, each once.
    """

    file: File
    version: Version
    sources: tuple[NoteSource, ...]

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "file_id": self.file.file_id,
            "path": self.file.path,
            "version_id": self.version.version_id,
            "digest": self.version.digest,
            "sources": [source_as_json(each) for each in self.sources],
        }


def source_as_json(source: NoteSource) -> dict[str, Any]:
    """A source of a note for JSON."""
    return {
        "citation": source.citation,
        "version_id": source.version_id,
        "digest": source.digest,
        "start": source.start,
        "end": source.end,
    }


class Engraving:
    """Engraves notes into one library."""

    def __init__(self, store: Store, folder: Folder, references: References, evidences: Evidences) -> None:
        self._store = store
        self._folder = folder
        self._references = references
        self._evidences = evidences

    def check_path(self, path: str) -> None:
        """Refuses a path at which no note can be engraved, before the work of writing one.

        Raises:
            InputInvalid: see `placing.new_path`.
        """
        new_path(self._folder, path)

    def engrave(self, path: str, body: str | bytes, references: Sequence[str | TrayItem]) -> Engraved:
        """Engraves a note.

        Args:
            path: where, below the folder; its parents are made.
            body: Markdown.
            references: its sources: citation strings, IDs, tokens, whatever `open` takes; and what was collected
                in the tray, of the versions from which it was.

        Raises:
            InputInvalid: the path, the body or a reference cannot be used.
            NotFound: a reference leads nowhere.
            FileNotEvidence: a source was engraved itself.
            EvidenceUnavailable: a source is trashed, or cannot be read.
            FolderUnavailable: the folder cannot be written.
        """
        spelled = new_path(self._folder, path)
        text = clean_body(body)
        if len(references) > MAX_SOURCES:
            raise InputInvalid(f"a note names at most {MAX_SOURCES} sources; engrave several notes")
        sources = tuple(dict.fromkeys(map(self._source, references)))
        named = dict.fromkeys(EngravedSource(*each[:3]) for each in sources)
        data = compose(text, named, datetime.now(UTC))
        with NewDocument(self._folder, spelled, data) as document:
            file_id = self._record(document, data, sources)
        file = self._store.file(file_id)
        return Engraved(file, self._store.version(file.version_id), sources)

    def _source(self, reference: str | TrayItem) -> NoteSource:
        if not isinstance(reference, str):
            return self._collected(reference)
        target = self._references.resolve(reference)
        opened = self._evidences.opened(target.version)
        cited = cite(opened, target)
        start, end = target.span or (cited.start, cited.end)
        return NoteSource(
            cited.citation, cited.version_id, cited.digest, start, end, words=target.span is not None
        )

    def _collected(self, item: TrayItem) -> NoteSource:
        """What lies in the tray, under its citation as it is now: its File may have been renamed."""
        version = self._store.version(item.version_id)
        opened = self._evidences.opened(version)
        passage = opened.passage_at(item.start)
        whole = (item.start, item.end) == (0, opened.size)
        if passage is None or (whole and passage.end < opened.size):
            string, words = citation(opened.file.path, "", 1), False
        else:
            string, words = passage.citation, (item.start, item.end) != (passage.start, passage.end)
        return NoteSource(string, version.version_id, version.digest, item.start, item.end, words=words)

    def _record(self, document: NewDocument, data: bytes, sources: Iterable[NoteSource]) -> str:
        decoded = decode(data)
        assert isinstance(decoded, Decoded)
        pieces = cut(decoded.text)
        with self._store.writing() as writing:
            # Whoever watches the folder waits for this transaction, and finds the File when it sees the file.
            stat = document.name()
            file_id = writing.add_file(document.path, stat, "stonebrowse")
            version = writing.record(file_id, data, decoded, stat, datetime.now(UTC))
            writing.set_cut(version.version_id, pieces)
            writing.name_sources(file_id, sources, changed_at(stat))
        return file_id


def changed_at(stat: Stat) -> datetime:
    """When a file was last changed, as `check` reads it."""
    return datetime.fromtimestamp(max(0, stat.mtime_ns // 1000) / 1_000_000, UTC)


def is_marked(text: bytes) -> bool:
    """Whether a text says of itself, in its front matter, that stonebrowse engraved it."""
    head = text[:_HEAD_BYTES]
    if _MARK not in head:
        return False
    found = front_matter(head)
    return found is not None and found.engraved


def recognised(store: Store, text: bytes) -> list[NoteSource]:
    """The sources of a note that came into the folder by itself, as far as this library has their versions."""
    found = []
    for each in sources_of(text.decode("utf-8", "replace")):
        try:
            version = store.version(each.version_id)
        except NotFound:
            continue
        source = in_version(store, version, each.citation)
        if version.digest == each.digest:
            start, end = (source.start, source.end) if source else (0, store.text_size(version.version_id))
            found.append(NoteSource(each.citation, each.version_id, each.digest, start, end))
    return list(dict.fromkeys(found))
