"""Key to painted page: the cursor moves to a hit in another file, and its passage stands on the screen."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stonebrowse.library.library import Library
from tests.bench.browser import browser
from tests.bench.measuring import Series
from tests.bench.rows import Absent, Row, Target, at_most
from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.place import Place

KB, MB = 1_000, 1_000_000
SIZES = {"50 KB": 50 * KB, "500 KB": 500 * KB, "5 MB": 5 * MB, "100 MB": 100 * MB}
COMPARED = "500 KB"
NEEDLES = 6
VISITS = 8
PAINT_SECONDS = 20.0
# What has not painted by then counts as having painted then.
PEER_SECONDS = 120.0
# Begins the words that are looked for on the page; a hit in the list shows none of them.
PAINTED = "painted"
FROGMOUTH = "Frogmouth 0.9.2, once"

PROSE = (
    "The keeper climbs the stairs before dusk, trims the *wick* and polishes the glass; what the sea throws"
    " up by day he writes into the `log`, and what it takes by night he writes there too.\n\n"
    "- brass lamp, filled to the mark\n- two reels of twine\n- a [chart](charts/coast.md) of the coast\n\n"
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One document of a size, and how it is found.

    Attributes:
        name: its size in words.
        path: its path in the folder.
        word: what stands in some of its passages, and in one of the file it is left for.
    """

    name: str
    path: str
    word: str


@dataclass(frozen=True, slots=True)
class Visit:
    """Where a hit in the small file and one in a big file stand one below the other.

    Attributes:
        steps: how often to go down to come to the first of the two.
        here: what is painted when that one is shown.
        there: what is painted when the one below it is shown.
    """

    steps: int
    here: str
    there: str


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    folder, store = place.fresh("sizes"), place.fresh("store-sizes")
    place.say("recording and indexing files of 50 KB to 100 MB")
    samples = _documents(folder)
    place.stonebrowse(folder, store, ["sync"])
    medians: dict[str, float] = {}
    for sample in samples:
        place.limit()
        row = _open(place, folder, store, sample)
        if isinstance(row, Row):
            medians[sample.name] = row.ours.median
        yield row
    small, large = (medians.get(name) for name in ("50 KB", "100 MB"))
    if small and large:
        yield Row(
            "opening",
            "100 MB by 50 KB",
            Series.of([large / small], "×"),
            targets=(at_most("about the same,", large / small, 1.5, "×"),),
        )
    place.drop(store)


# -- the documents ---------------------------------------------------------------------------------------


def _documents(folder: Path) -> list[Sample]:
    """Files of each size, with passages that only one word finds; and a small one that has them all."""
    folder.mkdir()
    samples = []
    small = "# Index of words\n\n"
    for number, (name, size) in enumerate(SIZES.items()):
        word = f"needleq{number}"
        path = f"size{number}.md"
        _write(folder / path, size, word, number)
        # Alike in every passage, so that they rank alike and the small file's come before or after them all.
        small += _passage(f"Small {number}", word, _painted("small", number, 0))
        samples.append(Sample(name, path, word))
    (folder / "small.md").write_text(small, encoding="utf-8")
    return samples


def _write(path: Path, size: int, word: str, number: int) -> None:
    filler = [f"## Section {at}\n\n{PROSE}" for at in range(1_000)]
    with path.open("w", encoding="utf-8") as file:
        held = file.write(f"# {_title(size)}\n\n{PROSE}")
        at = needles = 0
        while held < size:
            if held >= size * (needles + 1) / (NEEDLES + 1):
                needles += 1
                held += file.write(_passage(f"Place {needles}", word, _painted("big", number, needles)))
            held += file.write(filler[at % len(filler)])
            at += 1


def _passage(heading: str, word: str, painted: str) -> str:
    """A passage that a word finds; another, too far from it for a snippet, shows that it is on the page."""
    return f"## {heading}\n\nHere stands {word}.\n\n{PROSE}{PROSE}This is {painted} on the page.\n\n"


def _title(size: int) -> str:
    return f"Document of {size} bytes"


def _painted(kind: str, number: int, at: int) -> str:
    return f"{PAINTED}{kind}{number}x{at}z"


# -- ours ------------------------------------------------------------------------------------------------


