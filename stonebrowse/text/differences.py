"""Differences of two sequences: of the lines of two texts, of the words of two lines. Bounded in work.

Equal ends are taken off, lines that stand exactly once on both sides hold the rest together (Bram Cohen's
"patience diff"), and what is left between them is compared exactly by the longest common subsequence as long as
that is cheap. Where the work would grow beyond its bound, a stretch counts as replaced whole: every answer is
a true way from the old to the new, only perhaps not the shortest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.text.lines import LINE_END

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

WORK: Final = 2_000_000
"""How many elements or pairs of elements one comparison may look at: about half a second."""
_PAIRS: Final = 1 << 16
"""The most pairs of one stretch that are compared exactly."""
_LONGEST_LINE: Final = 8_192
"""Characters of a line that is still compared word by word."""
_ALIKE: Final = 0.3
"""Lines with a smaller share of equal characters are shown as replaced: marks all over them say nothing."""
_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")


class Run(NamedTuple):
    """A stretch of the old [old_start, old_end) and what stands for it in the new [new_start, new_end)."""

    equal: bool
    old_start: int
    old_end: int
    new_start: int
    new_end: int


class _Work:
    """What may still be spent."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, amount: int) -> bool:
        if amount > self.left:
            return False
        self.left -= amount
        return True


def split_lines(text: bytes) -> list[bytes]:
    """The lines of a text, each with its line end; a text that ends in one has no empty line after it."""
    ends = [0, *(found.end() for found in LINE_END.finditer(text))]
    if ends[-1] < len(text):
        ends.append(len(text))
    return [text[start:end] for start, end in pairwise(ends)]


def runs(old: Sequence[Hashable], new: Sequence[Hashable], work: int = WORK) -> list[Run]:
    """How the old becomes the new.

    Args:
        old: lines, words, or anything that can be compared.
        new: the same.
        work: how many elements or pairs may be looked at.

    Returns:
        Runs in order that cover both sides; equal and other ones alternate.
    """
    found: list[Run] = []
    old_done = new_done = 0
    for old_at, new_at, length in [*_blocks(old, new, _Work(work)), (len(old), len(new), 0)]:
        if old_at > old_done or new_at > new_done:
            found.append(Run(False, old_done, old_at, new_done, new_at))
        old_done, new_done = old_at + length, new_at + length
        if length:
            if found and found[-1].equal:
                before = found.pop()
                found.append(Run(True, before.old_start, old_done, before.new_start, new_done))
            else:
                found.append(Run(True, old_at, old_done, new_at, new_done))
    return found


def _blocks(old: Sequence[Hashable], new: Sequence[Hashable], work: _Work) -> Iterator[tuple[int, int, int]]:
    """Equal stretches in order: where they begin in the old and in the new, and how long they are."""
    pending = [(0, len(old), 0, len(new))]
    while pending:
        old_start, old_end, new_start, new_end = pending.pop()
        if old_start < 0:  # an equal stretch that waited for what stands before it
            yield -old_start - 1, new_start, new_end - new_start
            continue
        size = _common(old, new, old_start, old_end, new_start, new_end)
        if size:
            yield old_start, new_start, size
            old_start, new_start = old_start + size, new_start + size
        tail = _common_tail(old, new, old_start, old_end, new_start, new_end)
        if tail:
            pending.append((-(old_end - tail) - 1, 0, new_end - tail, new_end))
            old_end, new_end = old_end - tail, new_end - tail
        if old_start == old_end or new_start == new_end:
            continue
        if not work.spend(old_end - old_start + new_end - new_start):
            continue
        anchors = _anchors(old, new, old_start, old_end, new_start, new_end)
        if anchors:
            corners = [*anchors, (old_end, new_end)]
            for (old_at, new_at), (old_next, new_next) in reversed(list(pairwise(corners))):
                pending.append((old_at + 1, old_next, new_at + 1, new_next))
                pending.append((-old_at - 1, 0, new_at, new_at + 1))
            pending.append((old_start, anchors[0][0], new_start, anchors[0][1]))
        else:
            pairs = (old_end - old_start) * (new_end - new_start)
            if pairs <= _PAIRS and work.spend(pairs):
                yield from _longest(old, new, old_start, old_end, new_start, new_end)


