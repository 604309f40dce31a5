"""What a document, a file's name or a query says is data: shown, never obeyed."""

from __future__ import annotations

import base64
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from stonebrowse.tui.painting import UNSAFE
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]

EVIL_HEADING = "red\x1b[31m \x9b32m \x1b]52;c;QUJD\x07 \u202egnp.exe [bold]x[/] [@click=app.quit]press[/] [/"
EVIL = (
    f"---\ntitle: \x1b]0;T\x07\n---\n\n# {EVIL_HEADING}\n\n"
    "title \x1b]0;OWNED\x07 clip \x1b]52;c;ZWNobyBoaQ==\x07 link \x1b]8;;http://evil.example\x07here\x1b]8;;\x07\n\n"
    'dcs \x1bP$q"p\x1b\\ reset \x1bc bell \x07 bs abc\x08\x08\x08xyz cr visible\rhidden \x9d0;T\x9c\n\n'
    "    code \x1b[2J\x1b[H\n\n| a | b |\n|---|---|\n| \x1b[41m | \x1b[?1049l |\n\n"
    "&#27;[31mFAKE &#x9b;1m &#8238;reversed [red]not red[/red] [link](x\x1b[0m.md)\n"
)


def segments(desk: Desk) -> list[str]:
    return [segment.text for strip in desk.app.screen._compositor.render_strips() for segment in strip]


async def look_everywhere(desk: Desk) -> None:
    """Shows a document, its outline, the hits, the palette and notices, and checks each screen."""

    def check() -> None:
        for text in segments(desk):
            assert not UNSAFE.search(text), repr(text)

    check()
    for keys in (
        ("enter",),
        ("r",),
        ("r",),
        ("o",),
        ("escape",),
        ("y",),
        ("f",),
        ("escape",),
        ("v",),
        ("escape",),
        (":",),
        ("escape",),
    ):
        await desk.press(*keys)
        check()
    await desk.search("red")
    check()
    await desk.press("y", "enter")
    check()


async def test_nothing_of_a_hostile_document_is_a_control_character_on_any_screen(make_library: Make) -> None:
    async with browsing(make_library({"README.md": EVIL})) as desk:
        await look_everywhere(desk)
        assert "\\x1b" in desk.text


async def test_hostile_file_names_are_shown_as_they_are_cited(make_library: Make) -> None:
    names = [
        "a\x1b]0;b\x07.md",
        "ann\u202egpj.md",
        "[red]x[/red].md",
        "[a.md",
        "new\nline.md",
        "\u2066iso.md",
    ]
    async with browsing(make_library(dict.fromkeys(names, "# T\n\nred\n"))) as desk:
        await look_everywhere(desk)
        await desk.press("escape", "t")
        for shown in (
            "a\\x1b]0;b\\x07.md",
            "ann\\u202egpj.md",
            "[red]x[/red].md",
            "[a.md",
            "new\\x0aline.md",
        ):
            assert shown in desk.text, desk.text


async def test_brackets_are_text_everywhere(make_library: Make, cases: Path) -> None:
    text = (cases / "048-brackets-as-markup/docs/br.md").read_bytes()
    async with browsing(make_library({"br.md": text}), at="br.md") as desk:
        await desk.until(lambda: desk.path == "br.md", "the page")
        headings = ["See [/notes] bracket", "[[/x.md]] wiki", "[red]plain[/red]", "Range [b + open bracket"]
        for heading in headings:
            assert heading in desk.text
        assert "[bold]not bold[/bold] [#888888]" in desk.text
        await desk.search("bracket")
        await desk.until(lambda: desk.focus == "hits", "hits")
        assert "§ See [/notes] bracket (Line 1)" in desk.text
        for heading in headings:
            desk.main.notice.tell(heading, [heading])
            await desk.pilot.pause()
            assert heading in desk.main.notice.text
        await desk.press(":")
        await desk.type("[red]x[/red] [/")
        assert "Open [red]x[/red] [/" in desk.text


async def test_wide_and_zero_width_characters_never_make_a_row_longer(
    make_library: Make, cases: Path
) -> None:
    wcwidth = pytest.importorskip("wcwidth")
    text = (cases / "044-wide-and-zero-width-layout/docs/width.md").read_bytes()
    async with browsing(make_library({"日本語の長い名前のファイル👩‍👩‍👧.md": text}), size=(80, 20)) as desk:

        def check(width: int) -> None:
            for row in desk.rows:
                assert sum(max(0, wcwidth.wcwidth(character)) for character in row) <= width, row

        await desk.search("名前")
        for width in (80, 40, 20):
            await desk.pilot.resize_terminal(width, 20)
            check(width)
            for keys in ("enter", "o", "escape", "r", "r", "escape"):
                await desk.press(keys)
                check(width)


async def test_the_shared_hostile_cases(make_library: Make, cases: Path, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {}
    for number, name in enumerate(
        ("038-escape-sequences-in-body", "042-window-title-and-status", "043-bidi-and-invisible")
    ):
        made = tmp_path / f"case{number}"
        subprocess.run([sys.executable, str(cases / name / "gen.py"), str(made)], check=True)  # noqa: ASYNC221
        files |= {place.name: place.read_bytes() for place in made.iterdir()}
    files["entity.md"] = (cases / "039-escape-by-entity/docs/entity.md").read_bytes()
    library = make_library(files)
    async with browsing(library) as desk:
        written: list[str] = []
        desk.app.write_terminal = written.append  # type: ignore[method-assign,assignment]
        for _ in range(len(files)):
            for text in segments(desk):
                assert not UNSAFE.search(text), repr(text)
            desk.app.name_window(desk.path)
            await desk.press("j")
        await desk.search("fake")
        await desk.press("y")
        await desk.until(lambda: desk.main.sending.sent, "the copy")
        assert desk.main.sending.sent[0].startswith("entity.md § FAKE")
        assert not UNSAFE.search(desk.main.sending.sent[0])
        assert any(
            text == f"\x1b]52;c;{base64.b64encode(desk.main.sending.sent[0].encode()).decode()}\x07"
            for text in written
        )
