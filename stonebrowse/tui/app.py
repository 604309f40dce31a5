"""The browser as a program: one library, one terminal, and both given back in order."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding

from stonebrowse.errors import Internal
from stonebrowse.settings.places import home_folder, themes_folder
from stonebrowse.settings.themes import ANSI_DARK, load_all
from stonebrowse.tui.actions import with_keys
from stonebrowse.tui.painting import Guard
from stonebrowse.tui.screens.waiting import WaitingScreen
from stonebrowse.tui.theming import textual_theme
from stonebrowse.tui.titling import RESTORE, SAVE, has_title, title

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import BindingType
    from textual.filter import LineFilter
    from textual.screen import Screen

    from stonebrowse.library.library import Library
    from stonebrowse.settings.themes import Themes

HANGUP_SECONDS = 1.0
INTERRUPTED = 130
LEAVING_SECONDS = 2.0


class Browser(App[int]):
    """The app. What is on the screen is the main screen's matter."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, library: Library, *, at: str | None = None, served: bool = False) -> None:
        """Made for an opened library.

        Args:
            library: whose folder is browsed. It stays the caller's to close.
            at: what to open first: a citation, an ID or a path.
            served: it is shown in a web page: then nothing is started, written or set on this machine.
        """
        no_color = bool(os.environ.get("NO_COLOR"))
        # Without colours the terminal's own are drawn with: then Textual sends none, not even greys.
        super().__init__(ansi_color=True if no_color else None)
        # Every frame of an animation is sent, and over a network waited for.
        self.animation_level = "none"
        self.library = library
        self._at = at
        self.served = served
        self._guard = Guard()
        self._titled = False
        self._mouse_free = False
        self._faults: list[str] = []
        self.leaving: Callable[[], threading.Thread | None] = lambda: None
        self._left: threading.Thread | None = None
        self._choose_theme()

    def _choose_theme(self) -> None:
        themes = self._themes = load_all(themes_folder())
        for theme in themes.found.values():
            self.register_theme(textual_theme(theme))
        wanted = ANSI_DARK if self.no_color and ANSI_DARK in themes.found else self.library.settings.theme
        chosen = themes.choose(wanted)
        if chosen is None:
            near = themes.near(wanted)
            self._faults.append(f"there is no theme {wanted}" + (f"; did you mean {near}?" if near else ""))
            chosen, wanted = themes.choose("auto"), "auto"
        self.theme_wanted = wanted
        self._faults += map(str, themes.faults)
        self.theme_names = tuple(themes.found)
        assert chosen is not None
        self.theme = chosen.name
        # The first parse of the style sheets has the right colours then, and need not be done again.
        self._drawn_with = self.get_css_variables()
        self.stylesheet.set_variables(self._drawn_with)

    def refresh_css(self, animate: bool = True) -> None:
        """Parses the style sheets anew, where the colours are others: at a start they are not."""
        variables = self.get_css_variables()
        if variables != self._drawn_with:
            self._drawn_with = variables
            super().refresh_css(animate)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own filters, and the guard before them all."""
        return [self._guard, *super().get_line_filters()]

    def get_default_screen(self) -> Screen[Any]:
        """What can be painted at once."""
        return WaitingScreen(self.library.folder.name or str(self.library.folder))

    def on_mount(self) -> None:
        """Listens to signals, and loads the rest in a thread once the first screen is painted."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, self._ended_by, number)
        self.call_after_refresh(lambda: self.run_worker(self._load, thread=True, name="load"))

    def _load(self) -> None:
        """In a thread: imports what the first paint did not need."""
        import stonebrowse.tui.screens.main  # noqa: F401 - so that the next import is quick

        self.call_later(self._begin)

    async def _begin(self) -> None:
        """Shows the main screen; on the whole disk or a home folder only when the person says so."""
        question = wide_folder(self.library.folder)
        if not question:
            await self._show_main()
            return
        from stonebrowse.tui.screens.confirm import ConfirmScreen

        lines = [
            f"All Markdown below {self.library.folder} would be recorded and indexed.",
            "Nothing in the folder is changed.",
        ]
        self.push_screen(ConfirmScreen(question, lines, yes="open it", no="quit"), self._answered)

    async def _answered(self, yes: bool | None) -> None:
        if yes:
            await self._show_main()
        else:
            self.exit(0)

    async def _show_main(self) -> None:
        from stonebrowse.tui.screens.main import MainScreen

        waiting = self.screen_stack[0]
        actions, faults = with_keys(self.library.settings.keys)
        await self.push_screen(
            MainScreen(
                self.library, actions, at=self._at, faults=[*self._faults, *faults], served=self.served
            )
        )
        if isinstance(waiting, WaitingScreen):
            # What was typed before counts.
            for key in waiting.typed:
                self.post_message(key)

    def action_interrupt(self) -> None:
        """Quits, as Ctrl-C does everywhere."""
        self.exit(INTERRUPTED)

    # -- the terminal ------------------------------------------------------------------------------------

    def write_terminal(self, sequence: str) -> None:
        """Sends a control sequence of our own. Nothing of a document may stand in it."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    def name_window(self, text: str) -> None:
        """Gives the terminal's window a title, any text."""
        if has_title() and not self.is_headless:
            if not self._titled:
                self._titled = True
                self.write_terminal(SAVE)
            self.write_terminal(title(text))

    def give_window_name_back(self) -> None:
        """Brings the window's own title back."""
        if self._titled:
            self._titled = False
            self.write_terminal(RESTORE)

    def free_mouse(self) -> bool:
        """Leaves the mouse to the terminal, or takes it back; says whether it is free now."""
        self._mouse_free = not self._mouse_free
        # XTerm Control Sequences, "Mouse Tracking": what Textual switches on at its start.
        for mode in (1000, 1003, 1015, 1006):
            self.write_terminal(f"\x1b[?{mode}{'l' if self._mouse_free else 'h'}")
        return self._mouse_free

    def use_theme(self, name: str) -> None:
        """Shows everything in another theme, until the browser ends; `auto` goes by the terminal."""
        chosen = self._themes.choose(name)
        if chosen is not None:
            self.theme_wanted, self.theme = name, chosen.name

    @property
    def colored(self) -> bool:
        """Whether colours are shown at all."""
        return not self.no_color

    def take_themes(self, themes: Themes) -> None:
        """Knows these themes from now on, and shows what is new in the present one."""
        self._themes, self.theme_names = themes, tuple(themes.found)
        for theme in themes.found.values():
            self.register_theme(textual_theme(theme))
        self.refresh_css(animate=False)

    async def _shutdown(self) -> None:
        leaving, self.leaving = self.leaving, lambda: None
        self._left = leaving()
        self.give_window_name_back()
        await super()._shutdown()

    def finish_leaving(self) -> None:
        """Waits a little for what is still to be written, once no keeper stands in its way."""
        if self._left is not None:
            self._left.join(LEAVING_SECONDS)

    def _ended_by(self, number: int) -> None:
        """Ends in order. Where the terminal is gone that may hang on writing to it: then without order."""
        if number == signal.SIGHUP:
            self.library.stop_keeper()
            timer = threading.Timer(HANGUP_SECONDS, os._exit, [128 + number])
            timer.daemon = True
            timer.start()
        self.exit(128 + number)

    # -- faults ------------------------------------------------------------------------------------------

    def _fatal_error(self) -> None:
        """Ends without printing a traceback: `run` hands the fault on."""
        self._close_messages_no_wait()

    @property
    def fault(self) -> BaseException | None:
        """What ended the app, if it was a fault of ours."""
        return self._exception


def wide_folder(folder: Path) -> str:
    """The question to be asked before a folder is opened that is rarely meant; empty for any other."""
    if folder == Path(folder.anchor):
        return "Open the whole disk?"
    return "Open your whole home folder?" if folder == Path(os.path.realpath(home_folder())) else ""


def run(library: Library, *, at: str | None = None, served: bool = False) -> int:
    """Browses a library until the person quits. Needs a terminal.

    Args:
        library: the opened library; the caller closes it.
        at: what to open first: a citation, an ID or a path.
        served: it is shown in a web page; see `Browser`.

    Returns:
        The exit status: 0, 130 after Ctrl-C, 128 and the signal's number after a signal.

    Raises:
        Internal: a fault in the browser; the terminal is restored before.
    """
    if not os.environ.get("NO_COLOR"):
        # Empty counts as none (no-color.org); Textual takes any.
        os.environ.pop("NO_COLOR", None)
    app = Browser(library, at=at, served=served)
    try:
        status = app.run()
    finally:
        library.stop_keeper()
    app.finish_leaving()
    if app.fault is not None:
        raise Internal(
            f"the browser stopped at a fault of its own ({type(app.fault).__name__})"
        ) from app.fault
    return status or 0
