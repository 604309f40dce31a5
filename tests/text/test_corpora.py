"""Real documents, where the shared sets are present: the scanner equals markdown-it-py on them."""

from __future__ import annotations

import pytest

from stonebrowse.text.headings import headings, headings_by_authority
from stonebrowse.text.passages import cut
from tests.shared import members

EVERY = {"small": 1, "medium": 8}  # of its files, so many are enough for each run


def texts(name: str) -> list[tuple[str, bytes]]:
    found = [member for member in members(name) if member[0].lower().endswith((".md", ".markdown"))]
    return found[:: EVERY[name]]


@pytest.mark.parametrize("name", EVERY)
def test_the_scanner_equals_markdown_it_py_on_real_documents(name: str) -> None:
    compared = 0
    for path, text in texts(name):
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            continue
        expected = headings_by_authority(text)
        assert headings(text) == expected, path
        assert sum(1 for section in cut(text).sections() if section.level) == len(expected), path
        compared += len(expected)
    assert compared > 1_000
