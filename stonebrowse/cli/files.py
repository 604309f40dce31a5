"""`files`: lists, versions, outlines, passages, windows of text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from stonebrowse.cli.completing import FILE
from stonebrowse.cli.session import Group, Session
from stonebrowse.errors import InputInvalid
from stonebrowse.text.citations import escape

if TYPE_CHECKING:
    from stonebrowse.library.library import Library
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document, Window
    from stonebrowse.store import File, Version

VERSION = click.option(
    "--version", "version", metavar="V", help="A version ID or a number (default: the newest)."
)


@click.group(cls=Group)
def files() -> None:
    """Look at the files of the library and their versions."""


@files.command("list")
@click.option("--trashed", is_flag=True, help="Those that are no longer in the library.")
@click.option("--skipped", is_flag=True, help="What was passed over, and why.")
@click.pass_context
def list_files(context: click.Context, trashed: bool, skipped: bool) -> None:
    """List the files: path, File ID, current version, size in bytes."""
    session = context.ensure_object(Session)
    if trashed and skipped:
        raise InputInvalid("give --trashed or --skipped, not both")
    with session.library() as library:
        if skipped:
            print_skipped(session, library)
        else:
            print_files(session, library, trashed=trashed)


def print_files(session: Session, library: Library, *, trashed: bool = False) -> None:
    """Prints what `files list` prints."""
    found = library.files(trashed=trashed)
    if session.json:
        session.output.json({"files": [file_json(file) for file in found]})
        return
    session.output.table(
        [(file.path, file.file_id, f"{file.version_id} ({file.number})", str(file.size)) for file in found],
        right=frozenset({3}),
    )
    if not found:
        what = "trashed files" if trashed else "documents"
        session.output.warn(f"no {what} in {library.folder}")


def print_skipped(session: Session, library: Library) -> None:
    """Prints what was passed over, and why."""
    rows = library.skipped()
    if session.json:
        session.output.json({"files": [{"path": path, "reason": reason} for path, reason in rows]})
    else:
        session.output.table(rows)


@files.command()
@FILE
@click.pass_context
def show(context: click.Context, file: str) -> None:
    """Show a file and its current version."""
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.find_file(file)
        version = library.find_version(found, None)
        if session.json:
            session.output.json(file_json(found) | {"current_version": version_json(version)})
            return
        rows = [
            ("path", found.path),
            ("file", found.file_id),
            ("state", found.state + (f" ({found.trashed_by})" if found.trashed_by else "")),
            ("written by", found.written_by),
            ("versions", str(found.versions)),
            ("newest", f"{version.version_id} ({version.number})"),
            ("digest", version.digest),
            ("bytes", str(version.bytes)),
            ("encoding", version.encoding + (" (a guess)" if version.guessed else "")),
            ("recorded", version.recorded_at),
        ]
        session.output.table(rows)


@files.command()
@FILE
@click.pass_context
def versions(context: click.Context, file: str) -> None:
    """List every version of a file, newest first."""
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.find_file(file)
        if found.state == "trashed":
            session.output.warn(f"{found.path} is trashed; these are the versions that were stored")
        listed = library.versions(found)
        if session.json:
            session.output.json({"versions": [version_json(version) for version in listed]})
            return
        session.output.table(
            [
                (
                    str(version.number),
                    version.version_id,
                    version.digest,
                    str(version.bytes),
                    version.recorded_at,
                    "current" if version.current else "",
                )
                for version in listed
            ],
            right=frozenset({0, 3}),
        )


@files.command()
@FILE
@VERSION
@click.pass_context
def outline(context: click.Context, file: str, version: str | None) -> None:
    """List the headings of a file: line, level, text."""
    session = context.ensure_object(Session)
    with session.library() as library:
        _, document = opened(session, library, file, version)
        sections = [section for section in document.cut.sections() if section.level]
        if session.json:
            listed = [
                {"line": section.line, "level": section.level, "text": escape(section.heading)}
                for section in sections
            ]
            session.output.json({"headings": listed})
        else:
            session.output.table(
                [(str(section.line), str(section.level), escape(section.heading)) for section in sections],
                right=frozenset({0}),
            )


@files.command()
@FILE
@VERSION
@click.pass_context
def passages(context: click.Context, file: str, version: str | None) -> None:
    """List the passages of a file: citation, trail, start, end, ID."""
    session = context.ensure_object(Session)
    with session.library() as library:
        _, document = opened(session, library, file, version)
        listed = [document.passage(ordinal) for ordinal in range(len(document.cut))]
        if session.json:
            session.output.json({"passages": [passage.as_json() for passage in listed]})
        else:
            session.output.table(
                [
                    (
                        passage.citation,
                        " › ".join(passage.trail),
                        str(passage.start),
                        str(passage.end),
                        passage.passage_id,
                    )
                    for passage in listed
                ],
                right=frozenset({2, 3}),
            )


@files.command()
@click.argument("passage")
@click.option("--inactive", is_flag=True, help="Also a passage of an older version.")
@click.pass_context
def chunks(context: click.Context, passage: str, inactive: bool) -> None:
    """Reopen one passage by its ID: its citation, trail, IDs and text."""
    session = context.ensure_object(Session)
    with session.library() as library:
        seen, text = library.chunk(passage, inactive=inactive)
        print_passage(session, seen, text)


def print_passage(session: Session, passage: PassageView, text: str) -> None:
    """Prints a passage with its text."""
    output = session.output
    if session.json:
        output.json(passage.as_json() | {"text": text})
        return
    output.line(output.style(passage.citation, "strong"))
    output.line(output.style(" › ".join(passage.trail), "dim"))
    output.line(output.style(f"{passage.file_id} {passage.version_id} {passage.passage_id}", "dim"))
    output.line()
    output.block(text)
    if not text.endswith(("\n", "\r")):
        output.line()


@files.command()
@FILE
@VERSION
@click.option("--start", metavar="N", help="The first byte (default 0).")
@click.option("--max-bytes", metavar="N", help="How many bytes at most (default 65536).")
@click.option("--page", metavar="N", help="One page of a file that has form feeds.")
@click.pass_context
def text(
    context: click.Context,
    file: str,
    version: str | None,
    start: str | None,
    max_bytes: str | None,
    page: str | None,
) -> None:
    """Read a window of a file's text.

    The last line is `end of text`, or says with which --start to go on.
    """
    session = context.ensure_object(Session)
    if page is not None and (start is not None or max_bytes is not None):
        raise InputInvalid("give --page, or --start and --max-bytes, not both")
    with session.library() as library:
        _, document = opened(session, library, file, version)
        if page is not None:
            window = document.page(_number(page, "--page", document.size))
        else:
            bounds = {"start": start, "max_bytes": max_bytes}
            window = document.window(
                **{
                    name: _number(value, f"--{name.replace('_', '-')}", document.size)
                    for name, value in bounds.items()
                    if value is not None
                }
            )
        print_window(session, window)


def print_window(session: Session, window: Window) -> None:
    """Prints a window of text, and where it stopped."""
    if session.json:
        session.output.json(
            {
                "file_id": window.file.file_id,
                "version_id": window.version.version_id,
                "number": window.version.number,
                "path": window.file.path,
                "digest": window.version.digest,
                "start": window.start,
                "end": window.end,
                "size": window.size,
                "text": window.text.decode(),
                "end_of_text": window.end_of_text,
            }
        )
        return
    session.output.block(window.text.decode())
    if window.text and not window.text.endswith((b"\n", b"\r")):
        session.output.line()
    if window.end_of_text:
        session.output.line("end of text")
    else:
        session.output.line(
            f"stopped at byte {window.end} of {window.size}; continue with --start {window.end}"
        )
    sys.stdout.flush()


def opened(session: Session, library: Library, file: str, version: str | None) -> tuple[File, Document]:
    """A version of a file, opened for reading; says so where the file is trashed."""
    found = library.find_file(file)
    if found.state == "trashed":
        session.output.warn(f"{found.path} is trashed; this is what was stored")
    return found, library.document(library.find_version(found, version), found)


def file_json(file: File) -> dict[str, Any]:
    """The contract's fields of a file."""
    return {
        "file_id": file.file_id,
        "path": file.path,
        "state": file.state,
        "written_by": file.written_by,
        "version_id": file.version_id,
        "versions": file.versions,
        "number": file.number,
        "size": file.size,
    }


def version_json(version: Version) -> dict[str, Any]:
    """The contract's fields of a version."""
    return {
        "version_id": version.version_id,
        "file_id": version.file_id,
        "number": version.number,
        "digest": version.digest,
        "bytes": version.bytes,
        "encoding": version.encoding,
        "recorded_at": version.recorded_at,
        "state": version.state,
        "current": version.current,
        "guessed": version.guessed,
    }


def _number(text: str, name: str, size: int) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise InputInvalid(f"{name} is {text!r}, which is no whole number; the text has {size} bytes")
    # No text is longer than this many digits; int() refuses thousands of them.
    return int(text[:24])
