"""markdown-it-py, asked where the scanner is not certain, and what the tests compare it with.

CommonMark 0.31.2 with tables, strikethrough and GitHub's footnotes; task lists change no block and no heading.
The parser has faults of its own, kept in here: it needs a final line end (IndexError without one), it drops
what is nested too deep without a word, and deep nesting overflows Python's stack.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_HEADING = 256  # characters; a longer one is cut to 255 and an ellipsis

# Its default, 20, is reached by ten lists. At 150 the parser still has half of Python's stack left for whoever
# calls it, so that the answer does not depend on the caller.
_NESTING = 150
# No inline parse of more than this: far more than 256 characters of any heading need.
_INLINE_AT_MOST = 16 * 1024
_CONTAINERS = re.compile(
    r"^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){%d}" % (_NESTING // 2), re.MULTILINE
)
_BLANKS = re.compile("[ \t\r\n]{2,}|[\t\r\n]")
# What the parser trims a block's content of: JavaScript's `trim`, without U+FEFF.
_TRIMMED = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
# Nothing in a heading without these can be markup. An underscore inside a word is none (6.2, rules 2 and 6).
_MARKUP = re.compile(r"[\\`*\[]|~~|<[A-Za-z/!?]|&[#A-Za-z]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")

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


def inline_source(raw: bytes) -> str:
    """A heading's content as the inline parser takes it."""
    return source_of(raw).strip(_TRIMMED)


def blocks(source: str, env: Env | None = None) -> list[Block] | None:
    """The blocks of the document's own level, in order.

    Args:
        source: what `source_of` gives.
        env: filled with the link and footnote definitions, for `heading_text`.

    Returns:
        None where the parser fails or would have dropped text: take the whole as one block then.
    """
    if _CONTAINERS.search(source):
        return None
    tokens: list[Token] = []
    try:
        _markdown().block.parse(source, _markdown(), {} if env is None else env, tokens)
    except (IndexError, RecursionError, RuntimeError, ValueError):
        return None
    if any(token.level >= _NESTING - 2 for token in tokens):
        return None
    return list(_top_level(tokens))


def _top_level(tokens: list[Token]) -> Iterator[Block]:
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map:
            heading = token.type == "heading_open"
            yield Block(
                token.type,
                token.map[0],
                token.map[1],
                int(token.tag[1]) if heading else 0,
                tokens[index + 1].content if heading else "",
            )


def heading_text(content: str, env: Env | None = None) -> str:
    """The plain text of a heading, from its inline source, by the rule of the contract.

    Markup, raw tags and footnote marks are gone, entities and escapes resolved, an image is its alt text. Runs
    of space, tab and line ends become one space, the ends are trimmed, and what is over 256 characters is cut.
    """
    if not _MARKUP.search(content):
        return tidy(content)
    content = content[:_INLINE_AT_MOST]
    tokens: list[Token] = []
    try:
        _markdown().inline.parse(content, _markdown(), {} if env is None else env, tokens)
        plain = "".join(_plain(tokens))
    except (IndexError, RecursionError, RuntimeError, ValueError):
        plain = content
    return tidy(plain)


def tidy(plain: str) -> str:
    """Blanks and length of a heading's plain text, by the rule of the contract."""
    plain = _BLANKS.sub(" ", plain).strip()
    return plain if len(plain) <= MAX_HEADING else plain[: MAX_HEADING - 1] + "…"


def _plain(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield from _plain(token.children or [])


@functools.cache
def _markdown() -> MarkdownIt:
    # Imported on first use: most documents never need it.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    markdown = MarkdownIt("commonmark", {"maxNesting": _NESTING, "inline_definitions": True})
    return markdown.enable(["table", "strikethrough"]).use(footnote_plugin, inline=False)
