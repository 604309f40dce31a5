"""`review`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Command, Progress, Session
from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.comparing import LineDiff
    from stonebrowse.library.reviewing import Change, Review

STYLE = {" ": "dim", "-": "bad", "+": "good"}


@click.command(cls=Command)
@click.option("--since", metavar="TIME|VERSION", help="A date, a time, `2 days`, or a version ID.")
@click.option("--seen", metavar="REF", help="Mark as seen what a printed citation or a path names.")
@click.option("--all-seen", is_flag=True, help="Mark everything as seen.")
@click.pass_context
def review(context: click.Context, since: str | None, seen: str | None, all_seen: bool) -> None:
    """Show what changed since you last looked: each changed section with its diff.

    New, renamed and trashed files are listed too. Nothing counts as seen until you say so. With --since it does
    not matter what was seen.
    """
    session = context.ensure_object(Session)
    if sum((since is not None, seen is not None, all_seen)) > 1:
        raise InputInvalid("give one of --since, --seen and --all-seen")
    marking = seen is not None or all_seen
    with session.library(write=marking) as library:
        if marking:
            changes = library.unseen(seen) if seen is not None else library.review().changes
            count = sum(map(library.mark_seen, changes)) if seen is not None else library.mark_seen()
            if session.json:
                session.output.json({"seen": count, "unseen": len(library.review().changes)})
            else:
                session.output.line(f"{count} {'change' if count == 1 else 'changes'} marked as seen")
            return
        progress = Progress(session.output)
        found = library.review(since, lambda done, of: progress.tell(f"comparing {done:,} of {of:,} files"))
        progress.end()
        if session.json:
            listed = [change.as_json() for change in found.changes]
            session.output.json({"since": found.since, "changes": listed})
        else:
            _print(session.output, found)


def _print(output: Output, review: Review) -> None:
    if not review.changes:
        since = "you last looked" if review.since is None else review.since
        output.warn(f"nothing changed since {since}")
    for number, change in enumerate(review.changes):
        if number:
            output.line()
        output.line(output.style(change.citation, "strong"))
        output.line(output.style(_what(change), "dim"))
        if change.section is not None:
            _print_lines(output, change.section.lines)
            if change.section.truncated:
                output.line(output.style("… more lines changed", "dim"))


def _what(change: Change) -> str:
    versions = f"version {change.version.number}"
    if change.before is not None and change.before.number != change.version.number:
        versions = f"version {change.before.number} to {change.version.number}"
    said = f"{change.kind}, {versions}"
    return f"{said}, was {change.was}" if change.was not in {None, change.citation} else said


def _print_lines(output: Output, lines: tuple[LineDiff, ...]) -> None:
    before: LineDiff | None = None
    for line in lines:
        if before is not None and _gap(before, line):
            output.line(output.style("⋮", "dim"))
        before = line
        pieces, at = [output.style(line.kind, STYLE[line.kind])], 0
        for start, end in line.marks:
            pieces += [
                output.style(line.text[at:start], ""),
                output.style(line.text[start:end], STYLE[line.kind]),
            ]
            at = end
        rest = "" if line.marks else STYLE[line.kind]
        output.line(*pieces, output.style(line.text[at:], rest))


def _gap(before: LineDiff, line: LineDiff) -> bool:
    """Whether lines were left out between two that are both as they were."""
    if before.new_line is None or line.new_line is None or line.kind != " ":
        return False
    return before.kind == " " and line.new_line > before.new_line + 1
