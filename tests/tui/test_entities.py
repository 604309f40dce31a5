"""Entities can be found, read and followed to the very text that they cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.knowledge_rows import Reading
from tests.library.graphs import DOCUMENTS, filled, passage, token
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


async def test_without_entities_it_says_how_to_make_the_first(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("E")
        await desk.until(lambda: "There are no entities yet" in desk.text, "the note")
        assert "stonebrowse graph workspace create" in desk.text
        await desk.press("tab", "enter", "escape")
        assert desk.app.screen is desk.main
        await desk.press("W")
        await desk.until(lambda: "Nothing cites this file yet" in desk.text, "the other note")


async def test_an_entity_is_found_and_read_and_its_citation_opens_at_its_own_version(
    make_library: Make,
) -> None:
    library = make_library(DOCUMENTS)
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(
        space, name="Carry-over", kind="rule", properties={"days": "5\n[red]x[/] \x1b[2J"}
    )
    graph.capture(space, entity, token=token(library, "h.md", "Five days"), note="says so")
    graph.stage_entity(space, name="[bold]Another[/bold]\x1b[31m\u202e")
    graph.commit(space)
    (library.folder / "h.md").write_text("# Handbook\n\n## Carry-over\n\nSix days.\n")
    library.update()
    async with browsing(library, at="o.md") as desk:
        await desk.press("E")
        await desk.until(lambda: r"[bold]Another[/bold]\x1b[31m\u202e" in desk.text, "the list")
        await desk.type("carry RULE")
        await desk.until(
            lambda: "Another" not in desk.text and "cites version 1 of 2" in desk.text, "the rule"
        )
        for said in ("rule, revision 1", "days", r"[red]x[/] \x1b[2J", "h.md § Carry-over (Line 3)"):
            assert said in desk.text, said
        assert "“Five days”" in desk.text
        assert "Note: says so" in desk.text
        assert "cites version 1 of 2: edited since" in desk.text
        await desk.press("enter", "enter")
        await desk.until(lambda: desk.path == "h.md", "the page")
        document = desk.main.opening.document
        assert document is not None
        assert document.version.number == 1
        await desk.until(lambda: "Five days." in desk.text and desk.focus == "page", "the old text")
        assert "h.md § Carry-over (Line 3)" in desk.status


async def test_the_history_of_an_entity_is_shown_and_left_again(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    filled(library)
    async with browsing(library, at="o.md", size=(120, 60)) as desk:
        await desk.press("E")
        await desk.until(lambda: "revision 2" in desk.text, "the entity")
        assert "revision 1" not in desk.text
        assert "only staged" not in desk.text
        await desk.press("tab", "v")
        await desk.until(lambda: "revision 1" in desk.text, "the history")
        assert desk.text.index("revision 2") < desk.text.index("revision 1")
        await desk.press("escape")
        await desk.until(lambda: "revision 1" not in desk.text, "the current one")
        await desk.press("escape")
        assert desk.focus == "entities-line"
        await desk.press("escape")
        assert desk.app.screen is desk.main


async def test_more_citations_than_are_shown_and_those_withheld_are_said(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(space, name="Many")
    for number in range(12):
        graph.capture(space, entity, **passage(library, "h.md", number % 3), note=f"the {number}.")
    graph.capture(space, entity, **passage(library, "o.md"))
    graph.commit(space)
    forgotten = str(library.find_version(library.find_file("o.md"), None).version_id)
    (library.folder / "o.md").write_text("# Other\n\nNew.\n")
    library.update()
    library.store.forget(forgotten)
    async with browsing(library, at="h.md", size=(120, 80)) as desk:
        await desk.press("E")
        await desk.until(lambda: "1 citation is withheld" in desk.text, "what is withheld")
        assert "more citations are not shown" in desk.text
        assert "the 9." in desk.text
        assert "the 10." not in desk.text
        await desk.press("tab", "m")
        await desk.until(lambda: "the 11." in desk.text, "all of them")
        assert "more citations are not shown" not in desk.text
        await desk.press("n", "n", "n", "N")
        text = desk.app.screen.query_one("#entity", Reading)
        assert text.cited is not None
        assert text.cited.fields["note"] == "the 2."


async def test_a_list_longer_than_a_page_goes_on(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    graph = library.graph
    space = graph.create()
    for number in range(450):
        graph.stage_entity(space, name=f"Thing {number:03}")
    graph.commit(space)
    async with browsing(library, at="o.md", size=(44, 20)) as desk:
        await desk.press("E")
        await desk.until(lambda: "Thing 000" in desk.text, "the list")
        listed = desk.app.screen.query_one("#entities")
        for _ in range(500):
            await desk.pilot.press("pagedown")
            if listed.count() == 450 and listed.cursor == 449:  # type: ignore[attr-defined]
                break
        await desk.until(lambda: "Thing 449" in desk.text, "the end")


async def test_what_cites_the_open_file_is_listed_with_its_citations_of_it_alone(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    graph = library.graph
    space = graph.create()
    both = graph.stage_entity(space, name="Both")
    graph.capture(space, both, token=token(library, "h.md", "Five days"))
    graph.capture(space, both, **passage(library, "o.md", 0))
    one = graph.stage_entity(space, name="Handbook only")
    graph.capture(space, one, **passage(library, "h.md"))
    link = graph.stage_relationship(space, source=both, target=one, kind="near")
    graph.capture(space, link, **passage(library, "o.md"))
    graph.commit(space)
    async with browsing(library, at="o.md") as desk:
        await desk.until(lambda: desk.path == "o.md", "the page")
        await desk.press("W")
        await desk.until(lambda: "What cites o.md" in desk.text, "the screen")
        await desk.until(lambda: "o.md § Other (Line 1)" in desk.text, "the citation")
        assert "h.md §" not in desk.text
        assert "Both → Handbook only  near" in desk.text
        await desk.type("near")
        await desk.until(lambda: "revision 1" in desk.text and "near, revision 1" in desk.text, "the link")
        await desk.press("tab", "enter")
        await desk.until(lambda: desk.app.screen is desk.main and desk.focus == "page", "the page")


async def test_what_cites_the_section_one_reads_comes_first(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    graph = library.graph
    space = graph.create()
    for name, ordinal in (("A", 1), ("B", 2)):
        entity = graph.stage_entity(space, name=f"{name} thing")
        graph.capture(space, entity, **passage(library, "h.md", ordinal))
    graph.commit(space)
    for reference, first in (("h.md § Sick (Line 7)", "B thing"), ("h.md § Carry-over (Line 3)", "A thing")):
        async with browsing(library, at=reference) as desk:
            await desk.until(lambda: desk.path == "h.md" and desk.focus == "page", "the page")
            await desk.press("W")
            await desk.until(lambda: "A thing" in desk.text and "B thing" in desk.text, "the list")
            assert desk.rows[2].startswith(f"▌{first}")
