"""Laws of trashing by hand: whatever the folder does, the library is the folder less what was trashed by hand."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.library.library import Library

if TYPE_CHECKING:
    from pathlib import Path

PATHS = ["a.md", "b.md", "sub/a.md", "sub/c.md"]


class Model:
    """What is to be true: which paths are out of the library by hand, and where their Files went."""

    def __init__(self, folder: Path, library: Library, chance: random.Random) -> None:
        self.folder = folder
        self.library = library
        self.chance = chance
        self.out: dict[str, str] = {}
        """By File ID, the path of a File that was trashed by hand."""
        self.count = 0

    def there(self) -> list[str]:
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*.md"))

    def write(self) -> None:
        """Writes a document that no other is equal to."""
        self.count += 1
        path = self.folder / self.chance.choice(PATHS)
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# Number {self.count}\n", encoding="utf-8")

    def delete(self) -> None:
        if there := self.there():
            (self.folder / self.chance.choice(there)).unlink()

    def trash(self) -> None:
        if files := self.library.files():
            file = self.library.trash(self.chance.choice(files))
            self.out[file.file_id] = file.path

    def move(self) -> None:
        """Renames a document to a free path, or over another one."""
        if there := self.there():
            target = self.folder / self.chance.choice(PATHS)
            target.parent.mkdir(exist_ok=True)
            (self.folder / self.chance.choice(there)).rename(target)
            self.look_at_moves()

    def look_at_moves(self) -> None:
        """What is out follows its file: only the library knows which was moved."""
        self.library.update()
        for file_id in self.out:
            self.out[file_id] = self.library.find_file(file_id).path

    def restore(self) -> None:
        if self.out:
            file_id = self.chance.choice(sorted(self.out))
            file = self.library.find_file(file_id)
            if self.library.find_file(file.path).state == "current":
                with pytest.raises(InputInvalid, match="another File"):
                    self.library.restore(file)
            elif file.path in self.there():
                restored, _ = self.library.restore(file)
                assert restored.state == "current"
                del self.out[file_id]
            else:
                with pytest.raises(NotFound, match="export"):
                    self.library.restore(file)

    def look(self) -> None:
        self.library.update(full=self.chance.random() < 0.5)
        out = {self.library.find_file(file_id).path for file_id in self.out}
        held = {file.path: self.library.store.raw(file.version_id) for file in self.library.files()}
        there = set(self.there())
        # Over one that is out another may have been moved: then that one is at its path.
        assert there - out <= held.keys() <= there
        assert held == {path: (self.folder / path).read_bytes() for path in held}
        for file_id in self.out:
            assert self.library.find_file(file_id).trashed_by == "hand"


@pytest.mark.parametrize("seed", range(12))
def test_what_was_trashed_by_hand_stays_out(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    with Library.open(folder, store=tmp_path / "store") as library:
        model = Model(folder, library, random.Random(seed))
        for _ in range(40):
            step = model.chance.choice(
                [model.write, model.write, model.delete, model.move, model.trash, model.restore, model.look]
            )
            step()
            if model.chance.random() < 0.5:
                model.look()
        model.look()
        assert library.check().faults == []
        assert library.indexed()[0] == library.indexed()[1]


def test_a_file_that_is_there_is_not_restored_over(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n", encoding="utf-8")
    (folder / "b.md").write_text("# B\n", encoding="utf-8")
    with Library.open(folder, store=tmp_path / "store") as library:
        library.update()
        gone, other = library.trash(library.find_file("a.md")), library.find_file("b.md")
        (folder / "a.md").unlink()
        library.update()
        (folder / "b.md").rename(folder / "a.md")
        library.update()
        # The renamed File is another one; it keeps its ID, and the one that was trashed stays out.
        assert library.find_file("a.md").file_id == other.file_id
        with pytest.raises(InputInvalid, match="another File"):
            library.restore(library.find_file(gone.file_id))
        library.trash(other)
        assert [file.path for file in library.files()] == []
