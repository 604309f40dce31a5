"""The tray, and what was copied, can be had again."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from stonebrowse.library.tokens import PREFIX, read
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]

FIRST = "people/holidays.md § Holidays (Line 1)"
SECOND = "people/holidays.md § Carry-over (Line 5)"
THIRD = "people/holidays.md § Sick leave (Line 9)"


def command(library: Library, *words: str) -> tuple[int, str]:
    """What the command line says of the same library."""
    program = [sys.executable, "-m", "stonebrowse", "-C", str(library.folder), "--store", str(library.place)]
    done = subprocess.run([*program, *words], check=False, capture_output=True, text=True)
    return done.returncode, done.stdout


async def test_citations_are_collected_reordered_and_copied_at_once(make_library: Make) -> None:
    library = make_library()
    assert command(library, "tray") == (1, "")
    async with browsing(library, at="people/holidays.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        for _ in range(3):
            await desk.press("a")
            await desk.until(lambda: "In the tray" in desk.text, "the notice")
            await desk.press("]")
        await desk.press("a", "a")
        await desk.until(lambda: "3 citations" in desk.text, "that the same is not put there twice")
        assert command(library, "tray") == (0, f"{FIRST}\n{SECOND}\n{THIRD}\n")
        await desk.press("A")
        await desk.until(lambda: "J K reorder" in desk.text, "the tray")
        await desk.press("J", "K", "K", "j", "d")
        await desk.press("J", "y")
        await desk.until(lambda: desk.main.sending.sent, "the copy")
        assert desk.main.sending.sent == [f"{FIRST}\n{THIRD}\n"]
    assert command(library, "tray") == (0, f"{FIRST}\n{THIRD}\n")
    assert command(library, "tray", "--sent") == (0, f"{FIRST}\n{THIRD}\n")
    assert command(library, "tray", "--clear")[0] == 0
    assert command(library, "tray")[0] == 1


async def said_so(desk: Desk, words: str) -> None:
    await desk.until(lambda: words in desk.text, words)


async def test_the_tray_is_written_to_a_new_file_only(
    make_library: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    library = make_library()
    async with browsing(library, at="people/holidays.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("a")
        await desk.until(lambda: "In the tray" in desk.text, "the notice")
        for said in ("Written to", "already"):
            await desk.press("A")
            await desk.until(lambda: "J K reorder" in desk.text, "the tray")
            await desk.press("w")
            await desk.type("out.txt")
            await desk.press("enter")
            await said_so(desk, said)
            assert (tmp_path / "out.txt").read_text() == FIRST + "\n"


async def test_the_tray_opens_a_citation_and_closes_with_escape(make_library: Make) -> None:
    async with browsing(make_library(), at="people/holidays.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("A")
        await desk.until(lambda: "The tray is empty" in desk.text, "an empty tray")
        await desk.press("escape", "]", "a")
        await desk.until(lambda: "In the tray" in desk.text, "the notice")
        await desk.press("g", "A")
        await desk.until(lambda: "J K reorder" in desk.text, "the tray")
        await desk.press("enter")
        await desk.until(lambda: SECOND in desk.status, "the cited section")


async def test_x_copies_a_token_that_the_command_line_never_prints(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, at="people/holidays.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("]", "x")
        await desk.until(lambda: desk.main.sending.sent, "the copy")
        (sent,) = desk.main.sending.sent
    assert sent.startswith(PREFIX)
    token = read(sent)
    evidence = library.evidence(token=sent)
    assert evidence.passage is not None
    assert evidence.passage.citation == SECOND
    assert token.length == evidence.passage.end - evidence.passage.start
    assert command(library, "tray", "--sent") == (0, f"{SECOND}\n")


async def test_what_was_copied_is_remembered_as_handed_out(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, at="people/holidays.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("]", "y")
        await desk.until(lambda: desk.main.sending.sent == [SECOND], "the copy")
    (library.folder / "people/holidays.md").write_text("# Holidays\n\nx\n\n## Carry-over\n\nNone.\n")
    library.update()
    (checked,) = library.checking().text(SECOND)
    assert checked.verdict == "edited"
