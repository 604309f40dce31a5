"""`sync` and `watch`."""

from __future__ import annotations

import signal
import sys
import threading
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Command, Progress, Session

if TYPE_CHECKING:
    from stonebrowse.library.syncing import Event


@click.command(cls=Command)
@click.option("--full", is_flag=True, help="Compare contents, not only sizes and times.")
@click.pass_context
def sync(context: click.Context, full: bool) -> None:
    """Record what changed in the folder."""
    session = context.ensure_object(Session)
    with session.open() as library:
        progress = Progress(session.output)
        counts = library.update(full=full, insist=True, say=session.output.warn, on_status=progress.show)
        progress.end()
        assert counts is not None
        if session.json:
            session.output.json(dict(counts))
        else:
            session.output.line(", ".join(f"{name} {value}" for name, value in counts.items()))
            if counts["skipped"]:
                session.output.warn(
                    f"{counts['skipped']} skipped; `stonebrowse files list --skipped` says why"
                )


@click.command(cls=Command)
@click.pass_context
def watch(context: click.Context) -> None:
    """Record changes as they happen, until Ctrl-C."""
    session = context.ensure_object(Session)
    stop = threading.Event()
    output = session.output

    def show(event: Event) -> None:
        if session.json:
            output.json(asdict(event))
        else:
            output.plain(f"{event.event} {event.path} {event.file_id} {event.version_id} ({event.number})")
        sys.stdout.flush()

    ended_by: list[int] = []

    def end(number: int, _frame: object) -> None:
        ended_by.append(number)
        stop.set()
        if number == signal.SIGINT:
            # Ends a long first pass at once. Where the interpreter drops it (in a finalizer), `stop` ends us.
            raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    with session.open() as library:
        library.watch(stop, on_event=show, say=output.warn)
    context.exit(128 + ended_by[0] if ended_by else 0)
