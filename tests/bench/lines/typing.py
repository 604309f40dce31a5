"""Letters typed into the search line: until their hits are painted; while indexing, until they are."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from stonebrowse.library.library import Library
from tests.bench.browser import browser
from tests.bench.measuring import Series
from tests.bench.questions import literal_words
from tests.bench.rows import Absent, Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.place import Place
    from tests.bench.terminal import Terminal

WORDS_A_ROUND = 6
LETTERS = 7
PAINT_SECONDS = 3.0
DELETE_LINE = "\x15"
# As fast as people type.
BETWEEN_SECONDS = 0.12
ANY_COUNT = re.compile(r"[\d,]+\+? hits? ")
WHILE_INDEXING_SECONDS = 60.0


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    for name, limit in (("medium", 40), (place.large, 50)):
        place.limit()
        corpus, store = place.library(name)
        words = literal_words(corpus.paths(), WORDS_A_ROUND * place.choices.rounds)
        times = _hits(place, corpus.folder, store, [word[:LETTERS].lower() for word in words])
        what = f"letter → painted hits, {name}"
        if times:
            series = Series.timed(times)
            target = at_most("p95", series.p95, limit, "ms")
            yield Row("typing", what, series, targets=(target,), note=f"{len(times)} letters")
        else:
            yield Absent("typing", what, "no count of hits was painted")
    place.limit()
    yield from _while_indexing(place)


def _hits(place: Place, folder: Path, store: Path, words: list[str]) -> list[float]:
    """Seconds from a letter to the count of its hits, which is painted with them."""
    totals: dict[str, int] = {}
    with Library.open(folder, store=store) as library:
        for word in words:
            for end in range(1, len(word) + 1):
                totals[word[:end]] = library.search(word[:end], typing=True, limit=40).total
    times: list[float] = []
    with browser(place, folder, store) as terminal:
        for word in words:
            if place.deadline.over and times:
                break
            terminal.send("s")
            terminal.quiet()
            before = -1
            for end in range(1, len(word) + 1):
                total = totals[word[:end]]
                terminal.send(word[end - 1])
                # A count that is what it was is not painted again.
                if total != before:
                    took = terminal.until(f" {total:,} hit", PAINT_SECONDS)
                    if took is not None:
                        times.append(took)
                terminal.quiet(BETWEEN_SECONDS)
                before = total
            # To the list: from there `s` takes the words that stand in the line to be replaced.
            terminal.press("enter")
            terminal.quiet()
    return times


def _while_indexing(place: Place) -> Iterator[Row | Absent]:
    corpus = place.corpora.corpus(place.large)
    store = place.fresh("store")
    words = [word[:LETTERS].lower() for word in literal_words(corpus.paths(), 200)]
    keys: list[float] = []
    hits: list[float] = []
    with browser(place, corpus.folder, store, settled=0.0) as terminal:
        end = time.monotonic() + WHILE_INDEXING_SECONDS
        for word in words:
            if time.monotonic() > end or _settled(corpus.folder, store):
                break
            _type(terminal, word, keys, hits)
    place.drop(store)
    what = f"while indexing {corpus.name}"
    if not keys:
        yield Absent("typing", f"key → paint {what}", "indexing ended before a key was painted")
        return
    painted = Series.timed(keys)
    yield Row(
        "typing",
        f"key → paint {what}",
        painted,
        targets=(at_most("p95", painted.p95, 60, "ms"),),
        note=f"{len(keys)} letters",
    )
    if hits:
        found = Series.timed(hits)
        yield Row(
            "typing",
            f"letter → painted hits {what}",
            found,
            targets=(at_most("p95", found.p95, 50, "ms"),),
            note="to the next count of hits that is painted, which may be that of the letter before",
        )


def _settled(folder: Path, store: Path) -> bool:
    with Library.open(folder, store=store) as library:
        done, of = library.indexed()
        return 0 < of == done and library.state().status.phase == "idle"


def _type(terminal: Terminal, word: str, keys: list[float], hits: list[float]) -> None:
    """Types a word. The line shows what was typed so far, and that is waited for."""
    # Without hits the keys are still in the line, and `s` is a letter: what stands there is taken away.
    for keystroke in ("s", DELETE_LINE):
        terminal.send(keystroke)
        terminal.quiet(0.2, timeout=0.6)
    for end, letter in enumerate(word, start=1):
        terminal.send(letter)
        if end >= 3:
            took = terminal.until(word[:end], PAINT_SECONDS)
            if took is not None:
                keys.append(took)
            found = terminal.until(ANY_COUNT, 0.5)
            if found is not None:
                hits.append(found)
        time.sleep(BETWEEN_SECONDS)
