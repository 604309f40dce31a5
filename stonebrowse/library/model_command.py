"""The model command: a program of the person's own that gets a prompt and gives an answer.

It is run without a shell, in a process group of its own: whoever stops it ends its children too. What it writes is
data. It is bounded in size and in silence, decoded, and made visible before anyone sees it: no control sequence of it
reaches a terminal.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from typing import IO, TYPE_CHECKING

from stonebrowse.errors import InputInvalid
from stonebrowse.text.citations import printable

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

MAX_ANSWER_BYTES = 1 << 20
_PIPE_BYTES = 1 << 16
_PROMPT_BYTES = 1 << 12
_COMPLAINT_BYTES = 2000
_LOOK_SECONDS = 0.1
# For the children of a model that has ended to let go of its output.
_LINGER_SECONDS = 1.0
_END_SECONDS = 1.0


class ModelRun:
    """One run of the model command. To be iterated over once: gives the answer, piece by piece.

    `stop` may be called from any thread, at any time.
    """

    def __init__(self, command: Sequence[str], prompt: str, silence_seconds: float) -> None:
        """Nothing is started before the first piece is asked for.

        Args:
            command: the program and its arguments.
            prompt: what it reads.
            silence_seconds: it is given up when it has written nothing for so long.
        """
        self._command = list(command)
        self._prompt = prompt.encode("utf-8", "replace")
        self._silence = silence_seconds
        self._stopped = threading.Event()
        self._complaint = b""
        self._written = 0
        self._answered = 0

    @property
    def stopped(self) -> bool:
        """Whether it was stopped."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Ends it, and its children; the iteration ends within a tenth of a second."""
        self._stopped.set()

    def __iter__(self) -> Generator[str]:
        """Starts it, and gives the pieces of its answer, safe to be shown.

        Raises:
            InputInvalid: it cannot be started, fails, writes nothing for too long or in all, or too much.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        process = self._start()
        held = ""
        try:
            for data in self._pieces(process):
                text = held + decoder.decode(data)
                # A line end may be cut in two.
                held = "\r" if text.endswith("\r") else ""
                if text := text.removesuffix("\r"):
                    yield printable(text)
            if not self.stopped:
                self._refuse_failure(process)
        finally:
            _end(process)
        if rest := held + decoder.decode(b"", final=True):
            yield printable(rest)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InputInvalid(
                f"the model command {self._command[0]!r} cannot be started ({reason}); set ask.command to another,"
                " or print the prompt with --prompt"
            ) from error

    def _pieces(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        heard, ended = time.monotonic(), None
        with selectors.DefaultSelector() as selector:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stderr, selectors.EVENT_READ)
            while self._is_open(selector, process.stdout):
                if self.stopped:
                    return
                for key, _ in selector.select(_LOOK_SECONDS):
                    if key.fileobj is process.stdin:
                        self._feed(selector, process.stdin)
                    elif key.fileobj is process.stderr:
                        self._complain(selector, process.stderr)
                    elif data := self._read(selector, process.stdout):
                        heard = time.monotonic()
                        yield data
                now = time.monotonic()
                if process.poll() is not None:
                    ended = ended or now
                    if now - max(ended, heard) > _LINGER_SECONDS:
                        return
                elif now - heard > self._silence:
                    raise InputInvalid(
                        f"the model command wrote nothing for {self._silence:g} seconds and was ended; see"
                        " ask.silence_seconds"
                    )

    @staticmethod
    def _is_open(selector: selectors.BaseSelector, stream: IO[bytes]) -> bool:
        return any(key.fileobj is stream for key in selector.get_map().values())

    def _feed(self, selector: selectors.BaseSelector, stream: IO[bytes]) -> None:
        """Writes some of the prompt. A model need not read it to its end."""
        try:
            self._written += os.write(
                stream.fileno(), self._prompt[self._written : self._written + _PROMPT_BYTES]
            )
        except BlockingIOError:
            return
        except OSError:
            self._written = len(self._prompt)
        if self._written >= len(self._prompt):
            selector.unregister(stream)
            with contextlib.suppress(OSError):
                stream.close()

    def _complain(self, selector: selectors.BaseSelector, stream: IO[bytes]) -> None:
        """Keeps the end of what it says of itself."""
        data = os.read(stream.fileno(), _PIPE_BYTES)
        self._complaint = (self._complaint + data)[-_COMPLAINT_BYTES:]
        if not data:
            selector.unregister(stream)

    def _read(self, selector: selectors.BaseSelector, stream: IO[bytes]) -> bytes:
        data = os.read(stream.fileno(), _PIPE_BYTES)
        self._answered += len(data)
        if not data:
            selector.unregister(stream)
        if self._answered > MAX_ANSWER_BYTES:
            raise InputInvalid(f"the model command wrote more than {MAX_ANSWER_BYTES:,} bytes and was ended")
        return data

    def _refuse_failure(self, process: subprocess.Popen[bytes]) -> None:
        try:
            status = process.wait(_END_SECONDS)
        except (
            subprocess.TimeoutExpired
        ):  # it has closed its output and goes on: there is nothing to wait for
            status = 0
        if status:
            how = f"was ended by signal {-status}" if status < 0 else f"failed with exit status {status}"
            lines = printable(self._complaint.decode("utf-8", "replace")).strip().split("\n")
            said = f": {lines[-1].strip()}" if lines[-1].strip() else ""
            raise InputInvalid(f"the model command {self._command[0]!r} {how}{said}")
        if not self._answered:
            raise InputInvalid(f"the model command {self._command[0]!r} answered nothing; try it by hand")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process group, politely first, and gives back its pipes."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        with contextlib.suppress(OSError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
