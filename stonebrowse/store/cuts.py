"""How versions are cut into passages, packed as the room text packs it, checked each time it is read.

Kept as contents are: the cut of a File's newest version stands alone (with a dictionary trained on cuts where
there is one), those before hang below the next newer one, at most 7 steps.
"""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING, Final

from stonebrowse.store import compression
from stonebrowse.store.compression import Spoilt
from stonebrowse.store.contents import MAX_DEPTH
from stonebrowse.store.dictionaries import FOR_CUTS, Pace
from stonebrowse.text.passages import Cut

if TYPE_CHECKING:
    import sqlite3

    from stonebrowse.store.dictionaries import Dictionaries

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
            "SELECT hash, size, base, dictionary, data FROM cuts WHERE version = ?", (version,)
        ).fetchone()
        if row is None:
            return None
        hashed, size, base, dictionary, data = row
        if base is not None:
            neighbour = self._read(base, steps + 1) if steps < MAX_DEPTH else None
            if neighbour is None:
                raise Spoilt("what its cut hangs below is gone")
            packed = compression.expand_beside(data, size, neighbour)
        elif dictionary is not None:
            packed = self._dictionaries.get(self._connection, dictionary).expand(data, size)
        else:
            packed = compression.expand(data, size)
        if _hash(packed) != hashed:
            raise Spoilt("the hash of its cut is another")
        return packed


class CutsWriter(Cuts):
    """Adds cuts, in a transaction."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        super().__init__(connection, shared)
        self.pace = Pace(connection, shared, FOR_CUTS)
        self.level = compression.CLOSE_LEVEL
        """The zstd level for what stands alone."""

    def add(self, version: int, packed: bytes) -> None:
        """Keep the cut of a version that has none yet, so that it stands alone."""
        dictionary = self.pace.dictionary()
        data = (
            dictionary.compress(packed, self.level)
            if dictionary
            else compression.compress(packed, self.level)
        )
        self._connection.execute(
            "INSERT INTO cuts (version, hash, size, dictionary, data) VALUES (?, ?, ?, ?, ?)",
            (version, _hash(packed), len(packed), self.pace.newest, data),
        )
        if self.pace.count(len(packed)):
            self._train()

    def hang(self, version: int, base: int) -> None:
        """Hang the cut of a version below that of a newer one that stands alone, where it gets smaller."""
        rows = {
            row[0]: row[1:]
            for row in self._connection.execute(
                "SELECT version, base, depth, size, length(data) FROM cuts WHERE version IN (?, ?)",
                (version, base),
            )
        }
        if version == base or len(rows) < 2:
            return
        (below, depth, size, stored), (base_below, base_depth, base_size, _) = rows[version], rows[base]
        if below is not None or base_below is not None or depth >= MAX_DEPTH:
            return
        if base_size < compression.SHORTEST_PREFIX:
            return
        try:
            packed, neighbour = self.read(version), self.read(base)
        except Spoilt:
            return  # What is damaged stays as it is found.
        assert packed is not None
        assert neighbour is not None
        data = compression.compress_beside(packed, neighbour)
        if len(data) >= stored or compression.expand_beside(data, size, neighbour) != packed:
            return
        self._connection.execute("INSERT INTO doors VALUES ('re-encode')")
        self._connection.execute(
            "UPDATE cuts SET base = ?, dictionary = NULL, data = ? WHERE version = ?", (base, data, version)
        )
        self._connection.execute("DELETE FROM doors")
        if base_depth <= depth:
            self._connection.execute("UPDATE cuts SET depth = ? WHERE version = ?", (depth + 1, base))

    def _train(self) -> None:
        """Train a dictionary on cuts that stand alone, taken at random."""
        rows = self._connection.execute("SELECT version FROM cuts WHERE base IS NULL ORDER BY version")
        keys = [key for (key,) in rows]
        # The same cuts are to give the same store: what is random is so by their number alone.
        Random(len(keys)).shuffle(keys)  # noqa: S311 -- a sample, no secret
        self.pace.train(keys, self._sample)

    def _sample(self, version: int) -> bytes:
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
