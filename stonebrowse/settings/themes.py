"""Themes: one TOML file each, those that come with stonebrowse and those of the user.

    about = "What it is like, in a few words."
    dark = true
    base = "lamplight"      # where colours come from that the file does not name

    [colors]
    background = "#12161d"
    …

The theme's name is the file's name without `.toml`. A user's theme takes the place of a shipped one of the
same name. What is wrong in a file is a `Fault`; the colour then comes from the base, and the theme works.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType

from .colors import parse_color
from .faults import MANY_FAULTS, Fault, few, shown_key
from .sources import Source, read_source

COLORS: Mapping[str, str] = MappingProxyType(
    {
        "background": "behind the document",
        "surface": "behind lists, panes and the search line",
        "bar": "behind the status line and the footer",
        "text": "ordinary text",
        "muted": "what matters less: trails, line numbers, hints",
        "accent": "what is to be noticed: keys, counts, the active pane's title",
        "border": "lines between panes, in tables, and rules",
        "focus": "the border of the pane that has the focus",
        "selection": "behind the chosen row of a list, and selected text",
        "selection_text": "text on `selection`",
        "heading1": "headings of level 1",
        "heading2": "headings of level 2",
        "heading3": "headings of level 3 and deeper",
        "link": "links",
        "code": "code in a line",
        "code_background": "behind code",
        "quote": "quotations",
        "hit": "behind the words that were searched",
        "hit_text": "text on `hit`",
        "mark": "behind the passage that was opened",
        "warning": "warnings, and what has changed",
        "error": "errors, and links that lead nowhere",
        "success": "what went well",
        "keyword": "code: keywords",
        "string": "code: strings",
        "number": "code: numbers and constants",
        "function": "code: names of functions, classes and tags",
        "comment": "code: comments",
    }
)
"""Every colour that a theme has, and what it is for. All but the backgrounds and `*_text` stand on
`background`, `surface` or `mark`; those of code on `code_background` too."""

DARK = "lamplight"
"""The theme that `auto` takes on a dark terminal, and the base of dark themes that name none."""

LIGHT = "daylight"
"""The same on a light one."""

ANSI_DARK = "ansi"
"""The theme that `auto` takes where there are sixteen colours or fewer."""

ANSI_LIGHT = "ansi-light"
"""The same on a light terminal."""

_FEW_COLORS = frozenset({"ansi", "cygwin", "linux", "rxvt", "screen", "vt220", "xterm-16color"})
"""Values of `TERM` that promise sixteen colours or fewer."""

_PLAIN_ACCENTS = {
    "selection": "ansi_blue",
    "selection_text": "ansi_bright_white",
    "hit": "ansi_yellow",
    "hit_text": "ansi_black",
}


@dataclass(frozen=True)
class Theme:
    """One theme, every colour parsed."""

    name: str
    """Its name, as `theme` in the settings has it."""

    dark: bool
    """Whether its background is dark."""

    about: str
    """What it is like, in a few words; may be empty. A person wrote it: show it as plain text."""

    colors: Mapping[str, str]
    """A colour for each name of `COLORS`: `#rrggbb`, or `ansi_` and a name (see `colors.parse_color`)."""

    shipped: bool
    """Whether it comes with stonebrowse."""


PLAIN = Theme(
    name="plain",
    dark=True,
    about="No colours but the terminal's own.",
    colors=MappingProxyType({name: _PLAIN_ACCENTS.get(name, "ansi_default") for name in COLORS}),
    shipped=True,
)
"""What is left when no theme file can be read."""


@dataclass(frozen=True)
class Themes:
    """All themes there are, and what was wrong in their files."""

    found: Mapping[str, Theme]
    """By name, in the order of the names."""

    faults: tuple[Fault, ...]
    """What was wrong."""

    def choose(self, wanted: str, environ: Mapping[str, str] | None = None) -> Theme | None:
        """The theme of that name.

        Args:
            wanted: a name, or `auto`: then it goes by the terminal. On a light background, where the terminal
                tells it (`COLORFGBG`), `daylight`, else `lamplight`; `ansi-light` and `ansi` where there are
                sixteen colours or fewer.
            environ: the environment; None is the process's own.

        Returns:
            The theme; None where there is none of that name. `auto` always gives one.
        """
        if wanted != "auto":
            return self.found.get(wanted)
        name = _by_terminal(os.environ if environ is None else environ)
        return self.found.get(name) or self.found.get(DARK) or PLAIN

    def near(self, wanted: str) -> str | None:
        """The name that a wrong one was most likely meant to be."""
        close = get_close_matches(wanted.lower(), list(self.found), n=1)
        return close[0] if close else None


def shipped_folder() -> Path:
    """Where the themes lie that come with stonebrowse: in the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "themes"
    return installed if installed.is_dir() else package.parent / "themes"


