"""The kinds of value that a setting can have: what is allowed, and how it is read.

A kind reads a value twice over: from TOML (`check`) and from the words of a command line (`parse`). Both
raise `WrongValueError`, whose message is what is allowed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

from .faults import quoted


class WrongValueError(ValueError):
    """A value that a setting cannot have. The message says what it can have, as "a whole number"."""


class Kind(Protocol):
    """One kind of value."""

    @property
    def allowed(self) -> str:
        """What is allowed, to follow "must be"."""

    def check(self, value: object) -> Any:
        """The value of a TOML file as the setting holds it; `WrongValueError` if it is not allowed."""

    def parse(self, text: str) -> Any:
        """The same from a command line's text."""


class Toggle:
    """True or false."""

    allowed = "true or false"

    def check(self, value: object) -> bool:
        """See `Kind.check`."""
        if not isinstance(value, bool):
            raise WrongValueError(self.allowed)
        return value

    def parse(self, text: str) -> bool:
        """`true` and `false` in any case; `yes`, `on`, `no` and `off` are understood."""
        word = text.strip().lower()
        if word in {"true", "yes", "on"}:
            return True
        if word in {"false", "no", "off"}:
            return False
        raise WrongValueError(self.allowed)


class Whole:
    """A whole number from `least` to `most`."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most
        self.allowed = f"a whole number from {least} to {most}"

    def check(self, value: object) -> int:
        """See `Kind.check`."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise WrongValueError(self.allowed)
        return value

    def parse(self, text: str) -> int:
        """Digits; `_` between them, as TOML has it."""
        if not re.fullmatch(r"\s*[+-]?[0-9][0-9_]{0,30}\s*", text):
            raise WrongValueError(self.allowed)
        return self.check(int(text.replace("_", "")))


class Number:
    """A number from `least` to `most`, whole or not."""

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most
        self.allowed = f"a number from {least:g} to {most:g}"

    def check(self, value: object) -> float:
        """See `Kind.check`. Not-a-number lies in no range."""
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not self.least <= value <= self.most
        ):
            raise WrongValueError(self.allowed)
        return float(value)

    def parse(self, text: str) -> float:
        """As Python reads a float."""
        try:
            return self.check(float(text))
        except ValueError:
            raise WrongValueError(self.allowed) from None


class Choice:
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self.words = words
        self.allowed = "one of " + ", ".join(f'"{word}"' for word in words)

    def check(self, value: object) -> str:
        """See `Kind.check`."""
        if not isinstance(value, str) or value not in self.words:
            raise WrongValueError(self.allowed)
        return value

    def parse(self, text: str) -> str:
        """The word, in any case."""
        return self.check(text.strip().lower())


class Name:
    """A word of a person's own: printable, not empty, at most 100 characters."""

    def __init__(self, what: str) -> None:
        self.allowed = f"{what} in quotes"

    def check(self, value: object) -> str:
        """See `Kind.check`."""
        if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > 100:
            raise WrongValueError(self.allowed)
        return value.strip()

    def parse(self, text: str) -> str:
        """The text as it is."""
        return self.check(text)


class Suffixes:
    """Endings of file names, each with its dot, in lower case."""

    allowed = 'a list of file name endings such as [".md", ".markdown"]'

    def check(self, value: object) -> tuple[str, ...]:
        """See `Kind.check`. A missing dot is added; doubles are dropped."""
        if not isinstance(value, list | tuple) or not value:
            raise WrongValueError(self.allowed)
        return tuple(dict.fromkeys(self._one(item) for item in value))

    def _one(self, item: object) -> str:
        if not isinstance(item, str) or not re.fullmatch(r"\.?[^\s./\\\0][^\s/\\\0]{0,30}", item):
            raise WrongValueError(self.allowed)
        return "." + item.removeprefix(".").lower()

    def parse(self, text: str) -> tuple[str, ...]:
        """Endings between commas or blanks; a TOML list is read too."""
        return self.check(re.split(r"[\s,]+", text.strip("[] \t\n").replace('"', "").replace("'", "")))


class Command:
    """A program and its arguments; no words at all mean that none is set. No shell ever reads it."""

    allowed = 'a list of words such as ["program", "--option"], or one string of them'

    def check(self, value: object) -> tuple[str, ...]:
        """See `Kind.check`. A string is split into words as a shell would, without running one."""
        if isinstance(value, str):
            return self.parse(value)
        if not isinstance(value, list | tuple):
            raise WrongValueError(self.allowed)
        words = []
        for word in value:
            if not isinstance(word, str) or "\0" in word:
                raise WrongValueError(self.allowed)
            words.append(word)
        if words and not words[0].strip():
            raise WrongValueError(self.allowed)
        return tuple(words)

    def parse(self, text: str) -> tuple[str, ...]:
        """Words as a shell splits them; a TOML list is read too."""
        if text.lstrip().startswith("["):
            return self.check(_toml_list(text, self.allowed))
        try:
            return self.check(shlex.split(text))
        except ValueError:
            raise WrongValueError(self.allowed) from None


class Keys:
    """Keys for one action of the browser, as `"ctrl+f"` or `"j,down"`. The browser knows the actions."""

    allowed = 'a key such as "ctrl+f", several as "j,down"'

    def check(self, value: object) -> str:
        """See `Kind.check`. A list of keys is joined with commas."""
        if isinstance(value, list | tuple) and value and all(isinstance(key, str) for key in value):
            value = ",".join(value)
        if not isinstance(value, str) or not value.isprintable() or len(value) > 200:
            raise WrongValueError(self.allowed)
        keys = [key.strip() for key in value.split(",")]
        if not all(keys):
            raise WrongValueError(self.allowed)
        return ",".join(keys)

    def parse(self, text: str) -> str:
        """The keys, commas between them."""
        return self.check(text)


class KeyTable:
    """A table of action = keys; what actions there are is the browser's to know."""

    allowed = 'a table of lines such as quit = "q"'
    entry = Keys()

    def check(self, value: object) -> Mapping[str, str]:
        """See `Kind.check`."""
        if not isinstance(value, Mapping):
            raise WrongValueError(self.allowed)
        return MappingProxyType({action: self.entry.check(keys) for action, keys in value.items()})

    def parse(self, text: str) -> Mapping[str, str]:
        """A whole table has no form on the command line: one action at a time is set."""
        raise WrongValueError(f"set one action at a time, as keys.quit, not {quoted(text)}")


def _toml_list(text: str, allowed: str) -> object:
    import tomllib

    try:
        return tomllib.loads(f"list = {text}").get("list")
    except (ValueError, RecursionError):
        raise WrongValueError(allowed) from None
