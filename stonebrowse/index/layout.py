"""The file of one segment: a header, and then its columns, one after another.

The header names the format, the byte order of the machine, the length and check sum of all that follows, and
where each column stands. It ends with its own check sum. A file is written once and never changed.
"""

from __future__ import annotations

import struct
import sys
import zlib
from typing import TYPE_CHECKING

from stonebrowse.index.errors import IndexDamaged

if TYPE_CHECKING:
    from collections.abc import Mapping

MAGIC = b"stnbrws\n"
# Raise it with any change of what is stored or of how words are split: an index of another format is rebuilt.
FORMAT = 1
_BYTE_ORDER = 0x01020304

# Name and type of each column, in the order of the file. "B" is bytes; the others are numbers of the machine.
COLUMNS: dict[str, str] = {
    # documents
    "keys": "q",
    "firsts": "I",  # one more than documents: the last is how many passages there are
    "bases": "I",
    "path_texts": "B",
    "path_ends": "I",
    "title_texts": "B",
    "title_ends": "I",
    "tag_texts": "B",
    "tag_ends": "I",
    # passages
    "sequences": "B",
    "sequence_ends": "I",  # begins with a 0, as all the other ends
    # sections
    "own_starts": "I",
    "own_ends": "I",
    "subtree_ends": "I",
    "stubs": "I",  # sections without passages of their own here: their document begins in another segment
    "headings": "B",
    "heading_ends": "I",
    # terms, in their order
    "terms": "B",
    "term_ends": "I",
    "codes": "I",
    "posting_ends": "I",  # begins with a 0
    "slots": "I",  # a hash table: number of a term + 1
    # postings
    "ordinals": "H",
    "values": "B",
    # terms that so many passages hold that their values are kept for every passage
    "dense_terms": "I",
    "dense_counts": "I",
    "dense_values": "B",
    # passages that hold any word with a beginning of one or two characters, where those are many
    "prefixes": "B",
    "prefix_ends": "I",
    "prefix_bits": "B",
}
WIDTHS = {"B": 1, "H": 2, "I": 4, "q": 8}
_HEAD = struct.Struct(f"=8sIIQI{len(COLUMNS) * 2}Q")
_CHECK = struct.Struct("=I")
HEADER_BYTES = _HEAD.size + _CHECK.size
_ALIGNMENT = 8


def assemble(columns: Mapping[str, bytes | bytearray | memoryview]) -> bytes:
    """The file that holds these columns."""
    start = -(-HEADER_BYTES // _ALIGNMENT) * _ALIGNMENT
    pieces: list[bytes | bytearray | memoryview] = []
    spans: list[int] = []
    at = start
    for name in COLUMNS:
        column = columns[name]
        padding = -len(column) % _ALIGNMENT
        pieces += [column, bytes(padding)]
        spans += [at, len(column)]
        at += len(column) + padding
    body = b"".join(pieces)
    head = _HEAD.pack(MAGIC, FORMAT, _BYTE_ORDER, len(body), zlib.crc32(body), *spans)
    return (head + _CHECK.pack(zlib.crc32(head))).ljust(start, b"\0") + body


def columns_of(data: memoryview) -> dict[str, tuple[int, int]]:
    """Where each column of a file stands: its first byte, and how many.

    Raises:
        IndexDamaged: for what is not a whole file of this format, as far as its header can tell.
    """
    if len(data) < HEADER_BYTES:
        raise IndexDamaged("a segment of the index is cut off")
    magic, form, order, length, _, *spans = _HEAD.unpack_from(data)
    check = _CHECK.unpack_from(data, _HEAD.size)[0]
    if magic != MAGIC or check != zlib.crc32(data[: _HEAD.size]):
        raise IndexDamaged("a segment of the index is damaged, or none of stonebrowse's")
    if form != FORMAT or order != _BYTE_ORDER:
        raise IndexDamaged(f"a segment of the index has format {form} ({sys.byteorder} endian here)")
    start = -(-HEADER_BYTES // _ALIGNMENT) * _ALIGNMENT
    if len(data) != start + length:
        raise IndexDamaged("a segment of the index is not as long as it was")
    found = {name: (spans[2 * n], spans[2 * n + 1]) for n, name in enumerate(COLUMNS)}
    for name, (at, size) in found.items():
        if at < start or at + size > len(data) or size % WIDTHS[COLUMNS[name]]:
            raise IndexDamaged("a segment of the index is damaged")
    return found


def is_whole(data: memoryview) -> bool:
    """Whether a file's body is, byte for byte, what was written. Its header is known to be right."""
    start = -(-HEADER_BYTES // _ALIGNMENT) * _ALIGNMENT
    return bool(_HEAD.unpack_from(data)[4] == zlib.crc32(data[start:]))
