"""Where a place of one version stands in another: what keeps the page still while its file is edited."""

from __future__ import annotations

from typing import Protocol

AROUND_BYTES = 256
NEAR_BYTES = 1 << 16
LONGEST_LINE_BYTES = 400
MOST_LINES = 40


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
    where it is the same there (the edit was above); else the nearest place where the line stands, or where
    it stood above one of the lines that follow it; else the nearest offset. Reads at most a few hundred KB.

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
    lead = before.read(offset - LONGEST_LINE_BYTES, offset)
    base = offset - len(lead) + lead.rfind(b"\n") + 1
    for number, line, distance in _lines(before.read(base, base + NEAR_BYTES // 8)):
        found = _nearest(after, line, offset + distance, moved + distance)
        if found is not None:
            return found + offset - base if not number else _lines_above(after, found, number)
    return max(0, min(offset, after.size))


def _same_around(before: Source, after: Source, offset: int, place: int) -> bool:
    if not 0 <= place <= after.size:
        return False
    lead = min(offset, place, AROUND_BYTES)
    above = before.read(offset - lead, offset) == after.read(place - lead, place)
    return above and before.read(offset, offset + AROUND_BYTES) == after.read(place, place + AROUND_BYTES)


def _lines(text: bytes) -> list[tuple[int, bytes, int]]:
    """The lines that say something: how many lines stand before each, the line, its distance in bytes."""
    lines, at = [], 0
    for number, line in enumerate(text.split(b"\n")[:MOST_LINES]):
        if line.strip():
            lines.append((number, line[:LONGEST_LINE_BYTES], at))
        at += len(line) + 1
    return lines


def _lines_above(after: Source, offset: int, count: int) -> int:
    """The beginning of the line that stands so many lines above: there what was edited stands now."""
    above = after.read(offset - NEAR_BYTES, offset)
    at = len(above)
    for _ in range(count + 1):
        at = above.rfind(b"\n", 0, max(0, at))
        if at < 0:
            return max(0, offset - len(above))
    return offset - len(above) + at + 1


def _nearest(after: Source, line: bytes, *guesses: int) -> int | None:
    """Where a line begins in a text, nearest to one of the guesses; only near them is looked."""
    best: tuple[int, int] | None = None
    for guess in guesses:
        low = max(0, guess - NEAR_BYTES)
        text = after.read(low, guess + NEAR_BYTES)
        at = text.find(line)
        while at >= 0:
            end = at + len(line)
            whole = len(line) == LONGEST_LINE_BYTES or text[end : end + 1] in (b"", b"\n")
            if whole and (at == 0 or text[at - 1 : at] in (b"\n", b"\r")):
                distance = abs(low + at - guess)
                if best is None or distance < best[0]:
                    best = (distance, low + at)
            at = text.find(line, at + 1)
    return best[1] if best else None
