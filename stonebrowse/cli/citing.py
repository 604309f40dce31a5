"""`cite` and `check`."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import click

from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.checking import Checked, Checking
    from stonebrowse.library.rewriting import Note

STANDARD_INPUT = "-"
_LINE_END = re.compile(r"\r\n?|\n")
STYLES = {
    "holds": "good",
    "moved": "match",
    "edited": "bad",
    "ambiguous": "bad",
    "gone": "bad",
    "unknown": "bad",
}


@click.command(cls=Command)
@click.argument("reference")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="The citation string, a Markdown link, or all there is to know.",
)
@click.pass_context
def cite(context: click.Context, reference: str, form: str) -> None:
    """Print the citation of a passage, a version or a file, for pasting into a note.

    REFERENCE is a citation, an ID or a path. What is printed is remembered, so that `check` knows later which
    version was cited.
    """
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        cited = library.cite(reference)
        if cited.notice:
            session.output.warn(cited.notice)
        if session.json or form == "json":
            session.output.json(cited.as_json())
        else:
            session.output.plain(cited.markdown if form == "markdown" else cited.citation)


@click.command(cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--fix", is_flag=True, help="Rewrite the citations that moved, in these files.")
@click.pass_context
def check(context: click.Context, paths: tuple[str, ...], fix: bool) -> None:
    """Find the citations in notes of any kind, and say of each what became of it.

    PATH is a file, a folder, or - for standard input. Verdicts: holds; moved (the same text, elsewhere); edited;
    ambiguous (several sections fit); gone; unknown. Exit status 1 when one does not hold.
    """
    from stonebrowse.library.checking import Counts
    from stonebrowse.library.rewriting import rewritten, write_note

    session = context.ensure_object(Session)
    if fix and STANDARD_INPUT in paths:
        raise InputInvalid("standard input cannot be rewritten; name the file with --fix")
    if any("\0" in path for path in paths):
        raise InputInvalid("a path cannot hold a NUL byte")
    listed: list[dict[str, Any]] = []
    counts, bad, fixed = Counts(), 0, 0
    with session.library(write=True) as library:
        checking = library.checking()
        for place, text, found, note in _checked(checking, paths):
            counts.add(found)
            changed: list[Checked] = []
            if fix and note is not None:
                new_text, changed = rewritten(note, found)
                if changed:
                    write_note(note, new_text)
                    checking.refreshed(changed)
            fixed += len(changed)
            bad += sum(each.verdict != "holds" and each not in changed for each in found)
            starts = _line_starts(text) if found else []
            for each in found:
                line, column = _line_and_column(starts, each)
                where = {"in": place, "line": line, "column": column}
                listed.append(where | each.as_json() | {"fixed": each in changed})
                if not session.json:
                    _print(session.output, f"{place}:{line}:{column}", each, fixed=each in changed)
    if session.json:
        session.output.json({"citations": listed, "counts": counts.as_json()})
    else:
        said = [f"{count} {verdict}" for verdict, count in counts.as_json().items() if count]
        session.output.plain((", ".join(said) or "no citations") + (f"; {fixed} rewritten" if fixed else ""))
    if bad:
        context.exit(1)


def _checked(checking: Checking, paths: tuple[str, ...]) -> list[tuple[str, str, list[Checked], Note | None]]:
    """Each note with what was found in it; all are read before any is rewritten."""
    from stonebrowse.library.rewriting import note_places, read_note

    done: list[tuple[str, str, list[Checked], Note | None]] = []
    for path in paths:
        if path == STANDARD_INPUT:
            text = sys.stdin.buffer.read().decode("utf-8", "replace")
            done.append((path, text, checking.text(text), None))
            continue
        for place in note_places([path]):
            note = read_note(place, named=place == path)
            if note is not None:
                found = checking.text(note.text, changed_at=note.changed_at, note=note.real_place)
                done.append((place, note.text, found, note))
    return done


def _line_starts(text: str) -> list[int]:
    """Where each line begins, in characters."""
    return [0, *(end.end() for end in _LINE_END.finditer(text))]


def _line_and_column(starts: list[int], checked: Checked) -> tuple[int, int]:
    """One-based; a column counts characters."""
    at = checked.span.start if checked.span else 0
    line = bisect_right(starts, at)
    return line, at - starts[line - 1] + 1


def _print(output: Output, where: str, checked: Checked, *, fixed: bool) -> None:
    verdict = "fixed" if fixed else checked.verdict
    output.line(
        output.style(where, "dim"),
        " ",
        output.style(f"{verdict:9}", "good" if fixed else STYLES[checked.verdict]),
        " ",
        output.style(checked.citation, "strong"),
    )
    if checked.verdict == "holds":
        return
    if checked.now is not None:
        output.line("    now: ", output.style(checked.now, ""))
    for candidate in checked.candidates:
        output.line("    may be: ", output.style(candidate, ""))
    output.line("    ", output.style(checked.advice, "dim"))
