"""Links that lead nowhere: said when they are followed, with the nearest that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tui.desk import HANDBOOK, browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


@pytest.mark.parametrize(
    ("link", "said", "near", "page"),
    [
        ("[x](people/holiday.md)", "Nothing in the library is called so", "people/holidays.md", "README.md"),
        ("[[hirring]]", "Nothing in the library is called so", "people/hiring.md", "README.md"),
        ("[x](#where-to-beginn)", "No heading of this page is called so", "#where-to-begin", "README.md"),
        (
            "[x](people/holidays.md#carryover)",
            "No heading of this page is called so",
            "#carry-over",
            "people/holidays.md",
        ),
        ("[[holidays#Sick leaf|there]]", "No heading of this page", "#sick-leave", "people/holidays.md"),
    ],
)
async def test_a_broken_link_is_said_with_the_nearest(
    make_library: Make, link: str, said: str, near: str, page: str
) -> None:
    readme = f"# Handbook\n\n{link}\n\n## Where to begin\n\nHere.\n"
    async with browsing(make_library(HANDBOOK | {"README.md": readme})) as desk:
        await desk.press("enter", "f", "1")
        await desk.until(lambda: said in desk.text, "what is said")
        assert "The nearest:" in desk.text
        assert near in desk.text
        assert desk.path == page


async def test_a_broken_link_like_nothing_offers_nothing(make_library: Make) -> None:
    readme = "# Handbook\n\n[x](zzzzqqqq.md)\n"
    async with browsing(make_library(HANDBOOK | {"README.md": readme})) as desk:
        await desk.press("enter", "f", "1")
        await desk.until(lambda: "Nothing in the library is called so" in desk.text, "what is said")
        assert "The nearest:" not in desk.text
