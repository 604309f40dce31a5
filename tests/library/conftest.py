"""A real folder, a real store and a real index for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.library.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DOCUMENTS = {
    "README.md": "# Lighthouse\n\nThe *lantern* turns once a minute.\n",
    "rooms/lamp.md": "# Lamp room\n\nBrass and glass.\n\n## Wick\n\nTrim the wick every evening.\n",
    "rooms/stairs.md": "# Stairs\n\nTwo hundred and eleven steps.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small folder of documents."""
    place = tmp_path / "docs"
    for name, text in DOCUMENTS.items():
        write(place / name, text)
    return place


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[Path], Library]]:
    """Opens libraries whose stores lie beside the folder, and closes them."""
    libraries: list[Library] = []

    def open_library(place: Path) -> Library:
        library = Library.open(place, store=tmp_path / "stores" / place.name)
        libraries.append(library)
        return library

    yield open_library
    for library in libraries:
        library.close()


@pytest.fixture
def library(folder: Path, opened: Callable[[Path], Library]) -> Library:
    """The library of the small folder, not brought up to date yet."""
    return opened(folder)


def write(path: Path, text: str | bytes) -> None:
    """Writes a file as an editor does that keeps its inode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
