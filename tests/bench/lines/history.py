"""What a history takes in the store: every edit of a repository replayed, each version kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from stonebrowse.library.library import Library
from tests.bench.corpora import HISTORIES, NoCorpus
from tests.bench.measuring import Series, seconds
from tests.bench.rows import Absent, Row, Target

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.place import Place

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
    index = _size(store / "index")
    kept = _size(store) - index
    share = Series.of([100 * kept / raw], "%")
    yield Row(
        "history",
        f"store after replaying {name}, of all bytes",
        share,
        targets=(Target(f"≤ {100 * LIMIT[name]:.0f} %", share.median, 100 * LIMIT[name]),)
        if name in LIMIT
        else (),
        note=(
            f"{edits} edits in {len(passes)} commits: {len(versions)} versions of {raw / 1e6:.1f} MB in"
            f" {kept / 1e6:.1f} MB; the index besides {index / 1e6:.1f} MB"
        ),
    )
    yield Row("history", f"one pass after a commit, {name}", Series.timed(passes))


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
