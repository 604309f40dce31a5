"""The keeper as a process of its own: `python -m stonebrowse.library.keeper_process FOLDER STORE`.

The browser starts it, so that indexing never makes a key wait, and holds the other end of its standard
input: when that closes, however the browser ended, the keeper ends too.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
from pathlib import Path

from stonebrowse.errors import StonebrowseError
from stonebrowse.library.library import Library
from stonebrowse.library.locking import KeeperLock
from stonebrowse.library.log import log_line
from stonebrowse.library.status import Status, StatusFile
from stonebrowse.settings import load

FOREVER_SECONDS = 1e9
RETRY_SECONDS = 1.0
NICENESS = 5


def main(arguments: list[str]) -> int:
    """Keeps a library until standard input closes or a signal comes. Returns the exit status."""
    folder, place = (Path(argument) for argument in arguments)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    threading.Thread(target=_until_closed, args=(stop,), daemon=True).start()
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    settings = load().settings
    while not stop.is_set():
        try:
            with Library.open(folder, store=place, settings=settings) as library:
                library.watch(stop, say=log_line, seconds=FOREVER_SECONDS)
        except StonebrowseError as error:
            log_line(f"keeper: {error.code}: {error.message}")
            _tell(place, error.message, stop)
        except Exception:  # noqa: BLE001 - the edge of this process: what is unforeseen goes to the log
            log_line(traceback.format_exc())
        stop.wait(RETRY_SECONDS)
    return 0


def _tell(place: Path, trouble: str, stop: threading.Event) -> None:
    """Tells the browser, for a while, why the library is not kept; as the keeper, whose word counts."""
    with contextlib.suppress(StonebrowseError), KeeperLock(place) as lock:
        if lock.acquire("syncing"):
            StatusFile(place).tell(Status(os.getpid(), notice=trouble))
            stop.wait(RETRY_SECONDS)


def _until_closed(stop: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 64):
            pass
    stop.set()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
