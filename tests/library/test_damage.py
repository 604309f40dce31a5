"""Bytes of the store are flipped: what is damaged is refused by name, all else goes on working."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import NotFound, StonebrowseError, StoreDamaged, StoreUnavailable
from stonebrowse.library.library import Library
from tests.library.conftest import write
from tests.store.samples import document, edited

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = [f"{number}.md" for number in range(6)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A library of six Files with three versions each, all of it reviewed but the last edits."""
    folder, store = tmp_path / "docs", tmp_path / "store"
    for step in range(3):
        for number, name in enumerate(NAMES):
            raw = document(number, paragraphs=6)
            for edit in range(step):
                raw = edited(raw, edit)
            write(folder / name, raw)
        with Library.open(folder, store=store) as library:
            library.update()
    with closing(sqlite3.connect(store / "store.sqlite3")) as connection:
        # All of it in the database, nothing in the log.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return tmp_path


def flip(place: Path, piece: int) -> None:
    """Changes a byte of a stored piece, wherever it is."""
    with closing(sqlite3.connect(place / "store" / "store.sqlite3")) as connection:
        connection.execute("INSERT INTO doors VALUES ('re-encode')")
        (data,) = connection.execute("SELECT data FROM pieces WHERE key = ?", (piece,)).fetchone()
        changed = bytearray(data)
        changed[len(changed) // 2] ^= 0x20
        connection.execute("UPDATE pieces SET data = ? WHERE key = ?", (bytes(changed), piece))
        connection.execute("DELETE FROM doors")
        connection.commit()


def test_a_damaged_file_leaves_the_others_whole(place: Path) -> None:
    with closing(sqlite3.connect(place / "store" / "store.sqlite3")) as connection:
        (piece,) = connection.execute(
            "SELECT c.piece FROM files f JOIN versions v ON v.key = f.newest JOIN contents c ON c.key = v.content"
            " WHERE f.path = '3.md'"
        ).fetchone()
    flip(place, piece)
    with Library.open(place / "docs", store=place / "store") as library:
        damaged = library.find_file("3.md")
        # The version before hangs below this one: it is damaged with it.
        named = rf"\(v_\w+\) of File {damaged.file_id}"
        before, newest = library.diff_between(damaged)
        for call in (
            lambda: library.document(newest),
            lambda: library.unified(before, newest),
            lambda: library.compare(before, newest),
            lambda: library.export(newest, place / "out"),
        ):
            with pytest.raises(StoreDamaged, match=named):
                call()
        assert not (place / "out").exists()
        shown = {change.file.path: change.kind for change in library.review().changes}
        assert shown == dict.fromkeys(NAMES, "edited") | {"3.md": "damaged"}
        for name in NAMES:
            if name != "3.md":
                file = library.find_file(name)
                assert library.unified(*library.diff_between(file))
                assert library.export(library.find_version(file, "1"), place / f"out-{name}")
        # The next edit is recorded, and can be read.
        write(place / "docs" / "3.md", "# Whole again\n\nxylophone\n")
        library.update()
        assert library.find_file("3.md").number == 4
        assert [hit.path for hit in library.search("xylophone").hits] == ["3.md"]
        faults = library.check().faults
        assert faults
        assert all("3.md" in fault or "ontent" in fault for fault in faults)


@contextmanager
def refused() -> Iterator[None]:
    """Lets stonebrowse itself refuse what is in the block; any other error fails the test."""
    try:
        yield
    except (StoreDamaged, StoreUnavailable, NotFound):
        return


@pytest.mark.parametrize("seed", range(12))
def test_wherever_a_byte_is_flipped_nothing_wrong_is_shown(place: Path, seed: int) -> None:
    chance = random.Random(seed)
    with Library.open(place / "docs", store=place / "store") as library:
        known = {
            version.version_id: library.store.raw(version.version_id)
            for file in library.files()
            for version in library.versions(file)
        }
        diffs = {name: library.unified(*library.diff_between(library.find_file(name))) for name in NAMES}
    database = place / "store" / "store.sqlite3"
    raw = bytearray(database.read_bytes())
    for _ in range(3):
        raw[chance.randrange(100, len(raw))] ^= 1 << chance.randrange(8)
    database.write_bytes(raw)
    (place / "store" / "store.sqlite3-wal").unlink(missing_ok=True)
    try:
        with Library.open(place / "docs", store=place / "store", create=False) as library:
            for version_id, whole in known.items():
                with refused():
                    assert library.store.raw(version_id) == whole
            for name in NAMES:
                with refused():
                    found = library.unified(*library.diff_between(library.find_file(name)))
                    assert found == diffs[name]
            for call in (library.review, library.check, library.store.sizes, library.store.held_versions):
                with refused():
                    call()
    except StonebrowseError:
        return
