"""The folder on disk: which of its files are documents, and their bytes.

The only module that turns a path of the library into a real one. Nothing is ever opened by a path that could
have been swapped meanwhile: folders are opened one below the other without following links, and what a
descriptor holds is checked on the descriptor (CONTRACT section 5, "Which files").
"""

from __future__ import annotations

import errno
import os
import stat as mode
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from stonebrowse.errors import FolderUnavailable
from stonebrowse.library.ignoring import IgnoreRules
from stonebrowse.store import Stat
from stonebrowse.text.citations import escape_path, unescape_path

if TYPE_CHECKING:
    from collections.abc import Iterator

SKIPPED_FOLDERS = frozenset({"node_modules"})
OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK, opening a pipe that took a document's place would wait for ever.
OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
READ_BYTES = 1 << 20
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """Which files of a folder are documents.

    Attributes:
        suffixes: endings of their names, lower case, with the dot.
        gitignore: whether `.gitignore` files below the folder are honoured.
        max_file_bytes: a larger file is skipped.
    """

    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdown", ".mkd")
    gitignore: bool = True
    max_file_bytes: int = 256 << 20


@dataclass(frozen=True, slots=True)
class Seen:
    """What a walk found: documents by path, and what was passed over.

    Attributes:
        stats: each document's path and what the file system says of it.
        skipped: path and reason of what looks like a document and is not read.
        unreadable: folders (paths that end in `/`) that could not be listed: what is known below them stays.
        links: the documents that are symbolic links.
    """

    stats: dict[str, Stat] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    links: set[str] = field(default_factory=set)

    def covers(self, path: str) -> bool:
        """Whether the walk can say that a path is not there (it lies below no folder that was unreadable)."""
        return not any(path.startswith(folder) for folder in self.unreadable)


