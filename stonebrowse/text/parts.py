"""Where a section over 4,096 bytes is cut.

At block boundaries; inside one block only where that block alone is longer, and then at a line end; inside a
line only where that line alone is longer, at a character boundary. A cut always stands before text, so that
blank lines belong to the part before them.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from stonebrowse.text import authority, structure
from stonebrowse.text.front_matter import BOM, body_start
from stonebrowse.text.lines import LINE_END

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PASSAGE = 4096  # bytes, blank lines at the ends not counted

_TOGETHER = MAX_PASSAGE - len(b"\r\n")  # what is put together leaves room for its last line end
_FIRST_TEXT = re.compile(rb"[^ \t\r\n]")
# Long tables are frequent, and the authority slow with them.
_TABLE = re.compile(
    rb"\|[^\r\n]*(?:\r\n?|\n)\|[-:| \t]*(?:(?:\r\n?|\n)\|[^\r\n]*)*(?:(?:\r\n?|\n)[ \t\r\n]*)?"
)
_BLANKS = b" \t\r\n"


def first_text(text: bytes, start: int, end: int) -> int:
    """The offset of the first line at or after `start` that is not blank, or `end`."""
    found = _FIRST_TEXT.search(text, start, end)
    if not found:
        return end
    before = found.start()
    return max(start, text.rfind(b"\n", start, before) + 1, text.rfind(b"\r", start, before) + 1)


def split(text: bytes, start: int, end: int) -> list[int]:
    """The offsets at which the parts of the section from `start` to `end` begin, `start` first."""
    if end - start <= MAX_PASSAGE:
        return [start]
    part = first_text(text, start, end)
    if _text_end(text, part, end) - part <= MAX_PASSAGE:
        return [start]
    cuts = [start]
    for block, after in pairwise([*_block_starts(text, part, end), end]):
        last = _text_end(text, block, after)
        if last - part <= _TOGETHER:
            continue
        long = last - block > MAX_PASSAGE
        # What stands before a long block stays with its beginning, unless that would leave too little of it.
        if block > part and (not long or block - part > MAX_PASSAGE // 2):
            part = block
            cuts.append(part)
        if long:
            cuts += _inside(text, part, block, after)
            part = max(part, cuts[-1])
    return cuts


def _text_end(text: bytes, start: int, end: int) -> int:
    """The offset at which the last line that is not blank ends, without its line end."""
    while end > start:
        begin = max(start, end - MAX_PASSAGE)
        kept = len(text[begin:end].rstrip(_BLANKS))
        if kept:
            line_end = LINE_END.search(text, begin + kept, end)
            return line_end.start() if line_end else end
        end = begin
    return start


def _block_starts(text: bytes, start: int, end: int) -> Iterator[int]:
    """The offsets at which blocks begin, the first at `start`: enough of them to cut between blocks only."""
    yield start
    # Front matter is a block of its own; a byte order mark alone is none.
    body = start or body_start(text)
    known = start if body > len(BOM) else body
    for begin, last, single in structure.pieces(text, body, end):
        first = first_text(text, begin, last)
        if known < first < last:
            yield first
        long = MAX_PASSAGE < last - first <= structure.HAND_OVER_AT_MOST
        if long and not single and not _TABLE.fullmatch(text, first, last):
            yield from _later_blocks(text, first, last)


def _later_blocks(text: bytes, start: int, end: int) -> Iterator[int]:
    """The offsets at which the blocks of a piece begin, its first left out."""
    at, line = start, 0
    ends = LINE_END.finditer(text, start, end)
    for block in authority.blocks(authority.source_of(text[start:end])) or ():
        while line < block.first:
            at = next(ends).end()
            line += 1
        if at > start:
            yield at


def _inside(text: bytes, part: int, block: int, end: int) -> Iterator[int]:
    """The cuts inside one long block, in a part that began at `part`, at or before the block."""
    line = block
    while line < end:
        line_end = LINE_END.search(text, line, end)
        last, after = line_end.span() if line_end else (end, end)
        if last - part > _TOGETHER and line > part:
            part = line
            yield part
        while last - part > MAX_PASSAGE:
            part = _character(text, part, part + MAX_PASSAGE)
            yield part
        line = first_text(text, after, end)


def _character(text: bytes, start: int, limit: int) -> int:
    """Where a line too long is cut: after a space near the limit, else between two characters."""
    space = text.rfind(b" ", limit - MAX_PASSAGE // 8, limit) + 1
    if space > start:
        return space
    while text[limit] & 0xC0 == 0x80:
        limit -= 1
    return limit
