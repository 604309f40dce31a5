"""`sync` on a folder in which nothing changed, beside a bare walk over it and a bare start of Python."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from tests.bench.measuring import Series, in_turn
from tests.bench.processes import run
from tests.bench.rows import Row, Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.place import Place
    from tests.bench.rows import Absent

# Short enough to be repeated more often than the rest.
TIMES = 3


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    corpus, store = place.library(place.large)

    def sync() -> float:
        return place.stonebrowse(corpus.folder, store, ["sync"]).wall

    def walk() -> float:
        wall: float = json.loads(place.worker("walk", str(corpus.folder)).output)["wall"]
        return wall

    def start() -> float:
        command = [sys.executable, "-c", "pass"]
        return run(command, env=place.env(), timeout=place.deadline.left).wall

    sync()
    syncs, walks, starts = in_turn(place.choices.rounds * TIMES, place.deadline, sync, walk, start)
    ours = Series.timed(syncs)
    bare = Series.timed(walk + start for walk, start in zip(walks, starts, strict=True))
    limit = 2 * Series.timed(walks).median + Series.timed(starts).median
    yield Row(
        "nothing changed",
        f"`sync` on {corpus.name}",
        ours,
        "scandir and stat walk, and python -c pass",
        bare,
        targets=(Target(f"≤ 2 × walk + start = {limit:.0f} ms", ours.median, limit),),
        note=f"walk {Series.timed(walks).median:.0f} ms, start {Series.timed(starts).median:.0f} ms",
    )
