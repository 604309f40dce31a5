"""Reading a TOML file that a person wrote, and knowing on which line each of its keys stands.

`tomllib` says what a file holds, but not where. `Source` walks the same text once more, after `tomllib`
has found it right, so it may take the grammar for granted (TOML 1.0.0, "Key/Value Pair", "Table").
"""

from __future__ import annotations

import os
import re
import stat
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

from .faults import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MAX_SOURCE_BYTES = 64 * 1024
"""A settings or theme file is never larger; what is was not meant to be one. Bytes."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^\n,\]}#]*")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")


class Entry(NamedTuple):
    """One `key = value`, wherever it stands. Positions are characters of the text."""

    path: tuple[str, ...]
    """The whole key, its tables first."""

    start: int
    """Where the key begins."""

    value_start: int
    """Where its value begins."""

    value_end: int
    """Just after its value."""

    table: tuple[str, ...] | None
    """The table whose lines hold it; None inside an inline table."""


class Header(NamedTuple):
    """One `[table]` line."""

    path: tuple[str, ...]
    """The table's name."""

    start: int
    """Where the line's bracket begins."""

    end: int
    """Just after its last bracket."""

    many: bool
    """Whether it is one of several, `[[table]]`."""


class Source:
    """A TOML text, what it holds, and where.

    Attributes:
        text: the text as it was read, without a byte order mark; line ends as they are.
        data: what `tomllib` makes of it.
        entries: every key with its value, in the order of the text.
        headers: every table line, in the order of the text.
    """

    def __init__(self, text: str, data: Mapping[str, Any]) -> None:
        self.text = text
        self.data = data
        self.entries: list[Entry] = []
        self.headers: list[Header] = []
        self._at = 0
        self._scan()
        self._line_starts = [found.end() for found in re.finditer("\n", text)]
        self._starts: dict[tuple[str, ...], int] = {}
        named = [(entry.path, entry.start) for entry in self.entries]
        named += [(header.path, header.start) for header in self.headers]
        for path, start in named:
            for length in range(1, len(path) + 1):
                known = self._starts.setdefault(path[:length], start)
                self._starts[path[:length]] = min(known, start)

    def line_of(self, *path: str) -> int | None:
        """The line of a key or a table, from 1; None where the text does not name it."""
        start = self._starts.get(path)
        return None if start is None else self.line_at(start)

    def line_at(self, position: int) -> int:
        """The line of a character of the text, from 1."""
        return bisect_right(self._line_starts, position) + 1

    def entry(self, *path: str) -> Entry | None:
        """The entry of exactly this key."""
        return next((entry for entry in self.entries if entry.path == path), None)

    def _scan(self) -> None:
        table: tuple[str, ...] = ()
        while self._skip() < len(self.text):
            start = self._at
            if self.text.startswith("[", start):
                many = self.text.startswith("[[", start)
                self._at += 2 if many else 1
                table = self._key()
                self._at += 2 if many else 1
                self.headers.append(Header(table, start, self._at, many))
            else:
                self._pair(table, table)

    def _skip(self) -> int:
        self._at = _end(_BLANK, self.text, self._at)
        return self._at

    def _key(self) -> tuple[str, ...]:
        """Reads a key, dotted or not, and the blanks after it."""
        parts = []
        while True:
            self._skip()
            raw_start = self._at
            if self.text[raw_start] in "\"'":
                self._at = _end(_STRING, self.text, raw_start)
                parts.append(_string(self.text[raw_start : self._at]))
            else:
                self._at = _end(_BARE_KEY, self.text, raw_start)
                parts.append(self.text[raw_start : self._at])
            if not self.text.startswith(".", self._skip()):
                return tuple(parts)
            self._at += 1

    def _pair(self, above: tuple[str, ...], table: tuple[str, ...] | None) -> None:
        """Reads `key = value`."""
        start = self._at
        path = above + self._key()
        self._at += 1  # the equals sign
        value_start = self._skip()
        place = len(self.entries)
        self._value(path)
        self.entries.insert(place, Entry(path, start, value_start, self._at, table))

    def _value(self, path: tuple[str, ...]) -> None:
        """Reads a value; inside an inline table its keys become entries too."""
        opening = self.text[self._at]
        if opening in "\"'":
            self._at = _end(_STRING, self.text, self._at)
        elif opening in "[{":
            closing = "]" if opening == "[" else "}"
            self._at += 1
            while not self.text.startswith(closing, self._skip()):
                if self.text[self._at] == ",":
                    self._at += 1
                elif opening == "[":
                    self._value(path)
                else:
                    self._pair(path, None)
            self._at += 1
        else:
            self._at += len(self.text[self._at : _end(_PLAIN, self.text, self._at)].rstrip())


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    if found is None or (found.end() == at and pattern is not _BLANK):
        # tomllib accepted what this grammar does not know: say so rather than run for ever.
        raise ValueError(f"no TOML at line {text.count(chr(10), 0, at) + 1}")
    return found.end()


def _string(raw: str) -> str:
    """What a quoted key says."""
    import tomllib

    return str(tomllib.loads(f"key = {raw}")["key"])


def read_source(path: Path, instead: str) -> Source | Fault | None:
    """Reads a TOML file.

    Args:
        path: the file. Only a regular file, or a link to one, is read.
        instead: what is used when it cannot be, to end the fault's sentence: "the defaults are used".

    Returns:
        The source; a fault with file and line; or None where there is no such file.
    """
    try:
        raw = _bytes(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as trouble:
        return Fault(f"cannot be read ({_reason(trouble)}); {instead}", path)
    except ValueError as trouble:
        return Fault(f"{trouble}; {instead}", path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as trouble:
        line = raw.count(b"\n", 0, trouble.start) + 1
        return Fault(f"is not UTF-8 from this line on; save it as UTF-8; {instead}", path, line)
    return parse_source(text, path, instead)


def parse_source(text: str, path: Path, instead: str) -> Source | Fault:
    """The same from a text; `path` is what faults name."""
    import tomllib

    try:
        return Source(text, tomllib.loads(text))
    except RecursionError:
        return Fault(f"is nested too deeply; {instead}", path)
    except ValueError as trouble:  # TOMLDecodeError is one; so is a number of 5,000 digits
        said = str(trouble)
        found = _AT_LINE.search(said)
        line = int(found[1]) if found else len(text.rstrip().splitlines()) or 1
        what = re.sub(r"\s*\(at [^)]*\)", "", said).partition(";")[0]
        return Fault(f"is not valid TOML ({what}); {instead}", path, line)


def _bytes(path: Path) -> bytes:
    # O_NONBLOCK: a pipe with no writer would be waited for; what is opened is checked on the descriptor.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise ValueError("is a folder, not a file")
        if not stat.S_ISREG(mode):
            raise ValueError("is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            raw = file.read(MAX_SOURCE_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(raw) > MAX_SOURCE_BYTES:
        raise ValueError(f"is larger than {MAX_SOURCE_BYTES} bytes")
    return raw


def _reason(trouble: OSError) -> str:
    return (trouble.strerror or type(trouble).__name__).lower()
