"""What `doctor` looks at: the store's own integrity, every digest, derived IDs, and the index against it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stonebrowse.index import Index, IndexDamaged
from stonebrowse.library.current import Current
from stonebrowse.library.indexing import gap
from stonebrowse.store.identifiers import passage_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.store import File, Store

SAMPLE = 64


@dataclass(slots=True)
class Checkup:
    """What was found.

    Attributes:
        files, versions: how many were looked at, trashed Files included.
        faults: damage, one sentence each.
        remarks: what is no damage but worth knowing.
        details: the same faults by kind and ID, without a name.
    """

    files: int
    versions: int
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    details: list[dict[str, Any]] = field(default_factory=list)

    def add(self, message: str, **details: Any) -> None:
        """Adds a fault."""
        self.faults.append(message)
        self.details.append(details)

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "files": self.files,
            "versions": self.versions,
            "faults": self.faults,
            "remarks": self.remarks,
        }


def check(
    store: Store, index_place: Path, progress: Callable[[int, int], None] = lambda _done, _of: None
) -> Checkup:
    """Checks a store and its index.

    A damaged index is a fault, though nothing is lost with it: it is built again at the next sync.

    Args:
        store: the store.
        index_place: where its index is.
        progress: told now and then how many of how many things are checked; what it raises stops the check.
    """
    files = store.files(state="all")
    found = Checkup(len(files), sum(file.versions for file in files))
    for fault in store.check(progress):
        found.add(
            fault.message,
            kind=fault.kind,
            file_id=fault.file_id,
            version_id=fault.version_id,
            number=fault.number,
        )
    if not found.faults:
        _check_passages(store, files, found)
    skipped = store.skipped()
    if skipped:
        found.remarks.append(f"{len(skipped)} skipped; `stonebrowse files list --skipped` says why")
    if not store.scrubbed():
        found.remarks.append(
            "a forgotten version is not gone from the store's files yet; run `stonebrowse store forget` once more"
        )
    _check_index(store, index_place, found)
    return found


def _check_passages(store: Store, files: list[File], found: Checkup) -> None:
    """Looks whether a sample of passage IDs leads back to the passages they are derived from."""
    for file in files[:: max(1, len(files) // SAMPLE)]:
        version = store.version(file.version_id)
        cut = store.cut(version.version_id)
        if not cut:
            continue
        last = len(cut) - 1
        passage = cut.passage(last)
        reached = store.passage(passage_id(version.version_id, passage.start, passage.end))
        if reached is None or (reached[0].version_id, reached[1]) != (version.version_id, last):
            found.add(
                f"the passages of version {version.number} of {file.path} cannot be found by their IDs",
                kind="passage",
                file_id=file.file_id,
                version_id=version.version_id,
                number=version.number,
            )


def _check_index(store: Store, index_place: Path, found: Checkup) -> None:
    if not index_place.exists():
        found.remarks.append("there is no search index yet; the next sync builds it")
        return
    try:
        index = Index.open(index_place, create=False)
    except IndexDamaged as damage:
        found.add(f"the search index cannot be used ({damage}); the next sync builds it again", kind="index")
        return
    try:
        difference = gap(Current(store), index)
    finally:
        index.close()
    if difference.add or difference.remove:
        found.remarks.append(
            f"the search index lacks {len(difference.add)} documents and holds"
            f" {len(difference.remove)} stale ones; the next sync mends that"
        )
