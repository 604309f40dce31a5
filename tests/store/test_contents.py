"""How bytes are kept: in chains, in frames, tidied; whatever the form, the same bytes come back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from stonebrowse.store import frames, parity
from stonebrowse.store.contents import MAX_DEPTH
from stonebrowse.store.database import FILE_NAME
from tests.store.samples import add_file, add_version, document, edited, large_document, open_store

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store, Version, VersionId


def forms(place: Path, table: str = "contents") -> list[tuple[int, ...]]:
    """Key, base or 0, and stored bytes of each row."""
    key = "key" if table == "contents" else "version"
    with closing(sqlite3.connect(place / FILE_NAME)) as connection:
        return connection.execute(
            f"SELECT t.{key}, coalesce(base, 0), length(data) FROM {table} t JOIN pieces p ON p.key = piece"
            " ORDER BY 1"
        ).fetchall()


def history(raw: bytes, length: int) -> list[bytes]:
    contents = [raw]
    for number in range(length - 1):
        contents.append(edited(contents[-1], number))
    return contents


def test_older_versions_hang_below_newer_ones(store: Store, place: Path) -> None:
    contents = history(document(1), 4)
    versions = add_file(store, "a.md", *contents)
    for table in ("contents", "cuts"):
        rows = forms(place, table)
        assert [base for _key, base, _stored in rows] == [2, 3, 4, 0]
        assert max(stored for _key, _base, stored in rows[:3]) < rows[3][2] / 2
    assert [store.raw(version.version_id) for version in versions] == contents


def test_one_of_eight_versions_stands_alone(store: Store, place: Path) -> None:
    contents = history(document(1), 20)
    versions = add_file(store, "a.md", *contents)
    for table in ("contents", "cuts"):
        alone = [key for key, base, _stored in forms(place, table) if not base]
        assert alone == [MAX_DEPTH + 1, 2 * (MAX_DEPTH + 1), 20]
    assert [store.raw(version.version_id) for version in versions] == contents
    assert all(store.cut(version.version_id) is not None for version in versions)


def test_what_is_current_anywhere_stands_alone(store: Store, place: Path) -> None:
    raw = document(1)
    (kept,) = add_file(store, "kept.md", raw)
    first, second = add_file(store, "a.md", raw, edited(raw, 1))
    assert [base for _key, base, _stored in forms(place)] == [0, 0]
    add_file(store, "b.md", edited(raw, 2), edited(raw, 1), raw)
    assert [base for _key, base, _stored in forms(place)] == [0, 0, 2]
    for version in (kept, first, second):
        assert store.raw(version.version_id)


def test_changing_back_and_forth_loses_nothing(store: Store) -> None:
    contents = [document(1), edited(document(1), 1), edited(document(1), 2)] * 12
    versions = add_file(store, "a.md", *contents)
    assert [store.raw(version.version_id) for version in versions] == contents
    assert store.check() == []


def test_short_and_empty_contents(store: Store) -> None:
    contents = [b"", b"a", b"", b"ab", b"abcdefgh", b"abcdefghi", b"", document(1), b"x"]
    versions = add_file(store, "a.md", *contents)
    assert [store.raw(version.version_id) for version in versions] == contents
    assert [store.window(version.version_id, 1, 3) for version in versions] == [raw[1:4] for raw in contents]
    cut = store.cut(versions[0].version_id)
    assert cut is not None
    assert len(cut) == 0


def test_a_small_edit_of_nearly_a_megabyte_costs_little(store: Store, place: Path) -> None:
    raw = large_document(1_040_000)
    add_file(store, "a.md", raw, edited(raw, 1))
    assert forms(place)[0][2] < 2000


def test_windows_of_a_large_version(store: Store) -> None:
    raw = large_document(3 << 20)
    (version,) = add_file(store, "large.md", raw)
    parts = store.frames(version.version_id)
    assert len(parts) > 8
    assert [part.line for part in parts] == [raw[: part.start].count(b"\n") + 1 for part in parts]
    assert sum(part.size for part in parts) == len(raw) == store.text_size(version.version_id)
    for start in (
        0,
        parts[1].start - 1,
        parts[1].start,
        parts[1].start + 1,
        len(raw) - 5,
        len(raw),
        len(raw) + 9,
    ):
        for size in (0, 1, 300_000):
            assert store.window(version.version_id, start, size) == raw[start : start + size]
    assert store.raw(version.version_id) == raw


def test_a_window_reads_only_its_frames(store: Store) -> None:
    (version,) = add_file(store, "large.md", large_document(3 << 20))
    parts = store.frames(version.version_id)
    statements: list[str] = []
    with store._database.reading() as connection:
        connection.set_trace_callback(statements.append)
    store.window(version.version_id, parts[2].start + 10, 1000)
    assert (
        sum("FROM pieces" in statement for statement in statements) == 2
    )  # the list of frames, and one frame


def test_appending_to_a_large_version_stores_what_is_new(store: Store, place: Path) -> None:
    raw = large_document(4 << 20)
    longer = raw + b"# More\n\nAn end.\n"
    middle = raw.index(b"\n", len(raw) // 2) + 1
    changed = raw[:middle] + b"Some words put into the middle.\n" + raw[middle:]
    counts: list[int] = []
    for content in (raw, longer, changed):
        add_file(store, f"{len(counts)}.md", content)
        counts.append(len(forms(place)))
    assert counts[0] > 14
    assert counts[1] - counts[0] == 2  # the last frame and the list
    assert counts[2] - counts[1] <= 4
    assert store.check() == []


def test_a_frame_that_is_also_a_file_stays_a_frame(store: Store) -> None:
    raw = large_document(2 << 20)
    (large,) = add_file(store, "large.md", raw)
    part = store.frames(large.version_id)[2]
    frame = raw[part.start : part.start + part.size]
    small = add_file(store, "small.md", frame, edited(frame, 1))
    assert [store.raw(version.version_id) for version in small] == [frame, edited(frame, 1)]
    assert store.window(large.version_id, part.start, part.size) == frame
    with store._database.reading() as connection:
        alone = connection.execute("SELECT form FROM contents WHERE size = ?", (part.size,)).fetchone()
    assert alone == (0,)


def test_lines_without_an_end_are_framed_too() -> None:
    for raw in (
        b"x" * 1_500_000,
        b"x\r" * 700_000,
        b"\r\n" * 700_000,
        b"word\r\n" * 300_000,
        b"\n" * 1_500_000,
    ):
        borders = list(frames.split(raw))
        assert b"".join(raw[start:end] for start, end in borders) == raw
        assert max(end - start for start, end in borders) <= frames.LARGEST_BYTES + 1
        assert not any(raw[end - 1 : end + 1] == b"\r\n" for _start, end in borders)


def test_lists_of_frames_are_checked() -> None:
    rows = [frames.FrameRow(5, 100, 3), frames.FrameRow(2**40, 7, 0)]
    packed = frames.pack(rows)
    assert frames.unpack(packed) == rows


def fill(store: Store, files: int, recorded: int) -> dict[VersionId, bytes]:
    """Record many files at once, quickly, and let the store believe that it was more."""
    known = {}
    with store.writing() as writing:
        for number in range(files):
            raw = document(number)
            version = add_version(writing, writing.add_file(f"{number}.md", None), raw)
            known[version.version_id] = raw
        writing._contents.pace.count(recorded)
        writing._cuts.pace.count(recorded)
    return known


def test_tidying_makes_it_smaller_and_changes_nothing(store: Store, place: Path) -> None:
    known = fill(store, 400, 9 << 20)
    cuts = {version_id: store.cut(version_id) for version_id in known}
    store.checkpoint()
    before = (place / FILE_NAME).stat().st_size
    calls = 0
    while store.tidy(100_000):
        calls += 1
    store.checkpoint()
    assert calls > 3
    assert (place / FILE_NAME).stat().st_size < before * 0.8
    assert {version_id: store.raw(version_id) for version_id in known} == known
    for version_id, cut in cuts.items():
        again = store.cut(version_id)
        assert again is not None
        assert cut is not None
        assert again.pack() == cut.pack()
    assert store.check() == []
    assert not store.tidy()


def test_a_rolled_back_dictionary_is_forgotten(store: Store, place: Path) -> None:
    fill(store, 30, 9 << 20)
    raw = document(5000)
    with pytest.raises(KeyboardInterrupt), store.writing() as writing:  # noqa: PT012 -- the block is the case
        writing.tidy(1)
        add_version(writing, writing.add_file("lost.md", None), raw)
        raise KeyboardInterrupt
    # Another dictionary gets the key of the one that was lost.
    add_file(store, "more.md", *(document(seed) for seed in range(6000, 6020)))
    while store.tidy():
        pass
    (version,) = add_file(store, "later.md", raw)
    with open_store(place) as reopened:
        assert reopened.raw(version.version_id) == raw
        assert reopened.check() == []


def test_what_is_recorded_later_uses_the_dictionary(store: Store) -> None:
    fill(store, 60, 9 << 20)
    store.tidy(1)
    (version,) = add_file(store, "later.md", document(1000))
    with store._database.reading() as connection:
        form = connection.execute("SELECT form FROM contents ORDER BY key DESC LIMIT 1").fetchone()
    assert form == (1,)
    assert store.raw(version.version_id) == document(1000)


def test_one_part_of_many_may_be_lost() -> None:
    for content in (b"", b"a", bytes(range(256)) * 9):
        parts: list[bytes | None] = [*parity.split(content)]
        for lost in range(parity.PARTS):
            assert (
                parity.join([None if number == lost else part for number, part in enumerate(parts)])
                == content
            )
            spoilt = [b"\xff" * 9 if number == lost else part for number, part in enumerate(parts)]
            assert parity.join(spoilt) == content
        assert parity.join([None, None, *parts[2:]]) is None


def test_versions_recorded_quickly_are_read(place: Path) -> None:
    versions: list[Version] = []
    contents = [document(seed) for seed in range(90)]
    with open_store(place) as store, store.writing() as writing:
        for number, raw in enumerate(contents):
            versions.append(add_version(writing, writing.add_file(f"{number}.md", None), raw))
    with open_store(place, write=False) as store:
        assert [store.raw(version.version_id) for version in versions] == contents