class Unreadable(Exception):
    """A file that cannot be read as a document now; `reason` says why."""

    def __init__(self, reason: str, *, gone: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.gone = gone


class Folder:
    """The folder of a library.

    Made of the folder's place and rules. Holds one descriptor, of the root; `close` gives it back.
    """

    def __init__(self, place: Path, rules: Rules | None = None) -> None:
        self.place = Path(os.path.realpath(place))
        self.rules = rules or Rules()
        self._ignore = IgnoreRules()
        self._root: int | None = None

    def close(self) -> None:
        """Gives the descriptor back; used again, the folder is opened anew, whatever stands there."""
        if self._root is not None:
            os.close(self._root)
            self._root = None

    def identity(self) -> tuple[int, int]:
        """Device and inode of the folder that stands at its place now.

        Raises:
            FolderUnavailable: it is missing, no folder, or may not be entered.
        """
        try:
            status = os.stat(self.place)
        except OSError as error:
            raise self._unavailable(error) from error
        if not mode.S_ISDIR(status.st_mode):
            raise FolderUnavailable(
                f"{self.place} is not a folder; name the folder that holds your documents"
            )
        return status.st_dev, status.st_ino

    def real_path(self, path: str) -> Path:
        """The place of a document in the file system (to hand to an editor, never to read by)."""
        return self.place / os.fsdecode(unescape_path(path))

    def path_of(self, place: Path) -> str | None:
        """The library's path of a place in the file system; None outside the folder."""
        try:
            relative = Path(os.path.normpath(place)).relative_to(self.place)
        except ValueError:
            return None
        return escape_path(os.fsencode(relative))

    # -- walking -----------------------------------------------------------------------------------------

    def walk(self, below: str = "") -> Seen:
        """Everything that is a document, in the whole folder or below one of its folders.

        Args:
            below: a folder's path, without a slash at its end; empty for the whole.

        Raises:
            FolderUnavailable: the folder itself cannot be listed.
        """
        seen = Seen()
        if below and not self._enterable(below):
            return seen
        if not below:
            self.identity()
        pending = [below]
        while pending:
            folder = pending.pop()
            try:
                pending.extend(self._list(folder, seen))
            except OSError as error:
                if not folder:
                    raise self._unavailable(error) from error
                if error.errno not in {errno.ENOENT, errno.ENOTDIR}:
                    seen.unreadable.append(folder + "/")
                    seen.skipped[folder + "/"] = _reason(error)
        return seen

    def look(self, path: str) -> Seen:
        """The same for one path: a walk that sees only that file."""
        seen = Seen()
        parent, _, name = path.rpartition("/")
        if parent and not self._enterable(parent):
            return seen
        real = os.fsdecode(unescape_path(name))
        if not self._candidate(real):
            return seen
        try:
            with self._folder(parent) as descriptor:
                self._see(path, real, descriptor, seen)
        except OSError as error:
            if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
                seen.unreadable.append(path)
                seen.skipped[path] = _reason(error)
        return seen

    def refusal(self, path: str) -> str:
        """Why a file at a path would not be read as a document; empty where it would be. Looks at no file."""
        parts = path.split("/")
        for index, part in enumerate(parts):
            above, last = "/".join(parts[: index + 1]), index == len(parts) - 1
            plain = os.fsdecode(unescape_path(part))
            if plain[:1] == ".":
                return f"{part} is hidden"
            if not last and plain in SKIPPED_FOLDERS:
                return f"the folder {part} is never entered"
            if last and not self._candidate(plain):
                return f"its name does not end in {' or '.join(self.rules.suffixes)}"
            if self.rules.gitignore:
                self._load_rules("/".join(parts[:index]))
            if self._ignored(above, folder=not last):
                return f"a .gitignore leaves {above} out"
        return ""

    def is_folder(self, path: str) -> bool:
        """Whether a path of the folder is a folder that a walk would enter."""
        return not path or self._enterable(path)

    def _list(self, folder: str, seen: Seen) -> list[str]:
        below: list[str] = []
        prefix = f"{folder}/" if folder else ""
        with self._folder(folder) as descriptor:
            with os.scandir(descriptor) as entries:
                found = list(entries)
            if self.rules.gitignore:
                self._ignore.load(folder, descriptor, any(entry.name == ".gitignore" for entry in found))
            for entry in found:
                name = entry.name
                if not entry.is_dir(follow_symlinks=False):
                    if self._candidate(name):
                        self._see(prefix + _escaped(name), name, descriptor, seen)
                elif name[0] != "." and name not in SKIPPED_FOLDERS:
                    path = prefix + _escaped(name)
                    if not self._ignored(path, folder=True):
                        below.append(path)
        return below

    def _see(self, path: str, name: str, parent: int, seen: Seen) -> None:
        """Takes a document into what was seen, if there is one."""
        if self._ignored(path, folder=False):
            return
        try:
            status = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except OSError as error:
            if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
                seen.unreadable.append(path)
                seen.skipped[path] = _reason(error)
        else:
            self._take(path, status, seen)

    def _candidate(self, name: str) -> bool:
        return name[0] != "." and name.lower().endswith(self.rules.suffixes)

    def _take(self, path: str, status: os.stat_result, seen: Seen) -> None:
        if mode.S_ISDIR(status.st_mode):
            return
        if mode.S_ISLNK(status.st_mode):
            target = self._target(path)
            if isinstance(target, str):
                seen.skipped[path] = target
                return
            seen.links.add(path)
            status = target[1]
        if not mode.S_ISREG(status.st_mode):
            seen.skipped[path] = f"{_kind(status)}, not a regular file"
        elif status.st_size > self.rules.max_file_bytes:
            seen.skipped[path] = (
                f"larger than {self.rules.max_file_bytes} bytes (setting library.max_file_bytes)"
            )
        else:
            seen.stats[path] = as_stat(status)

    def _target(self, path: str) -> tuple[str, os.stat_result] | str:
        """Where a link leads, as a path of the folder and its status; or why it is not read."""
        try:
            real = os.path.realpath(self.real_path(path), strict=True)
        except OSError as error:
            return "a link to nothing" if error.errno in {errno.ENOENT, errno.ELOOP} else _reason(error)
        target = self.path_of(Path(real))
        if target is None:
            return "a link to outside the folder"
        parent, _, name = target.rpartition("/")
        plain = os.fsdecode(unescape_path(name))
        if (
            not self._candidate(plain)
            or (parent and not self._enterable(parent))
            or self._ignored(target, folder=False)
        ):
            return "a link to what is not read itself"
        try:
            with self._folder(parent) as descriptor:
                status = os.stat(plain, dir_fd=descriptor, follow_symlinks=False)
        except OSError as error:
            return _reason(error)
        if not mode.S_ISREG(status.st_mode):
            return "a link to what is not a regular file"
        return target, status

    def _enterable(self, folder: str) -> bool:
        """Whether each part of a folder's path is one that a walk enters."""
        parts = folder.split("/")
        for index, part in enumerate(parts):
            path = "/".join(parts[: index + 1])
            plain = os.fsdecode(unescape_path(part))
            if plain in {"", "..", "."} or plain[0] == "." or plain in SKIPPED_FOLDERS:
                return False
            if self.rules.gitignore:
                self._load_rules("/".join(parts[:index]))
            if self._ignored(path, folder=True):
                return False
        try:
            with self._folder(folder):
                if self.rules.gitignore:
                    self._load_rules(folder)
                return True
        except OSError as error:
            return error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}

    def _load_rules(self, folder: str) -> None:
        if not self._ignore.knows(folder):
            try:
                with self._folder(folder) as descriptor:
                    self._ignore.load(folder, descriptor, there=True)
            except OSError:
                return

    def _ignored(self, path: str, *, folder: bool) -> bool:
        return self.rules.gitignore and self._ignore.ignores(path, folder=folder)

    def forget_rules(self) -> None:
        """Reads every `.gitignore` anew from now on (one was seen to change)."""
        self._ignore = IgnoreRules()

    # -- reading -----------------------------------------------------------------------------------------

    def read(self, path: str) -> tuple[bytes, Stat]:
        """The bytes of a document, and the status they belong to.

        Of a file that goes on changing it is what was read last, with the status from before: the next look
        at it finds another status.

        Raises:
            Unreadable: it is gone, not a regular file, too large, or forbidden.
        """
        for _ in range(ATTEMPTS):
            data, before, after = self._read_once(path)
            if before == after and len(data) == after.size:
                break
        return data, before

    def _read_once(self, path: str) -> tuple[bytes, Stat, Stat]:
        try:
            descriptor = self._open(path)
        except OSError as error:
            gone = error.errno in {errno.ENOENT, errno.ENOTDIR}
            raise Unreadable(_reason(error), gone=gone) from error
        try:
            status = os.fstat(descriptor)
            if not mode.S_ISREG(status.st_mode):
                raise Unreadable(f"{_kind(status)}, not a regular file")
            if status.st_size > self.rules.max_file_bytes:
                raise Unreadable(self._too_large)
            data = _read_all(descriptor, status.st_size, self.rules.max_file_bytes)
            if len(data) > self.rules.max_file_bytes:
                raise Unreadable(self._too_large)
            return data, as_stat(status), as_stat(os.fstat(descriptor))
        except OSError as error:
            raise Unreadable(_reason(error)) from error
        finally:
            os.close(descriptor)

    @property
    def _too_large(self) -> str:
        return f"larger than {self.rules.max_file_bytes} bytes (setting library.max_file_bytes)"

    def _open(self, path: str) -> int:
        parent, _, name = path.rpartition("/")
        plain = os.fsdecode(unescape_path(name))
        with self._folder(parent) as descriptor:
            try:
                return os.open(plain, OPEN_FILE, dir_fd=descriptor)
            except OSError as error:
                if error.errno != errno.ELOOP:
                    raise
        # A link: what it leads to is a document of this folder, and is opened as such.
        target = self._target(path)
        if isinstance(target, str):
            raise Unreadable(target)
        parent, _, name = target[0].rpartition("/")
        with self._folder(parent) as descriptor:
            return os.open(os.fsdecode(unescape_path(name)), OPEN_FILE, dir_fd=descriptor)

    @contextmanager
    def _folder(self, path: str) -> Iterator[int]:
        """A descriptor of a folder, opened part by part from the root so that no link is followed."""
        if self._root is None:
            self._root = os.open(self.place, OPEN_FOLDER)
        descriptor = os.open(".", OPEN_FOLDER, dir_fd=self._root) if not path else self._descend(path)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _descend(self, path: str) -> int:
        root = self._root
        assert root is not None
        current = root
        try:
            for part in os.fsdecode(unescape_path(path)).split("/"):
                if part in {"", ".", ".."}:  # leads up, or nowhere: no folder of the library
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
                below = os.open(part, OPEN_FOLDER, dir_fd=current)
                if current != root:
                    os.close(current)
                current = below
        except OSError:
            if current != root:
                os.close(current)
            raise
        return current

    def _unavailable(self, error: OSError) -> FolderUnavailable:
        reason = "does not exist" if error.errno == errno.ENOENT else f"cannot be read ({error.strerror})"
        return FolderUnavailable(f"the folder {self.place} {reason}; nothing was changed")


