"""Writing: one commit that adds documents, takes others out, and puts small segments together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from whoosh.index import LockError

from stonebrowse.index import bounds
from stonebrowse.index.analyzer import drafts
from stonebrowse.index.codec import SUFFIX, PackedCodec, PackedSegment, as_shard
from stonebrowse.index.errors import IndexBusy
from stonebrowse.index.merging import merged
from stonebrowse.index.packing import pack

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from whoosh.index import FileIndex
    from whoosh.writing import SegmentWriter

    from stonebrowse.index.documents import Document
    from stonebrowse.index.draft import Draft
    from stonebrowse.index.shard import Shard

LOCK_SECONDS = 10.0
# The sizes that count as the same: less than 64 passages, and then each eight times as many.
_SMALLEST = 64
_GROWTH = 8


class Update:
    """One commit. Holds Whoosh's lock from beginning to end; either all of it happens or nothing."""

    def __init__(self, index: FileIndex, place: Path) -> None:
        """Takes the lock.

        Raises:
            IndexBusy: when another process does not give it free in time.
        """
        try:
            self._writer: SegmentWriter = index.writer(codec=PackedCodec(), timeout=LOCK_SECONDS)
        except LockError as error:
            raise IndexBusy("another process is writing to the search index") from error
        self._place = place
        self._written: list[Path] = []

    def run(self, documents: Iterable[Document], remove: Collection[int], *, merge_up_to: int) -> None:
        """Does it.

        Args:
            documents: to be added; one with a key that is there already replaces that.
            remove: keys of documents to be taken out.
            merge_up_to: how many passages small segments may have together that are put together now.

        Raises:
            OSError: when a file cannot be written; nothing has changed then.
        """
        try:
            self._sweep()
            keys: set[int] = set(remove)
            fresh = [self._write(draft) for draft in drafts(_noting(documents, keys))]
            self._writer.commit(mergetype=lambda _writer, old: self._joined(old, fresh, keys, merge_up_to))
        except BaseException:
            if not self._committed():
                for path in self._written:
                    path.unlink(missing_ok=True)
            if not self._writer.is_closed:
                self._writer.cancel()
            raise

    def _committed(self) -> bool:
        """Whether the table of contents was written, so that only the cleaning up after it failed."""
        return (self._place / f"_{self._writer.indexname}_{self._writer.generation}.toc").exists()

    def _sweep(self) -> None:
        """Takes away tables of contents that a process was writing when it died. Whoosh would leave them."""
        for path in self._place.glob(f"_{self._writer.indexname}_*.toc.*"):
            path.unlink(missing_ok=True)

    def _write(self, draft: Draft) -> PackedSegment:
        """Writes the file of a segment. A large one is forced to the disk: it will not be checked whole."""
        record: PackedSegment = self._writer.codec.new_segment(self._writer.storage, self._writer.indexname)
        record.passages = len(draft)
        path = self._place / record.make_filename(SUFFIX)
        data = pack(draft)
        self._written.append(path)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if len(data) > bounds.CHECKED_BYTES:
                file.flush()
                os.fsync(file.fileno())
        return record

    def _joined(
        self, old: list[PackedSegment], fresh: list[PackedSegment], keys: set[int], merge_up_to: int
    ) -> list[PackedSegment]:
        """The segments of the index after the commit."""
        kept: list[PackedSegment] = []
        for record in old:
            segment = as_shard(self._writer.storage, record).segment
            held = keys & segment.spans.keys()
            if held:
                record.delete_keys(held, [span for key in held for span in segment.spans[key]])
            if segment.spans.keys() - record.gone_keys:
                kept.append(record)
        records = [*kept, *fresh]
        shards = {record.segment_id(): as_shard(self._writer.storage, record) for record in records}
        for group in _to_merge(list(shards.values()), merge_up_to):
            names = {each.name for each in group}
            merged_record = self._write(merged(group))
            records = [record for record in records if record.segment_id() not in names]
            records.append(merged_record)
        return records


def _noting(documents: Iterable[Document], keys: set[int]) -> Iterable[Document]:
    for document in documents:
        keys.add(document.key)
        yield document


def _to_merge(shards: list[Shard], most: int) -> list[list[Shard]]:
    """Groups of segments to be put together: many of about the same size, and those of which most is gone.

    Args:
        shards: all segments.
        most: how many passages a group may have; twice as many segments as are many must be put together
            whatever that takes.
    """
    groups: list[list[Shard]] = []
    by_size: dict[int, list[Shard]] = {}
    for each in shards:
        by_size.setdefault(_size(each.live), []).append(each)
    for same in by_size.values():
        if len(same) < bounds.MERGED_SEGMENTS:
            hollow = [each for each in same if each.live <= most and 2 * each.live < each.segment.passages]
            groups += [[each] for each in hollow]
            continue
        room = bounds.MOST_PASSAGES if len(same) >= 2 * bounds.MERGED_SEGMENTS else most
        group = _that_fit(same, min(room, bounds.MOST_PASSAGES))
        if len(group) > 1:
            groups.append(group)
    return groups


def _that_fit(shards: list[Shard], passages: int) -> list[Shard]:
    """The smallest of some segments, as many as have no more passages together."""
    group: list[Shard] = []
    for each in sorted(shards, key=lambda each: each.live):
        passages -= each.live
        if passages < 0:
            break
        group.append(each)
    return group


def _size(passages: int) -> int:
    size = 0
    while passages >= _SMALLEST:
        passages //= _GROWTH
        size += 1
    return size
