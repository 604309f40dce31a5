"""Where a section over 4,096 bytes is cut.

At block boundaries; inside one block only where that block alone is longer, and then at a line end; inside a
line only where that line alone is longer, at a character boundary. A cut always stands before text, so that
blank lines belong to the part before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stonebrowse.text import authority
from stonebrowse.text.lines import LINE_END

MAX_PASSAGE = 4096  # bytes, blank lines at the ends not counted

_TOGETHER = MAX_PASSAGE - len(b"\r\n")  # what is put together leaves room for its last line end
_FIRST_TEXT = re.compile(rb"[^ \t\r\n]")
_BLANKS = b" \t\r\n"


def first_text(text: bytes, start: int, end: int) -> int:
    """The offset of the first line at or after `start` that is not blank, or `end`."""
    found = _FIRST_TEXT.search(text, start, end)
    if not found:
        return end
    before = found.start()
    return max(start, text.rfind(b"\n", start, before) + 1, text.rfind(b"\r", start, before) + 1)


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


def split(text: bytes, start: int, end: int) -> list[int]:
    """The offsets at which the parts of the section from `start` to `end` begin, `start` first."""
    if end - start <= MAX_PASSAGE:
        return [start]
    part = first_text(text, start, end)
    if _text_end(text, start, end) - part <= MAX_PASSAGE:
        return [start]
    cuts = [start]
    starts = [*_block_starts(text, part, end), end]
    for block, after in zip(starts, starts[1:], strict=False):
        last = _text_end(text, block, after)
        if last - part <= _TOGETHER:
            continue
        long = last - block > MAX_PASSAGE
        if block > part and (not long or block - part > MAX_PASSAGE // 2):
            part = block
            cuts.append(part)
        if long:
            cuts += _inside(text, part, block, after)
            part = max(part, cuts[-1])
    return cuts


def _block_starts(text: bytes, start: int, end: int) -> Iterator[int]:
    """The offsets at which the blocks of a section begin, the first at `start`."""
    yield start
    found = authority.blocks(authority.source_of(text[start:end])) or []
    at, line = start, 0
    ends = LINE_END.finditer(text, start, end)
    for block in found:
        while line < block.first:
            at = next(ends).end()
            line += 1
        if at > start:
            yield at


def _inside(text: bytes, part: int, block: int, end: int) -> Iterator[int]:
    """The cuts inside one long block, the part around its beginning having begun at `part`."""
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
