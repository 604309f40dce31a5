"""Real histories over a watching keeper: in the end the library equals one that was made anew."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from stonebrowse.library.library import Library
from tests.library.conftest import write
from tests.library.test_watching import equal_in_the_end, watched
from tests.shared import members, replay

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def shown(path: str) -> bool:
    return path.endswith(".md") and not any(part.startswith(".") for part in path.split("/"))


def lay_out(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    for path, data in files:
        if shown(path):
            write(folder / path, data)


def as_a_fresh_library(library: Library, folder: Path, place: Path) -> None:
    """File by file, passage by passage, and by what a search finds."""
    with Library.open(folder, store=place) as fresh:
        fresh.update()
        assert {file.path: shape(library, file.path) for file in library.files()} == {
            file.path: shape(fresh, file.path) for file in fresh.files()
        }
        for query in (
            "the",
            "link*",
            "heading:team",
            '"how to"',
            "path:content -review",
            "process OR policy",
        ):
            assert everything(library, query) == everything(fresh, query), query
    assert not library.check().faults


def everything(library: Library, query: str) -> list[str]:
    return sorted(hit.citation for hit in library.search(query, limit=1_000_000).hits)


def shape(library: Library, path: str) -> tuple[object, ...]:
    """What is recorded of a File now: its digest, and where and how each of its passages stands."""
    file = library.find_file(path)
    version = library.find_version(file, None)
    document = library.document(version, file)
    passages = [document.passage(ordinal) for ordinal in range(len(document.cut))]
    return (
        version.digest,
        version.state,
        [(passage.citation, passage.trail, passage.start, passage.end, passage.part) for passage in passages],
    )


def test_a_handbooks_real_edits_as_fast_as_they_go(tmp_path: Path) -> None:
    history = replay("edits")
    folder = tmp_path / "docs"
    lay_out(folder, history.base.items())
    with watched(folder, tmp_path / "store") as (library, _):
        for edit in filter(lambda edit: shown(edit.path), history.edits):
            if edit.after is None:
                (folder / edit.path).unlink()
            else:
                write(folder / edit.path, edit.after)
        equal_in_the_end(library, folder)
        as_a_fresh_library(library, folder, tmp_path / "fresh")


def test_a_tree_copied_renamed_and_taken_away(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    lay_out(folder, members("small"))
    with watched(folder, tmp_path / "store") as (library, _):
        before = {file.path: file.file_id for file in library.files()}
        for copy in range(4):
            subprocess.run(["cp", "-r", folder / "small", folder / f"copy{copy}"], check=True)
        equal_in_the_end(library, folder)
        assert len(library.files()) == 5 * len(before)
        (folder / "small").rename(folder / "renamed")
        for copy in range(0, 4, 2):
            shutil.rmtree(folder / f"copy{copy}")
        equal_in_the_end(library, folder)
        after = {file.path: file.file_id for file in library.files()}
        for path, file_id in before.items():
            assert after["renamed" + path.removeprefix("small")] == file_id
        as_a_fresh_library(library, folder, tmp_path / "fresh")


@pytest.mark.timeout(1800)
@pytest.mark.skipif(not os.environ.get("STONEBROWSE_LONG"), reason="minutes of work: set STONEBROWSE_LONG")
def test_thousands_of_files_copied_and_switched_by_git(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    lay_out(folder, members("large"))

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "gc.auto=0")
        subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "one")
    git("add", ".")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "two")
    paths = sorted(folder.rglob("*.md"))
    for number, path in enumerate(paths):
        if number % 4 == 0:
            path.write_bytes(path.read_bytes() + b"\n## Another team\n\nA new process.\n")
        elif number % 9 == 0:
            path.unlink()
    git("add", "-A")
    git("commit", "-qm", "two")
    git("checkout", "-q", "one")
    tree = max(
        (child for child in folder.iterdir() if child.is_dir()), key=lambda child: len([*child.rglob("*.md")])
    )
    with watched(folder, tmp_path / "store") as (library, _):
        for branch in ("two", "one", "two"):
            git("checkout", "-q", branch)
        subprocess.run(["cp", "-r", tree, folder / "copy"], check=True)
        equal_in_the_end(library, folder)
        as_a_fresh_library(library, folder, tmp_path / "fresh")
