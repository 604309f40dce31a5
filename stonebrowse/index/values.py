"""In which passages of a segment something stands, and what it is worth in each."""

from __future__ import annotations

import re
from collections import deque
from itertools import compress, repeat
from typing import TYPE_CHECKING

from stonebrowse.index import bounds
from stonebrowse.index.ranking import TEXT_LEAST, TEXT_SPAN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from stonebrowse.index.shard import Range

PRESENT = bytes([0]) + bytes([255]) * 255
# To look for what is not 0 is quicker than to look at each where that is less than one in so many.
_FEW = 40
_FOUND = re.compile(rb"[^\0]")
# All values that a word in the text alone can have.
_IN_TEXTS = bytes(range(TEXT_LEAST + TEXT_SPAN + 1))


class Values:
    """A value from 1 to 255 for some passages of a segment, by ordinal.

    Held either as a table (ordinal → value) or, where they are many, as a lane: one byte a passage.

    Attributes:
        table: the one form, or None.
        lane: the other, or None.
        count: how many passages.
    """

    __slots__ = ("_mask", "_most", "_uniform", "count", "lane", "table")

    def __init__(
        self, table: dict[int, int] | None = None, lane: bytearray | None = None, count: int = -1
    ) -> None:
        """From one of the two forms; `count` where it is known."""
        self.table = table
        self.lane = lane
        self._mask: int | None = None
        self._most = -1
        self._uniform = -1
        if lane is None:
            self.table = table or {}
            self.count = len(self.table)
        else:
            self.count = count if count >= 0 else _counted(lane)

    @classmethod
    def at_places(cls, places: Sequence[int], values: Iterable[int], passages: int) -> Values:
        """From ordinals and the value at each, in a segment of so many passages."""
        if len(places) <= bounds.MOST_IN_TABLE:
            return cls(dict(zip(places, values, strict=True)))
        lane = bytearray(passages)
        fill(lane, places, values)
        return cls(lane=lane, count=len(places))

    @classmethod
    def of(cls, lane: bytearray) -> Values:
        """From a lane: as a table where they are few."""
        count = _counted(lane)
        if count > bounds.MOST_IN_TABLE:
            return cls(lane=lane, count=count)
        places = positions(lane, count)
        return cls(dict(zip(places, map(lane.__getitem__, places), strict=True)))

    def drop(self, ranges: Iterable[Range]) -> Values:
        """The same without some ranges of passages; itself where they hold none. Changes nothing."""
        if self.lane is not None:
            lane = bytearray(self.lane)
            for start, end in ranges:
                lane[start:end] = bytes(end - start)
            return Values(lane=lane) if lane != self.lane else self
        table = dict(self.table or ())
        for start, end in ranges:
            if end - start < len(table):
                for ordinal in range(start, end):
                    table.pop(ordinal, None)
            else:
                table = {ordinal: value for ordinal, value in table.items() if not start <= ordinal < end}
        return Values(table) if len(table) < self.count else self

    def at(self, ordinals: Iterable[int]) -> Iterable[int]:
        """The values at some ordinals, 0 where it does not stand."""
        if self.lane is not None:
            return map(self.lane.__getitem__, ordinals)
        assert self.table is not None
        return map(self.table.get, ordinals, repeat(0))

    def among(self, ordinals: Iterable[int]) -> set[int]:
        """Those of some ordinals at which it stands."""
        if self.table is not None:
            return self.table.keys() & ordinals
        lane = self.lane
        assert lane is not None
        return {ordinal for ordinal in ordinals if lane[ordinal]}

    def as_lane(self, passages: int) -> bytearray:
        """One byte a passage. To be read only."""
        if self.lane is not None:
            return self.lane
        lane = bytearray(passages)
        assert self.table is not None
        fill(lane, self.table.keys(), self.table.values())
        return lane

    def mask(self, passages: int) -> int:
        """One byte a passage, 255 where it stands, as a number."""
        if self._mask is None:
            self._mask = int.from_bytes(self.as_lane(passages).translate(PRESENT), "little")
        return self._mask

    @property
    def uniform(self) -> int:
        """The value, where it is the same wherever it stands; else 0."""
        if self._uniform < 0:
            held = self.lane if self.lane is not None else bytes((self.table or {}).values())
            present = bytes(held.translate(None, b"\0"))
            first = present[:1]
            self._uniform = first[0] if first and not present.translate(None, first) else 0
        return self._uniform

    @property
    def most(self) -> int:
        """No value is greater, and some is about as great."""
        if self._most < 0:
            if self.lane is not None:
                self._most = max(self.lane.translate(None, _IN_TEXTS), default=len(_IN_TEXTS) - 1)
            else:
                assert self.table is not None
                self._most = max(self.table.values(), default=0)
        return self._most

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        if self.lane is not None:
            return 2 * len(self.lane) + 300
        return 90 * self.count + 300


NOTHING = Values({})


def _counted(marks: bytes | bytearray) -> int:
    """How many bytes are not 0. To count the 0s would call C for each."""
    return len(marks.translate(None, b"\0"))


def fill(lane: bytearray, ordinals: Iterable[int], values: Iterable[int]) -> None:
    """Sets the values at some ordinals, at the speed of C."""
    deque(map(lane.__setitem__, ordinals, values), maxlen=0)


def overlay(lane: bytearray, over: bytes | bytearray) -> bytearray:
    """A lane with the values of another one where that has any."""
    mask = int.from_bytes(over.translate(PRESENT), "little")
    under = int.from_bytes(lane, "little")
    return bytearray(((under & ~mask) | int.from_bytes(over, "little")).to_bytes(len(lane), "little"))


def positions(marks: bytes | bytearray, count: int = -1) -> list[int]:
    """Where bytes are not 0; `count` says how many are, where it is known."""
    if count < 0:
        count = _counted(marks)
    if count * _FEW > len(marks):
        return list(compress(range(len(marks)), marks))
    return list(map(re.Match.start, _FOUND.finditer(marks)))
