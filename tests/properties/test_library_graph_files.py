"""Whatever a graph's file holds, importing it is done or refused with a sentence, and all or none."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.errors import StonebrowseError
from stonebrowse.library import graph_toml
from stonebrowse.library.library import Library
from stonebrowse.store import identifiers
from stonebrowse.store.graph_copying import CopiedCitation, CopiedQuestion, CopiedRevision, Place, Whole
from stonebrowse.store.identifiers import FileId
from tests.library.conftest import write
from tests.library.graphs import DOCUMENTS, filled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PIECES = [
    "[[entity]]", "[[entity.revision]]", "[[entity.citation]]", "[[entity.question]]", "[[relationship]]",
    "[entity.revision.properties]", "id = ", "number = 1", "number = -9999999999999999999999", '"', "'''", "\n",
    "= {}", "= [{}]", "= [[]]", "= 1979-05-27", "= 9999-12-31T23:59:59-12:00", "= nan", "= true", 'name = ""',
    "c_000000000000", "e_000000000000", "\\u0000", "start = 0\nend = 0", "kind = 3", "citations = []", "\x00",
]  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library with a graph."""
    place = tmp_path_factory.mktemp("library")
    for path, text in DOCUMENTS.items():
        write(place / "docs" / path, text)
    with Library.open(place / "docs", store=place / "store") as library:
        library.update()
        filled(library)
        yield library


def attempt(library: Library, data: bytes) -> None:
    """Imports, and looks that a refusal is a sentence that changed nothing."""
    before = library.graph.export().text
    refused = None
    try:
        library.graph.load(data)
    except StonebrowseError as error:
        refused = error
    after = library.graph.export().text
    if refused is not None:
        assert refused.exit_status in {2, 4}, refused.message
        assert refused.message
        assert after == before
        return
    # What was added is well-formed: it can be read, written and imported again.
    assert library.graph.load(after.encode()).added == []
    for entity in library.graph.entities():
        library.graph.history(entity.thing_id)
    library.graph.questions()


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 1 << 32), st.integers(1, 6))
def test_a_file_that_was_damaged_anywhere(library: Library, seed: int, times: int) -> None:
    chance = random.Random(seed)
    data = library.graph.export().text
    for _ in range(times):
        lines = data.split("\n")
        at = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, chance.choice(lines))
            case 2:
                lines[at] += chance.choice(PIECES)
            case 3:
                other = chance.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 4:
                pieces = re.split(r"\b", lines[at])
                pieces[chance.randrange(len(pieces))] = chance.choice(PIECES)
                lines[at] = "".join(pieces)
        data = "\n".join(lines)
    attempt(library, data.encode())


@settings(deadline=None, max_examples=60)
@given(
    st.binary(max_size=60)
    | st.lists(st.sampled_from(PIECES), max_size=12).map(lambda p: "\n".join(p).encode())
)
def test_any_bytes(library: Library, data: bytes) -> None:
    attempt(library, b"stonebrowse_graph = 1\n" + data)


@st.composite
def _things(draw: Callable[[Any], Any]) -> list[Whole]:
    """Entities that may have been exported by some library, with texts of any characters."""
    count = iter(range(1000))

    def new(kind: str) -> str:
        return f"{kind}_{identifiers.encode(next(count) * 7919 + 1)}"

    things = []
    for _ in range(draw(st.integers(1, 3))):
        citations = []
        for _ in range(draw(st.integers(0, 3))):
            number, digest = draw(st.integers(1, 9)), "sha256:" + draw(st.sampled_from("0f")) * 64
            file = FileId(new("f"))
            version = identifiers.version_id(file, number, digest)
            start = draw(st.none() | st.integers(0, 99))
            end = None if start is None else start + draw(st.integers(1, 9))
            chunk = None
            if start is not None and end is not None and draw(st.booleans()):
                chunk = identifiers.passage_id(version, start, end)
            place = Place(draw(ANYTHING), file, version, number, digest, chunk, start, end)
            citations.append(CopiedCitation(new("c"), place, draw(ANYTHING), None))
        held = tuple(each.citation_id for each in citations)
        revisions = tuple(
            CopiedRevision(
                number, "n" + draw(ANYTHING), draw(ANYTHING), draw(st.dictionaries(ANYTHING, ANYTHING, max_size=3)),
                None, None, draw(st.booleans()), draw(st.integers(0, 1 << 52)), held,
            )
            for number in range(1, draw(st.integers(1, 3)) + 1)
        )  # fmt: skip
        questions: tuple[CopiedQuestion, ...] = ()
        if len(revisions) > 1 and held:
            answer = draw(st.sampled_from(["keep", "drop", None]))
            when = None if answer is None else draw(st.integers(0, 1 << 52))
            questions = (CopiedQuestion(new("q"), 1, 2, held[0], answer, draw(ANYTHING), when),)
        things.append(Whole(new("e"), tuple(citations), revisions, questions))
    return things


@settings(deadline=None, max_examples=60)
@given(_things())
def test_what_is_written_is_what_is_read(things: list[Whole]) -> None:
    text = graph_toml.write([(each, {}) for each in things])
    assert [each.whole for each in graph_toml.read(text.encode())] == things
