"""Exit codes, what goes to which stream, and streams that end or fill up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.program import COMMAND, DEADLINE, Done, Program, wait_until

READING = (
    ["files", "list"],
    ["files", "show", "plain.md"],
    ["files", "versions", "plain.md"],
    ["files", "outline", "tools/printer.md"],
    ["files", "passages", "tools/printer.md"],
    ["files", "text", "tools/printer.md"],
    ["search", "pangolin"],
    ["sync"],
)


@pytest.mark.parametrize(
    "args",
    [
        ["--no-such-option"],
        ["files", "list", "--no-such-option"],
        ["files", "no-such-command"],
        ["files", "show"],
        ["files", "show", "plain.md", "holidays.md"],
        ["search", "pangolin", "-n"],
        ["files", "list", "--color", "sometimes"],
        ["config", "set"],
    ],
    ids=" ".join,
)
def test_wrong_use_exits_2(handbook: Program, args: list[str]) -> None:
    handbook.run(*args).refusal(2, "input_invalid")


def test_wrong_use_is_said_in_json_too(handbook: Program) -> None:
    for args in (["files", "list", "--no-such-option", "--json"], ["--json", "files", "no-such-command"]):
        handbook.run(*args).refusal(2, "input_invalid")


def test_a_command_that_needs_another_word_says_so_in_a_sentence(handbook: Program) -> None:
    for args in (["files"], ["config"]):
        sentence = handbook.run(*args).refusal(2, "input_invalid")
        assert "Options:" not in sentence
        assert "  " not in sentence
        assert len(sentence) < 300


def test_an_unknown_command_is_neither_run_nor_crashes(handbook: Program) -> None:
    done = handbook.run("serach", "pangolin")
    done.expect(2, 5)
    assert done.stdout == b""
    assert done.err.startswith("stonebrowse: ")


@pytest.mark.parametrize("args", READING, ids=" ".join)
def test_success_says_nothing_on_standard_error(handbook: Program, args: list[str]) -> None:
    done = handbook.ok(*args)
    assert done.out.endswith("\n")
    assert done.err == ""


@pytest.mark.parametrize("args", READING, ids=" ".join)
def test_json_is_one_value_and_nothing_else(handbook: Program, args: list[str]) -> None:
    done = handbook.ok(*args, "--json")
    assert isinstance(done.json(), dict)
    assert done.out.endswith("\n")
    assert "\x1b" not in done.out


def test_a_failure_in_json_is_the_last_line_of_standard_error(handbook: Program) -> None:
    done = handbook.run("files", "show", "missing.md", "--json")
    error = json.loads(done.err.splitlines()[-1])
    assert error["error"]["code"] == "not_found"
    assert "\n" not in error["error"]["message"]
    assert done.stdout == b""
    assert done.code == 3


def piped(program: Program, args: list[str], env: dict[str, str], amount: int) -> Done:
    """Runs a command whose reader takes some bytes and goes away."""
    process = program.start(*args, env=env)
    assert process.stdout is not None
    assert process.stderr is not None
    first = process.stdout.read(amount)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    return Done(tuple(args), process.wait(DEADLINE), first, err)


@pytest.fixture(scope="module")
def wordy(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Enough output for a pipe to fill."""
    files = {f"n{number:04}.md": f"# Note {number}\n\ncommon word {'x' * 200}\n" for number in range(600)}
    files["big.md"] = "".join(f"line {number}\n" for number in range(100_000))
    program = Program.in_dir(tmp_path_factory.mktemp("wordy"), files)
    program.sync()
    return program


