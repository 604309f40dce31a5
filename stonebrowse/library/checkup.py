"""What `doctor` looks at: the store's own integrity, every digest, derived IDs, and the index against it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stonebrowse.index import Index, IndexDamaged
from stonebrowse.library.current import Current
from stonebrowse.library.indexing import gap

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store


@dataclass(slots=True)
class Checkup:
    """What was found.

    Attributes:
        files, versions: how many were looked at, trashed Files included.
        faults: damage, one sentence each.
        remarks: what is no damage but worth knowing.
    """

    files: int
    versions: int
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "files": self.files,
            "versions": self.versions,
            "faults": self.faults,
            "remarks": self.remarks,
        }


def check(store: Store, index_place: Path) -> Checkup:
    """Checks a store and its index.

    A damaged index is a fault, though nothing is lost with it: it is built again at the next sync.
    """
    files = store.files(state="all")
    found = Checkup(len(files), sum(file.versions for file in files))
    found.faults += [str(fault) for fault in store.check()]
    skipped = store.skipped()
    if skipped:
        found.remarks.append(f"{len(skipped)} skipped; `stonebrowse files list --skipped` says why")
    if not index_place.exists():
        found.remarks.append("there is no search index yet; the next sync builds it")
        return found
    try:
        index = Index.open(index_place, create=False)
    except IndexDamaged as damage:
        found.faults.append(f"the search index cannot be used ({damage}); the next sync builds it again")
        return found
    try:
        difference = gap(Current(store), index)
    finally:
        index.close()
    if difference.add or difference.remove:
        found.remarks.append(
            f"the search index lacks {len(difference.add)} documents and holds"
            f" {len(difference.remove)} stale ones; the next sync mends that"
        )
    return found
