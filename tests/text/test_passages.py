from __future__ import annotations

from itertools import pairwise

import pytest

from stonebrowse.text.parts import MAX_PASSAGE
from stonebrowse.text.passages import Cut, Passage, cut


def pieces(text: bytes) -> list[bytes]:
    return [text[passage.start : passage.end] for passage in cut(text).passages()]


PARAGRAPH = b"word " * 199 + b"end.\n"  # 1,000 bytes


@pytest.mark.parametrize("text", [b"", b"\n", b"\n\n   \n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n \r\n"])
def test_nothing_but_blank_space_has_no_passages(text: bytes) -> None:
    found = cut(text)
    assert (len(found), found.section_count, list(found.passages())) == (0, 0, [])
    with pytest.raises(IndexError):
        found.at(0)
    with pytest.raises(IndexError):
        found.at_line(1)


def test_blank_lines_belong_to_the_passage_before_and_at_the_start_to_the_one_after() -> None:
    assert pieces(b"\n \n# A\n\n\n# B\n\n") == [b"\n \n# A\n\n\n", b"# B\n\n"]
    assert [passage.line for passage in cut(b"\n \n# A\n").passages()] == [3]


def test_a_byte_order_mark_is_no_text_of_its_own() -> None:
    assert pieces(b"\xef\xbb\xbf# A\n") == [b"\xef\xbb\xbf# A\n"]
    assert pieces(b"\xef\xbb\xbf\n# A\n") == [b"\xef\xbb\xbf\n# A\n"]


def test_text_before_the_first_heading_is_a_section_of_level_0() -> None:
    (before, section) = cut(b"\ntop\n\n# A\n").sections()
    assert (before.level, before.heading, before.line, before.start, before.parent) == (0, "", 2, 0, -1)
    assert section == (1, "A", 4, 6, 10, -1)


def test_front_matter_is_text_of_line_1() -> None:
    found = cut(b"---\ntitle: x\n---\n\n# A\n")
    assert [(section.level, section.line) for section in found.sections()] == [(0, 1), (1, 5)]


def test_trails_leave_empty_headings_out_and_are_escaped() -> None:
    found = cut(b"# A\n## \n### B\x1b\n# C\n")
    assert [found.trail(index) for index in range(4)] == [("A",), ("A",), ("A", r"B\x1b"), ("C",)]


def test_a_long_section_is_cut_between_blocks() -> None:
    text = b"# A\n\n" + b"\n".join([PARAGRAPH] * 10)
    parts = list(cut(text).passages())
    assert [(passage.part, passage.section) for passage in parts] == [(1, 0), (2, 0), (3, 0)]
    assert all(text[passage.start - 2 : passage.start] == b"\n\n" for passage in parts[1:])
    assert [passage.line for passage in parts] == [1, 11, 19]


def test_blocks_that_no_blank_line_parts_are_told_apart() -> None:
    table = b"| a | b |\n|---|---|\n" + b"| x | y |\n" * 200
    text = b"# A\n" + table + b"> quote\n" * 280 + b"# B\n"
    assert pieces(text) == [b"# A\n" + table, b"> quote\n" * 280, b"# B\n"]


def test_a_fence_is_one_block() -> None:
    fence = b"```\n" + b"\ncode\n" * 400 + b"```\n"
    assert pieces(PARAGRAPH * 2 + b"\n" + fence) == [PARAGRAPH * 2 + b"\n", fence]


def test_a_long_block_is_cut_at_line_ends() -> None:
    text = b"# A\n\n" + b"x" * 99 + (b"\n" + b"x" * 99) * 99
    found = pieces(text)
    assert len(found) == 3
    assert all(piece.endswith(b"\n") for piece in found[:-1])
    assert all(len(piece) <= MAX_PASSAGE for piece in found)


def test_a_long_line_is_cut_between_characters() -> None:
    text = "é".encode() * 5_000
    found = pieces(text)
    assert [len(piece) for piece in found] == [4096, 4096, 1808]
    odd = b"a" + "日".encode() * 3_000
    assert "".join(piece.decode() for piece in pieces(odd)) == odd.decode()


