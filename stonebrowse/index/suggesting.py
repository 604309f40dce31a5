"""The words of an index that are spelt nearly like another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.index.fields import term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stonebrowse.index.segment import Segment

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
# A word of so few letters is near to too many others.
LEAST_LETTERS = 3
MOST = 5


def nearest(segments: Sequence[Segment], word: str, *, most: int = MOST) -> list[str]:
    """The words nearest to one that stands nowhere, those first that the most passages hold.

    Those with one letter wrong, missing, too much or in its neighbour's place; only where there are none, those
    with two such faults that begin alike.

    Args:
        segments: where to look.
        word: folded.
        most: how many words at most.
    """
    if len(word) < LEAST_LETTERS or any(segment.find(term("text", word)) >= 0 for segment in segments):
        return []
    counts = _counted(segments, _one_fault(word))
    if not counts and len(word) > LEAST_LETTERS + 1:
        counts = _counted(segments, set(_two_faults(segments, word)))
    return sorted(counts, key=lambda near: (-counts[near], near))[:most]


def _counted(segments: Iterable[Segment], words: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for near in words:
        held = term("text", near)
        for segment in segments:
            number = segment.find(held)
            if number >= 0:
                counts[near] = counts.get(near, 0) + segment.count(number)
    return counts


def _one_fault(word: str) -> set[str]:
    letters = set(_LETTERS).union(word)
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {a + b[1:] for a, b in halves if b}
    found |= {a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1}
    found |= {a + letter + b[1:] for a, b in halves if b for letter in letters}
    found |= {a + letter + b for a, b in halves for letter in letters}
    return found - {word, ""}


def _two_faults(segments: Iterable[Segment], word: str) -> Iterator[str]:
    """Words that begin alike, are about as long, and are at most two faults away."""
    for segment in segments:
        for number in range(*segment.beginning(term("text", word[:2]))):
            text = segment.term(number)
            if abs(len(text) - len(word)) <= 2:
                near = text.decode()
                if _distance(word, near) <= 2:
                    yield near


def _distance(one: str, other: str) -> int:
    """How many letters must be changed, left out, put in, or swapped with the next (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        row = [i]
        for j, b in enumerate(other, start=1):
            least = min(row[-1] + 1, last[j] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]
