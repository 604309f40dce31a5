"""Where the store lies, whose it is, and what a folder that is gone or other does to it."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Done, Program, has, picture, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def usual_store(program: Program) -> Path:
    real = os.path.realpath(program.folder)
    name = f"{program.folder.name}-{hashlib.sha256(os.fsencode(real)).hexdigest()[:8]}"
    return program.data_home / "stonebrowse" / name


def test_the_store_is_named_after_the_folder_and_private(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.store = None
    old = os.umask(0)
    try:
        program.sync()
    finally:
        os.umask(old)
    store = usual_store(program)
    assert store.is_dir()
    assert stat.S_IMODE(store.stat().st_mode) == 0o700
    assert [path.name for path in store.parent.iterdir() if path.name.startswith("library-")] == [store.name]


def test_a_store_of_ones_own_is_private_too(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    assert program.store is not None
    assert stat.S_IMODE(program.store.stat().st_mode) == 0o700


def test_a_directory_that_others_can_read_is_made_private_or_refused(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    assert program.store is not None
    program.store.mkdir(mode=0o755)
    if program.run("sync").expect(0, 2, 5).code == 0:
        assert stat.S_IMODE(program.store.stat().st_mode) == 0o700


def test_without_xdg_the_store_lies_in_the_home(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.store = None
    for value in (None, "", "relative/place"):
        program.ok("sync", env={"XDG_DATA_HOME": value})
    place = program.home / ".local/share/stonebrowse"
    assert [path.name for path in place.iterdir() if path.is_dir()] == [usual_store(program).name]
    assert not (program.root / "relative").exists()


def test_a_link_to_the_folder_is_the_same_library(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.store = None
    wanted = program.file("a.md")
    link = program.root / "link"
    link.symlink_to(program.folder)
    linked = Program(program.root, link, None)
    assert linked.file("a.md")["file_id"] == wanted["file_id"]
    assert len([path for path in (program.data_home / "stonebrowse").iterdir() if path.is_dir()]) == 1


@pytest.mark.parametrize("place", [".", "store", ".stonebrowse", "sub/deep/store"])
def test_a_store_inside_the_folder_is_refused(make: Callable[..., Program], place: str) -> None:
    program = make({"a.md": "# A\n", "sub/b.md": "# B\n"})
    before = picture(program.folder)
    program.store = program.folder / place
    program.run("sync").refusal(2, "input_invalid")
    program.store = None
    env = {"STONEBROWSE_STORE": str(program.folder / place)}
    program.run("files", "list", env=env).refusal(2, "input_invalid")
    link = program.root / "link"
    link.symlink_to(program.folder)
    program.store = link / place
    program.run("sync").refusal(2, "input_invalid")
    assert picture(program.folder) == before


def test_a_relative_store_inside_the_folder_is_refused(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.run("sync", "--store", "store", bare=True, cwd=program.folder).refusal(2, "input_invalid")
    assert os.listdir(program.folder) == ["a.md"]


def test_a_store_is_of_one_folder(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    before = program.files()
    other = program.root / "other"
    write(other, {"o.md": "# O\n"})
    stranger = Program(program.root, other, program.store)
    for args in (["sync"], ["files", "list"], ["files", "list", "--no-sync"], ["search", "A"]):
        stranger.run(*args).refusal(5, "store_unavailable")
    assert program.files() == before


def test_a_folder_that_moved_takes_its_store_along_when_asked(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    before = program.file("a.md")
    program.folder = program.folder.rename(program.root / "moved")
    assert "--relocate" in program.run("sync").refusal(5, "store_unavailable")
    program.ok("sync", "--relocate")
    assert program.file("a.md")["file_id"] == before["file_id"]
    assert program.ok("files", "list").code == 0


def test_a_folder_that_is_missing_trashes_nothing(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\nalpha\n", "b.md": "# B\n"})
    before = program.files()
    away = program.folder.rename(program.root / "away")
    for args in (["sync"], ["files", "list"], ["search", "alpha"]):
        assert "library" in program.run(*args).refusal(5, "folder_unavailable")
    assert program.files("--no-sync") == before
    assert program.found("alpha", "--no-sync") == ["a.md § A (Line 1)"]
    assert program.ask("files", "text", "a.md", "--no-sync")["text"] == "# A\n\nalpha\n"
    away.rename(program.folder)
    counts = program.sync()
    assert (counts["unchanged"], counts["trashed"], counts["restored"]) == (2, 0, 0)


def test_a_folder_that_became_a_file_trashes_nothing(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    shutil.rmtree(program.folder)
    program.folder.write_text("a file\n", encoding="utf-8")
    program.run("sync").expect(2, 5)
    assert list(program.files("--no-sync")) == ["a.md"]


@pytest.mark.skipif(not has("unshare"), reason="needs unshare, to mount an empty file system")
def test_a_folder_that_came_back_empty_on_another_device_trashes_nothing(
    make: Callable[..., Program],
) -> None:
    program = make({"a.md": "# A\n", "b.md": "# B\n"})
    before = program.files()
    script = 'mount -t tmpfs none "$1" && shift && exec "$@"'
    words = ["unshare", "-rm", "sh", "-c", script, "sh", str(program.folder)]
    probe = subprocess.run([*words, "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"no mounts in a user namespace here: {probe.stderr.decode().strip()}")
    for args in (["sync"], ["files", "list"], ["sync", "--full"]):
        run = subprocess.run(
            [*words, *program.words(args)], env=program.environment(), capture_output=True, check=False
        )
        Done(tuple(args), run.returncode, run.stdout, run.stderr).refusal(5, "folder_unavailable")
    assert program.files() == before


def test_a_folder_emptied_in_place_is_an_edit(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "b.md": "# B\n"})
    program.sync()
    for name in ("a.md", "b.md"):
        (program.folder / name).unlink()
    assert program.sync()["trashed"] == 2
    assert sorted(program.files("--trashed")) == ["a.md", "b.md"]


def test_two_folders_of_one_name_have_stores_of_their_own(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.store = None
    program.sync()
    twin = Program(program.root, program.root / "elsewhere" / "library", None)
    write(twin.folder, {"b.md": "# B\n"})
    assert list(twin.files()) == ["b.md"]
    assert list(program.files()) == ["a.md"]


def test_a_store_that_lies_in_the_folder_by_rule_is_never_walked(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.store = None
    env = {"XDG_DATA_HOME": str(program.folder / "data")}
    first = program.run("sync", env=env)
    first.expect(0, 2)  # a refusal keeps the rule as well
    place = program.folder / "data"
    for path in [path for path in place.rglob("*") if path.is_dir()]:
        (path / "inside.md").write_text("# Inside\n", encoding="utf-8")
    if first.code == 0:
        listed = program.ask("files", "list", env=env)["files"]
        assert not [one["path"] for one in listed if "stonebrowse/library-" in one["path"]]
