"""`serve`: the browser in a web page."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import InputInvalid

NEEDED = ("textual_serve", "aiohttp")


@click.command(cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Its port; 0: any free one.",
)
@click.option("--allow-remote", is_flag=True, help="The host may be one that other machines reach.")
@click.pass_context
def serve(context: click.Context, host: str, port: int, allow_remote: bool) -> None:
    """Show the browser in a web page, until Ctrl-C.

    Prints the address to open, with a secret in it: without that secret no request is answered. In a page
    there is no editor, no model command, no engraving, and no change of settings.
    """
    session = context.ensure_object(Session)
    if not all(map(find_spec, NEEDED)):
        raise InputInvalid(
            "the web page needs more than is installed; get it by: pip install 'stonebrowse[web]'"
        )
    with session.open() as library:
        folder, store = library.folder, library.place
    from stonebrowse.library.doors import Door, listen

    with listen(host, port, allow_remote=allow_remote) as listening:
        door = Door(host, listening.getsockname()[1])
        from stonebrowse.web.server import serve as serve_pages

        if session.json:
            session.output.json({"url": door.url, "host": host, "port": door.port})
        else:
            session.output.plain(door.url)
            session.output.warn(f"serving {folder}; open this address in a web browser, Ctrl-C ends")
        sys.stdout.flush()
        context.exit(serve_pages(folder, store, listening, door, say=session.output.warn))
