"""A segment as it is searched at one commit: without what has been deleted from it since it was written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from stonebrowse.index.segment import Segment

Range = tuple[int, int]


class Shard:
    """A segment and the passages in it that are gone.

    Attributes:
        name: tells the segment from all others, for caches.
        segment: the segment.
        gone: ranges of ordinals that do not count, ascending and apart.
    """

    __slots__ = ("__dict__", "gone", "gone_keys", "name", "segment")

    def __init__(
        self, name: str, segment: Segment, gone: Iterable[Range] = (), gone_keys: Collection[int] = ()
    ) -> None:
        self.name = name
        self.segment = segment
        self.gone = joined(gone)
        self.gone_keys = frozenset(gone_keys)

    @cached_property
    def live(self) -> int:
        """How many passages count."""
        return self.segment.passages - sum(end - start for start, end in self.gone)

    @cached_property
    def keys(self) -> frozenset[int]:
        """The documents in it that count."""
        return frozenset(self.segment.spans.keys() - self.gone_keys)

    def without(self, keys: Collection[int]) -> Shard:
        """The same, with some documents gone besides; itself where it holds none of them."""
        if not keys:
            return self
        spans = self.segment.spans
        found = [key for key in keys if key in spans and key not in self.gone_keys]
        if not found:
            return self
        fresh = [span for key in found for span in spans[key]]
        return Shard(self.name, self.segment, [*self.gone, *fresh], self.gone_keys.union(found))

    def only(self, keys: Collection[int]) -> bytearray:
        """One byte a passage: 255 where it belongs to one of some documents, else 0."""
        marks = bytearray(self.segment.passages)
        for key, spans in self.segment.spans.items():
            if key in keys:
                for start, end in spans:
                    marks[start:end] = b"\xff" * (end - start)
        return marks


def joined(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """The same ranges, ascending, those that touch made one, empty ones left out."""
    found: list[Range] = []
    for start, end in sorted(ranges):
        if start >= end:
            continue
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)
