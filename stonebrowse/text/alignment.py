"""Which section of one version is which of another.

Found by what is equal, never by what is alike: the same text between the same neighbours, the same text
elsewhere, the same headings above, the same text under another heading. Texts are compared without blank
lines at their end, line ends taken alike (CONTRACT section 5, `check`).

The text of a section is its own, from its heading to the next heading of any level.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from stonebrowse.text.citations import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from stonebrowse.text.passages import Cut

Kind = Literal["unchanged", "moved", "edited", "ambiguous", "removed"]

_NONE = -1
_ASIDE = -2
_HEADING_LINES = re.compile(rb"\A[^\n]*(?:\n[ \t]*(?:=+|-+)[ \t]*(?=\n|\Z))?")


class Fate(NamedTuple):
    """What became of one section of the old version.

    Attributes:
        kind: unchanged: the same text below the same headings, in the same order; moved: the same text
            elsewhere; edited: the section is there, with another text; ambiguous: its text stands in several
            places, none of which is its own; removed: it is not there.
        new: the index of the section in the new version; None where it is ambiguous or removed.
        candidates: where it is ambiguous: the indices of all sections with its text.
    """

    kind: Kind
    new: int | None
    candidates: tuple[int, ...] = ()


class Alignment(NamedTuple):
    """Two versions, section by section.

    Attributes:
        fates: of each section of the old version, in its order.
        added: the sections of the new version that were none of the old, in their order.
    """

    fates: list[Fate]
    added: list[int]


def align(old: bytes, old_cut: Cut, new: bytes, new_cut: Cut) -> Alignment:
    """Finds what became of each section.

    Args:
        old: the text of one version.
        old_cut: how it is cut.
        new: the text of the other.
        new_cut: how that is cut.
    """
    before, after = _Side(old, old_cut), _Side(new, new_cut)
    pairs = _Pairs(len(before.texts), len(after.texts))
    _in_order(before.texts, after.texts, pairs)
    ordered = set(_rising([(i, j) for i, j in enumerate(pairs.new) if j >= 0]))
    for old_key, new_key in ((before.placed, after.placed), (before.text, after.text)):
        pairs.pair_in_gaps(old_key, new_key)
        pairs.pair(old_key, new_key)
    same = [j >= 0 for j in pairs.new]
    unclear = pairs.set_aside(before.text, after.text)
    for old_key, new_key in ((before.trail, after.trail), (before.name, after.name)):
        pairs.pair_in_gaps(old_key, new_key)
        pairs.pair(old_key, new_key)
    pairs.pair(before.body, after.body)
    fates = []
    for i, j in enumerate(pairs.new):
        if i in unclear:
            fates.append(Fate("ambiguous", None, unclear[i]))
        elif j < 0:
            fates.append(Fate("removed", None))
        elif not same[i]:
            fates.append(Fate("edited", j))
        elif (i, j) in ordered and before.trail(i) == after.trail(j):
            fates.append(Fate("unchanged", j))
        else:
            fates.append(Fate("moved", j))
    return Alignment(fates, [j for j, i in enumerate(pairs.old) if i < 0])


def normal(text: bytes) -> bytes:
    """A text as it is compared: LF line ends, no blank lines at its end."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # Not by a pattern: that would be tried at each line end.
    bare = text.rstrip(b" \t\n")
    end = text.find(b"\n", len(bare))
    return text if end < 0 else text[:end]


class _Side:
    """The sections of one version, and what they are known by."""

    def __init__(self, text: bytes, cut: Cut) -> None:
        self._text = text
        self.sections = list(cut.sections())
        self.texts = [_hashed(normal(text[each.start : each.end])) for each in self.sections]
        self._trails: list[tuple[str, ...]] = []
        for each in self.sections:  # those above come first
            above = self._trails[each.parent] if each.parent >= 0 else ()
            heading = escape(each.heading)
            self._trails.append((*above, heading) if heading else above)

    def text(self, index: int) -> Hashable:
        """Its text."""
        return self.texts[index]

    def placed(self, index: int) -> Hashable:
        """Its text and the headings above it."""
        return self.texts[index], self.trail(index)

    def trail(self, index: int) -> Hashable:
        """The headings above it, its own last, and whether it is what stands before the first."""
        return self.sections[index].level == 0, self._trails[index]

    def name(self, index: int) -> Hashable:
        """Its own heading alone; None where it has none."""
        return self.sections[index].heading or None

    def body(self, index: int) -> Hashable:
        """Its text without the heading; None where there is none."""
        section = self.sections[index]
        if not section.level:
            return None
        body = _HEADING_LINES.sub(b"", normal(self._text[section.start : section.end]), count=1)
        return _hashed(body) if body.strip() else None


