"""From a query and segments to the best passages: the values of what is wanted, who meets the query, the best.

Everything is exact: who matches, how many, in which order. Where very many match, a coarse score of one byte a
passage, summed as large numbers, finds those that can be among the best, and only these are scored exactly.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index import bounds
from stonebrowse.index.coarse import Candidate
from stonebrowse.index.evaluating import word_values
from stonebrowse.index.matching import Members, members
from stonebrowse.index.ranking import rarity
from stonebrowse.index.rows import RowSearch
from stonebrowse.index.scoring import best

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from stonebrowse.index.queries import Query
    from stonebrowse.index.shard import Shard
    from stonebrowse.index.values import Values
    from stonebrowse.index.wanted import Wanted


class Ranked(NamedTuple):
    """What was found.

    Attributes:
        hits: the best: document's key, passage of the document, score; best first, equals by key and passage.
        total: how many passages match.
        exact: whether the bound of work was kept, so that none was missed.
        unknown: which of the wanted stand nowhere.
    """

    hits: list[tuple[int, int, float]]
    total: int
    exact: bool
    unknown: tuple[Wanted, ...]


class Cache:
    """The values of what was wanted lately, least recently used out first."""

    def __init__(self, most_bytes: int = bounds.CACHE_BYTES) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._held: OrderedDict[tuple[str, Wanted], Values] = OrderedDict()

    def get(self, name: str, wanted: Wanted) -> Values | None:
        """The values of a wanted in the shard with a name, if they are there."""
        key = (name, wanted)
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
        return found

    def put(self, name: str, wanted: Wanted, values: Values) -> None:
        """Keeps values."""
        old = self._held.pop((name, wanted), None)
        self._bytes += values.size - (old.size if old else 0)
        self._held[name, wanted] = values
        while self._bytes > self._most and len(self._held) > 1:
            self._bytes -= self._held.popitem(last=False)[1].size

    def update(self, shards: Sequence[Shard], before: Sequence[Shard]) -> None:
        """Brings what is kept from one commit to the next: drops what has been deleted since."""
        gone = {shard.name: shard.gone for shard in before}
        fresh = {shard.name: shard.gone for shard in shards if shard.gone != gone.get(shard.name)}
        names = {shard.name for shard in shards}
        for key, values in list(self._held.items()):
            if key[0] not in names:
                self._bytes -= self._held.pop(key).size
            elif key[0] in fresh:
                kept = self._held[key] = values.drop(fresh[key[0]])
                self._bytes += kept.size - values.size


class Search:
    """One query, asked of some shards."""

    def __init__(
        self,
        query: Query,
        shards: Sequence[Shard],
        cache: Cache,
        stale: Collection[int] = (),
        besides: Sequence[Shard] = (),
    ) -> None:
        """Prepares it.

        Args:
            query: what is asked.
            shards: where.
            cache: of values in the shards as they are; may be shared by searches of the same shards.
            stale: documents in them that shall not count.
            besides: shards in which every document counts.
        """
        self._query = query
        self._cache = cache
        self._kept = [*shards, *besides]
        self._shards = [*(shard.without(stale) for shard in shards), *besides]
        self._left = bounds.MOST_LOOKS
        self._exact = True

    def run(self, limit: int, only: Collection[int] | None = None) -> Ranked:
        """The best passages.

        Args:
            limit: how many.
            only: documents that they shall be of; rarity is counted over all.
        """
        wanted = self._query.wanted
        values = [[self._values(place, each) for each in wanted] for place in range(len(self._shards))]
        counts = [sum(row[n].count for row in values) for n in range(len(wanted))]
        passages = sum(shard.live for shard in self._shards)
        weights = [rarity(passages, count) for count in counts]
        found: list[tuple[Shard, Members, list[Values]]] = []
        for place, shard in enumerate(self._shards):
            by_wanted = dict(zip(wanted, values[place], strict=True))
            groups = [[by_wanted[each] for each in group] for group in self._query.groups]
            excluded = [self._values(place, each) for each in self._query.excluded]
            allowed = None if only is None else shard.only(only)
            matching = members(groups, excluded, allowed, shard.segment.passages)
            if matching.count:
                found.append((shard, matching, values[place]))
        total = sum(matching.count for _, matching, _ in found)
        hits = best([Candidate(*each) for each in found], weights, limit)
        unknown = tuple(each for each, count in zip(wanted, counts, strict=True) if not count)
        return Ranked(hits, total, self._exact, unknown)

    def _values(self, place: int, wanted: Wanted) -> Values:
        """The values of a wanted in a shard; stale documents left out."""
        kept, shard = self._kept[place], self._shards[place]
        values = self._cache.get(kept.name, wanted)
        if values is None:
            values = self._computed(place, wanted)
            self._cache.put(kept.name, wanted, values)
        return values if shard is kept else values.drop(shard.gone)

    def _computed(self, place: int, wanted: Wanted) -> Values:
        """The values in a shard as the cache keeps them: stale documents count."""
        shard = self._kept[place]
        if len(wanted.words) == 1:
            values = word_values(shard.segment, wanted)
            return values.drop(shard.gone) if shard.gone else values
        search = RowSearch(shard.segment, lambda single: self._whole(place, single), self._left)
        values = search.values(wanted)
        self._left = search.left
        self._exact = self._exact and self._left >= 0
        return values

    def _whole(self, place: int, wanted: Wanted) -> Values:
        kept = self._kept[place]
        values = self._cache.get(kept.name, wanted)
        if values is None:
            values = self._computed(place, wanted)
            self._cache.put(kept.name, wanted, values)
        return values
