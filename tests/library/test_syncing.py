from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import FolderUnavailable
from tests.library.conftest import DOCUMENTS, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.library.library import Library


def counts(library: Library, *, full: bool = False) -> dict[str, float]:
    """What a sync changed; zeros left out."""
    found = library.update(full=full)
    assert found is not None
    return {name: value for name, value in found.items() if value and name not in {"seconds", "passages"}}


def ids(library: Library) -> dict[str, str]:
    return {file.path: file.file_id for file in library.files()}


def test_a_first_sync_adds_everything_and_a_second_nothing(library: Library) -> None:
    assert counts(library) == {"added": 3}
    assert counts(library) == {"unchanged": 3}
    assert sorted(ids(library)) == sorted(DOCUMENTS)
    for file in library.files():
        version = library.find_version(file, None)
        assert library.store.text(version.version_id).decode() == DOCUMENTS[file.path]
        assert (version.number, version.state, version.current) == (1, "ready", True)


def test_a_b_a_gives_three_versions(library: Library, folder: Path) -> None:
    library.update()
    first = DOCUMENTS["README.md"]
    for text in ("# Other\n", first):
        write(folder / "README.md", text)
        assert counts(library) == {"changed": 1, "unchanged": 2}
    versions = library.versions(library.find_file("README.md"))
    assert [version.number for version in versions] == [3, 2, 1]
    assert versions[0].digest == versions[2].digest
    assert len({version.version_id for version in versions}) == 3


def test_touching_and_chmod_make_no_version(library: Library, folder: Path) -> None:
    library.update()
    os.utime(folder / "README.md", (1, 1))
    (folder / "rooms/lamp.md").chmod(0o600)
    write(folder / "rooms/stairs.md", DOCUMENTS["rooms/stairs.md"])
    assert counts(library) == {"unchanged": 3}
    assert all(file.versions == 1 for file in library.files())


def test_an_edit_that_keeps_size_and_mtime_is_found(library: Library, folder: Path) -> None:
    library.update()
    place = folder / "README.md"
    status = place.stat()
    write(place, DOCUMENTS["README.md"].replace("turns", "burns"))
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert counts(library) == {"changed": 1, "unchanged": 2}


def test_an_older_file_in_its_place_is_found(library: Library, folder: Path, tmp_path: Path) -> None:
    library.update()
    write(tmp_path / "older.md", "# Older\n")
    os.utime(tmp_path / "older.md", (10, 10))
    (tmp_path / "older.md").replace(folder / "README.md")
    assert counts(library) == {"changed": 1, "unchanged": 2}


def test_a_rename_keeps_the_file_and_makes_no_version(library: Library, folder: Path) -> None:
    library.update()
    before = ids(library)
    (folder / "rooms/lamp.md").rename(folder / "Lantern.md")
    assert counts(library) == {"renamed": 1, "unchanged": 2}
    after = library.find_file("Lantern.md")
    assert (after.file_id, after.versions) == (before["rooms/lamp.md"], 1)
    (hit,) = library.search("wick evening").hits
    assert hit.citation == "Lantern.md § Wick (Line 5)"
    assert library.search("path:lantern wick evening").total == 1


def test_a_renamed_folder_keeps_its_files_also_case_only(library: Library, folder: Path) -> None:
    library.update()
    before = ids(library)
    for name in ("chambers", "Chambers"):
        next(place for place in folder.iterdir() if place.is_dir()).rename(folder / name)
        assert counts(library) == {"renamed": 2, "unchanged": 1}
    after = ids(library)
    assert after["Chambers/lamp.md"] == before["rooms/lamp.md"]
    assert after["Chambers/stairs.md"] == before["rooms/stairs.md"]


def test_files_of_the_same_content_stay_separate_and_swap_by_inode(library: Library, folder: Path) -> None:
    for name in ("one.md", "two.md"):
        write(folder / name, "# Same\n")
    library.update()
    before = ids(library)
    assert before["one.md"] != before["two.md"]
    (folder / "one.md").rename(folder / "uno.md")
    (folder / "two.md").rename(folder / "due.md")
    assert counts(library) == {"renamed": 2, "unchanged": 3}
    after = ids(library)
    assert (after["uno.md"], after["due.md"]) == (before["one.md"], before["two.md"])


def test_a_copy_is_a_file_of_its_own(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "copy.md", DOCUMENTS["README.md"])
    assert counts(library) == {"added": 1, "unchanged": 3}


