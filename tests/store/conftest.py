from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.store.samples import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stonebrowse.store import Store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "data" / "store"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    with open_store(place) as opened:
        yield opened
