"""How the tests of the store put things into it."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from stonebrowse.store import Stat, Store
from stonebrowse.text.decoding import Decoded, decode
from stonebrowse.text.passages import cut

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import FileId, Version, Writing

NOW = datetime(2026, 3, 1, 12, 30, 15, 123456, UTC)
FOLDER = b"/home/ann/handbook"
WORDS = [
    *("carry", "over", "holiday", "leave", "team", "handbook"),
    *("policy", "review", "approve", "request", "manager", "calendar"),
]


def open_store(place: Path, *, write: bool = True, wait_seconds: float = 10.0) -> Store:
    return Store.open(place, folder=FOLDER, write=write, wait_seconds=wait_seconds)


def stat_of(raw: bytes) -> Stat:
    return Stat(len(raw), 1_700_000_000_000_000_001, 1_700_000_000_000_000_002, 77, 2049)


def add_version(writing: Writing, file_id: FileId, raw: bytes, *, ready: bool = True) -> Version:
    decoded = decode(raw)
    assert isinstance(decoded, Decoded)
    version = writing.record(file_id, raw, decoded, stat_of(raw), NOW)
    if ready:
        writing.set_cut(version.version_id, cut(decoded.text))
    return version


def add_file(store: Store, path: str, *contents: bytes, ready: bool = True) -> list[Version]:
    """Put a File with these contents into the store, one transaction a version."""
    versions: list[Version] = []
    for raw in contents:
        with store.writing() as writing:
            file_id = versions[0].file_id if versions else writing.add_file(path, stat_of(raw))
            versions.append(add_version(writing, file_id, raw, ready=ready))
    return versions


def document(seed: int, paragraphs: int = 20) -> bytes:
    """A made-up document; the same for the same seed."""
    source = random.Random(seed)
    lines = [f"# Document {seed}"]
    for number in range(paragraphs):
        if number % 5 == 0:
            lines.append(f"## Part {number} {source.choice(WORDS)}")
        lines.append(" ".join(source.choices(WORDS, k=25)) + f" {source.random()}")
    return "\n\n".join(lines).encode() + b"\n"


def edited(raw: bytes, number: int) -> bytes:
    """The document with one more edit in it."""
    middle = raw.index(b"\n", len(raw) // 2) + 1
    return raw[:middle] + b"\nAn edit, number %d.\n\n" % number + raw[middle:]


def large_document(size: int, seed: int = 1) -> bytes:
    source = random.Random(seed)
    lines: list[bytes] = []
    length = 0
    while length < size:
        head = f"# Heading {len(lines)}" if len(lines) % 50 == 0 else " ".join(source.choices(WORDS, k=9))
        lines.append(f"{head} {source.getrandbits(64):x}\n".encode())
        length += len(lines[-1])
    return b"".join(lines)
