"""`tray`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Command, Session

if TYPE_CHECKING:
    from stonebrowse.store.desk import Desk


@click.command(cls=Command)
@click.option("--sent", is_flag=True, help="What was copied last, instead.")
@click.option("--clear", is_flag=True, help="Empty the tray after printing it.")
@click.pass_context
def tray(context: click.Context, sent: bool, clear: bool) -> None:
    """Print the citations collected in the browser, one a line.

    With --sent: what the browser sent to the terminal's clipboard last, for terminals that have none. Of a token
    its citation is printed. Exit status 1 when there is nothing.
    """
    session = context.ensure_object(Session)
    with session.library(write=clear) as library:
        desk = library.store.desk
        found = _print_sent(session, desk) if sent else _print_tray(session, desk)
        if clear:
            desk.lay_out([])
        if not found:
            context.exit(1)


def _print_sent(session: Session, desk: Desk) -> bool:
    text = desk.sent()
    if session.json:
        session.output.json({"sent": text})
    elif text is None:
        session.output.warn("nothing was copied yet; press y in the browser")
    else:
        session.output.block(text)
        if not text.endswith("\n"):
            session.output.line()
    return text is not None


def _print_tray(session: Session, desk: Desk) -> bool:
    items = desk.tray()
    if session.json:
        session.output.json({"citations": [item._asdict() for item in items]})
        return bool(items)
    for item in items:
        session.output.plain(item.citation)
    if not items:
        session.output.warn("the tray is empty; press a in the browser to put a citation into it")
    return bool(items)
