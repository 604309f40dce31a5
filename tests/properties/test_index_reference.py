"""The index answers as looking at every passage does: the same passages, in the same order, as many."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stonebrowse.index import Index, Memory, parse
from tests.index import reference
from tests.index.documents import documents, libraries, queries
from tests.index.low_bounds import WAYS, bounded

if TYPE_CHECKING:
    from stonebrowse.index import Document, Found

ways = st.sampled_from(WAYS)
asked = st.lists(queries, min_size=1, max_size=4)


def expected(
    here: list[reference.Place], string: str, *, limit: int, typing: bool
) -> tuple[list[object], int]:
    query = parse(string, typing=typing)
    hits, total = reference.search(here, query, limit=limit)
    if not total and query.fallback:
        hits, total = reference.search(here, query.fallback, limit=limit)
    return list(hits), total


def answer(found: Found) -> tuple[list[object], int]:
    assert found.exact
    return list(found.hits), found.total


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(libraries(), asked, st.booleans(), st.sampled_from([1, 3, 100]), ways)
def test_any_query_on_any_documents(
    held: list[Document], strings: list[str], typing: bool, limit: int, way: dict[str, int]
) -> None:
    with bounded(way):
        memory = Memory(held)
        here = reference.places(held)
        for string in strings:
            found = memory.search(parse(string, typing=typing), limit=limit)
            assert answer(found) == expected(here, string, limit=limit, typing=typing)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[list[Document], list[int]]]:
    """Updates: documents that come or are replaced, and keys that go, some of which are not there."""
    keys = st.integers(1, 9)
    steps = []
    for _ in range(draw(st.integers(1, 4))):
        coming = [draw(documents(key)) for key in draw(st.lists(keys, max_size=2, unique=True))]
        steps.append((coming, draw(st.lists(keys, max_size=2))))
    return steps


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(), asked, ways, st.sets(st.integers(1, 9), max_size=3), st.sets(st.integers(1, 12)))
def test_any_history_answers_as_what_is_left(
    history: list[tuple[list[Document], list[int]]],
    strings: list[str],
    way: dict[str, int],
    without: set[int],
    only: set[int],
) -> None:
    with bounded(way), tempfile.TemporaryDirectory() as folder:
        index = Index.open(Path(folder) / "index")
        reader = Index.open(Path(folder) / "index")
        left: dict[int, Document] = {}
        for coming, going in history:
            for key in going:
                left.pop(key, None)
            left.update({document.key: document for document in coming})
            index.update(coming, going)
            reader.refresh()
            for each in (index, reader):
                assert each.keys() == left.keys()
                assert len(each) == sum(len(document.cut) for document in left.values())
            check(index, reader, list(left.values()), strings)
        index.tidy()
        reader.refresh()
        check(index, reader, list(left.values()), strings)
        check(index, Index.open(Path(folder) / "index"), list(left.values()), strings)
        also = Memory([document for key, document in left.items() if key in without])
        here = reference.places(left.values())
        for string in strings:
            found = reader.search(parse(string), limit=9, without=without, only=only, also=also)
            query = found.query
            assert answer(found) == tuple(reference.search(here, query, limit=9, only=only))


def check(index: Index, reader: Index, left: list[Document], strings: list[str]) -> None:
    here = reference.places(left)
    for string in strings:
        should = expected(here, string, limit=5, typing=False)
        assert answer(index.search(parse(string), limit=5)) == should
        assert answer(reader.search(parse(string), limit=5)) == should
