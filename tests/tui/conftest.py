"""What the tests of the browser share: a real library on a real folder, and the browser on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.library.library import Library
from tests.shared import SHARED, needed
from tests.tui.desk import HANDBOOK, write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from stonebrowse.settings import Settings

VARIABLES = ("TMUX", "SSH_TTY", "SSH_CONNECTION", "NO_COLOR", "VISUAL", "EDITOR", "COLORFGBG")


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the person's own settings, themes, stores or terminal."""
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture
def make_library(tmp_path: Path) -> Iterator[Callable[..., Library]]:
    """Makes a library of the given files, brought up to date unless told otherwise."""
    opened: list[Library] = []

    def made(
        files: Mapping[str, str | bytes] | None = None,
        *,
        settings: Settings | None = None,
        folder: str = "handbook",
        update: bool = True,
    ) -> Library:
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        write_files(place, HANDBOOK if files is None else files)
        library = Library.open(place, store=tmp_path / "store", settings=settings)
        opened.append(library)
        if update:
            library.update()
        return library

    yield made
    for library in opened:
        library.close()


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of hard cases that stands beside some checkouts."""
    return needed(SHARED / "cases")
