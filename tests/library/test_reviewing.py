"""What changed since one last looked: nothing at first, then each change until it is marked as seen."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.library.reviewing import moment
from tests.library.conftest import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from stonebrowse.library.library import Library
    from stonebrowse.library.reviewing import Change

LAMP = "# Lamp room\n\nBrass and glass.\n\n## Wick\n\nTrim the wick every evening.\n"


def shown(library: Library, since: str | None = None) -> list[tuple[str, str]]:
    return [(change.kind, change.citation) for change in library.review(since).changes]


def test_a_first_review_has_nothing_to_show(library: Library) -> None:
    assert shown(library) == []
    library.update()
    assert shown(library) == []


def test_changed_sections_and_files_are_listed_until_they_are_seen(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "rooms/lamp.md", LAMP.replace("every", "each") + "\n## Oil\n\nColza.\n")
    write(folder / "new.md", "# New\n")
    (folder / "README.md").unlink()
    (folder / "rooms/stairs.md").rename(folder / "rooms/steps.md")
    library.update()
    assert shown(library) == [
        ("trashed", "README.md"),
        ("new file", "new.md"),
        ("edited", "rooms/lamp.md § Wick (Line 5)"),
        ("added", "rooms/lamp.md § Oil (Line 9)"),
        ("renamed", "rooms/steps.md"),
    ]
    edited = library.review().changes[2]
    assert edited.section is not None
    marked = [
        (line.kind, [line.text[a:b] for a, b in line.marks]) for line in edited.section.lines if line.marks
    ]
    assert marked == [("-", ["every"]), ("+", ["each"])]
    assert library.review().changes[4].was == "rooms/stairs.md"
    assert library.mark_seen() == 5
    assert shown(library) == []


def test_it_survives_restarts(opened: Callable[[Path], Library], folder: Path) -> None:
    first = opened(folder)
    first.update()
    write(folder / "rooms/lamp.md", LAMP.replace("Brass", "Steel").replace("wick", "lamp"))
    first.update()
    first.mark_seen(first.review().changes[0])
    second = opened(folder)
    second.update()
    assert shown(second) == [("edited", "rooms/lamp.md § Wick (Line 5)")]
    second.mark_seen(second.review().changes[0])
    assert shown(opened(folder)) == []
    assert shown(first) == []


def test_a_section_that_was_seen_stays_seen_until_it_changes_again(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "rooms/lamp.md", LAMP.replace("Brass", "Steel").replace("wick", "lamp"))
    library.update()
    (change,) = library.unseen("rooms/lamp.md § Lamp room (Line 1)")
    library.mark_seen(change)
    write(folder / "rooms/lamp.md", "\n\n" + LAMP.replace("Brass", "Steel").replace("wick", "flame"))
    library.update()
    assert shown(library) == [("edited", "rooms/lamp.md § Wick (Line 7)")]
    write(folder / "rooms/lamp.md", LAMP.replace("Brass", "Tin").replace("wick", "flame"))
    library.update()
    assert len(shown(library)) == 2


def test_what_changes_after_it_was_shown_is_not_marked(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "rooms/lamp.md", LAMP + "\nOne.\n")
    library.update()
    review = library.review()
    write(folder / "rooms/lamp.md", LAMP + "\nOne.\n\n## Two\n")
    write(folder / "other.md", "# Other\n")
    library.update()
    library.mark_seen(review)
    assert shown(library) == [("new file", "other.md"), ("added", "rooms/lamp.md § Two (Line 11)")]
    assert library.review().changes[1].before is not None


def test_what_was_changed_back_is_no_change(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "rooms/lamp.md", LAMP + "\nmore\n")
    (folder / "README.md").rename(folder / "LIESMICH.md")
    write(folder / "brief.md", "# Brief\n")
    library.update()
    assert len(shown(library)) == 3
    write(folder / "rooms/lamp.md", LAMP)
    (folder / "LIESMICH.md").rename(folder / "README.md")
    (folder / "brief.md").unlink()
    library.update()
    assert shown(library) == []


def test_trashed_and_restored_by_hand(library: Library, folder: Path) -> None:
    library.update()
    library.trash(library.find_file("README.md"))
    assert shown(library) == [("trashed", "README.md")]
    library.mark_seen()
    write(folder / "README.md", "# Lighthouse\n\nDark.\n")
    library.restore(library.find_file("README.md"))
    assert shown(library) == [("restored", "README.md"), ("edited", "README.md § Lighthouse (Line 1)")]


def test_since_a_time_or_a_version_whatever_was_seen(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "rooms/lamp.md", LAMP + "\nmore\n")
    library.update()
    version = library.find_version(library.find_file("rooms/lamp.md"), None)
    write(folder / "new.md", "# New\n")
    (folder / "README.md").rename(folder / "LIESMICH.md")
    library.update()
    library.mark_seen()
    assert shown(library, "1 hour") == [
        ("new file", "LIESMICH.md"),
        ("new file", "new.md"),
        ("new file", "rooms/lamp.md"),
        ("new file", "rooms/stairs.md"),
    ]
    assert shown(library, version.version_id) == [("renamed", "LIESMICH.md"), ("new file", "new.md")]
    later = datetime.now(UTC) + timedelta(seconds=1)
    assert shown(library, later.isoformat()) == []
    with pytest.raises(InputInvalid, match="is no time"):
        library.review("yesteryear")
    with pytest.raises(NotFound):
        library.review("v_000000000000")


def test_what_was_seen_last_is_never_pruned(library: Library, folder: Path) -> None:
    library.update()
    for number in range(3):
        write(folder / "rooms/lamp.md", f"{LAMP}\n{number}\n")
        library.update()
    seen = library.versions(library.find_file("rooms/lamp.md"))[-1]
    assert seen.key in library.store.held_versions()
    assert library.store.prune(datetime.now(UTC) + timedelta(days=1)).versions == 2
    assert [change.kind for change in library.review().changes] == ["edited"]
    library.store.forget(seen.version_id)
    assert shown(library) == [("pruned", "rooms/lamp.md")]
    library.mark_seen(library.review().changes[0])
    assert shown(library) == []


def test_a_review_names_what_is_unseen(library: Library, folder: Path) -> None:
    library.update()
    write(folder / "rooms/lamp.md", LAMP.replace("Brass", "Steel").replace("wick", "lamp"))
    library.update()
    file = library.find_file("rooms/lamp.md")
    assert len(library.unseen("rooms/lamp.md")) == len(library.unseen(file.file_id)) == 2
    for missing in ("README.md", "nothing.md"):
        with pytest.raises(NotFound):
            library.unseen(missing)


def known(changes: Iterable[Change]) -> set[tuple[str, str]]:
    return {(change.file.file_id, change.mark) for change in changes}


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_marking_each_change_leaves_none(library: Library, folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    library.update()
    for _ in range(4):
        for path in ("rooms/lamp.md", "rooms/stairs.md", "a.md"):
            sections = [
                f"## {chance.choice('ABCD')}\n\n{chance.random()}\n\n" for _ in range(chance.randint(0, 4))
            ]
            write(folder / path, "# T\n\n" + "".join(sections))
        library.update()
        changes = library.review().changes
        chosen = chance.sample(changes, len(changes) // 2)
        for change in chosen:
            library.mark_seen(change)
        assert known(library.review().changes) == known(changes) - known(chosen)
    for change in library.review().changes:
        library.mark_seen(change)
    assert shown(library) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01T12:00:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01 12:00:00+02:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2 days", datetime(2026, 3, 8, tzinfo=UTC)),
        ("1 week ago", datetime(2026, 3, 3, tzinfo=UTC)),
        ("90 minutes", datetime(2026, 3, 9, 22, 30, tzinfo=UTC)),
    ],
)
def test_times_are_read(text: str, expected: datetime) -> None:
    assert moment(text, datetime(2026, 3, 10, tzinfo=UTC)) == expected


@pytest.mark.parametrize(
    "text", ["", "soon", "2 moons", "999999 weeks", "0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00", "\0"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(InputInvalid, match="is no time"):
        moment(text, datetime(2026, 3, 10, tzinfo=UTC))


def test_a_date_begins_where_one_lives() -> None:
    local = datetime(2026, 3, 1).astimezone()
    assert moment("2026-03-01", datetime.now(UTC)) == local
