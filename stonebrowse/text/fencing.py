"""The fence around text of documents in what a model is handed.

A model cannot tell text that it is to read from words that it is to follow, unless the border between them cannot be
forged. Here the border holds a random nonce that stands nowhere in the text: nothing in a document can close the
fence, open another, or put words under another citation than its own (CONTRACT section 6).
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.text.citations import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

NONCE_BYTES = 16


class Piece(NamedTuple):
    """Text to stand inside the fence.

    Attributes:
        head: what it is, a citation string in most cases; one line, made so where it is not.
        text: any text.
    """

    head: str
    text: str


class Fenced(NamedTuple):
    """Text inside its fence.

    Attributes:
        nonce: what its borders hold and its text does not.
        text: borders and all; ends with the closing border, without a line end.
    """

    nonce: str
    text: str

    @property
    def opening(self) -> str:
        """The line that opens it."""
        return f"<<<{self.nonce}"

    @property
    def closing(self) -> str:
        """The line that closes it."""
        return f"{self.nonce}>>>"


def fenced(
    pieces: Iterable[Piece | tuple[str, str]],
    make: Callable[[], str] = lambda: secrets.token_hex(NONCE_BYTES),
) -> Fenced:
    """Puts texts into one fence, each below a line with its head.

    Args:
        pieces: heads and texts. An empty head leaves its line out.
        make: makes a nonce; asked again while that stands in a head or a text.
    """
    held = [Piece(escape(head), text) for head, text in pieces]
    nonce = make()
    while any(nonce in each.head or nonce in each.text for each in held):
        nonce = make()
    lines = [f"<<<{nonce}"]
    for number, (head, text) in enumerate(held):
        if number:
            lines.append("")
        if head:
            # The nonce stands here too: a document cannot pretend that another one begins.
            lines.append(f"[{nonce}] {head}")
        lines.append(text)
    return Fenced(nonce, "\n".join((*lines, f"{nonce}>>>")))
