"""Tools of the graph: `explore`, `read_entity`, `stage_entity`, `stage_relationship`, `capture`, `commit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stonebrowse.errors import InputInvalid
from stonebrowse.mcp.answers import CITATION_FIELDS, THING_FIELDS, Answer, only
from stonebrowse.text.fencing import Piece

if TYPE_CHECKING:
    from stonebrowse.library.library import Library
    from stonebrowse.library.things import Thing

THINGS = 20
SHOWN = 10
QUOTED = 300
"""Characters of a quote where many things are shown; `read_entity` gives all of it."""


def explore(library: Library, given: dict[str, Any]) -> Answer:
    """Who cites it, or what it cites."""
    named = {name: given.get(name) for name in ("file_id", "version_id", "entity_id")}
    if sum(value is not None for value in named.values()) != 1:
        raise InputInvalid("name exactly one of file_id, version_id and entity_id")
    found = library.graph.explore(**named)
    things = [*found.entities, *found.relationships]
    offset, limit = given.get("offset", 0), given.get("limit", THINGS)
    following = offset + limit if offset + limit < len(things) else None
    page = things[offset : offset + limit]
    more = "" if following is None else f"; the next page has offset {following}"
    return Answer(
        f"{len(page)} of {len(things)} entities and relationships{more}.",
        {
            "entities": [_fields(each) for each in page if each.revision.thing_id.startswith("e_")],
            "relationships": [_fields(each) for each in page if each.revision.thing_id.startswith("r_")],
            "total": len(things),
            "next_offset": following,
        },
        [_piece(each, QUOTED) for each in page],
    )


def read_entity(library: Library, given: dict[str, Any]) -> Answer:
    """What it says now, and what it stands on."""
    thing = library.graph.read(given["entity_id"], limit=given.get("limit", SHOWN))
    said = [f"Revision {thing.revision.number}{', removed' if thing.revision.removed else ''}."]
    if thing.truncated:
        said.append("More citations are not shown.")
    if thing.withheld:
        said.append(f"{thing.withheld} citations are withheld.")
    return Answer(" ".join(said), _fields(thing), [_piece(thing, None)])


def stage_entity(library: Library, given: dict[str, Any]) -> Answer:
    """Stages an entity."""
    graph = library.graph
    workspace, made = _workspace(library, given)
    try:
        entity = graph.stage_entity(
            workspace,
            name=given.get("name"),
            kind=given.get("kind"),
            properties=given.get("properties"),
            entity_id=given.get("entity_id"),
            drop=given.get("drop_citations", ()),
            remove=given.get("remove", False),
        )
    except BaseException:
        if made:
            graph.discard(workspace)
        raise
    return Answer(
        f"Staged {entity} in {workspace}; `commit` makes it so.",
        {"workspace_id": workspace, "entity_id": entity},
    )


def stage_relationship(library: Library, given: dict[str, Any]) -> Answer:
    """Stages a relationship."""
    graph = library.graph
    workspace, made = _workspace(library, given)
    try:
        relationship = graph.stage_relationship(
            workspace,
            source=given.get("from"),
            target=given.get("to"),
            kind=given.get("kind"),
            relationship_id=given.get("relationship_id"),
            remove=given.get("remove", False),
        )
    except BaseException:
        if made:
            graph.discard(workspace)
        raise
    return Answer(
        f"Staged {relationship} in {workspace}; `commit` makes it so.",
        {"workspace_id": workspace, "relationship_id": relationship},
    )


def capture(library: Library, given: dict[str, Any]) -> Answer:
    """Stages a citation."""
    citation = library.graph.capture(
        given["workspace_id"],
        given["on"],
        token=given.get("token"),
        file_id=given.get("file_id"),
        version_id=given.get("version_id"),
        digest=given.get("digest"),
        chunk_id=given.get("chunk_id"),
        note=given.get("note", ""),
    )
    return Answer(f"Staged the citation {citation}.", {"citation_id": citation})


def commit(library: Library, given: dict[str, Any]) -> Answer:
    """Commits a workspace."""
    made = library.graph.commit(given["workspace_id"])
    listed = [
        {("entity_id" if thing.startswith("e_") else "relationship_id"): thing, "revision": number}
        for thing, number in made
    ]
    said = ", ".join(f"{thing} revision {number}" for thing, number in made)
    return Answer(f"Committed: {said}.", {"committed": listed})


def _workspace(library: Library, given: dict[str, Any]) -> tuple[str, bool]:
    """The workspace that was named, or a new one; and whether it is new."""
    named = given.get("workspace_id")
    return (named, False) if named is not None else (library.graph.create(), True)


def _fields(thing: Thing) -> dict[str, Any]:
    """A thing without its words."""
    fields = thing.as_json()
    return only(fields, THING_FIELDS) | {
        "citations": [only(each, CITATION_FIELDS) for each in fields["citations"]]
    }


def _piece(thing: Thing, quoted: int | None) -> Piece:
    """A thing in words, its citations with their quotes and notes."""
    revision = thing.revision
    name = revision.name or f"{revision.source} {revision.kind} {revision.target}"
    lines = [f"name: {name}"]
    if revision.kind:
        lines.append(f"kind: {revision.kind}")
    lines += [f"{key} = {value}" for key, value in revision.properties.items()]
    for opened in thing.citations:
        lines.append(f"{opened.fields['citation_id']} {opened.citation}: {opened.standing}")
        quote = opened.fields["quote"]
        if quote is not None:
            lines.append("  " + (quote if quoted is None or len(quote) <= quoted else f"{quote[:quoted]}…"))
        if opened.fields["note"]:
            lines.append(f"  note: {opened.fields['note']}")
    return Piece(revision.thing_id, "\n".join(lines))
