"""Printing entities, relationships and the citations they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.cli.output import Output
    from stonebrowse.cli.session import Session
    from stonebrowse.library.things import Opened, Thing
    from stonebrowse.store.graph import Revision


def of_kind(reference: str, kind: str) -> str:
    """Refuses an ID of another kind, as wrong use.

    Raises:
        InputInvalid: it is one.
    """
    if not reference.startswith(f"{kind}_"):
        what = "an entity" if kind == "e" else "a relationship"
        raise InputInvalid(f"{reference!r} is not the ID of {what}; it begins with {kind}_")
    return reference


def print_made(session: Session, field: str, made: str) -> None:
    """Prints the ID of what was made."""
    if session.json:
        session.output.json({field: made})
    else:
        session.output.plain(made)


def print_list(session: Session, what: str, words: str) -> bool:
    """Lists the entities that hold some words, or the relationships; says whether there are any."""
    from stonebrowse.library.things import saying_json

    with session.library() as library:
        entities = what == "entities"
        found = library.graph.entities(words) if entities else library.graph.relationships()
        if session.json:
            session.output.json({what: [saying_json(each) for each in found]})
        elif entities:
            session.output.table(
                [(each.thing_id, str(each.number), each.name, each.kind) for each in found],
                right=frozenset({1}),
            )
        else:
            session.output.table(
                [
                    (each.thing_id, str(each.number), each.source or "", each.kind, each.target or "")
                    for each in found
                ],
                right=frozenset({1}),
            )
        return bool(found)


def print_read(session: Session, reference: str, kind: str, limit: int) -> None:
    """Prints an entity or a relationship as it is now."""
    with session.library() as library:
        thing = library.graph.read(of_kind(reference, kind), limit=limit)
        if session.json:
            session.output.json(thing.as_json())
        else:
            print_thing(session.output, thing, " removed" if thing.revision.removed else "")


def print_thing(output: Output, thing: Thing, more: str = "") -> None:
    """Prints what a thing says, and its citations."""
    revision = thing.revision
    output.line(*title(output, revision, more))
    for key, value in revision.properties.items():
        output.line("  ", output.style(f"{key} = {value}", ""))
    for opened in thing.citations:
        print_citation(output, opened)
    if thing.truncated:
        output.line("more citations are not shown")
    if thing.withheld:
        output.line(f"{thing.withheld} {'citation is' if thing.withheld == 1 else 'citations are'} withheld")


def title(output: Output, revision: Revision, more: str = "") -> tuple[str, ...]:
    """The pieces of the line that says which thing it is."""
    named = revision.name or f"{revision.source} {revision.kind} {revision.target}"
    kind = f" ({revision.kind})" if revision.name and revision.kind else ""
    return (
        output.style(named, "strong"),
        output.style(kind, ""),
        output.style(f" {revision.thing_id} revision {revision.number}{more}", "dim"),
    )


def print_citation(output: Output, opened: Opened | None) -> None:
    """Prints a citation, what became of it, and what is quoted and noted."""
    if opened is None:
        output.line("  ", output.style("a citation that cannot be read", "dim"))
        return
    output.line(
        "  ", output.style(opened.citation, "name"), output.style(f" {opened.fields['citation_id']}", "dim")
    )
    output.line("    ", output.style(opened.standing, "dim"))
    if opened.fields["quote"] is not None:
        output.line("    ", output.style(f"“{' '.join(opened.fields['quote'].split())}”", ""))
    if opened.fields["note"]:
        output.line("    ", output.style(opened.fields["note"], "dim"))


def wording(revision: Revision) -> dict[str, Any]:
    """What a revision says, for JSON."""
    return {"name": revision.name, "kind": revision.kind, "properties": revision.properties}


def in_words(revision: Revision) -> str:
    """What a revision says, on one line."""
    pieces: Sequence[str] = [f"{key} = {value}" for key, value in revision.properties.items()]
    kind = f" ({revision.kind})" if revision.kind else ""
    return f"{revision.name}{kind}" + (f": {'; '.join(pieces)}" if pieces else "")
