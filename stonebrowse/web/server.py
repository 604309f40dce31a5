"""The server: the door before everything, the page, its files, and a browser process for each open page."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import signal
from typing import TYPE_CHECKING, Final

from aiohttp import web

from stonebrowse.library.doors import KEY, Door
from stonebrowse.web.pages import FILES, page, policy
from stonebrowse.web.session import command
from stonebrowse.web.visitor import Visitor, sizes

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

MOST_PAGES: Final = 16
"""Pages open at once: each is a process."""

HEARTBEAT_SECONDS: Final = 15
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Server:
    """Serves one library."""

    def __init__(self, folder: Path, store: Path, door: Door) -> None:
        """Made for a library.

        Args:
            folder: what is browsed.
            store: where its store lies.
            door: who may come in.
        """
        self._words = command(folder, store)
        self._door = door
        self._visitors: set[Visitor] = set()

    def application(self) -> web.Application:
        """What answers requests."""
        app = web.Application(middlewares=[self._guard])
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws", self._socket),
                web.get("/static/{name}", self._file),
            ]
        )
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Before everything, also before what is not there."""
        headers, at_home = request.headers, request.path == "/"
        why = self._door.refusal(
            headers.get("Host"),
            headers.get("Origin"),
            request.cookies.get(self._door.cookie),
            request.query.get(KEY) if at_home else None,
        )
        if not why and len(headers.getall("Host")) + len(headers.getall("Origin", [])) > 2:
            why = "two names in one request"
        answer: web.StreamResponse
        if why:
            answer = web.Response(status=403, text=f"{why}\n")
        else:
            try:
                answer = await handler(request)
            except web.HTTPException as plain:
                answer = web.Response(status=plain.status, text=f"{plain.reason}\n")
        if not answer.prepared:
            own = headers.get("Host", "") if not why else "localhost"
            answer.headers.update(
                {
                    "Content-Security-Policy": policy(own),
                    "X-Content-Type-Options": "nosniff",
                    "Referrer-Policy": "no-referrer",
                    "Cross-Origin-Resource-Policy": "same-origin",
                    "Cross-Origin-Opener-Policy": "same-origin",
                    "Cache-Control": "no-store",
                    "Server": "stonebrowse",
                }
            )
        return answer

    async def _page(self, request: web.Request) -> web.StreamResponse:
        answer = web.Response(text=page(request.headers["Host"]), content_type="text/html")
        answer.set_cookie(self._door.cookie, self._door.secret, path="/", httponly=True, samesite="Strict")
        return answer

    async def _file(self, request: web.Request) -> web.StreamResponse:
        found = FILES.get(request.match_info["name"])
        if found is None:
            raise web.HTTPNotFound
        kind, content = found
        return web.Response(body=content(), content_type=kind, charset="utf-8")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if len(self._visitors) >= MOST_PAGES:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS)
        await socket.prepare(request)
        visitor = Visitor(self._words, socket)
        self._visitors.add(visitor)
        try:
            await visitor.start(*sizes(request.query.get("width"), request.query.get("height")))
            await visitor.visit()
        finally:
            await asyncio.shield(self._leave(visitor))
        return socket

    async def _leave(self, visitor: Visitor) -> None:
        await visitor.stop()
        self._visitors.discard(visitor)

    async def serve(self, listening: socket.socket) -> int:
        """Serves until a signal comes.

        Args:
            listening: the open socket.

        Returns:
            128 and the signal's number: 130 after Ctrl-C.
        """
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[int] = loop.create_future()

        def end(number: int) -> None:
            if not ended.done():
                ended.set_result(number)

        for number in SIGNALS:
            loop.add_signal_handler(number, end, number)
        runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.SockSite(runner, listening).start()
            return 128 + await ended
        finally:
            await asyncio.gather(*map(self._leave, list(self._visitors)), return_exceptions=True)
            await runner.cleanup()


def serve(
    folder: Path,
    store: Path,
    listening: socket.socket,
    door: Door,
    *,
    say: Callable[[str], None],
) -> int:
    """Serves a library to web pages until a signal comes; the exit status is 128 and its number.

    Args:
        folder: what is browsed.
        store: where its store lies.
        listening: the open socket.
        door: who may come in.
        say: tells the person at the terminal something.
    """
    logging.getLogger("textual-serve").disabled = True
    # What textual-serve prints of a process that failed is no result.
    with contextlib.redirect_stdout(Said(say)):
        return asyncio.run(Server(folder, store, door).serve(listening))


class Said(io.TextIOBase):
    """Takes what is printed, and has it said line by line."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def write(self, text: str) -> int:
        """See `io.TextIOBase.write`."""
        for line in text.splitlines():
            if line.strip():
                self._say(f"a page's browser: {line}")
        return len(text)
