"""What is current, followed change by change: what the index should hold, and where those Files are."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stonebrowse.store import Store

KEY_SHIFT = 32


def index_key(version_key: int, path: str) -> int:
    """What the index knows a version at a path by: a File that is renamed is another document to it."""
    return version_key << KEY_SHIFT | zlib.crc32(path.encode())


def version_key(key: int) -> int:
    """The version that a document of the index is of."""
    return key >> KEY_SHIFT


class Current:
    """The current versions of one store.

    Attributes:
        paths: by the index's key, the path of every current File.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen = 0
        self._keys: dict[int, int] = {}
        self.paths: dict[int, str] = {}

    def follow(self) -> bool:
        """Takes in what changed since it was last asked; says whether anything did."""
        self._seen, changes = self._store.changes(self._seen)
        for change in changes:
            before = self._keys.pop(change.file, None)
            if before is not None:
                del self.paths[before]
            if change.newest is not None:
                key = index_key(change.newest, change.path)
                self._keys[change.file] = key
                self.paths[key] = change.path
        return bool(changes)
