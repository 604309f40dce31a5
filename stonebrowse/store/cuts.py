"""How versions are cut into passages, packed as the room text packs it, checked each time it is read.

Kept as contents are: the cut of a File's newest version stands alone (with a dictionary trained on cuts where
there is one), those before hang below the next newer one, at most 7 steps.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from stonebrowse.store import compression, pieces
from stonebrowse.store.compression import Spoilt
from stonebrowse.store.contents import MAX_DEPTH
from stonebrowse.store.dictionaries import FOR_CUTS, Pace
from stonebrowse.text.passages import Cut, cut

if TYPE_CHECKING:
    import sqlite3

    from stonebrowse.store.dictionaries import Dictionaries

NOTHING: Final = cut(b"")
"""The cut of a version whose bytes and headings were forgotten."""
_HASH_BYTES: Final = 8
"""Against damage, not against an enemy: 64 bits see it."""


class Cuts:
    """The packed cuts of a store, over one connection; they are named by their version's key."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        self._connection = connection
        self._dictionaries = shared

    def read(self, version: int) -> bytes | None:
        """Read the packed cut of a version, and compare it with its hash.

        Returns:
            None while the version is processing.

        Raises:
            Spoilt: it is not what was written.
        """
        return self._read(version, 0)

    def _read(self, version: int, steps: int) -> bytes | None:
        row = self._connection.execute(
            "SELECT hash, size, base, dictionary, piece FROM cuts WHERE version = ?", (version,)
        ).fetchone()
        if row is None:
            return None
        hashed, size, base, dictionary, piece = row
        data = pieces.read(self._connection, piece)
        if base is not None:
            neighbour = self._read(base, steps + 1) if steps < MAX_DEPTH else None
            if neighbour is None:
                raise Spoilt("what its cut hangs below is gone")
            packed = compression.expand_beside(data, size, neighbour)
        else:
            packed = self._expand(dictionary, data, size)
        if _hash(packed) != hashed:
            raise Spoilt("the hash of its cut is another")
        return packed

    def _expand(self, dictionary: int | None, data: bytes, size: int) -> bytes:
        if dictionary is None:
            return compression.expand(data, size)
        return self._dictionaries.get(self._connection, dictionary).expand(data, size)


