"""Reading the settings file: every value checked, every fault named, never an error."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from .faults import MANY_FAULTS, Fault, few, quoted, shown_key
from .kinds import Keys, WrongValueError
from .model import FIELDS, TABLES, Settings, with_values
from .places import settings_file
from .sources import Source, read_source

if TYPE_CHECKING:
    from pathlib import Path


class Loaded(NamedTuple):
    """The settings, and what was wrong in their file."""

    settings: Settings
    """What is used."""

    faults: tuple[Fault, ...]
    """What was wrong, in the order of the file; empty when nothing was."""

    path: Path
    """The settings file, whether it is there or not."""

    lines: Mapping[str, int]
    """On which line each key of the file stands: dotted key → line, from 1."""

    def fault(self, key: str, problem: str) -> Fault:
        """A fault that only the caller can see (an action or a theme that is not there), with its line."""
        return Fault(problem, self.path, self.lines.get(key), key)


def load(
    path: Path | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    before: Settings | None = None,
) -> Loaded:
    """Reads the settings file. Nothing that a file may hold makes it raise.

    Args:
        path: the file; None is the user's own, `$XDG_CONFIG_HOME/stonebrowse/settings.toml`.
        environ: the environment in which that is looked up; None is the process's own.
        before: the settings in use when a file is read again. Where the file is wrong they stay, instead
            of falling back to the defaults in the middle of somebody's work.

    Returns:
        Settings and faults. A file that is not there, or is empty, gives the defaults and no fault.
    """
    file = path if path is not None else settings_file(os.environ if environ is None else environ)
    source = read_source(file, "the defaults are used" if before is None else "what was set before stays")
    if isinstance(source, Source):
        reading = _Reading(source, file, before)
        return Loaded(with_values(Settings(), reading.values), few(reading.faults), file, reading.lines)
    nowhere: Mapping[str, int] = MappingProxyType({})
    if source is None:
        return Loaded(Settings(), (), file, nowhere)
    return Loaded(before or Settings(), (source,), file, nowhere)


def guess(key: str) -> str | None:
    """The setting that a wrong key was most likely meant to be; None where none is near."""
    from difflib import get_close_matches

    wanted = key.lower().replace("-", "_")
    known = [name for name in FIELDS if name != "keys"]
    names = {name.rpartition(".")[2]: name for name in reversed(known)}
    last = wanted.rpartition(".")[2]
    if last in names:  # a right name in the wrong table, or in none
        return names[last]
    if near := get_close_matches(wanted, [*known, *TABLES], n=1, cutoff=0.75):
        return near[0]
    near = get_close_matches(last, list(names), n=1, cutoff=0.6)
    return names[near[0]] if near else None


class _Reading:
    """One pass over a settings file.

    Attributes:
        values: dotted key → checked value, for `with_values`.
        faults: what was wrong.
        lines: dotted key → line.
    """

    def __init__(self, source: Source, file: Path, before: Settings | None) -> None:
        self.values: dict[str, Any] = {}
        self.faults: list[Fault] = []
        self.lines: Mapping[str, int] = MappingProxyType(
            {shown_key(entry.path): source.line_at(entry.start) for entry in reversed(source.entries)}
        )
        self._source = source
        self._file = file
        self._kept = before or Settings()
        self._stays = "the default is used" if before is None else "what was set before stays"
        for name, value in source.data.items():
            if name in TABLES:
                self._table(name, value)
            else:
                self._take((name,), value)

    def _table(self, name: str, table: object) -> None:
        if not isinstance(table, Mapping):
            self._fault((name,), f"must be a table, [{name}], not {_described(table)}; {self._stays}")
            kept = {key: field.of(self._kept) for key, field in FIELDS.items() if key.split(".")[0] == name}
            self.values.update(kept)
        elif name == "keys":
            self._keys(table)
        else:
            for inner, value in table.items():
                self._take((name, inner), value)

    def _take(self, place: tuple[str, ...], value: object) -> None:
        """One setting: its value if that is allowed, else what is kept, and a fault."""
        key = ".".join(place)
        field = FIELDS.get(key)
        if field is None:
            near = guess(key) if len(self.faults) < MANY_FAULTS else None
            meant = f"; did you mean {near}?" if near else ""
            self._fault(place, f"is not a setting and is ignored{meant}")
            return
        try:
            self.values[key] = field.kind.check(value)
        except WrongValueError as wrong:
            self.values[key] = field.of(self._kept)
            self._fault(place, f"must be {wrong}, not {_described(value)}; {self._stays}")

    def _keys(self, table: Mapping[str, object]) -> None:
        """`[keys]`: one wrong action leaves the others alone."""
        taken: dict[str, str] = {}
        for action, value in table.items():
            try:
                taken[action] = Keys().check(value)
            except WrongValueError as wrong:
                if action in self._kept.keys:
                    taken[action] = self._kept.keys[action]
                self._fault(("keys", action), f"must be {wrong}, not {_described(value)}; {self._stays}")
        self.values["keys"] = MappingProxyType(taken)

    def _fault(self, place: tuple[str, ...], problem: str) -> None:
        line = self._source.line_of(*place)
        self.faults.append(Fault(problem, self._file, line, shown_key(place)))


def _described(value: object) -> str:
    """A wrong value, for a message: short, and nothing in it that steers a terminal."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, int) and abs(value) >= 10**30:  # str() of a huge one raises (CPython's digit limit)
        return "a number of more than 30 digits"
    return str(value)
