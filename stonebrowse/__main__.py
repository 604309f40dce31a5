"""The process: its way in and its way out. `python -m stonebrowse` and the installed command both come here."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

INTERRUPTED = 130


def run() -> NoReturn:
    """Runs the program and ends the process with its exit status.

    Ctrl-C ends it with 130 at every moment, which takes two things that `main` cannot do: to be there while the
    program is still being imported, and to leave without the interpreter's own end. CPython remembers a
    KeyboardInterrupt that passed through an `exec` of a string (each dataclass has one), also when it was
    caught later, and then ends the process by SIGINT instead of with its status.
    """
    try:
        from stonebrowse.cli import main

        status = main()
    except KeyboardInterrupt:
        status = INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if status == INTERRUPTED:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    run()
