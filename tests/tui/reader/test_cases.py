"""The hard cases that concern what is on the screen. Their inputs lie beside the checkout."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from wcwidth import wcswidth

from tests.shared import SHARED
from tests.tui.reader.pages import Reader, rows_of, screen, source

if TYPE_CHECKING:
    from pathlib import Path

FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def case(name: str) -> Path:
    """A case's folder."""
    found = sorted((SHARED / "cases").glob(f"{name}-*"))
    if not found:
        pytest.skip(f"no case {name} under {SHARED} (set STONEBROWSE_SHARED)")
    return found[0]


def generated(name: str, target: Path) -> list[Path]:
    """The Markdown files that a case makes."""
    subprocess.run([sys.executable, case(name) / "gen.py", target], check=True, stdout=subprocess.DEVNULL)
    return sorted(target.glob("*.md"))


async def painted(data: bytes, size: tuple[int, int]) -> list[str]:
    app = Reader(source(data))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return app.text()


async def test_038_escape_sequences_are_seen_not_sent(tmp_path: Path) -> None:
    [evil] = generated("038", tmp_path)
    for size in ((100, 30), (40, 40)):
        text = "\n".join(await painted(evil.read_bytes(), size))
        assert not FORBIDDEN.search(text.replace("\n", ""))
    text = "\n".join(await painted(evil.read_bytes(), (200, 30)))
    for visible in (
        r"\x1b[31mred",
        r"\x9b32mC1",
        r"\x1b]52;c;",
        r"\x07",
        r"\x08\x08\x08xyz",
        r"code \x1b[2J",
        r"\x1b[41m",
    ):
        assert visible in text


async def test_039_escapes_made_by_entities_stay_visible() -> None:
    for path in (case("039") / "docs").glob("*.md"):
        text = "".join(await painted(path.read_bytes(), (100, 30)))
        assert not FORBIDDEN.search(text)
        assert r"\u202e" in text


async def test_043_bidi_overrides_are_seen_and_hebrew_is_kept(tmp_path: Path) -> None:
    [path] = [path for path in generated("043", tmp_path) if path.name == "bidi.md"]
    text = "\n".join(await painted(path.read_bytes(), (80, 20)))
    assert r"access \u202e\u2066admin\u2069 \u202c level" in text
    assert "שלום עולם" in text
    assert "zero" in text


@pytest.mark.parametrize("width", [80, 40, 20])
async def test_044_no_row_is_longer_than_the_window(width: int) -> None:
    for path in (case("044") / "docs").glob("*.md"):
        data = path.read_bytes()
        app = Reader(source(data))
        async with app.run_test(size=(width, 30)) as pilot:
            await pilot.pause()
            for y in range(30):
                strip = app.view.render_line(y)
                assert strip.cell_length == width
                assert wcswidth(strip.text) == width


async def test_047_any_size_is_survived() -> None:
    path = next((case("047") / "docs").glob("*.md"))
    app = Reader(source(path.read_bytes()), path.stat().st_size // 2)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        before = app.view.place(), app.text()
        for size in ((20, 5), (10, 3), (1, 1), (300, 100), (2, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert len(app.text()) == size[1]
        assert (app.view.place(), app.text()) == before


def test_048_brackets_are_as_typed() -> None:
    text = screen((case("048") / "docs" / "br.md").read_bytes(), 100)
    for typed in (
        "[/notes] bracket",
        "[[/x.md]] wiki",
        "[red]plain[/red]",
        "[b + open",
        "press me[/]",
        "[00] and [] and [/]",
    ):
        assert typed in text


def test_026_hostile_nesting_is_shown_whole(tmp_path: Path) -> None:
    for path in generated("026", tmp_path):
        data = path.read_bytes()
        document = source(data)
        rows = rows_of(document, 80)
        text = "".join(span.text for row in rows for span in row.spans)
        for character in "[!*_x":
            assert text.count(character) >= data.count(character.encode()) * (
                character in "[!" or path.stem != "star"
            )