def _common(
    old: Sequence[Hashable], new: Sequence[Hashable], old_at: int, old_end: int, new_at: int, new_end: int
) -> int:
    size, most = 0, min(old_end - old_at, new_end - new_at)
    while size < most and old[old_at + size] == new[new_at + size]:
        size += 1
    return size


def _common_tail(
    old: Sequence[Hashable], new: Sequence[Hashable], old_at: int, old_end: int, new_at: int, new_end: int
) -> int:
    size, most = 0, min(old_end - old_at, new_end - new_at)
    while size < most and old[old_end - 1 - size] == new[new_end - 1 - size]:
        size += 1
    return size


def _anchors(
    old: Sequence[Hashable], new: Sequence[Hashable], old_at: int, old_end: int, new_at: int, new_end: int
) -> list[tuple[int, int]]:
    """The longest rising row of elements that stand once in each of the two stretches."""
    counts = Counter(old[index] for index in range(old_at, old_end))
    others = Counter(new[index] for index in range(new_at, new_end))
    places = {
        new[index]: index
        for index in range(new_at, new_end)
        if others[new[index]] == 1 and counts[new[index]] == 1
    }
    piles: list[int] = []  # the smallest end of a rising row of each length
    tops: list[int] = []
    pairs: list[tuple[int, int, int]] = []
    for index in range(old_at, old_end):
        place = places.get(old[index])
        if place is None:
            continue
        pile = bisect_left(piles, place)
        pairs.append((index, place, tops[pile - 1] if pile else -1))
        if pile == len(piles):
            piles.append(place)
            tops.append(len(pairs) - 1)
        else:
            piles[pile], tops[pile] = place, len(pairs) - 1
    row: list[tuple[int, int]] = []
    at = tops[-1] if tops else -1
    while at >= 0:
        index, place, at = pairs[at]
        row.append((index, place))
    return row[::-1]


def _longest(
    old: Sequence[Hashable], new: Sequence[Hashable], old_at: int, old_end: int, new_at: int, new_end: int
) -> Iterator[tuple[int, int, int]]:
    """A longest common subsequence, element by element: exact, in as many steps as there are pairs."""
    width = new_end - new_at
    rows = [[0] * (width + 1)]
    for index in range(old_end - 1, old_at - 1, -1):
        below, element, row = rows[-1], old[index], [0] * (width + 1)
        for column in range(width - 1, -1, -1):
            if element == new[new_at + column]:
                row[column] = below[column + 1] + 1
            else:
                row[column] = max(below[column], row[column + 1])
        rows.append(row)
    rows.reverse()
    index, column = 0, 0
    while index < old_end - old_at and column < width:
        if old[old_at + index] == new[new_at + column]:
            yield old_at + index, new_at + column, 1
            index, column = index + 1, column + 1
        elif rows[index + 1][column] >= rows[index][column + 1]:
            index += 1
        else:
            column += 1


Marks = tuple[tuple[int, int], ...]


def word_marks(old: str, new: str) -> tuple[Marks, Marks] | None:
    """What changed inside a line.

    Returns:
        For the old and the new line the stretches [start, end) of characters that the other one has not; None
        where the two have so little in common, or are so long, that they are better shown as replaced.
    """
    if len(old) > _LONGEST_LINE or len(new) > _LONGEST_LINE:
        return None
    old_words, new_words = _WORD.findall(old), _WORD.findall(new)
    old_starts, new_starts = _starts(old_words), _starts(new_words)
    found = runs(old_words, new_words, work=_PAIRS)
    # Blanks alone make no two lines alike.
    same = sum(
        len(word.strip()) for run in found if run.equal for word in old_words[run.old_start : run.old_end]
    )
    if same < _ALIKE * max(len(old.strip()), len(new.strip())):
        return None
    changed = [run for run in found if not run.equal]
    return (
        tuple(
            (old_starts[run.old_start], old_starts[run.old_end])
            for run in changed
            if run.old_start < run.old_end
        ),
        tuple(
            (new_starts[run.new_start], new_starts[run.new_end])
            for run in changed
            if run.new_start < run.new_end
        ),
    )


def _starts(words: list[str]) -> list[int]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return starts
