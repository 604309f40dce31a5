"""Several versions opened at one moment are what each is by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import NotFound, StoreDamaged
from tests.store.samples import add_file, document, edited
from tests.store.test_damage import damage, piece_of

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store

CODED = "Füße".encode("utf-16")


def test_they_are_what_is_read_one_by_one(store: Store) -> None:
    first = document(1)
    versions = [
        *add_file(store, "a.md", first, edited(first, 1)),
        *add_file(store, "b.md", CODED),
        *add_file(store, "c.md", b"", ready=False),
    ]
    keys = [version.key for version in reversed(versions)]
    opened = store.opened(keys, len(first) // 2)
    assert [each.version for each in opened] == [store.version(each.version_id) for each in versions[::-1]]
    for each in opened:
        version_id = each.version.version_id
        assert each.file == store.file(each.version.file_id)
        assert each.size == store.text_size(version_id)
        assert each.text == (store.text(version_id) if each.size <= len(first) // 2 else None)
        cut = store.cut(version_id)
        assert (each.cut is None) == (cut is None)
        assert each.cut is None or cut is None or each.cut.pack() == cut.pack()
    assert [each.text is None for each in opened] == [False, False, True, True]


def test_what_is_not_there_or_not_whole_is_said(store: Store, place: Path) -> None:
    (first,) = add_file(store, "a.md", document(1))
    (second,) = add_file(store, "b.md", document(2))
    assert store.opened([], 100) == []
    with pytest.raises(NotFound):
        store.opened([first.key, 999], 100)
    damage(place, piece_of(place, "cuts", second))
    assert store.opened([first.key], 1 << 20)[0].cut is not None
    with pytest.raises(StoreDamaged, match=second.version_id):
        store.opened([first.key, second.key], 100)
