"""The seam to Whoosh: a codec whose segments are packed files.

Whoosh keeps what it is good at: the table of contents, locks, commits, deletions, readers, and its own queries,
which run on these segments like on any other. A *document* is Whoosh's word for what is a passage here.

A segment is made by `packing`, not posting by posting, and joins by the `mergetype` of a commit.
"""

from __future__ import annotations

import os
import weakref
from itertools import chain
from typing import TYPE_CHECKING, Any, Never

from whoosh.codec.base import PerDocumentReader, TermsReader
from whoosh.codec.base import Segment as SegmentRecord
from whoosh.codec.whoosh3 import W3Codec
from whoosh.matching import ListMatcher
from whoosh.reading import TermInfo, TermNotFound

from stonebrowse.index.fields import FIELDS, FIRST_PLAIN, MARKS
from stonebrowse.index.segment import Segment
from stonebrowse.index.shard import Shard, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from whoosh.filedb.filestore import FileStorage

    from stonebrowse.index.fields import Field
    from stonebrowse.index.shard import Range

SUFFIX = ".pack"

# Segments that are open in this process: each is mapped once, whoever reads it.
_open: weakref.WeakValueDictionary[tuple[str, str], Segment] = weakref.WeakValueDictionary()


class PackedSegment(SegmentRecord):  # type: ignore[misc]  # Whoosh has no types
    """What the table of contents holds of a segment.

    Attributes:
        passages: how many the file holds.
        gone: ranges of passages that are deleted.
        gone_keys: documents that are deleted.
    """

    def __init__(self, indexname: str) -> None:
        super().__init__(indexname)
        self.passages = 0
        self.gone: tuple[Range, ...] = ()
        self.gone_keys: frozenset[int] = frozenset()

    def codec(self) -> PackedCodec:
        return PackedCodec()

    def should_assemble(self) -> bool:
        return False

    def doc_count_all(self) -> int:
        return self.passages

    def set_doc_count(self, count: int) -> None:
        self.passages = count

    def deleted_count(self) -> int:
        return sum(end - start for start, end in self.gone)

    def deleted_docs(self) -> Iterator[int]:
        return chain.from_iterable(range(start, end) for start, end in self.gone)

    def is_deleted(self, docnum: int) -> bool:
        return any(start <= docnum < end for start, end in self.gone)

    def delete_document(self, docnum: int, delete: bool = True) -> None:
        if delete:
            self.gone = joined([*self.gone, (docnum, docnum + 1)])
            return
        kept = [(start, min(end, docnum)) for start, end in self.gone]
        self.gone = joined([*kept, *((max(start, docnum + 1), end) for start, end in self.gone)])

    def delete_keys(self, keys: Iterable[int], ranges: Iterable[Range]) -> None:
        """Deletes documents, with all their passages here."""
        self.gone_keys |= frozenset(keys)
        self.gone = joined([*self.gone, *ranges])


class PackedCodec(W3Codec):  # type: ignore[misc]  # Whoosh has no types
    """Reads packed segments. What writes posting by posting is not there."""

    length_stats = False

    def new_segment(self, storage: FileStorage, indexname: str) -> PackedSegment:  # noqa: ARG002
        return PackedSegment(indexname)

    def per_document_writer(self, storage: FileStorage, segment: PackedSegment) -> _NoWriter:  # noqa: ARG002
        return _NoWriter()

    def field_writer(self, storage: FileStorage, segment: PackedSegment) -> _NoWriter:  # noqa: ARG002
        return _NoWriter()

    def terms_reader(self, storage: FileStorage, segment: PackedSegment) -> PackedTerms:
        return PackedTerms(opened(storage, segment))

    def per_document_reader(self, storage: FileStorage, segment: PackedSegment) -> PackedPassages:
        return PackedPassages(opened(storage, segment), segment)


def opened(storage: FileStorage, segment: PackedSegment) -> Segment:
    """The file of a segment, opened once.

    Raises:
        IndexDamaged: where it cannot be used.
    """
    key = (str(storage.folder), segment.segment_id())
    found = _open.get(key)
    if found is None:
        found = Segment.open(os.path.join(storage.folder, segment.make_filename(SUFFIX)))
        _open[key] = found
    return found


def as_shard(storage: FileStorage, segment: PackedSegment) -> Shard:
    """A segment as it is searched."""
    return Shard(segment.segment_id(), opened(storage, segment), segment.gone, segment.gone_keys)


class _NoWriter:
    """Stands where Whoosh would write postings one by one."""

    def __init__(self) -> None:
        self.is_closed = False

    def start_doc(self, docnum: int) -> Never:
        raise NotImplementedError(f"document {docnum}: packed segments are written whole, by `Index.update`")

    def close(self) -> None:
        self.is_closed = True


