from __future__ import annotations

import pytest

from stonebrowse.text.lines import Lines, count_line_ends


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (b"", [0]),
        (b"a", [0]),
        (b"a\n", [0, 2]),
        (b"a\r\nb\rc\n\rd", [0, 3, 5, 7, 8]),
        ("a\x0cb\x0bc\u2028d\u0085e\n".encode(), [0, 13]),
    ],
)
def test_lines_end_at_lf_crlf_and_cr_only(text: bytes, starts: list[int]) -> None:
    lines = Lines(text)
    assert [lines.start_of(line) for line in range(1, len(lines) + 1)] == starts
    assert count_line_ends(text, 0, len(text)) == len(starts) - 1


def test_each_byte_is_on_one_line() -> None:
    lines = Lines(b"a\r\nb\n\nc")
    assert [lines.line_at(offset) for offset in range(8)] == [1, 1, 1, 2, 2, 3, 4, 4]


def test_what_is_outside_is_refused() -> None:
    lines = Lines(b"a\nb")
    for offset in (-1, 4):
        with pytest.raises(IndexError, match="offset"):
            lines.line_at(offset)
    for line in (0, 3):
        with pytest.raises(IndexError, match="line"):
            lines.start_of(line)
