"""How much is done for a query: counted, so that it cannot depend on the machine."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from stonebrowse.index import Memory, bounds, parse
from stonebrowse.index.segment import Segment
from tests.index.documents import make
from tests.index.low_bounds import bounded

if TYPE_CHECKING:
    from types import FrameType

    from stonebrowse.index import Query

LETTERS = "abcdefghijklmnopqrst"
SMALL, LARGE = 9_000, 36_000


def passages(count: int) -> Memory:
    """One segment of passages of common words, rarer ones, names of several parts and Chinese."""
    texts = (
        f"the {'of the ' * (n % 2)}{LETTERS[n % 20]}{n % 97} a{n % 301} snake_case{n % 3} "
        f"{'in a row' if n % 4 else 'a row in'} 北京大学{'学北'[n % 2]} word{n % 7} up-to-date"
        for n in range(count)
    )
    text = "".join(f"# Part {n % 50}\n\n{each}\n\n" for n, each in enumerate(texts))
    return Memory([make(1, text, path="the/of/a.md")])


@pytest.fixture(scope="module")
def memories() -> dict[int, Memory]:
    found = {count: passages(count) for count in (SMALL, LARGE)}
    assert [len(memory.shards) for memory in found.values()] == [1, 1]
    return found


def fresh(memory: Memory) -> Memory:
    """The same, with nothing remembered."""
    other = Memory([])
    other.shards = memory.shards
    return other


def steps(memory: Memory, query: Query) -> int:
    """How many functions are called for a query: what runs at the speed of C calls none for each passage."""
    counts: Counter[str] = Counter()

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        counts[event] += 1

    memory = fresh(memory)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        memory.search(query, limit=20)
    finally:
        sys.setprofile(before)
    return counts["call"] + counts["c_call"]


MANY = [f"{letter}{number}" for letter in LETTERS for number in range(10)]
HOSTILE = {
    "one letter": "a*",
    "another": "w*",
    "two letters": "th*",
    "common words": "the of in a row",
    "common words, or": "the OR of OR in OR a OR row",
    "common and not": "the -of",
    "50 words": " ".join(MANY[:50]),
    "200 words": " ".join(MANY),
    "200 words, or": " OR ".join(MANY),
    "200 beginnings": " ".join(f"{word}*" for word in MANY),
    "200 beginnings, or": " OR ".join(f"{word}*" for word in MANY),
    "a long word": "x" * 100_000,
    "the beginning of a long word": "x" * 3_990 + "*",
    "one Chinese character": "北",
    "two": "北京",
    "fields": "heading:p* path:t* tag:a*",
    "nothing": "nowhere",
}


@pytest.mark.parametrize("string", HOSTILE.values(), ids=HOSTILE.keys())
def test_work_does_not_grow_with_the_passages(memories: dict[int, Memory], string: str) -> None:
    query = parse(string)
    small, large = (steps(memories[count], query) for count in (SMALL, LARGE))
    # Four times as many passages. What is left to do for each of the best that are equal is bounded too.
    assert large <= 1.5 * small + 500
    assert large <= 12_000


def test_the_bound_of_words_holds_for_the_work(memories: dict[int, Memory]) -> None:
    fifty, more = (parse(" OR ".join(MANY[:count])) for count in (50, 200))
    assert fifty.groups == more.groups
    assert more.notes
    memory = memories[SMALL]
    assert steps(memory, fifty) == pytest.approx(steps(memory, more), rel=0.2)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many sequences are looked through."""
    counts: Counter[str] = Counter()
    holding, sequence = Segment.holding, Segment.sequence

    def counted_holding(segment: Segment, pattern: bytes, ordinals: list[int]) -> list[int]:
        counts["whole words"] += len(ordinals)
        return holding(segment, pattern, ordinals)

    def counted_sequence(segment: Segment, ordinal: int) -> bytes:
        counts["beginnings"] += 1
        return sequence(segment, ordinal)

    monkeypatch.setattr(Segment, "holding", counted_holding)
    monkeypatch.setattr(Segment, "sequence", counted_sequence)
    return counts


@pytest.mark.parametrize(
    "string", ['"of the"', "snake_case0", "北京大学", '"in a" OR "up to"', 'the -"in a"']
)
def test_no_more_texts_are_looked_through_than_the_bound(
    string: str, looked: Counter[str], memories: dict[int, Memory]
) -> None:
    memory = memories[SMALL]
    whole = fresh(memory).search(parse(string), limit=5)
    assert whole.exact
    assert 0 < looked.total() <= bounds.MOST_LOOKS
    looked.clear()
    with bounded({"MOST_LOOKS": 500}):
        part = fresh(memory).search(parse(string), limit=5)
    assert looked.total() <= 500
    assert not part.exact
    assert any("not everything" in note for note in part.notes)


def test_only_what_holds_all_words_is_looked_through(
    looked: Counter[str], memories: dict[int, Memory]
) -> None:
    found = fresh(memories[LARGE]).search(parse('"a7 snake"'), limit=5)
    assert looked["whole words"] < LARGE / 100
    assert found.exact
