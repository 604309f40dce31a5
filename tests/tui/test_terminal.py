"""What a real terminal gets, byte for byte, and that it is given back in order."""

from __future__ import annotations

import base64
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.tui.desk import HANDBOOK, write_files
from tests.tui.terminal import PROGRAM, Terminal, lives
from tests.tui.test_hostile_documents import EVIL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# ECMA-48 control sequences, operating system commands, device control strings, charset and single escapes.
SEQUENCE = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    rb"|\x1bP[^\x1b]*\x1b\\|\x1b[()][0-9A-B]|\x1b[=>78cM]"
)
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?2004l", b"\x1b[?1000l")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "handbook"
    write_files(place, HANDBOOK)
    return place


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    place = tmp_path / "hostile"
    write_files(place, {"a\x1b]0;b\x07.md": "# T\n\nred\n", "README.md": EVIL, "ann\u202egpj.md": "# x\n"})
    return place


def plain(output: bytes) -> bytes:
    return SEQUENCE.sub(b"", output)


def commands(output: bytes) -> list[bytes]:
    return [match["osc"] for match in SEQUENCE.finditer(output) if match["osc"] is not None]


def test_no_byte_of_a_hostile_folder_reaches_the_terminal_as_a_control(hostile: Path) -> None:
    with Terminal(hostile) as terminal:
        terminal.until("reversed")
        for keys in (
            "\r",
            "r",
            "r",
            "o",
            "\r",
            "y",
            "sred\r",
            "j",
            "y",
            "t",
            "j",
            "j",
            "?",
            "q",
            ":",
            "\x1b",
        ):
            terminal.press(keys)
            terminal.read(0.25)
        terminal.press("\x1b")
        terminal.read(0.3)
        terminal.press("q")
        assert terminal.wait() == 0
        rest = plain(terminal.output)
        assert b"\x1b" not in rest
        assert not set(rest) & (set(range(32)) - {0x0D, 0x0A})
        text = rest.decode()
        assert not re.search("[\x80-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text)
        for command in commands(terminal.output):
            number, _, content = command.partition(b";")
            # The title, the clipboard, and Textual's shape of the mouse pointer.
            assert number in {b"2", b"22", b"52"}, command
            if number == b"22":
                assert content.isalpha()
            elif number == b"52":
                copied = base64.b64decode(content.removeprefix(b"c;")).decode()
                assert " (Line " in copied
                assert "\x1b" not in copied
            else:
                assert content.endswith("— stonebrowse".encode())
        assert not any(
            mode in terminal.output for mode in (b"\x1bc", b"\x1b[2J\x1b[H", b"\x1b[?1049l\x1b[?1049h")
        )
        assert all(sequence in terminal.output[-600:] for sequence in RESTORED)
        assert b"\x1b[23;2t" in terminal.output


def test_a_copy_is_one_osc_52_with_the_whole_citation(folder: Path) -> None:
    with Terminal(folder, size=(40, 12)) as terminal:
        terminal.until("README.md")
        terminal.press("scarried\r")
        terminal.until("Carry-over")
        terminal.press("y")
        terminal.until("sent to the terminal")
        copies = [command for command in commands(terminal.output) if command.startswith(b"52;")]
        assert [base64.b64decode(copy[5:]).decode() for copy in copies] == [
            "people/holidays.md § Carry-over (Line 5)"
        ]


def test_nothing_is_sent_while_nothing_happens_and_a_page_is_small(folder: Path) -> None:
    long = "".join(f"## Part {n}\n\n" + "Some *words* of `this` part. " * 40 + "\n\n" for n in range(60))
    write_files(folder, {"README.md": "# Long\n\n" + long})
    with Terminal(folder, size=(120, 40)) as terminal:
        terminal.until("Part 1")
        terminal.press("\r")
        terminal.quiet()
        assert terminal.read(1.5) == b""
        for _ in range(5):
            terminal.press(" ")
            page = terminal.read(0.6)
            assert 0 < len(page) <= 20_000


def test_after_sigterm_the_terminal_is_restored_and_the_keeper_gone(folder: Path) -> None:
    with Terminal(folder) as terminal:
        terminal.until("How we work")
        deadline = time.monotonic() + 20
        while not (children := terminal.children()) and time.monotonic() < deadline:
            terminal.read(0.1)
        assert children
        terminal.signal(signal.SIGTERM)
        assert terminal.wait() == 128 + signal.SIGTERM
        assert all(sequence in terminal.output[-600:] for sequence in RESTORED)
        assert not any(map(lives, children))


@pytest.mark.parametrize("way", ["hang up", "kill"])
def test_the_keeper_never_outlives_the_browser(folder: Path, way: str) -> None:
    with Terminal(folder) as terminal:
        terminal.until("How we work")
        deadline = time.monotonic() + 20
        while not (children := terminal.children()) and time.monotonic() < deadline:
            terminal.read(0.1)
        assert children
        if way == "hang up":
            terminal.hang_up()
        else:
            terminal.signal(signal.SIGKILL)
        deadline = time.monotonic() + 20
        while (lives(terminal.pid) or any(map(lives, children))) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not lives(terminal.pid)
        assert not any(map(lives, children))


def test_any_size_and_fast_resizing_do_no_harm(folder: Path) -> None:
    table = "# T\n\n| a | b | c |\n|---|---|---|\n| some longer words | x | y |\n\n"
    write_files(folder, {"README.md": table + "- item with words\n" * 400})
    with Terminal(folder, size=(10, 3)) as terminal:
        terminal.read(2.0)
        terminal.press("s")
        for number in range(50):
            terminal.resize(*((20, 5), (10, 3), (1, 1), (0, 0), (300, 100), (80, 24))[number % 6])
            terminal.read(0.02)
        terminal.resize(80, 24)
        terminal.press("\x1b")
        terminal.until("item with words", since=len(terminal.output))
        terminal.quiet()  # a lone Escape is told from the beginning of a sequence by what does not follow
        terminal.press("q")
        assert terminal.wait() == 0
        assert b"Traceback" not in terminal.output
        assert all(sequence in terminal.output[-600:] for sequence in RESTORED)


def test_a_fault_of_our_own_gives_the_terminal_back_and_prints_no_traceback(folder: Path) -> None:
    broken = "import stonebrowse.tui.desk as desk; desk.Desk.search = lambda self: 1 / 0; "
    with Terminal(folder, program=broken + PROGRAM) as terminal:
        terminal.until("How we work")
        terminal.press("s")
        assert terminal.wait() == 70
        assert b"Traceback" not in terminal.output
        assert b"internal" in terminal.output[-2000:]
        assert all(sequence in terminal.output for sequence in RESTORED)


def test_without_colours_no_colour_is_sent(folder: Path) -> None:
    with Terminal(folder, NO_COLOR="1") as terminal:
        terminal.until("How we work")
        terminal.press("swork\r")
        terminal.quiet()
        styles = re.findall(rb"\x1b\[([0-9;]*)m", terminal.output)
        assert styles
        # 39 and 49 are the terminal's own colours.
        codes = {int(code) for style in styles for code in style.split(b";") if code}
        assert not codes & (set(range(30, 108)) - {39, 49})


@pytest.mark.parametrize("term", ["linux", "xterm-16color", "screen"])
def test_sixteen_colours_are_enough(folder: Path, term: str) -> None:
    with Terminal(folder, TERM=term, COLORTERM="") as terminal:
        terminal.until("How we work")
        terminal.press("swork\r")
        terminal.quiet()
        styles = re.findall(rb"\x1b\[([0-9;]*)m", terminal.output)
        codes = {int(code) for style in styles for code in style.split(b";") if code}
        # 38 and 48 begin a colour of 256 or of 16 million (ECMA-48, SGR).
        assert not codes & {38, 48}
        assert codes & set(range(30, 38)) | codes & set(range(90, 98))


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_can_show_nothing_is_told_what_to_use(folder: Path, term: str) -> None:
    with Terminal(folder, TERM=term) as terminal:
        assert terminal.wait() == 0
        assert b"\x1b" not in terminal.output
        assert b"people/holidays.md" in terminal.output
        assert b"search with: stonebrowse -C" in terminal.output


def test_over_ssh_a_page_is_sent_once_and_an_idle_line_sends_nothing(folder: Path) -> None:
    long = "".join(f"## Part {n}\n\n" + "Some *words* of `this` part. " * 40 + "\n\n" for n in range(60))
    write_files(folder, {"README.md": "# Long\n\n" + long})
    ssh = {
        "SSH_TTY": "/dev/pts/9",
        "SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22",
        "TEXTUAL_ANIMATIONS": "full",
    }
    with Terminal(folder, size=(120, 40), **ssh) as terminal:
        terminal.until("Part 1")
        terminal.press("\r")
        terminal.quiet()
        for key in (" ", "d", "b", "]", "j", "G", "g"):
            terminal.press(key)
            terminal.read(0.6)
            assert terminal.read(0.4) == b"", f"{key} goes on being drawn"
        terminal.press(" ")
        assert 0 < len(terminal.read(0.8)) <= 20_000
        # A cursor that the program lets blink would be sent twice a second.
        terminal.press("s")
        terminal.quiet()
        assert terminal.read(2) == b""


def test_ctrl_c_quits(folder: Path) -> None:
    with Terminal(folder) as terminal:
        terminal.until("How we work")
        terminal.press("s\x03")
        assert terminal.wait() == 130


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[list[str]]:
    """A tmux server of our own."""
    program = shutil.which("tmux")
    if program is None:
        pytest.skip("tmux is not installed")
    command = [program, "-S", str(tmp_path / "tmux"), "-f", "/dev/null"]
    yield command
    subprocess.run([*command, "kill-server"], check=False, capture_output=True)


def test_inside_tmux_a_copy_goes_through_its_buffer(folder: Path, tmux: list[str]) -> None:
    def ask(*words: str) -> str:
        return subprocess.run([*tmux, *words], check=True, capture_output=True, text=True).stdout

    def until(text: str) -> str:
        deadline = time.monotonic() + 40
        while text not in (screen := ask("capture-pane", "-p")):
            assert time.monotonic() < deadline, screen
            time.sleep(0.1)
        return screen

    ask("new-session", "-d", "-x", "80", "-y", "24", sys.executable, "-c", PROGRAM, str(folder))
    screen = until("How we work here.")
    assert "README.md § Handbook (Line 1)" in screen
    ask("send-keys", "scarried", "Enter")
    until("Carry-over (Line 5)")
    ask("send-keys", "y")
    until("sent to tmux and the terminal")
    assert ask("show-buffer") == "people/holidays.md § Carry-over (Line 5)"