@pytest.mark.parametrize("env", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize(
    "args",
    [
        ["search", "common", "-n", "600"],
        ["files", "text", "big.md", "--max-bytes", "99999999"],
        ["files", "list", "--json"],
    ],
    ids=" ".join,
)
def test_a_closed_pipe_ends_quietly(wordy: Program, args: list[str], env: dict[str, str]) -> None:
    done = piped(wordy, [*args, "--no-sync"], env, 10)
    assert done.stderr == b""
    assert done.code in (0, 141, -signal.SIGPIPE)
    assert len(done.stdout) == 10


@pytest.mark.parametrize(
    "args", [["files", "list"], ["files", "text", "big.md"], ["search", "common"], ["--version"]]
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_an_error(wordy: Program, args: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = wordy.run(*args, stdout=full)
    assert done.code not in (0, 1, 2)
    assert done.err.startswith("stonebrowse: ")
    assert done.is_quiet()


def test_standard_output_that_is_closed(wordy: Program) -> None:
    words = ["sh", "-c", 'exec "$@" >&-', "sh", *wordy.words(["files", "list"])]
    done = subprocess.run(words, env=wordy.environment(), capture_output=True, timeout=60, check=False)
    assert Done((), done.returncode, done.stdout, done.stderr).is_quiet()


def test_standard_input_that_is_closed(wordy: Program) -> None:
    words = ["sh", "-c", 'exec "$@" <&-', "sh", *wordy.words(["search", "common", "-n", "1"])]
    done = subprocess.run(words, env=wordy.environment(), capture_output=True, timeout=60, check=False)
    Done((), done.returncode, done.stdout, done.stderr).expect(0)


@pytest.mark.parametrize("milliseconds", [0, 15, 400])
def test_ctrl_c_during_a_sync_exits_130_and_harms_nothing(tmp_path: Path, milliseconds: int) -> None:
    files = {f"n{number:04}.md": f"# Note {number}\n\n{'word ' * 200}\n" for number in range(800)}
    program = Program.in_dir(tmp_path, files)
    process = program.start("sync")
    assert program.store is not None
    store = program.store
    wait_until(lambda: store.exists() and any(store.iterdir()), "sync has begun")
    time.sleep(milliseconds / 1000)  # in the middle of imports, of the schema, of recording
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE)
    # A sync that was done before the signal came has nothing to be asked about.
    assert process.returncode in (130, 0)
    assert Done((), process.returncode, out, err).is_quiet()
    counts = program.sync()
    assert counts["added"] + counts["unchanged"] == len(files)
    program.ok("doctor")
    assert program.search("word")["total"] == len(files)


def test_columns_and_pipes_never_wrap_or_cut(handbook: Program) -> None:
    for args in (["files", "list"], ["files", "passages", "holidays.md"], ["search", "pangolin"]):
        wide = handbook.ok(*args, env={"COLUMNS": "500"}).out
        assert handbook.ok(*args, env={"COLUMNS": "10", "LINES": "3"}).out == wide


@pytest.mark.parametrize(
    "env",
    [
        {"TERM": None},
        {"TERM": "dumb"},
        {"LC_ALL": "C", "LANG": None, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"LANG": "xx_YY.nonsense"},
    ],
    ids=str,
)
def test_terminal_and_locale_do_not_change_what_a_pipe_gets(
    handbook: Program, env: dict[str, str | None]
) -> None:
    citation = "people/équipe.md § Équipe (Line 1)"
    got = handbook.ok("search", "北京", env=env)
    assert got.lines[0] == citation
    assert b"\x1b" not in got.stdout + got.stderr
    assert handbook.ok("search", "北京", "--json", env=env).json()["hits"][0]["citation"] == citation


def test_colour_in_a_pipe_only_where_it_is_asked_for(handbook: Program) -> None:
    plain = handbook.ok("search", "pangolin").out
    coloured = handbook.ok("search", "pangolin", "--color", "always").out
    assert "\x1b[" in coloured
    assert handbook.ok("search", "pangolin", "--color=never").out == plain
    assert handbook.ok("search", "pangolin", "--color=auto").out == plain
    assert "\x1b" not in handbook.ok("search", "pangolin", "--color", "always", "--json").out


def test_without_a_terminal_the_library_is_brought_up_to_date_and_listed(tmp_path: Path) -> None:
    program = Program.in_dir(tmp_path, {"a.md": "# A\n", "sub/b.md": "# B\n"})
    store = ["--store", str(program.store)]
    done = program.run(str(program.folder), *store, bare=True).expect(0)
    listed = program.ok("files", "list").out
    assert listed.splitlines()[0] in done.out
    assert all(line in done.out for line in listed.splitlines())
    assert "search" in done.out + done.err
    assert "\x1b" not in done.out + done.err
    for args in ([], ["a.md"], ["./a.md"], ["."]):
        again = program.run(*args, *store, bare=True, cwd=program.folder).expect(0)
        assert all(line in again.out for line in listed.splitlines()), args


def test_a_commands_name_wins_over_a_folders(tmp_path: Path) -> None:
    program = Program(tmp_path, tmp_path, tmp_path / "store")
    place = tmp_path / "work"
    for name in ("files", "notes", "manual"):
        (place / name).mkdir(parents=True)
        (place / name / "x.md").write_text("# X\n", encoding="utf-8")
    for name in ("files", "notes"):
        program.run(name, bare=True, cwd=place).refusal(2, "input_invalid")
        assert "x.md" in program.run(f"./{name}", bare=True, cwd=place).expect(0).out
    assert "x.md" in program.run("manual", bare=True, cwd=place).expect(0).out


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    program = Program(tmp_path, tmp_path / "missing", tmp_path / "store")
    for args in (["files", "list"], ["search", "x"], ["sync"]):
        sentence = program.run(*args).refusal(5, "folder_unavailable")
        assert "missing" in sentence
    program.run(str(program.folder), bare=True).refusal(5, "folder_unavailable")
    assert not program.folder.exists()
    assert not (tmp_path / "data" / "stonebrowse").exists()


def test_options_stand_anywhere(handbook: Program) -> None:
    where = ["-C", str(handbook.folder), "--store", str(handbook.store)]
    wanted = handbook.run("files", "list", *where, "--json", bare=True).expect(0).stdout
    for args in (
        [*where, "--json", "files", "list"],
        ["files", *where, "--json", "list"],
        ["files", "list", "--json", f"--folder={handbook.folder}", f"--store={handbook.store}"],
        ["--folder", str(handbook.folder), "files", "--json", "list", "--store", str(handbook.store)],
    ):
        assert handbook.run(*args, bare=True).expect(0).stdout == wanted, args
    env = {"STONEBROWSE_FOLDER": str(handbook.folder), "STONEBROWSE_STORE": str(handbook.store)}
    assert handbook.run("files", "list", "--json", bare=True, env=env).expect(0).stdout == wanted
    env = {"STONEBROWSE_FOLDER": "/nonexistent", "STONEBROWSE_STORE": "/nonexistent"}
    assert handbook.run("files", "list", "--json", *where, bare=True, env=env).expect(0).stdout == wanted


def test_two_dashes_end_the_options(handbook: Program) -> None:
    done = handbook.run("search", "--", "--json").expect(0, 1)
    assert not done.out.startswith("{")
    assert not done.err.startswith("{")


@pytest.mark.parametrize(
    "args",
    [["-h"], ["--help"], ["files", "-h"], ["search", "--help"], ["-h", "search"], ["files", "text", "-h"]],
)
def test_help_is_an_answer(tmp_path: Path, args: list[str]) -> None:
    program = Program(tmp_path, tmp_path, None)
    done = program.run(*args, bare=True).expect(0)
    assert "stonebrowse" in done.out
    assert done.err == ""
    assert not program.data_home.exists()


def test_version_is_an_answer(tmp_path: Path) -> None:
    done = Program(tmp_path, tmp_path, None).run("--version", bare=True).expect(0)
    assert any(character.isdigit() for character in done.out)
    assert len(done.lines) == 1


def test_an_interrupt_at_once_leaves_no_traceback(tmp_path: Path) -> None:
    program = Program.in_dir(tmp_path, {"a.md": "# A\n"})
    process = subprocess.Popen(
        [*COMMAND, "-C", str(program.folder), "watch"],
        env=program.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until(lambda: any(program.data_home.rglob("*")), "it has begun")
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    assert Done((), process.returncode, out, err).is_quiet()