class CutsWriter(Cuts):
    """Adds cuts, in a transaction."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        super().__init__(connection, shared)
        self.pace = Pace(connection, shared, FOR_CUTS)
        self.quick = False
        """Many are added at once: compress each by itself, at a quick level. `tidying` makes up for it."""

    def add(self, version: int, packed: bytes, before: int | None = None) -> None:
        """Keep the cut of a version that has none yet, so that it stands alone.

        Args:
            version: the version's key.
            packed: its cut.
            before: the key of the version before it: its cut is hung below this one where that makes it
            smaller.
        """
        dictionary, data = self._alone(packed)
        hung = None if before is None else self._delta(before, packed)
        row = (version, _hash(packed), len(packed), dictionary)
        if hung is None:
            self._insert(*row, pieces.add(self._connection, data))
        else:
            place, depth, delta = hung
            # The new one takes the place of the one before it, which goes, small as it is now, to the end.
            with pieces.re_encoding(self._connection):
                self._insert(*row, pieces.put(self._connection, place, data), depth + 1)
                self._connection.execute(
                    "UPDATE cuts SET base = ?, dictionary = NULL, piece = ? WHERE version = ?",
                    (version, pieces.add(self._connection, delta), before),
                )
        self.pace.count(len(packed))

    def _alone(self, packed: bytes) -> tuple[int | None, bytes]:
        dictionary = None if self.quick else self.pace.dictionary()
        if dictionary is None:
            return None, compression.compress(packed, self._level)
        return self.pace.newest, dictionary.compress(packed)

    @property
    def _level(self) -> int:
        return compression.QUICK_LEVEL if self.quick else compression.CLOSE_LEVEL

    def write_again(self, version: int) -> int:
        """Write a cut's piece again, at the end and closer where that is possible.

        Returns:
            How many bytes were compressed for it.

        Raises:
            Spoilt: it is not what was written, and stays as it is.
        """
        base, dictionary, piece = self._connection.execute(
            "SELECT base, dictionary, piece FROM cuts WHERE version = ?", (version,)
        ).fetchone()
        data = pieces.read(self._connection, piece)
        compressed = 0
        if base is None and (dictionary is None or dictionary != self.pace.newest):
            packed = self.read(version)
            assert packed is not None
            newest, closer = self._alone(packed)
            compressed = len(packed)
            if len(closer) < len(data) and self._expand(newest, closer, compressed) == packed:
                dictionary, data = newest, closer
        self._connection.execute(
            "UPDATE cuts SET dictionary = ?, piece = ? WHERE version = ?",
            (dictionary, pieces.move(self._connection, piece, data), version),
        )
        return compressed

    def _insert(
        self, version: int, hashed: bytes, size: int, dictionary: int | None, piece: int, depth: int = 0
    ) -> None:
        self._connection.execute(
            "INSERT INTO cuts (version, hash, size, depth, dictionary, piece) VALUES (?, ?, ?, ?, ?, ?)",
            (version, hashed, size, depth, dictionary, piece),
        )

    def _delta(self, version: int, base: bytes) -> tuple[int, int, bytes] | None:
        """Compress a cut that stands alone beside the one it is to hang below.

        Returns:
            Its piece, how much hangs below it, and its bytes; None where it is to stay as it is, see
            `contents.ContentsWriter`.
        """
        row = self._connection.execute(
            "SELECT base, depth, size, piece, length(data) FROM cuts JOIN pieces ON key = piece"
            " WHERE version = ?",
            (version,),
        ).fetchone()
        if row is None or len(base) < compression.SHORTEST_PREFIX:
            return None
        below, depth, size, piece, stored = row
        if below is not None or depth >= MAX_DEPTH:
            return None
        try:
            packed = self.read(version)
        except Spoilt:
            return None
        assert packed is not None
        data = compression.compress_beside(packed, base, self._level)
        if len(data) >= stored or compression.expand_beside(data, size, base) != packed:
            return None
        return piece, depth, data

    def stand_alone(self, version: int) -> None:
        """Write a cut again so that it depends on no other cut, through the open door.

        Raises:
            Spoilt: it is not what was written, and stays as it is.
        """
        packed = self.read(version)
        assert packed is not None
        dictionary, data = self._alone(packed)
        if self._expand(dictionary, data, len(packed)) != packed:
            raise Spoilt("it cannot be written again")
        (piece,) = self._connection.execute("SELECT piece FROM cuts WHERE version = ?", (version,)).fetchone()
        self._connection.execute(
            "UPDATE cuts SET base = NULL, dictionary = ?, piece = ? WHERE version = ?",
            (dictionary, pieces.put(self._connection, piece, data), version),
        )

    def drop(self, version: int) -> None:
        """Put a cut without sections and passages in place of a version's, through the open door.

        A cut holds the headings. The version stays ready: there is nothing any more that could be cut.
        """
        row = self._connection.execute("SELECT piece FROM cuts WHERE version = ?", (version,)).fetchone()
        if row is not None:
            self._connection.execute("DELETE FROM cuts WHERE version = ?", (version,))
            self._connection.execute("DELETE FROM pieces WHERE key = ?", row)
        packed = NOTHING.pack(level=0)
        data = compression.compress(packed, compression.QUICK_LEVEL)
        self._insert(version, _hash(packed), len(packed), None, pieces.add(self._connection, data))

    def sample(self) -> None:
        """Make a dictionary of cuts that stand alone, taken at random, if one is due."""
        if self.pace.due is not None:
            rows = self._connection.execute("SELECT version FROM cuts WHERE base IS NULL ORDER BY version")
            self.pace.sample([key for (key,) in rows], self._readable)

    def _readable(self, version: int) -> bytes:
        try:
            return self.read(version) or b""
        except Spoilt:
            return b""


def unpacked(packed: bytes | None) -> Cut | None:
    """Unpack what `Cuts.read` read.

    Raises:
        Spoilt: it is no packed cut.
    """
    try:
        return None if packed is None else Cut.unpack(packed)
    except ValueError as error:
        raise Spoilt("its cut cannot be unpacked") from error


def _hash(packed: bytes) -> bytes:
    return blake2b(packed, digest_size=_HASH_BYTES).digest()
