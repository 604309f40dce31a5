"""Opening a store: what it makes, and what it refuses with one sentence."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import Internal, StoreDamaged, StoreUnavailable
from stonebrowse.store import Store, schema
from stonebrowse.store.database import FILE_NAME
from tests.store.samples import FOLDER, add_file, document, open_store

if TYPE_CHECKING:
    from pathlib import Path


def test_the_place_and_its_files_are_private(place: Path) -> None:
    previous = os.umask(0)
    try:
        with open_store(place) as store:
            add_file(store, "a.md", b"a")
            modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in place.iterdir()}
    finally:
        os.umask(previous)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert modes == dict.fromkeys([FILE_NAME, FILE_NAME + "-wal", FILE_NAME + "-shm"], 0o600)


def test_without_create_nothing_is_made(place: Path) -> None:
    for write in (True, False):
        with pytest.raises(StoreUnavailable, match="no store at"):
            Store.open(place, folder=FOLDER, create=False, write=write)
    assert not place.exists()


def test_another_folder_is_refused_until_it_is_relocated(place: Path) -> None:
    with open_store(place) as store:
        add_file(store, "a.md", b"a")
    with pytest.raises(StoreUnavailable, match=r"/home/ann/handbook.*--relocate"):
        Store.open(place, folder=b"/home/ann/other")
    with Store.open(place, folder=b"/home/ann/\xff", relocate=True) as store:
        assert [file.path for file in store.files()] == ["a.md"]
    with pytest.raises(StoreUnavailable, match=r"/home/ann/\\xff"):
        open_store(place)


def test_a_newer_schema_is_refused(place: Path) -> None:
    open_store(place).close()
    newer = len(schema.MIGRATIONS) + 1
    with sqlite3.connect(place / FILE_NAME) as connection:
        connection.execute(f"PRAGMA user_version = {newer}")
    with pytest.raises(StoreUnavailable, match=f"schema {newer}.*upgrade stonebrowse"):
        open_store(place)


def test_a_database_of_another_program_is_refused(place: Path) -> None:
    place.mkdir(parents=True)
    with sqlite3.connect(place / FILE_NAME) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(StoreUnavailable, match="another program"):
        open_store(place)
    with sqlite3.connect(place / FILE_NAME) as connection:
        assert connection.execute("SELECT count(*) FROM bookmarks").fetchone() == (0,)


@pytest.mark.parametrize("content", [b"this is no database, but long enough to be one" * 50, b"\0" * 4096])
def test_what_is_no_database_is_damaged(place: Path, content: bytes) -> None:
    place.mkdir(parents=True)
    (place / FILE_NAME).write_bytes(content)
    for write in (True, False):
        with pytest.raises(StoreDamaged):
            open_store(place, write=write)
    assert (place / FILE_NAME).read_bytes() == content


def test_a_store_cut_short_is_damaged(place: Path) -> None:
    with open_store(place) as store:
        add_file(store, "a.md", *(document(seed) for seed in range(5)))
    whole = (place / FILE_NAME).read_bytes()
    (place / FILE_NAME).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreDamaged), open_store(place) as store:  # noqa: PT012 -- the block is the case
        for file in store.files(state="all"):
            for version in store.versions(file.file_id):
                store.raw(version.version_id)
        assert store.check() == []


def test_an_empty_file_left_by_a_crash_becomes_a_store(place: Path) -> None:
    place.mkdir(parents=True)
    (place / FILE_NAME).touch()
    with open_store(place) as store:
        add_file(store, "a.md", b"a")


def test_a_place_that_is_a_file_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreUnavailable):
            open_store(place)


def test_a_full_disk_is_unavailable_and_changes_nothing(store: Store) -> None:
    add_file(store, "a.md", document(1))
    writer = store._database._writer
    assert writer is not None
    pages = writer.execute("PRAGMA page_count").fetchone()[0]
    writer.execute(f"PRAGMA max_page_count = {pages + 8}")
    with pytest.raises(StoreUnavailable, match="full"):
        add_file(store, "b.md", os.urandom(100_000).hex().encode())
    assert [file.path for file in store.files(state="all")] == ["a.md"]
    writer.execute("PRAGMA max_page_count = 1000000")
    add_file(store, "b.md", b"b")
    assert store.check() == []


def test_a_store_opened_for_reading_is_not_written(place: Path) -> None:
    with open_store(place) as store:
        add_file(store, "a.md", b"a")
    with open_store(place, write=False) as store:
        assert [file.path for file in store.files()] == ["a.md"]
        with pytest.raises(StoreUnavailable, match="for reading only"), store.writing():
            pass


def test_a_closed_store_says_so(place: Path) -> None:
    store = open_store(place)
    store.close()
    store.close()
    for call in (store.files, store.data_version, store.check):
        with pytest.raises(Internal, match="after it was closed"):
            call()
    with pytest.raises(Internal, match="after it was closed"), store.writing():
        pass


def test_names_that_are_no_utf_8_and_have_signs_of_uris(tmp_path: Path) -> None:
    place = tmp_path / os.fsdecode(b"a?b#c%41 \xff")
    with open_store(place) as store:
        add_file(store, "a.md", b"a")
        store.backup(tmp_path / os.fsdecode(b"copy?\xff.sqlite3"))
    assert (place / FILE_NAME).exists()
    assert (tmp_path / os.fsdecode(b"copy?\xff.sqlite3")).stat().st_size > 1000


def read_as_nobody(place: Path) -> subprocess.CompletedProcess[str]:
    """Read the store in a process that may not write the place."""
    program = """
        import os, sys
        from pathlib import Path
        from stonebrowse.errors import StonebrowseError
        from stonebrowse.store import Store
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        place = Path(sys.argv[1])
        try:
            Store.open(place, folder=b"/home/ann/handbook")
        except StonebrowseError as error:
            print(error.code)
        with Store.open(place, folder=b"/home/ann/handbook", write=False) as store:
            for file in store.files():
                print(file.path, store.raw(file.version_id).decode())
    """
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(place)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.mark.skipif(os.name != "posix", reason="users and modes of POSIX")
def test_a_place_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    for parent in tmp_path.parents:
        if (
            parent.stat().st_uid == os.getuid()
            and parent != parent.parent
            and not parent.stat().st_mode & 0o001
        ):
            parent.chmod(parent.stat().st_mode | 0o011)
    tmp_path.chmod(0o755)
    place = tmp_path / "store"
    with open_store(place) as store:
        add_file(store, "a.md", b"words")
    place.chmod(0o555)
    (place / FILE_NAME).chmod(0o444)
    try:
        done = read_as_nobody(place)
    finally:
        place.chmod(0o700)
    assert (done.stdout, done.stderr) == ("store_unavailable\na.md words\n", "")
    assert [entry.name for entry in place.iterdir()] == [FILE_NAME]