class PackedPassages(PerDocumentReader):  # type: ignore[misc]  # Whoosh has no types
    """The passages of a segment."""

    def __init__(self, segment: Segment, record: PackedSegment) -> None:
        self._segment = segment
        self._record = record

    def doc_count(self) -> int:
        return int(self._record.doc_count())

    def doc_count_all(self) -> int:
        return self._segment.passages

    def has_deletions(self) -> bool:
        return bool(self._record.gone)

    def is_deleted(self, docnum: int) -> bool:
        return self._record.is_deleted(docnum)

    def deleted_docs(self) -> Iterator[int]:
        return self._record.deleted_docs()

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int:
        return len(self._segment.sequence(docnum).decode()) if fieldname == "text" else default

    def field_length(self, fieldname: str) -> int:
        return sum(self.doc_field_length(docnum, fieldname) for docnum in range(self._segment.passages))

    def min_field_length(self, fieldname: str) -> int:
        lengths = (self.doc_field_length(docnum, fieldname) for docnum in range(self._segment.passages))
        return min(lengths, default=0)

    def max_field_length(self, fieldname: str) -> int:
        lengths = (self.doc_field_length(docnum, fieldname) for docnum in range(self._segment.passages))
        return max(lengths, default=0)

    def stored_fields(self, docnum: int) -> dict[str, Any]:
        key, ordinal = self._segment.place(docnum)
        return {"key": key, "ordinal": ordinal}


class PackedTerms(TermsReader):  # type: ignore[misc]  # Whoosh has no types
    """The terms of a segment. A term's weight in a passage is its value there."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment

    def _find(self, fieldname: str, text: bytes) -> int:
        mark = MARKS.get(_field(fieldname))
        return -1 if mark is None else self._segment.find(mark.encode() + text)

    def __contains__(self, term: tuple[str, bytes]) -> bool:
        return self._find(*term) >= 0

    def indexed_field_names(self) -> list[str]:
        return list(FIELDS)

    def terms(self) -> Iterator[tuple[str, bytes]]:
        return chain.from_iterable(self._stretch(field, b"") for field in sorted(FIELDS))

    def terms_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[str, bytes]]:
        later = (self._stretch(field, b"") for field in sorted(FIELDS) if field > fieldname)
        return chain(self._stretch(_field(fieldname), prefix), chain.from_iterable(later))

    def _stretch(self, field: Field, start: bytes) -> Iterator[tuple[str, bytes]]:
        """The terms of one field from a word on."""
        segment, mark = self._segment, MARKS[field].encode()
        if mark:
            low, high = segment.first_from(mark + start), segment.first_from(bytes([mark[0] + 1]))
        else:
            low, high = segment.first_from(max(start, FIRST_PLAIN.encode())), segment.terms
        for number in range(low, high):
            yield field, segment.term(number)[len(mark) :]

    def items(self) -> Iterator[tuple[tuple[str, bytes], TermInfo]]:
        return ((each, self.term_info(*each)) for each in self.terms())

    def items_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[tuple[str, bytes], TermInfo]]:
        return ((each, self.term_info(*each)) for each in self.terms_from(fieldname, prefix))

    def _postings(self, number: int) -> tuple[list[int], list[float]]:
        lane = self._segment.lane(number)
        if lane is None:
            ordinals, values = self._segment.postings(number, number + 1)
            return list(ordinals), [float(value) for value in values]
        held = [(ordinal, float(value)) for ordinal, value in enumerate(lane) if value]
        return [ordinal for ordinal, _ in held], [value for _, value in held]

    def term_info(self, fieldname: str, text: bytes) -> TermInfo:
        number = self._find(fieldname, text)
        if number < 0:
            raise TermNotFound(f"No term {fieldname}:{text!r}")
        ordinals, weights = self._postings(number)
        return TermInfo(
            weight=sum(weights),
            df=len(ordinals),
            minlength=1,
            maxlength=1,
            maxweight=max(weights),
            minid=ordinals[0],
            maxid=ordinals[-1],
        )

    def frequency(self, fieldname: str, text: bytes) -> float:
        number = self._find(fieldname, text)
        return sum(self._postings(number)[1]) if number >= 0 else 0

    def doc_frequency(self, fieldname: str, text: bytes) -> int:
        number = self._find(fieldname, text)
        return self._segment.count(number) if number >= 0 else 0

    def matcher(self, fieldname: str, text: bytes, format_: Any, scorer: Any = None) -> ListMatcher:
        number = self._find(fieldname, text)
        if number < 0:
            raise TermNotFound(f"No term {fieldname}:{text!r}")
        ordinals, weights = self._postings(number)
        return _Matcher(ordinals, weights, format=format_, scorer=scorer, term=(fieldname, text))


class _Matcher(ListMatcher):  # type: ignore[misc]  # Whoosh has no types
    """All postings of a term. Whoosh would skip by their quality one by one, so none is offered."""

    def supports_block_quality(self) -> bool:
        return False


def _field(name: str) -> Field:
    return next((field for field in FIELDS if field == name), "text")
