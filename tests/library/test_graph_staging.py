"""Staging by several at once, and what is left when something is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid, NotFound
from tests.library.graphs import passage

if TYPE_CHECKING:
    from stonebrowse.library.library import Library


def test_of_several_who_stage_at_once_none_loses_what_it_said(library: Library) -> None:
    library.update()
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(space, name="E")
    cited = passage(library, "README.md")

    def stage(number: int) -> None:
        graph.stage_entity(space, entity_id=entity, properties={f"key {number}": str(number)})
        graph.capture(space, entity, **cited, note=str(number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(stage, range(24)))
    (staged,) = graph.staged(space)
    assert staged.revision.properties == {f"key {number}": str(number) for number in range(24)}
    assert sorted(int(each.fields["note"]) for each in staged.citations) == list(range(24))


def test_of_several_who_capture_at_once_thirty_two_come_through(library: Library) -> None:
    library.update()
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(space, name="E")
    cited = passage(library, "README.md")

    def capture(_: int) -> bool:
        try:
            graph.capture(space, entity, **cited)
        except InputInvalid:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(capture, range(40))) == 32


def test_an_edit_that_is_refused_stages_nothing(library: Library) -> None:
    library.update()
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(space, name="E", properties={"a": "1"})
    citation = graph.capture(space, entity, **passage(library, "README.md"))
    graph.commit(space)
    space = graph.create()
    with pytest.raises(NotFound):
        graph.stage_entity(space, entity_id=entity, name="F", drop=[citation, citation])
    with pytest.raises(InputInvalid):
        graph.stage_entity(space, entity_id=entity, name=" ")
    with pytest.raises(InputInvalid):
        graph.stage_entity(space, entity_id=entity, properties={str(number): "x" for number in range(101)})
    with pytest.raises(NotFound):
        graph.stage_relationship(space, source=entity, target="e_000000000000", kind="k")
    assert graph.staged(space) == []
    # An edit keeps what it does not name; an empty text takes a property away.
    link = graph.stage_relationship(space, source=entity, target=entity, kind="is")
    graph.stage_relationship(space, relationship_id=link, kind="was")
    graph.stage_entity(space, entity_id=entity, properties={"a": "", "b": "2"})
    graph.stage_entity(space, entity_id=entity, kind="rule")
    said = {each.revision.thing_id: each.revision for each in graph.staged(space)}
    assert (said[link].source, said[link].target, said[link].kind) == (entity, entity, "was")
    assert (said[entity].name, said[entity].kind, said[entity].properties) == ("E", "rule", {"b": "2"})


def test_a_citation_brings_nothing_back_that_was_taken_away(library: Library) -> None:
    library.update()
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(space, name="E")
    graph.commit(space)
    space = graph.create()
    graph.stage_entity(space, entity_id=entity, remove=True)
    graph.commit(space)
    space = graph.create()
    graph.capture(space, entity, **passage(library, "README.md"))
    graph.commit(space)
    assert graph.entities() == []
    space = graph.create()
    graph.stage_entity(space, entity_id=entity, kind="rule")
    graph.commit(space)
    assert [each.thing_id for each in graph.entities()] == [entity]
