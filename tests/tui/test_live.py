"""The library changes while it is browsed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from tests.tui.desk import browsing, write_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType
    from textual.screen import Screen

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]


def line_at_top(desk: Desk) -> str:
    document = desk.main.opening.document
    assert document is not None
    offset = desk.main.furniture.page.top_offset
    return document.read(offset, offset + 60).decode(errors="replace").split("\n")[0]


async def test_an_edit_appears_and_the_place_stays(make_library: Make) -> None:
    library = make_library()
    place = library.folder / "people/hiring.md"
    async with browsing(library, at="people/hiring.md", keeper=True) as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("9", "]", "j", "j", "j")
        before = line_at_top(desk)
        text = place.read_text()
        place.write_text("# New first part\n\nSome words.\n\n" + text.replace("Step 29", "Step Twenty-nine"))
        await desk.until(lambda: "v2" in desk.status, "the new version")
        assert line_at_top(desk) == before
        assert " changed " in desk.status
        assert desk.main.furniture.outline.count() == 32
        await desk.until(
            lambda: "people/hiring.md" in desk.main.furniture.files.fresh, "the mark in the tree"
        )


async def test_a_hit_stays_at_its_height_and_marked_while_its_file_is_edited(make_library: Make) -> None:
    library = make_library()
    place = library.folder / "people/hiring.md"
    async with browsing(library, at="people/hiring.md § Step 12 (Line 47)") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")

        def height() -> int:
            return next(y for y, row in enumerate(desk.rows) if "▌ ## Step 12" in row)

        before = height()
        place.write_text("New words above.\n\n" * 9 + place.read_text())
        library.update()
        await desk.until(lambda: "§ Step 12 (Line 65)" in desk.status, "the new line")
        assert height() == before


async def test_files_appear_and_go_in_the_tree_and_the_cursor_stays(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        assert desk.main.furniture.files.row is not None
        write_files(library.folder, {"A first one.md": "# A\n", "zz.md": "# Z\n"})
        library.update()
        await desk.until(lambda: "A first one.md" in desk.text, "the new file")
        assert desk.main.furniture.files.row.path == "README.md"
        (library.folder / "A first one.md").unlink()
        library.update()
        await desk.until(lambda: "A first one.md" not in desk.text, "the file gone")
        assert desk.main.furniture.files.row.path == "README.md"
        assert "5 files" in desk.text


async def test_a_page_whose_file_went_stays_and_says_so(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        (library.folder / "README.md").unlink()
        library.update()
        await desk.until(lambda: "no longer in the folder" in desk.status, "the notice")
        assert "How we work here." in desk.text
        write_files(library.folder, {"README.md": "# Back\n\nNew words.\n"})
        library.update()
        await desk.until(lambda: "New words." in desk.text, "the file again")
        assert "no longer" not in desk.status


async def test_a_renamed_file_keeps_its_page_under_its_new_path(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        (library.folder / "README.md").rename(library.folder / "START.md")
        library.update()
        await desk.until(lambda: "START.md § Handbook (Line 1)" in desk.status, "the new path")
        assert "v1" in desk.status


async def test_an_older_version_stays_and_says_how_many_came_since(make_library: Make) -> None:
    library = make_library()
    for number in (2, 3):
        write_files(library.folder, {"README.md": f"# Handbook\n\nVersion {number}.\n"})
        library.update()
    async with browsing(library) as desk:
        assert "Version 3." in desk.text
        await desk.press("v")
        assert desk.focus == "versions"
        assert "newest" in desk.text
        await desk.press("j", "j", "enter")
        await desk.until(lambda: "How we work here." in desk.text, "the oldest version")
        assert "2 since" in desk.status
        write_files(library.folder, {"README.md": "# Handbook\n\nVersion 4.\n"})
        library.update()
        await desk.until(lambda: "3 since" in desk.status, "one more")
        assert "How we work here." in desk.text


async def test_a_first_start_can_be_used_while_the_keeper_reads_the_folder(make_library: Make) -> None:
    files = {f"part{n % 7}/note{n:03}.md": f"# Note {n}\n\nword{n} and common words\n" for n in range(200)}
    library = make_library({**files, "README.md": "# First\n\nHello.\n"}, update=False)
    async with browsing(library, keeper=True) as desk:
        await desk.until(lambda: desk.path == "README.md", "the first page")
        await desk.until(lambda: "201 files" in desk.text, "all files")
        await desk.search("word150")
        await desk.until(lambda: "part3/note150.md § Note 150 (Line 1)" in desk.text, "the hit")
        await desk.until(
            lambda: desk.main.finding.found is not None and desk.main.finding.found.answer.complete,
            "the index",
        )
        assert "indexing" not in desk.text


async def test_nothing_is_drawn_while_nothing_changes(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, keeper=True) as desk:
        await desk.until(
            lambda: desk.main.telling.status.phase == "idle" and desk.main.telling.status.pid, "rest"
        )
        await desk.press("s")
        await desk.pilot.pause(0.5)
        drawn: list[object] = []
        display = desk.app._display

        def watched(screen: Screen[Any], update: RenderableType | None) -> None:
            drawn.append(update)
            display(screen, update)

        desk.app._display = watched  # type: ignore[method-assign,assignment]
        begun = time.monotonic()
        while time.monotonic() - begun < 1.0:
            await desk.pilot.pause(0.1)
        assert [update for update in drawn if update is not None] == []


async def test_trouble_with_the_folder_is_said(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, keeper=True) as desk:
        # The status of this process's own update stands there until the keeper has told its own.
        await desk.until(lambda: desk.main.telling.status.pid not in {0, os.getpid()}, "the keeper")
        await desk.until(lambda: desk.main.telling.status.phase == "idle", "rest")
        library.folder.rename(library.folder.with_name("away"))
        await desk.until(lambda: "folder" in desk.main.notice.text, "the trouble")
        assert "How we work here." in desk.text
        assert "folder" in desk.status
        library.folder.with_name("away").rename(library.folder)
