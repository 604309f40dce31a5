"""The files of a library as a tree of folders, of which only opened ones are laid out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.store import File

NUMBER = re.compile(r"(\d{1,18})")


@dataclass(slots=True)
class _Folder:
    folders: dict[str, _Folder] = field(default_factory=dict)
    files: list[tuple[str, File]] = field(default_factory=list)
    count: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One visible row of the tree.

    Attributes:
        path: of the file, or of the folder without a slash at its end. Escaped, as all paths.
        name: what is shown: the last part; of folders that hold only one folder, the parts together.
        depth: how deep it stands, from 0.
        file: the File; None for a folder.
        opened: whether the folder's content is shown.
        count: how many files lie below the folder, at any depth.
    """

    path: str
    name: str
    depth: int
    file: File | None
    opened: bool = False
    count: int = 0


class Folders:
    """A tree of files and which of its folders are opened."""

    def __init__(self, files: Iterable[File] = (), opened: Iterable[str] = ()) -> None:
        """Made anew for each list of files; `opened` carries over which folders were open."""
        self._root = _Folder()
        self.opened = set(opened)
        self.by_path: dict[str, File] = {}
        known: dict[str, list[_Folder]] = {"": [self._root]}
        for file in files:
            self.by_path[file.path] = file
            parent, _, name = file.path.rpartition("/")
            chain = known.get(parent) or self._chain(parent, known)
            chain[-1].files.append((name, file))
            for folder in chain:
                folder.count += 1
        self.rows: list[Row] = []
        self.lay_out()

    @property
    def count(self) -> int:
        """How many files there are."""
        return self._root.count

    def lay_out(self) -> None:
        """Makes `rows` anew."""
        self.rows = list(self._below(self._root, "", 0))

    def toggle(self, path: str, *, opened: bool | None = None) -> None:
        """Opens or closes a folder."""
        wanted = path not in self.opened if opened is None else opened
        if wanted:
            self.opened.add(path)
        else:
            self.opened.discard(path)
        self.lay_out()

    def reveal(self, path: str) -> int | None:
        """Opens what a file or folder lies in, and gives its row; None where it is not in the tree."""
        if (row := self.row_of(path)) is not None:
            return row
        parents = [path[: match.start()] for match in re.finditer("/", path)]
        if path in self.by_path and not self.opened.issuperset(parents):
            self.opened.update(parents)
            self.lay_out()
        return self.row_of(path)

    def row_of(self, path: str) -> int | None:
        """The row where a path stands; None where it is not visible."""
        return next((index for index, row in enumerate(self.rows) if row.path == path), None)

    def parent_row(self, index: int) -> int | None:
        """The row of the folder that holds a row; None at the top."""
        depth = self.rows[index].depth
        return next((above for above in range(index - 1, -1, -1) if self.rows[above].depth < depth), None)

    def _chain(self, parent: str, known: dict[str, list[_Folder]]) -> list[_Folder]:
        """The folders from the root to a path, made where they are missing."""
        chain, path = [self._root], ""
        for part in parent.split("/"):
            path = f"{path}/{part}" if path else part
            chain = [*chain, chain[-1].folders.setdefault(part, _Folder())]
        known[parent] = chain
        return chain

    def _below(self, top: _Folder, top_path: str, top_depth: int) -> Iterator[Row]:
        """Rows of a folder's content. A loop, not a recursion: folders may lie a thousand deep."""
        pending = [self._content(top, top_path, top_depth)]
        while pending:
            row = next(pending[-1], None)
            if row is None:
                pending.pop()
            elif isinstance(row, Row):
                yield row
            else:
                pending.append(row)

    def _content(self, folder: _Folder, path: str, depth: int) -> Iterator[Row | Iterator[Row]]:
        for name, below in sorted(folder.folders.items(), key=lambda item: _order(item[0])):
            full = f"{path}/{name}" if path else name
            shown = name
            while not below.files and len(below.folders) == 1:
                (part, below), *_ = below.folders.items()  # noqa: PLW2901 - walks down while alone
                full, shown = f"{full}/{part}", f"{shown}/{part}"
            opened = full in self.opened
            yield Row(full, shown, depth, None, opened, below.count)
            if opened:
                yield self._content(below, full, depth + 1)  # type: ignore[misc]  # see _below
        for name, file in sorted(folder.files, key=lambda item: _order(item[0])):
            yield Row(file.path, name, depth, file)


def _order(name: str) -> tuple[list[tuple[int, str]], str]:
    """Names as people order them: case aside, numbers by their value."""
    parts = NUMBER.split(name.casefold())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts if part], name
