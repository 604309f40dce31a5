"""Where a quick index is easily wrong: sets cut short, rows not looked at, values counted in two ways.

Each is asked in every way that an index may hold or do something, and of an index that came about step by step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.index import Index, Memory, parse
from tests.index import reference
from tests.index.documents import make
from tests.index.low_bounds import AS_THEY_ARE, LOW, WAYS, bounded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from stonebrowse.index import Document

WAY_NAMES = [
    "as it is",
    "dense",
    "dense, many segments",
    "many segments",
    "dense, two bytes",
    "tables, two bytes",
]
every_way = pytest.mark.parametrize("way", WAYS, ids=WAY_NAMES)

DOCUMENTS = [
    make(
        1, "# Set up\n\nkeep node.js up-to-date, naïve café\n", path="dev/node.js.md", tags=("open source",)
    ),
    make(2, "# Xenon gas\n\nnode and js apart; up then to date\n", path="lab/xenon.md"),
    make(3, "plain xylophone text, cafe naive\n\n# Other\n\nnode.js again\n", path="art/plain.md"),
    make(4, "snake_case snake case SnakeCase up to date\n", path="dev/x-ray.md", title="Xylem"),
    make(5, "# 北京\n\n我在北京大学学习日本語\n", path="日記/a.md"),
    make(6, "北京 大学 と 日本\n\n## Naïve café\n\nthe the of the\n", path="日記/b.md"),
]


def found(memory: Memory | Index, query: str) -> list[int]:
    """The documents of all hits, each once; the total is that of the hits."""
    answer = memory.search(parse(query), limit=1000)
    assert answer.exact
    assert answer.total == len(answer.hits)
    return sorted({key for key, _, _ in answer.hits})


@every_way
@pytest.mark.parametrize(
    ("query", "documents"),
    [
        # or and not over words of several parts: the whole set counts, not the best of it
        ("node.js OR xylem", [1, 3, 4]),
        ("node -node.js", [2]),
        ("date -up-to-date", [2]),
        ("date -node.js", [2, 4]),
        ("snake_case OR up-to-date", [1, 4]),
        # phrases inside or, and after a minus, are looked at as phrases
        ('"date up" OR "js apart"', [2]),
        ('"up to date" OR xylophone', [1, 3, 4]),
        ('date -"to date"', []),
        ('date -"up to date"', [2]),
        ('cafe -"naive cafe"', [3]),
        # words in a row within a name
        ('"up to"', [1, 4]),
        ('"to date"', [1, 2, 4]),
        ('"date naive"', [1]),
        ('"keep node"', [1]),
        # accents are folded in phrases as elsewhere
        ('"naive café"', [1, 6]),
        ('"NAÏVE CAFE"', [1, 6]),
        # fields hold for beginnings and phrases too
        ("heading:x*", [2]),
        ("path:x*", [2, 4]),
        ("title:x*", [4]),
        ("tag:o*", [1]),
        ("x*", [2, 3, 4]),
        ('tag:"open source"', [1]),
        ('heading:"xenon gas"', [2]),
        ("heading:naive -heading:xenon", [6]),
        ("path:node.js", [1]),
        ("dev -heading:set", [4]),
        # runs without blanks
        ("北京大学", [5]),
        ("北京 大学", [5, 6]),
        ("heading:北京", [5]),
        ("北", [5, 6]),
        ("日本 -日本語", [6]),
        ("日本語 OR 大学", [5, 6]),
        ('"the the"', [6]),
        ('"the the the"', []),
    ],
)
def test_exactly_these(way: dict[str, int], query: str, documents: list[int]) -> None:
    with bounded(way):
        assert found(Memory(DOCUMENTS), query) == documents


def _many() -> list[Document]:
    """Enough of everything that a list of the best is shorter than the set."""
    texts = (
        f"# Part {n}\n\n{'node.js' if n % 3 else 'node and js'} {'the ' * (n % 7)}"
        f"{'up-to-date' if n % 2 else 'up to, date'} word{n % 11} {'snake_case ' * (n % 5)}\n"
        for n in range(150)
    )
    return [make(key, text, path=f"d{key % 4}/{key}.md") for key, text in enumerate(texts, start=1)]


@every_way
@pytest.mark.parametrize("limit", [1, 20, 1000])
def test_totals_and_order_do_not_depend_on_how_many_are_wanted(way: dict[str, int], limit: int) -> None:
    documents = _many()
    here = reference.places(documents)
    queries = [
        "node.js OR snake_case", "node -node.js", '"the the" OR up-to-date', 'node -"up to date"', "word1* -word10 the",
        "path:d1 node.js", "heading:part snake_case", "t*", 's* -"snake case"', "up-to-date OR word3 OR word4*",
        "the OR word3 OR word4 OR snake_case OR word5* OR d2", "part OR word1 OR word2 OR 31 OR 42",
    ]  # fmt: skip
    with bounded(way):
        memory = Memory(documents)
        for string in queries:
            query = parse(string)
            answer = memory.search(query, limit=limit)
            assert (answer.hits, answer.total) == reference.search(here, query, limit=limit), string


def _answers(index: Index | Memory, queries: Sequence[str]) -> list[object]:
    return [
        (answer.hits, answer.total) for answer in (index.search(parse(query), limit=40) for query in queries)
    ]


@pytest.mark.parametrize("way", [AS_THEY_ARE, LOW], ids=["as it is", "dense"])
def test_an_index_made_step_by_step_ranks_as_one_made_at_once(way: dict[str, int], tmp_path: Path) -> None:
    documents = _many()
    queries = ["the", "snake_case the", "snake", "node.js word3", "part OR the", "d2 up", 't* "node js"']
    with bounded(way):
        steps = Index.open(tmp_path / "index")
        steps.update(documents[:90])
        for document in documents[:30]:  # what was there is replaced: other texts first, then the same
            steps.update([make(document.key, "the node.js of " * 9, path=document.path)])
        steps.update(documents[:30])
        for at in range(90, len(documents), 7):
            steps.update(documents[at : at + 7])
        steps.update([], [document.key for document in documents[100:110]])
        left = [*documents[:100], *documents[110:]]
        whole = Memory(left)
        assert _answers(steps, queries) == _answers(whole, queries)
        here = reference.places(left)
        assert _answers(whole, queries) == [reference.search(here, parse(q), limit=40) for q in queries]
        steps.tidy()
        assert _answers(steps, queries) == _answers(whole, queries)
        steps.close()
