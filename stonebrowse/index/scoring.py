"""The best of the passages that meet a query.

A score is the sum of value times weight over all that is wanted, in the order of the query. Equal scores go by
document's key and passage. Few candidates are all scored. Of many, each value is first turned into a few coarse
steps, rounded down, and the sums of these, one byte or two a passage, are made by adding large numbers: no
passage outside those whose coarse sum comes near that of the best can be among them.
"""

from __future__ import annotations

from heapq import nlargest
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index import bounds
from stonebrowse.index.values import positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.index.matching import Members
    from stonebrowse.index.shard import Shard
    from stonebrowse.index.values import Values

Hit = tuple[int, int, float]


class Candidate(NamedTuple):
    """A shard, which of its passages meet the query, and the values of all that is wanted."""

    shard: Shard
    members: Members
    values: list[Values]


class _Scored(NamedTuple):
    """Passages of a shard, by ordinal, ascending, and their scores."""

    shard: Shard
    places: list[int]
    scores: list[float]


def best(candidates: Sequence[Candidate], weights: Sequence[float], limit: int) -> list[Hit]:
    """The best passages, best first.

    Args:
        candidates: all that meet the query.
        weights: of each that is wanted.
        limit: how many.
    """
    if limit <= 0:
        return []
    many = [each for each in candidates if each.members.places is None]
    scored = [
        _scored(each, each.members.places, weights) for each in candidates if each.members.places is not None
    ]
    if many:
        scored += [_scored(each, places, weights) for each, places in _near_best(many, weights, limit)]
    return _chosen(scored, limit)


def _scored(candidate: Candidate, places: list[int], weights: Sequence[float]) -> _Scored:
    scores = [0.0] * len(places)
    for values, weight in zip(candidate.values, weights, strict=True):
        if values.count:
            scores = [score + weight * value for score, value in zip(scores, values.at(places), strict=True)]
    return _Scored(candidate.shard, places, scores)


def _chosen(scored: list[_Scored], limit: int) -> list[Hit]:
    least = min(nlargest(limit, chain.from_iterable(each.scores for each in scored)), default=0.0)
    hits: list[Hit] = []
    for shard, places, scores in scored:
        segment = shard.segment
        chosen = [(score, place) for score, place in zip(scores, places, strict=True) if score >= least]
        if len(chosen) > limit and segment.in_order:
            # Of those with the least score only the first can be among the best.
            ties = [each for each in chosen if each[0] == least]
            chosen = [each for each in chosen if each[0] > least] + ties[:limit]
        hits += [(*segment.place(place), score) for score, place in chosen]
    hits.sort(key=lambda hit: (-hit[2], hit[0], hit[1]))
    return hits[:limit]


def _near_best(
    candidates: list[Candidate], weights: Sequence[float], limit: int
) -> list[tuple[Candidate, list[int]]]:
    """Of each candidate the passages that can be among the best."""
    most = [max(each.values[n].most for each in candidates) for n in range(len(weights))]
    reach = sum(weight * value for weight, value in zip(weights, most, strict=True))
    wide = len(weights) > bounds.MOST_IN_ONE_BYTE
    top = 65535 if wide else 255
    steps = [[min(top, int(weight * value * top / reach)) for value in range(256)] for weight in weights]
    coarse = [_sum(each, steps, wide=wide) for each in candidates]
    # A sum is below the exact one by less than one step for each that was added; of two bytes, of which only
    # the upper is looked at, by less than two. One more for the rounding of the machine.
    blur = 2 if wide else len(weights)
    least = _least_of_best(b"".join(coarse), limit) - blur + (len(weights) == 1)
    if least <= 0:
        return [(each, _places(each)) for each in candidates]
    marks = bytes(least) + b"\1" * (256 - least)
    return [(each, positions(sums.translate(marks))) for each, sums in zip(candidates, coarse, strict=True)]


def _sum(candidate: Candidate, steps: list[list[int]], *, wide: bool) -> bytes:
    """The coarse score of each passage in one byte, 0 for what does not meet the query."""
    passages = candidate.shard.segment.passages
    total = 0
    for values, step in zip(candidate.values, steps, strict=True):
        if not values.count:
            continue
        lane = values.as_lane(passages)
        if wide:
            pairs = bytearray(2 * passages)
            pairs[0::2] = lane.translate(bytes(each & 255 for each in step))
            pairs[1::2] = lane.translate(bytes(each >> 8 for each in step))
            total += int.from_bytes(pairs, "little")
        else:
            total += int.from_bytes(lane.translate(bytes(step)), "little")
    if wide:
        total = int.from_bytes(total.to_bytes(2 * passages, "little")[1::2], "little")
    return (total & candidate.members.mask).to_bytes(passages, "little")


def _places(candidate: Candidate) -> list[int]:
    return positions(candidate.members.mask.to_bytes(candidate.shard.segment.passages, "little"))


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
