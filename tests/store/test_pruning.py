"""Dropping bytes: by rule, never what is current or held; and of one version, so that nothing of it is left."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid, NotFound, StoreUnavailable
from stonebrowse.store.database import FILE_NAME
from stonebrowse.store.handouts import Handout
from stonebrowse.text.decoding import Decoded, decode
from stonebrowse.text.passages import cut
from tests.store.samples import NOW, add_file, document, edited, large_document, open_store, stat_of

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store, Version

SECRET = b"correct horse battery staple"


def add(store: Store, path: str, raws: list[bytes], days: list[int]) -> list[Version]:
    """A File with versions that were recorded so many days before now."""
    versions: list[Version] = []
    for raw, day in zip(raws, days, strict=True):
        decoded = decode(raw)
        assert isinstance(decoded, Decoded)
        with store.writing() as writing:
            file_id = versions[0].file_id if versions else writing.add_file(path, stat_of(raw))
            version = writing.record(file_id, raw, decoded, stat_of(raw), NOW - timedelta(days=day))
            writing.set_cut(version.version_id, cut(decoded.text))
        versions.append(version)
    return versions


def chain(seed: int, count: int) -> list[bytes]:
    """An edited document, version by version."""
    raws = [document(seed)]
    for number in range(count - 1):
        raws.append(edited(raws[-1], number))
    return raws


def readable(store: Store, versions: list[Version]) -> list[int]:
    """The numbers of the versions that can still be read."""
    found = []
    for version in versions:
        try:
            store.raw(version.version_id)
        except NotFound:
            continue
        found.append(version.number)
    return found


def before(days: int) -> datetime:
    return NOW - timedelta(days=days)


def hold(place: Path, version: Version) -> None:
    """Let another area of the store hold a version, as graph, tray and review do."""
    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS holds (version INTEGER REFERENCES versions)")
        connection.execute("INSERT INTO holds VALUES (?)", (version.key,))
        connection.commit()


def test_what_was_replaced_before_goes_and_the_rest_stays(place: Path) -> None:
    raws = chain(1, 12)
    with open_store(place) as store:
        versions = add(store, "a.md", raws, [24 - 2 * number for number in range(12)])
        other = add_file(store, "b.md", document(2))
        # Version n was replaced 22 - 2(n - 1) days ago.
        expected = store.prune(before(9), dry_run=True)
        assert (expected.versions, expected.bytes_raw) == (7, sum(map(len, raws[:7])))
        assert readable(store, versions) == list(range(1, 13))
        assert store.prune(before(9)) == expected
        assert readable(store, versions) == [8, 9, 10, 11, 12]
        assert store.prune(before(9)).versions == 0
        assert [store.raw(version.version_id) for version in versions[7:]] == raws[7:]
        assert store.raw(other[0].version_id) == document(2)
        assert store.check() == []
        # What they were is still known.
        assert [version.digest for version in store.versions(versions[0].file_id)][::-1] == [
            version.digest for version in versions
        ]
        assert all(store.cut(version.version_id) is not None for version in versions)
        with pytest.raises(NotFound, match="pruned"):
            store.text(versions[0].version_id)
        sizes = store.sizes()
        assert (sizes.versions, sizes.pruned, sizes.files) == (13, 7, 2)
        assert sizes.bytes_pruned == expected.bytes_raw
    with open_store(place) as store:
        assert store.prune(datetime.max.replace(tzinfo=UTC)).versions == 4
        assert readable(store, versions) == [12]
        assert store.check() == []


def test_what_is_current_trashed_held_or_shared_is_never_dropped(place: Path) -> None:
    raws = chain(3, 8)
    with open_store(place) as store:
        versions = add(store, "a.md", raws, [100] * 8)
        back = add(store, "back.md", [raws[2], b"other\n", raws[2]], [100] * 3)
        gone = add(store, "gone.md", [b"one\n", b"two\n"], [100] * 2)
        sharing = add(store, "sharing.md", [raws[5]], [100])
        with store.writing() as writing:
            writing.trash(gone[0].file_id, "hand")
    hold(place, versions[3])
    with open_store(place) as store:
        assert store.held_versions() == {versions[3].key}
        dropped = store.prune(datetime.max.replace(tzinfo=UTC))
        assert readable(store, versions) == [3, 4, 6, 8]
        assert readable(store, back) == [1, 3]
        assert readable(store, gone) == [2]
        assert readable(store, sharing) == [1]
        assert dropped.versions == 4 + 1 + 1
        assert store.raw(versions[3].version_id) == raws[3]
        assert store.check() == []


def test_a_version_that_was_cited_is_held(place: Path) -> None:
    with open_store(place) as store:
        versions = add(store, "a.md", chain(4, 4), [100] * 4)
        store.handouts.remember([Handout("a.md (Line 1)", versions[2].version_id, 0, 5)], NOW)
        store.prune(datetime.max.replace(tzinfo=UTC))
        assert readable(store, versions) == [3, 4]


def test_a_version_that_is_named_by_its_id_alone_is_held(place: Path) -> None:
    with open_store(place) as store:
        versions = add(store, "a.md", chain(4, 4), [100] * 4)
    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE named (version_id TEXT)")
        connection.execute("INSERT INTO named VALUES (?)", (versions[1].version_id,))
        connection.commit()
    with open_store(place) as store:
        store.prune(datetime.max.replace(tzinfo=UTC))
        assert readable(store, versions) == [2, 4]


def test_frames_that_newer_versions_share_are_kept(place: Path) -> None:
    raws = [large_document(3 << 20)]
    raws += [raws[0][: 1 << 20] + b"# new\n" + raws[0][1 << 20 :], raws[0] + b"end\n"]
    with open_store(place) as store:
        versions = add(store, "large.md", raws, [50, 40, 30])
        store.prune(before(35))
        assert readable(store, versions) == [2, 3]
        store.prune(before(0))
        assert readable(store, versions) == [3]
        assert store.raw(versions[2].version_id) == raws[2]
        assert store.check() == []
        with pytest.raises(NotFound, match="pruned"):
            store.window(versions[0].version_id, 0, 10)


def test_dropping_gives_room_back_and_the_store_goes_on(place: Path) -> None:
    with open_store(place) as store:
        for number in range(40):
            add(store, f"{number}.md", chain(number, 10), [50] * 10)
        full = store.sizes().bytes_raw
        store.prune(before(10))
        sizes = store.sizes()
        assert sizes.bytes_raw == full
        assert sizes.pruned == 40 * 9
        while store.tidy():
            pass
        (again,) = add_file(store, "again.md", document(0))
        assert store.raw(again.version_id) == document(0)
        assert store.check() == []


# -- forgetting


def bytes_of(place: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(place.iterdir()) if path.is_file())


def shows(place: Path, words: bytes) -> bool:
    """Whether words stand in the store's files as they are, or in any stored piece that can be expanded."""
    return words in bytes_of(place)


