"""The headings of a document: ATX and setext, of the document's own level only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.text import authority, structure
from stonebrowse.text.front_matter import body_start
from stonebrowse.text.heading_text import heading_text
from stonebrowse.text.lines import Lines, count_line_ends

if TYPE_CHECKING:
    from collections.abc import Iterator


class Heading(NamedTuple):
    """One heading.

    Attributes:
        level: 1 to 6.
        text: its plain text, at most 256 characters, raw; may be empty.
        line: the one-based line on which it begins.
        start: the byte offset of that line.
    """

    level: int
    text: str
    line: int
    start: int


def headings(text: bytes) -> list[Heading]:
    """The headings of a text, in order: exactly those of `headings_by_authority`, but fast."""
    return list(scan(text))


def scan(text: bytes) -> Iterator[Heading]:
    """`headings`, one by one, in the memory of one."""
    body = body_start(text)
    env: authority.Env | None = None
    at, line = 0, 1
    returns = b"\r" in text
    for level, start, _, content in structure.find(text, body, len(text)):
        if not level:
            continue
        line += count_line_ends(text, at, start) if returns else text.count(b"\n", at, start)
        at = start
        label = heading_text(content, env)
        if env is None and "[" in content and ("[" in label or label.endswith("…")):
            # What is left of brackets may refer to a definition anywhere in the document.
            env = structure.definitions(text, body, len(text))
            label = heading_text(content, env)
        yield Heading(level, label, line, start if line > 1 else 0)  # a byte order mark is in line 1


def headings_by_authority(text: bytes) -> list[Heading]:
    """The headings of a text as markdown-it-py alone finds them: slow, and what the tests compare with."""
    start = body_start(text)
    env: authority.Env = {}
    found = authority.blocks(authority.source_of(text[start:]), env) or []
    lines = Lines(text)
    first = lines.line_at(start)
    return [
        Heading(
            block.level,
            heading_text(block.content, env),
            first + block.first,
            lines.start_of(first + block.first),
        )
        for block in found
        if block.level
    ]
