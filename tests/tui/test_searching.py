"""Searching and moving through hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tui.desk import browsing, write_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


async def test_hits_appear_while_typing_and_the_page_shows_the_first(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("s")
        assert desk.focus == "search"
        await desk.type("carr")
        await desk.until(desk.main.furniture.hits.count, "hits")
        await desk.until(lambda: desk.path == "people/holidays.md", "the page of the first hit")
        assert desk.focus == "search"
        assert "people/holidays.md § Carry-over (Line 5)" in desk.text
        assert "Holidays › Carry-over" in desk.text


async def test_enter_goes_to_the_hits_and_again_to_the_page(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("days")
        await desk.until(lambda: desk.focus == "hits", "the keys on the hits")
        await desk.press("enter")
        assert desk.focus == "page"
        await desk.press("escape")
        assert desk.focus == "hits"
        await desk.press("escape")
        assert desk.focus == "files"


async def test_the_page_follows_the_cursor_through_the_hits(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("step care")
        hits = desk.main.furniture.hits
        for _ in range(4):
            await desk.press("j")
            hit = hits.hit
            assert hit is not None
            assert hit.citation in desk.status
            assert desk.main.furniture.page.place().offset == hit.start
        row = next(y for y, line in enumerate(desk.rows) if "## Step" in line and "▌" in line)
        assert row > 4


async def test_n_and_shift_n_move_through_the_hits_from_the_page(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("step care")
        await desk.press("enter", "n", "n")
        assert desk.focus == "page"
        assert desk.main.furniture.hits.cursor == 2
        await desk.press("N")
        assert desk.main.furniture.hits.cursor == 1
        await desk.press("5", "n")
        assert desk.main.furniture.hits.cursor == 6


async def test_the_old_words_are_selected_so_that_typing_replaces_them(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("days")
        await desk.press("s")
        await desk.type("lead")
        assert desk.main.furniture.search.value == "lead"


async def test_nothing_found_says_what_was_searched_and_offers_the_nearest(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("s")
        await desk.type("holidais")
        await desk.until(lambda: "Nothing found for holidais" in desk.text, "the answer")
        assert "in 4 files of handbook" in desk.text
        assert "holidays" in desk.text
        await desk.press("escape")
        assert desk.focus == "files"


async def test_the_total_is_said_and_more_hits_come_when_they_are_wanted(make_library: Make) -> None:
    files = {f"n{number:03}.md": f"# Note {number}\n\ncommon word\n" for number in range(150)}
    async with browsing(make_library(files)) as desk:
        await desk.search("common")
        hits = desk.main.furniture.hits
        assert "150 hits" in desk.text
        assert hits.count() < 150
        await desk.press("G")
        await desk.until(lambda: hits.count() == 150, "all hits")
        assert hits.cursor < 60


async def test_an_empty_search_line_closes_the_hits(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("days")
        await desk.press("s", "backspace")
        assert desk.main.desk.left == "files"
        assert "hits" not in desk.rows[0]


async def test_t_goes_between_files_and_hits(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("days")
        await desk.press("t")
        assert desk.focus == "files"
        await desk.press("t")
        assert desk.focus == "hits"


async def test_hits_stay_under_the_cursor_when_the_library_changes(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        await desk.search("step care")
        await desk.press(*"jjjjj")
        hits = desk.main.furniture.hits
        before, scrolled = hits.hit, hits.scroll_y
        assert before is not None
        total = hits.total
        write_files(library.folder, {"care.md": "# Step care\n\nstep care step care\n"})
        library.update()
        await desk.until(lambda: hits.total == total + 1, "the new hit")
        assert hits.hit is not None
        assert hits.hit.citation == before.citation
        assert hits.cursor * 3 - hits.scroll_y == 5 * 3 - scrolled


async def test_hostile_queries_are_plain_words(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        line = desk.main.furniture.search
        await desk.press("s")
        for query in ('"', "(((", "AND", "path:", "[red]x[/red]", "[/", "x" * 3000, "\u202eabc\x1b]0;t\x07"):
            line.value = query
            await desk.pilot.pause(0.05)
        assert "\x1b" not in line.value
        assert desk.focus == "search"
