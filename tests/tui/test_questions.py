"""Citations to confirm are read beside both wordings, and answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.settings.colors import contrast
from tests.library.graphs import DOCUMENTS, passage, token
from tests.tui.desk import browsing
from tests.tui.test_contrast import NAMES, drawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


def edited(library: Library) -> str:
    """An entity with three citations, edited since."""
    graph = library.graph
    space = graph.create()
    entity = graph.stage_entity(space, name="Carry-over", kind="rule", properties={"days": "5"})
    graph.capture(space, entity, token=token(library, "h.md", "Five days"), note="[b]says\x1b[2J")
    graph.capture(space, entity, **passage(library, "h.md", 2))
    graph.capture(space, entity, **passage(library, "o.md"))
    graph.commit(space)
    space = graph.create()
    graph.stage_entity(space, entity_id=entity, properties={"days": "[red]6[/]\x1b[31m"})
    graph.commit(space)
    return entity


async def test_where_nothing_is_asked_it_says_so(make_library: Make) -> None:
    async with browsing(make_library(DOCUMENTS), at="o.md") as desk:
        await desk.press("C")
        await desk.until(lambda: "There is nothing to confirm" in desk.text, "the note")
        await desk.press("y", "d", "n", "N", "enter", "j")
        assert "There is nothing to confirm" in desk.text
        await desk.press("escape")
        assert desk.app.screen is desk.main


async def test_questions_are_read_with_both_wordings_and_answered(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    entity = edited(library)
    async with browsing(library, at="o.md") as desk:
        await desk.press("C")
        await desk.until(lambda: "1 of 3" in desk.text, "the first question")
        for said in ("Does this still support Carry-over?", "Five days", r"[b]says\x1b[2J", "current"):
            assert said in desk.text, said
        wordings = next(row for row in desk.rows if "Before: revision 1" in row)
        assert "Now: revision 2" in wordings
        assert any(row.split() == ["days", "5", "days", r"[red]6[/]\x1b[31m"] for row in desk.rows)
        await desk.press("y")
        await desk.until(lambda: "1 of 2" in desk.text and "Stay home." in desk.text, "the second")
        assert library.graph.read(entity).revision.number == 2
        await desk.press("n")
        await desk.until(
            lambda: "2 of 2" in desk.text and "The whole version is cited" in desk.text, "the third"
        )
        await desk.press("N", "d")
        await desk.until(lambda: "1 of 1" in desk.text, "the last")
        read = library.graph.read(entity)
        assert read.revision.number == 3
        assert [each.fields["note"] for each in read.citations] == ["[b]says\x1b[2J", None]
        await desk.press("y")
        await desk.until(lambda: "There is nothing to confirm" in desk.text, "the end")
    assert library.graph.questions() == []


async def test_a_question_that_another_answered_meanwhile_is_told_and_gone(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    edited(library)
    async with browsing(library, at="o.md", size=(44, 20)) as desk:
        await desk.press("C")
        await desk.until(lambda: "1 of 3" in desk.text, "the first question")
        library.graph.answer(library.graph.questions()[0][0].question_id, "keep")
        await desk.press("d")
        await desk.until(lambda: "1 of 2" in desk.text and "answered" in desk.text, "the refusal")
    assert len(library.graph.questions()) == 2


async def test_the_cited_text_is_opened_in_its_version(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    edited(library)
    (library.folder / "h.md").write_text("# Handbook\n\n## Carry-over\n\nSix days.\n")
    library.update()
    async with browsing(library, at="o.md") as desk:
        await desk.press("C")
        await desk.until(lambda: "cites version 1 of 2: edited since" in desk.text, "the question")
        await desk.press("enter")
        await desk.until(lambda: desk.path == "h.md" and "Five days." in desk.text, "the old text")
    assert len(library.graph.questions()) == 3


async def test_text_stands_out_on_the_screens_of_entities_in_every_theme(make_library: Make) -> None:
    library = make_library(DOCUMENTS)
    edited(library)
    (library.folder / "h.md").write_text("# Handbook\n\n## Carry-over\n\nSix days.\n")
    library.update()
    faint = []
    async with browsing(library, at="o.md") as desk:
        for keys, shown in (
            (("E",), "edited since"),
            (("tab",), "Tab back"),
            (("escape", "escape", "C"), "Before"),
        ):
            await desk.press(*keys)
            await desk.until(lambda shown=shown: shown in desk.text, shown)  # type: ignore[misc]
            for name in NAMES:
                desk.app.use_theme(name)
                await desk.pilot.pause()
                least = 7.0 if name.startswith("contrast-") else 4.5
                for (front, back), text in drawn(desk).items():
                    found = contrast(front, back)
                    if found is None or found < least:
                        faint.append(f"{name}: {text[:40]!r} is {front} on {back}")
    assert not faint
