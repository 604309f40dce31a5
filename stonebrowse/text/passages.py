"""A text cut into sections and passages, held in columns.

Sections cover the text in order, without gap or overlap, and so do passages. A passage is a section, or a
part of one over 4,096 bytes.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate, chain, islice, pairwise
from operator import sub
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.text.citations import escape
from stonebrowse.text.front_matter import BOM
from stonebrowse.text.headings import scan
from stonebrowse.text.lines import count_line_ends
from stonebrowse.text.parts import MAX_PASSAGE, first_text, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BATCH = 4096  # headings that are objects at one time
_FORMAT = 1
_HEADER = struct.Struct("<BQQ")  # format, bytes of the text, bytes of all headings
_COLUMN = struct.Struct("<cQ")  # type code, length
_RISING = (False, True, True, False, True, True, True, True)  # of the packed columns: kept as steps


class Section(NamedTuple):
    """What stands under one heading, up to the next.

    Attributes:
        level: 1 to 6; 0 for the text before the first heading.
        heading: its heading's plain text, raw; empty for an empty heading and at level 0.
        line: the one-based line of its heading; at level 0 of the first line that is not blank.
        start: the byte offset of its heading's line; 0 for the first section, so that blank lines above the
            first heading belong to it.
        end: the byte offset at which the next section starts.
        parent: the index of the section around it, or -1.
    """

    level: int
    heading: str
    line: int
    start: int
    end: int
    parent: int


class Passage(NamedTuple):
    """A piece of the text.

    Attributes:
        start: its first byte.
        end: the byte after its last.
        line: one-based: its section's line for the first passage of a section, else the line where its own
            text begins.
        part: 1 for the first passage of its section.
        section: the index of its section.
    """

    start: int
    end: int
    line: int
    part: int
    section: int


class Cut:
    """All sections and passages of one text. Immutable; about 21 bytes and its heading a section."""

    __slots__ = (
        "_firsts",
        "_levels",
        "_lines",
        "_name_ends",
        "_names",
        "_parents",
        "_passage_lines",
        "_passage_starts",
        "_size",
        "_starts",
    )

    def __init__(self, size: int, names: bytes, columns: list[array[int]]) -> None:
        """Made by `cut` and `Cut.unpack` only.

        Args:
            size: bytes of the text.
            names: all headings, in UTF-8, end to end.
            columns: of sections: level, line, start, parent + 1, the end of its heading in `names`, its first
                passage; of the passages that are not the first of their section: line, start.
        """
        self._size = size
        self._names = names
        self._levels, self._lines, self._starts, self._parents, self._name_ends, self._firsts = columns[:6]
        self._passage_lines = _with_later(self._lines, self._firsts, columns[6])
        self._passage_starts = _with_later(self._starts, self._firsts, columns[7])

    def __len__(self) -> int:
        """How many passages there are."""
        return len(self._passage_starts)

    @property
    def section_count(self) -> int:
        """How many sections there are."""
        return len(self._levels)

    def passage(self, ordinal: int) -> Passage:
        """The passage at a place in the text's order, counted from 0; IndexError outside."""
        starts = self._passage_starts
        if not 0 <= ordinal < len(starts):
            raise IndexError(f"passage {ordinal} is outside a cut of {len(starts)}")
        end = starts[ordinal + 1] if ordinal + 1 < len(starts) else self._size
        section = bisect_right(self._firsts, ordinal) - 1
        part = ordinal - self._firsts[section] + 1
        return Passage(starts[ordinal], end, self._passage_lines[ordinal], part, section)

    def passages(self) -> Iterator[Passage]:
        """All passages, in the order of the text."""
        return map(self.passage, range(len(self)))

    def spans(self) -> Iterator[tuple[int, int]]:
        """Where each passage begins and ends: quicker than `passages`, where no more is needed."""
        starts = self._passage_starts
        return zip(starts, (*starts[1:], self._size), strict=True)

    def section(self, index: int) -> Section:
        """The section at a place in the text's order, counted from 0; IndexError outside."""
        starts = self._starts
        if not 0 <= index < len(starts):
            raise IndexError(f"section {index} is outside a cut of {len(starts)}")
        end = starts[index + 1] if index + 1 < len(starts) else self._size
        line, parent = self._lines[index], self._parents[index] - 1
        return Section(self._levels[index], self._heading(index), line, starts[index], end, parent)

    def sections(self) -> Iterator[Section]:
        """All sections, in the order of the text."""
        return map(self.section, range(self.section_count))

    def trail(self, section: int) -> tuple[str, ...]:
        """The headings above a section, outermost first, its own last: escaped, empty ones left out."""
        found: list[str] = []
        while section >= 0:
            found.append(escape(self._heading(section)))
            section = self._parents[section] - 1
        return tuple(heading for heading in reversed(found) if heading)

    def at(self, offset: int) -> int:
        """The ordinal of the passage that holds the byte at `offset`; the last one at the end of the text.

        Raises:
            IndexError: outside the text, or in a text that has no passages.
        """
        if not 0 <= offset <= self._size or not len(self):
            raise IndexError(f"no passage holds byte {offset} of {self._size}")
        return bisect_right(self._passage_starts, offset) - 1

    def at_line(self, line: int) -> int:
        """The ordinal of the passage in which a one-based line begins; the nearest for a line outside.

        Raises:
            IndexError: in a text that has no passages.
        """
        if not len(self):
            raise IndexError(f"no passage holds line {line}")
        # Where a line alone makes several passages, all of them have its number: it begins in the first.
        ordinal = bisect_left(self._passage_lines, line)
        if ordinal == len(self) or self._passage_lines[ordinal] > line:
            ordinal -= 1
        return max(ordinal, 0)

    def _heading(self, index: int) -> str:
        begin = self._name_ends[index - 1] if index else 0
        return self._names[begin : self._name_ends[index]].decode("utf-8")

    def pack(self, level: int = 1) -> bytes:
        """The whole cut in few bytes, for `unpack`.

        Args:
            level: zlib's; 0 for whoever compresses it anew, beside other cuts.
        """
        later = list(_later(self._firsts, len(self)))
        columns = [
            *(self._levels, self._lines, self._starts, self._parents, self._name_ends, self._firsts),
            [self._passage_lines[ordinal] for ordinal in later],
            [self._passage_starts[ordinal] for ordinal in later],
        ]
        packed = [self._names]
        for column, rising in zip(columns, _RISING, strict=True):
            narrow = _narrow(map(sub, column, chain([0], column)) if rising else column)
            packed += [_COLUMN.pack(narrow.typecode.encode(), len(narrow)), _little(narrow).tobytes()]
        return _HEADER.pack(_FORMAT, self._size, len(self._names)) + zlib.compress(b"".join(packed), level)

    @classmethod
    def unpack(cls, data: bytes) -> Cut:
        """The inverse of `pack`.

        Raises:
            ValueError: where `data` is not what `pack` made.
        """
        try:
            form, size, length = _HEADER.unpack_from(data)
            if form != _FORMAT:
                raise ValueError(f"format {form} is not {_FORMAT}")
            body = memoryview(zlib.decompress(data[_HEADER.size :]))
            columns, rest = [], body[length:]
            for rising in _RISING:
                code, count = _COLUMN.unpack_from(rest)
                column: array[int] = array(code.decode("ascii"))
                end = _COLUMN.size + count * column.itemsize
                column.frombytes(rest[_COLUMN.size : end])
                rest = rest[end:]
                values = _little(column)
                columns.append(_wide(accumulate(values) if rising else values, size))
            return cls(size, bytes(body[:length]), columns)
        except (struct.error, zlib.error, LookupError, OverflowError) as error:
            raise ValueError(f"this is no packed cut: {error}") from error


