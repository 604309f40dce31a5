"""Code → spans, highlighted by Pygments where it knows the language.

Highlighting makes no key wait: code whose lexer is not loaded yet, or that is long, is first shown plain, and
`highlight` does the work in a thread.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pygments.lexer import Lexer  # type: ignore[import-untyped]

Pieces = list[tuple[str, str]]
"""One line of code: text and style of each piece of it."""

_LONG: Final = 24 * 1024  # characters from which a block is not highlighted as one
_SHORT: Final = 6 * 1024  # characters up to which a block is highlighted while one waits
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


class Wanted(NamedTuple):
    """A block of code to be highlighted."""

    text: str
    language: str


class Highlighter:
    """Highlighted blocks of code, the latest kept. For one thread; `highlight` is for any."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Wanted, list[Pieces]] = OrderedDict()
        self._loaded: set[str] = set()
        self._wanted: set[Wanted] = set()

    def highlighted(self, text: str, language: str) -> list[Pieces] | None:
        """The text's lines in pieces; None where it is plain or not yet highlighted (then it is wanted)."""
        language = language.lower()
        if language in _SHELLS and text.lstrip().startswith("$ "):
            language = "console"
        if language in _NEVER or len(text) > _LONG:
            return None
        wanted = Wanted(text, language)
        kept = self._kept.get(wanted)
        if kept is not None:
            self._kept.move_to_end(wanted)
            return kept or None
        if language in self._loaded and len(text) < _SHORT:
            self.keep(highlight({wanted}))
            return self._kept[wanted] or None
        self._wanted.add(wanted)
        return None

    def take_wanted(self) -> set[Wanted]:
        """What was asked for and is not there; from now on it counts as being made."""
        wanted, self._wanted = self._wanted, set()
        return wanted

    def keep(self, made: Mapping[Wanted, list[Pieces]]) -> bool:
        """Take what `highlight` made; True if any of it has colours."""
        for wanted, lines in made.items():
            self._loaded.add(wanted.language)
            self._kept[wanted] = lines
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return any(made.values())


def highlight(wanted: Iterable[Wanted]) -> dict[Wanted, list[Pieces]]:
    """The lines of each block in pieces; none for one whose language is unknown."""
    made: dict[Wanted, list[Pieces]] = {}
    for each in wanted:
        lexer = _lexer(each.language)
        made[each] = _lines(lexer, each.text) if lexer is not None else []
    return made


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
