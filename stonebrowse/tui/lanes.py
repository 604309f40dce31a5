"""Work in threads, one at a time: what was asked last is what counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from textual.worker import get_current_worker

from stonebrowse.errors import StonebrowseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.widget import Widget

T = TypeVar("T")
Work = tuple["Callable[[], Any]", "Callable[[Any], None]"]


class Lane:
    """One line of work for the library.

    While one piece is done in a thread, of those that come after only the newest waits: typing quickly never
    piles up searches. Results arrive on the owner's message queue, in the order of asking.
    """

    def __init__(self, owner: Widget, name: str, failed: Callable[[StonebrowseError], None]) -> None:
        """Made for a mounted widget; `failed` is called, on its queue, with what the library refuses."""
        self._owner = owner
        self._name = name
        self._failed = failed
        self._busy = False
        self._waiting: Work | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being done."""
        return self._busy

    @property
    def waiting(self) -> bool:
        """Whether something newer waits for what is being done; may be asked from its thread."""
        return self._waiting is not None

    def ask(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        """Does a piece of work in a thread, and hands its result on. Obsoletes what is still waiting.

        Args:
            work: called in the thread.
            done: called on the owner's message queue.
        """
        if self._busy:
            self._waiting = (work, done)
        else:
            self._start((work, done))

    def drop(self) -> None:
        """Forgets what is waiting."""
        self._waiting = None

    def _start(self, piece: Work) -> None:
        self._busy = True
        self._owner.run_worker(lambda: self._run(piece), thread=True, group=self._name, name=self._name)

    def _run(self, piece: Work) -> None:
        work, done = piece
        try:
            result = work()
        except StonebrowseError as error:
            self._owner.call_later(self._end, self._failed, error)
        else:
            if not get_current_worker().is_cancelled:
                self._owner.call_later(self._end, done, result)

    def _end(self, done: Callable[[Any], None], result: Any) -> None:
        self._busy = False
        if self._waiting is not None:
            piece, self._waiting = self._waiting, None
            self._start(piece)
        done(result)
