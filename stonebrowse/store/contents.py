"""Contents: exact bytes by their sha256, each kept once, checked each time they are read.

A content stands alone (compressed by itself or with a dictionary of the store), hangs below another
(compressed with that as prefix), or is a list of frames. The current version of a File stands alone. When a
newer version comes, the one before is hung below it: so what people read is read in one step, and of a
hundred versions all but one cost little. No content hangs more than 7 steps below one that stands alone.
"""

from __future__ import annotations

from bisect import bisect_right
from hashlib import sha256
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from stonebrowse.store import compression, frames, pieces
from stonebrowse.store.compression import Spoilt
from stonebrowse.store.dictionaries import FOR_CONTENTS, Pace
from stonebrowse.store.frames import FrameRow

if TYPE_CHECKING:
    import sqlite3

    from stonebrowse.store.dictionaries import Dictionaries

MAX_DEPTH: Final = 7
"""The most steps from a content to one that stands alone: of eight versions in a row one stands alone."""

LARGEST_CLOSE_BYTES: Final = 128 << 10
"""Larger contents are not compressed again when tidying: they gain little and take long."""

BY_ITSELF, WITH_DICTIONARY, BELOW, IN_FRAMES, PRUNED = range(5)
_ALONE: Final = {BY_ITSELF, WITH_DICTIONARY}


class Pruned(Exception):
    """The bytes were dropped by rule or by hand; the digest stays."""


class Found(NamedTuple):
    """A content that is kept already."""

    key: int
    form: int
    piece: int | None


