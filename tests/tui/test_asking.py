"""Asking a model in the browser: streamed, stoppable, its citations opened, its answer engraved."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from stonebrowse.settings import load
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.library.library import Library
    from stonebrowse.settings import Settings

    Make = Callable[..., Library]

SECOND = "people/holidays.md § Carry-over (Line 5)"
ANSWERS = f"""
import sys
sys.stdin.read()
print("Five days \\x1b]52;c;aGk=\\x07 are carried over: {SECOND}.")
print("Nothing else: nowhere.md § Trust me (Line 9)")
"""
HANGS = """
import sys, time
sys.stdin.read()
print("It begins", flush=True)
time.sleep(600)
"""


def asking(tmp_path: Path, program: str) -> Settings:
    """Settings with a model command: a small program."""
    place = tmp_path / "model.py"
    place.write_text(program, encoding="utf-8")
    settings = load().settings
    return replace(settings, ask=replace(settings.ask, command=(sys.executable, str(place))))


async def test_an_answer_its_citations_and_the_note(make_library: Make, tmp_path: Path) -> None:
    library = make_library(settings=asking(tmp_path, ANSWERS))
    async with browsing(library, at="README.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("i")
        await desk.until(lambda: "Ask the library" in desk.text, "the line")
        await desk.type("how many days are carried over")
        await desk.press("enter")
        await desk.until(lambda: "handed over" in desk.text, "the citations")
        assert "unknown" in desk.text
        assert "\x1b" not in desk.text
        await desk.press("tab")
        await desk.until(lambda: "w engraves" in desk.text, "the keys of the citations")
        await desk.press("w")
        await desk.type("notes/days.md")
        await desk.press("enter")
        await desk.until((library.folder / "notes/days.md").exists, "the note")
        assert SECOND in (library.folder / "notes/days.md").read_text(encoding="utf-8")
        await desk.until(lambda: "Engraved" in desk.text, "the notice")
        await desk.press("i")
        await desk.until(lambda: "handed over" in desk.text, "the conversation as it was left")
        await desk.press("tab")
        await desk.until(lambda: "w engraves" in desk.text, "the keys of the citations")
        await desk.press("enter")
        await desk.until(lambda: SECOND in desk.status, "the cited section")


async def test_an_answer_that_hangs_is_stopped_by_escape(make_library: Make, tmp_path: Path) -> None:
    library = make_library(settings=asking(tmp_path, HANGS))
    async with browsing(library, at="README.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("i")
        await desk.until(lambda: "Ask the library" in desk.text, "the line")
        await desk.type("holidays")
        await desk.press("enter")
        await desk.until(lambda: "It begins" in desk.text, "the beginning of the answer")
        assert "Esc stops" in desk.text
        await desk.press("escape")
        await desk.until(lambda: "(stopped)" in desk.text, "that it was stopped")
        await desk.press("escape")
        await desk.until(lambda: "Ask the library" not in desk.text, "the page")


async def test_a_model_that_fails_and_a_question_that_nothing_fits(
    make_library: Make, tmp_path: Path
) -> None:
    library = make_library(settings=asking(tmp_path, "raise SystemExit(3)"))
    async with browsing(library, at="README.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("i")
        await desk.until(lambda: "Ask the library" in desk.text, "the line")
        await desk.type("holidays")
        await desk.press("enter")
        await desk.until(lambda: "3" in desk.text and "model" in desk.text, "what went wrong")
        await desk.type("xylophone")
        await desk.press("enter")
        await desk.until(lambda: "other words" in desk.text, "that nothing fits")


async def test_without_a_command_the_prompt_is_copied(make_library: Make) -> None:
    async with browsing(make_library(), at="README.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("i")
        await desk.until(lambda: "No model command is set" in desk.text, "how to set it")
        await desk.type("holidays")
        await desk.press("enter")
        await desk.until(lambda: desk.main.sending.sent, "the copy")
        (sent,) = desk.main.sending.sent
        assert "path § heading (Line N)" in sent
        assert "people/holidays.md § Holidays (Line 1)" in sent


async def test_the_tray_becomes_a_note(make_library: Make) -> None:
    library = make_library()
    async with browsing(library, at="people/holidays.md") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        await desk.press("a")
        await desk.until(lambda: "In the tray" in desk.text, "the notice")
        await desk.press("A")
        await desk.until(lambda: "J K reorder" in desk.text, "the tray")
        await desk.press("e")
        await desk.type("notes/found.md")
        await desk.press("enter")
        await desk.until(lambda: "Engraved" in desk.text, "the notice")
    text = (library.folder / "notes/found.md").read_text(encoding="utf-8")
    assert text.count("people/holidays.md § Holidays (Line 1)") == 2
    assert "## Sources" in text
