"""From a save to the moment at which another process finds the new word, settling included."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from stonebrowse.library.library import Library
from tests.bench.corpora import Corpus
from tests.bench.measuring import Series
from tests.bench.place import wait_for
from tests.bench.rows import Absent, Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.place import Place

SEED = 4_711
SAVES_A_ROUND = 15
PAUSE_SECONDS = 0.15
START_SECONDS = 120.0
FOUND_SECONDS = 10.0


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    for name, limit in (("medium", 80), (place.large, 100)):
        place.limit()
        folder = place.corpora.copy(name)
        store = place.fresh(f"store-{name}")
        place.say(f"recording and indexing a copy of {name}")
        place.stonebrowse(folder, store, ["sync"])
        yield _measure(place, name, folder, store, limit)
        place.drop(store)


def _measure(place: Place, name: str, folder: Path, store: Path, limit: int) -> Row | Absent:
    what = f"save → searchable on {name}"
    chooser = random.Random(SEED)
    paths = Corpus(name, folder, "").paths()
    times: list[float] = []
    lost = 0
    with Library.open(folder, store=store) as keeping, Library.open(folder, store=store) as asking:
        keeping.ensure_keeper()
        if not _watching(keeping, asking, paths[0]):
            return Absent("save", what, f"the keeper did not watch within {START_SECONDS:.0f} s")
        for number in range(SAVES_A_ROUND * place.choices.rounds):
            if place.deadline.over and times:
                break
            took = _save(asking, chooser.choice(paths), f"zq{chooser.getrandbits(48):x}s{number}")
            if took is None:
                lost += 1
            else:
                times.append(took)
            time.sleep(PAUSE_SECONDS * (0.5 + chooser.random()))
    if not times:
        return Absent("save", what, f"no word was found within {FOUND_SECONDS:.0f} s")
    series = Series.timed(times)
    note = f"{len(times)} saves of files chosen by lot"
    return Row(
        "save",
        what,
        series,
        targets=(at_most("p95", series.p95, limit, "ms"),),
        note=note + (f"; {lost} not found in {FOUND_SECONDS:.0f} s" if lost else ""),
    )


def _watching(keeping: Library, asking: Library, path: Path) -> bool:
    """Waits until the keeper watches: until a first save is found, and its pass over the whole is done."""
    deadline = time.monotonic() + START_SECONDS
    number = 0
    while time.monotonic() < deadline:
        number += 1
        if _save(asking, path, f"zqstart{number}") is not None:
            wait_for(lambda: keeping.state().status.phase == "idle", deadline - time.monotonic(), step=0.05)
            time.sleep(1.0)
            return True
    return False


def _save(library: Library, path: Path, word: str) -> float | None:
    """Appends a word to a file and asks for it until it is found; None if it is not in time."""
    with path.open("ab") as file:
        file.write(f"\n\nWhat was added is {word}.\n".encode())
    return wait_for(lambda: library.search(word, limit=1).total > 0, FOUND_SECONDS)
