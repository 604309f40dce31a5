"""What a person chooses: settings and themes in TOML, and the places of the user's folders.

Here live the settings' fields with their defaults and what each may hold (`model`, `kinds`), reading and
changing the settings file (`sources`, `loading`, `writing`), themes and their colours (`themes`,
`colors`), the XDG base folders (`places`) and the editor's command line (`editor`).

Here may not live: anything that shows or applies a setting. This room knows neither the terminal nor
Textual, neither the store nor the index, and never reads the browsed folder.

Units: lengths in bytes (`max_file_bytes`), times in seconds (`poll_seconds`), widths in terminal columns;
lines count from 1; a colour is `#rrggbb` or the name of one of the terminal's own (`ansi_…`).

What is wrong in a file that a person wrote is a `Fault`, a value; the program opens all the same. Only
`set_value`, which a person calls and waits for, raises.
"""

from __future__ import annotations

from .faults import Fault
from .loading import Loaded, load
from .model import (
    FIELDS,
    EditorSettings,
    LibrarySettings,
    ReaderSettings,
    SearchSettings,
    Settings,
    WatchSettings,
)
from .writing import set_value, show

__all__ = [
    "FIELDS",
    "EditorSettings",
    "Fault",
    "LibrarySettings",
    "Loaded",
    "ReaderSettings",
    "SearchSettings",
    "Settings",
    "WatchSettings",
    "load",
    "set_value",
    "show",
]
