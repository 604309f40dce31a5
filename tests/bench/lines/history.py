"""What a history takes in the store: every edit of a repository replayed, each version kept."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from stonebrowse.library.library import Library
from tests.bench.corpora import HISTORIES, NoCorpus
from tests.bench.measuring import Series, seconds
from tests.bench.rows import Absent, Row, Target

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.place import Place

ALONE_SECONDS = 120.0
QUIET_SECONDS = 6.0
LIMIT = {"edits-large": 0.12}


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    for name in HISTORIES:
        place.limit()
        try:
            history = place.corpora.history(name)
        except NoCorpus as missing:
            yield Absent("history", f"store after replaying {name}", str(missing))
        else:
            yield from _replay(place, name, history)


def _replay(place: Place, name: str, history: Path) -> Iterator[Row]:
    folder, store = place.fresh(name), place.fresh(f"store-{name}")
    passes: list[float] = []
    place.say(f"replaying {name}")
    with Library.open(_start(history, folder), store=store) as library:
        library.update()
        edits = 0
        for commit in _commits(history):
            if place.deadline.over:
                break
            for edit in commit:
                _apply(history, folder, edit)
            passes.append(seconds(library.update))
            edits += len(commit)
        files = [*library.files(), *library.files(trashed=True)]
        versions = [version for file in files for version in library.versions(file)]
    raw = sum(version.bytes for version in versions)
    said = f"{edits} edits in {len(passes)} commits: {len(versions)} versions of {raw / 1e6:.1f} MB"
    yield _kept(name, "", store, raw, said)
    place.say("leaving a keeper alone with it")
    took = _left_alone(folder, store)
    yield _kept(name, ", then left alone", store, raw, f"a keeper had nothing else to do for {took:.0f} s")
    yield Row("history", f"one pass after a commit, {name}", Series.timed(passes))


def _kept(name: str, after: str, store: Path, raw: int, said: str) -> Row:
    """What share of all bytes of all versions the store takes, the index not counted."""
    index = _size(store / "index")
    kept = _size(store) - index
    share = 100 * kept / raw
    limit = 100 * LIMIT.get(name, 0)
    return Row(
        "history",
        f"store after replaying {name}{after}",
        Series.of([share], "%"),
        targets=(Target(f"≤ {limit:.0f} % of all bytes", share, limit),) if limit else (),
        note=f"{said}; the store {kept / 1e6:.1f} MB, the index besides {index / 1e6:.1f} MB",
    )


def _left_alone(folder: Path, store: Path) -> float:
    """Lets a keeper tidy until nothing is written any more; the seconds that took, at most."""
    begun = written = time.monotonic()
    before = 0.0
    with Library.open(folder, store=store) as library:
        library.ensure_keeper()
        while time.monotonic() < min(written + QUIET_SECONDS, begun + ALONE_SECONDS):
            now = max(path.stat().st_mtime for path in store.glob("*.sqlite3*"))
            if now != before:
                before, written = now, time.monotonic()
            time.sleep(0.25)
    return written - begun


def _start(history: Path, folder: Path) -> Path:
    base: dict[str, Any] = json.loads((history / "base.json").read_bytes())
    for path, blob in base["files"].items():
        _write(history, folder / path, blob)
    return folder


def _commits(history: Path) -> Iterator[list[dict[str, Any]]]:
    """The edits, those of one commit together."""
    commit: list[dict[str, Any]] = []
    with (history / "edits.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            edit = json.loads(line)
            if commit and edit["commit"] != commit[0]["commit"]:
                yield commit
                commit = []
            commit.append(edit)
    if commit:
        yield commit


def _apply(history: Path, folder: Path, edit: dict[str, Any]) -> None:
    path = folder / edit["path"]
    if edit["op"] == "delete":
        path.unlink(missing_ok=True)
        return
    if edit["op"] == "rename":
        path.parent.mkdir(parents=True, exist_ok=True)
        (folder / edit["from"]).rename(path)
        if edit["before"] == edit["after"]:
            return
    _write(history, path, edit["after"])


def _write(history: Path, path: Path, blob: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((history / "blobs" / blob).read_bytes())


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
