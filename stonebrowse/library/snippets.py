"""Cuts from a passage the few words that show why it was found."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from stonebrowse.text.citations import printable

if TYPE_CHECKING:
    from collections.abc import Callable

SNIPPET_CHARACTERS = 180
BEFORE_CHARACTERS = 40
BLANKS = re.compile(r"\s+")
# An ATX heading's line, or the lines of a setext heading down to its underline.
HEADING = re.compile(
    r"\s*(?:#{1,6}(?:[ \t][^\r\n]*)?(?:\r\n?|\n|\Z)"
    r"|(?:[^\r\n]+(?:\r\n?|\n))+?[ ]{0,3}(?:=+|-+)[ \t]*(?:\r\n?|\n|\Z))"
)


def snippet(
    text: str, lights: Callable[[str], list[tuple[int, int]]]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """One line of a passage, around the place where most of the query's words stand together.

    Args:
        text: the passage's text.
        lights: the spans of a text that match, in characters.

    Returns:
        The snippet, its control characters made visible, and the spans of it that match.
    """
    line = printable(BLANKS.sub(" ", text).strip())
    spans = lights(line)
    start, end = 0, min(len(line), SNIPPET_CHARACTERS)
    if spans and spans[-1][1] > end:
        start = _best_start(line, spans)
        end = min(len(line), start + SNIPPET_CHARACTERS)
        start = max(0, min(start, end - SNIPPET_CHARACTERS))
        start, end = _at_words(line, start, end)
    elif end < len(line):
        start, end = _at_words(line, start, end)
    head = "…" if start else ""
    tail = "…" if end < len(line) else ""
    shift = len(head) - start
    inside = tuple((a + shift, min(b, end) + shift) for a, b in spans if start <= a < end)
    return f"{head}{line[start:end]}{tail}", inside


def without_heading(text: str) -> str:
    """A section below its heading, which its citation says already; the whole if nothing follows."""
    match = HEADING.match(text)
    below = text[match.end() :] if match else text
    return below if below.strip() else text


def _best_start(line: str, spans: list[tuple[int, int]]) -> int:
    """Where a window begins that holds the most different words that match; the earliest of the best."""
    starts = [span[0] for span in spans]
    words = [line[a:b].casefold() for a, b in spans]
    room = SNIPPET_CHARACTERS - BEFORE_CHARACTERS
    best, best_score = 0, (0, 0)
    for first, start in enumerate(starts):
        last = bisect_left(starts, start + room, first)
        score = (len(set(words[first:last])), last - first)
        if score > best_score:
            best, best_score = first, score
    return max(0, starts[best] - BEFORE_CHARACTERS)


def _at_words(line: str, start: int, end: int) -> tuple[int, int]:
    """The same window, moved in to the nearest blanks where there are any near."""
    if start:
        blank = line.find(" ", start, start + BEFORE_CHARACTERS // 2)
        start = blank + 1 if blank >= 0 else start
    if end < len(line):
        blank = line.rfind(" ", max(start, end - BEFORE_CHARACTERS // 2), end)
        end = blank if blank > start else end
    return start, end
