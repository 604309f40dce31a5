"""`graph`, `context` and `confirm`: entities, and the citations that they stand on."""

from __future__ import annotations

from typing import Literal

import click

from stonebrowse.cli.printing import (
    in_words,
    of_kind,
    print_citation,
    print_list,
    print_made,
    print_read,
    print_thing,
    wording,
)
from stonebrowse.cli.session import Group, Session
from stonebrowse.errors import InputInvalid


@click.group(cls=Group)
def graph() -> None:
    """Keep what you learned as entities, each with the citations it stands on."""


@graph.group()
def workspace() -> None:
    """Stage changes together, then commit them together."""


@graph.group()
def entity() -> None:
    """Read entities."""


@graph.group()
def relationship() -> None:
    """Read relationships."""


# -- workspaces ----------------------------------------------------------------------------------------------


@workspace.command()
@click.pass_context
def create(context: click.Context) -> None:
    """Make a workspace, and print its ID."""
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        print_made(session, "workspace_id", library.graph.create())


@workspace.command("list")
@click.pass_context
def list_workspaces(context: click.Context) -> None:
    """List the workspaces, the newest first: ID, state, how much is staged, when made."""
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.graph.workspaces()
        if session.json:
            session.output.json({"workspaces": [each._asdict() for each in found]})
        else:
            session.output.table(
                [(each.workspace_id, each.state, str(each.staged), each.made_at) for each in found],
                right=frozenset({2}),
            )


@workspace.command()
@click.argument("workspace")
@click.pass_context
def show(context: click.Context, workspace: str) -> None:
    """Show what a workspace would commit."""
    session = context.ensure_object(Session)
    with session.library() as library:
        staged = library.graph.staged(workspace)
        if session.json:
            session.output.json({"staged": [each.as_json() for each in staged]})
            return
        for each in staged:
            new = "" if each.revision.number > 1 else " (new)"
            gone = " (to be removed)" if each.revision.removed else ""
            print_thing(session.output, each, f"{new}{gone}")


@workspace.command()
@click.argument("workspace")
@click.pass_context
def commit(context: click.Context, workspace: str) -> None:
    """Make one new revision of each staged thing, all or none."""
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        made = library.graph.commit(workspace)
        if session.json:
            listed = [
                {("entity_id" if thing.startswith("e_") else "relationship_id"): thing, "revision": number}
                for thing, number in made
            ]
            session.output.json({"committed": listed})
        else:
            for thing, number in made:
                session.output.plain(f"{thing} revision {number}")


@workspace.command()
@click.argument("workspace")
@click.pass_context
def discard(context: click.Context, workspace: str) -> None:
    """Forget what is staged in a workspace."""
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        library.graph.discard(workspace)
        if session.json:
            session.output.json({"discarded": True})
        else:
            session.output.plain("discarded")


@workspace.command("stage-entity")
@click.argument("workspace")
@click.option("--name", metavar="N", help="Its name.")
@click.option("--kind", metavar="K", help="What kind of thing it is.")
@click.option(
    "--set", "pairs", multiple=True, metavar="KEY=VALUE", help="A property; an empty value takes it away."
)
@click.option("--entity-id", metavar="E", help="Edit this entity instead of making one.")
@click.option(
    "--drop-citation", "drop", multiple=True, metavar="C", help="A citation that the edit does not keep."
)
@click.option("--remove", is_flag=True, help="Take the entity away; its history stays.")
@click.pass_context
def stage_entity(
    context: click.Context,
    workspace: str,
    name: str | None,
    kind: str | None,
    pairs: tuple[str, ...],
    entity_id: str | None,
    drop: tuple[str, ...],
    remove: bool,
) -> None:
    """Stage a new entity, or an edit of one, and print its ID.

    An edit keeps what it does not name, its citations too.
    """
    session = context.ensure_object(Session)
    properties = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise InputInvalid(f"--set wants KEY=VALUE, and {pair!r} is none")
        properties[key.strip()] = value
    with session.library(write=True) as library:
        made = library.graph.stage_entity(
            workspace,
            name=name,
            kind=kind,
            properties=properties,
            entity_id=entity_id,
            drop=drop,
            remove=remove,
        )
        print_made(session, "entity_id", made)


@workspace.command("stage-relationship")
@click.argument("workspace")
@click.option("--from", "source", metavar="E", help="The entity it comes from.")
@click.option("--to", "target", metavar="E", help="The entity it leads to.")
@click.option("--kind", metavar="K", help="What it says of the two.")
@click.option("--relationship-id", metavar="R", help="Edit this relationship instead of making one.")
@click.option("--remove", is_flag=True, help="Take the relationship away; its history stays.")
@click.pass_context
def stage_relationship(
    context: click.Context,
    workspace: str,
    source: str | None,
    target: str | None,
    kind: str | None,
    relationship_id: str | None,
    remove: bool,
) -> None:
    """Stage a relationship between two entities, and print its ID."""
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        made = library.graph.stage_relationship(
            workspace,
            source=source,
            target=target,
            kind=kind,
            relationship_id=relationship_id,
            remove=remove,
        )
        print_made(session, "relationship_id", made)


