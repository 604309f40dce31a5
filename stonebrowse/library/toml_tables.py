"""Reading tables of TOML that must have a form: each key is taken once, and what is left over is refused.

A message names the table by what it holds and, where it can be known, the line.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = TypeVar("Value", str, int, bool, datetime)
Path = tuple[tuple[str, int], ...]

_HEADER: Final = re.compile(r"[ \t]*\[(\[?)[ \t]*([A-Za-z_.]+)[ \t]*\]")
_SEVERAL_LINES: Final = re.compile(r"""(?m)(?:^|[=,\[])[ \t]*(?:\"\"\"|''')""")
_KEY: Final = re.compile(r"[ \t]*([A-Za-z_]+)[ \t]*=")
_CALLED: Final = {str: "a text", int: "a whole number", bool: "true or false", datetime: "a date and time"}


class Places:
    """On which lines of a text the tables and their keys stand, as far as that can be seen by their form.

    tomllib tells no lines. A text that runs over several lines may look like a table: then nothing is said.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> dict[tuple[Path, str], int]:
        """Looked for only when something is wrong."""
        lines: dict[tuple[Path, str], int] = {}
        if _SEVERAL_LINES.search(self._text):
            return lines
        path: Path = ()
        counts: dict[tuple[Path, str], int] = {}
        for number, line in enumerate(self._text.split("\n"), 1):
            if header := _HEADER.match(line):
                path = self._entered(header[2].split("."), counts, several=bool(header[1]))
                lines[path, ""] = number
            elif key := _KEY.match(line):
                lines.setdefault((path, key[1]), number)
        return lines

    @staticmethod
    def _entered(names: list[str], counts: dict[tuple[Path, str], int], *, several: bool) -> Path:
        """The path of a table whose header was read: above it are the last ones of their names."""
        path: Path = ()
        for name in names[:-1]:
            path = (*path, (name, counts.get((path, name), 1)))
        last = names[-1]
        if several:
            counts[path, last] = counts.get((path, last), 0) + 1
        return (*path, (last, counts.get((path, last), 1)))

    def line(self, path: Path, key: str) -> int | None:
        """The line of a key, else of its table."""
        return self._lines.get((path, key)) or self._lines.get((path, ""))


class Table:
    """One table.

    Attributes:
        name: what messages call it: its ID, once that is known.
    """

    def __init__(self, values: Mapping[str, Any], places: Places, path: Path = (), above: str = "") -> None:
        self._values = values
        self._left = dict.fromkeys(values)
        self._places = places
        self._path = path
        self._above = above
        self.name = f"{path[-1][0]} {path[-1][1]}" if path else ""

    def wrong(self, key: str, what: str) -> InputInvalid:
        """The error that says what is wrong with a key."""
        line = self._places.line(self._path, key)
        called = ", ".join(each for each in (self._above, self.name) if each)
        pieces = (f"line {line}" if line else "", called)
        where = ", ".join(each for each in pieces if each)
        return InputInvalid(f"{where}: {key} {what}" if where else f"{key} {what}")

    def maybe(self, key: str, kind: type[Value]) -> Value | None:
        """A value of a kind, or None where the key is not there."""
        if key not in self._values:
            return None
        self._left.pop(key, None)
        value = self._values[key]
        if type(value) is not kind:
            raise self.wrong(key, f"is not {_CALLED[kind]}")
        return value

    def take(self, key: str, kind: type[Value]) -> Value:
        """A value that must be there."""
        value = self.maybe(key, kind)
        if value is None:
            raise self.wrong(key, "is missing")
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts; empty where the key is not there."""
        self._left.pop(key, None)
        found = self._values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self.wrong(key, "is not a list of texts")
        return found

    def properties(self, key: str) -> dict[str, str]:
        """A table of texts by names; empty where the key is not there."""
        self._left.pop(key, None)
        found = self._values.get(key, {})
        if not isinstance(found, dict):
            raise self.wrong(key, "is not a table")
        for name, value in found.items():
            if not isinstance(value, str):
                raise self.wrong(key, f"holds {name!r}, which is not {_CALLED[str]}")
        return found

    def tables(self, key: str) -> list[Table]:
        """The tables of a list of them; none where the key is not there."""
        self._left.pop(key, None)
        found = self._values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self.wrong(key, f"is not a list of tables; each begins with [[{key}]]")
        return [
            Table(each, self._places, (*self._path, (key, number)), self.name)
            for number, each in enumerate(found, 1)
        ]

    def end(self) -> None:
        """Refuses what was not taken."""
        for key in self._left:
            raise self.wrong(key, "is not known here")
