"""What the tests of the web page share: one library, and one server on it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import DATA, Program
from tests.web.serving import Serving, serving

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A small library, synced once."""
    root = tmp_path_factory.mktemp("web")
    shutil.copytree(DATA / "handbook", root / "handbook")
    program = Program(
        root, root / "handbook", root / "store", env={"EDITOR": "touch editor-was-here", "TMUX": "x"}
    )
    program.sync()
    return program


@pytest.fixture(scope="session")
def server(library: Program) -> Iterator[Serving]:
    """A server that only answers requests here; no test ends it."""
    with serving(library) as found:
        yield found
