"""Marks outlast a restart and an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.settings import Settings
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


async def test_a_mark_is_found_again_after_a_restart_and_an_edit(make_library: Make) -> None:
    library = make_library(settings=Settings(restore=False))
    async with browsing(library, at="people/hiring.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("9", "]", "m")
        await desk.until(lambda: "Mark this place" in desk.text, "the question")
        await desk.press("a")
        await desk.until(lambda: "Marked as a" in desk.text, "the answer")
    place = library.folder / "people/hiring.md"
    place.write_text("# New part\n\nSome words.\n\n" + place.read_text())
    library.update()
    async with browsing(library) as desk:
        await desk.until(lambda: desk.path == "README.md", "the start")
        await desk.press("apostrophe")
        await desk.until(lambda: "people/hiring.md § Step 9" in desk.text, "the marks")
        await desk.press("a")
        await desk.until(lambda: desk.path == "people/hiring.md", "the page")
        await desk.until(lambda: "§ Step 9 (Line " in desk.status, "the place")
        await desk.press("H")
        await desk.until(lambda: desk.path == "README.md", "the way back")


async def test_what_is_no_mark_is_said(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.until(lambda: desk.path, "the page")
        await desk.press("apostrophe")
        await desk.until(lambda: "There are no marks yet" in desk.text, "that there are none")
        await desk.press("escape", "apostrophe")
        await desk.until(lambda: "Go to a mark" in desk.text, "the question")
        await desk.press("z")
        await desk.until(lambda: "There is no mark z" in desk.text, "that there is none such")