def _escaped(name: str) -> str:
    """`escape_path` of a name as the file system gives it; the common case without a detour."""
    if name.isascii() and name.isprintable() and "\\" not in name:
        return name
    return escape_path(os.fsencode(name))


def as_stat(status: os.stat_result) -> Stat:
    """What is kept of a file's status."""
    return Stat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)


def _read_all(descriptor: int, size: int, limit: int) -> bytes:
    data = os.read(descriptor, min(size + 1, READ_BYTES))
    if len(data) < READ_BYTES and len(data) >= size:
        return data
    pieces = [data]
    total = len(data)
    while total <= limit and (data := os.read(descriptor, READ_BYTES)):
        pieces.append(data)
        total += len(data)
    return b"".join(pieces)


def _reason(error: OSError) -> str:
    if error.errno == errno.EACCES:
        return "permission denied"
    return (error.strerror or str(error)).lower()


def _kind(status: os.stat_result) -> str:
    for test, name in (
        (mode.S_ISFIFO, "a pipe"),
        (mode.S_ISSOCK, "a socket"),
        (mode.S_ISDIR, "a folder"),
        (mode.S_ISCHR, "a device"),
        (mode.S_ISBLK, "a device"),
    ):
        if test(status.st_mode):
            return name
    return "a special file"
