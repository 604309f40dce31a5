"""Damage is refused by name, all else reads, and the triggers keep what was recorded."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import NotFound, StonebrowseError, StoreDamaged, StoreUnavailable
from stonebrowse.store import Store
from stonebrowse.store.database import FILE_NAME
from tests.store.samples import FOLDER, add_file, document, edited, large_document, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from stonebrowse.store import Version


def database(place: Path) -> AbstractContextManager[sqlite3.Connection]:
    """The database as any other program opens it."""
    return closing(sqlite3.connect(place / FILE_NAME, isolation_level=None))


def damage(place: Path, piece: int, at: int = -3) -> None:
    """Change a byte of a piece behind the back of the triggers."""
    with database(place) as connection:
        connection.execute("INSERT INTO doors VALUES ('re-encode')")
        (data,) = connection.execute("SELECT data FROM pieces WHERE key = ?", (piece,)).fetchone()
        changed = bytearray(data)
        changed[at] ^= 0x10
        connection.execute("UPDATE pieces SET data = ? WHERE key = ?", (bytes(changed), piece))
        connection.execute("DELETE FROM doors")


def piece_of(place: Path, table: str, version: Version) -> int:
    joined = {"contents": "contents c ON c.key = v.content", "cuts": "cuts c ON c.version = v.key"}
    with database(place) as connection:
        (piece,) = connection.execute(
            f"SELECT c.piece FROM versions v JOIN {joined[table]} WHERE v.id = ?", (version.version_id,)
        ).fetchone()
    assert isinstance(piece, int)
    return piece


@pytest.fixture
def versions(place: Path) -> list[Version]:
    """Three versions of one File and one of another."""
    raw = document(1)
    with open_store(place) as store:
        chain = add_file(store, "a.md", raw, edited(raw, 1), edited(edited(raw, 1), 2))
        return [*chain, *add_file(store, "b.md", document(2))]


def test_a_damaged_current_version_is_refused_by_name(place: Path, versions: list[Version]) -> None:
    damage(place, piece_of(place, "contents", versions[3]))
    with open_store(place) as store:
        named = rf"Version 1 \({versions[3].version_id}\) of File {versions[3].file_id}.*doctor"
        for call in (store.raw, store.text, lambda version_id: store.window(version_id, 0, 10)):
            with pytest.raises(StoreDamaged, match=named):
                call(versions[3].version_id)
        assert [len(store.raw(version.version_id)) for version in versions[:3]] == [
            version.bytes for version in versions[:3]
        ]
        faults = store.check()
    assert {(fault.path, fault.version_id, fault.number) for fault in faults if fault.kind == "version"} == {
        ("b.md", versions[3].version_id, 1)
    }


def test_a_damaged_older_version_leaves_the_newer_ones(place: Path, versions: list[Version]) -> None:
    damage(place, piece_of(place, "contents", versions[1]))
    with open_store(place) as store:
        assert store.raw(versions[2].version_id)
        for version in versions[:2]:
            with pytest.raises(StoreDamaged, match=version.version_id):
                store.raw(version.version_id)
        assert {fault.number for fault in store.check() if fault.kind == "version"} == {1, 2}


def test_a_damaged_cut_leaves_the_text(place: Path, versions: list[Version]) -> None:
    damage(place, piece_of(place, "cuts", versions[2]))
    with open_store(place) as store:
        with pytest.raises(StoreDamaged, match=versions[2].version_id):
            store.cut(versions[2].version_id)
        assert store.text(versions[2].version_id)
        assert versions[2].version_id in {fault.version_id for fault in store.check() if fault.kind == "cut"}


def test_a_changed_row_is_refused(place: Path, versions: list[Version]) -> None:
    for column, value in [
        ("encoding", "'latin-1'"),
        ("recorded_us", "5"),
        ("number", "9"),
        ("text_size", "3"),
    ]:
        with open_store(place) as store:
            store.backup(place / "copy")
        with database(place) as connection:
            connection.execute("DROP TRIGGER versions_stay")
            connection.execute(f"UPDATE versions SET {column} = {value} WHERE key = {versions[3].key}")
        with open_store(place) as store:
            with pytest.raises(StoreDamaged, match=versions[3].version_id):
                store.raw(versions[3].version_id)
            assert [fault.version_id for fault in store.check()] == [versions[3].version_id]
        (place / "copy").replace(place / FILE_NAME)


def test_one_damaged_frame_leaves_the_other_windows(place: Path) -> None:
    raw = large_document(2 << 20)
    with open_store(place) as store:
        (version,) = add_file(store, "large.md", raw)
        frames = store.frames(version.version_id)
    with database(place) as connection:
        (piece,) = connection.execute(
            "SELECT piece FROM contents WHERE size = ? ORDER BY key", (frames[3].size,)
        ).fetchone()
    damage(place, piece)
    with open_store(place) as store:
        for frame in frames[:3] + frames[4:]:
            assert (
                store.window(version.version_id, frame.start, frame.size)
                == (raw[frame.start : frame.start + frame.size])
            )
        with pytest.raises(StoreDamaged, match=version.version_id):
            store.window(version.version_id, frames[3].start, 1)
        with pytest.raises(StoreDamaged, match=version.version_id):
            store.raw(version.version_id)
        assert version.version_id in {fault.version_id for fault in store.check()}


def test_lost_bytes_are_refused_by_name(place: Path, versions: list[Version]) -> None:
    with database(place) as connection:
        connection.execute("INSERT INTO doors VALUES ('prune')")
        piece = piece_of(place, "contents", versions[3])
        connection.execute("DELETE FROM pieces WHERE key = ?", (piece,))
        connection.execute("DELETE FROM doors")
    with open_store(place) as store:
        with pytest.raises(StoreDamaged, match=versions[3].version_id):
            store.raw(versions[3].version_id)
        assert versions[3].version_id in {fault.version_id for fault in store.check()}


def test_pruned_bytes_are_not_damage(place: Path, versions: list[Version]) -> None:
    with database(place) as connection:
        connection.execute("INSERT INTO doors VALUES ('prune')")
        connection.execute(
            "UPDATE contents SET form = 4, dictionary = NULL, piece = NULL, base = NULL WHERE key ="
            " (SELECT content FROM versions WHERE id = ?)",
            (versions[0].version_id,),
        )
        connection.execute("DELETE FROM doors")
    with open_store(place) as store:
        with pytest.raises(NotFound, match="pruned"):
            store.raw(versions[0].version_id)
        assert store.check() == []
        add_file(store, "c.md", document(1))
        assert store.raw(versions[0].version_id) == document(1)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM versions",
        "UPDATE versions SET number = 7",
        "UPDATE versions SET recorded_us = 0",
        "DELETE FROM contents",
        "UPDATE contents SET digest = zeroblob(32)",
        "UPDATE contents SET size = 1",
        "UPDATE contents SET piece = 1",
        "UPDATE contents SET form = 4, piece = NULL, base = NULL, dictionary = NULL",
        "DELETE FROM pieces",
        "UPDATE pieces SET data = zeroblob(5)",
        "DELETE FROM cuts",
        "UPDATE cuts SET hash = zeroblob(8)",
        "UPDATE cuts SET piece = 1",
        "DELETE FROM files",
        "UPDATE files SET id = 'f_000000000000'",
        "UPDATE files SET written_by = 'stonebrowse'",
    ],
)
def test_what_is_recorded_cannot_be_changed(place: Path, versions: list[Version], statement: str) -> None:
    with database(place) as connection, pytest.raises(sqlite3.IntegrityError, match=r"never|keeps"):
        connection.execute(statement)
    with open_store(place) as store:
        assert store.raw(versions[0].version_id) == document(1)
        assert store.check() == []


def test_a_door_opens_only_what_it_is_for(place: Path, versions: list[Version]) -> None:
    assert versions
    with database(place) as connection:
        connection.execute("BEGIN")
        connection.execute("INSERT INTO doors VALUES ('re-encode')")
        for statement in (
            "UPDATE contents SET form = 4, piece = NULL, base = NULL, dictionary = NULL",
            "DELETE FROM cuts",
            "DELETE FROM versions",
            "UPDATE contents SET digest = zeroblob(32)",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)
        connection.execute("ROLLBACK")
        with pytest.raises(sqlite3.IntegrityError):
            connection.execute("INSERT INTO doors VALUES ('any')")


def read_everything(store: Store, known: dict[str, bytes]) -> Iterator[tuple[str, bool]]:
    """Read each version: whether it is right, or refused by stonebrowse itself."""
    for version_id, raw in known.items():
        try:
            yield version_id, store.raw(version_id) == raw
        except (StoreDamaged, NotFound):
            continue


def test_any_flipped_byte_is_seen_or_does_no_harm(tmp_path: Path) -> None:
    place = tmp_path / "store"
    known: dict[str, bytes] = {}
    with open_store(place) as store:
        for seed in range(12):
            raw = document(seed, paragraphs=6)
            contents = [raw, edited(raw, 1), edited(raw, 2)]
            versions = add_file(store, f"{seed}.md", *contents)
            known |= {version.version_id: each for version, each in zip(versions, contents, strict=True)}
    whole = (place / FILE_NAME).read_bytes()
    source = random.Random(7)
    readable = 0
    for _ in range(60):
        changed = bytearray(whole)
        changed[source.randrange(len(whole))] ^= 1 << source.randrange(8)
        (place / FILE_NAME).write_bytes(changed)
        try:
            with Store.open(place, folder=FOLDER, write=False) as store:
                right = dict(read_everything(store, known))
                assert all(right.values())
                readable += len(right)
                if len(right) < len(known):
                    assert store.check()
        except (StoreDamaged, StoreUnavailable):
            continue
        except StonebrowseError as error:
            pytest.fail(f"{error.code}: {error}")
    assert readable > 30 * len(known)


def test_one_damaged_part_of_a_dictionary_is_made_good(place: Path) -> None:
    known: dict[str, bytes] = {}
    with open_store(place) as store:
        for number in range(30):
            with store.writing() as writing:
                writing._contents.pace.count(64 << 10)
            raw = document(number)
            (version,) = add_file(store, f"{number}.md", raw)
            known[version.version_id] = raw
        store.tidy(1 << 20)
    with database(place) as connection:
        used = connection.execute("SELECT count(*) FROM contents WHERE form = 1").fetchone()[0]
        assert used > 10
        connection.execute("DROP TRIGGER dictionary_parts_stay")
        connection.execute("UPDATE dictionary_parts SET data = zeroblob(length(data)) WHERE part = 3")
    with open_store(place) as store:
        assert all(store.raw(version_id) == raw for version_id, raw in known.items())
        assert {fault.kind for fault in store.check()} == {"dictionary"}
    with database(place) as connection:
        connection.execute("UPDATE dictionary_parts SET data = zeroblob(length(data)) WHERE part = 9")
    with open_store(place) as store:
        read = dict(read_everything(store, known))
        assert len(read) == len(known) - used
        assert all(read.values())
        damaged = {fault.version_id for fault in store.check() if fault.kind == "version"}
        assert damaged == known.keys() - read.keys()
