"""Large versions in frames: stretches of about 256 KB, each kept, read and checked by itself.

A window of a large version reads only the frames it touches, and a version that is like the one before it
stores only the frames that are new. Where a frame ends is chosen by the content (the line whose hash is the
lowest in a stretch), so that what was put in or taken out in the middle moves no border far behind it.
"""

from __future__ import annotations

import struct
from array import array
from hashlib import blake2b
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from stonebrowse.store import compression
from stonebrowse.store.compression import Spoilt

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAMED_ABOVE_BYTES: Final = 1 << 20
"""Larger contents are kept in frames."""
SMALLEST_BYTES: Final = 224 << 10
LARGEST_BYTES: Final = 288 << 10

_SHORTEST_LINE: Final = 8
"""Shorter ones stand everywhere: the lowest hash would always be that of a blank line."""
_HASH_BYTES: Final = 16
_HEADER: Final = struct.Struct(f"<{_HASH_BYTES}sI")
_COLUMNS: Final = ("Q", "I", "I")


def split(content: bytes) -> Iterator[tuple[int, int]]:
    """Cut a content into frames: their first byte and the byte after their last, in order.

    Frames end behind a line's end where there is one in reach, and never between CR and LF.
    """
    start = 0
    while len(content) - start > LARGEST_BYTES:
        end = _border(content, start + SMALLEST_BYTES, start + LARGEST_BYTES)
        yield start, end
        start = end
    yield start, len(content)


def _border(content: bytes, low: int, high: int) -> int:
    lines = content[low:high].split(b"\n")
    # The first is the end of a line that began before, the last does not end here.
    if len(lines) < 2:
        return high + (content[high - 1 : high + 1] == b"\r\n")
    ends = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=low))[1:]
    best = min(
        range(len(ends)),
        key=lambda index: (len(lines[index]) < _SHORTEST_LINE or not index, crc32(lines[index]), index),
    )
    return ends[best]


def count_lines(content: bytes) -> int:
    """Count the line ends (LF, CRLF, CR) of a frame."""
    carriage_returns = content.count(b"\r")
    if not carriage_returns:
        return content.count(b"\n")
    return content.count(b"\n") + carriage_returns - content.count(b"\r\n")


class FrameRow(NamedTuple):
    """A frame as a content's list of frames has it."""

    key: int
    """Its content's key."""
    size: int
    lines: int
    """How many line ends it holds."""


def pack(rows: list[FrameRow]) -> bytes:
    """Write a list of frames, with a hash of itself."""
    columns = [array(code, values) for code, values in zip(_COLUMNS, zip(*rows, strict=True), strict=True)]
    body = b"".join(column.tobytes() for column in columns)
    hashed = blake2b(body, digest_size=_HASH_BYTES).digest()
    return _HEADER.pack(hashed, len(rows)) + compression.compress(body, compression.CLOSE_LEVEL)


def unpack(data: bytes) -> list[FrameRow]:
    """Read what `pack` wrote.

    Raises:
        Spoilt: it is not what was written.
    """
    if len(data) < _HEADER.size:
        raise Spoilt("the list of frames is cut off")
    hashed, count = _HEADER.unpack_from(data)
    widths = [array(code).itemsize for code in _COLUMNS]
    body = compression.expand(data[_HEADER.size :], count * sum(widths))
    if blake2b(body, digest_size=_HASH_BYTES).digest() != hashed:
        raise Spoilt("the list of frames is other than it was")
    columns, at = [], 0
    for code, width in zip(_COLUMNS, widths, strict=True):
        columns.append(array(code, body[at : at + count * width]))
        at += count * width
    return [FrameRow(*row) for row in zip(*columns, strict=True)]
