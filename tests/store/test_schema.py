"""Migrations, checking and copying a whole store."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest

from stonebrowse.errors import InputInvalid, StoreUnavailable
from stonebrowse.store import Store, schema
from stonebrowse.store.database import FILE_NAME
from tests.store.samples import FOLDER, add_file, document, edited, open_store

FIRST = Path(__file__).parent / "data" / "schema-1.sqlite3"
"""A store as the first schema wrote it: made once by `python -m tests.store.test_schema`, never again."""

LATER = "CREATE TABLE later (key INTEGER PRIMARY KEY) STRICT;\nINSERT INTO later VALUES (7);\n"


def contents() -> dict[str, list[bytes]]:
    first = document(1)
    return {"a.md": [first, edited(first, 1), first], "b/täst.md": ["# Tä\n".encode("utf-16")], "c.md": [b""]}


def write_first(place: Path) -> None:
    with open_store(place) as store:
        for path, raws in contents().items():
            add_file(store, path, *raws)
        with store.writing() as writing:
            writing.trash(store.files()[2].file_id, "hand")
            writing.note("fact", "kept")


def assert_first(store: Store) -> None:
    assert {file.path: file.state for file in store.files(state="all")} == {
        "a.md": "current",
        "b/täst.md": "current",
        "c.md": "trashed",
    }
    for file in store.files(state="all"):
        versions = store.versions(file.file_id)[::-1]
        assert [store.raw(version.version_id) for version in versions] == contents()[file.path]
        assert all(store.cut(version.version_id) is not None for version in versions)
    assert store.noted("fact") == "kept"
    assert store.check() == []


def test_a_store_of_the_first_schema_is_read_and_written(place: Path) -> None:
    place.mkdir(parents=True)
    copyfile(FIRST, place / FILE_NAME)
    with open_store(place) as store:
        assert_first(store)
        add_file(store, "d.md", document(9))


def test_a_later_migration_keeps_everything(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_first(place)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, LATER))
    for write in (False, True):
        with open_store(place, write=write) as store:
            assert_first(store)
    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)
        assert connection.execute("SELECT key FROM later").fetchall() == [(7,)]


def test_a_failing_migration_changes_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_first(place)
    with monkeypatch.context() as patched:
        broken = LATER + "INSERT INTO nowhere VALUES (1);\n"
        patched.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, broken))
        with pytest.raises(Exception, match="nowhere"):
            open_store(place)
    with open_store(place) as store:
        assert_first(store)
    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema WHERE name = 'later'").fetchone() is None


def test_an_older_schema_that_cannot_be_written_says_so(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_first(place)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, LATER))
    monkeypatch.setattr("stonebrowse.store.database.os.access", lambda _path, _mode: False)
    with pytest.raises(StoreUnavailable, match="older stonebrowse"):
        open_store(place, write=False)


def test_a_backup_is_a_store(place: Path, tmp_path: Path) -> None:
    write_first(place)
    restored = tmp_path / "restored"
    restored.mkdir()
    with open_store(place) as store:
        with store.writing() as writing:
            writing.note("unfinished", "yes")
            store.backup(restored / FILE_NAME)
        store.backup(tmp_path / "second")
        with pytest.raises(InputInvalid, match="already"):
            store.backup(tmp_path / "second")
        with pytest.raises(StoreUnavailable):
            store.backup(tmp_path / "nowhere" / "copy")
    assert (restored / FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["data", "restored", "second"]
    with open_store(restored) as store:
        assert_first(store)
        assert store.noted("unfinished") is None
        add_file(store, "d.md", document(3))


def test_checking_tells_how_far_it_is_and_can_be_stopped(place: Path) -> None:
    with open_store(place) as store:
        for number in range(80):
            add_file(store, f"{number}.md", document(number, paragraphs=2))
        told: list[tuple[int, int]] = []
        assert store.check(lambda done, of: told.append((done, of))) == []
        assert told[0] == (0, 160)
        assert told[-1] == (160, 160)

        def stop(done: int, _of: int) -> None:
            if done:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.check(stop)
        assert len(store.files()) == 80


def test_checking_finds_rows_that_are_gone(place: Path) -> None:
    write_first(place)
    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        connection.execute("DROP TRIGGER contents_are_kept")
        connection.execute("DELETE FROM contents WHERE key = 1")
        connection.commit()
    with open_store(place) as store:
        assert {fault.kind for fault in store.check()} >= {"database", "version"}


def test_the_folder_of_a_backup_is_the_same(place: Path, tmp_path: Path) -> None:
    write_first(place)
    (tmp_path / "restored").mkdir()
    with open_store(place) as store:
        store.backup(tmp_path / "restored" / FILE_NAME)
    with pytest.raises(StoreUnavailable, match="--relocate"):
        Store.open(tmp_path / "restored", folder=FOLDER + b"/other")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        write_first(Path(temporary) / "store")
        with open_store(Path(temporary) / "store") as written:
            FIRST.parent.mkdir(exist_ok=True)
            written.backup(FIRST)
