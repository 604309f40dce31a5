"""The command line that opens the user's editor at a line."""

from __future__ import annotations

import os
import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING

from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model import Settings

_GOTO = frozenset({"code", "code-insiders", "codium", "cursor", "windsurf"})
"""Editors that take `--goto PATH:LINE`."""

_COLON = frozenset({"hx", "helix", "subl", "zed", "zeditor"})
"""Editors that take `PATH:LINE`."""


def command_line(
    settings: Settings, path: str, line: int, environ: Mapping[str, str] | None = None
) -> list[str]:
    """The words that start the editor on a file, at a line. No shell reads them.

    The editor is `[editor] command`, else `VISUAL`, else `EDITOR`, else `vi`. In `[editor] command` the
    words may hold `{path}` and `{line}`; where `{path}` stands in none of them, path and line are added as
    the editor is known to take them: `--goto PATH:LINE` (Visual Studio Code and its kin), `PATH:LINE` (Helix,
    Sublime Text, Zed), else `+LINE PATH` (vi, Vim, Neovim, nano, Emacs, Kakoune …).

    Args:
        settings: the settings.
        path: the file's real path.
        line: from 1.
        environ: the environment; None is the process's own.

    Returns:
        Program and arguments.

    Raises:
        InputInvalid: `VISUAL` or `EDITOR` cannot be read as words, such as one with an open quote.
    """
    words = list(settings.editor.command)
    if any("{path}" in word for word in words):
        return [word.replace("{line}", str(line)).replace("{path}", path) for word in words]
    words = words or _from_environment(os.environ if environ is None else environ)
    # A path that begins with a dash or a plus would be read as an option.
    path = path if path.startswith("/") else f"./{path}"
    program = PurePath(words[0]).name
    if program in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    if program in _COLON:
        return [*words, f"{path}:{line}"]
    return [*words, f"+{line}", path]


def _from_environment(environ: Mapping[str, str]) -> list[str]:
    for variable in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(environ.get(variable, ""))
        except ValueError as trouble:
            raise InputInvalid(f"{variable} cannot be read as a command ({trouble}); correct it") from trouble
        if words:
            return words
    return ["vi"]
