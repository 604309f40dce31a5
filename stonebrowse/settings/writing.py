"""Changing one setting in the file, and showing all of them.

A person's comments and layout are theirs: the one value is put into the text where it stands. Only where
that cannot be done (the result is read back and compared) is the file written anew from what it holds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stonebrowse.errors import FolderUnavailable, InputInvalid

from .faults import Fault, quoted
from .kinds import Keys, WrongValueError
from .loading import guess
from .model import FIELDS, Settings
from .sources import Source, read_source

_LEADING_COMMENT = re.compile(r"(?:[ \t]*#[^\n]*\n)+(?=[ \t\r]*(?:\n|\Z))")


def set_value(path: Path, dotted_key: str, text: str) -> Any:
    """Sets one setting in a file and leaves the rest of the file as it is.

    The file is replaced whole or not at all. Folders that are missing are made, for the user alone (0700).
    A link to a file stays a link.

    Args:
        path: the settings file; it need not be there yet.
        dotted_key: the setting, as `reader.width` or `keys.quit`.
        text: the value as a person types it; lists as words, `.md .txt`.

    Returns:
        The value as the setting holds it.

    Raises:
        InputInvalid: no such setting, a value that it cannot have, or a file that is no right TOML and must
            be corrected first.
        FolderUnavailable: the file cannot be written.
    """
    place, value = _checked(dotted_key, text)
    target = Path(os.path.realpath(path))
    try:
        _make_folders(target.parent)
        with _locked(target.parent):
            source = read_source(target, "nothing was changed")
            if isinstance(source, Fault):
                raise InputInvalid(f"{source.message}; correct it first")
            _replace(target, _changed(source or Source("", {}), target, place, _plain(value)))
    except OSError as trouble:
        reason = (trouble.strerror or type(trouble).__name__).lower()
        raise FolderUnavailable(
            f"{path} cannot be written ({reason}); nothing was changed: check the folder and its permissions"
        ) from trouble
    return value


def show(settings: Settings) -> str:
    """All settings as TOML, with a comment at each that says whether it is the default.

    Args:
        settings: what to show.

    Returns:
        TOML text that reads back as the same settings.
    """
    blocks: dict[str, list[str]] = {}
    for key, field in FIELDS.items():
        table, _, name = key.rpartition(".")
        if key == "keys":
            continue
        value = field.of(settings)
        same = value == field.default
        note = "default" if same else f"default: {_literal(_plain(field.default))}"
        blocks.setdefault(table, [f"[{table}]"] if table else []).append(
            f"{name} = {_literal(_plain(value))}  # {note}"
        )
    blocks["keys"] = ["[keys]  # the keys you changed", *_key_lines(settings.keys)]
    return "\n\n".join("\n".join(lines) for lines in blocks.values()) + "\n"


def as_data(settings: Settings) -> dict[str, Any]:
    """All settings as nested tables of plain values, for JSON.

    Args:
        settings: what to show.

    Returns:
        `{"theme": …, "library": {"suffixes": […], …}, …, "keys": {…}}`.
    """
    data: dict[str, Any] = {}
    for key, field in FIELDS.items():
        table, _, name = key.rpartition(".")
        (data.setdefault(table, {}) if table else data)[name] = _plain(field.of(settings))
    return data


def _checked(dotted_key: str, text: str) -> tuple[tuple[str, ...], Any]:
    """The key as its parts, and the value, or `InputInvalid`."""
    table, _, rest = dotted_key.partition(".")
    try:
        if table == "keys" and rest:
            return (table, rest), Keys().parse(text)
        if dotted_key in FIELDS:
            return tuple(dotted_key.split(".")), FIELDS[dotted_key].kind.parse(text)
    except WrongValueError as wrong:
        raise InputInvalid(f"{dotted_key} must be {wrong}, not {quoted(text)}; nothing was changed") from None
    near = guess(dotted_key)
    meant = f"did you mean {near}?" if near else "`stonebrowse config show` lists them all"
    raise InputInvalid(f"{quoted(dotted_key)} is not a setting; {meant}")


def _changed(source: Source, path: Path, place: tuple[str, ...], value: Any) -> str:
    """The file's new text."""
    import tomllib

    expected = _merged(source, path, place, value)
    edited = _edited(source, place, _literal(value))
    try:
        if tomllib.loads(edited) == expected:
            return edited
    except ValueError:
        pass  # an inline table cannot be added to, for one: TOML 1.0.0, "Inline Table"
    import tomli_w

    return tomli_w.dumps(expected)


def _merged(source: Source, path: Path, place: tuple[str, ...], value: Any) -> dict[str, Any]:
    """What the file is to hold."""
    data = dict(source.data)
    if len(place) == 1:
        return {**data, place[0]: value}
    table = data.get(place[0], {})
    if not isinstance(table, Mapping):
        fault = Fault(f"must be a table, [{place[0]}]", path, source.line_of(place[0]), place[0])
        raise InputInvalid(f"{fault.message}; correct it first, nothing was changed")
    return {**data, place[0]: {**table, place[1]: value}}


def _edited(source: Source, place: tuple[str, ...], literal: str) -> str:
    """The text with the value over the old one, else below its table's others, else at the end."""
    text = source.text
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    line = f"{_bare_or_quoted(place[-1])} = {literal}"
    if entry := source.entry(*place):
        return text[: entry.value_start] + literal + text[entry.value_end :]
    table = place[:-1]
    ends = [entry.value_end for entry in source.entries if entry.table == table]
    ends += [header.end for header in source.headers if header.path == table]
    if ends:
        at = text.find("\n", max(ends)) + 1 or len(text)
        before = text[:at] if text[:at].endswith("\n") else text[:at] + end_of_line
        return before + line + end_of_line + text[at:]
    if not table:
        comment = _LEADING_COMMENT.match(text)
        at = comment.end() if comment else 0
        gap = end_of_line if text[at:].strip() and not text[at:].startswith(("\n", "\r")) else ""
        return text[:at] + line + end_of_line + gap + text[at:]
    before = text if text.endswith("\n") or not text else text + end_of_line
    gap = end_of_line if before.strip() else ""
    return f"{before}{gap}[{table[0]}]{end_of_line}{line}{end_of_line}"


def _plain(value: Any) -> Any:
    """A setting's value as TOML and JSON have it."""
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _literal(value: Any) -> str:
    """A value in TOML, a list on one line."""
    import tomli_w

    if isinstance(value, list):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    return tomli_w.dumps({"x": value}).partition("=")[2].strip()


def _bare_or_quoted(key: str) -> str:
    import tomli_w

    return tomli_w.dumps({key: 0}).rpartition("=")[0].strip()


def _key_lines(keys: Mapping[str, str]) -> list[str]:
    return [f"{_bare_or_quoted(action)} = {_literal(key)}" for action, key in sorted(keys.items())]


def _make_folders(folder: Path) -> None:
    """Makes a folder and those above it, each for the user alone, whatever the umask."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):
            each.mkdir(mode=0o700)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keeps a second `config set` waiting, so that neither loses the other's change."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks: then without
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _replace(path: Path, text: str) -> None:
    """Writes a file whole or not at all, with the mode that it had."""
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix=".settings-", dir=path.parent)
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(descriptor)
        if path.exists():
            fresh.chmod(path.stat().st_mode & 0o7777)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
