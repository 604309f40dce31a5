"""A graph of any size on the documents of a library, always the same for the same documents."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from stonebrowse.store import identifiers
from stonebrowse.store.graph_copying import CopiedCitation, CopiedRevision, Kept, Place

if TYPE_CHECKING:
    from stonebrowse.library.library import Library
    from stonebrowse.store.graph_copying import GraphAdding

MADE_US: Final = 1_700_000_000_000_000
WORDS: Final = [
    "carry",
    "over",
    "days",
    "leave",
    "travel",
    "class",
    "sick",
    "home",
    "lamp",
    "wick",
    "stairs",
    "tide",
    "chart",
    "brass",
]
SPAN: Final = 40
"""Bytes of the words that each third citation quotes."""


def fill(library: Library, entities: int, citations: int) -> list[str]:
    """Commits so many entities with so many citations each, and half as many relationships.

    A third of the citations are of passages, a third of words, a third of whole versions, of any documents.

    Returns:
        The entities' IDs.
    """
    chance = random.Random(entities * citations)
    places = _places(library)
    made: list[str] = []
    with library.store.graph_copies.adding() as adding:
        for number in range(entities):
            made.append(f"e_{identifiers.encode(chance.getrandbits(60))}")
            name = " ".join(chance.choices(WORDS, k=3)) + f" {number}"
            _add(adding, made[-1], name, chance.sample(places, min(citations, len(places))), chance)
        for _ in range(entities // 2):
            thing = f"r_{identifiers.encode(chance.getrandbits(60))}"
            _add(adding, thing, "", chance.sample(places, 1), chance, ends=tuple(chance.sample(made, 2)))
    return made


def _add(
    adding: GraphAdding,
    thing: str,
    name: str,
    places: list[Place],
    chance: random.Random,
    ends: tuple[str, ...] = (),
) -> None:
    adding.add_thing(thing)
    held = []
    for place in places:
        held.append(f"c_{identifiers.encode(chance.getrandbits(60))}")
        kept = Kept(place.version_id, place.chunk_id)
        adding.add_citation(CopiedCitation(held[-1], place, "it says so", kept))
    source, target = ends or (None, None)
    said = {"days": str(len(name)), "source": "a handbook"} if name else {}
    adding.add_revision(
        thing, CopiedRevision(1, name, "rule", said, source, target, False, MADE_US, tuple(held))
    )


def _places(library: Library) -> list[Place]:
    found: list[Place] = []
    for file in library.files():
        document = library.document(library.find_version(file, None), file)
        version = document.version
        for number, piece in enumerate(document.cut.passages()):
            chunk, start, end = None, None, None
            if number % 3 == 0:
                start, end = piece.start, piece.end
                chunk = identifiers.passage_id(version.version_id, start, end)
            elif number % 3 == 1 and piece.end - piece.start > SPAN:
                start, end = piece.start, document.window(piece.start, SPAN).end
            found.append(
                Place(
                    file.path,
                    file.file_id,
                    version.version_id,
                    version.number,
                    version.digest,
                    chunk,
                    start,
                    end,
                )
            )
    return found