def test_a_long_line_is_cut_after_a_space_near_the_end() -> None:
    assert all(piece.endswith(b" ") for piece in pieces(b"words " * 2_000)[:-1])


def test_crlf_is_never_parted() -> None:
    text = (b"x" * 60 + b"\r\n") * 300
    assert all(piece.endswith(b"\r\n") for piece in pieces(text))


@pytest.mark.parametrize(("length", "passages"), [(MAX_PASSAGE, 1), (MAX_PASSAGE + 1, 2)])
def test_blank_lines_at_the_ends_are_not_counted(length: int, passages: int) -> None:
    assert len(pieces(b"\n" * 5_000 + b"x" * length + b"\n" * 5_000)) == passages


def test_it_is_asked_by_place() -> None:
    text = b"top\n\n# A\n\n" + b"x" * 5_000 + b"\n## B\ny\n"
    found = cut(text)
    for ordinal, passage in enumerate(found.passages()):
        assert found.passage(ordinal) == passage
        assert found.at(passage.start) == found.at(passage.end - 1) == ordinal
    assert found.at(len(text)) == len(found) - 1
    assert [found.at_line(line) for line in (0, 1, 2, 3, 4, 5, 6, 7, 99)] == [0, 0, 0, 1, 1, 2, 4, 4, 4]
    for outside in (-1, len(found)):
        with pytest.raises(IndexError):
            found.passage(outside)
    for outside in (-1, found.section_count):
        with pytest.raises(IndexError):
            found.section(outside)
    for outside in (-1, len(text) + 1):
        with pytest.raises(IndexError):
            found.at(outside)


def test_packed_it_is_small_and_comes_back() -> None:
    text = b"".join(b"## S%d\n\n%b\n" % (number, b"x" * 87) for number in range(2_000)) + b"y" * 20_000
    found = cut(text)
    packed = found.pack()
    assert len(packed) < len(text) / 20
    again = Cut.unpack(packed)
    assert list(again.passages()) == list(found.passages())
    assert list(again.sections()) == list(found.sections())


@pytest.mark.parametrize("damage", [b"", b"\x01", b"\x07" + bytes(40), bytes(60)])
def test_what_was_never_packed_is_refused(damage: bytes) -> None:
    with pytest.raises(ValueError, match=r"no packed cut|format"):
        Cut.unpack(damage)


def test_every_truncation_is_refused() -> None:
    packed = cut(b"# A\n\n## B\n").pack()
    for end in range(len(packed)):
        with pytest.raises(ValueError, match="no packed cut"):
            Cut.unpack(packed[:end])


def test_many_sections_follow_each_other() -> None:
    found = cut(b"# A\n\nx\n" * 10_000)
    assert found.section_count == len(found) == 10_000
    assert all(before.end == after.start for before, after in pairwise(found.sections()))
    assert found.passage(9_999) == Passage(69_993, 70_000, 29_998, 1, 9_999)


@pytest.mark.parametrize(
    "text",
    [
        b">" * 50_000 + b" x\n",
        b"- " * 50_000 + b"x\n",
        b"[" * 50_000 + b"\n",
        b"![[" * 50_000 + b"\n",
        b"*a_ " * 25_000 + b"\n",
        b"".join(b">" * depth + b" " + b"- " * depth + b"item\n" for depth in range(1, 300)),
    ],
    ids=["quotes", "lists", "brackets", "images", "stars", "mixed"],
)
def test_pathological_nesting_is_cut(text: bytes) -> None:
    found = cut(text + b"\n# After\n")
    assert found.passage(0).start == 0
    assert found.section(found.section_count - 1).heading == "After"


def test_many_blocks_in_one_section_are_cut_in_one_pass() -> None:
    # A copy of what is above each block would be 100 GB here.
    text = b"some text of a paragraph\n\n" * 100_000
    assert all(piece.startswith(b"some") and piece.endswith(b"\n\n") for piece in pieces(text))
