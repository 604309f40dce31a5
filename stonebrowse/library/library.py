"""`Library`: one folder and its store, the one object that front ends hold."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from stonebrowse.errors import InputInvalid, NotFound, StoreUnavailable
from stonebrowse.library import versions
from stonebrowse.library.evidence import Evidence, Evidences
from stonebrowse.library.folder import Folder, Rules
from stonebrowse.library.reading import Document
from stonebrowse.library.references import References, Target
from stonebrowse.library.upkeep import Upkeep
from stonebrowse.settings import Settings
from stonebrowse.settings.places import store_place
from stonebrowse.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stonebrowse.library.asking import Conversation
    from stonebrowse.library.checking import Checked, Checking
    from stonebrowse.library.checkup import Checkup
    from stonebrowse.library.citing import Cited
    from stonebrowse.library.comparing import Hunk, SectionDiff
    from stonebrowse.library.engraving import Engraved, Engraving
    from stonebrowse.library.graph import Knowledge
    from stonebrowse.library.notes import Note
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reviewing import Change, Review, Reviewing
    from stonebrowse.library.searching import Answer
    from stonebrowse.store import File, TrayItem, Version

# One and the same for every reason, so that it tells nothing (CONTRACT section 5, `files chunks`).
NO_PASSAGE = "no current passage has this ID"


class Library(Upkeep):
    """One folder of Markdown and the store that belongs to it.

    Made by `open`. Reading methods may be called from any thread.
    """

    def __init__(self, folder: Folder, place: Path, store: Store, settings: Settings) -> None:
        super().__init__(folder, place, store, settings)
        self._references = References(store, folder)
        self._evidences = Evidences(store, self._references)

    @cached_property
    def graph(self) -> Knowledge:
        """Entities, relationships and the citations that support them."""
        from stonebrowse.library.graph import Knowledge

        return Knowledge(self.store, self._references, self._evidences)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        store: Path | None = None,
        settings: Settings | None = None,
        create: bool = True,
        write: bool | None = None,
        relocate: bool = False,
    ) -> Self:
        """Opens the library of a folder. Nothing is read from the folder yet.

        Args:
            folder: the folder; may be missing if `create` is false.
            store: where its store lies; None is its own place below the user's data folder.
            settings: None are the defaults.
            create: make a store where there is none.
            write: open the store for writing; None is as `create`.
            relocate: the store's folder has moved: from now on it is this one.

        Raises:
            FolderUnavailable: `create`, and the folder is missing or no folder.
            InputInvalid: the store's place lies inside the folder.
            StoreUnavailable, StoreDamaged: the store cannot be used.
        """
        settings = settings or Settings()
        rules = Rules(
            suffixes=settings.library.suffixes,
            gitignore=settings.library.gitignore,
            max_file_bytes=settings.library.max_file_bytes,
        )
        opened = Folder(folder, rules)
        raw = os.fsencode(opened.place)
        place = Path(os.path.realpath(store)) if store is not None else store_place(raw)
        if place == opened.place or opened.place in place.parents:
            raise InputInvalid(f"the store {place} lies inside the folder; name a place outside with --store")
        if create:
            opened.identity()
        elif not place.exists():
            opened.identity()
            raise StoreUnavailable(f"nothing is stored yet for {opened.place}; run this without --no-sync")
        found = Store.open(
            place, folder=raw, create=create, write=create if write is None else write, relocate=relocate
        )
        return cls(opened, place, found, settings)

    def close(self) -> None:
        """Stops the keeper that this object started, and closes everything."""
        self.stop_keeper()
        self._searching.close()
        self._lock.release()
        self.store.close()
        self.files_folder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- care --------------------------------------------------------------------------------------------

    def check(self, progress: Callable[[int, int], None] = lambda _done, _of: None) -> Checkup:
        """Checks everything that is stored; repairs nothing. `progress` is told how many of how many."""
        from stonebrowse.library.checkup import check

        return check(self.store, self.place / "index", progress)

    def report(self, checkup: Checkup) -> bytes:
        """What a maintainer needs to know, without any text or name; see `caring.report`."""
        from stonebrowse.library.caring import report

        return report(self.store, self.folder, self.place, checkup, self.settings, self._lock.holder())

    def backup(self, place: Path) -> int:
        """Copies the store into a new folder while it is in use; see `caring.backup`."""
        from stonebrowse.library.caring import backup

        return backup(self.store, self.folder, place)

    def index_bytes(self) -> int:
        """What the search index takes on the disk."""
        from stonebrowse.library.caring import folder_bytes

        return folder_bytes(self.place / "index")

    def find_version_id(self, reference: str) -> Version:
        """The version with an ID, shortened or not, of whatever File.

        Raises:
            InputInvalid: no version ID, or ambiguous.
            NotFound: there is none.
        """
        return self.store.version(self._references.identifier(reference, "v"))

    def forget(self, version: Version) -> list[Version]:
        """Drops a version's bytes so that nothing of them is left in the store or the index.

        Returns:
            All versions that had the same bytes.

        Raises:
            InputInvalid: a current version has them.
            StoreUnavailable: another process goes on reading what was there; try again.
        """
        return self.store.forget(version.version_id, then=self._forget_in_index)

    def _forget_in_index(self) -> None:
        """Words of what was once current stay in the index's files until they are merged: it is made anew."""
        from stonebrowse.library.indexing import discard_index

        if self._lock.acquire("syncing"):
            try:
                discard_index(self.place / "index")
            finally:
                self._lock.release()
        else:
            self.update(rebuild=True, insist=True)

    # -- reading -----------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        limit: int = 20,
        path: str | None = None,
        typing: bool = False,
        scan: bool = True,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """The best passages for a query; see `Searching.search`."""
        return self._searching.search(
            query, limit=limit, path=path, typing=typing, scan=scan, stopped=stopped
        )

    def indexed(self) -> tuple[int, int]:
        """How many current Files the index holds, and how many there are."""
        return self._searching.indexed()

    def files(self, *, trashed: bool = False) -> list[File]:
        """The current Files by path, or the trashed ones."""
        return self.store.files(state="trashed" if trashed else "current")

    def changes(self, since: int | None = None) -> tuple[int, list[str]]:
        """The number of the last change of a File, and the IDs of those that changed after another number.

        Args:
            since: the number to begin after; None is the last, so that no ID comes.
        """
        if since is None:
            return self.store.last_change(), []
        last, changed = self.store.changes(since)
        return last, [self.find_file(each.path).file_id for each in changed]

    def skipped(self) -> list[tuple[str, str]]:
        """Path and reason of what was passed over."""
        return self.store.skipped()

    def find_file(self, reference: str) -> File:
        """The File that a File ID or a path names; see `References.file`."""
        return self._references.file(reference)

    def find_version(self, file: File, reference: str | None) -> Version:
        """A version of a File by ID or number; None is its newest."""
        if reference is None:
            return self.store.version(file.version_id)
        return self._references.version(file, reference)

    def versions(self, file: File) -> list[Version]:
        """Every version of a File, newest first."""
        return self.store.versions(file.file_id)

    def diff_between(
        self, file: File, older: Version | None = None, newer: Version | None = None
    ) -> tuple[Version, Version]:
        """The two versions to compare where not both are named; see `versions.endpoints`."""
        return versions.endpoints(self.store, file, older, newer)

    def unified(self, older: Version, newer: Version) -> list[Hunk]:
        """The unified diff of two versions; see `comparing.unified`."""
        from stonebrowse.library.comparing import unified

        return unified(self.document(older), self.document(newer))

    def compare(self, older: Version, newer: Version) -> list[SectionDiff]:
        """What changed between two versions, section by section; see `comparing.compare`."""
        from stonebrowse.library.comparing import compare

        return compare(self.document(older), self.document(newer))

    def export(self, version: Version, place: Path) -> int:
        """Writes the exact bytes of a version to a new file; see `versions.export`."""
        return versions.export(self.store, version, place)

    def trash(self, file: File) -> File:
        """Takes a File out of the library until it is restored; see `versions.trash`."""
        return versions.trash(self.store, file)

    def restore(self, file: File) -> tuple[File, bool]:
        """Takes a trashed File back in, as it is in the folder now; see `versions.restore`."""
        return versions.restore(self.store, self.files_folder, file)

    @property
    def _reviewing(self) -> Reviewing:
        from stonebrowse.library.reviewing import Reviewing

        return Reviewing(self.store, self._references)

    def review(
        self, since: str | None = None, progress: Callable[[int, int], None] = lambda _done, _of: None
    ) -> Review:
        """What changed since it was last seen, or since a time or a version; see `Reviewing.review`."""
        return self._reviewing.review(since, progress)

    def unseen(self, reference: str) -> list[Change]:
        """The unseen changes that a citation, a path or a File ID names; see `Reviewing.find`."""
        return self._reviewing.find(reference)

    def mark_seen(self, seen: Change | Review | None = None) -> int:
        """Marks one change, a whole review, or all there is as seen; see `Reviewing.mark_seen`."""
        return self._reviewing.mark_seen(seen)

    def document(self, version: Version, file: File | None = None) -> Document:
        """A version, opened for reading."""
        return Document(self.store, file or self.store.file(version.file_id), version)

    def resolve(self, reference: str) -> Target:
        """What any reference leads to; see `References.resolve`."""
        return self._references.resolve(reference)

    # -- citing ------------------------------------------------------------------------------------------

    def evidence(
        self,
        *,
        token: str | None = None,
        file_id: str | None = None,
        version_id: str | None = None,
        digest: str | None = None,
        chunk_id: str | None = None,
        note: str = "",
    ) -> Evidence:
        """A citation that was checked in the contract's order; see `Evidences.check`."""
        return self._evidences.check(
            token=token,
            file_id=file_id,
            version_id=version_id,
            digest=digest,
            chunk_id=chunk_id,
            note=note,
        )

    def token(self, document: Document, start: int, end: int) -> str:
        """The token for the words [start, end) of a version's text; see `Evidences.token`."""
        return self._evidences.token(document, start, end)

    def cite(self, reference: str) -> Cited:
        """The citation of what a reference leads to, remembered as handed out; see `citing.cite`.

        Raises:
            InputInvalid, NotFound: see `resolve`.
            FileNotEvidence: a note that stonebrowse engraved.
        """
        from stonebrowse.library.citing import cite

        target = self.resolve(reference)
        cited = cite(self.document(target.version, target.file), target)
        self.hand_out(cited.citation, cited.version_id, cited.start, cited.end)
        return cited

    def hand_out(self, citation: str, version_id: str, start: int, end: int) -> None:
        """Remembers that a citation string was handed out, of which version and bytes."""
        from stonebrowse.library.citing import hand_out

        hand_out(self.store, citation, version_id, start, end)

    def engrave(self, path: str, body: str | bytes, references: Sequence[str | TrayItem]) -> Engraved:
        """Engraves a note into the folder; see `Engraving.engrave`."""
        return self.engraving.engrave(path, body, references)

    def conversation(self) -> Conversation:
        """Begins a conversation with the model command of the settings; see `asking.Conversation`."""
        from stonebrowse.library.asking import Conversation

        return Conversation(self.store, self._references, self._searching, self.settings.ask)

    def notes(self, *, check: bool = False) -> list[Note]:
        """The engraved notes, with what became of their sources where `check` asks that; see `notes.notes`."""
        from stonebrowse.library.notes import notes

        return list(notes(self.store, self._references, check=check))

    @cached_property
    def engraving(self) -> Engraving:
        """Writes notes with their sources into the folder."""
        from stonebrowse.library.engraving import Engraving

        return Engraving(self.store, self.files_folder, self._references, self._evidences)

    def checking(self) -> Checking:
        """Checks what became of citations; to be made anew for each run."""
        from stonebrowse.library.checking import Checking

        return Checking(self.store, self._references)

    def fate(self, target: Target) -> Checked | None:
        """What became of a passage that a reference leads to; None where it is current, or no passage."""
        from stonebrowse.library.sources import Source

        passage = target.passage
        if passage is None or passage.current:
            return None
        start, end = target.span or (passage.start, passage.end)
        source = Source(target.file, target.version, start, end, words=target.span is not None)
        return self.checking().judge(passage.citation, source)

    def chunk(self, reference: str, *, inactive: bool = False) -> tuple[PassageView, str]:
        """A passage reopened by its ID, and its text.

        Args:
            reference: the passage ID, shortened or not.
            inactive: also one of an older version; never one of a trashed File.

        Raises:
            InputInvalid: no passage ID.
            NotFound: there is none to be opened, for whatever reason: the message does not say why.
        """
        try:
            full = self._references.identifier(reference, "p")
            found = self.store.passage(full)
        except NotFound:
            found = None
        if found is not None:
            version, ordinal = found
            file = self.store.file(version.file_id)
            if file.state == "current" and version.state == "ready" and (version.current or inactive):
                opened = self.document(version, file)
                passage = opened.passage(ordinal)
                return passage, opened.read(passage.start, passage.end).decode()
        raise NotFound(NO_PASSAGE)
