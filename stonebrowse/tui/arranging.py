"""Which panes stand on the screen, and how wide: from its size, and from where the person is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Pane = Literal["list", "document", "outline"]

THREE_PANES = 100
TWO_PANES = 60
OUTLINE_WIDTH = 26
WIDEST_OUTLINE = 38
LOW = 9


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What is shown.

    Attributes:
        list_width: cells of the left pane; 0 where it is not shown, -1 where it has the whole width.
        outline_width: the same for the outline.
        document: whether the page is shown.
        titles: whether each pane has a line with its name.
        keys: whether the line of keys is shown.
    """

    list_width: int
    outline_width: int
    document: bool
    titles: bool
    keys: bool

    def shows(self, pane: Pane) -> bool:
        """Whether a pane is on the screen."""
        return {"list": self.list_width, "document": self.document, "outline": self.outline_width}[pane] != 0


def arrange(width: int, height: int, at: Pane, *, alone: bool = False) -> Arrangement:
    """The panes for a screen.

    From 100 columns three panes, from 60 two (the outline takes the list's place while it is in use), below
    one: that in which the person is.

    Args:
        width: columns of the screen.
        height: its rows.
        at: the pane in which the person is.
        alone: the page alone was asked for.
    """
    titles, keys = height >= LOW, height >= LOW
    if width < TWO_PANES or alone:
        whole = {"list": (-1, 0), "outline": (0, -1), "document": (0, 0)}[at]
        return Arrangement(*whole, document=at == "document", titles=titles, keys=keys)
    left = max(24, width * 35 // 100)
    if width < THREE_PANES:
        sides = (0, left) if at == "outline" else (left, 0)
        return Arrangement(*sides, document=True, titles=titles, keys=keys)
    outline = min(WIDEST_OUTLINE, max(OUTLINE_WIDTH, width * 18 // 100))
    return Arrangement(left, outline, document=True, titles=titles, keys=keys)
