"""What the tests of the command line share."""

from __future__ import annotations

import shutil
import signal
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import DATA, Content, Program
from tests.shared import SHARED, needed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts the tests in the background ignores it, and every child would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Program]:
    """Makes a program on a new folder with the given files."""

    def made(files: Mapping[str, Content] | None = None, folder: str = "library") -> Program:
        return Program.in_dir(tmp_path, files, folder=folder)

    return made


@pytest.fixture(scope="session")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The small library of tests/data/contract/handbook, synced once. Only to be read."""
    root = tmp_path_factory.mktemp("handbook")
    shutil.copytree(DATA / "handbook", root / "handbook")
    program = Program(root, root / "handbook", root / "store")
    program.sync()
    return program


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """The folder of hard cases that stands beside some checkouts."""
    return needed(SHARED / "cases")
