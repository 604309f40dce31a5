"""The browser on a terminal: how soon it paints, what it sends, what it holds."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from tests.bench.browser import FIRST_TEXT, START_SECONDS, browser
from tests.bench.measuring import Series, in_turn
from tests.bench.place import program
from tests.bench.processes import Failed, resident_memory
from tests.bench.questions import literal_words
from tests.bench.rows import Absent, Row, Target, at_most
from tests.bench.terminal import Terminal
from tests.bench.workers.empty_app import PAINTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.place import Place

PAGES = 12
IDLE_SECONDS = 5.0
SEARCHES = 12


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    yield _first_paint(place)
    place.limit()
    yield from _sent(place)
    yield _memory(place)


def _first_paint(place: Place) -> Row | Absent:
    corpus, store = place.library(place.large)
    peer = "an empty Textual app"

    def painted(command: Sequence[str], text: str) -> float:
        with Terminal(command, place.env()) as terminal:
            took = terminal.until(text, START_SECONDS)
            terminal.send("q")
            if took is None:
                raise Failed(f"{' '.join(command[:4])} painted nothing within {START_SECONDS:.0f} s")
            return took

    ours, theirs = in_turn(
        place.choices.rounds * 2,
        place.deadline,
        lambda: painted(program(corpus.folder, store), FIRST_TEXT),
        lambda: painted([sys.executable, "-m", "tests.bench.workers.empty_app"], PAINTED),
    )
    mine, empty = Series.timed(ours), Series.timed(theirs)
    return Row(
        "browser",
        f"start → first paint, {corpus.name} known",
        mine,
        peer,
        empty,
        targets=(Target("≤ 1.3 ×", mine.median / empty.median, 1.3),),
    )


def _sent(place: Place) -> Iterator[Row]:
    """What goes over the line, as with ssh."""
    corpus, store = place.library(place.large)
    longest = max(corpus.paths(), key=lambda path: path.stat().st_size)
    sizes: list[float] = []
    times: list[float] = []
    words = ("open", str(longest.relative_to(corpus.folder)))
    with browser(place, corpus.folder, store, *words, SSH_TTY="/dev/pts/0") as terminal:
        for _ in range(PAGES):
            terminal.send(" ")
            size, took = terminal.burst()
            sizes.append(size / 1e3)
            times.append(took)
        terminal.quiet(2.0)
        idle = terminal.listen(IDLE_SECONDS)
    pages = Series.of(sizes, "KB")
    yield Row(
        "browser",
        "sent a page down, 120 × 40",
        pages,
        targets=(at_most("each", pages.worst, 20, "KB"),),
        note=f"in {longest.name}, {longest.stat().st_size / 1e3:.0f} KB"
        if pages.median
        else "nothing was painted: the keys did not reach the page",
    )
    yield Row("browser", "page down → painted", Series.timed(times))
    yield Row(
        "browser",
        f"sent in {IDLE_SECONDS:.0f} s when nothing changes",
        Series.of([idle], "bytes"),
        targets=(Target("nothing", idle, 0),),
    )


def _memory(place: Place) -> Row | Absent:
    corpus, store = place.library(place.large)
    words = literal_words(corpus.paths(), SEARCHES)
    with browser(place, corpus.folder, store) as terminal:
        for word in words:
            terminal.send("s")
            terminal.quiet()
            for letter in word:
                terminal.send(letter)
                time.sleep(0.08)
            terminal.press("enter")
            terminal.quiet()
            for _ in range(5):
                terminal.send("j")
                terminal.quiet(0.15)
        if not terminal.running:
            return Absent("browser", "memory", "the browser ended")
        held = Series.of([resident_memory(terminal.pid, peak=True) / 1e6], "MB")
        now, own = (resident_memory(terminal.pid, own=own) / 1e6 for own in (False, True))
    if not held.worst:
        return Absent("browser", "memory", "this system does not tell what a process holds")
    return Row(
        "browser",
        f"memory, browsing {corpus.name}",
        held,
        targets=(at_most("at most", held.worst, 150, "MB"),),
        note=f"the most at any time, after {len(words)} searches and {5 * len(words)} hits; at the end"
        f" {now:.0f} MB, {own:.0f} MB of it without mapped files; the keeper's process not counted",
    )
