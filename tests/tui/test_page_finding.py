"""Finding in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.tui.page_finding import pattern
from tests.tui.desk import browsing, write_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]

TEXT = "# Page\n\n" + "".join(
    f"## Part {n}\n\nA lantern, part {n}: Größe\nand more.\n\n" for n in range(1, 18)
)


def at(desk: object) -> int:
    offset: int = desk.main.furniture.page.place().offset  # type: ignore[attr-defined]
    return offset


async def test_matches_are_counted_lit_and_gone_through(make_library: Make) -> None:
    async with browsing(make_library({"README.md": TEXT})) as desk:
        await desk.until(lambda: desk.path, "the page")
        await desk.press("tab", "g", "/")
        assert desk.focus == "find"
        await desk.type("lantern")
        await desk.until(lambda: "1 of 17" in desk.status, "the count")
        raw = TEXT.encode()
        first = raw.index(b"lantern")
        assert at(desk) == first
        await desk.press("enter")
        assert desk.focus == "page"
        await desk.press("n", "n")
        assert "3 of 17" in desk.status
        third = raw.index(b"lantern", raw.index(b"lantern", first + 1) + 1)
        assert at(desk) == third
        await desk.press("N", "N", "N")
        assert "17 of 17" in desk.status
        assert at(desk) == raw.rindex(b"lantern")
        page = desk.main.furniture.page
        lit = page.get_component_rich_style("reader--lit")
        strips = [page.render_line(y) for y in range(page.size.height)]
        assert any(
            segment.text == "lantern" and segment.style and segment.style.bgcolor == lit.bgcolor
            for strip in strips
            for segment in strip
        )


async def test_escape_takes_the_lights_away_and_stays(make_library: Make) -> None:
    async with browsing(make_library({"README.md": TEXT})) as desk:
        await desk.until(lambda: desk.path, "the page")
        await desk.press("/")
        await desk.type("part 9:")
        await desk.until(lambda: "1 of 1" in desk.status, "the count")
        await desk.press("enter")
        place = at(desk)
        await desk.press("escape")
        assert desk.focus == "page"
        assert at(desk) == place
        assert "1 of 1" not in desk.status
        assert desk.main.furniture.search.display
        await desk.press("escape")
        assert desk.focus == "files"


async def test_what_is_not_there_is_said_and_moves_nothing(make_library: Make) -> None:
    async with browsing(make_library({"README.md": TEXT})) as desk:
        await desk.until(lambda: desk.path, "the page")
        await desk.press("/")
        await desk.type("lanternx")
        await desk.until(lambda: "not in this page" in desk.status, "that it is not there")
        await desk.press("enter", "n")
        assert "not in this page" in desk.status


async def test_an_edit_counts_anew(make_library: Make) -> None:
    library = make_library({"README.md": TEXT})
    async with browsing(library, keeper=True) as desk:
        await desk.until(lambda: desk.path, "the page")
        await desk.press("/")
        await desk.type("lantern")
        await desk.until(lambda: "of 17" in desk.status, "the count")
        write_files(library.folder, {"README.md": TEXT + "\nlantern\n"})
        await desk.until(lambda: "18" in desk.status, "one more")


async def test_n_goes_through_the_hits_where_nothing_is_looked_for_in_the_page(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("step care")
        await desk.press("enter", "n")
        assert desk.main.furniture.hits.cursor == 1


@pytest.mark.parametrize(
    ("words", "text", "spans"),
    [
        ("größe", "Größe GRÖSSE", [(0, 5)]),
        ("Größe", "größe Größe", [(6, 11)]),
        ("a b", "a\n  b a b", [(0, 5), (6, 9)]),
        ("x.y", "xay x.y", [(4, 7)]),
        ("  ", "a b", []),
    ],
)
def test_what_words_match(words: str, text: str, spans: list[tuple[int, int]]) -> None:
    assert [match.span() for match in pattern(words).finditer(text)] == spans
