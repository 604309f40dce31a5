"""Entities and relationships as front ends show them.

`as_json` of each has the fields of CONTRACT section 5, "JSON shapes".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stonebrowse.library.checking import Checked
    from stonebrowse.store.graph import Revision


@dataclass(frozen=True, slots=True)
class Opened:
    """A citation that an entity holds, opened at its own version.

    Attributes:
        fields: those of CONTRACT section 5, "citation held by an entity", and `standing`: what became of it, in
            a few words.
        became: what became of a passage or words in the newest version; None of a whole version, and where that
            is the newest.
    """

    fields: dict[str, Any]
    became: Checked | None = None

    @property
    def citation(self) -> str:
        """The citation string."""
        return str(self.fields["citation"])

    @property
    def standing(self) -> str:
        """Which version it cites, and what became of the text since."""
        return str(self.fields["standing"])


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity or a relationship as it is read.

    Attributes:
        revision: what it says.
        citations: those that can be opened, up to a limit.
        truncated: there are more than are shown.
        withheld: how many cannot be read or are not what they were.
    """

    revision: Revision
    citations: tuple[Opened, ...] = ()
    truncated: bool = False
    withheld: int = 0

    def as_json(self) -> dict[str, Any]:
        """The contract's fields of an entity, or of a relationship."""
        fields = saying_json(self.revision)
        return fields | {
            "citations": [each.fields for each in self.citations],
            "truncated": self.truncated,
            "withheld": self.withheld,
        }


@dataclass(slots=True)
class Explored:
    """Who cites something: each with the citations of it alone."""

    entities: list[Thing] = field(default_factory=list)
    relationships: list[Thing] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The contract's shape of `context explore`."""
        return {
            "entities": [thing.as_json() for thing in self.entities],
            "relationships": [thing.as_json() for thing in self.relationships],
        }


def saying_json(revision: Revision) -> dict[str, Any]:
    """What a revision says, without its citations."""
    common = {
        "name": revision.name,
        "kind": revision.kind,
        "properties": revision.properties,
        "revision": revision.number,
        "removed": revision.removed,
        "recorded_at": revision.recorded_at or None,
    }
    if revision.thing_id.startswith("e_"):
        return {"entity_id": revision.thing_id} | common
    return {
        "relationship_id": revision.thing_id,
        "from": revision.source,
        "to": revision.target,
    } | common
