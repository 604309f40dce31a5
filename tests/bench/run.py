"""The one command: chooses lines, measures them, prints the table."""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import importlib
import json
import os
import platform
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __package__ in {None, ""}:  # started as `python tests/bench/run.py`
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from stonebrowse import __version__
from stonebrowse.errors import StonebrowseError
from tests.bench.corpora import ROOT, Corpora, NoCorpus
from tests.bench.measuring import processor_share
from tests.bench.place import Choices, Place
from tests.bench.processes import Failed
from tests.bench.rows import Absent, notes, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.bench.rows import Row

# Each is a module of `lines`, imported when its turn comes: one that cannot be stops no other.
LINES = {
    "text": "text",
    "first-start": "first_start",
    "first-use": "first_use",
    "search": "searching",
    "unchanged": "unchanged",
    "start": "starting",
    "save": "saving",
    "history": "history",
    "graph": "graph",
    "opening": "opening",
    "typing": "typing",
    "browser": "browsing",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what was chosen. Returns 0 whatever was measured: it gates nothing."""
    chosen = _arguments(arguments)
    begun = time.monotonic()
    rows: list[Row | Absent] = []
    shares: list[float] = []
    work = Path(tempfile.mkdtemp(prefix="stonebrowse-bench-", dir=chosen.work))
    place = _place(chosen, work)
    try:
        with _environment(place):
            for name in chosen.lines:
                shares.append(processor_share())
                rows += _measure(place, name)
                shares.append(processor_share())
    except KeyboardInterrupt:
        _say("stopped: what was measured so far")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    share = statistics.median(shares) if shares else 1.0
    said = [*notes(rows), f"between the lines a busy process had {share:.0%} of a processor"]
    print("\n".join([table(rows), "", *(f"- {note}" for note in said)]))  # noqa: T201 - its output
    if chosen.json is not None:
        about = _about(chosen, time.monotonic() - begun) | {"processor_share": round(share, 3)}
        report = about | {"rows": [row.as_json() for row in rows]}
        chosen.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


@contextlib.contextmanager
def _environment(place: Place) -> Iterator[None]:
    """This process and the keepers it starts read nothing of the user's own either."""
    before = dict(os.environ)
    for name in before.keys() - {"STONEBROWSE_SHARED"}:
        if name.startswith("STONEBROWSE_"):
            del os.environ[name]
    os.environ.update({name: value for name, value in place.env().items() if name.startswith("XDG_")})
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _measure(place: Place, name: str) -> list[Row | Absent]:
    """The rows of one line; one that fails says why, and does not stop the others."""
    _say(f"== {name}")
    begun = time.monotonic()
    place.limit()
    rows: list[Row | Absent] = []
    try:
        line = importlib.import_module(f"tests.bench.lines.{LINES[name]}")
        for row in line.measure(place):
            rows.append(row)
            _say(table([row]).splitlines()[-1])
    except (Failed, NoCorpus, StonebrowseError) as error:
        rows.append(Absent(name, "what follows", str(error)))
    except Exception as error:  # noqa: BLE001 - the edge: minutes of other lines are not lost for a fault in one
        traceback.print_exc()
        rows.append(Absent(name, "what follows", f"a fault: {type(error).__name__}: {error}"))
    _say(f"   {time.monotonic() - begun:.0f} s")
    return rows


def _place(chosen: argparse.Namespace, work: Path) -> Place:
    choices = Choices(
        rounds=max(1, chosen.repeat),
        line_seconds=chosen.line_seconds,
        thorough=chosen.thorough,
        scan_set=chosen.large,
        frogmouth=chosen.frogmouth,
    )
    named = chosen.corpus.resolve() if chosen.corpus else None
    return Place(work, Corpora(work, named, _say), choices, _say)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description="Measures stonebrowse beside its peers and prints a table. Gates nothing.",
        epilog="Documents come from --corpus, else from $STONEBROWSE_SHARED/corpora (../shared beside the"
        " checkout), else they are made from tests/data.",
    )
    parser.add_argument(
        "lines", nargs="*", metavar="LINE", help=f"what to measure (default: all): {', '.join(LINES)}"
    )
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="PATH",
        help="a folder that holds small, medium, large, edits and edits-large as unpacked, or any folder of"
        " Markdown; it is only read",
    )
    parser.add_argument(
        "--large", choices=("small", "medium", "large"), default="large", help="the set that stands for large"
    )
    parser.add_argument("-r", "--repeat", type=int, default=3, metavar="N", help="how often each is measured")
    parser.add_argument(
        "--line-seconds",
        type=float,
        default=300.0,
        metavar="S",
        help="how long a part may take (default 300)",
    )
    parser.add_argument("--thorough", action="store_true", help="run slow peers whole, not on a sample")
    parser.add_argument("--frogmouth", metavar="PYTHON", help="a Python that has Frogmouth 0.9.2")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the temporary place is made")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write everything as JSON")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.lines if name not in LINES]
    if unknown:
        parser.error(f"there is no line {unknown[0]!r}; there are {', '.join(LINES)}")
    if chosen.corpus and not chosen.corpus.is_dir():
        parser.error(f"{chosen.corpus} is no folder")
    chosen.lines = chosen.lines or list(LINES)
    return chosen


def _about(chosen: argparse.Namespace, seconds: float) -> dict[str, Any]:
    commit = ""
    with contextlib.suppress(OSError):
        asked = subprocess.run(
            ["git", "-C", ROOT, "describe", "--always", "--dirty"],
            capture_output=True,
            text=True,
            check=False,
        )
        commit = asked.stdout.strip()
    return {
        "stonebrowse": __version__,
        "commit": commit,
        "when": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "repeat": chosen.repeat,
        "thorough": chosen.thorough,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "system": platform.platform(),
        "processors": os.cpu_count(),
    }


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
