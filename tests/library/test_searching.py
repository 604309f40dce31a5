"""What an answer costs: counted, not timed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from stonebrowse.index import Index
from stonebrowse.library import searching
from stonebrowse.store.database import Database
from tests.library.conftest import write

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    from stonebrowse.index import Found, Query
    from stonebrowse.library.library import Library

FILES = 40


@pytest.fixture
def many(library: Library, folder: Path) -> Library:
    for number in range(FILES):
        write(folder / f"m{number:02}.md", f"# Part {number}\n\nbeacon {number}\n")
    library.update()
    return library


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one with each moment at which the store is read."""
    seen: list[int] = []
    plain = Database.reading

    @contextmanager
    def counted(database: Database) -> Iterator[sqlite3.Connection]:
        seen.append(1)
        with plain(database) as connection:
            yield connection

    monkeypatch.setattr(Database, "reading", counted)
    return seen


@pytest.mark.parametrize("limit", [1, 20, FILES])
def test_the_store_is_read_no_more_often_for_many_hits(
    many: Library, readings: list[int], limit: int
) -> None:
    many.search("lantern")  # opens what is opened once
    readings.clear()
    answer = many.search("beacon", limit=limit)
    assert len(answer.hits) == limit
    assert len(readings) <= 2, "what has changed, and all that the hits stand in"
    readings.clear()
    assert many.search("beacon", limit=limit).hits == answer.hits
    assert len(readings) <= 1


def test_what_is_asked_where_nothing_is_found_is_bounded(
    many: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    plain = Index.search

    def counted(index: Index, query: Query, **how: Any) -> Found:
        asked.append(len(query.wanted))
        return plain(index, query, **how)

    monkeypatch.setattr(Index, "search", counted)
    words = [f"{number}" for number in range(FILES)]
    answer = many.search(" ".join(words))
    assert not answer.hits
    assert asked[0] == FILES
    assert len(asked) <= 2 + searching.MOST_APART
    assert max(asked[1:], default=0) <= searching.MOST_APART


def test_more_hits_than_documents_are_kept(many: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = many.search("beacon", limit=FILES).hits
    assert len({hit.path for hit in whole}) == FILES
    monkeypatch.setattr(searching, "DOCUMENTS_KEPT", 3)
    for _ in range(2):
        assert many.search("beacon", limit=FILES).hits == whole
        assert [hit.text for hit in whole] == [
            hit.document.read(hit.start, hit.end).decode() for hit in whole
        ]
    held = many._searching._documents
    assert len(held) <= 3
