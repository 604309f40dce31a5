"""Line numbers and byte offsets of one text.

A line ends at LF, CRLF or CR and at nothing else (CommonMark 0.31.2, "Characters and lines"): a form feed,
NEL or U+2028 is a character like any other, so `bytes.splitlines` and `str.splitlines` are not used anywhere.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from operator import methodcaller

LINE_END = re.compile(rb"\r\n?|\n")


def count_line_ends(text: bytes, start: int, end: int) -> int:
    """How many line ends stand between two offsets, neither of which parts a CRLF."""
    count = text.count(b"\n", start, end)
    returns = text.count(b"\r", start, end)
    return count + returns - text.count(b"\r\n", start, end) if returns else count


class Lines:
    """The offsets at which the lines of a text begin.

    As in an editor, a text that ends in a line end has one more, empty, line after it; an empty text has one.
    """

    __slots__ = ("_starts", "size")

    def __init__(self, text: bytes) -> None:
        self.size = len(text)
        starts = array("I" if self.size < 1 << 32 else "Q", [0])
        starts.extend(map(methodcaller("end"), LINE_END.finditer(text)))
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts)

    def line_at(self, offset: int) -> int:
        """The one-based line that holds the byte at `offset`; the last line for the end of the text."""
        if not 0 <= offset <= self.size:
            raise IndexError(f"offset {offset} is outside a text of {self.size} bytes")
        return bisect_right(self._starts, offset)

    def start_of(self, line: int) -> int:
        """The offset at which the one-based `line` begins."""
        if not 1 <= line <= len(self._starts):
            raise IndexError(f"line {line} is outside a text of {len(self._starts)} lines")
        return int(self._starts[line - 1])
