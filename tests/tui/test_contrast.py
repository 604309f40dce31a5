"""Every theme as it is drawn: all text on all screens stands out from what is behind it (WCAG 2.2, 1.4.3 and 1.4.6).

What the theme files promise is tested with them; here is what the screens make of it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from stonebrowse.settings.colors import contrast
from stonebrowse.settings.themes import load_all
from tests.tui.desk import browsing

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.library.library import Library
    from tests.tui.desk import Desk

    Make = Callable[..., Library]

FILES = {
    "README.md": """---
title: Everything
---
# Lamps

Some *slanted* and **strong** lamp words, `code of a lamp`, a [link](other.md), a [dead one](nowhere.md) and ~~gone~~.

## Second
### Third

> A quotation about a lamp.

> [!WARNING]
> Hot lamp.

- [x] done
- [ ] open

| lamp | price |
|---|---|
| tall | 5 |

```python
# a lamp
def lamp(n: int = 7) -> str:
    return "lamp" * n
```

<b>HTML</b> and a footnote[^1].

[^1]: About lamps.
""",
    "other.md": "# Other\n\nAnother lamp.\n",
    "deep/three.md": "# Third\n\nNo light.\n",
}
# The whole of it takes a minute: the bases of dark and of light themes and the two of high contrast always, the others,
# whose files are held to the same ratios by the tests of the settings, with STONEBROWSE_LONG.
SHORT = {"lamplight", "daylight", "contrast-dark", "contrast-light"}
NAMES = [
    name
    for name, theme in load_all().found.items()
    if not theme.colors["background"].startswith("ansi_")
    and (name in SHORT or os.environ.get("STONEBROWSE_LONG"))
]
# Ornaments: lines, bars and borders are no text.
ORNAMENTS = frozenset("│─━┃┆┊═║▌▐█▏▎▍▉▊▋▔▁▂▃▄▅▆▇┌┐└┘├┤┬┴┼╭╮╰╯▕")


def drawn(desk: Desk) -> dict[tuple[str, str], str]:
    """Every pair of colours on the screen, and a text that is drawn so."""
    pairs: dict[tuple[str, str], str] = {}
    for strip in desk.app.screen._compositor.render_strips():
        for segment in strip:
            text, style = segment.text.strip(), segment.style
            if not text or style is None or not style.color or not style.bgcolor or set(text) <= ORNAMENTS:
                continue
            front, back = (color.get_truecolor() for color in (style.color, style.bgcolor))
            if style.reverse:
                front, back = back, front
            pairs.setdefault((front.hex, back.hex), text)
    return pairs


STEPS = (
    ("l", "tab", "f"), ("escape", "r", "y"), ("r", "v"), ("escape", "?"), ("escape", ":"), ("escape", "T"),
    ("escape", "tab", "/", "l", "a", "m", "p"),
)  # fmt: skip
"""Keys from screen to screen."""


@pytest.mark.timeout(300)
async def test_text_stands_out_on_every_screen_in_every_theme(make_library: Make) -> None:
    seen: dict[str, dict[tuple[str, str], str]] = {name: {} for name in NAMES}

    async def look(desk: Desk) -> None:
        for name in NAMES:
            desk.app.use_theme(name)
            await desk.pilot.pause()
            seen[name] = drawn(desk) | seen[name]

    async with browsing(make_library(FILES), size=(120, 50)) as desk:
        for keys in STEPS:
            await desk.press(*keys)
            await look(desk)
        for query in ("lamp", "lamq"):
            await desk.search(query)
            await look(desk)
    assert all(len(pairs) > 20 for pairs in seen.values())
    assert not [
        f"{name}: {text[:40]!r} is {front} on {back}, {ratio}"
        for name, pairs in seen.items()
        for (front, back), text in pairs.items()
        if (ratio := contrast(front, back)) is None or ratio < (7.0 if name.startswith("contrast-") else 4.5)
    ]
