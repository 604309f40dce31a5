"""How long `stonebrowse search` takes from the shell, beside Python starting and importing what it needs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.bench.measuring import Series, in_turn
from tests.bench.processes import run
from tests.bench.questions import literal_words
from tests.bench.rows import Row, Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.place import Place
    from tests.bench.rows import Absent

TIMES = 4
IMPORTS = "import sqlite3, whoosh, whoosh.index, whoosh.fields, whoosh.query, whoosh.searching"


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    corpus, store = place.library(place.large)
    small, small_store = place.library("small")
    word = literal_words(corpus.paths(), 1)[0]
    other = literal_words(small.paths(), 1)[0]

    def python(code: str) -> float:
        return run([sys.executable, "-c", code], env=place.env(), timeout=place.deadline.left).wall

    stored, synced, bare, importing = in_turn(
        place.choices.rounds * TIMES,
        place.deadline,
        lambda: place.stonebrowse(corpus.folder, store, ["--no-sync", "search", word], no=True).wall,
        lambda: place.stonebrowse(small.folder, small_store, ["search", other], no=True).wall,
        lambda: python("pass"),
        lambda: python(IMPORTS),
    )
    peer, pass_alone = Series.timed(importing), Series.timed(bare)
    limit = 3 * pass_alone.median + (peer.median - pass_alone.median)
    name = "python -c pass, and imports of sqlite3 and whoosh"
    for what, values in (
        (f"`search --no-sync` on {corpus.name}", stored),
        (f"`search` on {small.name}, synced first", synced),
    ):
        ours = Series.timed(values)
        yield Row(
            "start",
            what,
            ours,
            name,
            peer,
            targets=(Target(f"≤ 3 × pass + imports = {limit:.0f} ms", ours.median, limit),),
            note=f"python -c pass {pass_alone.median:.0f} ms",
        )
