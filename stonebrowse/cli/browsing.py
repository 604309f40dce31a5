"""The browser, `open` and `guide`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.files import print_files, print_passage, print_window
from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import InputInvalid, NotFound

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.checking import Checked
    from stonebrowse.library.library import Library
    from stonebrowse.library.references import Target


@click.command("browse", cls=Command, hidden=True)
@click.argument("place", required=False)
@click.pass_context
def browse(context: click.Context, place: str | None) -> None:
    """Open the browser on a folder, or on a document's folder at that document."""
    session = context.ensure_object(Session)
    folder, document = _folder_and_document(session, place)
    if not can_browse(session):
        with session.library(folder) as library:
            print_files(session, library)
            if not session.json:
                session.output.plain(
                    f"search with: stonebrowse -C {folder or session.folder or '.'} search WORDS"
                )
        return
    with session.open(folder) as library:
        context.exit(_run(library, document))


def can_browse(session: Session) -> bool:
    """Whether there is a terminal that the browser can be shown on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and session.output.controls and not session.json


def _folder_and_document(session: Session, place: str | None) -> tuple[str | None, str | None]:
    if place is None:
        return None, None
    if "\0" in place:
        raise InputInvalid("a path cannot hold a NUL byte")
    if os.path.isfile(place):
        suffixes = session.settings().library.suffixes
        if not place.lower().endswith(suffixes):
            raise InputInvalid(
                f"{place} is no Markdown file; name a folder or a file that ends in {', '.join(suffixes)}"
            )
        return os.path.dirname(place) or ".", os.path.basename(place)
    return place, None


def _run(library: Library, at: str | None) -> int:
    from stonebrowse.tui.app import run

    return run(library, at=at)


@click.command("open", cls=Command)
@click.argument("reference")
@click.option("--print", "print_it", is_flag=True, help="Print the passage instead of opening the browser.")
@click.pass_context
def open_reference(context: click.Context, reference: str, print_it: bool) -> None:
    """Open the browser at a citation, an ID, or chunk:, version:, file:.

    Any citation that stonebrowse printed can be given back to it.
    """
    session = context.ensure_object(Session)
    with session.library() as library:
        target = library.resolve(reference)
        if print_it or not can_browse(session):
            _print_target(session, library, target)
        else:
            context.exit(_run(library, reference))


def _print_target(session: Session, library: Library, target: Target) -> None:
    if target.notice:
        session.output.warn(target.notice)
    document = library.document(target.version, target.file)
    if target.passage is None:
        print_window(session, document.window())
        return
    start, end = target.span or (target.passage.start, target.passage.end)
    text = document.read(start, end).decode()
    fate = library.fate(target)
    if session.json:
        now = None if fate is None else fate.as_json() | {"text": fate.now_text}
        session.output.json(target.passage.as_json() | {"text": text, "became": now})
        return
    print_passage(session, target.passage, text)
    if fate is not None:
        _print_fate(session.output, fate)


def _print_fate(output: Output, fate: Checked) -> None:
    """Prints what became of a passage of an older version, and what stands there now."""
    output.line()
    output.line(output.style(fate.advice, "dim"))
    if fate.verdict == "edited" and fate.now is not None:
        output.line(output.style(f"now: {fate.now}", "strong"))
        output.line()
        output.block(fate.now_text)
        if not fate.now_text.endswith(("\n", "\r")):
            output.line()


@click.command(cls=Command)
@click.pass_context
def guide(context: click.Context) -> None:
    """Open the user guide in the browser."""
    from stonebrowse.guide import folder as guide_folder

    session = context.ensure_object(Session)
    folder = guide_folder()
    if not (folder / "index.md").exists():
        raise NotFound(f"the guide is missing from this installation ({folder}); install stonebrowse again")
    session.store = None
    if not can_browse(session):
        session.output.block((Path(folder) / "index.md").read_text(encoding="utf-8"))
        return
    with session.open(str(folder)) as library:
        context.exit(_run(library, "index.md"))
