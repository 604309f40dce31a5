"""A new version of a File: what cites the older ones, and citing it anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid
from tests.library.conftest import write
from tests.library.graphs import passage, token

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.library.editions import Edition
    from stonebrowse.library.library import Library

TEXT = """\
# Handbook

## Carry-over

Five days.

## Sick

Stay home.

## Travel

First class.

Second class.
"""
NEXT = """\
# Handbook

An introduction.

## Carry-over

Five days.

## Sick

Come in.

## Travel

First class.

Third class.
"""


@pytest.fixture
def library(tmp_path: Path, opened: Callable[[Path], Library]) -> Library:
    write(tmp_path / "docs" / "h.md", TEXT)
    library = opened(tmp_path / "docs")
    library.update()
    return library


def edit(library: Library, text: str) -> None:
    write(library.folder / "h.md", text)
    library.update()


def cited(library: Library, name: str, *places: dict[str, str] | str, note: str = "") -> str:
    """A committed entity that cites passages, or words."""
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(space, name=name)
    for place in places:
        if isinstance(place, str):
            graph.capture(space, entity, token=token(library, "h.md", place), note=note)
        else:
            graph.capture(space, entity, **place, note=note)
    graph.commit(space)
    return entity


def look(library: Library, *, refresh: bool = False) -> Edition:
    return library.graph.edition(library.find_file("h.md"), refresh=refresh)


def test_each_cited_text_has_its_verdict_and_what_stands_unchanged_is_refreshed(library: Library) -> None:
    carry, sick, travel = (passage(library, "h.md", number) for number in (1, 2, 3))
    entity = cited(library, "A", carry, sick, "First class.", "Second class.", note="says so")
    other = cited(library, "B", travel, passage(library, "h.md"))
    assert look(library).outdated == []
    edit(library, NEXT)
    before = library.graph.export().text
    found = look(library)
    assert [(each.revision.thing_id, each.verdict, each.fresh is not None) for each in found.outdated] == [
        (entity, "moved", True),
        (entity, "edited", False),
        (entity, "moved", True),
        (entity, "edited", False),
        (other, "edited", False),
        (other, "edited", False),
    ]
    assert found.outdated[0].now == "h.md § Carry-over (Line 5)"
    assert library.graph.export().text == before

    done = look(library, refresh=True)
    assert done.revised == [(entity, 2)]
    revision, first = library.graph.history(entity)
    assert revision.revision.properties == first.revision.properties
    assert [each.fields["number"] for each in revision.citations] == [2, 1, 2, 1]
    assert [each.fields["number"] for each in first.citations] == [1, 1, 1, 1]
    assert [each.fields["quote"] for each in revision.citations] == [
        None,
        None,
        "First class.",
        "Second class.",
    ]
    assert revision.citations[0].citation == "h.md § Carry-over (Line 5)"
    assert {each.fields["note"] for each in revision.citations} == {"says so"}
    assert revision.citations[1].fields["citation_id"] == first.citations[1].fields["citation_id"]
    assert [each.refreshed for each in done.outdated][:3:2] == [
        each.fields["citation_id"] for each in revision.citations[:3:2]
    ]
    # The thing says what it said: nothing is to be confirmed.
    assert library.graph.questions() == []
    again = look(library, refresh=True)
    assert again.revised == []
    assert [each.verdict for each in again.outdated] == ["edited"] * 4


def test_what_a_refresh_cites_is_checked_as_any_evidence(library: Library) -> None:
    entity = cited(library, "A", passage(library, "h.md", 1))
    edit(library, "---\nengraved_by: stonebrowse\n---\n" + TEXT)
    (found,) = look(library, refresh=True).outdated
    assert (found.verdict, found.fresh) == ("moved", None)
    assert "engraved" in found.advice
    assert library.graph.read(entity).revision.number == 1


def test_a_version_with_the_same_bytes_again(library: Library) -> None:
    entity = cited(library, "A", passage(library, "h.md"), passage(library, "h.md", 1))
    edit(library, NEXT)
    edit(library, TEXT)
    assert [each.verdict for each in look(library, refresh=True).outdated] == ["holds", "holds"]
    assert [each.fields["number"] for each in library.graph.read(entity).citations] == [3, 3]


def test_a_passage_that_is_cut_otherwise_is_left(library: Library) -> None:
    long = "\n\n".join(f"Paragraph {number} " + "of words " * 60 for number in range(20))
    edit(library, f"# Long\n\n{long}\n")
    cited(library, "A", passage(library, "h.md", 0), passage(library, "h.md", 1))
    edit(library, f"# Long\n\n{long.replace('Paragraph 3 ', 'A new one.' * 60 + 'Paragraph 3 ')}\n")
    found = look(library, refresh=True)
    assert [each.fresh for each in found.outdated] == [None, None]
    assert "another passage" in found.outdated[1].advice
    assert found.revised == []


def test_what_is_asked_is_answered_first(library: Library) -> None:
    entity = cited(library, "A", passage(library, "h.md", 1))
    space = library.graph.create()
    library.graph.stage_entity(space, entity_id=entity, name="B")
    library.graph.commit(space)
    edit(library, NEXT)
    (found,) = look(library, refresh=True).outdated
    assert found.fresh is None
    assert "confirm" in found.advice
    library.graph.answer(library.graph.questions()[0][0].question_id, "keep")
    assert look(library, refresh=True).revised == [(entity, 3)]
    assert library.graph.questions() == []


def test_thirty_two_citations_are_refreshed_and_so_is_a_relationship(library: Library) -> None:
    graph = library.graph
    entity = cited(library, "A", *[passage(library, "h.md", 1)] * 32)
    space = graph.create()
    link = graph.stage_relationship(space, source=entity, target=entity, kind="is")
    graph.capture(space, link, **passage(library, "h.md", 1))
    graph.commit(space)
    edit(library, NEXT)
    assert set(look(library, refresh=True).revised) == {(entity, 2), (link, 2)}
    assert len(graph.read(entity, limit=32).citations) == 32
    assert look(library).outdated == []


def test_a_trashed_file_has_no_newer_version(library: Library) -> None:
    cited(library, "A", passage(library, "h.md", 1), passage(library, "h.md"))
    edit(library, NEXT)
    library.trash(library.find_file("h.md"))
    found = look(library, refresh=True)
    assert [each.verdict for each in found.outdated] == ["gone", "gone"]
    assert found.revised == []


def test_what_cannot_be_read_is_counted(library: Library) -> None:
    cited(library, "A", passage(library, "h.md", 1))
    version = library.find_version(library.find_file("h.md"), None)
    edit(library, NEXT)
    library.forget(version)
    found = look(library, refresh=True)
    assert (found.outdated, found.withheld, found.revised) == ([], 1, [])


def test_all_or_none_where_something_was_changed_meanwhile(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cited(library, "A", passage(library, "h.md", 1))
    second = cited(library, "B", passage(library, "h.md", 1))
    edit(library, NEXT)
    seen = library.store.graph.citing

    def and_then_another(version_ids: list[str]) -> object:
        found = seen(version_ids)
        space = library.graph.create()
        library.graph.stage_entity(space, entity_id=second, kind="other")
        library.graph.commit(space)
        return found

    monkeypatch.setattr(library.store.graph, "citing", and_then_another)
    with pytest.raises(InputInvalid, match=second):
        look(library, refresh=True)
    assert library.graph.read(first).revision.number == 1
