"""The trained dictionaries of a store.

Markdown files are small and alike: against a dictionary trained on some of them the others take a quarter to a
third less than by themselves, and cuts half. One is trained when the store has enough to train it on, and again
when it has grown much; what was compressed with an earlier one is read with that for ever.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.store import compression, facts
from stonebrowse.store.compression import Dictionary, Spoilt

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable


class Training(NamedTuple):
    """When a dictionary is trained, and how large it is, in bytes."""

    recorded: int
    """How much the store has recorded then."""
    size: int
    samples: int
    """How much it is trained on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The dictionaries for one purpose."""

    purpose: str
    trainings: tuple[Training, ...]
    longest_sample: int
    """In bytes, of one content: a long one is not to fill the dictionary."""


_KIB, _MIB = 1 << 10, 1 << 20
FOR_CONTENTS: Final = Plan(
    "contents",
    (
        Training(1 * _MIB, 64 * _KIB, 1 * _MIB),
        Training(8 * _MIB, 256 * _KIB, 2 * _MIB),
        Training(256 * _MIB, 512 * _KIB, 8 * _MIB),
    ),
    16 * _KIB,
)
FOR_CUTS: Final = Plan(
    "cuts", (Training(256 * _KIB, 32 * _KIB, 256 * _KIB), Training(8 * _MIB, 64 * _KIB, 2 * _MIB)), 8 * _KIB
)

_STORED_LEVEL: Final = 9


class Dictionaries:
    """The dictionaries that have been read, ready for use. Safe to share between threads."""

    def __init__(self) -> None:
        self._ready: dict[int, Dictionary] = {}
        self._guard = threading.Lock()

    def get(self, connection: sqlite3.Connection, key: int) -> Dictionary:
        """Read a dictionary, from its second copy where the first is spoilt.

        Raises:
            Spoilt: both copies are.
        """
        with self._guard:
            ready = self._ready.get(key)
        if ready is None:
            ready = Dictionary(read(connection, key))
            with self._guard:
                self._ready[key] = ready
        return ready

    def forget(self) -> None:
        """Drop what is ready: a transaction that trained one was rolled back, and its key is free again."""
        with self._guard:
            self._ready.clear()


def read(connection: sqlite3.Connection, key: int) -> bytes:
    """Read the content of a dictionary.

    Raises:
        Spoilt: both copies are other than they were.
    """
    good = [copy for copy in copies(connection, key) if copy is not None]
    if not good:
        raise Spoilt(f"dictionary {key} is damaged")
    return good[0]


def copies(connection: sqlite3.Connection, key: int) -> list[bytes | None]:
    """Read both copies of a dictionary: None for one that is other than it was."""
    row = connection.execute(
        "SELECT digest, size, data, copy FROM dictionaries WHERE key = ?", (key,)
    ).fetchone()
    return [] if row is None else [_expanded(data, row[1], row[0]) for data in row[2:]]


def _expanded(data: bytes, size: int, digest: bytes) -> bytes | None:
    try:
        content = compression.expand(data, size)
    except Spoilt:
        return None
    return content if sha256(content).digest() == digest else None


class Pace:
    """Knows how much was recorded for one purpose, and when it is time to train. Belongs to one transaction."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries, plan: Plan) -> None:
        self._connection = connection
        self._shared = shared
        self._plan = plan
        self._fact = f"recorded-bytes.{plan.purpose}"
        self._recorded = self._before = int(facts.read(connection, self._fact) or 0)
        self._due: Training | None = None
        self.newest: int | None = connection.execute(
            "SELECT max(key) FROM dictionaries WHERE purpose = ?", (plan.purpose,)
        ).fetchone()[0]

    def count(self, size: int) -> bool:
        """Count what was recorded.

        Returns:
            Whether it is time to train.
        """
        before, self._recorded = self._recorded, self._recorded + size
        for training in self._plan.trainings:
            if before < training.recorded <= self._recorded:
                self._due = training
        return self._due is not None

    def train(self, keys: list[int], read: Callable[[int], bytes]) -> None:
        """Train a dictionary on what some of these keys read, taken at random, and take it from now on."""
        # The same store is to train the same dictionary: what is random is so by their number alone.
        Random(len(keys)).shuffle(keys)  # noqa: S311 -- a sample, no secret
        due, self._due = self._due, None
        assert due is not None
        samples: list[bytes] = []
        wanted = due.samples
        for key in keys:
            sample = read(key)[: self._plan.longest_sample]
            if sample:
                samples.append(sample)
            wanted -= len(sample)
            if wanted <= 0:
                break
        trained = compression.train(samples, due.size)
        if trained is None:
            return
        data = compression.compress(trained, _STORED_LEVEL)
        row = (self._plan.purpose, sha256(trained).digest(), len(trained), data, data)
        self.newest = self._connection.execute(
            "INSERT INTO dictionaries (purpose, digest, size, data, copy) VALUES (?, ?, ?, ?, ?)", row
        ).lastrowid

    def dictionary(self) -> Dictionary | None:
        """The dictionary to compress with; None while there is none."""
        return None if self.newest is None else self._shared.get(self._connection, self.newest)

    def keep(self) -> None:
        """Write down how much was recorded, at the end of the transaction."""
        if self._recorded != self._before:
            facts.write(self._connection, self._fact, str(self._recorded))
