"""What is wrong in a file that a person wrote: where it stands, and what was done about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}")


MANY_FAULTS = 50
"""From so many faults on a file is not what it was meant to be, and the rest is only counted."""


def quoted(text: str) -> str:
    r"""Text of a file as it may stand in a message: in quotes, nothing in it that steers a terminal.

    Args:
        text: any text; over 60 characters it is cut.

    Returns:
        The text in double quotes. Characters that do not print are `\x1b`, `\\u202e` and the like.
    """
    shown = text if len(text) <= 60 else text[:59] + "…"
    return f'"{_all_visible(shown)}"'


def shown_key(path: tuple[str, ...]) -> str:
    r"""A dotted key as it may stand in a message: `reader.width`, and `keys."\x1b"` for a strange one.

    Args:
        path: its parts, as they are in the file.

    Returns:
        The parts with dots between them, each quoted that is no bare key (TOML 1.0.0, "Keys").
    """
    return ".".join(part if _BARE.fullmatch(part) else quoted(part) for part in path)


def _all_visible(text: str) -> str:
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


class Fault(NamedTuple):
    """One thing that is wrong in a settings or theme file. It never stops the program."""

    problem: str
    """One sentence: what is wrong, and what is used instead."""

    file: Path
    """The file it stands in."""

    line: int | None = None
    """The line, from 1; None where the whole file cannot be used."""

    key: str | None = None
    """The dotted key, as `reader.width`; None where no key is meant."""

    @property
    def message(self) -> str:
        """File, line, key and problem as one line of plain text."""
        place = _all_visible(str(self.file))
        if self.line is not None:
            place += f", line {self.line}"
        return f"{place}: {self.key}: {self.problem}" if self.key else f"{place}: {self.problem}"

    def __str__(self) -> str:
        return self.message


def few(faults: list[Fault]) -> tuple[Fault, ...]:
    """The faults of one file in the order of its lines; of very many the first, and how many more."""
    ordered = sorted(faults, key=lambda fault: fault.line or 0)
    if len(ordered) <= MANY_FAULTS:
        return tuple(ordered)
    first = ordered[:MANY_FAULTS]
    return (*first, Fault(f"has {len(ordered) - len(first)} more faults", ordered[0].file))
