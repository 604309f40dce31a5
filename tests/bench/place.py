"""The place a run works in: folders, environment, and libraries that are built once."""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.bench.corpora import ROOT, Corpora
from tests.bench.measuring import Deadline
from tests.bench.processes import Run, run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.bench.corpora import Corpus


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen on the command line.

    Attributes:
        rounds: how often each thing is measured.
        line_seconds: how long a part of a line may take; what is begun then is finished or killed.
        thorough: run slow peers whole instead of on a sample.
        scan_set: the set that stands for `large`.
        frogmouth: a Python that has Frogmouth 0.9.2, or None.
    """

    rounds: int = 3
    line_seconds: float = 300.0
    thorough: bool = False
    scan_set: str = "large"
    frogmouth: str | None = None


@dataclass(slots=True)
class Place:
    """Where a run works, and what its lines share.

    Attributes:
        work: a temporary place of this run alone.
        corpora: the sets of documents.
        choices: what was chosen.
        say: told in a line what is being done.
        deadline: of the line that is being measured.
    """

    work: Path
    corpora: Corpora
    choices: Choices
    say: Callable[[str], None]
    deadline: Deadline = field(default_factory=lambda: Deadline(0.0))
    _stores: dict[str, Path] = field(default_factory=dict)
    _made: int = 0

    @property
    def large(self) -> str:
        """The name of the set that stands for `large`."""
        return self.choices.scan_set

    def env(self, **more: str) -> dict[str, str]:
        """The environment of programs that are measured: nothing of the user's settings, homes of our own."""
        home = self.work / "home"
        home.mkdir(exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
        xdg = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
        return {"HOME": str(home), "PYTHONPATH": str(ROOT), **kept, **xdg, **more}

    def fresh(self, name: str) -> Path:
        """A path below the work place that nothing stands at."""
        self._made += 1
        return self.work / f"{self._made:03}-{name}"

    def worker(self, name: str, *arguments: str, sampled: bool = False) -> Run:
        """Runs one of `tests.bench.workers` in a process of its own."""
        command = [sys.executable, "-m", f"tests.bench.workers.{name}", *arguments]
        return run(command, env=self.env(), cwd=ROOT, timeout=self.deadline.left, sampled=sampled)

    def stonebrowse(
        self, folder: Path, store: Path, words: Sequence[str], *, sampled: bool = False, no: bool = False
    ) -> Run:
        """Runs the program on a library to its end; `no` says that exit 1 is an answer too."""
        command = [*program(folder, store), *words]
        return run(
            command,
            env=self.env(),
            cwd=self.work,
            timeout=self.deadline.left,
            sampled=sampled,
            accept=(0, 1) if no else (0,),
        )

    def library(self, name: str) -> tuple[Corpus, Path]:
        """A set that is only read, and a store that is level with it."""
        corpus = self.corpora.corpus(name)
        if name not in self._stores:
            # Lines share it: what it takes to build does not count as their time.
            self.limit()
            store = self.fresh(f"store-{name}")
            self.say(f"recording and indexing {name}")
            self.stonebrowse(corpus.folder, store, ["sync"])
            self._stores[name] = store
            self.limit()
        return corpus, self._stores[name]

    def keep(self, name: str, store: Path) -> None:
        """A store that a line has built of a set: later lines take it instead of building their own."""
        self._stores.setdefault(name, store)

    def drop(self, store: Path) -> None:
        """Takes a store away that nobody needs any more."""
        if store not in self._stores.values():
            shutil.rmtree(store, ignore_errors=True)

    def limit(self) -> None:
        """Begins the time of a line, or of a part of it that takes its own."""
        self.deadline = Deadline(self.choices.line_seconds)


def program(folder: Path, store: Path) -> list[str]:
    """The command line of stonebrowse on a library."""
    return [sys.executable, "-m", "stonebrowse", "-C", str(folder), "--store", str(store)]


def wait_for(seen: Callable[[], bool], seconds: float, *, step: float = 0.001) -> float | None:
    """Waits until something is seen; the time it took, or None if it was not seen in time."""
    begun = time.perf_counter()
    while not seen():
        if time.perf_counter() - begun > seconds:
            return None
        time.sleep(step)
    return time.perf_counter() - begun
