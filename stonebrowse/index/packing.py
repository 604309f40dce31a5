"""From a draft to the file of a segment. Nearly every step is one call in C over whole columns."""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections import deque
from itertools import accumulate, groupby, repeat
from typing import TYPE_CHECKING

from stonebrowse.index import bounds
from stonebrowse.index.fields import FIRST_PLAIN
from stonebrowse.index.layout import assemble
from stonebrowse.index.ranking import SHORT_PREFIX_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stonebrowse.index.draft import Draft


def pack(draft: Draft) -> bytes:
    """The file that holds the draft, in the form of `layout`."""
    words = sorted(draft.codes)
    codes = [draft.codes[word] for word in words]
    lists = [draft.postings[code] for code in codes]
    passages = len(draft)
    dense = _dense_terms(lists, passages)
    dense_lists = [lists[number] for number in dense]
    empty = array("I")
    for number in dense:
        lists[number] = empty
    ordinals, values = _split(b"".join(lists))
    ends = array("I", accumulate(map(len, lists), initial=0))
    terms = [word.encode() for word in words]
    lanes = [_lane(postings, passages) for postings in dense_lists]
    prefixes, bits = _prefixes(words, ends, ordinals, dict(zip(dense, lanes, strict=True)), passages)
    columns: dict[str, bytes | bytearray | memoryview] = {
        "keys": _bytes(draft.keys),
        "firsts": _bytes(draft.firsts + array("I", [passages])),
        "bases": _bytes(draft.bases),
        "sequences": draft.sequences,
        "sequence_ends": _bytes(array("I", [0]) + draft.sequence_ends),
        "own_starts": _bytes(draft.own_starts),
        "own_ends": _bytes(draft.own_ends),
        "subtree_ends": _bytes(draft.subtree_ends),
        "stubs": _bytes(_stubs(draft)),
        "codes": _bytes(array("I", map(ord, codes))),
        "posting_ends": _bytes(ends),
        "slots": _bytes(_slots(terms)),
        "ordinals": ordinals,
        "values": values,
        "dense_terms": _bytes(array("I", dense)),
        "dense_counts": _bytes(array("I", map(len, dense_lists))),
        "dense_values": b"".join(lanes),
        "prefix_bits": b"".join(bits),
    }
    for name, texts in (
        ("path", draft.path_texts),
        ("title", draft.title_texts),
        ("tag", draft.tag_texts),
    ):
        columns[f"{name}_texts"], columns[f"{name}_ends"] = _strings(texts)
    columns["headings"], columns["heading_ends"] = _strings(draft.headings)
    columns["terms"], columns["term_ends"] = _strings(terms)
    columns["prefixes"], columns["prefix_ends"] = _strings(prefixes)
    return assemble(columns)


def _bytes(column: array[int]) -> bytes:
    return column.tobytes()


