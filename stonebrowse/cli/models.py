"""`mcp`: the library for models."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import InputInvalid

NEEDED = ("mcp", "uvicorn", "starlette")


@click.command(cls=Command)
@click.option("--http", metavar="HOST:PORT", help="Serve streamable HTTP there; port 0: any free one.")
@click.option("--allow-remote", is_flag=True, help="The host may be one that other machines reach.")
@click.pass_context
def mcp(context: click.Context, http: str | None, allow_remote: bool) -> None:
    """Serve the library to a model over MCP, on standard input and output.

    With --http over HTTP; it prints an address with a secret in it, without which no request is answered.
    """
    session = context.ensure_object(Session)
    if not all(map(find_spec, NEEDED)):
        raise InputInvalid(
            "the MCP server needs more than is installed; get it by: pip install 'stonebrowse[mcp]'"
        )
    if http is None:
        if allow_remote:
            raise InputInvalid("--allow-remote belongs to --http")
        with session.open(write=True) as library:
            from stonebrowse.mcp.serving import serve_stdio

            serve_stdio(library)
        return
    from stonebrowse.library.doors import Door, listen

    host, port = _address(http)
    with session.open(write=True) as library, listen(host, port, allow_remote=allow_remote) as listening:
        from stonebrowse.mcp.serving import PATH, serve_http

        door = Door(host, listening.getsockname()[1])
        url = door.url.replace("/?", f"{PATH}?", 1)
        if session.json:
            session.output.json({"url": url, "host": host, "port": door.port})
        else:
            session.output.plain(url)
        sys.stdout.flush()
        serve_http(library, listening, door)


def _address(text: str) -> tuple[str, int]:
    """The host and port of `HOST:PORT`, an IPv6 address in brackets.

    Raises:
        InputInvalid: it is no such thing.
    """
    host, colon, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise InputInvalid(f"--http wants HOST:PORT, such as 127.0.0.1:8001, and {text!r} is none")
    return host, int(port)
