"""A segment's file: what is packed is read back, and nothing that is not whole is read at all."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from stonebrowse.index import IndexDamaged, Memory, parse
from stonebrowse.index.analyzer import drafts
from stonebrowse.index.fields import term
from stonebrowse.index.layout import HEADER_BYTES
from stonebrowse.index.packing import pack
from stonebrowse.index.segment import Segment
from tests.index.documents import make
from tests.index.low_bounds import LOW, bounded

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["alpha", "alphabet", "alps", "beta", "the", "the", "the", "of", "an", "日本語", "naïve"]


def documents(count: int = 40) -> list[object]:
    chance = random.Random(5)
    return [
        make(
            key,
            f"# {chance.choice(WORDS)}\n\n" + " ".join(chance.choices(WORDS, k=6)),
            path=f"d{key % 3}/x.md",
        )
        for key in range(1, count + 1)
    ]


def packed(count: int = 40) -> bytes:
    (draft,) = drafts(documents(count))  # type: ignore[arg-type]
    return pack(draft)


@pytest.mark.parametrize("way", [{}, LOW], ids=["postings", "dense"])
def test_every_term_is_found_by_number_name_and_beginning(way: dict[str, int]) -> None:
    with bounded(way):
        segment = Segment(packed())
    names = [segment.term(number) for number in range(segment.terms)]
    assert names == sorted(set(names))
    assert term("text", "alpha") in names
    for number, name in enumerate(names):
        assert segment.find(name) == number
        assert segment.find(name + b"x") == -1
        low, high = segment.beginning(name[:2])
        assert names[low:high] == [each for each in names if each.startswith(name[:2])]
    assert segment.passages == segment.documents == 40
    assert segment.is_whole()
    assert segment.in_order


@pytest.mark.parametrize("way", [{}, LOW], ids=["postings", "dense"])
def test_short_beginnings_are_kept_as_bits(way: dict[str, int]) -> None:
    with bounded(way):
        segment = Segment(packed())
        plain = Segment(packed())
    for prefix in ("a", "al", "th", "日"):
        held = segment.held(prefix.encode())
        if way:
            assert held is not None
            low, high = plain.beginning(prefix.encode())
            expected = set()
            for number in range(low, high):
                lane = plain.lane(number)
                ordinals, _ = plain.postings(number, number + 1)
                expected |= set(ordinals) if lane is None else {n for n, value in enumerate(lane) if value}
            assert {n for n, bit in enumerate(held) if bit} == expected
        else:
            assert held is None


def test_a_passage_knows_its_document() -> None:
    segment = Segment(packed(3))
    assert [segment.place(ordinal) for ordinal in range(3)] == [(1, 0), (2, 0), (3, 0)]
    assert segment.spans == {1: ((0, 1),), 2: ((1, 2),), 3: ((2, 3),)}


def test_no_byte_of_a_file_may_change_unseen(tmp_path: Path) -> None:
    data = packed(4)
    path = tmp_path / "x.pack"
    chance = random.Random(2)
    for at in [*range(HEADER_BYTES), *chance.sample(range(HEADER_BYTES, len(data)), 200)]:
        broken = bytearray(data)
        broken[at] ^= 1 << chance.randrange(8)
        path.write_bytes(broken)
        with pytest.raises(IndexDamaged):
            Segment.open(path)


@pytest.mark.parametrize("keep", [0, 1, 100, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1, -1])
def test_a_cut_file_is_not_read(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "x.pack"
    path.write_bytes(packed(4)[:keep])
    with pytest.raises(IndexDamaged):
        Segment.open(path)


def test_no_file_and_a_longer_file_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(IndexDamaged, match="cannot be opened"):
        Segment.open(tmp_path / "missing")
    path = tmp_path / "x.pack"
    path.write_bytes(packed(4) + b"\0")
    with pytest.raises(IndexDamaged):
        Segment.open(path)


def test_a_document_of_many_passages_spans_segments_and_is_one() -> None:
    text = "# Top\n\n" + "".join(
        f"## Part {n}\n\nword{n} common\n\n### Deep {n}\n\nbelow\n\n" for n in range(20)
    )
    with bounded({"MOST_PASSAGES": 7}):
        memory = Memory(
            [make(1, "before\n"), make(2, text, path="long/text.md"), make(3, "# Top\n\nafter common\n")]
        )
    assert len(memory.shards) == 7
    found = memory.search(parse("common"), limit=99)
    assert found.total == 21
    assert sorted(hit[:2] for hit in found.hits) == [*((2, 1 + 2 * n) for n in range(20)), (3, 0)]
    assert memory.search(parse('"part 13" below'), limit=9).hits[0][:2] == (2, 28)
    assert memory.search(parse("top below"), limit=99).total == 20
    assert memory.search(parse("heading:top"), limit=99).total == 2
    assert memory.search(parse("path:long/text"), limit=99).total == 41


def test_documents_without_passages_are_held() -> None:
    memory = Memory([make(1, ""), make(2, "\n\n"), make(3, "word\n"), make(4, "")])
    assert set().union(*(shard.keys for shard in memory.shards)) == {1, 2, 3, 4}
    assert [hit[:2] for hit in memory.search(parse("word"), limit=3).hits] == [(3, 0)]
    assert Memory([]).search(parse("word"), limit=3).total == 0
    assert Memory([make(1, "")]).search(parse("word a*"), limit=3).total == 0
