"""Documents that are searched before they are in the index: the same segments, kept in memory."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from stonebrowse.index.analyzer import drafts
from stonebrowse.index.engine import Cache, Search
from stonebrowse.index.packing import pack
from stonebrowse.index.result import Found, answered
from stonebrowse.index.segment import Segment
from stonebrowse.index.shard import Shard

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from stonebrowse.index.documents import Document
    from stonebrowse.index.queries import Query

_CACHE_BYTES = 2 << 20
_numbers = count()


class Memory:
    """Some documents, ready to be searched.

    Attributes:
        shards: their segments.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self.shards = tuple(
            Shard(f"memory {next(_numbers)}", Segment(pack(draft))) for draft in drafts(documents)
        )
        self._cache = Cache(_CACHE_BYTES)

    def search(self, query: Query, *, limit: int, only: Collection[int] | None = None) -> Found:
        """The best of their passages; see `Index.search`."""
        return answered(query, lambda each: Search(each, self.shards, self._cache).run(limit, only))


def search_in_memory(
    documents: Iterable[Document], query: Query, *, limit: int, only: Collection[int] | None = None
) -> Found:
    """The best passages of some documents, as an index that held just these would answer."""
    return Memory(documents).search(query, limit=limit, only=only)
