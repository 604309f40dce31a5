"""A text cut into sections and passages, held in columns.

Sections cover the text in order, without gap or overlap, and so do passages. A passage is a section, or a part
of a section over 4,096 bytes.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from operator import sub
from typing import NamedTuple

from stonebrowse.text.citations import escape
from stonebrowse.text.front_matter import BOM
from stonebrowse.text.headings import scan
from stonebrowse.text.lines import count_line_ends
from stonebrowse.text.parts import MAX_PASSAGE, first_text, split

_FORMAT = 1
_COLUMNS = 8
_HEADER = struct.Struct("<BQQ")  # format, size of the text, bytes of all headings
_COLUMN = struct.Struct("<cQ")  # type code, how many


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

    def _heading(self, index: int) -> str:
        begin = self._name_ends[index - 1] if index else 0
        return self._names[begin : self._name_ends[index]].decode("utf-8")

    def pack(self) -> bytes:
        """The whole cut in few bytes, for `unpack`."""
        later = list(_later(self._firsts, len(self)))
        columns: list[Iterable[int]] = [
            self._levels,
            _steps(self._lines),
            _steps(self._starts),
            self._parents,
            _steps(self._name_ends),
            _steps(self._firsts),
            _steps([self._passage_lines[ordinal] for ordinal in later]),
            _steps([self._passage_starts[ordinal] for ordinal in later]),
        ]
        packed = [self._names]
        for column in columns:
            narrow = _narrow(column)
            packed += [_COLUMN.pack(narrow.typecode.encode(), len(narrow)), _little(narrow).tobytes()]
        return _HEADER.pack(_FORMAT, self._size, len(self._names)) + zlib.compress(b"".join(packed), 1)

    @classmethod
    def unpack(cls, data: bytes) -> Cut:
        """The inverse of `pack`.

        Raises:
            ValueError: where `data` is not what `pack` made.
        """
        try:
            form, size, length = _HEADER.unpack_from(data)
            body = memoryview(zlib.decompress(data[_HEADER.size :]))
            if form != _FORMAT:
                raise ValueError(f"format {form} is not {_FORMAT}")
            columns = list(_read_columns(body[length:]))
            for rising in (1, 2, 4, 5, 6, 7):
                columns[rising] = _wide(accumulate(columns[rising]), size)
            columns[3] = _wide(columns[3], size)
            return cls(size, bytes(body[:length]), columns)
        except (struct.error, zlib.error, LookupError, OverflowError) as error:
            raise ValueError(f"this is no packed cut: {error}") from error


def cut(text: bytes) -> Cut:
    """Cut a text into its sections and passages."""
    found = scan(text)
    heading = next(found, None)
    content = len(BOM) if text.startswith(BOM) else 0
    first = first_text(text, content, len(text))
    end = heading.start if heading else len(text)
    builder = _Builder(text)
    if first < end:
        builder.add(0, "", 1 + count_line_ends(text, 0, first), 0, end)
    while heading:
        following = next(found, None)
        start = heading.start if builder.levels else 0
        end = following.start if following else len(text)
        builder.add(heading.level, heading.text, heading.line, start, end)
        heading = following
    return builder.cut()


class _Builder:
    """Collects the columns of a `Cut`, section by section."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.levels = array("B")
        self._lines, self._starts, self._parents, self._name_ends = (_wide((), len(text)) for _ in range(4))
        self._firsts, self._later_lines, self._later_starts = (_wide((), len(text)) for _ in range(3))
        self._names = bytearray()
        self._innermost = [0] * 7  # by level, 1 + the section that is open at that level or above
        self._passages = 0
        self._line, self._at = 1, 0  # how far lines have been counted for parts

    def add(self, level: int, heading: str, line: int, start: int, end: int) -> None:
        """Add the next section."""
        self._names += heading.encode("utf-8")
        self._parents.append(self._innermost[level - 1] if level else 0)
        if level:
            self._innermost[level:] = [len(self.levels) + 1] * (7 - level)
        self.levels.append(level)
        self._lines.append(line)
        self._starts.append(start)
        self._name_ends.append(len(self._names))
        self._firsts.append(self._passages)
        self._passages += 1
        if end - start <= MAX_PASSAGE:
            return
        for begin in split(self._text, start, end)[1:]:
            self._line += count_line_ends(self._text, self._at, begin)
            self._at = begin
            self._later_starts.append(begin)
            self._later_lines.append(self._line)
            self._passages += 1

    def cut(self) -> Cut:
        """What was collected."""
        later = [self._later_lines, self._later_starts]
        columns = [
            self.levels,
            self._lines,
            self._starts,
            self._parents,
            self._name_ends,
            self._firsts,
            *later,
        ]
        return Cut(len(self._text), bytes(self._names), columns)


def _wide(values: Iterable[int], size: int) -> array[int]:
    """A column for offsets into a text of `size` bytes."""
    return array("I" if size < 1 << 32 else "Q", values)


def _with_later(column: array[int], firsts: array[int], later: array[int]) -> array[int]:
    """A column of sections made one of passages: the rows of later parts put in where they belong."""
    if not later:
        return column
    merged = array(column.typecode)
    done = taken = 0
    passages = len(column) + len(later)
    for index, following in enumerate(chain(firsts[1:], [passages])):
        parts = following - firsts[index] - 1
        if parts:
            merged += column[done : index + 1]
            merged += later[taken : taken + parts]
            done, taken = index + 1, taken + parts
    return merged + column[done:]


def _later(firsts: array[int], passages: int) -> Iterator[int]:
    """The ordinals of the passages that are not the first of their section."""
    for first, following in zip(firsts, chain(firsts[1:], [passages]), strict=True):
        yield from range(first + 1, following)


def _steps(rising: Iterable[int]) -> Iterator[int]:
    """From a column that rises to its steps, which are small; `itertools.accumulate` is the inverse."""
    values = list(rising)
    return map(sub, values, chain([0], values))


def _narrow(values: Iterable[int]) -> array[int]:
    """A column in the narrowest type that holds it."""
    wide = array("Q", values)
    highest = max(wide, default=0)
    return array(next(code for code in "BHIQ" if highest < 1 << 8 * array(code).itemsize), wide)


def _little(column: array[int]) -> array[int]:
    """The column in the byte order of packed cuts."""
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _read_columns(packed: memoryview) -> Iterator[array[int]]:
    for _ in range(_COLUMNS):
        code, count = _COLUMN.unpack_from(packed)
        column = array(code.decode("ascii"))
        end = _COLUMN.size + count * column.itemsize
        column.frombytes(packed[_COLUMN.size : end])
        yield _little(column)
        packed = packed[end:]
