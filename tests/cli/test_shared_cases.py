"""The hard cases that a program can check, where their folder is present."""

from __future__ import annotations

import importlib.util
import json
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import COMMAND, Program

if TYPE_CHECKING:
    from types import ModuleType

PLACE = Path(os.environ.get("STONEBROWSE_SHARED", Path(__file__).parents[3] / "shared")) / "cases"


def checkable() -> list[Any]:
    """The case files that list sections or windows; one that is skipped where there are none."""
    found = []
    for file in sorted(PLACE.glob("*/case.toml")):
        case = tomllib.loads(file.read_text(encoding="utf-8"))
        if "expected" in case or "window" in case:
            found.append(pytest.param(file, id=file.parent.name))
    reason = f"no hard cases at {PLACE} (set STONEBROWSE_SHARED)"
    return found or [pytest.param(PLACE, id="absent", marks=pytest.mark.skip(reason=reason))]


def runner() -> ModuleType:
    """The cases' own runner: what it calls a failure is one."""
    spec = importlib.util.spec_from_file_location("run_cases", PLACE / "run_cases.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("file", checkable())
def test_a_hard_case(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in Program(tmp_path, tmp_path / "none", None).environment().items():
        monkeypatch.setenv(name, value)
    case = tomllib.loads(file.read_text(encoding="utf-8"))
    assert list(runner().check(file.parent, case, list(COMMAND))) == []


def test_the_headings_of_the_commonmark_examples(shared_cases: Path, tmp_path: Path) -> None:
    examples = json.loads((shared_cases / "commonmark_headings.json").read_text(encoding="utf-8"))["examples"]
    # One of them begins with what is front matter here.
    examples = [one for one in examples if not one["markdown"].startswith("---\nFoo\n---")]
    program = Program.in_dir(tmp_path, {f"{one['example']}.md": one["markdown"] for one in examples})
    program.sync()
    # Every eighth through the command line; the tests of the text's own room ask about each.
    for one in examples[::8]:
        headings = program.ask("files", "outline", f"{one['example']}.md", "--no-sync")["headings"]
        got = [[heading["line"], heading["text"], heading["level"]] for heading in headings]
        want = [[line, text, level] for level, text, line in one["top_level"]]
        assert got == want, one
