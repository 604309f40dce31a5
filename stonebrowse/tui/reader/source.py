"""What the view reads a document through, and a plain source in memory."""

from __future__ import annotations

from typing import Protocol


class PassageLike(Protocol):
    """One passage of a cut, as `stonebrowse.text.passages.Passage`."""

    @property
    def start(self) -> int:
        """Offset of its first byte."""

    @property
    def end(self) -> int:
        """Offset after its last byte."""

    @property
    def line(self) -> int:
        """One-based line where its own text begins."""

    @property
    def part(self) -> int:
        """1 for the first passage of its section."""

    @property
    def section(self) -> int:
        """Index of its section."""


class SectionLike(Protocol):
    """One section of a cut, as `stonebrowse.text.passages.Section`."""

    @property
    def level(self) -> int:
        """1 to 6; 0 for the text before the first heading."""

    @property
    def heading(self) -> str:
        """Plain text of the heading, as it stands (not escaped)."""

    @property
    def start(self) -> int:
        """Offset of its first byte."""

    @property
    def line(self) -> int:
        """One-based line of the heading."""


class CutLike(Protocol):
    """The passages of a text in order, without gap or overlap, as `stonebrowse.text.passages.Cut`."""

    def __len__(self) -> int:
        """Count of passages."""

    def passage(self, ordinal: int, /) -> PassageLike:
        """The passage with that ordinal."""

    def at(self, offset: int, /) -> int:
        """Ordinal of the passage that holds the byte; the last one at the end."""

    def section(self, index: int, /) -> SectionLike:
        """The section with that index."""

    @property
    def section_count(self) -> int:
        """Count of sections."""


class Source(Protocol):
    """One version's text. Reading must be cheap and safe from a worker thread."""

    @property
    def size(self) -> int:
        """Bytes of the text."""

    @property
    def cut(self) -> CutLike:
        """Its passages."""

    def read(self, start: int, end: int, /) -> bytes:
        """The bytes of that span: UTF-8."""


class MemorySource:
    """A text in memory, with a cut that is already made."""

    def __init__(self, text: bytes, cut: CutLike) -> None:
        self.text = text
        self.cut = cut

    @property
    def size(self) -> int:
        """Bytes of the text."""
        return len(self.text)

    def read(self, start: int, end: int) -> bytes:
        """The bytes of that span."""
        return self.text[start:end]
