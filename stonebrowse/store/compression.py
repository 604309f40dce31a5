"""zstd, with a limit on what comes out.

Three ways to compress: alone, against a dictionary of this store, and against another content as a
prefix (for a version beside its neighbour). No frame carries a checksum or a dictionary's number: the store
keeps a sha256 of every content, and knows what each was compressed with.
"""

from __future__ import annotations

import sys
from typing import Final

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

QUICK_LEVEL: Final = 3
"""For many at once: 120 MB a second of small files."""
CLOSE_LEVEL: Final = 9
"""For the few of an edit, and when tidying: half a millisecond a document."""

SHORTEST_PREFIX: Final = 8
"""zstd refuses a shorter dictionary."""


class Spoilt(Exception):
    """What was to be expanded is not what was compressed."""


class Dictionary:
    """Samples to compress against, ready for use; safe to share between threads."""

    def __init__(self, content: bytes) -> None:
        """Made of at least `SHORTEST_PREFIX` bytes."""
        self._dictionary = zstd.ZstdDict(content, is_raw=True)
        self._compressor: zstd.ZstdCompressor | None = None

    def compress(self, content: bytes) -> bytes:
        """Compress against this dictionary, closely. Called by one thread at a time: the writer's."""
        if self._compressor is None:
            # A digested dictionary is prepared once; else each call would prepare it again.
            self._compressor = zstd.ZstdCompressor(
                level=CLOSE_LEVEL, zstd_dict=self._dictionary.as_digested_dict
            )
        return self._compressor.compress(content, zstd.ZstdCompressor.FLUSH_FRAME)

    def expand(self, data: bytes, size: int) -> bytes:
        """Undo `compress`.

        Raises:
            Spoilt: it does not give `size` bytes.
        """
        return _expand(data, size, zstd.ZstdDecompressor(zstd_dict=self._dictionary))


def compress(content: bytes, level: int) -> bytes:
    """Compress by itself."""
    return zstd.compress(content, level)


def expand(data: bytes, size: int) -> bytes:
    """Undo `compress`.

    Raises:
        Spoilt: it does not give `size` bytes.
    """
    return _expand(data, size, zstd.ZstdDecompressor())


def expand_up_to(data: bytes, limit: int) -> bytes:
    """Undo `compress` where the size is not known, but a limit is.

    Raises:
        Spoilt: it is no whole content, or larger.
    """
    decompressor = zstd.ZstdDecompressor()
    try:
        content = decompressor.decompress(data, max_length=limit)
    except (zstd.ZstdError, EOFError, MemoryError) as error:
        raise Spoilt(str(error)) from error
    if not decompressor.eof:
        raise Spoilt("it is not whole")
    return content


def compress_beside(content: bytes, neighbour: bytes, level: int) -> bytes:
    """Compress against a neighbour of at least `SHORTEST_PREFIX` bytes."""
    prefix = zstd.ZstdDict(neighbour, is_raw=True).as_prefix
    return zstd.compress(content, level, zstd_dict=prefix)


def expand_beside(data: bytes, size: int, neighbour: bytes) -> bytes:
    """Undo `compress_beside`.

    Raises:
        Spoilt: it does not give `size` bytes.
    """
    prefix = zstd.ZstdDict(neighbour, is_raw=True).as_prefix
    return _expand(data, size, zstd.ZstdDecompressor(zstd_dict=prefix))


def _expand(data: bytes, size: int, decompressor: zstd.ZstdDecompressor) -> bytes:
    # A damaged header may promise any size: no more is taken than was written, and one byte to notice it.
    try:
        content = decompressor.decompress(data, max_length=size + 1)
    except (zstd.ZstdError, EOFError, ValueError, TypeError, MemoryError) as error:
        raise Spoilt(str(error)) from error
    if len(content) != size or not decompressor.eof or decompressor.unused_data:
        raise Spoilt("other than it was")
    return content
