"""`files diff`, `files export`, `files trash`, `files restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stonebrowse.cli.completing import FILE
from stonebrowse.cli.files import VERSION, file_json, version_json
from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.comparing import Hunk
    from stonebrowse.library.library import Library
    from stonebrowse.store import File, Version

STYLE = {" ": "", "-": "bad", "+": "good"}


@click.command(cls=Command)
@FILE
@click.option(
    "--from", "older", metavar="V", help="A version ID or number (default: the one before the other)."
)
@click.option("--to", "newer", metavar="V", help="A version ID or number (default: the newest).")
@click.pass_context
def diff(context: click.Context, file: str, older: str | None, newer: str | None) -> None:
    """Show what changed between two versions of a file, as a unified diff.

    Each hunk stands under the citation of the section that it changes.
    """
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.find_file(file)
        _say_if_trashed(session.output, found)
        before, after = library.diff_between(
            found,
            None if older is None else library.find_version(found, older),
            None if newer is None else library.find_version(found, newer),
        )
        hunks = library.unified(before, after)
        if session.json:
            session.output.json(
                {
                    "file_id": found.file_id,
                    "path": found.path,
                    "from": version_json(before),
                    "to": version_json(after),
                    "hunks": [_hunk_json(hunk) for hunk in hunks],
                }
            )
            return
        if not hunks:
            session.output.warn(
                f"versions {before.number} and {after.number} of {found.path} hold the same text"
            )
            return
        _print_diff(session.output, found, before, after, hunks)


def _print_diff(output: Output, file: File, before: Version, after: Version, hunks: list[Hunk]) -> None:
    for mark, version in (("---", before), ("+++", after)):
        name = f"{mark} {file.path} (version {version.number}, {version.version_id}, {version.recorded_at})"
        output.line(output.style(name, "strong"))
    for hunk in hunks:
        output.line(output.style(hunk.header, "name"))
        for kind, line in hunk.lines:
            _print_line(output, kind, line)


def _print_line(output: Output, kind: str, line: bytes) -> None:
    """One line of a document: exact in a pipe, made visible on a terminal."""
    bare = line.rstrip(b"\r\n")
    if output.terminal or output.colored:
        output.line(output.style(kind + bare.decode(), STYLE[kind]))
    else:
        # A lone carriage return ends a line too; a line feed is added so that no two lines run together.
        output.raw(kind.encode() + line + (b"" if line.endswith(b"\n") else b"\n"))
    if bare == line:
        output.line("\\ No newline at end of file")


def _hunk_json(hunk: Hunk) -> dict[str, Any]:
    return {
        "citation": hunk.citation,
        "old_start": hunk.old_start,
        "old_lines": hunk.old_count,
        "new_start": hunk.new_start,
        "new_lines": hunk.new_count,
        "lines": [{"kind": kind, "text": line.decode()} for kind, line in hunk.lines],
    }


@click.command(cls=Command)
@FILE
@VERSION
@click.option("--to", "place", metavar="PATH", required=True, help="The new file; nothing may be there yet.")
@click.pass_context
def export(context: click.Context, file: str, version: str | None, place: str) -> None:
    """Write the exact bytes of a version to a new file."""
    session = context.ensure_object(Session)
    if not place or "\0" in place:
        raise InputInvalid("give the path of the new file with --to")
    with session.library() as library:
        found = library.find_file(file)
        chosen = library.find_version(found, version)
        size = library.export(chosen, Path(place))
        _say_if_trashed(session.output, found)
        if session.json:
            session.output.json({"path": place, **version_json(chosen)})
        else:
            session.output.plain(f"{size} bytes of version {chosen.number} of {found.path} are in {place}")


@click.command(cls=Command)
@FILE
@click.pass_context
def trash(context: click.Context, file: str) -> None:
    """Take a file out of the library, until `files restore`.

    The file in the folder is not touched, and every version is kept. Whatever becomes of the file in the folder,
    it stays out.
    """
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        found = library.find_file(file)
        trashed = library.trash(found)
        _level(session, library)
        if session.json:
            session.output.json(file_json(trashed))
        else:
            session.output.plain(f"trashed {trashed.path} {trashed.file_id}")


@click.command(cls=Command)
@FILE
@click.pass_context
def restore(context: click.Context, file: str) -> None:
    """Take a trashed file back in, as it is in the folder now."""
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        restored, recorded = library.restore(library.find_file(file))
        _level(session, library)
        restored = library.find_file(restored.file_id)
        if session.json:
            session.output.json(file_json(restored) | {"recorded": recorded})
        else:
            new = "with a new version" if recorded else "as it was"
            session.output.plain(
                f"restored {restored.path} {restored.file_id}, {new} ({restored.version_id}, {restored.number})"
            )


def add_to(group: click.Group) -> None:
    """Adds these commands to the group `files`."""
    for command in (diff, export, trash, restore):
        group.add_command(command)


def _level(session: Session, library: Library) -> None:
    """Brings the index level; where another process watches, that one does it."""
    if session.sync:
        library.update(say=session.output.warn)


def _say_if_trashed(output: Output, file: File) -> None:
    if file.state == "trashed":
        output.warn(f"{file.path} is trashed; this is what was stored")