def load_all(user_folder: Path | None = None) -> Themes:
    """Reads every theme. Nothing that a file may hold makes it raise.

    Args:
        user_folder: the user's themes (`places.themes_folder()`); it need not be there. None: no user's.

    Returns:
        The themes and the faults. `found` is never empty.
    """
    found: dict[str, Theme] = {}
    faults: list[Fault] = []
    shipped: dict[str, Theme] = {}
    for folder, ours in ((shipped_folder(), True), (user_folder, False)):
        if folder is None:
            continue
        for file in _theme_files(folder, faults):
            source = read_source(file, "this theme is left out")
            if isinstance(source, Source):
                reading = _Reading(source, file, shipped, ours=ours)
                found[file.stem] = reading.theme()
                faults.extend(few(reading.faults))
            elif source is not None:
                faults.append(source)
        if ours:
            shipped = dict(found)
    if not shipped:
        faults.append(
            Fault("holds none of the themes that come with stonebrowse; reinstall", shipped_folder())
        )
    ordered = dict(sorted(found.items())) or {PLAIN.name: PLAIN}
    return Themes(MappingProxyType(ordered), tuple(faults))


class _Reading:
    """One theme file.

    Attributes:
        faults: what was wrong in it, once `theme` was called.
    """

    def __init__(self, source: Source, file: Path, shipped: Mapping[str, Theme], *, ours: bool) -> None:
        self.faults: list[Fault] = []
        self._source = source
        self._file = file
        self._shipped = shipped
        self._ours = ours

    def theme(self) -> Theme:
        data = self._source.data
        for key in data:
            if key not in {"about", "dark", "base", "colors"}:
                self._fault((key,), self._unknown(key, ("about", "dark", "base", "colors")))
        base = self._base()
        dark = data.get("dark", base.dark)
        if not isinstance(dark, bool):
            self._fault(("dark",), "must be true or false")
            dark = base.dark
        about = data.get("about", "")
        if not isinstance(about, str):
            self._fault(("about",), "must be text in quotes")
            about = ""
        return Theme(self._file.stem, dark, about, self._colors(base), self._ours)

    def _base(self) -> Theme:
        """The theme it names, else the shipped one whose place it takes, else the dark or the light one."""
        wanted = self._source.data.get("base", self._file.stem)
        base = self._shipped.get(wanted) if isinstance(wanted, str) else None
        if base is None and "base" in self._source.data:
            names = ", ".join(self._shipped)
            self._fault(("base",), f"must be a theme that comes with stonebrowse: {names}")
        light = self._source.data.get("dark") is False
        return base or self._shipped.get(LIGHT if light else DARK, PLAIN)

    def _colors(self, base: Theme) -> Mapping[str, str]:
        table = self._source.data.get("colors", {})
        if not isinstance(table, Mapping):
            self._fault(("colors",), "must be a table, [colors]")
            table = {}
        colors = dict(base.colors)
        for name, value in table.items():
            if name not in COLORS:
                self._fault(("colors", name), self._unknown(name, tuple(COLORS)))
                continue
            try:
                colors[name] = parse_color(value)
            except ValueError as wrong:
                self._fault(("colors", name), f"{wrong}; that of {base.name} is used")
        return MappingProxyType(colors)

    def _unknown(self, key: str, known: tuple[str, ...]) -> str:
        close = get_close_matches(key.lower(), known, n=1) if len(self.faults) < MANY_FAULTS else []
        return "is not known and is ignored" + (f"; did you mean {close[0]}?" if close else "")

    def _fault(self, place: tuple[str, ...], problem: str) -> None:
        self.faults.append(Fault(problem, self._file, self._source.line_of(*place), shown_key(place)))


def _theme_files(folder: Path, faults: list[Fault]) -> list[Path]:
    """The theme files of a folder, by name. A folder that is not there holds none."""
    try:
        files = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as trouble:
        reason = (trouble.strerror or type(trouble).__name__).lower()
        faults.append(Fault(f"cannot be read ({reason}); its themes are left out", folder))
        return []
    return [file for file in files if file.suffix == ".toml" and _usable(file.stem)]


def _usable(name: str) -> bool:
    """Whether a file's name can be a theme's. Hidden files are an editor's, or nobody's."""
    return name.isprintable() and not name.startswith(".")


def _by_terminal(environ: Mapping[str, str]) -> str:
    """What `auto` is here."""
    # COLORFGBG is "foreground;background" or "foreground;…;background", numbers of the sixteen colours
    # (rxvt's own convention, read so by Vim): 7 and 9 to 15 are light.
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    light = background in {"7", "9", "10", "11", "12", "13", "14", "15"}
    rich = environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"}
    if not rich and environ.get("TERM", "") in _FEW_COLORS:
        return ANSI_LIGHT if light else ANSI_DARK
    return LIGHT if light else DARK
