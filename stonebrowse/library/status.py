"""What the keeper is doing, as it tells every other process; and what they ask of it.

Small files beside the store, each written whole under another name and moved into place, so that a reader
never sees a half-written one. None of them matters: without a keeper they are ignored.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Phase = Literal["idle", "looking", "recording", "indexing"]

TELL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Status:
    """What a keeper is doing.

    Attributes:
        pid: its process; 0 where there is none.
        phase: what it is at.
        done, of: how far that is, in files.
        notice: what the user should know (polling, the folder is gone, no space), empty if nothing.
    """

    pid: int = 0
    phase: Phase = "idle"
    done: int = 0
    of: int = 0
    notice: str = ""


class StatusFile:
    """The status of one store's keeper."""

    def __init__(self, place: Path) -> None:
        self._path = place / "keeper.json"
        self._told = Status()
        self._told_at = 0.0
        self._stamp: tuple[int, int] | None = None
        self._read = Status()

    def tell(self, status: Status) -> None:
        """Writes the status down, at most ten times a second unless phase or notice change."""
        same = (status.phase, status.notice) == (self._told.phase, self._told.notice)
        if status == self._told or (same and time.monotonic() - self._told_at < TELL_SECONDS):
            return
        self._told, self._told_at = status, time.monotonic()
        # A full disk must not stop the keeper: the status is a convenience.
        with contextlib.suppress(OSError):
            _write(self._path, asdict(status))

    def read(self) -> Status:
        """The last status told. Whether that keeper still lives, its lock says."""
        try:
            status = os.stat(self._path)
            stamp = (status.st_ino, status.st_mtime_ns)
            if stamp != self._stamp:
                self._read = Status(**json.loads(self._path.read_bytes()))
                self._stamp = stamp
        except (OSError, ValueError, TypeError):
            return Status()
        return self._read


@dataclass(frozen=True, slots=True)
class Request:
    """What another process asks of the keeper: a whole pass.

    Attributes:
        name: its file.
        full: compare contents too.
        rebuild: throw the index away first.
    """

    name: str
    full: bool = False
    rebuild: bool = False


class Requests:
    """The mailbox of one store's keeper."""

    def __init__(self, place: Path) -> None:
        self._place = place / "requests"

    def ask(self, *, full: bool = False, rebuild: bool = False) -> Request:
        """Leaves a request; `answer` has what comes of it."""
        self._place.mkdir(mode=0o700, exist_ok=True)
        request = Request(f"{os.getpid()}-{secrets.token_hex(4)}", full, rebuild)
        _write(self._place / f"{request.name}.ask", {"full": full, "rebuild": rebuild})
        return request

    def answer(self, request: Request) -> dict[str, Any] | None:
        """The keeper's answer, once it is there; it is taken away."""
        path = self._place / f"{request.name}.answer"
        try:
            answer: dict[str, Any] = json.loads(path.read_bytes())
        except (OSError, ValueError):
            return None
        path.unlink(missing_ok=True)
        return answer

    def withdraw(self, request: Request) -> None:
        """Takes a request back."""
        (self._place / f"{request.name}.ask").unlink(missing_ok=True)

    def pending(self) -> Iterator[Request]:
        """Requests not yet answered, each yielded once; for the keeper."""
        try:
            names = [name for name in os.listdir(self._place) if name.endswith(".ask")]
        except OSError:
            return
        for name in sorted(names):
            path = self._place / name
            try:
                asked = json.loads(path.read_bytes())
                request = Request(name.removesuffix(".ask"), bool(asked["full"]), bool(asked["rebuild"]))
            except (OSError, ValueError, KeyError, TypeError):
                request = None
            path.unlink(missing_ok=True)
            if request is not None:
                yield request

    def reply(self, request: Request, answer: dict[str, Any]) -> None:
        """Leaves the answer to a request; for the keeper."""
        with contextlib.suppress(OSError):
            _write(self._place / f"{request.name}.answer", answer)


def _write(path: Path, data: dict[str, Any]) -> None:
    other = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(other, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(data, file)
    other.replace(path)