def cut(text: bytes) -> Cut:
    """Cut a text into its sections and passages."""
    size = len(text)
    levels, lines, starts, name_ends = array("B"), _wide((), size), _wide((), size), _wide((), size)
    names = bytearray()
    found = scan(text)
    first = next(found, None)
    top = first_text(text, len(BOM) if text.startswith(BOM) else 0, size)
    if top < (first.start if first else size):
        levels.append(0)
        lines.append(1 + count_line_ends(text, 0, top))
        starts.append(0)
        name_ends.append(0)
    found = chain([first] if first else [], found)
    while batch := list(islice(found, _BATCH)):
        encoded = [heading.text.encode("utf-8") for heading in batch]
        name_ends.extend(islice(accumulate(map(len, encoded), initial=len(names)), 1, None))
        names += b"".join(encoded)
        batch_levels, _, batch_lines, batch_starts = zip(*batch, strict=True)
        levels.extend(batch_levels)
        lines.extend(batch_lines)
        starts.extend(batch_starts)
    if starts:
        starts[0] = 0
    parents, parts = _parents(levels, size), _parts(text, starts)
    return Cut(size, bytes(names), [levels, lines, starts, parents, name_ends, *parts])


def _parents(levels: array[int], size: int) -> array[int]:
    """For each section, 1 + the section around it, or 0."""
    parents = _wide((), size)
    innermost = [0] * 7  # by level: 1 + the section that is open at that level or above
    for number, level in enumerate(levels, 1):
        if level:
            parents.append(innermost[level - 1])
            innermost[level:] = [number] * (7 - level)
        else:
            parents.append(0)
    return parents


def _parts(text: bytes, starts: array[int]) -> tuple[array[int], array[int], array[int]]:
    """The first passage of each section; line and start of each passage that is not the first."""
    firsts, later_lines, later_starts = (_wide((), len(text)) for _ in range(3))
    line, at = 1, 0
    for index, (start, end) in enumerate(pairwise(chain(starts, [len(text)]))):
        firsts.append(index + len(later_starts))
        if end - start > MAX_PASSAGE:
            for begin in split(text, start, end)[1:]:
                line += count_line_ends(text, at, begin)
                at = begin
                later_lines.append(line)
                later_starts.append(begin)
    return firsts, later_lines, later_starts


def _with_later(column: array[int], firsts: array[int], later: array[int]) -> array[int]:
    """A column of sections made one of passages: the rows of later parts put in where they belong."""
    if not later:
        return column
    merged: array[int] = array(column.typecode)
    done = taken = 0
    for index, (first, following) in enumerate(pairwise(chain(firsts, [len(column) + len(later)])), 1):
        parts = following - first - 1
        if parts:
            merged += column[done:index]
            merged += later[taken : taken + parts]
            done, taken = index, taken + parts
    return merged + column[done:]


def _later(firsts: array[int], passages: int) -> Iterator[int]:
    """The ordinals of the passages that are not the first of their section."""
    for first, following in pairwise(chain(firsts, [passages])):
        yield from range(first + 1, following)


def _wide(values: Iterable[int], size: int) -> array[int]:
    """A column that can hold any offset into a text of `size` bytes."""
    return array("I" if size < 1 << 32 else "Q", values)


def _narrow(values: Iterable[int]) -> array[int]:
    """A column in the narrowest type that holds it."""
    wide: array[int] = array("Q", values)
    highest = max(wide, default=0)
    return array(next(code for code in "BHIQ" if highest < 1 << 8 * array(code).itemsize), wide)


def _little(column: array[int]) -> array[int]:
    """The column in the byte order of packed cuts."""
    if sys.byteorder == "big":
        column.byteswap()
    return column
