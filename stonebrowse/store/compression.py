"""zstd, with a limit on what comes out.

Three ways to compress: alone, against a trained dictionary of this store, and against another content as a
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
"""For many at once: 120 MB a second of small files against a dictionary, where level 9 makes 22."""
CLOSE_LEVEL: Final = 9
"""For the few of an edit: 10 % smaller, half a millisecond a document."""

SHORTEST_PREFIX: Final = 8
"""zstd refuses a shorter dictionary."""


class Spoilt(Exception):
    """What was to be expanded is not what was compressed."""


class Dictionary:
    """A trained dictionary, ready for use; safe to share between threads."""

    def __init__(self, content: bytes) -> None:
        self._dictionary = zstd.ZstdDict(content)
        self._compressors: dict[int, zstd.ZstdCompressor] = {}

    def compress(self, content: bytes, level: int) -> bytes:
        """Compress against this dictionary. Called by one thread at a time: the writer's."""
        compressor = self._compressors.get(level)
        if compressor is None:
            # A digested dictionary is prepared once a level; else each call would prepare it again.
            compressor = zstd.ZstdCompressor(level=level, zstd_dict=self._dictionary.as_digested_dict)
            self._compressors[level] = compressor
        return compressor.compress(content, zstd.ZstdCompressor.FLUSH_FRAME)

    def expand(self, data: bytes, size: int) -> bytes:
        """Undo `compress`.

        Raises:
            Spoilt: it does not give `size` bytes.
        """
        return _expand(data, size, zstd.ZstdDecompressor(zstd_dict=self._dictionary))


def train(samples: list[bytes], size: int) -> bytes | None:
    """Train a dictionary of at most `size` bytes; None where the samples do not make one."""
    try:
        return zstd.train_dict(samples, size).dict_content
    except (zstd.ZstdError, ValueError):
        return None


def compress(content: bytes, level: int = QUICK_LEVEL) -> bytes:
    """Compress by itself."""
    return zstd.compress(content, level)


def expand(data: bytes, size: int) -> bytes:
    """Undo `compress`.

    Raises:
        Spoilt: it does not give `size` bytes.
    """
    return _expand(data, size, zstd.ZstdDecompressor())


def compress_beside(content: bytes, neighbour: bytes, level: int = CLOSE_LEVEL) -> bytes:
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
