"""A program on a pseudo-terminal: keys in, and what it sends back with the time it came."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from typing import TYPE_CHECKING, Self

from tests.bench.processes import kill_group

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLUMNS, ROWS = 120, 40
END_SECONDS = 3.0
# A program has painted once it sends nothing for so long.
QUIET_SECONDS = 0.25

MOVE = re.compile(rb"\x1b\[[0-9;]*[Hf]")
ESCAPE = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_].*?\x1b\\|\x1b[ -/]*[0-~]",
    re.DOTALL,
)

KEYS = {"enter": "\r"}


class Terminal:
    """One program on a terminal of 120 by 40. Use it in a `with` block: it ends the program."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        """Starts the program.

        Args:
            command: the program and its arguments.
            env: its environment; a terminal's variables are added.
        """
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        self._received = bytearray()
        self._sent_at = time.perf_counter()
        self._last_at = self._sent_at
        self._process = subprocess.Popen(
            command,
            env={**env, **terminal},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    @property
    def pid(self) -> int:
        """The program's process."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the program has not ended."""
        return self._process.poll() is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGTERM)
        end = time.monotonic() + END_SECONDS
        while self.running and time.monotonic() < end:
            self._read(0.05)
        kill_group(self.pid)
        self._process.wait()
        os.close(self._master)

    def send(self, keys: str) -> None:
        """Types; times and counts start here. What came before is forgotten."""
        self._read(0.0)
        self._received.clear()
        self._sent_at = self._last_at = time.perf_counter()
        os.write(self._master, keys.encode())

    def press(self, key: str) -> None:
        """Presses a key by its name."""
        self.send(KEYS[key])

    def until(self, text: str | re.Pattern[str], timeout: float) -> float | None:
        """Waits until a text is painted; the seconds from the last key to it, None if not in time."""
        wanted = re.compile(re.escape(text)) if isinstance(text, str) else text
        end = time.perf_counter() + timeout
        while True:
            if wanted.search(self.painted()):
                return self._last_at - self._sent_at
            left = end - time.perf_counter()
            if left <= 0 or not (self._read(min(left, 0.5)) or self.running):
                return None

    def quiet(self, seconds: float = QUIET_SECONDS, timeout: float = 30.0) -> None:
        """Waits until nothing has come for a while."""
        end = time.perf_counter() + timeout
        while self._read(seconds) and time.perf_counter() < end:
            pass

    def burst(self, timeout: float = 30.0) -> tuple[int, float]:
        """What one key brought: bytes until it was quiet, and the seconds until the last of them."""
        self.quiet(timeout=timeout)
        return len(self._received), self._last_at - self._sent_at

    def listen(self, seconds: float) -> int:
        """How many bytes come within a time, by themselves."""
        before = len(self._received)
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)
        return len(self._received) - before

    def painted(self) -> str:
        """What was painted since the last key, without control sequences, a line for each move."""
        plain = ESCAPE.sub(b"", MOVE.sub(b"\n", bytes(self._received)))
        return plain.decode(errors="replace")

    def _read(self, timeout: float) -> bool:
        """Takes what is there; whether anything came within the time."""
        ready, _, _ = select.select([self._master], [], [], timeout)
        if not ready:
            return False
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # Linux: the other end is closed
            return False
        self._last_at = time.perf_counter()
        self._received += data
        return bool(data)
