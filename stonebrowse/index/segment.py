"""One segment, opened: a file that is mapped and never changed, or the same bytes in memory.

Nothing is loaded but what is looked at. The mapping outlives the file's name, so a segment can be read on
after another process has deleted it.
"""

from __future__ import annotations

import mmap
import os
import zlib
from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index import bounds
from stonebrowse.index.errors import IndexDamaged
from stonebrowse.index.layout import COLUMNS, columns_of, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class Postings(NamedTuple):
    """Passages, by ordinal, that hold a term, and its value in each."""

    ordinals: memoryview
    values: memoryview


class Section(NamedTuple):
    """The passages under a heading: from `start` its own to `own_end`, those of all below to `end`."""

    start: int
    own_end: int
    end: int


class Segment:
    """What one file holds.

    Attributes:
        passages: how many; their ordinals in the segment count from 0.
        documents: how many.
        terms: how many.
    """

    def __init__(self, data: mmap.mmap | bytes) -> None:
        """Reads the header.

        Raises:
            IndexDamaged: for anything but a whole file of this format.
        """
        self._data = data
        view = memoryview(data)
        self._spans = columns_of(view)
        self._columns: dict[str, memoryview] = {
            name: _cast(view[at : at + size], COLUMNS[name]) for name, (at, size) in self._spans.items()
        }
        column = self._columns
        self.keys = column["keys"]
        self.firsts = column["firsts"]
        self.bases = column["bases"]
        self.documents = len(self.keys)
        self.terms = len(column["codes"])
        self._term_ends = column["term_ends"]
        self._terms_at = self._spans["terms"][0]
        self._slots = column["slots"]
        self._posting_ends = column["posting_ends"]
        self._ordinals = column["ordinals"]
        self._values = column["values"]
        self._sequence_ends = column["sequence_ends"]
        self._sequences_at = self._spans["sequences"][0]
        if not self._fits():
            raise IndexDamaged("a segment of the index is damaged")
        self.passages = self.firsts[-1]

    @classmethod
    def open(cls, path: Path | str) -> Segment:
        """Opens the file of a segment.

        Raises:
            IndexDamaged: where it is missing, cut off, changed, or of another format.
        """
        try:
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise IndexDamaged(f"a segment of the index cannot be opened: {error.strerror}") from error
        try:
            size = os.fstat(handle).st_size
            if not size:
                raise IndexDamaged("a segment of the index is empty")
            data = mmap.mmap(handle, size, access=mmap.ACCESS_READ)
        finally:
            os.close(handle)
        segment = cls(data)
        if size <= bounds.CHECKED_BYTES and not segment.is_whole():
            raise IndexDamaged("a segment of the index is damaged")
        return segment

    def is_whole(self) -> bool:
        """Whether every byte is what was written."""
        return is_whole(memoryview(self._data))

    def release(self) -> None:
        """Lets the system take back the memory of what was read; it is mapped again when it is."""
        if isinstance(self._data, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self._data.madvise(mmap.MADV_DONTNEED)

    def _fits(self) -> bool:
        """Whether the lengths of the columns fit each other."""
        size = {name: len(column) for name, column in self._columns.items()}
        passages = self.firsts[-1] if size["firsts"] else -1
        return (
            size["firsts"] == size["keys"] + 1
            and size["bases"] == size["keys"]
            and all(size[f"{name}_ends"] == size["keys"] + 1 for name in ("path", "title", "tag"))
            and size["sequence_ends"] == passages + 1
            and size["own_starts"] == size["own_ends"] == size["subtree_ends"] == size["heading_ends"] - 1
            and size["term_ends"] == size["posting_ends"] == size["codes"] + 1
            and size["ordinals"] == size["values"] == self._posting_ends[-1]
            and max(self._columns["stubs"], default=-1) < size["own_starts"]
            and size["slots"] > size["codes"]
            and size["slots"].bit_count() == 1
            and size["dense_terms"] == size["dense_counts"]
            and size["dense_values"] == size["dense_terms"] * passages
        )

    # documents and passages

    @cached_property
    def spans(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """Key → where the document's passages stand: ordinals, the first, and after the last."""
        found: dict[int, tuple[tuple[int, int], ...]] = {}
        for number, key in enumerate(self.keys):
            span = ((self.firsts[number], self.firsts[number + 1]),)
            found[key] = found[key] + span if key in found else span
        return found

    @cached_property
    def in_order(self) -> bool:
        """Whether documents stand in the order of their keys; then passages stand in the order of ties."""
        return all(map(int.__lt__, self.keys, self.keys[1:]))

    def span(self, number: int) -> tuple[int, int]:
        """The ordinals of a document's passages: the first, and after the last."""
        return self.firsts[number], self.firsts[number + 1]

    def document_of(self, ordinal: int) -> int:
        """The number of the document that a passage belongs to."""
        return bisect_right(self.firsts, ordinal) - 1

    def place(self, ordinal: int) -> tuple[int, int]:
        """A passage outside the segment: its document's key, and which passage of the document it is."""
        number = self.document_of(ordinal)
        return self.keys[number], self.bases[number] + ordinal - self.firsts[number]

    # terms

    def term(self, number: int) -> bytes:
        """A term by its number in their order."""
        at = self._terms_at
        return self._data[at + self._term_ends[number] : at + self._term_ends[number + 1]]

    def find(self, term: bytes) -> int:
        """The number of a term, or -1."""
        slots, mask = self._slots, len(self._slots) - 1
        at = zlib.crc32(term) & mask
        while found := slots[at]:
            if self.term(found - 1) == term:
                return found - 1
            at = (at + 1) & mask
        return -1

    def first_from(self, term: bytes) -> int:
        """The number of the first term that is not below this one."""
        low, high = 0, self.terms
        while low < high:
            middle = (low + high) // 2
            if self.term(middle) < term:
                low = middle + 1
            else:
                high = middle
        return low

    def beginning(self, prefix: bytes) -> tuple[int, int]:
        """The terms that begin so: the number of the first, and after the last. The prefix is valid UTF-8."""
        return self.first_from(prefix), self.first_from(prefix + b"\xff")

    def code(self, number: int) -> str:
        """The character of a term in sequences."""
        return chr(self._columns["codes"][number])

    def codes(self, low: int, high: int) -> frozenset[str]:
        """The characters of a stretch of terms."""
        return frozenset(map(chr, self._columns["codes"][low:high]))

    # postings

    def count(self, number: int) -> int:
        """How many passages hold a term."""
        if number in self._dense:
            return self._columns["dense_counts"][self._dense[number]]
        return self._posting_ends[number + 1] - self._posting_ends[number]

    def postings(self, low: int, high: int) -> Postings:
        """The postings of a stretch of terms, end to end, but for those that have a `lane`."""
        first, last = self._posting_ends[low], self._posting_ends[high]
        return Postings(self._ordinals[first:last], self._values[first:last])

    @cached_property
    def _dense(self) -> dict[int, int]:
        return {number: place for place, number in enumerate(self._columns["dense_terms"])}

    def lane(self, number: int) -> bytes | None:
        """The values of a term that very many passages hold, one byte a passage; else None."""
        place = self._dense.get(number)
        if place is None:
            return None
        at = self._spans["dense_values"][0] + place * self.passages
        return self._data[at : at + self.passages]

    def dense_between(self, low: int, high: int) -> list[int]:
        """Which of a stretch of terms have a `lane`, in order."""
        numbers = self._columns["dense_terms"]
        return numbers[bisect_left(numbers, low) : bisect_left(numbers, high)].tolist()

    def held(self, prefix: bytes) -> bytes | None:
        """Which passages hold a word with a short beginning, one byte a passage, 0 or 1; None where unknown."""
        place = self._prefixes.get(prefix)
        if place is None:
            return None
        size = -(-self.passages // 8)
        at = self._spans["prefix_bits"][0] + place * size
        digits = format(int.from_bytes(self._data[at : at + size], "big"), f"0{self.passages}b")
        return digits.encode().translate(_BITS)

    @cached_property
    def _prefixes(self) -> dict[bytes, int]:
        return {prefix: place for place, prefix in enumerate(self.texts("prefixes", "prefix_ends"))}

    # sequences

    def texts(self, texts: str, ends: str) -> Iterator[bytes]:
        """All strings of a column, in order."""
        whole, column = self._columns[texts], self._columns[ends]
        for at in range(len(column) - 1):
            yield bytes(whole[column[at] : column[at + 1]])

    def sequence(self, ordinal: int) -> bytes:
        """The words of a passage, each as the character of its term, in UTF-8."""
        at, ends = self._sequences_at, self._sequence_ends
        return self._data[at + ends[ordinal] : at + ends[ordinal + 1]]

    def holding(self, pattern: bytes, ordinals: Iterable[int]) -> list[int]:
        """Those of some passages in whose sequence a pattern stands."""
        find, at, ends = self._data.find, self._sequences_at, self._sequence_ends
        return [n for n in ordinals if find(pattern, at + ends[n], at + ends[n + 1]) >= 0]

    def text_of(self, field: str, number: int) -> bytes:
        """The path, title or tags (`path`, `title`, `tag`) of a document as a sequence."""
        ends = self._columns[f"{field}_ends"]
        return bytes(self._columns[f"{field}_texts"][ends[number] : ends[number + 1]])

    @property
    def sections(self) -> int:
        """How many sections with a heading there are."""
        return len(self._columns["own_starts"])

    @property
    def stubs(self) -> memoryview:
        """The sections that have no passages of their own here, only below them."""
        return self._columns["stubs"]

    def section_of(self, ordinal: int) -> int:
        """The number of the last section that begins at a passage or before it; -1 where none does."""
        return bisect_right(self._columns["own_starts"], ordinal) - 1

    def section(self, number: int) -> Section:
        """A section by its number."""
        column = self._columns
        return Section(
            column["own_starts"][number], column["own_ends"][number], column["subtree_ends"][number]
        )

    def heading(self, number: int) -> bytes:
        """The heading of a section as a sequence."""
        start, end = self._columns["heading_ends"][number : number + 2]
        return bytes(self._columns["headings"][start:end])


def _cast(view: memoryview, code: str) -> memoryview:
    return view.cast("B").cast(code)  # type: ignore[call-overload,no-any-return]  # a code from a table


_BITS = bytes.maketrans(b"01", b"\0\1")
