"""`graph edition`: what cites older versions of a file, and citing it anew."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.citing import STYLES
from stonebrowse.cli.completing import FILE
from stonebrowse.cli.printing import title
from stonebrowse.cli.session import Command, Session

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.editions import Edition, Outdated


@click.command(cls=Command)
@FILE
@click.option(
    "--refresh", is_flag=True, help="Cite anew, on the newest version, what stands there unchanged."
)
@click.pass_context
def edition(context: click.Context, file: str, refresh: bool) -> None:
    """Show what cites older versions of a file, and what became of each cited text.

    --refresh makes one new revision of each entity and relationship whose cited text holds or moved. The revision
    before keeps the old citation. The rest is left, and listed.
    """
    session = context.ensure_object(Session)
    with session.library(write=refresh) as library:
        found = library.graph.edition(library.find_file(file), refresh=refresh)
        if session.json:
            session.output.json(found.as_json())
            return
        output = session.output
        for _, outdated in groupby(found.outdated, key=lambda each: each.revision.thing_id):
            listed = list(outdated)
            output.line(*title(output, listed[0].revision))
            for each in listed:
                _print(output, each)
        output.plain(_summary(found, refresh=refresh))


def _print(output: Output, outdated: Outdated) -> None:
    verdict = "refreshed" if outdated.refreshed else outdated.verdict
    output.line(
        "  ",
        output.style(f"{verdict:9}", "good" if outdated.refreshed else STYLES[outdated.verdict]),
        " ",
        output.style(outdated.opened.citation, "name"),
        output.style(f" version {outdated.opened.fields['number']} {outdated.held.citation_id}", "dim"),
    )
    if outdated.refreshed:
        output.line("    now: ", output.style(f"{outdated.now} {outdated.refreshed}", ""))
        return
    if outdated.now is not None and outdated.now != outdated.opened.citation:
        output.line("    now: ", output.style(outdated.now, ""))
    output.line("    ", output.style(outdated.advice, "dim"))


def _summary(edition: Edition, *, refresh: bool) -> str:
    number, path = edition.version.number, edition.file.path
    counts = edition.as_json()["counts"]
    if not edition.outdated and not edition.withheld:
        return f"nothing cites a version of {path} before version {number}"
    said = [f"{count} {verdict}" for verdict, count in counts.items()]
    if edition.withheld:
        said.append(f"{edition.withheld} withheld")
    if refresh:
        done, many = sum(each.refreshed is not None for each in edition.outdated), len(edition.revised)
        said.append(f"{done} refreshed to version {number}, in {many} new revision{'' if many == 1 else 's'}")
    elif ready := sum(each.fresh is not None for each in edition.outdated):
        said.append(f"--refresh cites {ready} of them anew, on version {number}")
    return "; ".join(said)
