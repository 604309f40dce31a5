"""What is handed to the terminal for its clipboard, and by which way."""

from __future__ import annotations

import base64
import os
import re
import subprocess
from typing import TYPE_CHECKING

from stonebrowse.tui.reader.safety import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TMUX_SECONDS = 2.0
LINE_END = re.compile(r"\r\n|\n|\r")


def send(text: str, write: Callable[[str], None], environ: Mapping[str, str] | None = None) -> str:
    """Sends a text to the terminal's clipboard.

    Inside tmux its own buffer is loaded and tmux asked to pass it on (`-w`): its default setting drops what a
    program sends by OSC 52, and says nothing. Elsewhere, and where tmux refuses, OSC 52 is sent. Whether the
    terminal takes it no program can know.

    Args:
        text: what is sent, byte for byte.
        write: writes to the terminal.
        environ: the environment; None is the process's own.

    Returns:
        By which way it went, to be said.
    """
    environ = os.environ if environ is None else environ
    data = text.encode("utf-8", "surrogatepass")
    if environ.get("TMUX") and _by_tmux(data):
        return "sent to tmux and the terminal"
    write(f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07")
    return "sent to the terminal"


def quotation(text: str, citation: str) -> str:
    """A passage as a Markdown quote, its citation below."""
    lines = LINE_END.split(text.strip("\r\n"))
    quoted = "\n".join(f"> {line}".rstrip() for line in lines)
    return f"{quoted}\n>\n> — {citation}\n"


def shown(text: str, lines: int = 3) -> list[str]:
    """What is said of a sent text: its first lines, and how many more there are."""
    rows = [visible(row) for row in text.rstrip("\n").split("\n")]
    more = len(rows) - lines
    return rows if more <= 0 else [*rows[: lines - 1], f"… and {more + 1} more lines"]


def _by_tmux(data: bytes) -> bool:
    try:
        done = subprocess.run(
            ["tmux", "load-buffer", "-w", "-"],
            input=data,
            capture_output=True,
            timeout=TMUX_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
