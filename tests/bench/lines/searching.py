"""One search call on a warm library, beside SQLite's FTS5 on its passages and ripgrep on its files."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time
from functools import partial
from typing import TYPE_CHECKING

from stonebrowse.library.library import Library
from tests.bench.fts5 import Fts5
from tests.bench.measuring import Series, in_turn, seconds
from tests.bench.questions import hostile, literal_words, mixed
from tests.bench.rows import Row, Target, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.bench.place import Place
    from tests.bench.questions import Question
    from tests.bench.rows import Absent

LITERAL_WORDS = 20
SHOWN_HITS = 10


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    corpus, store = place.library(place.large)
    paths = corpus.paths()
    with Library.open(corpus.folder, store=store, create=False) as library:
        yield from _against_fts5(place, library, mixed(paths))
        yield from _worst(place, library, hostile(paths))
        yield from _against_ripgrep(place, library, literal_words(paths, LITERAL_WORDS))


def _against_fts5(place: Place, library: Library, questions: Sequence[Question]) -> Iterator[Row]:
    place.say("building FTS5 on the same passages")
    fts5, missing = Fts5.build(place.fresh("fts5"), library)
    ours: list[list[float]] = [[] for _ in questions]
    shown: list[list[float]] = [[] for _ in questions]
    theirs: list[list[float]] = [[] for _ in questions]
    found = 0
    for question in questions:  # warm
        found += bool(library.search(question.ours).hits)
    for number in range(place.choices.rounds):
        if number and place.deadline.over:
            break
        for at, question in enumerate(questions):
            ours[at].append(seconds(library.search, question.ours))
            shown[at].append(seconds(_show, library, question.ours))
            if fts5:
                theirs[at].append(seconds(fts5.search, question.fts5))
    calls = Series.timed(map(statistics.median, ours))
    peer = Series.timed(map(statistics.median, theirs)) if fts5 else None
    targets = [at_most("p50", calls.median, 2.5, "ms"), at_most("p95", calls.p95, 12, "ms")]
    targets.append(at_most("worst", calls.worst, 100, "ms"))
    if peer:
        targets.append(Target("p95 below FTS5's", calls.p95, peer.p95))
    slowest = max(range(len(questions)), key=lambda at: calls.values[at])
    yield Row(
        "search",
        "one call, mixed queries",
        calls,
        "SQLite FTS5, porter, best 20",
        peer,
        missing,
        tuple(targets),
        f"{len(questions)} queries, {found} with hits; each its median; slowest: {questions[slowest].ours!r}",
    )
    yield from _by_kind(questions, calls, peer, missing)
    yield Row(
        "search",
        f"and what a list shows of {SHOWN_HITS} hits",
        Series.timed(map(statistics.median, shown)),
        note="citation, trail and snippet",
    )
    if fts5:
        fts5.close()


def _show(library: Library, query: str) -> list[tuple[str, str]]:
    return [(hit.citation, hit.snippet) for hit in library.search(query).hits[:SHOWN_HITS]]


def _by_kind(
    questions: Sequence[Question], calls: Series, peer: Series | None, missing: str
) -> Iterator[Row]:
    for kind in dict.fromkeys(question.kind for question in questions):
        chosen = [at for at, question in enumerate(questions) if question.kind == kind]
        theirs = Series.of((peer.values[at] for at in chosen), "ms") if peer else None
        ours = Series.of((calls.values[at] for at in chosen), "ms")
        yield Row("search", f"  {kind} ({len(chosen)})", ours, "SQLite FTS5", theirs, missing)


def _worst(place: Place, library: Library, questions: Sequence[Question]) -> Iterator[Row]:
    times: list[list[float]] = [[] for _ in questions]
    for number in range(place.choices.rounds):
        if number and place.deadline.over:
            break
        for at, question in enumerate(questions):
            times[at].append(seconds(library.search, question.ours))
    calls = Series.timed(map(statistics.median, times))
    slowest = sorted(range(len(questions)), key=lambda at: -calls.values[at])[:3]
    said = ", ".join(f"{questions[at].ours[:24]!r} {calls.values[at]:.0f} ms" for at in slowest)
    yield Row(
        "search",
        "one call, hostile queries",
        calls,
        targets=(at_most("worst", calls.worst, 100, "ms"),),
        note=f"{len(questions)} queries; slowest: {said}",
    )


def _against_ripgrep(place: Place, library: Library, words: Sequence[str]) -> Iterator[Row]:
    ripgrep = shutil.which("rg")
    ours: list[float] = []
    theirs: list[float] = []
    for word in words:
        if place.deadline.over and ours:
            break
        mine, others = in_turn(
            place.choices.rounds,
            place.deadline,
            partial(seconds, library.search, word),
            partial(_grep, ripgrep, library.folder, word),
        )
        ours.append(statistics.median(mine))
        theirs.append(statistics.median(others))
    yield Row(
        "search",
        "one call, literal words",
        Series.timed(ours),
        "ripgrep -ilwF",
        Series.timed(theirs) if ripgrep else None,
        "" if ripgrep else "rg is not installed",
    )


def _grep(ripgrep: str | None, folder: Path, word: str) -> float:
    if ripgrep is None:
        return 0.0
    begun = time.perf_counter()
    subprocess.run([ripgrep, "-ilwF", "--", word, folder], stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begun
