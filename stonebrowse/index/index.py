"""The index of one library, as `library` holds it: open, update, search."""

from __future__ import annotations

import errno
import os
import re
import stat
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex

from stonebrowse.index import bounds
from stonebrowse.index.codec import SUFFIX, PackedSegment, as_shard
from stonebrowse.index.engine import Cache, Search
from stonebrowse.index.errors import IndexBusy, IndexDamaged
from stonebrowse.index.layout import FORMAT
from stonebrowse.index.result import Found, answered
from stonebrowse.index.schema import schema
from stonebrowse.index.suggesting import nearest
from stonebrowse.index.writer import Update
from stonebrowse.text.words import fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from stonebrowse.index.documents import Document
    from stonebrowse.index.memory import Memory
    from stonebrowse.index.queries import Query
    from stonebrowse.index.shard import Shard

# Whoosh's name for the index; letters and digits only. Files of another format are another index to it.
NAME = f"stonebrowse{FORMAT}"
_TABLE = re.compile(rf"_{NAME}_([0-9]+)\.toc")
_EVERYTHING = 1 << 62

Stamp = tuple[int, int, int]
NO_STAMP: Stamp = (-1, 0, 0)
# What an index cannot be blamed for: no room, or no file handles left.
_NOT_DAMAGE = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE))


class Index:
    """An index in a folder of its own. May be used from several threads, of which one works at a time.

    Any process may read while one writes: what a reader has open stays readable, and `refresh` goes on to the
    newest commit.
    """

    def __init__(self, place: Path, files: FileIndex) -> None:
        """Made by `open` only."""
        self._place = place
        self._files = files
        self._lock = threading.RLock()
        self._cache = Cache()
        self._shards: tuple[Shard, ...] = ()
        self._stamp: Stamp = NO_STAMP
        self._keys: frozenset[int] | None = None
        self._searches = 0

    @classmethod
    def open(cls, place: Path, *, create: bool = True) -> Index:
        """Opens the index in a folder.

        Args:
            place: its folder; made, readable by its owner only, where it is missing.
            create: make an empty index where there is none.

        Raises:
            IndexDamaged: when it cannot be used, for whatever reason.
            OSError: when there is no room for a new one, or no file handle.
        """
        with _damage():
            if create:
                place.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_private(place)
            storage = FileStorage(str(place))
            if _newest_table(place) is None:
                if not create:
                    raise IndexDamaged("there is no search index")
                if any(name.endswith((".toc", SUFFIX, ".seg")) for name in os.listdir(place)):
                    raise IndexDamaged("the search index has no table of contents of this format")
                FileIndex.create(storage, schema(), NAME)
            index = cls(place, FileIndex(storage, schema=schema(), indexname=NAME))
            index.refresh()
            return index

    def close(self) -> None:
        """Lets go of all files."""
        with self._lock:
            self._shards = ()
            self._cache = Cache()
            self._keys = None
            self._stamp = NO_STAMP

    def refresh(self) -> bool:
        """Goes on to the newest commit, by whatever process.

        Returns:
            Whether anything changed.

        Raises:
            IndexDamaged: when it cannot be used any more.
        """
        with self._lock, _damage():
            stamp = _newest_table(self._place)
            if stamp is not None and stamp == self._stamp:
                return False
            while True:
                try:
                    shards = self._read()
                    break
                except (IndexDamaged, OSError):
                    again = _newest_table(self._place)
                    if again == stamp:
                        raise
                    stamp = again  # another commit took files away while this one was read
            self._cache.update(shards, self._shards)
            self._shards = shards
            self._stamp = stamp or NO_STAMP
            self._keys = None
            return True

    def _read(self) -> tuple[Shard, ...]:
        """The segments of the newest commit."""
        segments = (leaf.segment() for leaf, _ in self._files.reader().leaf_readers())
        return tuple(_opened(self._files.storage, each) for each in segments if each is not None)

    def keys(self) -> frozenset[int]:
        """The documents that it holds, by key, as of the last `open`, `refresh` or `update`."""
        with self._lock:
            if self._keys is None:
                self._keys = frozenset().union(*(each.keys for each in self._shards))
            return self._keys

    def __len__(self) -> int:
        """How many passages it holds."""
        return sum(each.live for each in self._shards)

    def update(self, documents: Iterable[Document], remove: Collection[int] = ()) -> None:
        """Adds and takes out documents, in one commit.

        Args:
            documents: to be added, in ascending order of their keys if possible; taken one by one, so that they
                need not be in memory together. One that is there already, by its key, is replaced.
            remove: keys of documents to be taken out.

        Raises:
            IndexBusy: when another process is writing.
            IndexDamaged: when the index cannot be used.
            OSError: when a file cannot be written. Nothing has changed then.
        """
        self._write(documents, remove, bounds.MERGED_AT_ONCE)

    def tidy(self) -> None:
        """Puts segments together, however large: for when nobody waits. Raises as `update` does."""
        self._write((), (), _EVERYTHING)

    def _write(self, documents: Iterable[Document], remove: Collection[int], merge_up_to: int) -> None:
        with self._lock:
            with _damage():
                update = Update(self._files, self._place)
            update.run(documents, remove, merge_up_to=merge_up_to)
            self.refresh()

    def search(
        self,
        query: Query,
        *,
        limit: int,
        without: Collection[int] = (),
        only: Collection[int] | None = None,
        also: Memory | None = None,
    ) -> Found:
        """The best passages for a query.

        Args:
            query: from `parse`.
            limit: how many.
            without: documents that count as taken out.
            only: documents that hits shall be of; sets are quickest.
            also: documents that count as in the index.

        Raises:
            IndexDamaged: when the index turns out to be damaged.
        """
        with self._lock:
            besides = also.shards if also else ()
            self._searches += 1
            if self._searches % bounds.RELEASED_AFTER == 0:
                for shard in self._shards:
                    shard.segment.release()
            try:
                return answered(
                    query,
                    lambda each: Search(each, self._shards, self._cache, without, besides).run(limit, only),
                )
            except Exception as error:
                if self.is_whole():
                    raise
                raise IndexDamaged("a segment of the index is damaged") from error

    def is_whole(self) -> bool:
        """Whether every byte of every segment is what was written. Reads all of them."""
        return all(each.segment.is_whole() for each in self._shards)

    def nearest(self, word: str) -> list[str]:
        """The words in the index that are spelt nearly like one that is not in it, likeliest first."""
        with self._lock:
            return nearest([each.segment for each in self._shards], fold(word))