@pytest.mark.parametrize("text", [DOCUMENTS["README.md"], "# Quite another\n"])
def test_what_disappears_is_trashed_and_comes_back_as_the_same_file(
    library: Library, folder: Path, text: str
) -> None:
    library.update()
    before = ids(library)
    (folder / "README.md").unlink()
    assert counts(library) == {"trashed": 1, "unchanged": 2}
    assert library.search("lantern").hits == []
    (gone,) = library.files(trashed=True)
    assert (gone.path, gone.trashed_by) == ("README.md", "disappearance")
    write(folder / "README.md", text)
    assert counts(library) == {"restored": 1, "unchanged": 2}
    back = library.find_file("README.md")
    assert back.file_id == before["README.md"]
    assert back.versions == (1 if text == DOCUMENTS["README.md"] else 2)


def test_what_becomes_unreadable_stays_as_it_was(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "README.md", b"picture\x00\xff\xfe\x00")
    (folder / "rooms/lamp.md").unlink()
    os.mkfifo(folder / "rooms/lamp.md")
    found = counts(library)
    assert found["skipped"] == 2
    assert "trashed" not in found
    reasons = dict(library.skipped())
    assert "NUL" in reasons["README.md"]
    assert "pipe" in reasons["rooms/lamp.md"]
    assert len(library.search("lantern").hits) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_folder_trashes_nothing(library: Library, folder: Path) -> None:
    library.update()
    (folder / "rooms").chmod(0)
    try:
        found = counts(library)
        assert "trashed" not in found
        assert dict(library.skipped())["rooms/"] == "permission denied"
    finally:
        (folder / "rooms").chmod(0o755)
    assert counts(library) == {"unchanged": 3}


def test_a_missing_folder_trashes_nothing(library: Library, folder: Path) -> None:
    library.update()
    folder.rename(folder.with_name("away"))
    with pytest.raises(FolderUnavailable, match="does not exist"):
        library.update()
    folder.with_name("away").rename(folder)
    assert counts(library) == {"unchanged": 3}


def test_a_folder_that_came_back_empty_on_another_device_trashes_nothing(
    library: Library, folder: Path
) -> None:
    library.update()
    with library.store.writing() as writing:  # as if it had been mounted from elsewhere
        writing.note("folder_device", "1")
    for name in DOCUMENTS:
        (folder / name).unlink()
    with pytest.raises(FolderUnavailable, match="another device"):
        library.update()
    assert len(library.files()) == 3


def test_an_emptied_folder_on_the_same_device_is_believed(library: Library, folder: Path) -> None:
    library.update()
    for name in DOCUMENTS:
        (folder / name).unlink()
    assert counts(library) == {"trashed": 3}


def test_full_compares_contents(library: Library) -> None:
    library.update()
    file = library.find_file("README.md")
    assert file.stat is not None
    assert counts(library, full=True) == {"unchanged": 3}


def test_a_file_that_never_stands_still_is_recorded_and_keeps_nobody_waiting(
    library: Library, folder: Path
) -> None:
    library.update()
    stop = threading.Event()

    def grow() -> None:
        with (folder / "log.md").open("a") as file:
            while not stop.is_set():
                file.write("line\n")
                file.flush()

    thread = threading.Thread(target=grow)
    thread.start()
    try:
        write(folder / "quick.md", "# Quick\n")
        assert counts(library)["added"] == 2
    finally:
        stop.set()
        thread.join()
    library.update()
    (newest, *_) = library.versions(library.find_file("log.md"))
    assert library.store.raw(newest.version_id) == (folder / "log.md").read_bytes()


def test_times_of_any_kind_are_taken(library: Library, folder: Path) -> None:
    for index, seconds in enumerate((4_102_444_800, 0, -2_208_988_800, 2**33)):
        write(folder / f"{index}.md", f"# T{index}\n")
        os.utime(folder / f"{index}.md", (seconds, seconds))
    assert counts(library) == {"added": 7}
    for index in range(4):
        write(folder / f"{index}.md", f"# U{index}\n")
    assert counts(library) == {"changed": 4, "unchanged": 3}


def test_nothing_is_written_into_the_folder(
    library: Library, folder: Path, opened: Callable[[Path], Library]
) -> None:
    before = sorted(folder.rglob("*"))
    library.update()
    library.search("lantern")
    opened(folder).update(full=True)
    assert sorted(folder.rglob("*")) == before
