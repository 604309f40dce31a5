"""What is new in the library: asked for in a thread, told only when something is."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stonebrowse.errors import StonebrowseError
from stonebrowse.library.status import Status
from stonebrowse.store import FileId

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from stonebrowse.library.upkeep import State
    from stonebrowse.store import File, VersionId

POLL_SECONDS = 0.05
# While much is recorded at once, lists are taken anew only so often.
BUSY_SECONDS = 0.4
NO_STATUS = Status()


@dataclass(frozen=True, slots=True)
class News:
    """What is other than it was when it was last told.

    Attributes:
        status: what the keeper does.
        files: the current Files by path; None where they are the same.
        changed: File IDs that have a newer version, or another path, than before.
        found: whether a search may find something else than before.
        trouble: why the library cannot be asked; empty if it can.
    """

    status: Status = NO_STATUS
    files: list[File] | None = None
    changed: frozenset[FileId] = field(default_factory=frozenset)
    found: bool = False
    trouble: str = ""


class Live:
    """Watches one library for news. `look` belongs into a thread of its own, about every `POLL_SECONDS`."""

    def __init__(self, library: Library, tell: Callable[[News], None]) -> None:
        """Made before the thread runs; `tell` is called in that thread."""
        self._library = library
        self._tell = tell
        self._state: State | None = None
        self._listed_version = -1
        self._listed_at = 0.0
        self._known: dict[FileId, tuple[str, VersionId]] = {}
        self._first = True
        self._trouble = ""

    def look(self) -> None:
        """Looks once, and tells what is new. Where nothing is that costs some tens of microseconds."""
        try:
            self._look()
        except StonebrowseError as error:
            if error.message != self._trouble:
                self._trouble = error.message
                self._tell(News(trouble=error.message))

    def _look(self) -> None:
        state = self._library.state()
        stale = state.change != self._listed_version
        if state == self._state and not stale and not self._trouble:
            return
        before, self._state = self._state, state
        found = before is not None and (before.change, before.generation) != (
            state.change,
            state.generation,
        )
        files, changed = None, frozenset[FileId]()
        if stale and self._due(state):
            files, changed = self._list(state)
        status_is_new = before is None or before.status != state.status or bool(self._trouble)
        self._trouble = ""
        if files is not None or found or status_is_new:
            self._tell(News(state.status, files, changed, found))

    def _due(self, state: State) -> bool:
        busy = state.status.phase in {"recording", "indexing"}
        return not busy or time.monotonic() - self._listed_at >= BUSY_SECONDS

    def _list(self, state: State) -> tuple[list[File] | None, frozenset[FileId]]:
        """The Files where the list is another, and which of them changed."""
        files = self._library.files()
        self._listed_at, self._listed_version = time.monotonic(), state.change
        known = {file.file_id: (file.path, file.version_id) for file in files}
        before, self._known = self._known, known
        first, self._first = self._first, False
        if known == before and not first:
            return None, frozenset()
        changed = frozenset(key for key, value in known.items() if before.get(key, value) != value)
        return files, changed