@workspace.command()
@click.argument("workspace")
@click.option("--on", required=True, metavar="E|R", help="The entity or relationship that it supports.")
@click.option("--token", metavar="T", help="A token: exactly its words. Alone.")
@click.option("--file-id", metavar="F", help="With the next two: a whole version.")
@click.option("--version-id", metavar="V", help="The version.")
@click.option("--digest", metavar="D", help="Its content digest, sha256:…")
@click.option("--chunk-id", metavar="P", help="With the three above: one passage of it.")
@click.option("--note", default="", metavar="TEXT", help="What you say of it: at most 500 characters.")
@click.pass_context
def capture(
    context: click.Context,
    workspace: str,
    on: str,
    token: str | None,
    file_id: str | None,
    version_id: str | None,
    digest: str | None,
    chunk_id: str | None,
    note: str,
) -> None:
    """Stage a citation onto an entity or a relationship, and print its ID.

    A citation has one of two forms, never a mixture: --token alone; or --file-id, --version-id and --digest
    together, which cite the whole version, and with --chunk-id one passage of it. At most 32 citations on one
    entity or relationship, at most 4,096 bytes of text each.
    """
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        made = library.graph.capture(
            workspace,
            on,
            token=token,
            file_id=file_id,
            version_id=version_id,
            digest=digest,
            chunk_id=chunk_id,
            note=note,
        )
        print_made(session, "citation_id", made)


# -- reading -------------------------------------------------------------------------------------------------


@entity.command("list")
@click.pass_context
def list_entities(context: click.Context) -> None:
    """List the entities, by name: ID, revision, name, kind."""
    print_list(context.ensure_object(Session), "entities", "")


@entity.command("search")
@click.argument("words", nargs=-1, required=True)
@click.pass_context
def search_entities(context: click.Context, words: tuple[str, ...]) -> None:
    """List the entities whose name, kind or properties hold all words. Exit status 1 where there is none."""
    if not print_list(context.ensure_object(Session), "entities", " ".join(words)):
        context.exit(1)


@entity.command("read")
@click.argument("entity")
@click.option("--limit", type=click.IntRange(min=0), default=10, metavar="N", help="How many citations.")
@click.pass_context
def read_entity(context: click.Context, entity: str, limit: int) -> None:
    """Show an entity as it is now, and its citations at the versions they name."""
    print_read(context.ensure_object(Session), entity, "e", limit)


@entity.command("history")
@click.argument("entity")
@click.pass_context
def entity_history(context: click.Context, entity: str) -> None:
    """Show every revision of an entity, newest first."""
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.graph.history(of_kind(entity, "e"))
        if session.json:
            session.output.json({"revisions": [each.as_json() for each in found]})
            return
        for each in found:
            gone = " removed" if each.revision.removed else ""
            print_thing(session.output, each, f" {each.revision.recorded_at}{gone}")


@relationship.command("list")
@click.pass_context
def list_relationships(context: click.Context) -> None:
    """List the relationships: ID, revision, from, kind, to."""
    print_list(context.ensure_object(Session), "relationships", "")


@relationship.command("read")
@click.argument("relationship")
@click.option("--limit", type=click.IntRange(min=0), default=10, metavar="N", help="How many citations.")
@click.pass_context
def read_relationship(context: click.Context, relationship: str, limit: int) -> None:
    """Show a relationship as it is now, and its citations at the versions they name."""
    print_read(context.ensure_object(Session), relationship, "r", limit)


@click.group("context", cls=Group)
def explored() -> None:
    """Find out who cites what."""


@explored.command()
@click.option("--file-id", metavar="F", help="Who cites any version of this File.")
@click.option("--version-id", metavar="V", help="Who cites this version.")
@click.option("--entity-id", metavar="E", help="What this entity and its relationships cite.")
@click.pass_context
def explore(
    context: click.Context, file_id: str | None, version_id: str | None, entity_id: str | None
) -> None:
    """Show every entity and relationship that cites it.

    Each with the version that its citation names, and whether that is current.
    """
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.graph.explore(file_id=file_id, version_id=version_id, entity_id=entity_id)
        if session.json:
            session.output.json(found.as_json())
            return
        for thing in (*found.entities, *found.relationships):
            print_thing(session.output, thing)
        if not found.entities and not found.relationships:
            session.output.warn("nothing cites it")


# -- citations to confirm ------------------------------------------------------------------------------------


@click.group(cls=Group)
def confirm() -> None:
    """Answer whether citations still support entities that were edited."""


@confirm.command("list")
@click.pass_context
def list_questions(context: click.Context) -> None:
    """List the open questions: the entity as it was and as it reads now, and the cited text."""
    session = context.ensure_object(Session)
    with session.library() as library:
        found = library.graph.questions()
        if session.json:
            listed = [
                {
                    "question_id": question.question_id,
                    "entity_id": question.after.thing_id,
                    "revision": question.after.number,
                    "before": wording(question.before),
                    "after": wording(question.after),
                    "citation": None if opened is None else opened.fields,
                }
                for question, opened in found
            ]
            session.output.json({"questions": listed})
            return
        output = session.output
        for question, opened in found:
            output.line(
                output.style(question.question_id, "strong"),
                " ",
                output.style(question.after.thing_id, "dim"),
            )
            output.line("  was: ", output.style(in_words(question.before), ""))
            output.line("  is:  ", output.style(in_words(question.after), ""))
            print_citation(output, opened)
        if not found:
            output.warn("there is nothing to confirm")


@confirm.command()
@click.argument("question")
@click.option("--keep", is_flag=True, help="It still supports the entity.")
@click.option("--drop", is_flag=True, help="It does not: make a revision without it.")
@click.option("--note", default="", metavar="TEXT", help="Why: at most 500 characters.")
@click.pass_context
def answer(context: click.Context, question: str, keep: bool, drop: bool, note: str) -> None:
    """Answer a question."""
    session = context.ensure_object(Session)
    if keep == drop:
        raise InputInvalid("say --keep or --drop")
    chosen: Literal["keep", "drop"] = "keep" if keep else "drop"
    with session.library(write=True) as library:
        revision = library.graph.answer(question, chosen, note)
        if session.json:
            session.output.json({"question_id": question, "answer": chosen, "revision": revision})
        else:
            session.output.plain(
                "kept" if revision is None else f"dropped: revision {revision} is without it"
            )
