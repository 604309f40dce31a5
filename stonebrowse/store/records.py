"""What the store hands out: Files and versions as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from stonebrowse.store.identifiers import FileId, VersionId
    from stonebrowse.text.passages import Cut

FileState = Literal["current", "trashed"]
TrashedBy = Literal["disappearance", "hand"]
WrittenBy = Literal["person", "stonebrowse"]
VersionState = Literal["processing", "ready"]


class Stat(NamedTuple):
    """What a file in the folder looked like when it was last seen: sizes in bytes, times in nanoseconds."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    device: int


@dataclass(frozen=True, slots=True)
class File:
    """One document of the library."""

    file_id: FileId
    path: str
    state: FileState
    trashed_by: TrashedBy | None
    """None while it is current."""
    written_by: WrittenBy
    version_id: VersionId
    """Its newest version."""
    number: int
    """The number of its newest version."""
    size: int
    """Bytes of its newest version."""
    versions: int
    """How many versions it has."""
    stat: Stat | None
    """The file in the folder when it was last seen; None where it never was."""


@dataclass(frozen=True, slots=True)
class Version:
    """The exact bytes of a File at one time."""

    key: int
    """A small number that stands for it inside: the index's document key. Never used again."""
    version_id: VersionId
    file_id: FileId
    number: int
    digest: str
    """`sha256:` and 64 hex digits, of the exact bytes."""
    bytes: int
    encoding: str
    guessed: bool
    """The encoding was guessed, not declared."""
    recorded_at: str
    """RFC 3339, UTC, microseconds."""
    state: VersionState
    current: bool
    """The newest version of a File that is not trashed."""


@dataclass(frozen=True, slots=True)
class FolderIdentity:
    """What the folder was when it was last brought up to date: tells a folder that was replaced."""

    device: int
    inode: int
    files: int
    """How many files were seen in it."""


class Opened(NamedTuple):
    """A version and its File, with what is needed to show a piece of it."""

    file: File
    version: Version
    size: int
    """Bytes of its text."""
    text: bytes | None
    """Its text; None where that is larger than was asked for."""
    cut: Cut | None
    """None while it is processing."""


class Frame(NamedTuple):
    """A stretch of a text that is kept, read and checked by itself."""

    start: int
    """Its first byte in the text."""
    size: int
    """Bytes."""
    line: int
    """The number of the line its first byte stands in."""
