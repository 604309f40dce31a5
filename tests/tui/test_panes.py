"""Panes, moving in them, and the screens over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.actions import ACTIONS
from stonebrowse.tui.screens.help import HelpScreen
from stonebrowse.tui.screens.main import MainScreen
from stonebrowse.tui.screens.palette import PaletteScreen
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


async def test_every_action_of_the_list_is_done_by_the_main_screen(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        assert set(desk.main._acts) == {action.name for action in ACTIONS}


async def test_the_page_follows_the_cursor_through_the_tree(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("g", "right", "j")
        await desk.until(lambda: desk.path == "people/hiring.md", "the file under the cursor")
        await desk.press("j")
        await desk.until(lambda: desk.path == "people/holidays.md", "the next file")
        assert desk.focus == "files"
        await desk.press("enter")
        assert desk.focus == "page"
        await desk.press("H")
        await desk.until(lambda: desk.path == "README.md", "the page from before all that moving")


async def test_folders_fold_and_unfold(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("g", "enter")
        assert any(row.startswith("     hiring.md") for row in desk.rows)
        await desk.press("j", "left")
        assert desk.main.furniture.files.cursor == 0
        await desk.press("left")
        assert not any(row.startswith("     hiring.md") for row in desk.rows)


async def test_tab_goes_round_the_panes(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        seen = []
        for _ in range(4):
            await desk.press("tab")
            seen.append(desk.focus)
        assert seen == ["page", "outline", "files", "page"]
        await desk.press("shift+tab")
        assert desk.focus == "files"


async def test_the_outline_follows_the_page_and_enter_jumps(make_library: Make) -> None:
    async with browsing(make_library(), at="people/hiring.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        outline = desk.main.furniture.outline
        assert outline.count() == 31
        await desk.press("space", "space")
        section = outline.section
        assert section is not None
        assert section.heading in desk.status
        assert outline.cursor > 2
        await desk.press("o")
        assert desk.focus == "outline"
        await desk.press("g", *"jjjj", "enter")
        assert desk.focus == "page"
        assert "people/hiring.md § Step 4 (Line 15)" in desk.status
        await desk.press("H")
        await desk.until(lambda: "Step 4 " not in desk.status, "the place before the jump")


async def test_headings_lines_and_ends_are_reached_by_keys(make_library: Make) -> None:
    async with browsing(make_library(), at="people/hiring.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("]", "]")
        assert "§ Step 2 (Line 7)" in desk.status
        await desk.press("[")
        assert "§ Step 1 (Line 3)" in desk.status
        await desk.press("3", "]")
        assert "§ Step 4 (Line 15)" in desk.status
        await desk.press("4")
        assert " 4 " in desk.status
        await desk.press("3", "G")
        await desk.until(lambda: "line 43" in desk.status, "line 43")
        await desk.press("G")
        assert " end " in desk.status
        await desk.press("g")
        assert "line 1 " in desk.status + " "


async def test_the_page_can_be_alone_and_escape_never_quits(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("z")
        assert desk.focus == "page"
        assert not desk.main.furniture.files.display
        assert not desk.main.furniture.outline.display
        for _ in range(6):
            await desk.press("escape")
        assert desk.main.furniture.files.display
        assert desk.app.is_running
        assert desk.focus == "files"


async def test_the_panes_depend_on_the_width(make_library: Make) -> None:
    async with browsing(make_library(), size=(120, 20)) as desk:
        things = desk.main.furniture
        for width, panes in ((120, 3), (80, 2), (59, 1), (20, 1), (60, 2), (100, 3)):
            await desk.pilot.resize_terminal(width, 20)
            await desk.pilot.pause()
            assert [things.files.display, things.page.display, things.outline.display].count(True) == panes
            assert all(len(row) <= width for row in desk.rows)


async def test_on_a_narrow_screen_enter_and_escape_go_between_list_and_page(make_library: Make) -> None:
    async with browsing(make_library(), size=(44, 20)) as desk:
        assert "How we work" not in desk.text
        await desk.press("enter")
        assert "How we work" in desk.text
        await desk.press("o")
        assert "Where to begin" in desk.text
        assert "How we work" not in desk.text
        await desk.press("escape")
        assert "How we work" in desk.text
        await desk.press("escape")
        assert desk.focus == "files"


async def test_the_place_survives_any_resize(make_library: Make) -> None:
    async with browsing(make_library(), at="people/hiring.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("7", "]")
        offset = desk.main.furniture.page.place().offset
        for width, height in ((20, 5), (10, 3), (1, 1), (300, 100), (59, 24), (2, 30), (30, 2), (120, 40)):
            await desk.pilot.resize_terminal(width, height)
            await desk.pilot.pause()
        assert desk.main.furniture.page.place().offset == offset
        assert "§ Step 7 (Line 27)" in desk.status


async def test_help_shows_every_action_and_closes(make_library: Make) -> None:
    async with browsing(make_library(), size=(80, 24)) as desk:
        await desk.press("?")
        assert isinstance(desk.app.screen, HelpScreen)
        assert "How to search" in desk.text
        seen = desk.text
        for _ in range(8):
            await desk.press("space")
            seen += desk.text
        missing = [action.name for action in ACTIONS if action.description[:40] not in seen]
        assert missing == []
        await desk.press("q")
        assert isinstance(desk.app.screen, MainScreen)


async def test_the_palette_runs_actions_and_opens_files_lines_and_citations(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press(":")
        assert isinstance(desk.app.screen, PaletteScreen)
        await desk.type("outline")
        await desk.press("enter")
        await desk.until(lambda: desk.focus == "outline", "the outline")
        await desk.press("ctrl+p")
        await desk.type("hiring")
        await desk.press("enter")
        await desk.until(lambda: desk.path == "people/hiring.md", "the file")
        await desk.press(":")
        await desk.type("19")
        await desk.press("enter")
        await desk.until(lambda: "line 19" in desk.status, "the line")
        await desk.press(":")
        desk.app.screen.query_one("#palette-line").value = "people/holidays.md § Sick leave (Line 9)"  # type: ignore[attr-defined]
        await desk.press("enter")
        await desk.until(lambda: "§ Sick leave (Line 9)" in desk.status, "the citation")
        await desk.press(":")
        await desk.type("nothing of this name")
        await desk.press("enter")
        await desk.until(lambda: "is not in this library" in desk.main.notice.text, "a notice")


async def test_a_theme_is_chosen_in_the_palette(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        assert len(desk.app.theme_names) > 3
        for name in ("ansi", "ansi-light", "contrast-dark"):
            desk.app.use_theme(name)
            await desk.pilot.pause()
            assert "How we work here." in desk.text
        await desk.press(":")
        await desk.type("theme daylight")
        await desk.press("enter")
        await desk.until(lambda: desk.app.theme == "daylight", "the theme")


async def test_links_are_numbered_and_followed(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("enter", "f", "escape")
        assert not desk.main.linking.numbered
        assert not desk.main.furniture.page.hinted
        assert desk.focus == "page"
        await desk.press("f")
        assert desk.main.linking.numbered
        await desk.press("1")
        await desk.until(lambda: desk.path == "people/holidays.md", "the linked file")
        await desk.until(lambda: "§ Carry-over (Line 5)" in desk.status, "its heading")
        await desk.press("backspace")
        await desk.until(lambda: desk.path == "README.md", "the page before")
        await desk.press("L")
        await desk.until(lambda: desk.path == "people/holidays.md", "the linked file again")


async def test_a_link_out_of_the_library_is_copied_and_shown_never_opened(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("enter", "f", "2")
        await desk.until(lambda: desk.main.sending.sent, "the copy")
        assert desk.main.sending.sent == ["https://example.org/"]
        assert "https://example.org/" in desk.text
        assert desk.path == "README.md"


async def test_the_source_is_shown_with_line_numbers_and_q_quits(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("enter", "r")
        assert "# Handbook" in desk.text
        assert "*holidays*" in desk.text
        await desk.press("r")
        assert "*holidays*" not in desk.text
        await desk.press("q")
        assert desk.app.return_value == 0


async def test_ctrl_c_quits_from_the_search_line_too(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("s")
        await desk.press("ctrl+c")
        assert desk.app.return_value == 130
