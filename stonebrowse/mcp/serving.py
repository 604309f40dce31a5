"""The two ways of serving: standard input and output, and HTTP."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import anyio
from mcp.server.lowlevel import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from stonebrowse.library.doors import KEY
from stonebrowse.mcp.server import Serving

if TYPE_CHECKING:
    import socket

    from starlette.types import ASGIApp, Receive, Scope, Send

    from stonebrowse.library.doors import Door
    from stonebrowse.library.library import Library

PATH = "/mcp"
BEARER = "bearer "


def serve_stdio(library: Library) -> None:
    """Serves one client over standard input and output, until it closes its end.

    Standard output carries protocol only: the SDK takes it for itself, and whatever else prints goes elsewhere.
    """
    logging.disable(logging.CRITICAL)

    async def run() -> None:
        serving = Serving(library)
        options = serving.server.create_initialization_options(NotificationOptions(resources_changed=True))
        async with stdio_server() as (reading, writing), anyio.create_task_group() as tasks:
            tasks.start_soon(serving.notices)
            await serving.server.run(reading, writing, options)
            tasks.cancel_scope.cancel()

    library.ensure_keeper()
    anyio.run(run)


def serve_http(library: Library, listening: socket.socket, door: Door) -> None:
    """Serves streamable HTTP on an open socket, until Ctrl-C."""
    import uvicorn

    async def run() -> None:
        serving = Serving(library)
        # The door below has looked at Host and Origin already; it knows the names that are ours.
        app = serving.server.streamable_http_app(
            streamable_http_path=PATH,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False)
            if door.host not in {"127.0.0.1", "localhost", "::1"}
            else None,
            host=door.host,
        )
        config = uvicorn.Config(
            Guarded(app, door), log_config=None, access_log=False, server_header=False, lifespan="on"
        )
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serving.notices)
            await uvicorn.Server(config).serve(sockets=[listening])
            tasks.cancel_scope.cancel()

    logging.disable(logging.CRITICAL)
    library.ensure_keeper()
    anyio.run(run)


class Guarded:
    """An application behind a door: no request is answered without the secret, or with a foreign Host or Origin."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "http":
            why = self._refusal(scope)
            if not why:
                await self._app(scope, receive, send)
                return
            await send(
                {
                    "type": "http.response.start",
                    "status": 403,
                    "headers": [(b"content-type", b"text/plain; charset=utf-8")],
                }
            )
            await send({"type": "http.response.body", "body": f"{why}\n".encode()})

    def _refusal(self, scope: Scope) -> str:
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))

        def only(name: str) -> str | None:
            found = headers.get(name, [])
            return found[0] if len(found) == 1 else None

        authorization: Any = only("authorization") or ""
        bearer = authorization[len(BEARER) :] if authorization.lower().startswith(BEARER) else None
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(KEY, [None])
        origin = ", ".join(headers["origin"]) if "origin" in headers else None
        return self._door.refusal(only("host"), origin, bearer, asked[0])
