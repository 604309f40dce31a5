"""The shared sets beside some checkouts: real documents, real edit histories, hard cases.

They lie in the folder that STONEBROWSE_SHARED names, else in `../shared`. A test that needs one skips where it
is absent, and says so.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED = Path(os.environ.get("STONEBROWSE_SHARED") or Path(__file__).parents[2] / "shared")


def needed(place: Path) -> Path:
    """The same place; the test skips where it is missing."""
    if not place.exists():
        pytest.skip(f"no {place} (set STONEBROWSE_SHARED)")
    return place


def members(name: str) -> Iterator[tuple[str, bytes]]:
    """Each file of an archive of documents: its path in it, and its bytes."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 27}
    archive = needed(SHARED / "corpora" / f"{name}.tar.zst")
    with zstd.open(archive, "rb", options=options) as packed:
        data = io.BytesIO(packed.read())
    with tarfile.open(fileobj=data) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.isfile() else None
            if file:
                yield member.name, file.read()


@dataclass(frozen=True)
class Edit:
    """One step of a history: what a path was, and what it became (None: it was not there)."""

    path: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True)
class Replay:
    """The files at the beginning, and what happened to them."""

    base: dict[str, bytes]
    edits: list[Edit]


@lru_cache(maxsize=1)
def replay(name: str) -> Replay:
    """An edit history: `edits`, or `edits-large`. A rename is a deletion and an addition here."""
    files = {path.partition("/")[2]: data for path, data in members(name)}
    blobs = {path.removeprefix("blobs/"): data for path, data in files.items() if path.startswith("blobs/")}
    base = {path: blobs[blob] for path, blob in json.loads(files["base.json"])["files"].items()}
    edits: list[Edit] = []
    for line in files["edits.jsonl"].decode().splitlines():
        step = json.loads(line)
        before, after = blobs.get(step.get("before") or ""), blobs.get(step.get("after") or "")
        if step.get("from") and step["from"] != step["path"]:
            edits.append(Edit(step["from"], before, None))
            before = None
        edits.append(Edit(step["path"], before, after))
    return Replay(base, edits)
