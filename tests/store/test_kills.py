"""Killed at random moments while it drops bytes, forgets or copies: nothing that is to stay is lost.

Ten kills each; more with STONEBROWSE_KILLS.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from stonebrowse.errors import NotFound
from stonebrowse.store.database import FILE_NAME
from tests.store.samples import add_file, document, edited, open_store

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store, Version

KILLS = int(os.environ.get("STONEBROWSE_KILLS", "10"))
SECRET = b"swordfish-4711"
COMMON = "import sys\nfrom pathlib import Path\nfrom datetime import UTC, datetime\nfrom tests.store.samples import *\n"
PRUNE = """
with open_store(Path(sys.argv[1]), wait_seconds=60) as store:
    print("begun", flush=True)
    store.prune(datetime.max.replace(tzinfo=UTC))
    print("done", flush=True)
"""
FORGET = """
with open_store(Path(sys.argv[1]), wait_seconds=60) as store:
    print("begun", flush=True)
    store.forget(sys.argv[2])
    print("done", flush=True)
"""
COPY = """
with open_store(Path(sys.argv[1]), wait_seconds=60) as store:
    print("begun", flush=True)
    store.backup(Path(sys.argv[2]))
    print("done", flush=True)
"""


def killed(script: str, *arguments: object, after: float) -> bool:
    """Runs a script and kills it so many seconds after it has begun; says whether it was done before."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMON + script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(["", *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    return "done" in process.communicate(timeout=60)[0]


def pruned(store: Store, version: Version) -> bool:
    """Whether a version's bytes are gone; that they are right where they are not, reading looks."""
    try:
        store.raw(version.version_id)
    except NotFound:
        return True
    return False


def history(place: Path, files: int) -> list[list[Version]]:
    with open_store(place) as store:
        found = []
        for number in range(files):
            raws = [document(number, paragraphs=8)]
            for edit in range(7):
                raws.append(edited(raws[-1], edit))
            found.append(add_file(store, f"{number}.md", *raws))
        return found


def test_killed_while_it_prunes(place: Path) -> None:
    chance = random.Random(11)
    for turn in range(KILLS):
        here = place.with_name(f"store{turn}")
        versions = history(here, 12)
        done = killed(PRUNE, here, after=chance.uniform(0, 0.06))
        with open_store(here) as store:
            gone = [[pruned(store, version) for version in each] for each in versions]
            # All of what is dropped in one transaction, or nothing of it; never the newest.
            assert {tuple(each) for each in gone} <= {(True,) * 7 + (False,), (False,) * 8}
            assert not done or all(all(each[:-1]) for each in gone)
            assert store.check() == []
            store.prune(datetime.max.replace(tzinfo=UTC))
            assert store.check() == []
            assert all(not pruned(store, each[-1]) for each in versions)


def test_killed_while_it_forgets(place: Path) -> None:
    chance = random.Random(12)
    for turn in range(KILLS):
        here = place.with_name(f"store{turn}")
        versions = history(here, 4)
        with open_store(here) as store:
            secret = add_file(store, "secret.md", b"# " + SECRET + b"\n", b"# Nothing\n")
        done = killed(FORGET, here, secret[0].version_id, after=chance.uniform(0, 0.08))
        with open_store(here) as store:
            assert store.check() == []
            if done:
                assert store.scrubbed()
            elif not pruned(store, secret[0]) or not store.scrubbed():
                # What is not done yet is done by the same command.
                store.forget(secret[0].version_id)
            assert pruned(store, secret[0])
            assert all(not pruned(store, version) for each in versions for version in each)
            assert SECRET not in b"".join(path.read_bytes() for path in here.iterdir())


def test_killed_while_it_copies(place: Path) -> None:
    chance = random.Random(13)
    versions = history(place, 30)
    for turn in range(KILLS):
        copy = place.with_name(f"copy{turn}")
        copy.mkdir()
        done = killed(COPY, place, copy / FILE_NAME, after=chance.uniform(0, 0.06))
        size = (copy / FILE_NAME).stat().st_size if (copy / FILE_NAME).exists() else 0
        assert size or not done
        if size:
            with open_store(copy) as store:
                assert store.check() == []
                assert all(not pruned(store, version) for each in versions for version in each)
    with open_store(place) as store:
        assert store.check() == []
