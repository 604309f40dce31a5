"""`graph export`, `graph import`: the graph as a TOML file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import InputInvalid, NotFound


@click.command(cls=Command)
@click.option("--to", "place", metavar="PATH", help="A new file (default: standard output).")
@click.pass_context
def export(context: click.Context, place: str | None) -> None:
    """Write all entities and relationships as TOML: every revision, citation, note and question.

    What is staged in a workspace is no part of it.
    """
    session = context.ensure_object(Session)
    with session.library() as library:
        exported = library.graph.export()
    if place is not None:
        from stonebrowse.library.new_files import write_new_file

        if "\0" in place:
            raise InputInvalid("a path cannot hold a NUL byte")
        write_new_file(Path(place), exported.text.encode())
    counts = {"entities": exported.entities, "relationships": exported.relationships}
    if session.json:
        session.output.json(counts | ({"toml": exported.text} if place is None else {"to": place}))
    elif place is None:
        session.output.raw(exported.text.encode())
    else:
        session.output.plain(_counted(exported.entities, exported.relationships) + f" written to {place}")


@click.command("import", cls=Command)
@click.argument("place", metavar="PATH")
@click.pass_context
def import_graph(context: click.Context, place: str) -> None:
    """Add what a file that `graph export` wrote tells of, all or none; - is standard input.

    What is here already is left as it is if it is the same, and refused if it differs.
    """
    session = context.ensure_object(Session)
    data = _read(place)
    with session.library(write=True) as library:
        done = library.graph.load(data)
    if session.json:
        session.output.json(done._asdict())
        return
    for what, ids in (("added", done.added), ("brought up to date", done.extended)):
        entities = sum(id_.startswith("e_") for id_ in ids)
        if ids or what == "added":
            session.output.plain(f"{what}: {_counted(entities, len(ids) - entities)}")
    if done.unchanged:
        session.output.plain(f"here already: {len(done.unchanged)}")
    if done.withheld:
        many = f"{len(done.withheld)} citations are" if len(done.withheld) > 1 else "1 citation is"
        session.output.plain(f"{many} withheld: this library does not have the version")


def add_to(group: click.Group) -> None:
    """Adds these commands to the group `graph`."""
    for command in (export, import_graph):
        group.add_command(command)


def _read(place: str) -> bytes:
    if place == "-":
        # Closed from the start, it is None.
        return b"" if sys.stdin is None else sys.stdin.buffer.read()
    try:
        return Path(place).read_bytes()
    except FileNotFoundError:
        raise NotFound(f"there is no file {place}") from None
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or "no path"
        raise InputInvalid(f"{place} cannot be read ({said}); name a file, or - for standard input") from None


def _counted(entities: int, relationships: int) -> str:
    first = f"{entities} {'entity' if entities == 1 else 'entities'}"
    return f"{first}, {relationships} relationship{'' if relationships == 1 else 's'}"