class Encoded(NamedTuple):
    """A content as it is kept."""

    form: int
    dictionary: int | None
    data: bytes


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
        digest, size, form, base, dictionary, piece = self._row(key)
        if form == PRUNED:
            raise Pruned
        data = pieces.read(self._connection, piece)
        if form in _ALONE:
            content = self._expand(Encoded(form, dictionary, data), size)
        elif form == BELOW:
            if steps > MAX_DEPTH:
                raise Spoilt("it hangs too deep")
            content = compression.expand_beside(data, size, self._base(base, steps))
        elif form == IN_FRAMES and not steps:
            content = b"".join([self._read(row.key, steps + 1) for row in frames.unpack(data)])
        else:
            raise Spoilt("of no known form")
        if len(content) != size or sha256(content).digest() != digest:
            raise Spoilt("its digest is another")
        return content

    def _base(self, key: int, steps: int) -> bytes:
        try:
            return self._read(key, steps + 1)
        except Pruned as error:
            raise Spoilt("what it hangs below was pruned") from error

    def _expand(self, encoded: Encoded, size: int) -> bytes:
        if encoded.dictionary is None:
            return compression.expand(encoded.data, size)
        return self._dictionaries.get(self._connection, encoded.dictionary).expand(encoded.data, size)

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
        _digest, size, form, _base, _dictionary, piece = self._row(key)
        if form == PRUNED:
            raise Pruned
        if form != IN_FRAMES:
            return None
        rows = frames.unpack(pieces.read(self._connection, piece))
        if sum(row.size for row in rows) != size:
            raise Spoilt("its frames are not all there")
        return rows

    def _row(self, key: int) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = self._connection.execute(
            "SELECT digest, size, form, base, dictionary, piece FROM contents WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            raise Spoilt(f"content {key} is gone")
        return row


class ContentsWriter(Contents):
    """Adds contents, in a transaction."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        super().__init__(connection, shared)
        self.pace = Pace(connection, shared, FOR_CONTENTS)
        self.quick = False
        """Many are added at once: compress each by itself, at a quick level. `tidying` makes up for it."""

    def add(self, content: bytes, before: int | None = None) -> tuple[int, bytes]:
        """Keep a content, so that it stands alone.

        Args:
            content: the bytes.
            before: the key of the content that it follows in its File, if that need not stand alone any more:
                it is hung below the new one where that makes it smaller.

        Returns:
            Its key, that of the same content where it is kept already; and its sha256.
        """
        digest = sha256(content).digest()
        found = self._find(digest)
        if found is not None and found.form not in {BELOW, PRUNED}:
            if before is not None and found.form != IN_FRAMES:
                self._hang(before, found.key, content)
            return found.key, digest
        if len(content) > frames.FRAMED_ABOVE_BYTES:
            encoded = Encoded(IN_FRAMES, None, self._add_frames(content))
            before = None
        else:
            encoded = self._alone(content)
        delta = None if before is None else self._delta(before, content)
        if before is None or delta is None:
            key = self._keep(found, digest, len(content), encoded)
        else:
            key = self._keep_instead(found, digest, len(content), encoded, before, delta)
        if found is None:
            self.pace.count(len(content))
        return key, digest

    def _find(self, digest: bytes) -> Found | None:
        row = self._connection.execute(
            "SELECT key, form, piece FROM contents WHERE substr(digest, 1, 8) = ? AND digest = ?",
            (digest[:8], digest),
        ).fetchone()
        return None if row is None else Found(*row)

    def _keep(self, found: Found | None, digest: bytes, size: int, encoded: Encoded) -> int:
        if found is None:
            return self._insert(digest, size, encoded, pieces.add(self._connection, encoded.data))
        with pieces.re_encoding(self._connection):
            piece = pieces.put(self._connection, found.piece, encoded.data)
            self._encode_again(found.key, encoded, piece)
        return found.key

    def _keep_instead(
        self, found: Found | None, digest: bytes, size: int, encoded: Encoded, before: int, delta: bytes
    ) -> int:
        """Keep a content where the one before it stood, and that one, hung below it, at the end."""
        with pieces.re_encoding(self._connection):
            place = pieces.put(self._connection, self._piece(before), encoded.data)
            if found is None:
                key = self._insert(digest, size, encoded, place)
            else:
                key = found.key
                self._encode_again(key, encoded, place)
            piece = pieces.put(self._connection, found.piece if found else None, delta)
            self._encode_again(before, Encoded(BELOW, None, delta), piece, base=key)
        self._deepen(key, before)
        return key

    def _insert(self, digest: bytes, size: int, encoded: Encoded, piece: int) -> int:
        key = self._connection.execute(
            "INSERT INTO contents (digest, size, form, dictionary, piece) VALUES (?, ?, ?, ?, ?)",
            (digest, size, encoded.form, encoded.dictionary, piece),
        ).lastrowid
        assert key is not None
        return key

    def _encode_again(self, key: int, encoded: Encoded, piece: int, base: int | None = None) -> None:
        self._connection.execute(
            "UPDATE contents SET form = ?, base = ?, dictionary = ?, piece = ? WHERE key = ?",
            (encoded.form, base, encoded.dictionary, piece, key),
        )

    def _alone(self, content: bytes) -> Encoded:
        dictionary = None if self.quick else self.pace.dictionary()
        if dictionary is None:
            return Encoded(BY_ITSELF, None, compression.compress(content, self._level))
        return Encoded(WITH_DICTIONARY, self.pace.newest, dictionary.compress(content))

    @property
    def _level(self) -> int:
        return compression.QUICK_LEVEL if self.quick else compression.CLOSE_LEVEL

    def _add_frames(self, content: bytes) -> bytes:
        rows = []
        for start, end in frames.split(content):
            frame = content[start:end]
            key, _digest = self.add(frame)
            self.pin(key)
            rows.append(FrameRow(key, end - start, frames.count_lines(frame)))
        return frames.pack(rows)

    def pin(self, key: int) -> None:
        """Let a content that stands alone stand alone for ever."""
        self._connection.execute("UPDATE contents SET depth = ? WHERE key = ?", (MAX_DEPTH, key))

    def _piece(self, key: int) -> int:
        piece: int = self._connection.execute("SELECT piece FROM contents WHERE key = ?", (key,)).fetchone()[
            0
        ]
        return piece

    def _delta(self, key: int, base: bytes) -> bytes | None:
        """Compress a content that stands alone beside the one it is to hang below.

        Returns:
            None where it is to stay as it is: it does not stand alone, has enough hanging below itself, gets
            no smaller, or is damaged (what is damaged stays as it is found).
        """
        form, depth, stored = self._connection.execute(
            "SELECT form, depth, length(data) FROM contents c LEFT JOIN pieces p ON p.key = piece"
            " WHERE c.key = ?",
            (key,),
        ).fetchone()
        if form not in _ALONE or depth >= MAX_DEPTH or len(base) < compression.SHORTEST_PREFIX:
            return None
        try:
            content = self.read(key)
        except Spoilt:
            return None
        data = compression.compress_beside(content, base, self._level)
        if len(data) >= stored or compression.expand_beside(data, len(content), base) != content:
            return None
        return data

    def _hang(self, key: int, base: int, base_content: bytes) -> None:
        delta = None if key == base else self._delta(key, base_content)
        if delta is None:
            return
        with pieces.re_encoding(self._connection):
            piece = pieces.put(self._connection, self._piece(key), delta)
            self._encode_again(key, Encoded(BELOW, None, delta), piece, base=base)
        self._deepen(base, key)

    def _deepen(self, base: int, key: int) -> None:
        self._connection.execute(
            "UPDATE contents SET depth = max(depth, 1 + (SELECT depth FROM contents WHERE key = ?))"
            " WHERE key = ?",
            (key, base),
        )

    def write_again(self, key: int) -> int:
        """Write a content's piece again, at the end and closer where that is possible.

        Returns:
            How many bytes were compressed for it.

        Raises:
            Spoilt: it is not what was written, and stays as it is.
        """
        _digest, size, form, base, dictionary, piece = self._row(key)
        data = pieces.read(self._connection, piece)
        encoded = Encoded(form, dictionary, data)
        newest = form == WITH_DICTIONARY and dictionary == self.pace.newest
        compressed = 0
        if form in _ALONE and not newest and size <= LARGEST_CLOSE_BYTES:
            content = self.read(key)
            closer = self._alone(content)
            compressed = size
            if len(closer.data) < len(data) and self._expand(closer, size) == content:
                encoded = closer
        self._encode_again(key, encoded, pieces.move(self._connection, piece, encoded.data), base)
        return compressed

    def stand_alone(self, key: int) -> None:
        """Write a content again so that it depends on no other content, through the open door.

        Raises:
            Spoilt: it is not what was written, and stays as it is.
        """
        content = self.read(key)
        encoded = self._alone(content)
        if self._expand(encoded, len(content)) != content:
            raise Spoilt("it cannot be written again")
        self._encode_again(key, encoded, pieces.put(self._connection, self._piece(key), encoded.data))

    def drop(self, key: int) -> int:
        """Drop a content's bytes for good, through the open door; gives how many were stored."""
        row = self._connection.execute(
            "SELECT p.key, length(p.data) FROM contents c JOIN pieces p ON p.key = c.piece WHERE c.key = ?",
            (key,),
        ).fetchone()
        self._connection.execute(
            "UPDATE contents SET form = ?, base = NULL, dictionary = NULL, piece = NULL WHERE key = ?",
            (PRUNED, key),
        )
        if row is None:
            return 0
        self._connection.execute("DELETE FROM pieces WHERE key = ?", (row[0],))
        stored: int = row[1]
        return stored

    def sample(self) -> None:
        """Make a dictionary of contents that stand alone, taken at random, if one is due."""
        if self.pace.due is not None:
            rows = self._connection.execute("SELECT key FROM contents WHERE form IN (0, 1) ORDER BY key")
            self.pace.sample([key for (key,) in rows], self._readable)

    def _readable(self, key: int) -> bytes:
        try:
            return self.read(key)
        except Spoilt:
            return b""
