"""What a real terminal gets: the bytes that the view sends through a pty."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pytest

if TYPE_CHECKING:
    from types import TracebackType

ROOT = Path(__file__).parents[3]
CSI = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")
POINTER = re.compile(rb"\x1b\]22;[a-z-]*\x07")  # Textual's own: the shape of the mouse pointer
PAGE_DOWN = b"\x1b[6~"
PROGRAM = """
import sys
from pathlib import Path
from tests.tui.reader.pages import Reader, source
Reader(source(Path(sys.argv[1]).read_bytes())).run()
"""


class Terminal:
    """A program on a pty."""

    def __init__(self, document: Path, size: tuple[int, int], **environment: str) -> None:
        parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        keep = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(document)],
            stdin=child,
            stdout=child,
            stderr=child,  # Textual paints on the standard error
            cwd=ROOT,
            env={**keep, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
            start_new_session=True,
        )
        os.close(child)
        self._parent = parent

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._parent)

    def send(self, keys: bytes) -> None:
        os.write(self._parent, keys)

    def read(self, until: bytes = b"", quiet: float = 0.6, within: float = 30) -> bytes:
        """What is sent until it holds `until` and nothing more comes for a while."""
        sent = b""
        end = time.monotonic() + within
        while time.monotonic() < end:
            ready, _, _ = select.select([self._parent], [], [], quiet)
            if ready:
                sent += os.read(self._parent, 65536)
            elif until in sent:
                return sent
        raise AssertionError(f"{until!r} was not sent: {sent[-300:]!r}")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.md"
    paragraph = "Some *words* with `code`, a [link](a.md) and **more** of them on each line of it. " * 5
    path.write_text("".join(f"## Chapter {number}\n\n{paragraph}\n\n- a\n- b\n\n" for number in range(200)))
    return path


def test_a_page_down_sends_little_and_rest_sends_nothing(book: Path) -> None:
    with Terminal(book, (120, 40)) as terminal:
        terminal.read(b"Chapter 1")
        terminal.send(PAGE_DOWN)
        page = terminal.read(b"Chapter")
        assert len(page) <= 20_000
        terminal.send(b"G")
        terminal.read(b"199")
        terminal.send(b"j")
        terminal.send(PAGE_DOWN)
        assert terminal.read(quiet=1.0) == b""


def test_nothing_of_a_document_reaches_the_terminal_as_a_control(tmp_path: Path) -> None:
    path = tmp_path / "evil.md"
    evil = "\x1b]52;c;ZWNobw==\x07 \x1b]0;OWNED\x07 \x9b2J \x1b[2J \x1bc \x08\x08 \u202e \x90q\x9c\x85 a\rb"
    path.write_text(
        f"# end {evil}\n\n{evil}\n\n    {evil}\n\n| a | b |\n|---|---|\n| {evil} | x |\n", newline=""
    )
    with Terminal(path, (120, 40)) as terminal:
        sent = terminal.read(b"OWNED")
    plain = POINTER.sub(b"", CSI.sub(b"", sent))
    assert b"\x1b]52" not in sent
    assert b"\x1b]0;OWNED" not in sent
    assert b"\x1bc" not in sent
    assert b"\\x1b]52;c;" in plain
    text = plain.decode("utf-8", "replace")
    assert not re.search("[\x07\x08\x80-\x9f\u202a-\u202e\u2066-\u2069\u2028]", text)


def test_without_colour_no_colour_is_sent(book: Path) -> None:
    with Terminal(book, (80, 24), NO_COLOR="1") as terminal:
        sent = terminal.read(b"Chapter 1")
    colours = [
        code
        for code in CSI.findall(sent)
        if code.endswith(b"m") and re.search(rb"38;2;(\d+);(\d+);(\d+)", code)
    ]
    for code in colours:
        red, green, blue = re.findall(rb"[34]8;2;(\d+);(\d+);(\d+)", code)[0]
        assert red == green == blue
