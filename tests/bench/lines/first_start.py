"""The first start on a large folder: everything recorded and indexed, beside a plain Whoosh loop."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.bench.measuring import Series, in_turn
from tests.bench.rows import Row, Target, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.place import Place
    from tests.bench.processes import Run
    from tests.bench.rows import Absent

# Of the slow peer one file in so many, unless it is run whole.
SAMPLE_EVERY = 20
WHOOSH = "plain Whoosh loop, indexing only"


@dataclass(frozen=True, slots=True)
class Loop:
    """What the plain Whoosh loop takes for the whole set.

    Attributes:
        wall: seconds.
        cpu: seconds of processor time.
    """

    wall: float
    cpu: float


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    for part in (_whole, _index_alone):
        place.limit()
        yield from part(place)


def whoosh_loop(place: Place, passages: int) -> Loop:
    """The plain Whoosh loop on the whole set, or on a sample and scaled up by the passages."""
    every = 1 if place.choices.thorough else SAMPLE_EVERY
    folder = place.corpora.corpus(place.large).folder
    index = place.fresh("whoosh")
    said = json.loads(place.worker("whoosh_loop", str(folder), str(index), str(every)).output)
    place.drop(index)
    scale = passages / said["passages"]
    return Loop(said["wall"] * scale, said["cpu"] * scale)


def _whole(place: Place) -> Iterator[Row]:
    corpus = place.corpora.corpus(place.large)
    runs: list[Run] = []
    loops: list[Loop] = []
    counts: dict[str, int] = {}

    def ours() -> float:
        store = place.fresh("store")
        runs.append(place.stonebrowse(corpus.folder, store, ["--json", "sync"], sampled=True))
        counts.update(json.loads(runs[-1].output))
        place.keep(place.large, store)
        place.drop(store)
        return runs[-1].wall

    def theirs() -> float:
        loops.append(whoosh_loop(place, counts["passages"]))
        return loops[-1].wall

    wall, peer = in_turn(place.choices.rounds, place.deadline, ours, theirs)
    said = "" if place.choices.thorough else f" (1 in {SAMPLE_EVERY}, scaled up)"
    ours_wall, theirs_wall = Series.timed(wall, "s"), Series.timed(peer, "s")
    yield Row(
        "first start",
        "`sync`, wall",
        ours_wall,
        WHOOSH + said,
        theirs_wall,
        targets=(Target("≤ 1/4", ours_wall.median / theirs_wall.median, 0.25),),
        note=f"{counts['added']} files, {counts['passages']} passages",
    )
    cpu = Series.timed((each.cpu for each in runs), "s")
    yield Row(
        "first start", "`sync`, processor", cpu, WHOOSH + said, Series.timed((e.cpu for e in loops), "s")
    )
    memory = Series.of((each.memory / 1e6 for each in runs), "MB")
    yield Row("first start", "memory", memory, targets=(at_most("at most", memory.worst, 400, "MB"),))


def _index_alone(place: Place) -> Iterator[Row]:
    folder = place.corpora.corpus(place.large).folder
    sizes: list[float] = []
    passages = 0

    def ours() -> float:
        nonlocal passages
        index = place.fresh("index")
        said = json.loads(place.worker("index_build", str(folder), str(index)).output)
        place.drop(index)
        sizes.append(said["size"])
        passages = said["passages"]
        cpu: float = said["cpu"]
        return cpu

    cpu, peer = in_turn(place.choices.rounds, place.deadline, ours, lambda: whoosh_loop(place, passages).cpu)
    series, theirs = Series.timed(cpu, "s"), Series.timed(peer, "s")
    yield Row(
        "first start",
        "index alone, processor",
        series,
        WHOOSH,
        theirs,
        targets=(Target("≤ 1/6", series.median / theirs.median, 1 / 6),),
        note=f"{sizes[-1] / 1e6:.0f} MB on disk",
    )
