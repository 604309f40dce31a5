"""Care for a store: a copy of it while it is in use, a report for a maintainer, bytes that are dropped."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import secrets
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from stonebrowse import __version__
from stonebrowse.errors import InputInvalid, StoreUnavailable
from stonebrowse.library.new_files import refuse_what_is_there, sync_folder
from stonebrowse.settings import Settings
from stonebrowse.settings.places import log_file

if TYPE_CHECKING:
    from stonebrowse.library.checkup import Checkup
    from stonebrowse.library.locking import Holder
    from stonebrowse.store import Store

BACKUP_NAME: Final = "store.sqlite3"
MOST_LOG_LINES: Final = 200
_FRAME: Final = re.compile(r'\s*File "[^"]*?(stonebrowse/[\w/]+\.py)", line (\d+), in (\w+)')
_RAISED: Final = re.compile(
    r"([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Damaged|Unavailable|Internal))(?::|$)"
)
_STAMP: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00) \d+ ")


def backup(store: Store, folder: Path, place: Path) -> int:
    """Copies a store, as it is at one moment, into a new folder: whole or not at all. Others may go on writing.

    Args:
        store: the store.
        folder: the library's folder, in which no store may lie.
        place: the new folder; `--store` opens it.

    Returns:
        The bytes of the copy.

    Raises:
        InputInvalid: something is there, its parent is not, or it lies inside the library's folder.
        StoreUnavailable: it cannot be written.
    """
    refuse_what_is_there(place)
    real = Path(os.path.realpath(place))
    if folder in real.parents:
        raise InputInvalid(f"{place} lies inside the folder; a store, and its copy, lies outside")
    unfinished = place.with_name(f".{secrets.token_hex(8)}.stonebrowse")
    try:
        unfinished.mkdir(mode=0o700)
        store.backup(unfinished / BACKUP_NAME)
        size = (unfinished / BACKUP_NAME).stat().st_size
        refuse_what_is_there(place)
        unfinished.rename(place)
        sync_folder(place.parent)
    except OSError as error:
        raise StoreUnavailable(
            f"{place} cannot be written ({error.strerror}); choose another path"
        ) from error
    finally:
        if unfinished.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
    return size


def report(
    store: Store, folder: Path, place: Path, checkup: Checkup, settings: Settings, holder: Holder | None
) -> bytes:
    """What a maintainer needs to know, as JSON: numbers, kinds and IDs. No text, no path and no name of a document.

    Args:
        store: the store.
        folder: the library's folder, of which only the kind of its file system is told.
        place: the store's place, of which the same is told.
        checkup: what `doctor` found.
        settings: the user's settings, of which only the names of those that were changed are told.
        holder: the process that keeps the library; None where there is none.
    """
    sizes = store.sizes(largest=0)
    told: dict[str, Any] = {
        "stonebrowse": __version__,
        "python": sys.version.split()[0],
        "sqlite": store.engine_version(),
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
        "terminal": {
            "TERM": os.environ.get("TERM", ""),
            "COLORTERM": os.environ.get("COLORTERM", ""),
            "tmux": "TMUX" in os.environ,
            "ssh": "SSH_TTY" in os.environ or "SSH_CONNECTION" in os.environ,
            "encoding": sys.stdout.encoding,
        },
        "folder": {"file_system": _file_system(folder)},
        "store": {
            "file_system": _file_system(place),
            "free_bytes": _free(place),
            "schema": store.schema_version(),
            "scrubbed": store.scrubbed(),
            "files": sizes.files,
            "trashed": sizes.trashed,
            "versions": sizes.versions,
            "pruned": sizes.pruned,
            "bytes_raw": sizes.bytes_raw,
            "bytes_kept": sizes.bytes_kept,
            "index_bytes": folder_bytes(place / "index"),
        },
        "skipped": dict(Counter(reason for _, reason in store.skipped())),
        "keeper": None if holder is None else holder.purpose,
        "settings_changed": _changed(settings),
        "checked": {"files": checkup.files, "versions": checkup.versions, "remarks": len(checkup.remarks)},
        "faults": checkup.details,
        "log": log_frames(),
    }
    return (json.dumps(told, indent=2, ensure_ascii=True) + "\n").encode()


def log_frames() -> list[str]:
    """Where in stonebrowse things went wrong, from the log: our own lines and names of errors, no message."""
    found: list[str] = []
    with contextlib.suppress(OSError):
        text = log_file().read_text(encoding="utf-8", errors="replace")
        for line in text.splitlines():
            stamp, frame, raised = _STAMP.match(line), _FRAME.match(line), _RAISED.match(line)
            if stamp:
                found.append(stamp[1])
            elif frame:
                found.append(f"{frame[1]}:{frame[2]} {frame[3]}")
            elif raised:
                found.append(raised[1])
    return found[-MOST_LOG_LINES:]


def folder_bytes(place: Path) -> int:
    """The bytes of all files in a folder of ours; 0 where there is none."""
    total = 0
    for parent, _, names in os.walk(place):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_size
    return total


def _free(place: Path) -> int | None:
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return None


def _file_system(place: Path) -> str:
    """The kind of file system that a place lies on; empty where the system does not say (proc(5), mountinfo)."""
    best, kind = "", ""
    with contextlib.suppress(OSError, IndexError):
        for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            before, _, after = line.partition(" - ")
            mounted = before.split()[4].encode().decode("unicode_escape")
            inside = str(place) == mounted or str(place).startswith(mounted.rstrip("/") + "/")
            if inside and len(mounted) >= len(best):
                best, kind = mounted, after.split()[0]
    return kind


def _changed(settings: Settings) -> list[str]:
    """The names of the settings that are not what they are by default; their values may be paths or commands."""
    from stonebrowse.settings import FIELDS

    default = Settings()
    return sorted(name for name in FIELDS if _value(settings, name) != _value(default, name))


def _value(settings: Settings, name: str) -> object:
    value: object = settings
    for part in name.split("."):
        value = getattr(value, part, None)
    return value
