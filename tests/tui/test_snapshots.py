"""How the screens look, as plain text at four sizes.

Written anew with `STONEBROWSE_SNAPSHOTS=write`; look at what changed before it is kept.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]

SNAPSHOTS = Path(__file__).parent / "snapshots"
SIZES = [(120, 40), (80, 24), (44, 20), (20, 5)]


def keep(desk: Desk, name: str, seen: list[str]) -> None:
    """Adds one screen to what is seen, with its name above it."""
    seen.append(f"=== {name}\n{desk.text}\n")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_screens_look_as_they_did(make_library: Make, size: tuple[int, int]) -> None:
    seen: list[str] = []
    async with browsing(make_library(), size=size) as desk:
        keep(desk, "start", seen)
        await desk.search("care")
        keep(desk, "hits", seen)
        await desk.press("j", "enter")
        keep(desk, "a hit opened", seen)
        await desk.press("o", "j")
        keep(desk, "outline", seen)
        await desk.press("escape", "?")
        keep(desk, "help", seen)
        await desk.press("q", ":")
        await desk.type("cit")
        keep(desk, "go to", seen)
        await desk.press("escape")
        await desk.search("holidais")
        keep(desk, "nothing found", seen)
    assert all(len(row) <= size[0] for screen in seen for row in screen.split("\n")[1:])
    place = SNAPSHOTS / f"{size[0]}x{size[1]}.txt"
    text = "\n".join(seen)
    if os.environ.get("STONEBROWSE_SNAPSHOTS") == "write":
        SNAPSHOTS.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    assert text == place.read_text(encoding="utf-8")
