"""markdown-it-py, asked where the scanner is not certain, and what the tests compare it with.

CommonMark 0.31.2 with tables, strikethrough and GitHub's footnotes; task lists change no heading and no
block.
The parser has faults of its own, kept in here: it needs a final line end (IndexError without one), it drops
without a word what is nested too deep, and deep nesting overflows Python's stack.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Its default, 20, is reached by ten lists. With 150 it still leaves half of Python's stack to whoever calls,
# so that the answer does not depend on the caller.
_NESTING = 150
_DEEP = re.compile(rf"^(?:[ \t]*(?:>|(?:[-+*]|[0-9]{{1,9}}[.)])(?=[ \t]))){{{_NESTING // 2}}}", re.MULTILINE)
# What the parser trims a block's content of: JavaScript's `trim`, but for U+FEFF.
_TRIMMED = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_FAILURES = (IndexError, RecursionError, RuntimeError, ValueError)

Env = dict[str, Any]


class Block(NamedTuple):
    """One block of the document's own level.

    Attributes:
        kind: the name of the token that opens it (`heading_open`, `fence`, `paragraph_open`, …).
        first: its first line, counted from 0.
        after: the line after its last.
        level: 1 to 6 for a heading, else 0.
        content: a heading's inline source, else nothing.
    """

    kind: str
    first: int
    after: int
    level: int
    content: str


def source_of(text: bytes) -> str:
    """What the parser takes: line ends as LF, NUL as U+FFFD, and a line end at the end."""
    source = text.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return source if source.endswith("\n") else source + "\n"


def trimmed(source: str) -> str:
    """The content of a block without the blanks at its ends, as the parser trims it."""
    return source.strip(_TRIMMED)


def blocks(source: str, env: Env | None = None) -> list[Block] | None:
    """The blocks of the document's own level, in order.

    Args:
        source: what `source_of` gives.
        env: filled with the link and footnote definitions, for `plain_text`.

    Returns:
        None where the parser fails or would have dropped text: take the whole as one block then.
    """
    if _DEEP.search(source):
        return None
    tokens: list[Token] = []
    try:
        _markdown().block.parse(source, _markdown(), {} if env is None else env, tokens)
    except _FAILURES:
        return None
    if any(token.level >= _NESTING - 2 for token in tokens):
        return None
    return list(_top_level(tokens))


def _top_level(tokens: list[Token]) -> Iterator[Block]:
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map:
            first, after = token.map
            if token.type == "heading_open":
                yield Block(token.type, first, after, int(token.tag[1]), tokens[index + 1].content)
            else:
                yield Block(token.type, first, after, 0, "")


def plain_text(content: str, env: Env | None = None) -> str:
    """The text of inline source without its markup; the source itself where the parser fails."""
    tokens: list[Token] = []
    try:
        _markdown().inline.parse(content, _markdown(), {} if env is None else env, tokens)
        return "".join(_plain(tokens))
    except _FAILURES:
        return content


def _plain(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":  # its alt text
            yield from _plain(token.children or [])


@functools.cache
def _markdown() -> MarkdownIt:
    # Imported on first use: most documents never need it.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    markdown = MarkdownIt("commonmark", {"maxNesting": _NESTING, "inline_definitions": True})
    return markdown.enable(["table", "strikethrough"]).use(footnote_plugin, inline=False)
