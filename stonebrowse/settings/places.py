"""Where things of the user's lie: the XDG base folders (XDG Base Directory Specification 0.8).

A variable that is empty or holds a relative path is taken as not set, as the specification asks. Nothing
here makes a folder.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PROGRAM = "stonebrowse"
"""The name of our folder in each base folder."""

_MAX_NAME_BYTES = 200
"""How much of a folder's name a store's name takes, so that both fit into the 255 bytes of a file name."""


def data_folder(environ: Mapping[str, str] | None = None) -> Path:
    """`$XDG_DATA_HOME/stonebrowse`: the stores, which must not be lost."""
    return _base("XDG_DATA_HOME", ".local/share", environ)


def state_folder(environ: Mapping[str, str] | None = None) -> Path:
    """`$XDG_STATE_HOME/stonebrowse`: the log, and what a session remembers."""
    return _base("XDG_STATE_HOME", ".local/state", environ)


def config_folder(environ: Mapping[str, str] | None = None) -> Path:
    """`$XDG_CONFIG_HOME/stonebrowse`: settings and themes."""
    return _base("XDG_CONFIG_HOME", ".config", environ)


def cache_folder(environ: Mapping[str, str] | None = None) -> Path:
    """`$XDG_CACHE_HOME/stonebrowse`: what may be deleted at any time."""
    return _base("XDG_CACHE_HOME", ".cache", environ)


def settings_file(environ: Mapping[str, str] | None = None) -> Path:
    """The user's settings file."""
    return config_folder(environ) / "settings.toml"


def themes_folder(environ: Mapping[str, str] | None = None) -> Path:
    """The folder of the user's own themes."""
    return config_folder(environ) / "themes"


def log_file(environ: Mapping[str, str] | None = None) -> Path:
    """The log that a message of a fault in stonebrowse itself points to."""
    return state_folder(environ) / f"{PROGRAM}.log"


def store_place(folder_real_path: bytes, environ: Mapping[str, str] | None = None) -> Path:
    """The store of a library: `$XDG_DATA_HOME/stonebrowse/<folder name>-<8 hex of its real path's sha256>`.

    Args:
        folder_real_path: the folder's real path, links resolved, as the system spells it.
        environ: the environment; None is the process's own.

    Returns:
        The path. Two folders never share one; the name in it is for people, so characters that do not
        print and bytes that are no UTF-8 are `_` there, and a long one is cut.
    """
    path = folder_real_path.rstrip(b"/") or b"/"
    spelled = path.rpartition(b"/")[2].decode("utf-8", "replace").replace("\N{REPLACEMENT CHARACTER}", "_")
    name = "".join(character if character.isprintable() else "_" for character in spelled) or "root"
    name = name.encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore")
    return data_folder(environ) / f"{name}-{sha256(path).hexdigest()[:8]}"


def home_folder(environ: Mapping[str, str] | None = None) -> Path:
    """The user's home: `HOME`, else what the system's user list says, else `/`.

    The last is what a container does for a user that is on no list: reading finds nothing there, and
    writing says that it may not.
    """
    given = (os.environ if environ is None else environ).get("HOME", "")
    if given.startswith("/"):
        return Path(given)
    import pwd

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir or "/")
    except KeyError:
        return Path("/")


def _base(variable: str, default: str, environ: Mapping[str, str] | None) -> Path:
    given = (os.environ if environ is None else environ).get(variable, "")
    base = Path(given) if given.startswith("/") else home_folder(environ) / default
    return base / PROGRAM
