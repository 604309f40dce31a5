"""One open page: its websocket on one side, its browser process on the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from stonebrowse.web.session import environment

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Sequence

    from aiohttp import web

END_SECONDS: Final = 3.0
MOST_CELLS: Final = 500
SMALLEST: Final = (20, 5)
USUAL: Final = (80, 24)


class Visitor(AppService):
    """Starts the browser process of one page, and ends it with the page."""

    def __init__(self, words: Sequence[str], page: web.WebSocketResponse) -> None:
        """Made for an open websocket.

        Args:
            words: the command line of the browser process.
            page: the websocket.
        """
        super().__init__(
            "",
            write_bytes=page.send_bytes,
            write_str=page.send_str,
            close=self._close_page,
            download_manager=DownloadManager(),
        )
        self._words = words
        self._page = page
        self._ended = False

    async def _open_app_process(self, width: int = USUAL[0], height: int = USUAL[1]) -> Process:
        """Starts the process: no shell, and in a session of its own, so that Ctrl-C reaches the server alone."""
        process = await asyncio.create_subprocess_exec(
            *self._words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(os.environ, width, height),
            start_new_session=True,
        )
        self._process = process
        self._stdin = process.stdin
        return process

    async def _close_page(self) -> None:
        await self._page.close()

    async def on_data(self, payload: bytes) -> None:
        """Hands on what is to be shown. A page that is gone must not keep the process from ending."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            await super().on_data(payload)

    async def on_meta(self, data: bytes) -> None:
        """Of what the process may ask of the page, only its end is granted: no address, no file."""
        if json.loads(data).get("type") == "exit":
            with contextlib.suppress(ConnectionError, RuntimeError):
                await self.remote_close()

    async def visit(self) -> None:
        """Hands on what the page sends, until it is closed."""
        async for message in self._page:
            if message.type == WSMsgType.TEXT:
                with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError):
                    await self._take(message.json())

    async def _take(self, envelope: Any) -> None:
        kind = envelope[0]
        if kind == "stdin":
            await self.send_bytes(envelope[1].encode("utf-8", "replace"))
        elif kind == "resize":
            await self.set_terminal_size(*sizes(envelope[1]["width"], envelope[1]["height"]))
        elif kind == "ping":
            await self._page.send_json(["pong", envelope[1]])
        elif kind == "blur":
            await self.blur()
        elif kind == "focus":
            await self.focus()

    async def stop(self) -> None:
        """Ends the process: asks it, then tells it, then makes it."""
        process = self._process
        if process is None or self._ended:
            return
        self._ended = True
        if process.returncode is None:
            await self.send_meta({"type": "quit"})
        with contextlib.suppress(OSError, RuntimeError):
            self.stdin.close()
        for end in (process.terminate, process.kill):
            try:
                await asyncio.wait_for(process.wait(), END_SECONDS)
                break
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    end()
        await process.wait()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


def sizes(columns: Any, rows: Any) -> tuple[int, int]:
    """A terminal's size as a page tells it, within bounds; the usual one where it tells none."""
    try:
        found = int(columns), int(rows)
    except (TypeError, ValueError, OverflowError):
        return USUAL
    return (
        max(SMALLEST[0], min(found[0], MOST_CELLS)),
        max(SMALLEST[1], min(found[1], MOST_CELLS)),
    )
