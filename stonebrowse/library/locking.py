"""The lock that makes one process the keeper of a library.

It is the kernel's (`flock`): it goes with the process, however that ends, so no lock is ever left behind.
The file's content only tells others who holds it and what for; whether it is held, the kernel says.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

from stonebrowse.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Purpose = Literal["syncing", "watching"]

POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock, as that process wrote it down.

    Attributes:
        pid: its process.
        purpose: what it holds the lock for.
    """

    pid: int
    purpose: Purpose


class KeeperLock:
    """The keeper's lock of one store."""

    def __init__(self, place: Path) -> None:
        self._path = place / "keeper.lock"
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def acquire(self, purpose: Purpose) -> bool:
        """Takes the lock if it is free, and says whether it did.

        Raises:
            StoreUnavailable: the lock file cannot be opened.
        """
        if self._descriptor is not None:
            self._write(self._descriptor, purpose)
            return True
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise StoreUnavailable(
                f"the lock {self._path} cannot be opened ({error.strerror}); make the store writable"
                " or read what is stored with --no-sync"
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        except OSError as error:
            os.close(descriptor)
            raise StoreUnavailable(f"the lock {self._path} cannot be taken ({error.strerror})") from error
        self._descriptor = descriptor
        self._write(descriptor, purpose)
        return True

    def holder(self) -> Holder | None:
        """Who holds the lock now; None when nobody does, or it is being taken at this moment."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return _read(descriptor)
        else:
            return None
        finally:
            os.close(descriptor)

    def wait(self, purpose: Purpose, *, seconds: float, waiting: Callable[[Holder], bool]) -> bool:
        """Takes the lock, waiting for whoever holds it.

        Args:
            purpose: what the lock is wanted for.
            seconds: how long to wait at most.
            waiting: called with the holder while waiting; a true answer gives up waiting.

        Returns:
            Whether the lock was taken; false when `waiting` gave up.

        Raises:
            StoreUnavailable: the time is up, or the lock cannot be opened.
        """
        deadline = time.monotonic() + seconds
        while not self.acquire(purpose):
            holder = self.holder()
            if holder is not None and waiting(holder):
                return False
            if time.monotonic() > deadline:
                who = f"process {holder.pid}" if holder else "another stonebrowse"
                raise StoreUnavailable(
                    f"{who} has been at work on this library for {seconds:.0f} s; try again later"
                )
            time.sleep(POLL_SECONDS)
        return True

    def release(self) -> None:
        """Gives the lock up, if held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @staticmethod
    def _write(descriptor: int, purpose: Purpose) -> None:
        data = json.dumps({"pid": os.getpid(), "purpose": purpose}).encode()
        os.pwrite(descriptor, data.ljust(64), 0)


def _read(descriptor: int) -> Holder | None:
    try:
        data = json.loads(os.pread(descriptor, 64, 0))
        return Holder(int(data["pid"]), "watching" if data["purpose"] == "watching" else "syncing")
    except (OSError, ValueError, KeyError, TypeError):
        return None