def _open(place: Place, folder: Path, store: Path, sample: Sample) -> Row | Absent:
    what = f"key → painted page, {sample.name}"
    visit = _visit(folder, store, sample)
    if visit is None:
        return Absent("opening", what, "no hit of the small file stands beside one of the big file")
    first: list[float] = []
    later: list[float] = []
    for number in range(place.choices.rounds):
        if number and place.deadline.over:
            break
        times = _visits(place, folder, store, sample, visit)
        first += times[:1]
        later += times[1:]
    if not later:
        return Absent("opening", what, f"the page was not painted within {PAINT_SECONDS:.0f} s")
    ours = Series.timed(first + later)
    targets = [at_most("median", ours.median, 50, "ms"), at_most("p95", ours.p95, 100, "ms")]
    peer, theirs, missing = "none", None, ""
    if sample.name == COMPARED:
        peer = FROGMOUTH
        theirs, missing = _frogmouth(place, folder / sample.path, sample)
    if theirs:
        times_faster = theirs.median / ours.median
        targets.append(Target("≥ 100 × Frogmouth", times_faster, 100, at_least=True))
    return Row(
        "opening",
        what,
        ours,
        peer,
        theirs,
        missing,
        tuple(targets),
        f"the first time in a browser {1e3 * statistics.median(first):.0f} ms, of {len(first)}",
    )


def _visit(folder: Path, store: Path, sample: Sample) -> Visit | None:
    """Where in the list of hits the small file and the big one meet."""
    number = list(SIZES).index(sample.name)
    with Library.open(folder, store=store) as library:
        paths = [hit.path for hit in library.search(sample.word, limit=40).hits]
        labels = [hit.label for hit in library.search(sample.word, limit=40).hits]
    for at in range(len(paths) - 1):
        pair = paths[at], paths[at + 1]
        if set(pair) == {"small.md", sample.path}:
            big = at if pair[0] == sample.path else at + 1
            marks = _painted("small", number, 0), _painted("big", number, int(labels[big].rpartition(" ")[2]))
            return Visit(at, *marks) if big > at else Visit(at, *reversed(marks))
    return None


def _visits(place: Place, folder: Path, store: Path, sample: Sample, visit: Visit) -> list[float]:
    """Goes to and fro between the two files; the seconds of each coming to the big one."""
    times: list[float] = []
    down = visit.there.startswith(f"{PAINTED}big")
    with browser(place, folder, store) as terminal:
        terminal.send("s")
        terminal.quiet()
        terminal.send(sample.word)
        terminal.until(PAINTED, PAINT_SECONDS)
        terminal.quiet()
        terminal.press("enter")
        terminal.quiet(1.0)
        for _ in range(visit.steps):
            terminal.send("j")
            terminal.until(PAINTED, PAINT_SECONDS)
            terminal.quiet()
        for number in range(2 * VISITS):
            forth = number % 2 == 0
            terminal.send("j" if forth else "k")
            took = terminal.until(visit.there if forth else visit.here, PAINT_SECONDS)
            if took is None:
                break
            if forth == down:
                times.append(took)
            terminal.quiet()
    return times


# -- the peer --------------------------------------------------------------------------------------------


def _frogmouth(place: Place, document: Path, sample: Sample) -> tuple[Series | None, str]:
    """Opening the same file in Frogmouth, from Enter to its first page; or why that cannot be had."""
    python = place.choices.frogmouth
    if python is None:
        return None, "name a Python that has it with --frogmouth"
    if not Path(python).exists():
        return None, f"{python} does not exist"
    # It opens what it had open last, if it has a home from before.
    home = place.fresh("frogmouth")
    home.mkdir()
    place.say(f"opening {sample.name} in {FROGMOUTH}, for {PEER_SECONDS:.0f} s at most")
    env = {name: str(home) if "HOME" in name else value for name, value in place.env().items()}
    del env["PYTHONPATH"]
    with Terminal([python, "-m", "frogmouth"], env) as terminal:
        if terminal.until("F1", PAINT_SECONDS) is None:
            return None, f"{python} -m frogmouth does not start"
        terminal.quiet(1.0)
        terminal.send("/")
        terminal.quiet()
        terminal.send(str(document))
        terminal.quiet()
        terminal.press("enter")
        took = terminal.until(_title(SIZES[sample.name]), PEER_SECONDS)
    return Series.timed([PEER_SECONDS if took is None else took]), ""
