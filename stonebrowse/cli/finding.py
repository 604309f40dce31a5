"""`search`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Command, Session

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.searching import Answer, Hit

# `-word` leaves a word out; what begins so is the query's, unless it is an option of ours.
EXCLUSION = re.compile(r"-(?!n\d*\Z)(?!h\Z)(?!C\Z)[^\s-]")
KEPT = "\0"


class SearchCommand(Command):
    """A command that takes `-word` as a part of the query."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hides the query's exclusions from the parser of options."""
        end = args.index("--") if "--" in args else len(args)
        hidden = [KEPT + word if EXCLUSION.match(word) else word for word in args[:end]]
        return super().parse_args(ctx, hidden + args[end:])


@click.command(cls=SearchCommand)
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-n", "--number", "limit", type=click.IntRange(1, 1000), metavar="N", help="How many hits (default 20)."
)
@click.option("--path", "glob", metavar="GLOB", help="Only in files whose path matches.")
@click.pass_context
def search(context: click.Context, query: tuple[str, ...], limit: int | None, glob: str | None) -> None:
    """Find sections by their words, best first.

    Words are joined by and. "a phrase", prefix*, -without, a OR b, heading:word, path:word and tag:word
    work; anything else is searched as plain words. Exit status 1 when nothing is found.

    Each hit has four lines: its citation; the headings above; the words around; its IDs.
    """
    session = context.ensure_object(Session)
    words = " ".join(word.removeprefix(KEPT) for word in query)
    string = words.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    with session.library() as library:
        answer = library.search(string, limit=limit or library.settings.search.limit, path=glob)
        if session.json:
            session.output.json(_as_json(answer))
        else:
            for note in answer.notes:
                session.output.warn(note)
            if not answer.hits:
                _nothing(session.output, string, answer, glob, files=bool(library.files()))
            for index, hit in enumerate(answer.hits):
                if index and session.output.terminal and not session.output.bare:
                    session.output.line()
                _show(session.output, hit)
            if answer.total > len(answer.hits):
                session.output.warn(f"{len(answer.hits)} of {answer.total} hits are shown; -n N shows more")
        if not answer.hits:
            context.exit(1)


def _as_json(answer: Answer) -> dict[str, object]:
    return {
        "hits": [hit.as_json() for hit in answer.hits],
        "total": answer.total,
        "complete": answer.complete,
        "notes": answer.notes,
        "nearest": answer.nearest,
    }


def _show(output: Output, hit: Hit) -> None:
    output.line(output.style(hit.citation, "strong"))
    output.line(output.style(" › ".join(hit.trail), "dim"))
    pieces: list[str] = []
    end = 0
    for start, stop in hit.matches:
        pieces += [output.style(hit.snippet[end:start], ""), output.style(hit.snippet[start:stop], "match")]
        end = stop
    output.line(*pieces, output.style(hit.snippet[end:], ""))
    output.line(output.style(f"{hit.file_id} {hit.version_id} {hit.passage_id}", "dim"))


def _nothing(output: Output, string: str, answer: Answer, glob: str | None, *, files: bool) -> None:
    if not files:
        output.warn("nothing found: the library has no documents")
        return
    where = f" in files that match {glob!r}" if glob else ""
    near = f"; did you mean {', '.join(answer.nearest)}?" if answer.nearest else ""
    output.warn(f"nothing found for {string!r}{where}{near}")
