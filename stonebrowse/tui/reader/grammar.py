"""markdown-it-py as the view uses it: block and inline pass apart, so that only what is seen is parsed."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markdown_it.rules_inline import StateInline

MAX_NESTING: Final = 100
"""Levels of blocks in blocks. Deeper ones are shown as source (`stretches`)."""

_BRACKETS: Final = re.compile(r"[\[\]]")
_BRACKET_STEPS: Final = 400_000  # open brackets × characters: about a tenth of a second


def _footnote_reference(state: StateInline, silent: bool) -> bool:
    """``[^label]``, where the document defines that label. The label stays as written."""
    source, start = state.src, state.pos
    if not source.startswith("[^", start):
        return False
    end = source.find("]", start + 2, state.posMax)
    if end <= start + 2:
        return False
    label = source[start + 2 : end]
    if " " in label or "\n" in label or not state.env["footnote"](label):
        return False
    if not silent:
        state.push("footnote_ref", "", 0).meta = {"label": label}
    state.pos = end + 1
    return True


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    markdown.enable(["table", "strikethrough"])
    # Footnotes stand where they are defined, under their own label: every passage shows its own text.
    footnote_plugin(markdown, inline=False, move_to_end=False)
    markdown.inline.ruler.at("footnote_ref", _footnote_reference)
    # Where a link leads is shown, never opened here: it stays as written, whatever its scheme.
    markdown.normalizeLink = _as_written  # type: ignore[method-assign]
    markdown.validateLink = _any_target  # type: ignore[method-assign]
    return markdown


def _as_written(url: str) -> str:
    return url


def _any_target(url: str) -> bool:  # noqa: ARG001 - markdown-it's signature
    return True


def parse_blocks(text: str, env: dict[str, Any]) -> list[Token]:
    """Block tokens of a text with LF line ends. What it defines goes into `env`.

    Raises:
        RecursionError: for a text that is nested too deeply.
        IndexError: markdown-it-py's own, on some unfinished comments in quotes.
    """
    tokens: list[Token] = []
    if not text.endswith("\n"):
        text += "\n"
    markdown = _markdown()
    markdown.block.parse(text, markdown, env, tokens)
    return tokens


def _is_endless(text: str) -> bool:
    """Whether the inline pass takes too long: at each open bracket it looks to the end for the other one."""
    if text.count("[") * len(text) < _BRACKET_STEPS:
        return False
    depth = deepest = 0
    for bracket in _BRACKETS.findall(text):
        depth = depth + 1 if bracket == "[" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest * len(text) > _BRACKET_STEPS


def parse_inlines(text: str, env: Mapping[str, Any]) -> list[Token]:
    """Inline tokens of one block's content; one of plain text where brackets stand open by the hundred.

    `env` holds ``references``, something with `get(label)`, and ``footnote``, which says whether a label
    is defined.
    """
    tokens: list[Token] = []
    if _is_endless(text):
        return [Token("text", "", 0, content=text)]
    markdown = _markdown()
    markdown.inline.parse(text, markdown, dict(env), tokens)
    return tokens
