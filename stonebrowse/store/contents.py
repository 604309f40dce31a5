"""Contents: exact bytes by their sha256, each kept once, checked each time they are read.

A content stands alone (compressed by itself or with a dictionary of the store), hangs below another (compressed
with that as prefix), or is a list of frames. The current version of a File stands alone. When a newer version
comes, the one before is hung below it: so what people read is read in one step, and of a hundred versions all
but one cost little. No content hangs more than 7 steps below one that stands alone.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from stonebrowse.store import compression, frames
from stonebrowse.store.compression import Spoilt
from stonebrowse.store.dictionaries import FOR_CONTENTS, Pace
from stonebrowse.store.frames import FrameRow

if TYPE_CHECKING:
    import sqlite3

    from stonebrowse.store.dictionaries import Dictionaries

MAX_DEPTH: Final = 7
"""The most steps from a content to one that stands alone: of eight versions in a row one stands alone."""

BY_ITSELF, WITH_DICTIONARY, BELOW, IN_FRAMES, PRUNED = range(5)
_ALONE: Final = {BY_ITSELF, WITH_DICTIONARY}


class Pruned(Exception):
    """The bytes were dropped by rule or by hand; the digest stays."""


class Contents:
    """The contents of a store, over one connection."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        self._connection = connection
        self._dictionaries = shared

    def read(self, key: int) -> bytes:
        """Read a content, and compare it with its digest.

        Raises:
            Spoilt: it is not what was written.
            Pruned: its bytes were dropped.
        """
        return self._read(key, 0)

    def _read(self, key: int, steps: int) -> bytes:
        digest, size, form, base, dictionary, data = self._row(key)
        if form == BY_ITSELF:
            content = compression.expand(data, size)
        elif form == WITH_DICTIONARY:
            content = self._dictionaries.get(self._connection, dictionary).expand(data, size)
        elif form == BELOW:
            if steps > MAX_DEPTH:
                raise Spoilt("it hangs too deep")
            content = compression.expand_beside(data, size, self._read(base, steps + 1))
        elif form == IN_FRAMES and not steps:
            content = b"".join([self._read(row.key, steps + 1) for row in frames.unpack(data)])
        elif form == PRUNED:
            raise Pruned
        else:
            raise Spoilt("of no known form")
        if len(content) != size or sha256(content).digest() != digest:
            raise Spoilt("its digest is another")
        return content

    def window(self, key: int, start: int, max_bytes: int) -> bytes:
        """Read the bytes from `start`, at most `max_bytes`; of a content in frames only those it touches.

        Raises:
            Spoilt: what it touches is not what was written.
            Pruned: its bytes were dropped.
        """
        rows = self.frames(key)
        if rows is None:
            return self.read(key)[start : start + max_bytes]
        starts = list(accumulate((row.size for row in rows), initial=0))
        end = min(start + max_bytes, starts[-1])
        pieces = []
        index = bisect_right(starts, start) - 1
        while index < len(rows) and starts[index] < end:
            frame = self.read(rows[index].key)
            if len(frame) != rows[index].size:
                raise Spoilt("a frame is of another size")
            pieces.append(frame[max(0, start - starts[index]) : end - starts[index]])
            index += 1
        return b"".join(pieces)

    def frames(self, key: int) -> list[FrameRow] | None:
        """The frames of a content, in order; None where it is kept in one piece.

        Raises:
            Spoilt: their list is not what was written.
            Pruned: its bytes were dropped.
        """
        _digest, size, form, _base, _dictionary, data = self._row(key)
        if form == PRUNED:
            raise Pruned
        if form != IN_FRAMES:
            return None
        rows = frames.unpack(data)
        if sum(row.size for row in rows) != size:
            raise Spoilt("its frames are not all there")
        return rows

    def _row(self, key: int) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = self._connection.execute(
            "SELECT digest, size, form, base, dictionary, data FROM contents WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            raise Spoilt(f"content {key} is gone")
        return row


class ContentsWriter(Contents):
    """Adds contents, in a transaction."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        super().__init__(connection, shared)
        self.pace = Pace(connection, shared, FOR_CONTENTS)
        self.level = compression.CLOSE_LEVEL
        """The zstd level for what stands alone."""

    def add(self, content: bytes) -> int:
        """Keep a content, so that it stands alone.

        Returns:
            Its key: that of the same content where it is kept already.
        """
        digest = sha256(content).digest()
        found = self._find(digest)
        if found is not None and found[1] not in {BELOW, PRUNED}:
            return found[0]
        if len(content) > frames.FRAMED_ABOVE_BYTES:
            form, dictionary, data = IN_FRAMES, None, self._add_frames(content)
        else:
            form, dictionary, data = self._alone(content)
        if found is not None:
            self._encode_again(found[0], form, None, dictionary, data)
            return found[0]
        cursor = self._connection.execute(
            "INSERT INTO contents (digest, size, form, dictionary, data) VALUES (?, ?, ?, ?, ?)",
            (digest, len(content), form, dictionary, data),
        )
        assert cursor.lastrowid is not None
        if self.pace.count(len(content)):
            self._train()
        return cursor.lastrowid

    def _find(self, digest: bytes) -> tuple[int, int] | None:
        row: tuple[int, int] | None = self._connection.execute(
            "SELECT key, form FROM contents WHERE substr(digest, 1, 8) = ? AND digest = ?",
            (digest[:8], digest),
        ).fetchone()
        return row

    def _alone(self, content: bytes) -> tuple[int, int | None, bytes]:
        dictionary = self.pace.dictionary()
        if dictionary is None:
            return BY_ITSELF, None, compression.compress(content, self.level)
        return WITH_DICTIONARY, self.pace.newest, dictionary.compress(content, self.level)

    def _add_frames(self, content: bytes) -> bytes:
        rows = []
        for start, end in frames.split(content):
            frame = content[start:end]
            key = self.add(frame)
            # A frame is read by itself, whatever else has the same bytes.
            self.pin(key)
            rows.append(FrameRow(key, end - start, frames.count_lines(frame)))
        return frames.pack(rows)

    def pin(self, key: int) -> None:
        """Let a content that stands alone stand alone for ever."""
        self._connection.execute("UPDATE contents SET depth = ? WHERE key = ?", (MAX_DEPTH, key))

    def hang(self, key: int, base: int) -> None:
        """Hang a content below another that stands alone, where that is allowed and makes it smaller.

        It is left as it is where it does not stand alone, is kept in frames, or has enough hanging below itself.
        """
        rows = {
            row[0]: row[1:]
            for row in self._connection.execute(
                "SELECT key, form, depth, size, length(data) FROM contents WHERE key IN (?, ?)", (key, base)
            )
        }
        if key == base or len(rows) < 2:
            return
        (form, depth, _size, stored), (base_form, base_depth, base_size, _) = rows[key], rows[base]
        if form not in _ALONE or base_form not in _ALONE or depth >= MAX_DEPTH:
            return
        if base_size < compression.SHORTEST_PREFIX:
            return
        try:
            content, neighbour = self.read(key), self.read(base)
        except Spoilt:
            return  # What is damaged stays as it is found.
        data = compression.compress_beside(content, neighbour)
        if len(data) >= stored or compression.expand_beside(data, len(content), neighbour) != content:
            return
        self._encode_again(key, BELOW, base, None, data)
        if base_depth <= depth:
            self._connection.execute("UPDATE contents SET depth = ? WHERE key = ?", (depth + 1, base))

    def _encode_again(
        self, key: int, form: int, base: int | None, dictionary: int | None, data: bytes
    ) -> None:
        self._connection.execute("INSERT INTO doors VALUES ('re-encode')")
        self._connection.execute(
            "UPDATE contents SET form = ?, base = ?, dictionary = ?, data = ? WHERE key = ?",
            (form, base, dictionary, data, key),
        )
        self._connection.execute("DELETE FROM doors")

    def _train(self) -> None:
        """Train a dictionary on contents that stand alone, taken at random."""
        rows = self._connection.execute("SELECT key FROM contents WHERE form IN (0, 1) ORDER BY key")
        keys = [key for (key,) in rows]
        # The same contents are to give the same store: what is random is so by their number alone.
        random.Random(len(keys)).shuffle(keys)  # noqa: S311 -- a sample, no secret
        self.pace.train(keys, self._sample)

    def _sample(self, key: int) -> bytes:
        try:
            return self.read(key)
        except Spoilt:
            return b""
