"""The browser's end of the way to a page."""

from __future__ import annotations

import asyncio

from textual import messages
from textual.drivers.web_driver import WebDriver


class PageDriver(WebDriver):
    """Textual's driver for a page; besides, the browser ends when the server is gone, however it went."""

    def start_application_mode(self) -> None:
        """Begins, and remembers the loop for the thread that reads."""
        self._running = asyncio.get_running_loop()
        super().start_application_mode()

    def run_input_thread(self) -> None:
        """Reads until the server closes the pipe, then ends the browser."""
        super().run_input_thread()
        if not self.exit_event.is_set() and not self._running.is_closed():
            asyncio.run_coroutine_threadsafe(self._app._post_message(messages.ExitApp()), self._running)  # noqa: SLF001 - as Textual's own driver does
