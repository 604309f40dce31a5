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


async def test_the_nearest_words_are_chosen_by_a_key(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("Holidais thirty")
        await desk.until(lambda: "holidays for holidais" in desk.text, "the offer")
        assert "Nothing found for Holidais thirty" in desk.text
        assert desk.main.furniture.hits.hit is None
        assert desk.focus == "hits"
        # It does not go up into what is only said.
        await desk.press("k", "g", "enter")
        await desk.until(lambda: desk.main.furniture.hits.hits, "hits")
        assert desk.main.furniture.search.value == "holidays thirty"
        assert desk.focus == "hits"
        assert desk.path == "people/holidays.md"


async def test_words_that_stand_apart_are_offered_alone_and_the_nearest_passage(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("carried lead editor")
        await desk.until(lambda: "No passage holds all of these words" in desk.text, "what is said")
        rows = desk.main.furniture.hits
        assert [offer.text for offer in rows.offers[1:]] == ["carried", "lead", "editor"]
        assert "found in 1 passage" in desk.text
        nearest = rows.offers[0].hit
        assert nearest is not None
        assert nearest.citation in desk.text
        await desk.press("j", "j", "enter")
        await desk.until(lambda: rows.hits, "hits")
        assert desk.main.furniture.search.value == "lead"
        await desk.search("carried lead editor")
        await desk.until(lambda: rows.offer is not None, "the offers")
        await desk.press("enter")
        assert desk.focus == "page"
        assert desk.path == nearest.path


async def test_offers_keep_their_cursor_through_a_resize(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.search("carried lead editor")
        rows = desk.main.furniture.hits
        await desk.until(lambda: rows.offer is not None, "the offers")
        await desk.press("j", "j")
        before = rows.offer
        for size in ((44, 20), (20, 5), (120, 40)):
            await desk.pilot.resize_terminal(*size)
            await desk.pilot.pause()
            assert rows.offer == before


async def test_enter_in_the_search_line_leaves_the_cursor_on_its_hit(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("s")
        await desk.type("step care")
        hits = desk.main.furniture.hits
        await desk.until(lambda: hits.count() > 4, "hits")
        await desk.press("down", "down", "down")
        before = hits.hit
        assert before is not None
        await desk.press("enter")
        await desk.until(
            lambda: desk.main.finding.found is not None and not desk.main.finding.found.typing, "the answer"
        )
        assert hits.hit is not None
        assert hits.hit.citation == before.citation
