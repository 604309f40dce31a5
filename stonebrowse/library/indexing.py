"""Cuts recorded versions into passages, and brings the index level with the record.

What is indexed is never noted down: it is the difference between the current versions of the store and the
documents that the index says it holds. So nothing can drift, and a deleted index is only a large difference.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stonebrowse.index import Document, Index, IndexDamaged
from stonebrowse.library.current import Current, index_key, version_key
from stonebrowse.text.front_matter import front_matter
from stonebrowse.text.passages import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from stonebrowse.store import Store, Version

# The first batch is small, so that something can be found soon; later ones make few large segments, but their
# texts are in memory together with the segment that is made of them.
FIRST_BATCH_BYTES = 4 << 20
BATCH_BYTES = 24 << 20


@dataclass(frozen=True, slots=True)
class Gap:
    """Where index and record differ: documents to add and to take out, by the index's keys."""

    add: list[int]
    remove: list[int]


def gap(current_versions: Current, index: Index) -> Gap:
    """What has to happen for the index to hold just the current versions."""
    current_versions.follow()
    current, held = current_versions.paths.keys(), index.keys()
    return Gap(sorted(current - held), sorted(held - current))


def document(store: Store, version: Version, path: str) -> Document:
    """A current version as the index takes it. A version still processing is cut on the way, not recorded."""
    text = store.text(version.version_id)
    matter = front_matter(text)
    pieces = store.cut(version.version_id)
    return Document(
        key=index_key(version.key, path),
        path=path,
        title=matter.title if matter else "",
        tags=matter.tags if matter else (),
        cut=cut(text) if pieces is None else pieces,
        text=text,
    )


def open_index(place: Path, *, say: Callable[[str], None] = lambda _line: None) -> Index:
    """Opens the index, or makes an empty one where there is none or it is damaged. For the keeper only.

    Args:
        place: the index's folder.
        say: told in one line when a damaged index is thrown away.
    """
    try:
        return Index.open(place)
    except IndexDamaged as damage:
        say(f"the search index is damaged ({damage}) and is built again")
        discard_index(place)
        return Index.open(place)


def discard_index(place: Path) -> None:
    """Takes the index away, whatever stands in its place. It is built again from the store."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)


class Indexing:
    """Brings passages and index level with the record of one library. Only the keeper may use it."""

    def __init__(
        self, store: Store, index: Index, *, progress: Callable[[int, int], None] = lambda _done, _of: None
    ) -> None:
        self._store = store
        self._index = index
        self._progress = progress
        self._current = Current(store)

    def level(self, *, between: Callable[[], None] = lambda: None) -> int:
        """Cuts what is processing and indexes what is not.

        Args:
            between: called between two batches, to let more urgent work in.

        Returns:
            How many passages were recorded.
        """
        passages = 0
        difference = gap(self._current, self._index)
        remove: Collection[int] = difference.remove
        done, total = 0, len(difference.add)
        for batch in self._batches(difference.add):
            passages += self._ready(batch)
            self._index.update([entry for _, entry in batch], remove)
            remove = ()
            done += len(batch)
            self._progress(done, total)
            between()
        if remove:
            self._index.update((), remove)
        return passages

    def behind(self) -> bool:
        """Whether Files changed that no pass of ours has seen: another process trashed or restored one."""
        return self._current.follow()

    def finish(self) -> None:
        """Cuts versions that were replaced before they were cut: for when nothing else is to be done."""
        for version_id in self._store.processing():
            pieces = cut(self._store.text(version_id))
            with self._store.writing() as writing:
                writing.set_cut(version_id, pieces)

    def _ready(self, batch: list[tuple[Version, Document]]) -> int:
        """Records the passages of versions that were still processing."""
        fresh = [(version, entry) for version, entry in batch if version.state == "processing"]
        if fresh:
            with self._store.writing() as writing:
                for version, entry in fresh:
                    writing.set_cut(version.version_id, entry.cut)
        return sum(len(entry.cut) for _, entry in fresh)

    def _batches(self, keys: list[int]) -> Iterator[list[tuple[Version, Document]]]:
        batch: list[tuple[Version, Document]] = []
        size, limit = 0, FIRST_BATCH_BYTES
        for key in keys:
            version = self._store.version_by_key(version_key(key))
            if not version.current:
                continue
            entry = document(self._store, version, self._store.file(version.file_id).path)
            batch.append((version, entry))
            size += len(entry.text)
            if size >= limit:
                yield batch
                batch, size, limit = [], 0, BATCH_BYTES
        if batch:
            yield batch
