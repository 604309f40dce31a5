"""What goes to the terminal's clipboard, and how."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING

import pytest

from stonebrowse.tui.copying import quotation, send, shown
from stonebrowse.tui.titling import has_title, title

if TYPE_CHECKING:
    from pathlib import Path


def test_outside_tmux_a_text_goes_by_osc_52() -> None:
    written: list[str] = []
    way = send("a § b (Line 1)", written.append, {})
    assert way == "sent to the terminal"
    assert written == [f"\x1b]52;c;{base64.b64encode('a § b (Line 1)'.encode()).decode()}\x07"]


def test_where_tmux_is_told_of_but_not_there_osc_52_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    written: list[str] = []
    assert send("x", written.append, {"TMUX": "/nowhere,1,0"}) == "sent to the terminal"
    assert len(written) == 1


def test_inside_tmux_its_buffer_is_loaded_with_the_exact_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "tmux"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\ncat > {tmp_path}/bytes\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    written: list[str] = []
    assert send("two\nlines § é\n", written.append, {"TMUX": "x"}) == "sent to tmux and the terminal"
    assert written == []
    assert (tmp_path / "arguments").read_text() == "load-buffer -w -\n"
    assert (tmp_path / "bytes").read_bytes() == "two\nlines § é\n".encode()


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb\r\n", "\na\rb\n\n"])
def test_a_quote_marks_every_line_and_ends_in_its_citation(text: str) -> None:
    assert quotation(text, "p.md § H (Line 3)") == "> a\n> b\n>\n> — p.md § H (Line 3)\n"


def test_a_quote_keeps_form_feeds_and_blank_lines_inside() -> None:
    assert quotation("a\x0cb\n\nc", "x") == "> a\x0cb\n>\n> c\n>\n> — x\n"


def test_what_was_sent_is_shown_safely_and_briefly() -> None:
    assert shown("one\x1b]0;x\x07") == ["one\\x1b]0;x\\x07"]
    assert shown("1\n2\n3\n4\n5\n") == ["1", "2", "… and 3 more lines"]


def test_a_title_cannot_end_its_own_sequence() -> None:
    sequence = title("a\x1b]0;b\x07\x9c.md")
    assert sequence.startswith("\x1b]2;")
    assert sequence.endswith("\x07")
    assert not set(sequence[4:-1]) & {"\x1b", "\x07", "\x9c"}


@pytest.mark.parametrize(
    ("terminal", "has"),
    [("xterm-256color", True), ("tmux-256color", True), ("linux", False), ("dumb", False), ("", False)],
)
def test_terminals_without_a_title_get_none(terminal: str, has: bool) -> None:
    assert has_title({"TERM": terminal}) is has
