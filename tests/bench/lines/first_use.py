"""How soon a large folder can be used that was never opened before: what can be read and found, and when."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stonebrowse.errors import StonebrowseError
from stonebrowse.library.library import Library
from tests.bench.measuring import Series, seconds
from tests.bench.place import wait_for
from tests.bench.questions import WORD, is_drawn_from
from tests.bench.rows import Absent, Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.place import Place

SEED = 77
# Documents that are asked for, from all over the set.
PROBES = 12
POLL_SECONDS = 0.02
GIVE_UP_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Probe:
    """A document, and words of one line of it, in the form of a query."""

    path: str
    query: str


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    folder = place.corpora.corpus(place.large).folder
    probes = _probes(place)
    # One word a start: a person asks one thing, and many questions would wait for each other.
    words = random.Random(SEED).sample(probes, min(place.choices.rounds, len(probes)))
    read: list[float] = []
    found: list[float] = []
    calls: list[float] = []
    for number, word in enumerate(words):
        if number and place.deadline.over:
            break
        store = place.fresh("store")
        reading = _Reading(folder, store, probes)
        with Library.open(folder, store=store) as library:
            reading.start()
            library.ensure_keeper()
            took = _until_found(library, word, calls)
            if took is not None:
                found.append(took)
            read += reading.finish()
        place.drop(store)
    note = f"{len(probes)} Files from all over the set, {len(read)} could be read in time"
    yield _row("until a File can be read", read, note)
    yield _row("until a word is found", found, f"one word in each of {len(words)} starts, {len(found)} found")
    if calls:
        yield Row("first use", "one search call meanwhile", Series.timed(calls))


def _row(what: str, times: list[float], note: str) -> Row | Absent:
    if not times:
        return Absent("first use", what, f"never within {GIVE_UP_SECONDS:.0f} s")
    series = Series.timed(times, "s")
    return Row("first use", what, series, targets=(at_most("any", series.worst, 3, "s"),), note=note)


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


class _Reading(threading.Thread):
    """Reads the probes' documents as soon as they are there, while something else is done."""

    def __init__(self, folder: Path, store: Path, probes: list[Probe]) -> None:
        super().__init__(daemon=True)
        self._folder, self._store = folder, store
        self._unread = list(probes)
        self._times: list[float] = []
        self._begun = time.perf_counter()

    def run(self) -> None:
        """Looks again and again."""
        with Library.open(self._folder, store=self._store) as library:
            while self._unread and time.perf_counter() - self._begun < GIVE_UP_SECONDS:
                for probe in list(self._unread):
                    if _readable(library, probe):
                        self._times.append(time.perf_counter() - self._begun)
                        self._unread.remove(probe)
                time.sleep(POLL_SECONDS)

    def finish(self) -> list[float]:
        """Waits until all could be read, or it was given up; the seconds of each."""
        self.join()
        return self._times


def _readable(library: Library, probe: Probe) -> bool:
    try:
        document = library.document(library.find_version(library.find_file(probe.path), None))
        return document.size == 0 or bool(document.read(0, 4_096))
    except StonebrowseError:
        return False


def _until_found(library: Library, probe: Probe, calls: list[float]) -> float | None:
    """Asks for a document's words until it is found; the time, or None. Each call's time goes to `calls`."""
    there = False

    def asked() -> bool:
        calls.append(seconds(ask))
        return there

    def ask() -> None:
        nonlocal there
        try:
            there = any(hit.path == probe.path for hit in library.search(probe.query, limit=50).hits)
        except StonebrowseError:
            there = False

    return wait_for(asked, GIVE_UP_SECONDS, step=POLL_SECONDS)
