"""The sources of engraved notes: kept as they were written, and the versions they name held."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from stonebrowse.store.database import FILE_NAME
from stonebrowse.store.notes import NoteSource
from stonebrowse.text.decoding import Decoded, decode
from stonebrowse.text.passages import cut
from tests.store.samples import NOW, document, edited, open_store, stat_of

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store, Version


def record(store: Store, path: str, raw: bytes, days: int, before: Version | None = None) -> Version:
    decoded = decode(raw)
    assert isinstance(decoded, Decoded)
    with store.writing() as writing:
        file_id = before.file_id if before else writing.add_file(path, stat_of(raw))
        version = writing.record(file_id, raw, decoded, stat_of(raw), NOW - timedelta(days=days))
        writing.set_cut(version.version_id, cut(decoded.text))
    return version


def engrave(store: Store, sources: list[NoteSource]) -> str:
    decoded = decode(b"note")
    assert isinstance(decoded, Decoded)
    with store.writing() as writing:
        file_id = writing.add_file("note.md", stat_of(b"note"), "stonebrowse")
        writing.record(file_id, b"note", decoded, stat_of(b"note"), NOW)
        writing.name_sources(file_id, sources, NOW)
    return file_id


def source(version: Version, citation: str = "a.md (Line 1)") -> NoteSource:
    return NoteSource(citation, version.version_id, version.digest, 0, 5, words=True)


def test_sources_are_kept_in_order_and_hold_their_versions(place: Path) -> None:
    with open_store(place) as store:
        first = record(store, "a.md", document(1), 9)
        second = record(store, "a.md", edited(document(1), 1), 8, first)
        third = record(store, "a.md", edited(document(1), 2), 7, second)
        named = [source(second), source(second, "a.md § B (Line 3)"), source(third)]
        note = engrave(store, named)
        assert store.file(note).written_by == "stonebrowse"
        assert store.notes.sources(note) == named
        assert store.notes.citing(second.version_id) == [note]
        assert store.notes.citing(first.version_id) == []
        assert store.held_versions() == {second.key, third.key}
        assert store.prune(NOW).versions == 1
        assert store.raw(second.version_id) == edited(document(1), 1)
        handout = store.handouts.last("a.md § B (Line 3)", NOW)
        assert handout is not None
        assert handout.version_id == second.version_id


def test_a_version_that_is_not_here_is_no_source(place: Path) -> None:
    with open_store(place) as store:
        first = record(store, "a.md", document(1), 9)
        note = engrave(store, [source(first)._replace(version_id="v_000000000000"), source(first)])
        assert store.notes.sources(note) == [source(first)]


def test_a_source_is_never_changed_or_deleted(place: Path) -> None:
    with open_store(place) as store:
        engrave(store, [source(record(store, "a.md", document(1), 9))])
    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        for statement in ("UPDATE note_sources SET citation = 'x'", "DELETE FROM note_sources"):
            with pytest.raises(sqlite3.IntegrityError, match="never"):
                connection.execute(statement)
