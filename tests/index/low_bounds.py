"""Ways to make few passages go the ways of many."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from stonebrowse.index import bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

AS_THEY_ARE: dict[str, int] = {}
LOW = {
    "DENSE_FROM_PASSAGES": 2,
    "DENSE_SHARE": 3,
    "MANY_POSTINGS": 2,
    "MOST_IN_TABLE": 1,
    "MOST_IN_LIST": 1,
    "MOST_IN_ONE_BYTE": 2,
}
SMALL_SEGMENTS = {"MOST_PASSAGES": 3, "MERGED_SEGMENTS": 2}
WAYS = [
    AS_THEY_ARE,
    LOW,
    {**LOW, **SMALL_SEGMENTS},
    SMALL_SEGMENTS,
    {**LOW, "MOST_IN_TABLE": 2, "MOST_IN_ONE_BYTE": 0},
    {**LOW, "MOST_IN_TABLE": 40, "MOST_IN_ONE_BYTE": 0},
]


@contextmanager
def bounded(way: dict[str, int]) -> Iterator[None]:
    """Sets bounds for a while."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in way.items():
            patch.setattr(bounds, name, value)
        yield
