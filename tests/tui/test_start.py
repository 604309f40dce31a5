"""How the browser begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.settings import Settings
from stonebrowse.tui.app import wide_folder
from stonebrowse.tui.screens.confirm import ConfirmScreen
from tests.tui.desk import browsing, write_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


async def test_a_first_start_opens_the_readme_and_the_list_has_the_keys(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        assert desk.path == "README.md"
        assert desk.focus == "files"
        assert "How we work here." in desk.text
        assert "handbook  4 files" in desk.text
        assert "README.md § Handbook (Line 1)" in desk.status


async def test_an_index_is_opened_where_there_is_no_readme(make_library: Make) -> None:
    async with browsing(make_library({"Index.md": "# Contents\n", "a.md": "# A\n"})) as desk:
        assert desk.path == "Index.md"


async def test_without_either_the_start_page_names_the_folder_and_the_keys(make_library: Make) -> None:
    library = make_library({"a.md": "# A\n", "b/c.md": "# C\n"})
    async with browsing(library) as desk:
        assert desk.path == ""
        assert "2 files" in desk.text
        assert str(library.folder)[:30] in desk.text
        assert "searches" in desk.text
        assert desk.focus == "files"


async def test_an_empty_folder_says_what_would_appear(make_library: Make) -> None:
    library = make_library({"notes.txt": "x"})
    async with browsing(library) as desk:
        assert "There is no Markdown in this folder yet." in desk.text
        assert ".md, .markdown, .mdown, .mkd" in desk.text
        assert "handbook" in desk.text
        write_files(library.folder, {"first.md": "# First\n"})
        library.update()
        await desk.until(lambda: "first.md" in desk.text, "the new file")


async def test_a_citation_is_opened_first(make_library: Make) -> None:
    async with browsing(make_library(), at="people/holidays.md § Carry-over (Line 5)") as desk:
        await desk.until(lambda: desk.path == "people/holidays.md", "the page")
        await desk.until(lambda: desk.focus == "page", "the keys on the page")
        assert "people/holidays.md § Carry-over (Line 5)" in desk.status


async def test_a_path_is_opened_first(make_library: Make) -> None:
    async with browsing(make_library(), at="tools/editor.md") as desk:
        await desk.until(lambda: desk.path == "tools/editor.md", "the page")


async def test_a_reference_to_nothing_is_said(make_library: Make) -> None:
    async with browsing(make_library(), at="nowhere.md § X (Line 1)", keeper=True) as desk:
        await desk.until(lambda: "nowhere.md" in desk.main.notice.text, "the notice")


async def test_a_wrong_setting_is_said_and_the_browser_opens(make_library: Make) -> None:
    settings = Settings(theme="no-such-theme", keys={"serch": "x"})
    async with browsing(make_library(settings=settings)) as desk:
        assert "no-such-theme" in desk.main.notice.text
        assert "did you mean search?" in desk.main.notice.text
        await desk.press("j")
        assert desk.main.notice.text == ""


async def test_a_persons_own_keys_are_used(make_library: Make) -> None:
    async with browsing(make_library(settings=Settings(keys={"search": "x"}))) as desk:
        await desk.press("s")
        assert desk.focus == "files"
        await desk.press("x")
        assert desk.focus == "search"
        assert "x search" in desk.main.query_one("#keys").render_line(0).text or desk.focus == "search"


def test_the_whole_disk_and_the_home_folder_are_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    root = type(tmp_path)("/")
    assert wide_folder(root)
    assert wide_folder(tmp_path)
    assert not wide_folder(tmp_path / "notes")


async def test_a_home_folder_is_opened_only_when_the_person_says_so(
    make_library: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stonebrowse.tui.app import Browser

    library = make_library()
    started: list[bool] = []
    monkeypatch.setenv("HOME", str(library.folder))
    library.ensure_keeper = lambda: started.append(True)  # type: ignore[method-assign]
    app = Browser(library)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ConfirmScreen)
        assert not started
        await pilot.press("n")
    assert app.return_value == 0
    assert not started


async def test_nothing_is_said_to_be_missing_before_the_store_was_asked(make_library: Make) -> None:
    async with browsing(make_library({"a.md": "# A\n"})) as desk:
        renewing, files = desk.main.renewing, desk.main.furniture.files
        renewing._files = None
        renewing.say()
        assert files.said == ["Looking what there is …"]
        await desk.pilot.pause()
        assert "no Markdown" not in desk.text
