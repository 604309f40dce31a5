"""The best of the passages that meet a query, scored exactly.

A score is the sum of value times weight over all that is wanted, in the order of the query. Equal scores go by
document's key and passage. Few candidates are all scored, of many those that `coarse` leaves.
"""

from __future__ import annotations

from heapq import nlargest
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index.coarse import Candidate, near_best

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.index.shard import Shard

Hit = tuple[int, int, float]


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
        scored += [_scored(each, places, weights) for each, places in near_best(many, weights, limit)]
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
