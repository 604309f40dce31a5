"""The browser's end of the way to a page."""

from __future__ import annotations

import asyncio

from textual import events, messages
from textual.drivers.web_driver import WebDriver
from textual.geometry import Size


class PageDriver(WebDriver):
    """Textual's driver for a page; besides, the browser ends when the server is gone, however it went."""

    def start_application_mode(self) -> None:
        """Begins, and remembers the loop for the thread that reads."""
        self._running = asyncio.get_running_loop()
        super().start_application_mode()

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Takes what the server says about the page.

        A new size goes the way on which the first one went: by the shorter way it would come before the first,
        when a page is resized just as it opens, and be undone by it.
        """
        if packet_type != "resize":
            super().on_meta(packet_type, payload)
            return
        columns, rows = payload["width"], payload["height"]
        assert isinstance(columns, int)
        assert isinstance(rows, int)
        self._size = columns, rows
        size = Size(columns, rows)
        resized = self._app._post_message(events.Resize(size, size))  # noqa: SLF001 - as Textual's own driver does
        asyncio.run_coroutine_threadsafe(resized, self._running)

    def run_input_thread(self) -> None:
        """Reads until the server closes the pipe, then ends the browser."""
        super().run_input_thread()
        if not self.exit_event.is_set() and not self._running.is_closed():
            asyncio.run_coroutine_threadsafe(self._app._post_message(messages.ExitApp()), self._running)  # noqa: SLF001 - as Textual's own driver does
