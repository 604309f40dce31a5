"""The browser begins where it was left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.settings import Settings
from stonebrowse.tui.app import Browser
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]


async def read_hiring(desk: Desk) -> None:
    """Goes to a place in the longest page."""
    await desk.until(lambda: desk.focus == "page", "the page")
    await desk.press("9", "]")
    await desk.until(lambda: "§ Step 9 (Line " in desk.status, "the place")


async def test_place_and_pane_come_back(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, at="people/hiring.md") as desk:
        await read_hiring(desk)
        offset = desk.main.furniture.page.place().offset
    async with browsing(library) as desk:
        await desk.until(lambda: desk.path == "people/hiring.md", "the page")
        await desk.until(lambda: "§ Step 9 (Line " in desk.status, "the place")
        await desk.until(lambda: desk.focus == "page", "the pane")
        assert desk.main.furniture.page.place().offset == offset
        await desk.press("H")
        assert "nowhere to go back" in desk.text


async def test_the_place_follows_an_edit_made_meanwhile(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, at="people/hiring.md") as desk:
        await read_hiring(desk)
    place = library.folder / "people/hiring.md"
    place.write_text("# New part\n\nSome words.\n\n" + place.read_text())
    library.update()
    async with browsing(library) as desk:
        await desk.until(lambda: "§ Step 9 (Line " in desk.status, "the place")
        assert " v2 " in desk.status


async def test_query_hits_and_the_page_beside_them_come_back(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        await desk.search("days")
        await desk.until(lambda: desk.path == "people/holidays.md", "the first hit")
        await desk.press("n")
        citations = [hit.citation for hit in desk.main.furniture.hits.hits]
    async with browsing(library) as desk:
        await desk.until(desk.main.furniture.hits.count, "the hits")
        assert [hit.citation for hit in desk.main.furniture.hits.hits] == citations
        assert desk.main.furniture.search.value == "days"
        assert desk.main.desk.left == "hits"
        await desk.until(lambda: desk.path == "people/holidays.md", "the page")
        await desk.press("s")
        await desk.type("x")
        assert desk.main.furniture.search.value == "x"


async def test_a_place_on_the_command_line_wins(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        await desk.search("days")
    async with browsing(library, at="tools/editor.md") as desk:
        await desk.until(lambda: desk.path == "tools/editor.md", "the page")
        await desk.until(lambda: desk.focus == "page", "the pane")
        assert desk.main.furniture.search.value == ""


@pytest.mark.parametrize("way", ["trashed", "removed", "pruned"])
async def test_a_place_that_is_gone_is_passed_over_quietly(make_library: Make, way: str) -> None:
    library = make_library()
    async with browsing(library, at="people/hiring.md") as desk:
        await read_hiring(desk)
        if way == "pruned":
            version = desk.main.opening.document.version  # type: ignore[union-attr]
    place = library.folder / "people/hiring.md"
    if way == "trashed":
        library.trash(library.find_file("people/hiring.md"))
    elif way == "removed":
        place.unlink()
    else:
        place.write_text("# Other\n")
    library.update()
    if way == "pruned":
        library.forget(version)
    async with browsing(library) as desk:
        wanted = {"README.md", "people/hiring.md"} if way == "pruned" else {"README.md"}
        await desk.until(lambda: desk.path in wanted, "a page")
        assert not desk.main.notice.display


async def test_the_setting_turns_it_off(make_library: Make) -> None:
    library = make_library(settings=Settings(restore=False))
    async with browsing(library, at="people/hiring.md") as desk:
        await read_hiring(desk)
    assert library.store.desk.sitting() is None
    async with browsing(library) as desk:
        assert desk.path == "README.md"


async def test_a_page_of_the_web_keeps_nothing_and_brings_nothing_back(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, at="people/hiring.md") as desk:
        await read_hiring(desk)
    kept = library.store.desk.sitting()
    library.ensure_keeper = lambda: None  # type: ignore[method-assign]
    app = Browser(library, served=True)
    async with app.run_test() as pilot:
        await pilot.pause(1)
        await pilot.press("j")
    assert library.store.desk.sitting() == kept


async def test_panes_come_back(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, at="people/hiring.md") as desk:
        await read_hiring(desk)
        await desk.press("z")
        assert desk.main.desk.alone
    async with browsing(library) as desk:
        await desk.until(lambda: desk.main.desk.alone, "the page alone")
        await desk.press("z", "o")
        assert desk.focus == "outline"
    async with browsing(library) as desk:
        await desk.until(lambda: desk.focus == "outline", "the outline")
