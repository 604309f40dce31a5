"""Safe boundaries in a long section: where a parser may begin and finds the document's own blocks.

See `stretches` for what they are for. Everything here looks at bytes with a few regular expressions, so that
a section of megabytes is scanned in some tens of milliseconds, once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from stonebrowse.tui.reader.source import Source

# CommonMark 0.31.2, "Fenced code blocks" and "HTML blocks" (start conditions 1 to 5). Before them may stand
# the markers of lists and quotes that hold them.
_OPENING: Final = re.compile(
    rb"^([ \t>]*+(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]++[ \t>]*+)*+)"
    rb"(?:(`{3,})[^`\n\r]*$|(~{3,})[^\n\r]*$"
    rb"|<(?:(!--)|(\?)|(!\[CDATA\[)|(![A-Za-z])|((?i:script|pre|style|textarea)(?=[\s>]))))",
    re.MULTILINE,
)
_HTML_ENDS: Final = {
    4: re.compile(rb"-->"),
    5: re.compile(rb"\?>"),
    6: re.compile(rb"\]\]>"),
    7: re.compile(rb">"),
    8: re.compile(rb"</(?:script|pre|style|textarea)>", re.IGNORECASE),
}
# A line that begins in column 0 with neither blank nor list marker, after a blank line.
_BOUNDARY: Final = re.compile(
    rb"(?:\n|\r\n?)[ \t]*(?:\n|\r\n?)(?![ \t\r\n]|[-+*](?:[ \t\r\n]|$)|[0-9]{1,9}[.)](?:[ \t\r\n]|$))"
)
_COLUMN_ZERO: Final = re.compile(rb"^[^ \t\r\n>]", re.MULTILINE)


class Open(NamedTuple):
    """A block that is open: a fence or an HTML block.

    Attributes:
        kind: ``"fence"`` or ``"html"``.
        start: byte offset of the line that opens it.
        mark: the fence's characters; for HTML the number of its start condition.
        nested: whether it stands in a list or quote, and so ends with that.
    """

    kind: str
    start: int
    mark: bytes
    nested: bool


class Boundaries:
    """Safe boundaries of one section, found step by step as far as asked.

    Args:
        source: the document.
        start: byte offset of the section.
        end: byte offset after it.
        step: bytes between two boundaries, about.
    """

    def __init__(self, source: Source, start: int, end: int, *, step: int) -> None:
        self._source = source
        self._end = end
        self._step = step
        self._found = [start]
        self._states: list[tuple[int, Open | None]] = [(start, None)]  # at the beginning of each window
        self._position = start

    def around(self, offset: int) -> tuple[int, int]:
        """The boundaries before and after a byte."""
        while self._position < self._end and self._found[-1] <= offset:
            self._advance()
        index = bisect_right(self._found, offset) - 1
        high = self._found[index + 1] if index + 1 < len(self._found) else self._end
        return self._found[index], high

    def open_at(self, offset: int) -> Open | None:
        """The fence or HTML block that is open at the beginning of the line at `offset`."""
        while self._position < offset and self._position < self._end:
            self._advance()
        index = bisect_right(self._states, offset, key=lambda state: state[0]) - 1
        position, state = self._states[index]
        if position >= offset:
            return state
        return self._scan(self._source.read(position, offset), position, state)[0]

    def _advance(self) -> None:
        position, state = self._states[-1]
        window = self._source.read(position, min(position + self._step, self._end))
        if position + len(window) < self._end:
            last = max(window.rfind(b"\n"), window.rfind(b"\r", 0, len(window) - 1))
            if last >= 0:
                window = window[: last + 1]
        state, free = self._scan(window, position, state)
        for low, high in free if position > self._found[0] else ():  # the heading stays with what is below it
            found = _BOUNDARY.search(window, low, high)
            if found and found.end() < high:
                self._found.append(position + found.end())
                break
        self._position = position + len(window)
        self._states.append((self._position, state))

    @staticmethod
    def _scan(window: bytes, base: int, state: Open | None) -> tuple[Open | None, list[tuple[int, int]]]:
        """What is open at the end of a window, and the stretches of it where nothing was open."""
        free: list[tuple[int, int]] = []
        position = 0
        while True:
            if state:
                closed = _end_of(state, window, position, base)
                if closed < 0:
                    return state, free
                position, state = closed, None
            opening = _OPENING.search(window, position)
            if not opening:
                free.append((position, len(window)))
                return None, free
            free.append((position, opening.start()))
            state = _opened(opening, base)
            position = opening.end()


def _opened(opening: re.Match[bytes], base: int) -> Open:
    nested = len(opening[1].lstrip(b" ")) > 0 or len(opening[1]) > 1
    start = base + opening.start()
    fence = opening[2] or opening[3]
    if fence:
        return Open("fence", start, fence, nested)
    kind = next(group for group in range(4, 9) if opening[group])
    return Open("html", start, str(kind).encode(), nested)


def _end_of(state: Open, window: bytes, position: int, base: int) -> int:
    """Where in the window the open block ends, -1 if not in it."""
    ends: list[int] = []
    if state.kind == "fence":
        mark = re.escape(state.mark[:1])
        closing = re.compile(rb"^[ \t>]*" + mark + rb"{%d,}[ \t]*\r?$" % len(state.mark), re.MULTILINE)
        found = closing.search(window, position)
    else:
        found = _HTML_ENDS[int(state.mark)].search(window, position)
    if found:
        ends.append(found.end())
    if state.nested:
        # A line in column 0 is outside of every list; the opening line itself does not count.
        line_end = (
            position if base + position > state.start and window[position - 1 : position] == b"\n" else -1
        )
        begin = line_end if line_end >= 0 else window.find(b"\n", position) + 1
        if begin > 0 or line_end == 0:
            outside = _COLUMN_ZERO.search(window, max(begin, 0))
            if outside:
                ends.append(outside.start())
    return min(ends) if ends else -1
