"""Writing a new file: whole or not at all, never over what is there, and on the disk when the call returns."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import TYPE_CHECKING

from stonebrowse.errors import InputInvalid, StoreUnavailable

if TYPE_CHECKING:
    from pathlib import Path


def refuse_what_is_there(place: Path) -> None:
    """Refuses a place where something is, a broken link too, or whose folder is not there.

    Raises:
        InputInvalid: says which.
    """
    if os.path.lexists(place):
        raise InputInvalid(f"there is something at {place} already; choose another path")
    if not place.parent.is_dir():
        raise InputInvalid(f"there is no folder {place.parent}; make it first, or choose another path")


def write_new_file(place: Path, data: bytes, mode: int = 0o666) -> None:
    """Writes a new file.

    Args:
        place: where; nothing may be there.
        data: what it holds.
        mode: its permissions, less what the process's mask takes away.

    Raises:
        InputInvalid: something is there, or its folder is not.
        StoreUnavailable: it cannot be written.
    """
    refuse_what_is_there(place)
    unfinished = place.with_name(f".{secrets.token_hex(8)}.stonebrowse")
    try:
        with open(
            os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode), "wb"
        ) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _name(unfinished, place)
        sync_folder(place.parent)
    except OSError as error:
        raise StoreUnavailable(
            f"{place} cannot be written ({error.strerror}); choose another path"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _name(unfinished: Path, place: Path) -> None:
    """Gives a finished file its name."""
    try:
        # A link, unlike a renaming, is refused where something has come up meanwhile.
        os.link(unfinished, place, follow_symlinks=False)
    except FileExistsError:
        raise InputInvalid(f"there is something at {place} already; choose another path") from None
    except OSError:
        # The file system knows no hard links (FAT, some network drives).
        refuse_what_is_there(place)
        unfinished.replace(place)


def sync_folder(folder: Path) -> None:
    """Brings the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
