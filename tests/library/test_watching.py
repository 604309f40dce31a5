"""The keeper at work: real events, real storms. In the end the library equals the folder."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from stonebrowse.library.library import Library
from stonebrowse.settings import Settings, WatchSettings
from tests.library.conftest import DOCUMENTS, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stonebrowse.library.syncing import Event

DEADLINE = 900.0 if os.environ.get("STONEBROWSE_LONG") else 60.0


def until(true: Callable[[], bool], what: str = "") -> None:
    """Waits for something to become true; nothing is measured against the deadline."""
    deadline = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < deadline, what or "it did not come to be"
        time.sleep(0.02)


@contextmanager
def watched(
    folder: Path, store: Path, settings: Settings | None = None
) -> Iterator[tuple[Library, list[Event]]]:
    """A keeper in a thread of its own, and another library that reads what it records."""
    events: list[Event] = []
    said: list[str] = []
    stop = threading.Event()
    with Library.open(folder, store=store, settings=settings) as keeper:
        thread = threading.Thread(
            target=keeper.watch, args=(stop,), kwargs={"on_event": events.append, "say": said.append}
        )
        thread.start()
        try:
            with Library.open(folder, store=store, settings=settings) as reader:
                until(lambda: len(reader.files()) == len(documents(folder)), "the first walk")
                until(lambda: reader.indexed()[0] == len(reader.files()))
                yield reader, events
        finally:
            stop.set()
            thread.join(DEADLINE)
            assert not thread.is_alive()


def documents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.md") if path.is_file()
    }


def recorded(library: Library) -> dict[str, bytes]:
    return {file.path: library.store.raw(file.version_id) for file in library.files()}


def equal_in_the_end(library: Library, folder: Path) -> None:
    until(lambda: recorded(library) == documents(folder), "the library equals the folder")
    until(lambda: library.indexed() == (len(library.files()),) * 2, "everything is indexed")


def at_least(library: Library, number: int) -> Callable[[], bool]:
    return lambda: library.find_file("README.md").number >= number


def test_every_way_of_saving_makes_one_version(folder: Path, tmp_path: Path) -> None:
    place = folder / "README.md"

    def in_place(text: str) -> None:
        write(place, text)

    def by_rename(text: str) -> None:
        write(folder / ".README.md.swp", text)
        write(folder / "4913", "")
        (folder / "4913").unlink()
        (folder / ".README.md.swp").replace(place)

    def with_backup(text: str) -> None:
        place.rename(folder / "README.md~")
        write(place, text)

    def by_lock_link(text: str) -> None:
        (folder / ".#README.md").symlink_to("someone@somewhere:1")
        write(folder / "#README.md#", text)
        write(place, text)
        (folder / ".#README.md").unlink()
        (folder / "#README.md#").unlink()

    def by_sed(text: str) -> None:
        write(folder / "sedAb12", text)
        (folder / "sedAb12").replace(place)

    def gone_for_a_moment(text: str) -> None:
        place.unlink()
        time.sleep(0.005)
        write(place, text)

    with watched(folder, tmp_path / "store") as (library, events):
        number = 1
        for save in (in_place, by_rename, with_backup, by_lock_link, by_sed, gone_for_a_moment):
            for turn in range(2):
                number += 1
                save(f"# {save.__name__} {turn}\n")
                until(at_least(library, number), save.__name__)
                assert library.find_file("README.md").number == number, save.__name__
        equal_in_the_end(library, folder)
        assert {event.event for event in events} == {"added", "changed"}
        assert len(library.files()) == len(DOCUMENTS)


def test_what_is_deleted_leaves_and_what_returns_is_the_same_file(folder: Path, tmp_path: Path) -> None:
    with watched(folder, tmp_path / "store") as (library, _):
        before = library.find_file("README.md").file_id
        (folder / "README.md").unlink()
        until(lambda: len(library.files()) == 2)
        assert library.search("lantern").hits == []
        write(folder / "README.md", "# Lighthouse\n\nquite other words\n")
        until(lambda: len(library.files()) == 3)
        assert library.find_file("README.md").file_id == before
        until(lambda: library.search("quite other words").total == 1)


def test_a_renamed_folder_keeps_every_file(folder: Path, tmp_path: Path) -> None:
    with watched(folder, tmp_path / "store") as (library, events):
        before = {file.file_id for file in library.files()}
        (folder / "rooms").rename(folder / "chambers")
        until(lambda: {file.path for file in library.files()} >= {"chambers/lamp.md", "chambers/stairs.md"})
        equal_in_the_end(library, folder)
        assert {file.file_id for file in library.files()} == before
        assert all(file.versions == 1 for file in library.files())
        until(lambda: [event.event for event in events].count("renamed") == 2)


def test_a_tree_made_in_one_breath_is_all_found(folder: Path, tmp_path: Path) -> None:
    with watched(folder, tmp_path / "store") as (library, _):
        deep = folder
        for index in range(60):
            deep = deep / f"d{index}"
            write(deep / "page.md", f"# Page {index}\n")
        equal_in_the_end(library, folder)
        for path in folder.rglob("page.md"):
            write(path, path.read_text() + "\nedited\n")
        equal_in_the_end(library, folder)
        assert all(file.versions == 2 for file in library.files() if file.path.endswith("page.md"))


def test_a_b_a_and_bursts(folder: Path, tmp_path: Path) -> None:
    place = folder / "README.md"
    with watched(folder, tmp_path / "store") as (library, _):
        for number, text in enumerate(("# B\n", DOCUMENTS["README.md"]), start=2):
            write(place, text)
            until(at_least(library, number))
        for index in range(100):
            write(place, f"burst {index}\n" * 50)
        equal_in_the_end(library, folder)
        versions = library.versions(library.find_file("README.md"))
        assert 4 <= len(versions) <= 103
        for version in versions[:-3]:
            text = library.store.raw(version.version_id).decode()
            assert text == text.splitlines(keepends=True)[0] * 50, "a torn version"
        count = len(versions)
        os.utime(place)
        place.chmod(0o600)
        write(place, place.read_bytes())
        write(folder / "last.md", "# Last\n")
        until(lambda: len(library.files()) == 4)
        assert library.find_file("README.md").versions == count


def test_the_folder_replaced_and_taken_away(folder: Path, tmp_path: Path) -> None:
    with watched(folder, tmp_path / "store") as (library, _):
        shutil.rmtree(folder)
        time.sleep(0.1)
        write(folder / "README.md", "# Again\n")
        write(folder / "new.md", "# New\n")
        equal_in_the_end(library, folder)
        write(folder / "new.md", "# New, edited\n")
        equal_in_the_end(library, folder)
        folder.rename(tmp_path / "away")
        until(lambda: "gone" in library.state().status.notice or "not exist" in library.state().status.notice)
        assert len(library.files()) == 2
        assert recorded(library)["new.md"] == b"# New, edited\n"
        (tmp_path / "away").rename(folder)
        until(lambda: not library.state().status.notice)
        equal_in_the_end(library, folder)


def test_polling_sees_what_events_would(folder: Path, tmp_path: Path) -> None:
    settings = Settings(watch=WatchSettings(polling="always", poll_seconds=0.1))
    with watched(folder, tmp_path / "store", settings) as (library, _):
        assert "looked through" in library.state().status.notice
        write(folder / "README.md", "# Polled\n")
        equal_in_the_end(library, folder)


def test_gitignore_is_followed_while_watching(folder: Path, tmp_path: Path) -> None:
    with watched(folder, tmp_path / "store") as (library, _):
        write(folder / ".gitignore", "rooms/\n")
        until(lambda: len(library.files()) == 1)
        (folder / ".gitignore").unlink()
        until(lambda: len(library.files()) == 3)


def test_switching_branches_of_many_files(tmp_path: Path) -> None:
    folder = tmp_path / "docs"

    def git(*arguments: str) -> None:
        environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        subprocess.run(
            ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", *arguments],
            check=True, capture_output=True, env=environment,
        )  # fmt: skip

    for index in range(300):
        write(folder / f"d{index % 7}/f{index}.md", f"# F{index}\n\none\n")
    git("init", "-q", "-b", "one")
    git("add", ".")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "two")
    for index in range(0, 300, 2):
        write(folder / f"d{index % 7}/f{index}.md", f"# F{index}\n\ntwo\n")
    shutil.rmtree(folder / "d3")
    (folder / "d4").rename(folder / "d44")
    git("add", "-A")
    git("commit", "-qm", "two")
    with watched(folder, tmp_path / "store") as (library, _):
        for branch in ("one", "two", "one"):
            git("checkout", "-q", branch)
        equal_in_the_end(library, folder)
        ids = identified(library)
        git("checkout", "-q", "two")
        equal_in_the_end(library, folder)
        git("checkout", "-q", "one")
        equal_in_the_end(library, folder)
        assert identified(library) == ids


def identified(library: Library) -> dict[str, str]:
    """File IDs by path, but for the folder that the branches name differently.

    git takes a renamed file away and makes it anew. Whether the keeper comes to look in between, so that it sees
    a copy and a deletion, is chance; what stays at its path, or returns to it, is the same File always.
    """
    return {file.path: file.file_id for file in library.files() if not file.path.startswith("d4/")}


def storm(folder: Path, chance: random.Random) -> None:
    """120 edits of every kind, as fast as they go."""

    def some() -> Path:
        return chance.choice([path for path in folder.rglob("*.md") if path.is_file()])

    def edit() -> None:
        write(some(), f"# Edited\n\nword{chance.randrange(60)} {chance.random()}\n")

    def add() -> None:
        write(folder / f"a/new{chance.randrange(4)}/x{chance.randrange(99)}.md", "# Added\n")

    def remove() -> None:
        some().unlink()

    def move() -> None:
        target = folder / f"moved/m{chance.randrange(99)}.md"
        target.parent.mkdir(exist_ok=True)
        some().replace(target)

    def move_folder() -> None:
        place = some().parent
        if place != folder and not (folder / f"z{place.name}").exists():
            place.rename(folder / f"z{place.name}")

    def copy_tree() -> None:
        shutil.copytree(folder / "a", folder / f"copy{chance.randrange(3)}", dirs_exist_ok=True)

    kinds = [edit, add, remove, move, move_folder, copy_tree]
    for kind in chance.choices(kinds, [9, 5, 3, 3, 1, 1], k=120):
        kind()


@pytest.mark.parametrize("seed", range(2))
def test_any_storm_ends_as_a_fresh_library_would_begin(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder = tmp_path / "docs"
    for index in range(60):
        write(folder / f"a/b{index % 5}/n{index}.md", f"# N{index}\n\nword{index}\n")

    with watched(folder, tmp_path / "store") as (library, _):
        storm(folder, chance)
        equal_in_the_end(library, folder)
        with Library.open(folder, store=tmp_path / "fresh") as fresh:
            fresh.update()
            for query in (
                "edited",
                "word1",
                "word*",
                "added",
                "path:moved",
                "heading:edited -word3",
                "n7 OR n8",
            ):
                assert found(library, query) == found(fresh, query), query
        assert not library.check().faults


def found(library: Library, query: str) -> list[str]:
    return sorted(hit.citation for hit in library.search(query, limit=1000).hits)


def test_the_child_process_says_why_it_cannot_keep_and_goes_on_when_it_can(
    folder: Path, tmp_path: Path
) -> None:
    with Library.open(folder, store=tmp_path / "store") as library:
        folder.rename(tmp_path / "away")
        library.ensure_keeper()
        until(lambda: "does not exist" in library.state().status.notice)
        (tmp_path / "away").rename(folder)
        until(lambda: library.state().keeper and not library.state().status.notice)
        equal_in_the_end(library, folder)


def test_notes_engraved_under_watch_are_recorded_once(folder: Path, tmp_path: Path) -> None:
    """The keeper sees the file as soon as the one who engraves gives it its name, and records it no second time."""
    with watched(folder, tmp_path / "store") as (reader, events):
        for number in range(12):
            reader.engrave(f"notes/n{number}.md", f"# Note {number}\n\nunder watch", ["README.md"])
        write(folder / "last.md", "# Last\n")
        until(lambda: any(event.path == "last.md" for event in events))
        until(lambda: reader.indexed()[0] == len(reader.files()))
        notes = reader.notes(check=True)
        assert len(notes) == 12
        assert all(note.holding == 1 and note.file.versions == 1 for note in notes)
        assert len(reader.store.files(state="all")) == len(DOCUMENTS) + 13
        assert len(reader.search("under watch").hits) == 12