def _strings(texts: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Strings end to end, and where each ends, after a 0."""
    return b"".join(texts), array("I", accumulate(map(len, texts), initial=0)).tobytes()


def _stubs(draft: Draft) -> array[int]:
    spans = zip(draft.own_starts, draft.own_ends, strict=True)
    return array("I", [number for number, (start, end) in enumerate(spans) if start == end])


def _dense_terms(lists: list[array[int]], passages: int) -> list[int]:
    if passages < bounds.DENSE_FROM_PASSAGES:
        return []
    least = passages // bounds.DENSE_SHARE
    return [number for number, postings in enumerate(lists) if len(postings) >= least]


def _split(packed: bytes) -> tuple[bytearray, bytes]:
    """Ordinals of 16 bits, and values, of postings that are `ordinal << 8 | value` in 32 bits."""
    wide = array("I", [1]).tobytes()
    low, middle, high = (0, 1, 2) if wide[0] else (3, 2, 1)
    ordinals = bytearray(len(packed) // 2)
    first, second = (0, 1) if wide[0] else (1, 0)
    ordinals[first::2] = packed[middle::4]
    ordinals[second::2] = packed[high::4]
    return ordinals, packed[low::4]


def _lane(postings: array[int], passages: int) -> bytearray:
    """One byte a passage: the value of a term in it."""
    ordinals, values = _split(postings.tobytes())
    lane = bytearray(passages)
    _fill(lane, memoryview(ordinals).cast("H"), values)
    return lane


def _fill(lane: bytearray, ordinals: Iterable[int], values: Iterable[int]) -> None:
    deque(map(lane.__setitem__, ordinals, values), maxlen=0)


def _slots(terms: list[bytes]) -> array[int]:
    """A hash table by CRC-32 with linear probing, at most half full."""
    size = 1 << (2 * len(terms) + 1).bit_length()
    mask = size - 1
    slots = array("I", bytes(4 * size))
    for number, hashed in enumerate(map(zlib.crc32, terms), start=1):
        at = hashed & mask
        while slots[at]:
            at = (at + 1) & mask
        slots[at] = number
    return slots


def _prefixes(
    words: list[str], ends: array[int], ordinals: bytearray, lanes: dict[int, bytearray], passages: int
) -> tuple[list[bytes], list[bytes]]:
    """The short beginnings with many postings, and for each the passages that hold a word that begins so."""
    found: dict[bytes, bytes] = {}
    if passages < bounds.DENSE_FROM_PASSAGES:
        return [], []
    marking = _Marking(ends, memoryview(ordinals).cast("H"), lanes, passages)
    high = bisect_left(words, FIRST_PLAIN)
    for first, group in groupby(words[high:], key=lambda word: word[:1]):
        low = high
        members = list(group)
        high += len(members)
        if marking.postings(low, high) <= bounds.MANY_POSTINGS:
            continue
        outer = bytearray(passages)
        done = inner_high = low
        for beginning, inner in groupby(members, key=lambda word: word[:SHORT_PREFIX_CHARACTERS]):
            inner_low = inner_high
            inner_high += sum(1 for _ in inner)
            if len(beginning) > 1 and marking.postings(inner_low, inner_high) > bounds.MANY_POSTINGS:
                outer = marking.marked(outer, done, inner_low)
                marks = marking.marked(bytearray(passages), inner_low, inner_high)
                found[beginning.encode()] = _bits(marks)
                outer = _either(outer, marks)
                done = inner_high
        found[first.encode()] = _bits(marking.marked(outer, done, high))
    return list(found), list(found.values())


class _Marking:
    """Marks passages that hold any of a stretch of terms."""

    def __init__(
        self, ends: array[int], ordinals: memoryview, lanes: dict[int, bytearray], passages: int
    ) -> None:
        self._ends = ends
        self._ordinals = ordinals
        self._lanes = lanes
        self._dense = sorted(lanes)
        self._passages = passages

    def _many(self, low: int, high: int) -> list[int]:
        return self._dense[bisect_left(self._dense, low) : bisect_left(self._dense, high)]

    def postings(self, low: int, high: int) -> int:
        """How many postings the terms have."""
        return self._ends[high] - self._ends[low] + self._passages * len(self._many(low, high))

    def marked(self, marks: bytearray, low: int, high: int) -> bytearray:
        """Marks, and the passages that hold any of the terms."""
        _fill(marks, self._ordinals[self._ends[low] : self._ends[high]], repeat(1))
        for number in self._many(low, high):
            marks = _either(marks, self._lanes[number].translate(_PRESENT))
        return marks


_PRESENT = bytes([0]) + bytes([1]) * 255
_DIGITS = bytes.maketrans(b"\0\1", b"01")


def _either(some: bytes | bytearray, others: bytes | bytearray) -> bytearray:
    """Marks, 0 or 1, of either."""
    either = int.from_bytes(some, "little") | int.from_bytes(others, "little")
    return bytearray(either.to_bytes(len(some), "little"))


def _bits(marks: bytearray) -> bytes:
    """One bit for each byte, 0 or 1, the first in the highest place."""
    return int(marks.translate(_DIGITS), 2).to_bytes(-(-len(marks) // 8), "big")
