"""What is put into the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stonebrowse.text.passages import Cut


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a File, cut into passages.

    Attributes:
        key: the version's key: what hits name it by.
        path: in its escaped form.
        title: front matter's title, or nothing.
        tags: front matter's tags.
        cut: its passages.
        text: its text, UTF-8.
    """

    key: int
    path: str
    title: str
    tags: tuple[str, ...]
    cut: Cut
    text: bytes
