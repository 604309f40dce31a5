"""The model between parsing and painting: spans, logical lines, rows.

A style is a string of names from `styles.STYLES`, joined by spaces, outermost first: ``"quote strong"``.
Texts in spans have passed `safety`: they hold no control characters and each character's width is certain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Link:
    """One link in the document. Two links with the same target are two links.

    Attributes:
        target: where it leads, as written in the document: a path, an URL, ``#anchor``, ``[[wiki]]``, or
            ``#^label`` for a footnote.
    """

    __slots__ = ("target",)

    def __init__(self, target: str) -> None:
        self.target = target

    def __repr__(self) -> str:
        return f"Link({self.target!r})"


class Span(NamedTuple):
    """A piece of text in one style.

    Attributes:
        text: what is shown.
        style: names of styles, joined by spaces, outermost first.
        link: the link it belongs to.
        at: byte offset in the document of its first character; -1 where it has none of its own.
    """

    text: str
    style: str = ""
    link: Link | None = None
    at: int = -1


Wrap = Literal["words", "cells", "clip"]


@dataclass(slots=True)
class Line:
    """A logical line, before wrapping.

    Attributes:
        spans: its text.
        start: byte offset of where it stands in the document.
        end: byte offset of where its source ends; rows between are placed by proportion where spans do
            not say.
        first: prefix of its first row (a bullet, the bar of a quote).
        rest: prefix of its other rows.
        wrap: at words, at any cell (code), or not at all: cut at the right end.
        fill: style that fills the row to the right end, or "".
        pad: whether it is only space between blocks.
        rule: a character that fills the rest of the row, or "".
    """

    spans: list[Span]
    start: int
    end: int = -1
    first: tuple[Span, ...] = ()
    rest: tuple[Span, ...] = ()
    wrap: Wrap = "words"
    fill: str = ""
    pad: bool = False
    rule: str = ""


@dataclass(slots=True)
class Row:
    """One row on the screen.

    Attributes:
        spans: its text, prefix included.
        start: byte offset of its first character in the document.
        width: its cells.
        fill: style that fills it to the right end, or "".
        pad: whether it is only space between blocks.
        fixed: cells at its left that stay when it is moved sideways; -1 where it is never moved.
    """

    spans: list[Span] = field(default_factory=list)
    start: int = 0
    width: int = 0
    fill: str = ""
    pad: bool = False
    fixed: int = -1
