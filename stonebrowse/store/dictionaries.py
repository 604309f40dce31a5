"""The dictionaries of a store: samples of what it keeps, to compress the rest against.

Markdown files of one folder are alike: against a megabyte of some of them the others take a sixth to a third
less than by themselves, and cuts less than half. A dictionary is made when the store has enough to take
samples of, and again when it has grown much; what was compressed with an earlier one is read with that for
ever.

The samples are taken as they are: training as zstd offers it was no better at the same stored size, and took
as long as compressing 50 to 140 MB.
"""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.store import compression, facts, parity
from stonebrowse.store.compression import Dictionary, Spoilt

if TYPE_CHECKING:
    from collections.abc import Callable


class Sampling(NamedTuple):
    """When a dictionary is made, and how large it is, in bytes."""

    recorded: int
    """How much the store has recorded then."""
    size: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The dictionaries for one purpose."""

    purpose: str
    samplings: tuple[Sampling, ...]
    longest_sample: int
    """In bytes, of one content: a long one is not to fill the dictionary."""


_KIB: Final = 1 << 10
_MIB: Final = 1 << 20
FOR_CONTENTS: Final = Plan(
    "contents",
    (Sampling(_MIB, 256 * _KIB), Sampling(8 * _MIB, _MIB), Sampling(64 * _MIB, _MIB)),
    16 * _KIB,
)
FOR_CUTS: Final = Plan("cuts", (Sampling(256 * _KIB, 64 * _KIB), Sampling(_MIB, 256 * _KIB)), 4 * _KIB)

LARGEST_BYTES: Final = 4 * _MIB


class Dictionaries:
    """The dictionaries that have been read, ready for use. Safe to share between threads."""

    def __init__(self) -> None:
        self._ready: dict[int, Dictionary] = {}
        self._guard = threading.Lock()

    def get(self, connection: sqlite3.Connection, key: int) -> Dictionary:
        """Read a dictionary, once.

        Raises:
            Spoilt: it is damaged beyond what its spare part makes good.
        """
        with self._guard:
            ready = self._ready.get(key)
        if ready is None:
            content = parity.join(parts(connection, key))
            if content is None:
                raise Spoilt(f"dictionary {key} is damaged")
            ready = Dictionary(compression.expand_up_to(content, LARGEST_BYTES))
            with self._guard:
                self._ready[key] = ready
        return ready

    def forget(self) -> None:
        """Drop what is ready: a transaction that made one was rolled back, and its key is free again."""
        with self._guard:
            self._ready.clear()


def content(connection: sqlite3.Connection, key: int) -> bytes | None:
    """Read what a dictionary holds; None where it was emptied.

    Raises:
        Spoilt: it is damaged beyond what its spare part makes good.
    """
    stored = parts(connection, key)
    if not any(part is not None for part in stored):
        return None
    joined = parity.join(stored)
    if joined is None:
        raise Spoilt(f"dictionary {key} is damaged")
    return compression.expand_up_to(joined, LARGEST_BYTES)


def parts(connection: sqlite3.Connection, key: int) -> list[bytes | None]:
    """Read the stored parts of a dictionary: None for one that cannot be read."""
    return [_part(connection, key, part) for part in range(parity.PARTS)]


def _part(connection: sqlite3.Connection, key: int, part: int) -> bytes | None:
    try:
        row = connection.execute(
            "SELECT data FROM dictionary_parts WHERE dictionary = ? AND part = ?", (key, part)
        ).fetchone()
    except sqlite3.DatabaseError:
        # A damaged page costs this part, not the others.
        return None
    return row[0] if row is not None and isinstance(row[0], bytes) else None


class Pace:
    """Knows how much was recorded for one purpose, and when a dictionary is due.

    Belongs to one transaction.
    """

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries, plan: Plan) -> None:
        self._connection = connection
        self._shared = shared
        self._plan = plan
        self._fact = f"recorded-bytes.{plan.purpose}"
        self._recorded, self._sampled_at = map(int, (facts.read(connection, self._fact) or "0 0").split())
        self._kept = (self._recorded, self._sampled_at)
        # One without parts was emptied: it held a sample of what was forgotten.
        self.newest: int | None = connection.execute(
            "SELECT max(key) FROM dictionaries WHERE purpose = ?"
            " AND EXISTS (SELECT 1 FROM dictionary_parts WHERE dictionary = key)",
            (plan.purpose,),
        ).fetchone()[0]

    def count(self, size: int) -> None:
        """Count what was recorded."""
        self._recorded += size

    @property
    def due(self) -> Sampling | None:
        """The dictionary that is due, since so much has been recorded."""
        due = [each for each in self._plan.samplings if self._sampled_at < each.recorded <= self._recorded]
        return due[-1] if due else None

    def sample(self, keys: list[int], read: Callable[[int], bytes]) -> None:
        """Make the dictionary that is due of what some of these keys read, and use it from now on."""
        due = self.due
        assert due is not None
        self._sampled_at = self._recorded
        # The same store is to make the same dictionary: what is random is so by their number alone.
        Random(len(keys)).shuffle(keys)  # noqa: S311 -- a sample, no secret
        content = bytearray()
        for key in keys:
            if len(content) >= due.size:
                break
            content += read(key)[: self._plan.longest_sample]
        if len(content) < compression.SHORTEST_PREFIX:
            return
        self.newest = self._connection.execute(
            "INSERT INTO dictionaries (purpose) VALUES (?)", (self._plan.purpose,)
        ).lastrowid
        packed = compression.compress(bytes(content[: due.size]), compression.CLOSE_LEVEL)
        self._connection.executemany(
            "INSERT INTO dictionary_parts VALUES (?, ?, ?)",
            [(self.newest, number, part) for number, part in enumerate(parity.split(packed))],
        )

    def dictionary(self) -> Dictionary | None:
        """The dictionary to compress with; None while there is none."""
        return None if self.newest is None else self._shared.get(self._connection, self.newest)

    def keep(self) -> None:
        """Write down how much was recorded and when samples were taken, at the end of the transaction."""
        if (self._recorded, self._sampled_at) != self._kept:
            facts.write(self._connection, self._fact, f"{self._recorded} {self._sampled_at}")
