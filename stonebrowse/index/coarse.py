"""Which of very many passages can be among the best: sums of a byte or two a passage, made by adding large numbers.

Each value is turned into a few coarse steps, rounded down. Added as numbers with one byte a passage, whose top is
the greatest sum there can be, these give a score that is a little too low, by a known amount at most. So no
passage can be among the best whose coarse score does not come near that of the best.
"""

from __future__ import annotations

import sys
from array import array
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index import bounds
from stonebrowse.index.values import positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stonebrowse.index.matching import Members
    from stonebrowse.index.shard import Shard
    from stonebrowse.index.values import Values


class Candidate(NamedTuple):
    """A shard, which of its passages meet the query, and the values of all that is wanted."""

    shard: Shard
    members: Members
    values: list[Values]


def near_best(
    candidates: list[Candidate], weights: Sequence[float], limit: int
) -> list[tuple[Candidate, list[int]]]:
    """Of each candidate the passages that can be among the best.

    Args:
        candidates: those whose members are held as a mask.
        weights: of each that is wanted.
        limit: how many the best are.
    """
    varying = [n for n in range(len(weights)) if not _same_for_all(candidates, n)]
    if not varying:
        return [(each, _first(each, _members(each), limit)) for each in candidates]
    wide = len(varying) > bounds.MOST_IN_ONE_BYTE
    steps = _steps(candidates, varying, weights, 65535 if wide else 255)
    sums = [_wide_sum(each, steps) if wide else _sum(each, steps) for each in candidates]
    least = _least_of_best(b"".join(sums), limit)
    if least and len(varying) == 1 and not wide:
        return [
            (each, _at_least(each, coarse, least, limit))
            for each, coarse in zip(candidates, sums, strict=True)
        ]
    # A sum is below the exact one by less than one step for each that was added; of two bytes, of which only
    # the upper is looked at, by less than two. One more for the rounding of the machine.
    least -= 2 if wide else len(varying)
    if least <= 0:
        return [(each, positions(_members(each))) for each in candidates]
    marks = bytes(least) + b"\1" * (256 - least)
    return [(each, positions(coarse.translate(marks))) for each, coarse in zip(candidates, sums, strict=True)]


def _same_for_all(candidates: list[Candidate], n: int) -> bool:
    """Whether one of the wanted is worth the same in all members, so that it does not tell them apart."""
    if not any(each.values[n].count for each in candidates):
        return True  # worth nothing to any
    worth = {each.values[n].uniform for each in candidates}
    if len(worth) > 1 or 0 in worth:
        return False
    return all(
        each.members.mask & ~each.values[n].mask(each.shard.segment.passages) == 0 for each in candidates
    )


def _steps(
    candidates: list[Candidate], varying: list[int], weights: Sequence[float], top: int
) -> dict[int, list[int]]:
    """For each that varies: value → coarse steps. The greatest values together have no more than `top`."""
    most = {n: max(each.values[n].most for each in candidates) for n in varying}
    reach = sum(weights[n] * most[n] for n in varying)
    steps: dict[int, list[int]] = {}
    for n in varying:
        weight, last = weights[n] * top / reach, most[n]
        steps[n] = [int(weight * value) for value in range(last + 1)] + [0] * (255 - last)
    return steps


def _sum(candidate: Candidate, steps: dict[int, list[int]]) -> bytes:
    """The coarse score of each passage in one byte, 0 for what does not meet the query."""
    passages = candidate.shard.segment.passages
    total = 0
    for n, step in steps.items():
        values = candidate.values[n]
        if values.count:
            total += int.from_bytes(values.as_lane(passages).translate(bytes(step)), "little")
    return (total & candidate.members.mask).to_bytes(passages, "little")


def _wide_sum(candidate: Candidate, steps: dict[int, list[int]]) -> bytes:
    """The same, summed in two bytes a passage, of which the upper one is given.

    Where many are wanted, most of them stand in few passages: those are added one by one, which takes less than
    one whole lane for each would.
    """
    passages = candidate.shard.segment.passages
    total = 0
    few = array("H", bytes(2 * passages))
    for n, step in steps.items():
        values = candidate.values[n]
        if values.table is not None:
            for place, value in values.table.items():
                few[place] += step[value]
        else:
            lane = values.as_lane(passages)
            pairs = bytearray(2 * passages)
            pairs[0::2] = lane.translate(bytes(each & 255 for each in step))
            pairs[1::2] = lane.translate(bytes(each >> 8 for each in step))
            total += int.from_bytes(pairs, "little")
    if sys.byteorder == "big":
        few.byteswap()
    total += int.from_bytes(few.tobytes(), "little")
    upper = int.from_bytes(total.to_bytes(2 * passages, "little")[1::2], "little")
    return (upper & candidate.members.mask).to_bytes(passages, "little")


def _members(candidate: Candidate) -> bytes:
    return candidate.members.mask.to_bytes(candidate.shard.segment.passages, "little")


def _least_of_best(sums: bytes, limit: int) -> int:
    """The greatest number that at least `limit` of the bytes reach; 0 where they are fewer."""
    low, high = 0, 256
    while high - low > 1:
        middle = (low + high) // 2
        reaching = sums.translate(None, bytes(range(middle)))
        if len(reaching) >= limit:
            low, sums = middle, reaching
        else:
            high = middle
    return low


def _at_least(candidate: Candidate, sums: bytes, least: int, limit: int) -> list[int]:
    """The passages above a sum, and of those that just reach it as many as can be among the best.

    Where only one of the wanted varies, equal sums are equal scores.
    """
    above = positions(sums.translate(bytes(least + 1) + b"\1" * (255 - least)))
    level = bytearray(256)
    level[least] = 1
    return sorted((*above, *_first(candidate, sums.translate(level), limit)))


def _first(candidate: Candidate, marks: bytes, limit: int) -> list[int]:
    """Of equals the first, where their order in the segment is that of hits; else all."""
    if not candidate.shard.segment.in_order:
        return positions(marks)
    return list(islice(_marked(marks), limit))


def _marked(marks: bytes) -> Iterator[int]:
    """Where bytes are not 0, of marks that are all the same."""
    mark = max(marks[:1] + marks.translate(None, b"\0")[:1], default=0)
    at = marks.find(mark) if mark else -1
    while at >= 0:
        yield at
        at = marks.find(mark, at + 1)
