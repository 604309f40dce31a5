"""Upkeep: bringing a library up to date with its folder, keeping it so, and knowing how far that is.

One process a library is the keeper: it holds the lock, watches, records and indexes. This is how any process
becomes that one, asks it, or starts it.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from stonebrowse.errors import FolderUnavailable, StoreUnavailable
from stonebrowse.library.locking import KeeperLock
from stonebrowse.library.own_process import own_command
from stonebrowse.library.searching import Searching
from stonebrowse.library.status import Requests, Status, StatusFile

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.library.folder import Folder
    from stonebrowse.library.locking import Holder
    from stonebrowse.library.syncing import Event
    from stonebrowse.library.watching import Polling
    from stonebrowse.settings import Settings
    from stonebrowse.store import Store

WAIT_SECONDS = 60.0
ANSWER_POLL_SECONDS = 0.02

Counts = dict[str, "int | float"]


@dataclass(frozen=True, slots=True)
class State:
    """What a front end polls to see whether anything is new. Two equal states mean that nothing is.

    Attributes:
        change: the number of the last change of a File: of its path, its newest version, or its being there.
        generation: changes whenever the index was.
        status: what the keeper does.
        keeper: whether there is a process that watches the folder.
    """

    change: int
    generation: int
    status: Status
    keeper: bool


class Upkeep:
    """One library's upkeep. The base of `Library`, which front ends hold.

    Attributes:
        settings: the user's settings.
        place: where store, index and status lie.
        files_folder: the folder.
        store: the store.
    """

    def __init__(self, folder: Folder, place: Path, store: Store, settings: Settings) -> None:
        self.settings = settings
        self.place = place
        self.files_folder = folder
        self.store = store
        self._searching = Searching(store, place / "index", damaged=self._index_damaged)
        self._status = StatusFile(place)
        self._lock = KeeperLock(place)
        self._requests = Requests(place)
        self._child: subprocess.Popen[bytes] | None = None
        self._asked_rebuild = False
        self._polled = -1
        self._change = 0

    @property
    def folder(self) -> Path:
        """The folder's real place."""
        return self.files_folder.place

    def update(
        self,
        *,
        full: bool = False,
        rebuild: bool = False,
        insist: bool = False,
        say: Callable[[str], None] = lambda _line: None,
        on_status: Callable[[Status], None] = lambda _status: None,
    ) -> Counts | None:
        """Brings the library up to date with its folder.

        Args:
            full: compare contents, not only sizes and times.
            rebuild: build the index anew.
            insist: make a pass even where another process watches (it makes it for us).
            say: told in one line what a person should know.
            on_status: told how far the work is.

        Returns:
            The counts of the pass; None where another process watches and `insist` is false.

        Raises:
            FolderUnavailable: the folder is missing, unreadable, or came back empty on another device.
            StoreUnavailable, StoreDamaged: the store cannot be used, or another process kept it for 60 s.
        """
        said = False

        def waiting(holder: Holder) -> bool:
            nonlocal said
            if holder.purpose == "watching":
                return True
            if not said:
                say(f"waiting for process {holder.pid}, which is bringing this library up to date")
                said = True
            on_status(self._status.read())
            return False

        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            left = max(0.0, deadline - time.monotonic())
            if self._lock.wait("syncing", seconds=left, waiting=waiting):
                try:
                    return self._sync(full=full, rebuild=rebuild, say=say, on_status=on_status)
                finally:
                    self._lock.release()
            if not insist:
                return None
            counts = self._ask(full=full, rebuild=rebuild, deadline=deadline, on_status=on_status)
            if counts is not None:
                return counts

    def _sync(
        self, *, full: bool, rebuild: bool, say: Callable[[str], None], on_status: Callable[[Status], None]
    ) -> Counts:
        from stonebrowse.library.keeping import Keeper

        keeper = Keeper(self.store, self.files_folder, self.place, say=say, on_status=on_status)
        try:
            report = keeper.sync(full=full, rebuild=rebuild)
            if report.events:
                keeper.tidy()
            return report.counts()
        finally:
            keeper.close()

    def _ask(
        self, *, full: bool, rebuild: bool, deadline: float, on_status: Callable[[Status], None]
    ) -> Counts | None:
        """Asks the watching process for a pass; None when it is gone."""
        request = self._requests.ask(full=full, rebuild=rebuild)
        while (answer := self._requests.answer(request)) is None:
            if self._lock.holder() is None:
                self._requests.withdraw(request)
                return None
            if time.monotonic() > deadline:
                self._requests.withdraw(request)
                raise StoreUnavailable(
                    "the stonebrowse that watches this library does not answer; try again later"
                )
            on_status(self._status.read())
            time.sleep(ANSWER_POLL_SECONDS)
        if "error" in answer:
            kind = (
                FolderUnavailable if answer["error"]["code"] == FolderUnavailable.code else StoreUnavailable
            )
            raise kind(str(answer["error"]["message"]))
        return cast("Counts", answer["report"])

    def watch(
        self,
        stop: threading.Event,
        *,
        on_event: Callable[[Event], None] = lambda _event: None,
        say: Callable[[str], None] = lambda _line: None,
        seconds: float = WAIT_SECONDS,
    ) -> None:
        """Is the keeper of the library until `stop` is set.

        Raises:
            StoreUnavailable: another process has been the keeper for so many seconds.
        """

        def waiting(_holder: Holder) -> bool:
            return stop.is_set()

        if not self._lock.wait("watching", seconds=seconds, waiting=waiting):
            return
        from stonebrowse.library.keeping import Keeper, KeeperLoop

        keeper = Keeper(self.store, self.files_folder, self.place, say=say)
        watch = self.settings.watch
        loop = KeeperLoop(
            keeper,
            polling=cast("Polling", watch.polling),
            poll_seconds=watch.poll_seconds,
            on_event=on_event,
        )
        try:
            loop.run(stop)
        finally:
            keeper.close()
            self._lock.release()

    def ensure_keeper(self) -> None:
        """Starts a child process that keeps the library, unless one of ours runs.

        It waits while another process is the keeper, and takes its place when that ends.
        """
        if self._child is None or self._child.poll() is not None:
            command = own_command("stonebrowse.library.keeper_process", str(self.folder), str(self.place))
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def stop_keeper(self) -> None:
        """Ends the child process started here, if any. It loses nothing."""
        child, self._child = self._child, None
        if child is not None and child.stdin is not None:
            child.stdin.close()
            try:
                child.wait(timeout=2.0)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def state(self) -> State:
        """What may have changed since it was last asked. Cheap enough to be asked twenty times a second."""
        holder = self._lock.holder()
        status = self._status.read() if holder is not None else Status()
        generation = self._searching.generation()
        polled = self.store.data_version()
        if polled != self._polled:
            self._polled = polled
            self._change, _ = self.store.changes(self._change)
        return State(self._change, generation, status, holder is not None)

    def _index_damaged(self) -> None:
        """The index cannot be read: asks the watching process, once, to build it anew."""
        if not self._asked_rebuild and self._lock.holder() is not None:
            self._asked_rebuild = True
            self._requests.ask(rebuild=True)
