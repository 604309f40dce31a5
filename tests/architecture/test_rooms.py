"""What the house looks like."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import stonebrowse

PACKAGE = Path(stonebrowse.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
BANNED_NAMES = {"utils", "util", "helpers", "helper", "managers", "manager", "common", "misc"}
LINES = 450


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_what_it_is_and_is_one_thing(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source)), "no docstring"
    assert len(source.splitlines()) <= LINES
    assert not set(module.with_suffix("").relative_to(PACKAGE).parts) & BANNED_NAMES


def test_no_shell_and_no_pickle_anywhere() -> None:
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword):
                assert node.arg != "shell", module
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
                assert not names & {"pickle", "marshal", "shelve"}, module
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                assert node.attr not in {"system", "popen"}, module
