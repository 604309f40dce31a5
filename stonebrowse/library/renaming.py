"""Which File a file that came up under a new path is: one whose bytes it has, and whose own path is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.library.folder import Folder
    from stonebrowse.store import File, FileId, Stat, Store


class Renames:
    """The renamings of one pass."""

    def __init__(self, store: Store, folder: Folder, missing: Iterable[FileId]) -> None:
        """Begins a pass.

        Args:
            store: the store.
            folder: the library's folder.
            missing: the Files, in the library until now, whose paths are gone.
        """
        self._store = store
        self._folder = folder
        self._missing = self._by_digest(missing)
        # Files renamed in the transaction that is open: the store still shows them where they were.
        self._moved: set[str] = set()
        # By digest, the Files that were trashed by hand; None while none was looked for.
        self._out: dict[str, list[File]] | None = None

    def next_transaction(self) -> None:
        """The store shows all that was renamed."""
        self._moved.clear()

    def missing(self) -> Iterator[File]:
        """The Files whose paths are gone and that came up nowhere."""
        return (file for files in self._missing.values() for file in files)

    def before(self, path: str, digest: str, stat: Stat, *, moved: bool = False) -> File | None:
        """The File that had these bytes and whose path is gone; that of the same inode, or name, first.

        Args:
            path: where a file came up.
            digest: of its bytes.
            stat: its status.
            moved: only one whose file this is beyond doubt.
        """
        candidates = self._missing.get(digest) or [
            file
            for file in self._store.files_with_digest(digest)
            if file.file_id not in self._moved and self._is_gone(file)
        ]
        if not candidates:
            return None
        name = path.rpartition("/")[2]
        best = max(
            candidates,
            key=lambda file: (
                _same_file(file, stat),
                file.stat is not None and file.stat.inode == stat.inode,
                file.path.rpartition("/")[2] == name,
            ),
        )
        if moved and not _same_file(best, stat):
            return None
        candidates.remove(best)
        self._moved.add(best.file_id)
        if not self._missing.get(digest, True):
            del self._missing[digest]
        return best

    def trashed(self, digest: str, stat: Stat) -> File | None:
        """The File that was trashed by hand and whose file this is: it stays out of the library.

        Only with the same bytes in the same file: a copy of it, or one that comes years later, is a new File.
        """
        if self._out is None:
            self._out = self._by_digest(file.file_id for file in self._store.files_trashed_by_hand())
        for file in self._out.get(digest, ()):
            if _same_file(file, stat) and self._is_gone(file):
                return file
        return None

    def _is_gone(self, file: File) -> bool:
        return file.path not in self._folder.look(file.path).stats

    def _by_digest(self, file_ids: Iterable[FileId]) -> dict[str, list[File]]:
        found: dict[str, list[File]] = {}
        for file in map(self._store.file, file_ids):
            found.setdefault(self._store.version(file.version_id).digest, []).append(file)
        return found


def _same_file(file: File, stat: Stat) -> bool:
    """Whether a file is the one that a File had when it was last seen, renamed.

    A renaming keeps inode and time of change of the content. An inode alone is used again for a new file.
    """
    seen = file.stat
    return seen is not None and (seen.inode, seen.device, seen.mtime_ns) == (
        stat.inode,
        stat.device,
        stat.mtime_ns,
    )
