r"""Text from a document → text that a terminal shows and nothing else.

`visible` is total: whatever string goes in, none of C0, DEL, C1, bidi overrides and isolates, line
separators and lone surrogates comes out. They become visible escapes (``\x1b``, ``\u202e``).

Characters whose width depends on the terminal are taken out: variation selectors, joiners, skin tones, soft
hyphens, zero-width spaces, tags. What is left has the same width one character at a time as in a string,
so that no row is ever longer than it was measured. (The raw view shows them all as escapes.)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rich.cells import get_character_cell_size

_CONTROL: Final = "\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufff9-\ufffb"
_UNSTEADY: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200d-\u200f\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff"
)
_TO_ESCAPE: Final = re.compile(f"[{_CONTROL}]")
_TO_DROP: Final = re.compile(f"[{_UNSTEADY}]")
_TO_SHOW: Final = re.compile(f"[{_CONTROL}{_UNSTEADY}]")
_TAB: Final = 4


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0:
        return "\ufffd"  # CommonMark 0.31.2, "Insecure characters"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    """The text as it may be shown in one row: controls as escapes, unsteady characters taken out."""
    if text.isprintable():
        if text.isascii():
            return text
    else:
        text = _TO_ESCAPE.sub(_escape, text.replace("\t", " ").replace("\n", " "))
    return _TO_DROP.sub("", text)


def raw_visible(text: str) -> str:
    """The text as the raw view shows it: every character that cannot be seen is an escape."""
    if text.isprintable() and text.isascii():
        return text
    return _TO_SHOW.sub(_escape, text)


def expand_tabs(text: str, column: int = 0) -> str:
    """Tabs → spaces, to the next multiple of 4 (CommonMark 0.31.2, "Tabs"); the text begins at `column`."""
    if "\t" not in text:
        return text
    parts: list[str] = []
    for index, part in enumerate(text.split("\t")):
        if index:
            blanks = _TAB - column % _TAB
            parts.append(" " * blanks)
            column += blanks
        parts.append(part)
        column += len(part)
    return "".join(parts)


@lru_cache(maxsize=8192)
def _cells_of(character: str) -> int:
    return get_character_cell_size(character)


def cells(text: str) -> int:
    """Terminal cells of a text that has passed `visible`."""
    if text.isascii():
        return len(text)
    return sum(map(_cells_of, text))


def widths(text: str) -> list[int]:
    """Cells of each character of a text that has passed `visible`."""
    return list(map(_cells_of, text))


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """The text cut to at most `width` cells, `…` at the cut."""
    if cells(text) <= width:
        return text
    room = width - cells(ellipsis)
    if room < 0:
        return ""
    used = 0
    for index, character in enumerate(text):
        used += _cells_of(character)
        if used > room:
            return text[:index] + ellipsis
    return text
