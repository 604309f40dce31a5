"""In which passages of a segment words stand in a row: a phrase, or a name of several parts.

The words of a passage are kept as a string of one character a word, its sequence. So a row is looked for, as a
substring, in the sequences of those passages that hold all its words; and in the sequences of headings, paths,
titles and tags, whose row counts for all passages below them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index.fields import FIELDS, term
from stonebrowse.index.values import NOTHING, Values, positions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stonebrowse.index.segment import Segment
    from stonebrowse.index.wanted import Wanted

# To look through a sequence for a word that only begins so takes about as long as for so many whole words.
PREFIX_COST = 5


class _Pattern(NamedTuple):
    """What is looked for in sequences.

    Attributes:
        start: the characters of the whole words, in UTF-8.
        last: the characters of which one must follow; None where nothing must.
    """

    start: bytes
    last: frozenset[str] | None

    def stands_in(self, sequence: bytes) -> bool:
        if self.last is None:
            return self.start in sequence
        text, start, last = sequence.decode(), self.start.decode(), self.last
        length = len(start)
        at = text.find(start)
        while at >= 0:
            if text[at + length : at + length + 1] in last:
                return True
            at = text.find(start, at + 1)
        return False


class RowSearch:
    """Looks for words in a row in one segment.

    Attributes:
        left: how many more sequences may be looked through. What bounds the work of a query.
    """

    def __init__(self, segment: Segment, values_of: Callable[[Wanted], Values], left: int) -> None:
        """Prepares it.

        Args:
            segment: where to look.
            values_of: where a single word stands; passages that are gone left out.
            left: how many sequences may be looked through.
        """
        self._segment = segment
        self._values_of = values_of
        self.left = left

    def values(self, wanted: Wanted) -> Values:
        """Where the words stand in a row; worth what the least of them is worth there.

        Once nothing is left of the bound, passages that would have to be looked through count as not found.
        """
        passages = self._segment.passages
        each = self._each(wanted)
        held = _held_by_all(each, passages)
        pattern = self._pattern(wanted) if held else None
        if pattern is None:
            return NOTHING
        if wanted.field == "text":
            places = self._in_texts(pattern, held)
            found = set(places)
            for field in FIELDS[1:]:
                found.update(self._around(wanted._replace(field=field), pattern, found))
            if len(found) > len(places):
                places = sorted(found.intersection(held))
        else:
            places = sorted(self._around(wanted, pattern, None))
        return Values.at_places(places, map(min, *(values.at(places) for values in each)), passages)

    def _each(self, wanted: Wanted) -> list[Values]:
        return [self._values_of(wanted.single(place)) for place in range(len(wanted.words))]

    def _pattern(self, wanted: Wanted) -> _Pattern | None:
        """None where a word is no term of the segment."""
        segment, words = self._segment, wanted.words
        codes: list[str] = []
        for word in words[:-1] if wanted.prefix else words:
            number = segment.find(term("text", word))
            if number < 0:
                return None
            codes.append(segment.code(number))
        last = segment.codes(*segment.beginning(term("text", words[-1]))) if wanted.prefix else None
        return _Pattern("".join(codes).encode(), last)

    def _in_texts(self, pattern: _Pattern, held: list[int]) -> list[int]:
        """Those of the passages in whose own text the words stand in a row."""
        cost = 1 if pattern.last is None else PREFIX_COST
        places = held[: max(0, self.left // cost)]
        self.left -= len(held) * cost
        if pattern.last is None:
            return self._segment.holding(pattern.start, places)
        sequence = self._segment.sequence
        return [place for place in places if pattern.stands_in(sequence(place))]

    def _around(self, wanted: Wanted, pattern: _Pattern, found: set[int] | None) -> Iterator[int]:
        """The passages whose heading, path, title or tags hold the words in a row.

        Args:
            wanted: the words, with the field.
            pattern: the words.
            found: passages that are found already; None where only the field itself is asked for, so that
                passages below a heading, but not its own, are not.
        """
        if wanted.field == "heading":
            if found is not None:
                yield from self._below_stubs(pattern)
            if self._are_terms(wanted):
                yield from self._under_headings(wanted, pattern, found)
        elif self._are_terms(wanted):
            segment, done = self._segment, 0
            for place in _held_by_all(self._each(wanted), segment.passages):
                if place >= done:
                    document = segment.document_of(place)
                    start, done = segment.span(document)
                    if pattern.stands_in(segment.text_of(wanted.field, document)):
                        yield from range(start, done)

    def _under_headings(self, wanted: Wanted, pattern: _Pattern, found: set[int] | None) -> Iterator[int]:
        segment, done = self._segment, 0
        for place in _held_by_all(self._each(wanted), segment.passages):
            if place < done:
                continue
            number = segment.section_of(place)
            start, done, below = segment.section(number)
            end = done if found is None else below
            if found is not None and end - start == 1 and start in found:
                continue  # a heading mostly stands in the text of its first passage
            if pattern.stands_in(segment.heading(number)):
                yield from range(start, end)

    def _below_stubs(self, pattern: _Pattern) -> Iterator[int]:
        for number in self._segment.stubs:
            if pattern.stands_in(self._segment.heading(number)):
                start, _, end = self._segment.section(number)
                yield from range(start, end)

    def _are_terms(self, wanted: Wanted) -> bool:
        """Whether the segment has all words in the field; quick."""
        segment, words, field = self._segment, wanted.words, wanted.field
        whole = words[:-1] if wanted.prefix else words
        if any(segment.find(term(field, word)) < 0 for word in whole):
            return False
        if not wanted.prefix:
            return True
        low, high = segment.beginning(term(field, words[-1]))
        return low < high


def _held_by_all(each: list[Values], passages: int) -> list[int]:
    """The passages at which all of some values stand, ascending."""
    if not all(values.count for values in each):
        return []
    tables = sorted((values for values in each if values.table is not None), key=lambda values: values.count)
    lanes = [values for values in each if values.table is None]
    if not tables:
        mask = lanes[0].mask(passages)
        for values in lanes[1:]:
            mask &= values.mask(passages)
        return positions(mask.to_bytes(passages, "little"), mask.bit_count() // 8)
    held: set[int] = set(tables[0].table or ())
    for values in (*tables[1:], *lanes):
        held = values.among(held)
    return sorted(held)
