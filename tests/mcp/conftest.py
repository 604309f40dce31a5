"""What the tests of the MCP server share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.cli.program import Content


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Program]:
    """Makes a program on a new folder with the given files."""

    def made(files: Mapping[str, Content]) -> Program:
        return Program.in_dir(tmp_path, files)

    return made
