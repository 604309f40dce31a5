"""The browser as a program on a terminal of its own, and the bytes that this terminal gets."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_SECONDS = 40.0
PROGRAM = "from stonebrowse.__main__ import run; run()"


class Terminal:
    """A program on a pseudo terminal. `output` is all that it has written."""

    def __init__(
        self, folder: Path, *, size: tuple[int, int] = (100, 30), program: str = PROGRAM, **environment: str
    ) -> None:
        """Starts the browser on a folder.

        Args:
            folder: what is browsed.
            size: columns and rows.
            program: what Python runs.
            environment: variables besides the test's own.
        """
        self.output = b""
        self.status: int | None = None
        self.pid, self._master = pty.fork()
        if not self.pid:
            # The environment is given whole: readline puts LINES and COLUMNS where Python sees none.
            own = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
            own |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | environment
            os.execve(sys.executable, [sys.executable, "-c", program, str(folder)], own)
        self.resize(*size)

    def resize(self, columns: int, rows: int) -> None:
        """Gives the terminal another size."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, text: str) -> None:
        """Presses keys."""
        os.write(self._master, text.encode())

    def read(self, seconds: float) -> bytes:
        """What is written within some seconds."""
        got = b""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and self.status is None:
            if select.select([self._master], [], [], min(left, 0.05))[0]:
                try:
                    got += os.read(self._master, 1 << 16)
                except OSError:  # the program has closed its side
                    self.output += got
                    self.wait()
                    return got
        self.output += got
        return got

    def until(self, text: str, since: int = 0) -> None:
        """Waits until a text was written; only its letters count, not what stands between them."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text.encode() not in self.output[since:]:
            assert time.monotonic() < deadline, f"{text!r} never came: …{self.output[-3000:]!r}"
            assert self.status is None, f"it ended with {self.status}: …{self.output[-3000:]!r}"
            self.read(0.1)

    def quiet(self) -> None:
        """Waits until nothing has been written for a while."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.read(0.5):
            assert time.monotonic() < deadline, "it never comes to rest"

    def wait(self) -> int:
        """Waits until it ends; gives its exit status, or 128 and the number of the signal that ended it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                ended = os.waitstatus_to_exitcode(status)
                self.status = 128 - ended if ended < 0 else ended
                break
            assert time.monotonic() < deadline, "it does not end"
            if select.select([self._master], [], [], 0.05)[0]:
                try:
                    self.output += os.read(self._master, 1 << 16)
                except OSError:
                    time.sleep(0.02)
        return self.status

    def hang_up(self) -> None:
        """Closes the terminal, as a window is closed."""
        os.close(self._master)
        self._master = -1

    def signal(self, number: signal.Signals) -> None:
        """Sends the program a signal."""
        os.kill(self.pid, number)

    def children(self) -> list[int]:
        """The processes that the program has started."""
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat") as file:
                        fields = file.read().rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[1]) == self.pid and fields[0] != "Z":
                    found.append(int(name))
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self._master >= 0:
            os.close(self._master)


def lives(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
