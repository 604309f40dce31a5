"""Running programs, and what they cost."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SAMPLE_SECONDS = 0.1
# `ru_maxrss` is in KiB on Linux and in bytes on macOS.
RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Failed(Exception):
    """A program that was to be measured did not do its work."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a program, to its end.

    Attributes:
        wall: seconds from before it was started until it was gone.
        cpu: seconds of processor time, its children's included.
        memory: bytes that it and its children held at most; 0 where that was not looked at.
        output: its standard output.
    """

    wall: float
    cpu: float
    memory: int
    output: str


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    timeout: float,
    cwd: Path | None = None,
    sampled: bool = False,
    accept: Sequence[int] = (0,),
) -> Run:
    """Runs a program to its end.

    Args:
        command: the program and its arguments.
        env: its whole environment.
        timeout: seconds after which it is killed.
        cwd: where it runs.
        sampled: look ten times a second what it and its children hold.
        accept: the exit statuses that are well.

    Raises:
        Failed: it could not be started, was killed, or said that it failed.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begun = time.perf_counter()
        try:
            process = subprocess.Popen(
                command,
                env=env,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            raise Failed(f"{command[0]} cannot be started: {error}") from error
        late = threading.Event()
        killer = threading.Timer(timeout, _end, (process.pid, late))
        killer.start()
        sampler = Sampler(process.pid) if sampled else None
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        killer.cancel()
        peak = sampler.stop() if sampler else 0
        out.seek(0)
        err.seek(0)
        if late.is_set():
            raise Failed(f"{' '.join(command[:6])} … was ended: it took longer than {timeout:.0f} s")
        if process.returncode not in accept:
            last = err.read().decode(errors="replace").strip().splitlines()[-3:]
            raise Failed(f"{' '.join(command[:6])} … ended with {process.returncode}: {' | '.join(last)}")
        output = out.read().decode(errors="replace")
    # Linux hands the parent's peak down to its child: `ru_maxrss` is asked only where nothing else tells.
    memory = peak or (usage.ru_maxrss * RSS_UNIT if sampled else 0)
    return Run(wall, usage.ru_utime + usage.ru_stime, memory, output)


def _end(pid: int, late: threading.Event) -> None:
    late.set()
    kill_group(pid)


def kill_group(pid: int) -> None:
    """Kills a process that leads its group, and its children."""
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


class Sampler:
    """Looks now and then what a process and its children hold together. Linux only; elsewhere it sees 0."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            together = sum(map(proportional_memory, tree(self._pid)))
            self._peak = max(self._peak, together, resident_memory(self._pid, peak=True))

    def stop(self) -> int:
        """Ends it; the most it saw, in bytes."""
        self._stop.set()
        self._thread.join()
        return self._peak


def tree(pid: int) -> list[int]:
    """A process and all that descend from it; empty where the system does not tell."""
    found = [pid]
    for each in found:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{each}/task"):
                children = Path(f"/proc/{each}/task/{thread}/children").read_text(encoding="ascii")
                found.extend(int(child) for child in children.split())
    return found


def proportional_memory(pid: int) -> int:
    """Bytes a process holds, what it shares divided among those that share it; 0 where it is gone."""
    return _kib(f"/proc/{pid}/smaps_rollup", "Pss:")


def resident_memory(pid: int, *, peak: bool = False, own: bool = False) -> int:
    """Bytes of a process that are in memory; 0 where it is gone or not told.

    Args:
        pid: the process.
        peak: the most there ever were, instead of now.
        own: without mapped files, which the system takes back when it needs the room.
    """
    return _kib(f"/proc/{pid}/status", "RssAnon:" if own else "VmHWM:" if peak else "VmRSS:")


def _kib(place: str, name: str) -> int:
    with contextlib.suppress(OSError):
        for line in Path(place).read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
    return 0