class _Pairs:
    """Sections found to be the same: of each its partner's index, or a negative number."""

    def __init__(self, old: int, new: int) -> None:
        self.new = [_NONE] * old
        self.old = [_NONE] * new

    def add(self, old: int, new: int) -> None:
        self.new[old] = new
        self.old[new] = old

    def alone(self) -> tuple[list[int], list[int]]:
        """The sections of each side that have no partner, and may have one."""
        return [i for i, j in enumerate(self.new) if j == _NONE], [
            j for j, i in enumerate(self.old) if i == _NONE
        ]

    def pair(self, old: Callable[[int], Hashable], new: Callable[[int], Hashable]) -> None:
        """Pairs what is left with the same key, where both sides have the same number of it; None is no key."""
        mine, theirs = self.alone()
        where = _places(theirs, new)
        for key, indices in _places(mine, old).items():
            if len(indices) == len(where.get(key, ())):
                for i, j in zip(indices, where[key], strict=True):
                    self.add(i, j)

    def pair_in_gaps(self, old: Callable[[int], Hashable], new: Callable[[int], Hashable]) -> None:
        """The same between each two neighbours that are known."""
        known = _rising([(i, j) for i, j in enumerate(self.new) if j >= 0])
        old_marks, new_marks = [i for i, _ in known], [j for _, j in known]

        def in_gap(key: Hashable, marks: list[int], index: int) -> Hashable:
            return None if key is None else (bisect_right(marks, index), key)

        self.pair(lambda i: in_gap(old(i), old_marks, i), lambda j: in_gap(new(j), new_marks, j))

    def set_aside(
        self, old: Callable[[int], Hashable], new: Callable[[int], Hashable]
    ) -> dict[int, tuple[int, ...]]:
        """What is left and stands on the other side too, in another number: it gets no partner.

        Returns:
            Of each such section of the old side all places on the new.
        """
        mine, theirs = self.alone()
        where = {key: tuple(indices) for key, indices in _places(theirs, new).items()}
        found = {i: where[key] for i in mine if (key := old(i)) in where}
        for i, places in found.items():
            self.new[i] = _ASIDE
            if self.old[places[0]] == _NONE:  # else another of the same text was here before
                for j in places:
                    self.old[j] = _ASIDE
        return found


def _hashed(text: bytes) -> bytes:
    return blake2b(text, digest_size=16).digest()


def _places(indices: Iterable[int], key: Callable[[int], Hashable]) -> dict[Hashable, list[int]]:
    """The indices by their key, those without one left out."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for index in indices:
        if (name := key(index)) is not None:
            found[name].append(index)
    return dict(found)


def _in_order(old: Sequence[bytes], new: Sequence[bytes], pairs: _Pairs) -> None:
    """Pairs equal texts in the same order: patience, and outwards from what it finds, gap by gap.

    Source: Bram Cohen's patience diff. Each round leaves smaller gaps; a gap without a text that is unique on
    both sides is left alone.
    """
    often, often_new = Counter(old), Counter(new)

    def close(text: bytes, *, known: bool) -> bool:
        """Whether a text beside a neighbour is the same section: the ends of the files are no neighbours."""
        return known or often[text] == often_new[text]

    gaps = [(0, len(old), 0, len(new))]
    while gaps:
        low, high, start, end = gaps.pop()
        above, below = low > 0 or start > 0, high < len(old) or end < len(new)
        while low < high and start < end and old[low] == new[start] and close(old[low], known=above):
            pairs.add(low, start)
            low, start, above = low + 1, start + 1, True
        while (
            low < high and start < end and old[high - 1] == new[end - 1] and close(old[high - 1], known=below)
        ):
            high, end, below = high - 1, end - 1, True
            pairs.add(high, end)
        if low == high or start == end:
            continue
        here = _places(range(low, high), old.__getitem__)
        there = _places(range(start, end), new.__getitem__)
        unique = [
            (indices[0], there[key][0])
            for key, indices in here.items()
            if len(indices) == 1 and len(there.get(key, ())) == 1
        ]
        for i, j in _rising(sorted(unique)):
            pairs.add(i, j)
            gaps.append((low, i, start, j))
            low, start = i + 1, j + 1
        if unique:
            gaps.append((low, high, start, end))


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, in the order of the first, in which the second rises too."""
    if all(one[1] < other[1] for one, other in pairwise(pairs)):
        return list(pairs)
    tails: list[int] = []
    at: list[int] = []
    before = [-1] * len(pairs)
    for number, (_, second) in enumerate(pairs):
        place = bisect_left(tails, second)
        before[number] = at[place - 1] if place else -1
        tails[place : place + 1] = [second]
        at[place : place + 1] = [number]
    run = []
    number = at[-1] if at else -1
    while number >= 0:
        run.append(pairs[number])
        number = before[number]
    return run[::-1]
