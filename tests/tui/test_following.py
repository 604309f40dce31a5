"""Keeping the place while a text is edited."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from stonebrowse.tui.following import follow

LINES = [
    f"line {number} of the text, and some words of its own: {number * 7919 % 104729}\n"
    for number in range(4000)
]
TEXT = "".join(LINES).encode()


@dataclass
class Memory:
    text: bytes

    @property
    def size(self) -> int:
        return len(self.text)

    def read(self, start: int, end: int) -> bytes:
        return self.text[max(0, start) : max(0, end)]


def offset_of(number: int) -> int:
    return len("".join(LINES[:number]).encode())


def line_shown(text: bytes, offset: int) -> str:
    return text[offset:].split(b"\n")[0].decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(TEXT, TEXT + b"more\n", id="appended"),
        pytest.param(TEXT, b"# New\n\nA first paragraph.\n\n" + TEXT, id="inserted above"),
        pytest.param(TEXT, TEXT[5000:], id="cut above"),
        pytest.param(TEXT, TEXT[:180_000], id="cut below"),
        pytest.param(
            TEXT, TEXT.replace(b"line 10 ", b"line ten ").replace(b"line 3900 ", b"l. 3900 "), id="both sides"
        ),
        pytest.param(TEXT, b"x" * 3000 + b"\n" + TEXT[:200_000] + b"y\n" * 99 + TEXT[200_000:], id="much"),
    ],
)
def test_the_line_at_the_top_stays(before: bytes, after: bytes) -> None:
    offset = offset_of(2000)
    found = follow(Memory(before), Memory(after), offset)
    assert line_shown(after, found) == LINES[2000].rstrip("\n")


def test_where_the_line_itself_was_edited_the_place_is_the_edited_line() -> None:
    edited = LINES.copy()
    edited[2000] = "something else altogether\n"
    edited.insert(0, "a line above\n")
    after = "".join(edited).encode()
    found = follow(Memory(TEXT), Memory(after), offset_of(2000))
    assert line_shown(after, found) == "something else altogether"


def test_equal_lines_do_not_draw_the_place_away() -> None:
    before = b"same\n" * 5000 + b"here\n" + b"same\n" * 5000
    after = b"new\n" + before
    offset = 5 * 5000
    assert line_shown(after, follow(Memory(before), Memory(after), offset)) == "here"


@pytest.mark.parametrize("after", [b"", b"x", b"\n\n"])
def test_a_text_that_is_gone_gives_an_offset_inside_what_is_left(after: bytes) -> None:
    assert 0 <= follow(Memory(TEXT), Memory(after), offset_of(2000)) <= len(after)


def test_only_a_little_is_read_of_a_long_text() -> None:
    read = 0

    class Counting(Memory):
        def read(self, start: int, end: int) -> bytes:
            nonlocal read
            piece = super().read(start, end)
            read += len(piece)
            return piece

    long = TEXT * 50
    middle = len(long) // 2
    follow(Counting(long), Counting(b"first\n" + long[:middle] + b"middle\n" + long[middle:]), middle)
    assert read < 1 << 20
