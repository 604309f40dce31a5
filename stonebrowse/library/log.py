"""The log: what went wrong inside, for a maintainer. Never the text of a document."""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, datetime

from stonebrowse.settings.places import log_file

MAX_LOG_BYTES = 1 << 20


def log_line(text: str) -> None:
    """Appends to the log, which is begun anew at a mebibyte. A log that cannot be written is done without."""
    path = log_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MAX_LOG_BYTES:
            path.replace(path.with_suffix(".old"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(path, flags, 0o600), "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} {os.getpid()} {text.rstrip()}\n")
