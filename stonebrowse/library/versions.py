"""Versions of a File: which two to compare, their exact bytes as a new file, out of the library and back in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.library.folder import Unreadable
from stonebrowse.library.new_files import refuse_what_is_there, write_new_file
from stonebrowse.text.decoding import NotText, decode

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.library.folder import Folder
    from stonebrowse.store import File, Stat, Store, Version


def endpoints(
    store: Store, file: File, older: Version | None, newer: Version | None
) -> tuple[Version, Version]:
    """The two versions to compare, where one or both were not named: the newest two.

    Args:
        store: the store.
        file: the File.
        older: from which version; None: the one before the other (before the newest, if that is named too).
        newer: to which version; None: the newest.

    Raises:
        NotFound: there is no version before.
    """
    if newer is None:
        newer = store.version(file.version_id)
    if older is None:
        if newer.number == 1:
            raise NotFound(
                f"{file.path} has no version before 1 to compare with; name two with --from and --to"
            )
        older = store.version_numbered(file.file_id, newer.number - 1)
    return older, newer


def export(store: Store, version: Version, place: Path) -> int:
    """Writes the exact bytes of a version to a new file: whole or not at all, and on the disk when this returns.

    Args:
        store: the store.
        version: the version.
        place: where; nothing may be there.

    Returns:
        How many bytes were written.

    Raises:
        InputInvalid: something is there, or it is not in a folder that exists.
        NotFound: the version's bytes were pruned.
        StoreDamaged: they are not what was recorded.
        StoreUnavailable: they cannot be written there.
    """
    refuse_what_is_there(place)
    data = store.raw(version.version_id)
    write_new_file(place, data)
    return len(data)


def trash(store: Store, file: File) -> File:
    """Takes a File out of the library until it is restored. The file in the folder is not touched.

    A File that has disappeared from the folder may be trashed too: it then stays out when its file returns.
    """
    with store.writing() as writing:
        now = store.file(file.file_id)
        if now.trashed_by != "hand":
            writing.trash(file.file_id, "hand")
    return store.file(file.file_id)


def restore(store: Store, folder: Folder, file: File) -> tuple[File, bool]:
    """Takes a trashed File back in, with what its file in the folder holds now.

    Returns:
        The File, and whether a new version was recorded.

    Raises:
        NotFound: there is no file at its path that could be read; names `export`.
        InputInvalid: it is not trashed, or another File is at its path now.
        FolderUnavailable: the folder is missing or unreadable.
    """
    if file.state != "trashed":
        raise InputInvalid(f"{file.path} is not trashed; there is nothing to restore")
    folder.identity()
    data, stat = _in_the_folder(folder, file)
    decoded = decode(data)
    if isinstance(decoded, NotText):
        raise NotFound(
            f"{file.path} cannot be restored: what is in the folder now is {decoded.reason}; {_export(file)}"
        )
    with store.writing() as writing:
        other = store.file_at(file.path)
        if other is not None and other.file_id != file.file_id and other.state == "current":
            raise InputInvalid(
                f"another File ({other.file_id}) is at {file.path} now; rename that one first, or: {_export(file)}"
            )
        before = store.file(file.file_id)
        newest = store.version(before.version_id)
        writing.restore(file.file_id, stat)
        recorded = newest.digest != _digest(data)
        if recorded:
            writing.record(before.file_id, data, decoded, stat, datetime.now(UTC))
    return store.file(file.file_id), recorded


def _in_the_folder(folder: Folder, file: File) -> tuple[bytes, Stat]:
    seen = folder.look(file.path)
    if file.path not in seen.stats:
        reason = seen.skipped.get(file.path)
        why = (
            f"what is in the folder there is skipped ({reason})"
            if reason
            else "there is no such file in the folder"
        )
        raise NotFound(f"{file.path} cannot be restored: {why}; {_export(file)}")
    try:
        return folder.read(file.path)
    except Unreadable as error:
        raise NotFound(
            f"{file.path} cannot be restored: the file in the folder cannot be read ({error.reason}); {_export(file)}"
        ) from error


def _export(file: File) -> str:
    return f"`stonebrowse files export {file.file_id} --to PATH` writes what was stored"


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return "sha256:" + sha256(data).hexdigest()
