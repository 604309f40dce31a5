"""Copying, and the editor."""

from __future__ import annotations

import base64
from contextlib import contextmanager
from typing import TYPE_CHECKING

from stonebrowse.settings import EditorSettings, Settings
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]


def listen(desk: Desk) -> list[str]:
    """Hears what is written to the terminal besides the screen."""
    written: list[str] = []
    desk.app.write_terminal = written.append  # type: ignore[method-assign,assignment]
    return written


def sent(written: list[str]) -> list[str]:
    return [
        base64.b64decode(text[len("\x1b]52;c;") : -1]).decode()
        for text in written
        if text.startswith("\x1b]52;")
    ]


async def test_y_copies_the_citation_of_what_one_is_at(make_library: Make) -> None:
    async with browsing(make_library()) as desk:
        written = listen(desk)
        await desk.press("enter", "y")
        await desk.until(lambda: len(sent(written)) == 1, "the first copy")
        assert "Citation sent to the terminal:" in desk.text
        assert "README.md § Handbook (Line 1)" in desk.main.notice.text
        await desk.press("]", "y")
        await desk.until(lambda: len(sent(written)) == 2, "the second copy")
        await desk.search("sick")
        await desk.press("y")
        await desk.until(lambda: len(sent(written)) == 3, "the third copy")
        assert sent(written) == [
            "README.md § Handbook (Line 1)",
            "README.md § Where to begin (Line 5)",
            "people/holidays.md § Sick leave (Line 9)",
        ]
        assert "opied" not in desk.text


async def test_what_is_copied_is_whole_on_the_narrowest_screen(make_library: Make) -> None:
    path = "a-rather-long-folder-name/with-another-one-in-it/and-a-long-file-name.md"
    async with browsing(make_library({path: "# A heading of some length\n"}), size=(20, 5)) as desk:
        written = listen(desk)
        await desk.search("heading")
        await desk.press("y")
        await desk.until(lambda: sent(written), "the copy")
        assert sent(written) == [f"{path} § A heading of some length (Line 1)"]
        assert all(len(row) <= 20 for row in desk.rows)


async def test_a_quote_and_the_source_are_copied(make_library: Make) -> None:
    async with browsing(make_library(), at="people/holidays.md § Sick leave (Line 9)") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        written = listen(desk)
        await desk.press("Y")
        await desk.until(lambda: len(sent(written)) == 1, "the quote")
        await desk.press("c")
        await desk.until(lambda: len(sent(written)) == 2, "the source")
        quote, source = sent(written)
        assert (
            quote
            == "> ## Sick leave\n>\n> Tell your lead.\n>\n> — people/holidays.md § Sick leave (Line 9)\n"
        )
        assert source == "## Sick leave\n\nTell your lead.\n"


async def test_in_the_tree_a_file_is_cited_by_its_beginning(make_library: Make) -> None:
    async with browsing(
        make_library({"a.md": "text before\n\n# Later\n", "b.md": "# B\n"}), size=(44, 20)
    ) as desk:
        written = listen(desk)
        await desk.press("y")
        await desk.until(lambda: sent(written), "the copy")
        assert sent(written) == ["a.md (Line 1)"]


async def test_copying_with_nothing_open_says_so(make_library: Make) -> None:
    async with browsing(make_library({})) as desk:
        written = listen(desk)
        await desk.press("y", "e")
        assert sent(written) == []
        assert desk.main.notice.text


async def test_the_editor_is_started_at_the_line_without_a_shell(
    make_library: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "my editor"
    editor.write_text(f'#!/bin/sh\nfor word in "$@"; do echo "$word"; done > {tmp_path}/words\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", f"'{editor}' --flag '$HOME;x'")
    library = make_library({"$(touch x) `y`.md": "# A\n\n## B\n\nwords\n"})
    async with browsing(library, at="$(touch x) `y`.md § B (Line 3)") as desk:
        await desk.until(lambda: desk.focus == "page", "the page")
        suspended: list[bool] = []

        @contextmanager
        def suspend() -> Iterator[None]:
            suspended.append(True)
            yield

        desk.app.suspend = suspend  # type: ignore[method-assign]
        await desk.press("e")
        await desk.until(
            lambda: (tmp_path / "words").exists() and not desk.main.lanes["other"].busy, "the editor"
        )
    words = (tmp_path / "words").read_text().splitlines()
    assert words == ["--flag", "$HOME;x", "+3", str(library.folder / "$(touch x) `y`.md")]
    assert suspended == [True]


async def test_an_editor_that_is_not_there_is_said(make_library: Make) -> None:
    settings = Settings(editor=EditorSettings(command=("no-such-editor-anywhere",)))
    async with browsing(make_library(settings=settings)) as desk:

        @contextmanager
        def suspend() -> Iterator[None]:
            yield

        desk.app.suspend = suspend  # type: ignore[method-assign]
        await desk.press("e")
        await desk.until(lambda: "cannot be started" in desk.main.notice.text, "the notice")
