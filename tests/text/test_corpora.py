"""Real documents, where the shared sets are present: the scanner equals markdown-it-py on them."""

from __future__ import annotations

import io
import os
import sys
import tarfile
from pathlib import Path

import pytest

from stonebrowse.text.headings import headings, headings_by_authority
from stonebrowse.text.passages import cut

PLACE = Path(os.environ.get("STONEBROWSE_SHARED", Path(__file__).parents[3] / "shared")) / "corpora"
EVERY = {"small": 1, "medium": 8}  # of its files, so many are enough for each run


def texts(name: str) -> list[tuple[str, bytes]]:
    archive = PLACE / f"{name}.tar.zst"
    if not archive.exists():
        pytest.skip(f"no {archive} (set STONEBROWSE_SHARED)")
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 27}
    with zstd.open(archive, "rb", options=options) as packed:
        data = io.BytesIO(packed.read())
    found = []
    with tarfile.open(fileobj=data) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name.lower().endswith((".md", ".markdown")) else None
            if file:
                found.append((member.name, file.read()))
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
