"""The terminal window's title."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from stonebrowse.tui.reader.safety import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

# XTerm Control Sequences, "Window manipulation": 22 saves the title, 23 brings it back.
SAVE = "\x1b[22;2t"
RESTORE = "\x1b[23;2t"
LONGEST = 200
WITHOUT_TITLE = frozenset({"", "dumb", "linux", "vt100", "vt220"})


def has_title(environ: Mapping[str, str] | None = None) -> bool:
    """Whether the terminal is one that has a title."""
    return (os.environ if environ is None else environ).get("TERM", "") not in WITHOUT_TITLE


def title(text: str) -> str:
    """The sequence that sets the title. The one place where a text stands inside one: it cannot end it."""
    return f"\x1b]2;{visible(text)[:LONGEST]}\x07"
