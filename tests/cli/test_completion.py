"""Completion in real shells, and output without decoration."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import COMMAND, has

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program


@pytest.fixture
def program(make: Callable[..., Program]) -> Program:
    program = make({"people/holidays.md": "# H\n\nlantern\n", "people/hiring.md": "# I\n", "zoo.md": "# Z\n"})
    program.sync()
    bin_ = program.root / "bin"
    bin_.mkdir()
    script = bin_ / "stonebrowse"
    script.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return program


def offered(program: Program, line: str) -> list[str]:
    """What bash offers after a line."""
    words = line.split(" ")
    script = f"""
        PATH={program.root}/bin:$PATH
        eval "$(stonebrowse completion bash)"
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)}); COMP_CWORD={len(words) - 1}
        _stonebrowse_completion stonebrowse
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    places = {"STONEBROWSE_FOLDER": str(program.folder), "STONEBROWSE_STORE": str(program.store)}
    done = subprocess.run(
        ["bash", "-c", script], env=program.environment(places), capture_output=True, check=True, text=True
    )
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.skipif(not has("bash"), reason="no bash here")
def test_bash_completes_commands_options_and_paths(program: Program) -> None:
    assert offered(program, "stonebrowse sea") == ["search"]
    assert "outline" in offered(program, "stonebrowse files ")
    assert "--max-bytes" in offered(program, "stonebrowse files text --m")
    assert offered(program, "stonebrowse files show people/") == ["people/hiring.md", "people/holidays.md"]
    assert offered(program, "stonebrowse -C /nowhere files show ") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_own(program: Program, shell: str) -> None:
    said = program.ok("completion", shell).out
    assert "_STONEBROWSE_COMPLETE" in said
    if has(shell):
        checked = subprocess.run([shell, "-n"], input=said.encode(), check=False, capture_output=True)
        assert checked.returncode == 0, checked.stderr
    program.run("completion", "tcsh").refusal(2, "input_invalid")


def test_plain_output_has_no_columns(program: Program) -> None:
    for line in program.ok("files", "list", "--plain").lines:
        assert "  " not in line
        assert len(line.split("\t")) > 2
    assert program.ok("search", "--plain", "lantern").lines[0] == "people/holidays.md § H (Line 1)"
