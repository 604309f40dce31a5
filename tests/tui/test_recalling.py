"""Earlier queries in the search line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]


def line(desk: Desk) -> str:
    return desk.main.furniture.search.value


async def test_earlier_queries_come_back_in_their_order_and_at_last_what_was_typed(
    make_library: Make,
) -> None:
    async with browsing(make_library()) as desk:
        for query in ("days", "lead", "lead", "step care"):
            await desk.search(query)
        await desk.press("s")
        await desk.type("edi")
        await desk.press("ctrl+up")
        await desk.until(lambda: line(desk) == "step care", "the last query")
        assert desk.focus == "search"
        await desk.press("ctrl+up")
        assert line(desk) == "lead"
        await desk.until(lambda: "Sick leave (Line 9)" in desk.text, "its hits")
        await desk.press("ctrl+up ctrl+up")
        assert line(desk) == "days"
        await desk.press("ctrl+down ctrl+down ctrl+down")
        assert line(desk) == "edi"


async def test_what_is_only_typed_is_not_kept_but_what_led_to_a_page_is(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        await desk.press("s")
        await desk.type("carr")
        await desk.until(desk.main.furniture.hits.count, "hits")
        await desk.press("escape")
        assert library.store.desk.queries() == []
        await desk.press("enter")
        await desk.until(lambda: library.store.desk.queries() == ["carr"], "the query in the store")


async def test_queries_outlast_the_browser_and_come_from_anywhere(make_library: Make) -> None:
    library = make_library()
    async with browsing(library) as desk:
        await desk.search("days")
        await desk.search("lead")
        await desk.until(lambda: library.store.desk.queries() == ["lead", "days"], "the queries in the store")
    async with browsing(library) as desk:
        await desk.press("s", "backspace", "escape", "ctrl+up")
        await desk.until(lambda: line(desk) == "lead", "the last query")
        await desk.press("ctrl+up")
        assert line(desk) == "days"
        await desk.press("ctrl+up")
        assert line(desk) == "days"


async def test_an_empty_history_is_said(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        await desk.press("s", "ctrl+up")
        await desk.until(lambda: "There is no earlier query" in desk.text, "what is said")
        assert line(desk) == ""