def _opened(storage: FileStorage, record: object) -> Shard:
    if not isinstance(record, PackedSegment):
        raise IndexDamaged("the search index has a segment of another format")
    found = as_shard(storage, record)
    if found.segment.passages != record.passages:
        raise IndexDamaged("a segment of the index is not the one that its table of contents names")
    return found


def _newest_table(place: Path) -> Stamp | None:
    """Tells the newest commit from all others: its number, and its file's inode and time; None where none is."""
    try:
        names = os.listdir(place)
    except FileNotFoundError:
        return None
    numbers = sorted((int(match[1]) for name in names if (match := _TABLE.fullmatch(name))), reverse=True)
    for number in numbers:
        try:
            found = os.stat(os.path.join(place, f"_{NAME}_{number}.toc"))
        except FileNotFoundError:
            return _newest_table(place)  # there is a newer one now
        return number, found.st_ino, found.st_mtime_ns
    return None


def _check_private(place: Path) -> None:
    """Whoosh unpickles its table of contents: nobody else may be able to put one there."""
    found = place.stat()
    if not stat.S_ISDIR(found.st_mode):
        raise IndexDamaged("the search index is no folder")
    if found.st_uid != os.geteuid():
        raise IndexDamaged("the search index belongs to another user")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise IndexDamaged("the search index can be written to by other users")


@contextmanager
def _damage() -> Iterator[None]:
    """Whatever reading a damaged table of contents raises, as IndexDamaged.

    Unpickling what is not a pickle raises nearly anything, hence the breadth.
    """
    try:
        yield
    except (IndexDamaged, IndexBusy):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NOT_DAMAGE:
            raise
        raise IndexDamaged(f"the search index cannot be read: {type(error).__name__}: {error}") from error
