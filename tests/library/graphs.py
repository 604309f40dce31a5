"""A graph with everything in it, for tests of what reads and writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from stonebrowse.library.library import Library

TEXT = "# Handbook\n\n## Carry-over\n\nFive days.\n\n## Sick\n\nStay home.\n"
MORE = "# Other\n\nWords of the other document.\n"
DOCUMENTS = {"h.md": TEXT, "o.md": MORE}
ODD = "odd \x1b key.=\x1b[2J\u202e\x85'''\"\"\"\\ \r\n"


class Ids(NamedTuple):
    """What was made."""

    first: str
    second: str
    """Removed by its last revision."""
    link: str


def token(library: Library, path: str, words: str) -> str:
    """The token for some words of a current version."""
    document = library.document(library.find_version(library.find_file(path), None))
    start = document.read(0, document.size).index(words.encode())
    return library.token(document, start, start + len(words.encode()))


def passage(library: Library, path: str, ordinal: int | None = None) -> dict[str, str]:
    """What `capture` takes for a current version, or for a passage of it."""
    version = library.find_version(library.find_file(path), None)
    named = {"file_id": version.file_id, "version_id": version.version_id, "digest": version.digest}
    if ordinal is None:
        return {key: str(value) for key, value in named.items()}
    return {**passage(library, path), "chunk_id": library.document(version).passage(ordinal).passage_id}


def filled(library: Library) -> Ids:
    """Commits entities with all forms of citations, an edit, an answer, a removal; and stages one more."""
    graph = library.graph
    space = graph.create()
    first = graph.stage_entity(space, name="Carry-over", kind="rule", properties={"days": "5", ODD: ODD})
    graph.capture(space, first, **passage(library, "h.md", 1), note="says so")
    second = graph.stage_entity(space, name="[[entity]]\nid = 1")
    graph.capture(space, second, token=token(library, "h.md", "Five days"), note="n\x07")
    graph.capture(space, second, **passage(library, "o.md"))
    link = graph.stage_relationship(space, source=first, target=second, kind="near")
    graph.capture(space, link, **passage(library, "o.md", 0))
    graph.commit(space)
    space = graph.create()
    graph.stage_entity(space, entity_id=first, properties={"days": "6"})
    graph.stage_entity(space, entity_id=second, kind="kind")
    graph.commit(space)
    graph.answer(graph.questions()[-1][0].question_id, "drop", "why")
    space = graph.create()
    graph.stage_entity(space, entity_id=second, remove=True)
    graph.commit(space)
    graph.stage_entity(graph.create(), name="only staged")
    return Ids(first, second, link)