def incompressible(words: bytes) -> bytes:
    """A document in which words survive compression as they are."""
    return words + b"\n"


def test_a_forgotten_version_is_gone_from_the_files(place: Path) -> None:
    secret = incompressible(SECRET)
    with open_store(place) as store:
        versions = add_file(store, "a.md", b"# A\n", secret, b"# A, again\n")
        assert shows(place, SECRET)
        forgotten = store.forget(versions[1].version_id)
        assert [version.version_id for version in forgotten] == [versions[1].version_id]
        assert not shows(place, SECRET)
        assert store.scrubbed()
        with pytest.raises(NotFound, match="pruned"):
            store.raw(versions[1].version_id)
        assert store.version(versions[1].version_id).digest == versions[1].digest
        assert store.version(versions[1].version_id).state == "ready"
        assert readable(store, versions) == [1, 3]
        assert store.check() == []


def test_its_headings_go_too(place: Path) -> None:
    with open_store(place) as store:
        versions = add_file(store, "a.md", b"# A\n", b"# " + SECRET + b"\n", b"# B\n")
        cited = Handout(f"a.md § {SECRET.decode()} (Line 1)", versions[1].version_id, 0, 5)
        store.handouts.remember([cited], NOW)
        assert shows(place, SECRET)
        store.forget(versions[1].version_id)
        assert not shows(place, SECRET)
        assert store.handouts.last(cited.citation, NOW) is None
        found = store.cut(versions[1].version_id)
        assert found is not None
        assert len(found) == 0
        assert store.processing() == []


