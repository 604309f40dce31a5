"""What changed: reviewed section by section, and compared from version to version."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from stonebrowse.tui.reader.safety import cells
from stonebrowse.tui.screens.changes import folded
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from stonebrowse.library.reviewing import Change

    Make = Callable[..., Library]

HOLIDAYS = "people/holidays.md"
CARRY = f"{HOLIDAYS} § Carry-over (Line 5)"
SICK = f"{HOLIDAYS} § Sick leave (Line 9)"


def edited(library: Library) -> None:
    """Two sections of one file are edited."""
    place = library.folder / HOLIDAYS
    text = place.read_text(encoding="utf-8")
    place.write_text(text.replace("Up to five", "Up to \x1bsix").replace("Tell your lead", "Tell the office"))
    library.update()


@pytest.mark.parametrize("size", [(120, 40), (44, 20)])
async def test_changes_are_reviewed_and_marked_as_seen(make_library: Make, size: tuple[int, int]) -> None:
    library = make_library()
    edited(library)
    async with browsing(library, at="README.md", size=size) as desk:
        await desk.until(lambda: "Handbook" in desk.text, "the page")
        await desk.press("R")
        await desk.until(lambda: "1 of 2" in desk.text, "the review")
        assert "- Up to five" in desk.text
        assert "six" in desk.text
        assert "\x1b" not in desk.text
        await desk.press("n")
        await desk.until(lambda: "2 of 2" in desk.text, "the next change")
        assert "+ Tell the office" in desk.text
        await desk.press("p", "space")
        await desk.until(lambda: "1 of 1" in desk.text, "one less")
        await desk.until(lambda: len(library.review().changes) == 1, "that it is marked")
        await desk.press("enter")
        await desk.until(lambda: "Sick leave (Line 9)" in desk.text, "the section")
        await desk.press("R")
        await desk.until(lambda: "1 of 1" in desk.text, "the review again")
        await desk.press("A")
        await desk.until(lambda: "Nothing changed" in desk.text, "that nothing is left")
        await desk.until(lambda: not library.review().changes, "that all is marked")
        await desk.press("escape")
        await desk.until(lambda: "Nothing changed" not in desk.text, "the page")


async def test_marks_made_faster_than_they_are_written_are_all_kept(
    make_library: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["a.md", "b.md", "c.md", "d.md"]
    library = make_library()
    for text in ("old", "new"):
        for name in names:
            (library.folder / name).write_text(f"# T\n\n{text}\n", encoding="utf-8")
        library.update()
        if text == "old":
            library.mark_seen()
    mark = library.mark_seen

    def slowly(change: Change) -> int:
        time.sleep(0.3)
        return mark(change)

    monkeypatch.setattr(library, "mark_seen", slowly)
    async with browsing(library, at="README.md") as desk:
        await desk.until(lambda: "Handbook" in desk.text, "the page")
        await desk.press("R")
        await desk.until(lambda: "1 of 4" in desk.text, "the review")
        await desk.press("space", "space", "space", "space")
        await desk.until(lambda: not library.review().changes, "that all four are marked")


async def test_a_version_is_compared_with_the_newest(make_library: Make) -> None:
    library = make_library()
    edited(library)
    async with browsing(library, at=HOLIDAYS) as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("D")
        await desk.until(lambda: "Version 1 to 2" in desk.text, "the comparison")
        assert CARRY in desk.text
        await desk.press("escape", "v")
        await desk.until(lambda: desk.main.furniture.versions.count() == 2, "the versions")
        await desk.press("j", "D")
        await desk.until(lambda: "Version 1 to 2" in desk.text, "the comparison from the list")
        await desk.press("enter")
        await desk.until(lambda: CARRY in desk.status, "the section")


async def test_one_version_has_nothing_to_be_compared_with(make_library: Make) -> None:
    async with browsing(make_library(), at=HOLIDAYS) as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("D")
        await desk.until(lambda: "one version" in desk.text, "the notice")


def test_long_lines_are_folded_at_cells() -> None:
    rows = folded([("+ ", "new"), ("漢字" * 9 + "a\tb\x1b", "new")], 7)
    assert all(sum(cells(text) for text, _ in row) <= 7 for row in rows)
    assert "".join(text for row in rows for text, _ in row).startswith("+ 漢字")
    assert "\x1b" not in "".join(text for row in rows for text, _ in row)
