"""Which passages of a segment meet a query: *and*, *or* and *not* over values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

from stonebrowse.index import bounds
from stonebrowse.index.values import fill, positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.index.values import Values


@dataclass(frozen=True, slots=True)
class Members:
    """Some passages of a segment.

    Attributes:
        places: their ordinals, ascending; or None where `mask` has them.
        mask: one byte a passage, 255 for each of them, as a number.
        count: how many.
    """

    places: list[int] | None
    mask: int
    count: int


def members(
    groups: Sequence[Sequence[Values]], excluded: Sequence[Values], allowed: bytearray | None, passages: int
) -> Members:
    """The passages that meet all groups, each by one of its members, and none of what is excluded.

    Args:
        groups: values of what is wanted.
        excluded: values of what is not.
        allowed: one byte a passage, 255 for those that may be met; None for all.
        passages: how many the segment has.
    """
    if not groups or not all(any(values.count for values in group) for group in groups):
        return Members([], 0, 0)
    small = [group for group in groups if all(values.table is not None for values in group)]
    if small:
        return _few(groups, small, excluded, allowed)
    mask = _union(groups[0], passages)
    for group in groups[1:]:
        mask &= _union(group, passages)
    for values in excluded:
        mask &= ~values.mask(passages)
    if allowed is not None:
        mask &= int.from_bytes(allowed, "little")
    count = mask.bit_count() // 8
    if count > bounds.MOST_IN_LIST:
        return Members(None, mask, count)
    return Members(positions(mask.to_bytes(passages, "little"), count), 0, count)


def _few(
    groups: Sequence[Sequence[Values]],
    small: list[Sequence[Values]],
    excluded: Sequence[Values],
    allowed: bytearray | None,
) -> Members:
    """The same where one group is met by few: those are looked up in the others."""
    start = min(small, key=lambda group: sum(values.count for values in group))
    places: set[int] = set().union(*(values.table or () for values in start))
    for group in sorted(
        (g for g in groups if g is not start), key=lambda g: sum(values.count for values in g)
    ):
        if len(group) == 1:
            places = group[0].among(places)
        else:
            places = set().union(*(values.among(places) for values in group))
    for values in excluded:
        places -= values.among(places)
    if allowed is not None:
        places = {place for place in places if allowed[place]}
    return Members(sorted(places), 0, len(places))


def _union(group: Sequence[Values], passages: int) -> int:
    if len(group) == 1:
        return group[0].mask(passages)
    mask = 0
    few = bytearray(passages)  # one for all tables: to make one for each takes longer than to fill it
    for values in group:
        if values.table is not None:
            fill(few, values.table, repeat(255))
        else:
            mask |= values.mask(passages)
    return mask | int.from_bytes(few, "little")
