"""Hints from the file system that something may have happened, as places of the library to look at.

Events are hints, never the truth (DESIGN section 3, "Watching"): they are lost when many come at once, a
renamed folder reports none of its files, and a replaced root reports nothing at all. So an event of a folder
asks for that folder, a burst asks for a whole walk, and where events cannot be had the folder is polled.
watchfiles is imported only here.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from stonebrowse.text.citations import escape_path

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterable, Iterator

    from stonebrowse.library.folder import Folder

DEBOUNCE_MS = 20
STEP_MS = 1
TICK_MS = 100
BURST_EVENTS = 2_000
# A poll may take a twentieth of the time at most, however large the folder is.
POLL_SHARE = 20
NETWORK_FILE_SYSTEMS = (
    "nfs",
    "cifs",
    "smb",
    "9p",
    "fuse.sshfs",
    "afs",
    "ceph",
    "davfs",
    "fuse.rclone",
    "vboxsf",
)

Polling = Literal["auto", "always", "never"]


@dataclass(slots=True)
class Hints:
    """Places that something may have happened to.

    Attributes:
        files: paths of what looks like documents.
        folders: paths of folders; empty string for the root.
        whole: look at everything.
        rules: a `.gitignore` changed.
        notice: what the user should know about the watching, if that changed.
    """

    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    whole: bool = False
    rules: bool = False
    notice: str | None = None

    def __bool__(self) -> bool:
        return bool(self.files or self.folders or self.whole or self.rules or self.notice is not None)


class Watching:
    """Watches one folder. `hints` yields at least every tick, so that its caller can do other things."""

    def __init__(self, folder: Folder, *, polling: Polling = "auto", poll_seconds: float = 2.0) -> None:
        self._folder = folder
        self._poll_seconds = poll_seconds
        self._polling = polling
        self.walk_seconds = 0.0
        # To pass over forbidden folders, watchfiles also passes over a limit that is reached: only where needed.
        self._forgiving = False

    def hints(self, stop: threading.Event) -> Iterator[Hints]:
        """Yields what may have happened since the last time, empty hints included, until `stop` is set."""
        reason = self._why_poll()
        if reason is not None:
            yield from self._polled(stop, reason)
            return
        while not stop.is_set():
            try:
                yield from self._watched(stop)
            except PermissionError:
                self._forgiving = True
            except OSError as error:
                if self._polling == "never":
                    yield Hints(notice=f"changes are not noticed by themselves ({_limit(error)})")
                    yield from self._silent(stop)
                elif not os.path.isdir(self._folder.place):
                    yield from self._until_back(stop)
                else:
                    yield from self._polled(stop, _limit(error))
                    return

    def _why_poll(self) -> str | None:
        if self._polling == "always" or os.environ.get("WATCHFILES_FORCE_POLLING", "").lower() in {
            "1",
            "true",
        }:
            return "as the settings say"
        if self._polling == "auto":
            system = file_system_of(self._folder.place)
            if system.startswith(NETWORK_FILE_SYSTEMS):
                return f"the folder lies on {system}, which reports no changes of other machines"
        return None

    def _watched(self, stop: threading.Event) -> Iterator[Hints]:
        """Events as they come; ends when another folder stands at the root's place."""
        from watchfiles import watch
        from watchfiles._rust_notify import WatchfilesRustInternalError

        identity = self._folder.identity()
        events = watch(
            self._folder.place,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            stop_event=stop,
            raise_interrupt=True,
            force_polling=False,
            ignore_permission_denied=self._forgiving,
        )
        # The first tick comes once the watches are set: a walk from then on misses nothing.
        fresh = True
        try:
            for changes in events:
                hints = self._hints(path for _, path in changes)
                hints.whole |= fresh or len(changes) >= BURST_EVENTS
                fresh = False
                yield hints
                if _identity(self._folder.place) != identity:
                    break
        except WatchfilesRustInternalError as error:
            if "decode path" not in str(error):
                raise OSError(str(error)) from error
            # It gives up at a name that is no UTF-8: the next watch begins with a walk, which sees it.
            stop.wait(TICK_MS / 1000)
            return
        if not stop.is_set():
            yield from self._until_back(stop)

    def _until_back(self, stop: threading.Event) -> Iterator[Hints]:
        """The root is not what it was: says so while it is gone, and asks for a walk when there is one."""
        said = False
        while not stop.is_set() and _identity(self._folder.place) is None:
            if not said:
                yield Hints(
                    notice=f"the folder {self._folder.place} is gone; what is stored can still be read"
                )
                said = True
            yield Hints()
            stop.wait(TICK_MS / 1000)
        self._folder.close()
        yield Hints(whole=True, notice="" if said else None)

    def _polled(self, stop: threading.Event, reason: str) -> Iterator[Hints]:
        yield Hints(
            whole=True, notice=f"the folder is looked through every {self._poll_seconds:g} s ({reason})"
        )
        due = time.monotonic() + self._poll_seconds
        while not stop.is_set():
            whole = time.monotonic() >= due
            yield Hints(whole=whole)
            if whole:
                due = time.monotonic() + max(self._poll_seconds, POLL_SHARE * self.walk_seconds)
            stop.wait(TICK_MS / 1000)

    @staticmethod
    def _silent(stop: threading.Event) -> Iterator[Hints]:
        while not stop.is_set():
            yield Hints()
            stop.wait(TICK_MS / 1000)

    def _hints(self, paths: Iterable[str]) -> Hints:
        hints = Hints()
        root = os.fspath(self._folder.place)
        prefix = root.rstrip("/") + "/"
        for path in paths:
            if path == root:
                hints.folders.add("")
            elif path.startswith(prefix):
                self._hint(path[len(prefix) :], hints)
        return hints

    def _hint(self, relative: str, hints: Hints) -> None:
        if "\ufffd" in relative:  # a name that is no UTF-8 arrives mangled: ask for the folder it is in
            hints.folders.add(_clean_parent(relative))
            return
        parts = relative.split("/")
        if any(part.startswith(".") or part == "node_modules" for part in parts[:-1]):
            return
        name = parts[-1]
        if name == ".gitignore":
            hints.rules = True
        elif not name.startswith(".") and name != "node_modules":
            path = escape_path(os.fsencode(relative))
            place = os.path.join(self._folder.place, relative)
            document = name.lower().endswith(self._folder.rules.suffixes)
            if document:
                hints.files.add(path)
            if os.path.isdir(place) or not (document or os.path.lexists(place)):
                hints.folders.add(path)


def file_system_of(place: Path) -> str:
    """The type of the file system a place lies on, as Linux's mountinfo names it; empty where unknown."""
    best, kind = -1, ""
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    for line in lines:
        before, _, after = line.partition(" - ")
        point = before.split(" ")[4].replace("\\040", " ")
        inside = point == "/" or os.fspath(place) == point or os.fspath(place).startswith(point + "/")
        if inside and len(point) >= best:
            best, kind = len(point), after.split(" ")[0]
    return kind


def _identity(place: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(place)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _limit(error: OSError) -> str:
    text = str(error).lower()
    if "limit" in text or "no space" in text or "too many open files" in text:
        return (
            "the system's limit for watching files is reached: raise fs.inotify.max_user_watches"
            " or fs.inotify.max_user_instances"
        )
    return f"watching failed: {error}"


def _clean_parent(relative: str) -> str:
    parts: list[str] = []
    for part in relative.split("/")[:-1]:
        if "\ufffd" in part:
            break
        parts.append(part)
    return escape_path(os.fsencode("/".join(parts)))
