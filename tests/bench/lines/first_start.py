"""The first start on a large folder: everything recorded and indexed, and how soon it can be used."""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stonebrowse.errors import StonebrowseError
from stonebrowse.library.library import Library
from tests.bench.measuring import Series, in_turn
from tests.bench.questions import WORD, is_drawn_from
from tests.bench.rows import Absent, Row, Target, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.place import Place
    from tests.bench.processes import Run

SEED = 77
PROBES = 12
# Of the slow peer one file in so many, unless it is run whole.
SAMPLE_EVERY = 20
POLL_SECONDS = 0.02
GIVE_UP_SECONDS = 120.0
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
    for part in (_whole, _index_alone, _usable):
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


# -- how soon it can be used -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Probe:
    """A document, and words of one line of it, in the form of a query."""

    path: str
    query: str


def _probes(place: Place) -> list[Probe]:
    """Documents from all over the set, each with words that hardly another has together."""
    corpus = place.corpora.corpus(place.large)
    chooser = random.Random(SEED)
    paths = corpus.paths()
    found: list[Probe] = []
    step = max(1, len(paths) // PROBES)
    for path in (chooser.choice(paths[at : at + step]) for at in range(0, len(paths), step)):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        drawn = [line for line in lines if is_drawn_from(line)]
        if drawn:
            query = " ".join(dict.fromkeys(WORD.findall(chooser.choice(drawn))[:8]))
            found.append(Probe(path.relative_to(corpus.folder).as_posix(), query))
    return found


def _usable(place: Place) -> Iterator[Row | Absent]:
    """A person who starts the browser for the first time: what can be read, what is found, and when."""
    folder = place.corpora.corpus(place.large).folder
    probes = _probes(place)
    read: list[float] = []
    found: list[float] = []
    calls: list[float] = []
    lost = 0
    for number in range(place.choices.rounds):
        if number and place.deadline.over:
            break
        store = place.fresh("store")
        lost += _watch_start(folder, store, probes, read, found, calls)
        place.drop(store)
    if not read or not found:
        yield Absent("first start", "until usable", "nothing could be read or found in time")
        return
    note = f"{lost} of {len(probes)} probes a run not found in {GIVE_UP_SECONDS:.0f} s" if lost else ""
    readable, searchable = Series.timed(read, "s"), Series.timed(found, "s")
    yield Row(
        "first start",
        "until a File can be read",
        readable,
        targets=(at_most("any", readable.worst, 3, "s"),),
        note=note,
    )
    yield Row(
        "first start",
        "until a word is found",
        searchable,
        targets=(at_most("any", searchable.worst, 3, "s"),),
        note=f"{len(probes)} words of files all over the set, asked for again and again",
    )
    yield Row("first start", "one search call meanwhile", Series.timed(calls))


def _watch_start(
    folder: Path, store: Path, probes: list[Probe], read: list[float], found: list[float], calls: list[float]
) -> int:
    """Starts a keeper and asks until everything is there; how many probes never were."""
    unread, unfound = list(probes), list(probes)
    begun = time.perf_counter()
    with Library.open(folder, store=store) as library:
        library.ensure_keeper()
        while (unread or unfound) and time.perf_counter() - begun < GIVE_UP_SECONDS:
            for probe in list(unread):
                if _readable(library, probe):
                    read.append(time.perf_counter() - begun)
                    unread.remove(probe)
            for probe in list(unfound):
                asked = time.perf_counter()
                there = _found(library, probe)
                calls.append(time.perf_counter() - asked)
                if there:
                    found.append(time.perf_counter() - begun)
                    unfound.remove(probe)
            time.sleep(POLL_SECONDS)
    return len(unfound)


def _readable(library: Library, probe: Probe) -> bool:
    try:
        document = library.document(library.find_version(library.find_file(probe.path), None))
        return document.size == 0 or bool(document.read(0, 4_096))
    except StonebrowseError:
        return False


def _found(library: Library, probe: Probe) -> bool:
    try:
        return any(hit.path == probe.path for hit in library.search(probe.query, limit=50).hits)
    except StonebrowseError:
        return False
