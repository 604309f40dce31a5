"""Which paths `.gitignore` files leave out.

Patterns are matched by pathspec, which is imported only where a `.gitignore` is found. Precedence is git's
(gitignore(5)): the file nearest to a path decides, in it the last pattern that matches; below a folder that
is left out nothing is looked at.
"""

from __future__ import annotations

import os
import stat as mode
from typing import TYPE_CHECKING, Protocol

from stonebrowse.text.citations import unescape_path

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_RULES_BYTES = 1 << 20


class _Result(Protocol):
    @property
    def include(self) -> bool | None: ...


class _Patterns(Protocol):
    def check_file(self, file: str) -> _Result: ...


class IgnoreRules:
    """The `.gitignore` files of a folder, by the folder they stand in."""

    def __init__(self) -> None:
        self._patterns: dict[str, _Patterns] = {}
        self._known: set[str] = set()

    def knows(self, folder: str) -> bool:
        """Whether a folder's own `.gitignore` was looked for."""
        return folder in self._known

    def load(self, folder: str, descriptor: int, there: bool) -> None:
        """Reads the `.gitignore` of a folder.

        Args:
            folder: its path in the library, empty for the root.
            descriptor: the opened folder.
            there: whether there may be one.
        """
        self._known.add(folder)
        lines = _lines(descriptor) if there else []
        if lines:
            from pathspec import GitIgnoreSpec

            self._patterns[folder] = GitIgnoreSpec.from_lines(lines)
        else:
            self._patterns.pop(folder, None)

    def ignores(self, path: str, *, folder: bool) -> bool:
        """Whether a path is left out, its parents being not."""
        if not self._patterns:
            return False
        for parent in _parents(path):
            patterns = self._patterns.get(parent)
            if patterns is not None:
                below = path[len(parent) + 1 :] if parent else path
                name = os.fsdecode(unescape_path(below)) if "\\" in below else below
                verdict = patterns.check_file(f"{name}/" if folder else name).include
                if verdict is not None:
                    return verdict
        return False


def _parents(path: str) -> Iterable[str]:
    while path:
        path = path.rpartition("/")[0]
        yield path


def _lines(folder: int) -> list[str]:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(".gitignore", flags, dir_fd=folder)
    except OSError:
        return []
    try:
        if not mode.S_ISREG(os.fstat(descriptor).st_mode):
            return []
        with os.fdopen(os.dup(descriptor), "rb") as file:
            data = file.read(MAX_RULES_BYTES)
    except OSError:
        return []
    finally:
        os.close(descriptor)
    return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").splitlines()
