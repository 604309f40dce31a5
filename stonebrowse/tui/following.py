"""Where a place of one version stands in another: what keeps the page still while its file is edited."""

from __future__ import annotations

from typing import Protocol

AROUND_BYTES = 256
NEAR_BYTES = 1 << 16
LONGEST_LINE_BYTES = 400


class Source(Protocol):
    """A text that is read in pieces."""

    @property
    def size(self) -> int:
        """Its bytes."""

    def read(self, start: int, end: int) -> bytes:
        """The bytes of a span, clipped to the text."""


def follow(before: Source, after: Source, offset: int) -> int:
    """The offset in another version that shows what an offset showed.

    The same offset where the text around it is the same; the offset moved by the difference of the sizes
    where it is the same there (the edit was above); else the nearest place where the line stands, or one of
    the lines that follow or precede it; else the nearest offset. Reads at most a few hundred KB.

    Args:
        before: the version that is shown.
        after: the version that is to be shown.
        offset: in `before`, in bytes.
    """
    offset = min(offset, before.size)
    moved = offset + after.size - before.size
    for place in (offset, moved):
        if _same_around(before, after, offset, place):
            return place
    start = before.read(offset - LONGEST_LINE_BYTES, offset).rfind(b"\n") + 1
    base = offset - len(before.read(offset - LONGEST_LINE_BYTES, offset)) + start
    below = before.read(base, base + NEAR_BYTES // 8)
    for line, distance in _lines(below):
        if (found := _nearest(after, line, offset + distance, moved + distance)) is not None:
            # The lines that the place itself stood in are gone: what followed them takes their place.
            return max(0, found if distance else found + offset - base)
    return max(0, min(offset, after.size))


def _same_around(before: Source, after: Source, offset: int, place: int) -> bool:
    if not 0 <= place <= after.size:
        return False
    lead = min(offset, place, AROUND_BYTES)
    above = before.read(offset - lead, offset) == after.read(place - lead, place)
    return above and before.read(offset, offset + AROUND_BYTES) == after.read(place, place + AROUND_BYTES)


def _lines(text: bytes) -> list[tuple[bytes, int]]:
    """The lines that say something, each with its distance from the beginning."""
    lines, at = [], 0
    for line in text.split(b"\n")[:40]:
        if line.strip():
            lines.append((line[:LONGEST_LINE_BYTES], at))
        at += len(line) + 1
    return lines


def _nearest(after: Source, line: bytes, *guesses: int) -> int | None:
    """Where a line begins in a text, nearest to one of the guesses; only near them is looked."""
    best: tuple[int, int] | None = None
    for guess in guesses:
        low = max(0, guess - NEAR_BYTES)
        text = after.read(low, guess + NEAR_BYTES)
        at = text.find(line)
        while at >= 0:
            if at == 0 or text[at - 1 : at] in (b"\n", b"\r"):
                distance = abs(low + at - guess)
                if best is None or distance < best[0]:
                    best = (distance, low + at)
            at = text.find(line, at + 1)
    return best[1] if best else None
