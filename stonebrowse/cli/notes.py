"""`notes`: engraving a note, and the notes that were."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Group, Session

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.engraving import Engraved
    from stonebrowse.library.notes import Note


@click.group(cls=Group)
def notes() -> None:
    """Write notes with their sources into the folder, and list them."""


@notes.command()
@click.argument("path")
@click.option(
    "--cite",
    "references",
    metavar="REFERENCE",
    multiple=True,
    help="A source: a citation, an ID or a path. May stand several times.",
)
@click.option("--tray", is_flag=True, help="Also what was collected in the browser; the tray stays as it is.")
@click.pass_context
def engrave(context: click.Context, path: str, references: tuple[str, ...], tray: bool) -> None:
    """Write a new note at PATH below the folder, its text from standard input.

    It is marked as written by stonebrowse and ends with its sources, each with version ID and digest. It can be
    read and searched, never cited. What is there already is never written over.
    """
    from stonebrowse.text.engraved import MAX_BODY_BYTES

    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        library.engraving.check_path(path)
        if sys.stdin.isatty():
            session.output.warn("type the note; Ctrl-D ends it")
        sources = [*references, *(library.store.desk.tray() if tray else ())]
        engraved = library.engrave(path, sys.stdin.buffer.read(MAX_BODY_BYTES + 1), sources)
    if session.json:
        session.output.json(engraved.as_json())
    else:
        print_engraved(session.output, engraved)


def print_engraved(output: Output, engraved: Engraved) -> None:
    """Says where a note is, and its IDs."""
    output.line(
        output.style(engraved.file.path, "strong"),
        f"  {engraved.file.file_id} {engraved.version.version_id}  ",
        output.style(_counted(len(engraved.sources)), "dim"),
    )


def _counted(count: int) -> str:
    return f"{count} {'source' if count == 1 else 'sources'}"


@notes.command("list")
@click.option("--check", is_flag=True, help="Say which of their sources still hold.")
@click.pass_context
def listed(context: click.Context, check: bool) -> None:
    """List the notes that stonebrowse wrote, with the number of their sources.

    With --check also what became of each source, and exit status 1 when one does not hold.
    """
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.notes(check=check)
    if session.json:
        session.output.json({"notes": [note.as_json() for note in found]})
    elif check:
        for note in found:
            _print_checked(session.output, note)
    elif found:
        session.output.table(
            [[note.file.path, note.file.file_id, _counted(len(note.sources))] for note in found]
        )
    if not found and not session.json:
        session.output.warn("no note was engraved here; `stonebrowse notes engrave PATH` writes one")
    if check and any(note.holding != len(note.sources) for note in found):
        context.exit(1)


def _print_checked(output: Output, note: Note) -> None:
    from stonebrowse.cli.citing import STYLES

    output.line(
        output.style(note.file.path, "strong"),
        f"  {note.file.file_id}  {note.holding} of {len(note.sources)} sources hold",
    )
    for checked in note.checked or ():
        output.line(
            "    ",
            output.style(f"{checked.verdict:9}", STYLES[checked.verdict]),
            " ",
            output.style(checked.citation, ""),
        )
        if checked.verdict != "holds" and checked.now is not None:
            output.line("        now: ", output.style(checked.now, ""))
