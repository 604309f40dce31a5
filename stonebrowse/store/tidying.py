"""Tidying: writing old pieces again, closer, and one behind the other.

A first start records thousands of files at once and compresses each quickly by itself. Later, when nothing
else is to be done, they are written again at a close level with the newest dictionary. What is written again
goes to the end of the table of pieces, so that pages which had become half empty become free and are used
again.

No content and no cut changes by it, and each is compared before the old piece goes.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from stonebrowse.store import facts, pieces
from stonebrowse.store.compression import Spoilt

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from stonebrowse.store.contents import ContentsWriter
    from stonebrowse.store.cuts import CutsWriter

_GROWTH: Final = 1.5
"""When there is this many times what was there at the end of a pass, another is due."""
_FEWEST: Final = 256
"""In a store smaller than this there is nothing to gain."""
_FREE_SHARE: Final = 32
"""One free page in so many is kept: the next version will take it."""
_PIECE_BYTES: Final = 512
"""What writing a piece again costs beside compressing it, counted as bytes."""


class Pass:
    """How far the tidying of one table has come; it is kept with the store."""

    def __init__(
        self, connection: sqlite3.Connection, name: str, dictionary: int | None, newest: int
    ) -> None:
        self._connection = connection
        self._fact = f"tidied.{name}"
        kept = facts.read(connection, self._fact)
        self.done, self.end, self._dictionary = map(int, kept.split()) if kept else (0, 0, 0)
        over = self.done >= self.end
        grown = newest > max(self.end * _GROWTH, _FEWEST)
        if over and newest and ((dictionary or 0) > self._dictionary or grown):
            self.done, self.end, self._dictionary = 0, newest, dictionary or 0

    def run(self, due: str, write_again: Callable[[int], int], budget: int) -> int:
        """Write the next ones again.

        Args:
            due: gives the keys between two keys, in order.
            write_again: writes one of them, and says how many bytes it compressed.
            budget: in bytes.

        Returns:
            What is left of the budget.
        """
        if self.done >= self.end or budget <= 0:
            return budget
        # Not one cursor for all: what is written again may come under it.
        limit = 1 + budget // _PIECE_BYTES
        rows = self._connection.execute(due, (self.done, self.end, limit)).fetchall()
        with pieces.re_encoding(self._connection):
            for (key,) in rows:
                if budget <= 0:
                    break
                # What is damaged stays as it is found.
                with suppress(Spoilt):
                    budget -= write_again(key)
                self.done = key
                budget -= _PIECE_BYTES
            else:
                self.done = self.end
        facts.write(self._connection, self._fact, f"{self.done} {self.end} {self._dictionary}")
        return budget


def tidy(connection: sqlite3.Connection, contents: ContentsWriter, cuts: CutsWriter, budget: int) -> int:
    """Write the next pieces again, within a transaction.

    Args:
        connection: in a transaction.
        contents: the contents.
        cuts: the cuts.
        budget: how many bytes of contents and cuts, about.

    Returns:
        What is left of the budget: more than 0 where there is nothing left to do.
    """
    contents.quick = cuts.quick = False
    contents.sample()
    cuts.sample()
    tables = (
        (
            Pass(connection, "contents", contents.pace.newest, _newest(connection, "key", "contents")),
            "SELECT key FROM contents WHERE key > ? AND key <= ? AND piece IS NOT NULL ORDER BY key LIMIT ?",
            contents.write_again,
        ),
        (
            Pass(connection, "cuts", cuts.pace.newest, _newest(connection, "version", "cuts")),
            "SELECT version FROM cuts WHERE version > ? AND version <= ? ORDER BY version LIMIT ?",
            cuts.write_again,
        ),
    )
    for progress, due, write_again in tables:
        budget = progress.run(due, write_again, budget)
    return _give_back(connection, budget)


def _give_back(connection: sqlite3.Connection, budget: int) -> int:
    """Give free pages at the end of the file back to the disk, where they are more than a few."""
    free: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
    pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
    if budget > 0 and free * _FREE_SHARE > pages:
        page_bytes: int = connection.execute("PRAGMA page_size").fetchone()[0]
        given = min(free, 1 + budget // page_bytes)
        for _ in range(given):
            # Python takes one step of this statement, and a step is a page.
            connection.execute("PRAGMA incremental_vacuum(1)")
        budget -= given * page_bytes
    return budget


def _newest(connection: sqlite3.Connection, key: str, table: str) -> int:
    newest: int | None = connection.execute(f"SELECT max({key}) FROM {table}").fetchone()[0]  # noqa: S608 -- ours
    return newest or 0
