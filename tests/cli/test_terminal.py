"""What reaches a terminal: nothing that a document, a name or a query could make it do."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import DEADLINE, Program

if TYPE_CHECKING:
    from collections.abc import Mapping

ESC = "\x1b"
EVIL = (
    f"# target {ESC}[31mred{ESC}[0m \x9b32mC1\n\n"
    f"title {ESC}]0;OWNED\x07 clip {ESC}]52;c;ZWNobyBoaQ==\x07 "
    f"link {ESC}]8;;http://evil.example\x07x{ESC}]8;;\x07\n\n"
    f'dcs {ESC}P$q"p{ESC}\\ reset {ESC}c bell \x07 bs abc\x08\x08\x08xyz cr visible\rhidden \x9d0;T\x9c\n\n'
    f"    code {ESC}[2J{ESC}[H\n\n| a | b |\n|---|---|\n| {ESC}[41m | {ESC}[?1049l |\n\n"
    "target \u202egnp\u2066x\n\n"
    "## &#27;[31m &#x9b;1m &#8238;fake &#7;\n\ntarget two\n"
)
STYLE = re.compile(r"\x1b\[[0-9;:]*m")
COLOUR = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m")


def on_terminal(
    program: Program, *args: str, env: Mapping[str, str | None] | None = None, bare: bool = False
) -> tuple[int, str]:
    """Runs a command whose standard streams are a terminal; gives exit code and what the terminal got."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [*program.words([])[:3], *args] if bare else program.words(args),
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=program.environment(env),
        cwd=program.root,
        start_new_session=True,
    )
    os.close(follower)
    parts: list[bytes] = []

    def read() -> None:
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError as fault:
                assert fault.errno == errno.EIO  # noqa: PT017 - the other end is closed
                return
            if not part:
                return
            parts.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        code = process.wait(DEADLINE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError(f"still running: {args}; it wrote {b''.join(parts)!r}") from None
    finally:
        reader.join(DEADLINE)
        os.close(leader)
    return code, b"".join(parts).decode("utf-8")


def acts(shown: str) -> list[str]:
    """The characters, styles left out, that a terminal would act on."""
    rest = STYLE.sub("", shown).replace("\r\n", "\n")
    controls = {chr(number) for number in (*range(0x20), *range(0x7F, 0xA0))} - {"\n", "\t"}
    bidi = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    return [character for character in rest if character in controls | bidi]


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Program:
    files = {"evil.md": EVIL, "a\x1b]0;b\x07.md": "# target name\n", "ann\u202egpj.md": "# target bidi\n"}
    program = Program.in_dir(tmp_path_factory.mktemp("evil"), files)
    program.sync()
    return program


def commands(program: Program) -> list[list[str]]:
    passages = program.passages("evil.md", "--no-sync")
    return [
        ["files", "list"],
        ["files", "show", "evil.md"],
        ["files", "versions", "evil.md"],
        ["files", "outline", "evil.md"],
        ["files", "passages", "evil.md"],
        ["files", "text", "evil.md"],
        ["files", "chunks", passages[0]["passage_id"]],
        ["open", "--print", passages[0]["citation"]],
        ["open", "--print", passages[-1]["citation"]],
        ["search", "target"],
        ["search", "target", f"{ESC}[31mx{ESC}]0;t\x07"],
        ["files", "show", f"{ESC}]0;t\x07\u202e.md"],
        ["search", f"--no{ESC}[31msuch", "x"],
        ["sync"],
    ]


def test_no_control_character_of_a_document_reaches_the_terminal(evil: Program) -> None:
    for args in commands(evil):
        code, shown = on_terminal(evil, *args)
        assert code in (0, 1, 2, 3), (args, shown)
        assert acts(shown) == [], (args, shown)
        assert "\x1b]" not in shown


def test_they_are_shown_as_visible_marks(evil: Program) -> None:
    _, shown = on_terminal(evil, "files", "text", "evil.md")
    for word in ("red", "OWNED", "hidden", "xyz"):
        assert word in shown
    assert "visible" in shown


def test_json_on_a_terminal_escapes_them_too(evil: Program) -> None:
    for args in (["files", "text", "evil.md", "--json"], ["search", "target", "--json"]):
        _, shown = on_terminal(evil, *args)
        assert acts(shown) == [], args
        assert ESC not in shown


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"TERM": None}], ids=["dumb", "unset"])
def test_a_dumb_terminal_gets_no_escape_at_all(evil: Program, env: dict[str, str | None]) -> None:
    for args in (["files", "list"], ["search", "target"], ["files", "text", "evil.md"], ["-h"]):
        _, shown = on_terminal(evil, *args, env=env)
        assert ESC not in shown, args


def test_no_color_means_no_colour_and_only_when_it_is_not_empty(handbook: Program) -> None:
    for args in (["search", "pangolin"], ["files", "list"], ["files", "show", "missing.md"]):
        _, shown = on_terminal(handbook, *args, env={"NO_COLOR": "1"})
        assert not COLOUR.search(shown), (args, shown)
    _, usual = on_terminal(handbook, "search", "pangolin")
    _, empty = on_terminal(handbook, "search", "pangolin", env={"NO_COLOR": ""})
    _, never = on_terminal(handbook, "search", "pangolin", "--color", "never")
    assert ESC in usual
    assert empty == usual
    assert ESC not in never


def test_citations_are_shown_whole_on_a_narrow_terminal_too(handbook: Program) -> None:
    """A command's output can be copied: it is for the browser to shorten paths."""
    _, shown = on_terminal(handbook, "search", "parse_toner_level", env={"COLUMNS": "20"})
    assert "tools/printer.md § Toner (Line 12)" in STYLE.sub("", shown)


@pytest.mark.parametrize("term", ["dumb", None])
def test_the_browser_does_not_open_on_a_terminal_that_cannot_show_it(
    handbook: Program, term: str | None
) -> None:
    code, shown = on_terminal(handbook, env={"TERM": term})
    assert code in (0, 2)
    assert ESC not in shown
    assert "Traceback" not in shown
    assert "holidays.md" in shown or "terminal" in shown.lower()
