"""The browser of one page, as a process of its own (words: FOLDER STORE), its streams being the page's.

Nothing is taken from the terminal in which the server was started: no tmux, no ssh, no editor.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from stonebrowse.errors import Internal, StonebrowseError
from stonebrowse.library.own_process import own_command

if TYPE_CHECKING:
    from collections.abc import Mapping

FOREIGN = (
    "TMUX",
    "TMUX_PANE",
    "STY",
    "SSH_TTY",
    "SSH_CONNECTION",
    "SSH_CLIENT",
    "COLORFGBG",
    "VISUAL",
    "EDITOR",
)
"""Variables about the server's own terminal, and what it may start."""


def command(folder: Path, store: Path) -> list[str]:
    """The command line that browses a library in a page."""
    return own_command("stonebrowse.web.session", str(folder), str(store))


def environment(server: Mapping[str, str], columns: int, rows: int) -> dict[str, str]:
    """What the process sees: the server's environment, but of the page's terminal."""
    kept = {name: value for name, value in server.items() if name not in FOREIGN}
    return kept | {
        "TEXTUAL_DRIVER": "stonebrowse.web.driver:PageDriver",
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TERM_PROGRAM": "textual",
        "COLUMNS": str(columns),
        "ROWS": str(rows),
    }


def run() -> None:
    """Browses until the page is closed, and ends the process."""
    folder, store = (Path(word) for word in sys.argv[1:])
    try:
        sys.exit(_browse(folder, store))
    except StonebrowseError as error:
        if isinstance(error, Internal):
            _log(error)
        # The server hands on what stands here; it escapes it.
        sys.stderr.write(f"{error.code}: {error.message}\n")
        sys.exit(error.exit_status)


def _browse(folder: Path, store: Path) -> int:
    from stonebrowse.library.library import Library
    from stonebrowse.settings import load
    from stonebrowse.tui.app import run as run_browser

    with Library.open(folder, store=store, settings=load().settings) as library:
        return run_browser(library, served=True)


def _log(error: Exception) -> None:
    from stonebrowse.library.log import log_line

    log_line("".join(traceback.format_exception(error)))


if __name__ == "__main__":
    run()
