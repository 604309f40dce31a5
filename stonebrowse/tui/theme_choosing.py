"""Choosing a theme: shown while one chooses, kept in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from stonebrowse.settings import set_value
from stonebrowse.settings.places import settings_file, themes_folder
from stonebrowse.settings.themes import load_all
from stonebrowse.tui.screens.themes import Offer, ThemesScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    from stonebrowse.settings.themes import Themes
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.status import Notice


class Painter(Protocol):
    """What is asked of the app.

    Attributes:
        theme_wanted: the name that the settings have, or that was chosen since.
        colored: whether colours are shown at all.
    """

    theme_wanted: str

    @property
    def colored(self) -> bool:
        """Whether colours are shown at all."""

    def take_themes(self, themes: Themes) -> None:
        """Knows these themes from now on, and shows what is new in the present one."""

    def use_theme(self, name: str) -> None:
        """Shows everything in another theme."""


class ThemeChoosing:
    """The action that chooses a theme."""

    def __init__(self, app: App[int], painter: Painter, lane: Lane, notice: Notice) -> None:
        """Made of what is painted and told."""
        self._app = app
        self._painter = painter
        self._lane = lane
        self._notice = notice

    def acts(self) -> dict[str, Callable[[int], None]]:
        """What the action does; it takes no number."""
        return {"themes": lambda _: self._choose()}

    def _choose(self) -> None:
        if not self._painter.colored:
            self._notice.tell("NO_COLOR is set: no theme is shown")
            return
        # Read anew: a person may be writing one of their own just now.
        self._lane.ask(lambda: load_all(themes_folder()), self._offer)

    def _offer(self, themes: Themes) -> None:
        before = self._painter.theme_wanted
        self._painter.take_themes(themes)
        by_terminal = themes.choose("auto")
        offers = [Offer("auto", f"Follows the terminal: {by_terminal.name if by_terminal else ''}", "")]
        offers += [
            Offer(
                theme.name,
                theme.about,
                ("dark" if theme.dark else "light") + ("" if theme.shipped else ", yours"),
            )
            for theme in themes.found.values()
        ]

        def done(name: str | None) -> None:
            self._painter.use_theme(before if name is None else name)
            if name is not None:
                self._keep(name)

        faults = [str(fault) for fault in themes.faults]
        self._app.push_screen(ThemesScreen(offers, before, faults, self._painter.use_theme), done)

    def _keep(self, name: str) -> None:
        self._lane.ask(
            lambda: set_value(settings_file(), "theme", name),
            lambda _: self._notice.tell(f"The theme is {name} from now on"),
        )
