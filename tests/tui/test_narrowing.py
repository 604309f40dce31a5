"""A search within a file or folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.tui.narrowing import narrowed
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library

    Make = Callable[..., Library]


@pytest.mark.parametrize(
    ("query", "path", "after"),
    [
        ("days", "a/b/c.md", 'days path:"a/b/c.md"'),
        ('days path:"a/b/c.md"', "x.md", 'days path:"a/b/"'),
        ('days path:"a/b/"', "x.md", "days"),
        ('days path:"c.md"', "x.md", "days"),
        ("", "c.md", 'path:"c.md"'),
        ('path:"c.md"', "c.md", ""),
        ("days path:a", 'say "x".md', 'days path:a path:"say  x .md"'),
        ("days", "", "days"),
    ],
)
def test_a_query_goes_from_file_to_folder_to_everywhere(query: str, path: str, after: str) -> None:
    assert narrowed(query, path) == after


async def test_w_searches_in_this_file_then_in_its_folder_then_everywhere(make_library: Make) -> None:
    files = {
        "a/one.md": "# One\n\nlight\n",
        "a/two.md": "# Two\n\nlight\n",
        "b/three.md": "# Three\n\nlight\n",
    }
    async with browsing(make_library(files)) as desk:
        hits = desk.main.furniture.hits
        await desk.search("light")
        assert len(hits.hits) == 3
        first = hits.hits[0].path
        await desk.press("w")
        await desk.until(lambda: [hit.path for hit in hits.hits] == [first], "the hits of this file")
        assert desk.main.furniture.search.value == f'light path:"{first}"'
        assert desk.focus == "hits"
        await desk.press("w")
        folder = first.partition("/")[0]
        count = 2 if folder == "a" else 1
        await desk.until(lambda: desk.main.furniture.search.value == f'light path:"{folder}/"', "the folder")
        await desk.until(lambda: len(hits.hits) == count, "the hits of its folder")
        await desk.press("w")
        await desk.until(lambda: len(hits.hits) == 3, "all hits")
        assert desk.main.furniture.search.value == "light"
