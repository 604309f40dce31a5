"""A theme is seen while one chooses, and kept or given back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.settings import load
from stonebrowse.settings.places import settings_file, themes_folder
from stonebrowse.tui.screens.themes import ThemesScreen
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]


async def choosing(desk: Desk) -> None:
    """Opens the list of themes."""
    await desk.press("T")
    await desk.until(lambda: isinstance(desk.app.screen, ThemesScreen), "the themes")
    await desk.until(lambda: "Themes" in desk.text, "the list")


def colors(desk: Desk) -> set[str]:
    """The backgrounds of the page's first row, as they are drawn."""
    page = desk.main.furniture.page
    return {str(segment.style.bgcolor) for segment in page.render_line(0) if segment.style}


async def test_moving_shows_and_enter_keeps(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        before = colors(desk)
        await choosing(desk)
        await desk.press("G")
        await desk.until(lambda: desk.app.theme == "tidepool", "the last theme")
        await desk.until(lambda: colors(desk) != before, "its colours")
        assert not settings_file().exists()
        await desk.press("enter")
        await desk.until(lambda: load().settings.theme == "tidepool", "the setting")
        await desk.until(lambda: "The theme is tidepool from now on" in desk.text, "the word")
        assert desk.app.theme == "tidepool"


async def test_escape_gives_the_old_one_back(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        old, before = desk.app.theme, colors(desk)
        await choosing(desk)
        await desk.press("j", "j", "j")
        await desk.until(lambda: desk.app.theme != old, "another theme")
        await desk.press("escape")
        await desk.until(lambda: desk.app.theme == old, "the old theme")
        await desk.until(lambda: colors(desk) == before, "its colours")
        assert not settings_file().exists()


async def test_other_settings_and_comments_stay(make_library: Make) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text('# mine\ntheme = "moss"  # green\n\n[reader]\nwidth = 80\n')
    async with browsing(make_library(settings=load().settings)) as desk:
        assert desk.app.theme == "moss"
        await choosing(desk)
        await desk.press("g", "enter")
        await desk.until(lambda: load().settings.theme == "auto", "the setting")
        assert desk.app.theme == "lamplight"
    assert settings_file().read_text() == '# mine\ntheme = "auto"  # green\n\n[reader]\nwidth = 80\n'


async def test_auto_follows_the_terminal(make_library: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORFGBG", "0;15")
    async with browsing(make_library()) as desk:
        assert desk.app.theme == "daylight"
        await choosing(desk)
        assert "Follows the terminal: daylight" in desk.text


async def test_a_theme_of_ones_own_is_there_without_a_restart_and_its_faults_are_named(
    make_library: Make,
) -> None:
    async with browsing(make_library()) as desk:
        themes_folder().mkdir(parents=True)
        (themes_folder() / "aaa.toml").write_text(
            'about = "[red]Mine\x1b[31m"\nbase = "moss"\n[colors]\nbackground = "#010203"\ntext = "no colour"\n'.replace(
                "\x1b", "\\u001b"
            )
        )
        await choosing(desk)
        assert "aaa" in desk.text
        assert "dark, yours" in desk.text
        assert "[red]Mine" in desk.text
        assert "aaa.toml" in "".join(row[:40].strip() for row in desk.rows)
        await desk.press("g", "j")
        await desk.until(lambda: desk.app.theme == "aaa", "the theme")
        await desk.press("escape")
        (themes_folder() / "aaa.toml").write_text('base = "moss"\n')
        await choosing(desk)
        assert "aaa.toml" not in desk.text


async def test_a_setting_that_cannot_be_written_is_said(make_library: Make) -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("theme = \n")
    async with browsing(make_library()) as desk:
        await choosing(desk)
        await desk.press("j", "enter")
        await desk.until(lambda: "correct it first" in desk.text, "why not")
    assert settings_file().read_text() == "theme = \n"


async def test_without_colours_there_is_nothing_to_choose(
    make_library: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with browsing(make_library()) as desk:
        await desk.press("T")
        await desk.until(lambda: "NO_COLOR is set" in desk.text, "the word")


async def test_on_a_small_screen_too(make_library: Make) -> None:
    async with browsing(make_library(), size=(20, 5)) as desk:
        await choosing(desk)
        await desk.press("j", "enter")
        await desk.until(lambda: load().settings.theme == "ansi", "the setting")
