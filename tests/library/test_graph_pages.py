"""Entities in pages, and by the words that they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from stonebrowse.library.library import Library

ODD = ['a "quoted" word', "back\\slash", "bell\x07", "STRASSE", "tab\tline\nend", "C++", "K kelvin", "Ünique"]


@pytest.fixture
def filled(library: Library) -> Library:
    """A library of entities with odd names, kinds and properties, some of the same name, one removed."""
    library.update()
    graph = library.graph
    space = graph.create()
    ids = [graph.stage_entity(space, name=name, kind=ODD[at - 1]) for at, name in enumerate(ODD)]
    ids += [
        graph.stage_entity(space, name="Same", properties={name: ODD[at - 2]}) for at, name in enumerate(ODD)
    ]
    for at, entity in enumerate(ids[1:]):
        graph.stage_relationship(space, source=ids[at], target=entity, kind=ODD[at % 3])
    graph.commit(space)
    space = graph.create()
    graph.stage_entity(space, entity_id=ids[0], remove=True)
    graph.stage_entity(space, entity_id=ids[1], name="Renamed")
    graph.commit(space)
    return library


def test_pages_make_up_the_whole_list(filled: Library) -> None:
    graph = filled.graph
    for whole, page in ((graph.entities(), graph.entities), (graph.relationships(), graph.relationships)):
        assert len(whole) == 15
        for size in (1, 4, 15, 100):
            pages = [page(limit=size, offset=at) for at in range(0, 16, size)]
            assert [each for one in pages for each in one] == whole
    assert [each.name for each in graph.entities()] == sorted(each.name for each in graph.entities())


@pytest.mark.parametrize(
    "words",
    ['"', '"quoted"', "back\\slash", "\\", "bell\x07", "strasse", "straße", "tab", "c++", "k kelvin", "ünique same",
     "u\u0308nique", ",", '":', "{", "same kelvin", "nothing", "renamed", "   "],
)  # fmt: skip
def test_words_are_found_wherever_they_stand(filled: Library, words: str) -> None:
    wanted = words.casefold().split()
    expected = []
    for each in filled.graph.entities():
        texts = [each.name, each.kind, *each.properties, *each.properties.values()]
        if all(any(word in text.casefold() for text in texts) for word in wanted):
            expected.append(each)
    assert filled.graph.entities(words) == expected
    assert filled.graph.entities(words, limit=2, offset=1) == expected[1:3]
