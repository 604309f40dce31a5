"""A new document in the folder: at a path that a person names, whole or not at all, never over what is there.

Folders are opened, and made, one below the other without following links, so that nothing is ever written outside
the folder, whatever is swapped meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from stonebrowse.errors import FolderUnavailable, InputInvalid
from stonebrowse.library.folder import OPEN_FOLDER, Folder, as_stat
from stonebrowse.text.citations import escape_path, unescape_path

if TYPE_CHECKING:
    from types import TracebackType

    from stonebrowse.store import Stat

LONGEST_PATH_BYTES = 4096
LONGEST_NAME_BYTES = 255
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV, errno.EMLINK}
_WRONG_PATH = {errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ}


def new_path(folder: Folder, path: str) -> str:
    """The library's spelling of a path at which a new document can be made and will be found.

    Args:
        folder: the library's folder.
        path: relative to it, or absolute and below it; as the file system spells it.

    Raises:
        InputInvalid: it leads out of the folder, something is there, or a file there would not be read.
    """
    parts = _parts(folder, path)
    spelled = escape_path(b"/".join(parts))
    if spelled.encode() != b"/".join(parts):
        raise InputInvalid(f"{spelled} holds control characters or is no UTF-8; name a plain path")
    # Another object, so that every `.gitignore` is read as it is now.
    with contextlib.closing(Folder(folder.place, folder.rules)) as fresh:
        refusal = fresh.refusal(spelled)
    if refusal:
        raise InputInvalid(f"a note at {spelled} would never be found: {refusal}; name another path")
    if os.path.lexists(folder.real_path(spelled)):
        raise _taken(spelled)
    return spelled


def _parts(folder: Folder, path: str) -> list[bytes]:
    """The names of a path below the folder."""
    if not path or "\0" in path:
        raise InputInvalid("give the path of the new note, below the folder")
    try:
        raw = os.fsencode(path)
    except UnicodeEncodeError:
        raise InputInvalid("the path of the new note cannot be written in this file system") from None
    if b".." in raw.split(b"/"):
        raise InputInvalid(f"{path} leads up; name a path below the folder without `..`")
    if os.path.isabs(path):
        top = os.fsencode(folder.place)
        if os.path.commonpath([top, raw]) != top:
            raise InputInvalid(f"{path} is not below the folder {folder.place}; name a path below it")
        raw = os.path.relpath(raw, top) + (b"/" if raw.endswith(b"/") else b"")
    parts = [part for part in raw.split(b"/") if part not in {b"", b"."}]
    if not parts or raw.endswith((b"/", b"/.")):
        raise InputInvalid(f"{path} names a folder; name a file in it")
    if len(raw) > LONGEST_PATH_BYTES or any(len(part) > LONGEST_NAME_BYTES for part in parts):
        raise InputInvalid("the path of the new note is too long; name a shorter one")
    return parts


@dataclass
class NewDocument:
    """A file that is written below the folder and has no name yet: to be used in a `with`.

    Left by an error, or without `name`, nothing of it stays, nor of the folders that were made for it.

    Attributes:
        folder: the library's folder.
        path: where it will be, from `new_path`.
        data: what it holds.
    """

    folder: Folder
    path: str
    data: bytes
    _parent: int = -1
    _made: list[str] = field(default_factory=list)
    _temporary: str = ""
    _named: bool = False
    _kept: bool = False

    def __enter__(self) -> Self:
        self.folder.identity()
        try:
            self._descend()
            self._write()
        except BaseException as error:
            self._clear()
            raise self._translated(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kept = self._named and error is None
        self._clear()

    def name(self) -> Stat:
        """Gives it its name, and says what it looks like from then on.

        Raises:
            InputInvalid: something came up at its path meanwhile.
            FolderUnavailable: the file system refuses.
        """
        try:
            self._link()
            self._named = True
            os.fsync(self._parent)
            return as_stat(os.stat(self._name, dir_fd=self._parent, follow_symlinks=False))
        except OSError as error:
            raise self._translated(error) from error

    @property
    def _name(self) -> str:
        return os.fsdecode(unescape_path(self.path)).rpartition("/")[2]

    def _descend(self) -> None:
        parts = os.fsdecode(unescape_path(self.path)).split("/")[:-1]
        self._parent = os.open(self.folder.place, OPEN_FOLDER)
        for index, part in enumerate(parts):
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=self._parent)
                self._made.append("/".join(parts[: index + 1]))
                os.fsync(self._parent)
            below = os.open(part, OPEN_FOLDER, dir_fd=self._parent)
            os.close(self._parent)
            self._parent = below

    def _write(self) -> None:
        self._temporary = f".{secrets.token_hex(8)}.stonebrowse"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(self._temporary, flags, 0o666, dir_fd=self._parent), "wb") as file:
            file.write(self.data)
            file.flush()
            os.fsync(file.fileno())

    def _link(self) -> None:
        at = {"src_dir_fd": self._parent, "dst_dir_fd": self._parent}
        try:
            # A link, unlike a renaming, is refused where something has come up meanwhile.
            os.link(self._temporary, self._name, **at, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            # The file system knows no hard links (FAT, some network drives).
            with contextlib.suppress(FileNotFoundError):
                os.stat(self._name, dir_fd=self._parent, follow_symlinks=False)
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            os.rename(self._temporary, self._name, **at)
        else:
            os.unlink(self._temporary, dir_fd=self._parent)

    def _clear(self) -> None:
        if self._parent >= 0:
            for name in (self._temporary, self._name if self._named and not self._kept else ""):
                if name:
                    with contextlib.suppress(OSError):
                        os.unlink(name, dir_fd=self._parent)
            os.close(self._parent)
            self._parent = -1
        for made in () if self._kept else reversed(self._made):
            with contextlib.suppress(OSError):  # somebody has put something there
                os.rmdir(self.folder.place / made)

    def _translated(self, error: BaseException) -> BaseException:
        if not isinstance(error, OSError):
            return error
        if error.errno == errno.EEXIST:
            return _taken(self.path)
        if error.errno in _WRONG_PATH:
            return InputInvalid(
                f"{self.path} leads through a link or a file, or is no name here ({error.strerror});"
                " name another path"
            )
        return FolderUnavailable(
            f"{self.path} cannot be written in {self.folder.place} ({error.strerror}); nothing was changed"
        )


def _taken(path: str) -> InputInvalid:
    return InputInvalid(f"there is something at {path} already; name another path")