def test_what_hung_below_it_is_still_read(place: Path) -> None:
    raws = chain(7, 9)
    with open_store(place) as store:
        versions = add_file(store, "a.md", *raws)
        for forgotten in (versions[6], versions[3], versions[0]):
            store.forget(forgotten.version_id)
            assert store.check() == []
        left = [2, 3, 5, 6, 8, 9]
        assert readable(store, versions) == left
        assert [store.raw(versions[number - 1].version_id) for number in left] == [raws[n - 1] for n in left]


def dictionaries_show(place: Path, words: bytes) -> bool:
    from stonebrowse.store import dictionaries

    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM dictionaries")]
        held = [dictionaries.content(connection, key) for key in keys]
    return any(content is not None and words in content for content in held)


def test_dictionaries_that_sampled_it_are_emptied(place: Path) -> None:
    with open_store(place) as store:
        raws = [document(number, paragraphs=60) for number in range(140)]
        first: list[Version] = []
        for number, raw in enumerate(raws):
            first += add_file(store, f"{number}.md", b"# " + SECRET + b" %d\n\n" % number + raw)
        while store.tidy():
            pass
        sampled = next(n for n in range(140) if dictionaries_show(place, SECRET + b" %d\n" % n))
        with store.writing() as writing:
            decoded = decode(raws[sampled])
            assert isinstance(decoded, Decoded)
            version = writing.record(first[sampled].file_id, raws[sampled], decoded, None, NOW)
            writing.set_cut(version.version_id, cut(raws[sampled]))
        store.forget(first[sampled].version_id)
        assert not dictionaries_show(place, SECRET + b" %d\n" % sampled)
        assert store.check() == []
        for number, kept in enumerate(first):
            if number != sampled:
                assert store.raw(kept.version_id).endswith(raws[number])
        # It goes on compressing, and reads what it writes.
        (again,) = add_file(store, "again.md", document(500))
        while store.tidy():
            pass
        assert store.raw(again.version_id) == document(500)
        assert store.check() == []


def test_a_forgotten_large_version_leaves_the_frames_that_others_have(place: Path) -> None:
    raw = large_document(2 << 20)
    with open_store(place) as store:
        versions = add_file(store, "a.md", raw[: 1 << 20] + SECRET + raw[1 << 20 :], raw)
        store.forget(versions[0].version_id)
        assert not shows(place, SECRET)
        assert store.raw(versions[1].version_id) == raw
        assert store.check() == []


def test_what_is_current_anywhere_is_not_forgotten(place: Path) -> None:
    with open_store(place) as store:
        versions = add_file(store, "a.md", b"one\n", b"two\n")
        add_file(store, "b.md", b"one\n")
        with pytest.raises(InputInvalid, match=r"current version of a\.md"):
            store.forget(versions[1].version_id)
        with pytest.raises(InputInvalid, match=r"current version of b\.md"):
            store.forget(versions[0].version_id)
        with pytest.raises(NotFound):
            store.forget("v_000000000000")
        assert readable(store, versions) == [1, 2]
        with store.writing() as writing:
            writing.trash(versions[0].file_id, "hand")
        store.forget(versions[1].version_id)
        assert readable(store, versions) == [1]


def test_the_same_bytes_are_forgotten_together(place: Path) -> None:
    with open_store(place) as store:
        versions = add_file(store, "a.md", b"one\n", b"two\n", b"one\n", b"three\n")
        assert [version.number for version in store.forget(versions[2].version_id)] == [1, 3]
        assert readable(store, versions) == [2, 4]


def test_a_reader_that_goes_on_is_waited_for_and_said(place: Path) -> None:
    with open_store(place, wait_seconds=0.3) as store:
        versions = add_file(store, "a.md", b"# A\n", incompressible(SECRET), b"# B\n")
        with closing(sqlite3.connect(place / FILE_NAME, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM versions").fetchone()
            with pytest.raises(StoreUnavailable):
                store.forget(versions[1].version_id)
            assert readable(store, versions) == [1, 3]
            assert not store.scrubbed()
        # Forgetting once more, which is allowed, does the rest.
        store.forget(versions[1].version_id)
        assert store.scrubbed()
        assert not shows(place, SECRET)
        assert store.check() == []
