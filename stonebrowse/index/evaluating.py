"""In which passages of a segment a word stands: itself, its other forms, words that begin so."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from stonebrowse.index import bounds
from stonebrowse.index.fields import term
from stonebrowse.index.ranking import LESSER, SHORT_PREFIX, SHORT_PREFIX_CHARACTERS
from stonebrowse.index.values import Values, fill, overlay

if TYPE_CHECKING:
    from stonebrowse.index.segment import Segment
    from stonebrowse.index.wanted import Wanted

# A stretch of terms, by number, whose values count for less, and one whose values count in full.
Stretch = tuple[int, int]
_SHORT = bytes([0]) + bytes([SHORT_PREFIX]) * 255


def word_values(segment: Segment, wanted: Wanted) -> Values:
    """Where one word stands: itself, and what counts for less: words that begin so, its other forms."""
    exact = segment.find(term(wanted.field, wanted.words[0]))
    stretches: list[Stretch] = []
    if wanted.prefix:
        prefix = term(wanted.field, wanted.words[0])
        if len(wanted.words[0]) <= SHORT_PREFIX_CHARACTERS:
            return _short(segment, prefix, exact)
        stretches.append(segment.beginning(prefix))
    for form in wanted.forms:
        number = segment.find(term(wanted.field, form))
        if number >= 0:
            stretches.append((number, number + 1))
    return _union(segment, stretches, exact)


def _union(segment: Segment, lesser: list[Stretch], exact: int) -> Values:
    """The passages of several stretches of terms, whose values count for less, and of one that counts in full.

    Where several stand in a passage the exact one decides, else the last.
    """
    count = segment.count(exact) if exact >= 0 else 0
    dense = [segment.dense_between(*stretch) for stretch in lesser]
    postings = [segment.postings(*stretch) for stretch in lesser]
    total = count + sum(len(each.ordinals) for each in postings)
    if total <= bounds.MOST_IN_TABLE and not any(dense) and (exact < 0 or segment.lane(exact) is None):
        table: dict[int, int] = {}
        for each in postings:
            table.update(zip(each.ordinals, bytes(each.values).translate(LESSER), strict=True))
        if exact >= 0:
            table.update(zip(*segment.postings(exact, exact + 1), strict=True))
        return Values(table)
    lane = bytearray(segment.passages)
    for (low, high), many in zip(lesser, dense, strict=True):
        for number in many:
            _fill_lesser(lane, segment, low, number)
            own = segment.lane(number)
            assert own is not None
            lane = overlay(lane, own.translate(LESSER))
            low = number + 1  # noqa: PLW2901 - the stretch that is left
        _fill_lesser(lane, segment, low, high)
    if exact >= 0:
        own = segment.lane(exact)
        if own is not None and not lesser:
            return Values(lane=bytearray(own), count=count)
        if own is not None:
            lane = overlay(lane, own)
        else:
            fill(lane, *segment.postings(exact, exact + 1))
    return Values.of(lane)


def _fill_lesser(lane: bytearray, segment: Segment, low: int, high: int) -> None:
    ordinals, values = segment.postings(low, high)
    fill(lane, ordinals, bytes(values).translate(LESSER))


def _short(segment: Segment, prefix: bytes, exact: int) -> Values:
    """A beginning of one or two characters: all words that begin so are worth the same."""
    held = segment.held(prefix)
    low, high = (0, 0) if held is not None else segment.beginning(prefix)
    if held is not None:
        lane = bytearray(held.translate(_SHORT))
    else:
        lane = bytearray(segment.passages)
        fill(lane, segment.postings(low, high).ordinals, repeat(SHORT_PREFIX))
        for number in segment.dense_between(low, high):
            own = segment.lane(number)
            assert own is not None
            lane = overlay(lane, own.translate(_SHORT))
    if exact >= 0:
        own = segment.lane(exact)
        if own is None:
            fill(lane, *segment.postings(exact, exact + 1))
        else:
            lane = overlay(lane, own)
    return Values.of(lane)
