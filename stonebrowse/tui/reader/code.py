"""Code → spans, highlighted by Pygments where it knows the language.

Highlighting never makes a key wait: a lexer that is not loaded yet, or a block that is long, is first shown
plain (`highlighted` answers None), and `load` does the work for the next time.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

Pieces = list[tuple[str, str]]  # text, style
_LONG: Final = 24 * 1024  # characters from which a block is not highlighted as one
_KEPT: Final = 64

# Pygments' token types by their short names: the longest beginning counts.
_STYLE_OF_SHORT: Final = {
    **dict.fromkeys(("k", "ow", "cp", "gp"), "code-keyword"),
    **dict.fromkeys(("kt", "nf", "nc", "nd", "nb", "ne", "nn", "na"), "code-name"),
    **dict.fromkeys(("nt", "gh", "gu"), "code-tag"),
    **dict.fromkeys(("m", "l"), "code-number"),
    "s": "code-string",
    "c": "code-comment",
    "gi": "code-added",
    "gd": "code-removed",
    "go": "",
}
_SHELLS: Final = frozenset({"sh", "bash", "shell", "zsh"})
_NEVER: Final = frozenset({"", "text", "txt", "plain", "plaintext", "none", "output", "math", "mermaid"})


@lru_cache(maxsize=256)
def _style_of(short: str) -> str:
    for length in (2, 1):
        found = _STYLE_OF_SHORT.get(short[:length])
        if found is not None:
            return found
    return ""


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except (ClassNotFound, ImportError, ValueError):
        return None


class Highlighter:
    """Highlighted blocks of code, the latest kept.

    Attributes:
        wanted: what was asked for and is not there yet.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], list[Pieces]] = OrderedDict()
        self._loaded: set[str] = set()
        self.wanted: set[tuple[str, str]] = set()

    def highlighted(self, text: str, language: str) -> list[Pieces] | None:
        """The text's lines in pieces; None where it is plain or not yet highlighted (then it is `wanted`)."""
        language = language.lower()
        if language in _SHELLS and text.lstrip().startswith("$ "):
            language = "console"
        if language in _NEVER or len(text) > _LONG:
            return None
        key = (text, language)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept or None
        if language in self._loaded and len(text) < _LONG // 4:
            return self._make(key) or None
        self.wanted.add(key)
        return None

    def load(self) -> bool:
        """Highlight what is wanted; True if anything came of it."""
        wanted, self.wanted = self.wanted, set()
        made = [self._make(key) for key in wanted]
        return any(made)

    def _make(self, key: tuple[str, str]) -> list[Pieces]:
        text, language = key
        lexer = _lexer(language)
        self._loaded.add(language)
        lines: list[Pieces] = []
        if lexer is not None:
            lines = _lines(lexer, text)
        self._kept[key] = lines
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return lines


def _lines(lexer: Lexer, text: str) -> list[Pieces]:
    from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

    lines: list[Pieces] = [[]]
    for kind, value in lexer.get_tokens(text + "\n"):
        while kind not in STANDARD_TYPES:
            kind = kind.parent  # noqa: PLW2901 - as Pygments' own formatters do
        style = _style_of(STANDARD_TYPES[kind])
        first, *others = value.split("\n")
        if first:
            lines[-1].append((first, style))
        lines.extend([(other, style)] if other else [] for other in others)
    if "".join(["".join([piece for piece, _ in line]) + "\n" for line in lines]).rstrip("\n") != text.rstrip(
        "\n"
    ):
        return []  # a lexer that changes the text is not used
    return lines
