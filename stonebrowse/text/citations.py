r"""The citation string: made here and nowhere else, and read back here.

`path § heading (Line N)`. What could move a cursor, reorder a line or break it in two is escaped in paths,
labels and trails, and every escape reads back:

- `\x1b` is a control character below U+0080, or a byte of a path that is not UTF-8 (`\xe9`);
- `\u0085`, `\u202e` is a control character above it, a bidi control, or a line separator;
- `\x5c` is a backslash that would read as one of these.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SEPARATOR = " § "

# Bytes that are not UTF-8 are lone surrogates here (`surrogateescape`, PEP 383).
_UNSAFE = "\0-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069\ud800-\udfff"
_ESCAPED = re.compile(rf"[{_UNSAFE}]|\\(?=x[0-9a-f]{{2}}|u[0-9a-f]{{4}})")
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))")
_NOT_PRINTED = re.compile(rf"\r\n|(?![\n\t])[{_UNSAFE}]")
_LINE = re.compile(r" \(Line ([1-9][0-9]{0,11})\)\Z")
LONGEST_HEADING = 256 * len("\\u0000")
_LONGEST_PATH = 4096 * len("\\x00")  # PATH_MAX, every byte of it escaped


def escape(text: str) -> str:
    """Escape what may not stand in a label, a citation or a trail."""
    return _ESCAPED.sub(_escaped, text)


def unescape(text: str) -> str:
    """The inverse of `escape`. A byte that is not UTF-8 comes back as a lone surrogate (PEP 383)."""
    return _ESCAPE.sub(_unescaped, text)


def escape_path(name: bytes) -> str:
    """The one form in which a path is held and shown, from what the file system gives."""
    return escape(name.decode("utf-8", "surrogateescape"))


def unescape_path(path: str) -> bytes:
    """The inverse of `escape_path`: the bytes that the file system knows."""
    name = unescape(path)
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # typed by hand: no escaped path holds such a surrogate
        return name.encode("utf-8", "surrogatepass")


def label(path: str, heading: str) -> str:
    """`path § heading`; the path alone where there is no heading. The path is escaped already."""
    return f"{path}{SEPARATOR}{escape(heading)}" if heading else path


def citation(path: str, heading: str, line: int) -> str:
    """The citation string of the section or passage at a one-based line."""
    return f"{label(path, heading)} (Line {line})"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a citation string.

    Attributes:
        path: escaped, as it stands in the string.
        heading: escaped, as it stands in the string; None for a path alone.
        line: one-based; None where the string names none.
    """

    path: str
    heading: str | None
    line: int | None


def readings(string: str) -> list[Reading]:
    """Every way to read a string as a citation, the longest path first.

    Paths and headings may themselves hold ` § ` or ` (Line 3)`: which reading is meant is for those to say
    who know the library. Blanks around the string may come from pasting; it is read with and without them.
    """
    found: dict[Reading, None] = {}
    for variant in (string, string.strip()):
        line = _LINE.search(variant)
        wholes = [(variant[: line.start()], int(line[1]))] if line else []
        for whole, number in [*wholes, (variant, None)]:
            found.update(dict.fromkeys(_splits(whole, number)))
    return sorted(found, key=lambda reading: (len(reading.path), reading.line or 0), reverse=True)


def _splits(whole: str, line: int | None) -> Iterator[Reading]:
    if 0 < len(whole) <= _LONGEST_PATH:
        yield Reading(whole, None, line)
    at = whole.find(SEPARATOR, max(0, len(whole) - len(SEPARATOR) - LONGEST_HEADING))
    while 0 <= at <= _LONGEST_PATH:
        heading = whole[at + len(SEPARATOR) :]
        if at and heading:
            yield Reading(whole[:at], heading, line)
        at = whole.find(SEPARATOR, at + 1)


def shorten(citation: str, path: str, width: int, cells: Callable[[str], int] = len) -> str:
    """Fit a citation into `width` cells by cutting its path on the left; the rest always stays whole.

    Args:
        citation: what `citation` or `label` made.
        path: the path it begins with.
        width: in cells.
        cells: how wide a string is on the screen.
    """
    if cells(citation) <= width:
        return citation
    rest = citation[len(path) :]
    room = width - cells("…" + rest)
    kept = len(path)
    while kept > 0 and (room := room - cells(path[kept - 1])) >= 0:
        kept -= 1
    # A mark that combines with what was cut off would combine with the ellipsis.
    while kept < len(path) and unicodedata.combining(path[kept]):
        kept += 1
    return "…" + path[kept:] + rest


def printable(text: str) -> str:
    """Text for a terminal: nothing in it can act, everything in it can be seen.

    Line feeds and tabs stay, CRLF becomes a line feed; all other control characters, bidi controls, line
    separators and lone surrogates are shown as escapes.
    """
    return _NOT_PRINTED.sub(_escaped, text)


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading: lower case, spaces as hyphens, other punctuation gone."""
    kept = (
        character
        for character in heading.strip().lower()
        if character in " -" or unicodedata.category(character) in _WORD_CATEGORIES
    )
    return "".join(kept).replace(" ", "-")


# Ruby's \p{Word}, which GitHub's anchors are made with: letters, marks, decimal numbers, connectors.
_WORD_CATEGORIES = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Pc"))


def _escaped(found: re.Match[str]) -> str:
    if found[0] == "\r\n":
        return "\n"
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1] or found[2], 16)
    return chr(0xDC00 + code) if found[1] and code >= 0x80 else chr(code)
