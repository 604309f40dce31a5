"""Colours of a theme: how they are written, and how well two of them can be told apart.

A colour is `#rgb`, `#rrggbb`, or the name of one of the terminal's own: `default`, eight colours and their
`bright_` forms. It is held in one form: `#rrggbb` in lower case, or `ansi_` and the name, which is how
Textual spells them too.
"""

from __future__ import annotations

import re

from .faults import quoted

ANSI_NAMES: tuple[str, ...] = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright_black", "bright_red", "bright_green", "bright_yellow",
    "bright_blue", "bright_magenta", "bright_cyan", "bright_white",
)  # fmt: skip
"""The sixteen colours that a terminal's user chooses, in the order of their numbers (ECMA-48, SGR)."""

_XTERM = (
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
)  # fmt: skip
"""What xterm makes of them by default, in the same order."""

_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")


def parse_color(value: object) -> str:
    """Reads a colour.

    Args:
        value: what a theme file says.

    Returns:
        `#rrggbb`, or `ansi_default`, `ansi_red`, `ansi_bright_red` …

    Raises:
        ValueError: it is none; the message says what is allowed.
    """
    if isinstance(value, str):
        word = value.strip().lower()
        if _HEX.fullmatch(word):
            return word if len(word) == 7 else "#" + "".join(digit * 2 for digit in word[1:])
        name = word.removeprefix("ansi_").replace("-", "_")
        if name == "default" or name in ANSI_NAMES:
            return f"ansi_{name}"
        shown = quoted(value)
    else:
        shown = "a value without quotes"
    raise ValueError(f'must be a colour such as "#ffcc66", "red", "bright_blue" or "default", not {shown}')


def is_ansi(color: str) -> bool:
    """Whether a parsed colour is one of the terminal's own."""
    return color.startswith("ansi_")


def contrast(first: str, second: str) -> float | None:
    """The contrast of two parsed colours (WCAG 2.2, "contrast ratio"), from 1 to 21.

    The terminal's own colours count as xterm shows them.

    Returns:
        The ratio, whichever is lighter; None where one is the terminal's default, which nobody knows.
    """
    values = [_luminance(color) for color in (first, second) if color != "ansi_default"]
    if len(values) < 2:
        return None
    return (max(values) + 0.05) / (min(values) + 0.05)


def _luminance(color: str) -> float:
    """Relative luminance (WCAG 2.2, "relative luminance"), 0 to 1."""
    shown = _XTERM[ANSI_NAMES.index(color.removeprefix("ansi_"))] if is_ansi(color) else color
    red, green, blue = (_linear(int(shown[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
