"""The tree of folders."""

from __future__ import annotations

from stonebrowse.store import File, FileId, VersionId
from stonebrowse.tui.folders import Folders


def file(path: str) -> File:
    return File(
        file_id=FileId(f"f_{path}"),
        path=path,
        state="current",
        trashed_by=None,
        written_by="person",
        version_id=VersionId("v_000000000000"),
        number=1,
        size=1,
        versions=1,
        stat=None,
    )


def shown(folders: Folders) -> list[str]:
    return [f"{'  ' * row.depth}{row.name}{'/' if row.file is None else ''}" for row in folders.rows]


def test_folders_stand_first_and_numbers_are_ordered_by_value() -> None:
    folders = Folders(map(file, ["b10.md", "b9.md", "A.md", "z/x.md", "a/x.md"]))
    assert shown(folders) == ["a/", "z/", "A.md", "b9.md", "b10.md"]


def test_folded_folders_say_how_many_files_lie_below() -> None:
    folders = Folders(map(file, ["a/b/1.md", "a/b/2.md", "a/3.md"]))
    assert [(row.path, row.count) for row in folders.rows] == [("a", 3)]
    assert folders.count == 3


def test_opening_a_folder_shows_what_is_in_it_and_closing_hides_it() -> None:
    folders = Folders(map(file, ["a/b/1.md", "a/2.md"]))
    folders.toggle("a")
    assert shown(folders) == ["a/", "  b/", "  2.md"]
    folders.toggle("a/b")
    assert shown(folders) == ["a/", "  b/", "    1.md", "  2.md"]
    folders.toggle("a")
    assert shown(folders) == ["a/"]


def test_folders_that_hold_only_one_folder_are_one_row() -> None:
    deep = "/".join(f"level{number}" for number in range(300))
    folders = Folders(map(file, [f"{deep}/bottom.md", "top.md"]))
    assert [row.path for row in folders.rows] == [deep, "top.md"]
    folders.toggle(deep)
    assert [row.path for row in folders.rows] == [deep, f"{deep}/bottom.md", "top.md"]


def test_revealing_a_file_opens_the_folders_above_it() -> None:
    folders = Folders(map(file, ["a/b/c/1.md", "a/b/2.md", "a/3.md"]))
    row = folders.reveal("a/b/c/1.md")
    assert row is not None
    assert folders.rows[row].path == "a/b/c/1.md"
    assert folders.reveal("not/there.md") is None


def test_the_parent_of_a_row_is_the_folder_that_holds_it() -> None:
    folders = Folders(map(file, ["a/1.md", "a/2.md"]), opened={"a"})
    assert folders.parent_row(2) == 0
    assert folders.parent_row(0) is None


def test_names_that_look_like_numbers_of_any_script_are_ordered() -> None:
    folders = Folders(map(file, ["²x.md", "٣.md", "3.md", "99999999999999999999999.md", ".md"]))
    assert len(folders.rows) == 5
