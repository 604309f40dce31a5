from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import StoreUnavailable
from stonebrowse.library.locking import KeeperLock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOLD = """
import pathlib, sys, time
from stonebrowse.library.locking import KeeperLock
lock = KeeperLock(pathlib.Path(sys.argv[1]))
assert lock.acquire(sys.argv[2])
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path), "watching"], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    yield child
    child.kill()
    child.wait()
    child.stdout.close()


def test_one_object_holds_it_at_a_time(tmp_path: Path) -> None:
    first, second = KeeperLock(tmp_path), KeeperLock(tmp_path)
    assert first.acquire("syncing")
    assert not second.acquire("syncing")
    first.release()
    assert second.acquire("watching")
    second.release()


def test_the_holder_is_known_to_others(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    holder = KeeperLock(tmp_path).holder()
    assert holder is not None
    assert (holder.pid, holder.purpose) == (other.pid, "watching")


def test_nobody_holds_it_after_sigkill(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    lock = KeeperLock(tmp_path)
    assert not lock.acquire("syncing")
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    assert lock.holder() is None
    assert lock.acquire("syncing")
    lock.release()


def test_waiting_ends_when_the_holder_goes(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    def waiting(_holder: object) -> bool:
        os.kill(other.pid, signal.SIGKILL)
        return False

    lock = KeeperLock(tmp_path)
    assert lock.wait("syncing", seconds=60, waiting=waiting)
    lock.release()


def test_waiting_can_be_given_up(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    assert other.poll() is None
    assert not KeeperLock(tmp_path).wait("syncing", seconds=60, waiting=lambda _holder: True)


def test_when_the_time_is_up_it_says_for_whom_it_waited(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    with pytest.raises(StoreUnavailable, match=str(other.pid)):
        KeeperLock(tmp_path).wait("syncing", seconds=0.05, waiting=lambda _holder: False)


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("precious")
    (tmp_path / "keeper.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreUnavailable):
        KeeperLock(tmp_path).acquire("syncing")
    assert (tmp_path / "elsewhere").read_text() == "precious"


def test_asking_for_the_holder_takes_nothing(tmp_path: Path) -> None:
    lock = KeeperLock(tmp_path)
    assert lock.holder() is None
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline and lock.holder() is not None:
        time.sleep(0.01)
    assert lock.acquire("syncing")
    lock.release()
