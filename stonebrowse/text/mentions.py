r"""Citation strings and tokens in any text: prose, links, lists, code comments, wrapped or not.

A citation in prose has no marks around it. Its end is plain, ` (Line N)`; where it begins is for those to say
who know the library: at the longest path that the library knows, else after the blank before the path. A path
alone counts only with a Markdown suffix (CONTRACT section 5, "`check` verdicts").

An editor may have wrapped it at a blank, with indentation, a quote's `>` or a comment's leader before the rest.
In Markdown a character of it may be escaped by a backslash.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.text.citations import LONGEST_HEADING, SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MARKDOWN = re.compile(r"\.(?:md|markdown|mdown|mkd)\Z", re.IGNORECASE)

_END = re.compile(r" \(Line ([1-9][0-9]{0,11})\)")
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])sbc1_[A-Za-z0-9_-]*")
_VERSION = re.compile(r"[\s`(,;:|-]{1,8}(v_[0-9a-hjkmnp-tv-z]{12})(?![0-9a-z_])")
# A line's end, and what may stand at the beginning of the next before the rest of a sentence.
_BREAK = re.compile(r"[ \t]*(?:\r\n?|\n)[ \t]*(?:(?:>|#+|//+!?|--+|;+|%+|\*+|\||'|<!--|/\*+)[ \t]*)*")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_PARAGRAPH = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?=\r|\n)")
_LONGEST = 4096
# What stands before no path: there a longer one would have begun.
_INSIDE = re.compile(r"[0-9A-Za-z/._-]")
_BEFORE_PATH = "\"'`([{<|*_,;:"


class Span(NamedTuple):
    """Where something stands, in characters: [start, end)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A citation string, or a token, as it stands in a text.

    Attributes:
        span: where it stands.
        string: the citation as one line, unescaped; a token as it is.
        token: whether it is one.
        version_id: the version that is named right behind it; else None.
        escaped: it was read with Markdown's backslashes taken away.
    """

    span: Span
    string: str
    token: bool = False
    version_id: str | None = None
    escaped: bool = False


class Known(NamedTuple):
    """What the library knows.

    Attributes:
        path: whether a path is, or was, one of its Files'.
        citation: whether a whole string was literally true in some version.
        longest: characters of its longest path.
    """

    path: Callable[[str], bool]
    citation: Callable[[str], bool]
    longest: int


def mentions(text: str, known: Known) -> Iterator[Mention]:
    """All citation strings and tokens of a text, in its order.

    Args:
        text: any text.
        known: what the library knows.
    """
    found = [Mention(Span(*match.span()), match[0], token=True) for match in _TOKEN.finditer(text)]
    for start, end in _paragraphs(text):
        found += _cited(text, start, end, known)
    return iter(sorted(found, key=lambda mention: mention.span))


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """What stands between blank lines, where it may hold a citation."""
    start = 0
    for gap in _PARAGRAPH.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


class _Flat:
    """A stretch of a text as one line, and where each of its characters stands in the text."""

    def __init__(self, text: str, start: int, end: int, *, unescape: bool = False) -> None:
        pieces: list[str] = []
        self._at: list[int] = []  # where each piece begins in the flat string
        self._from: list[int] = []  # and in the text
        length = 0

        def add(begin: int, stop: int) -> None:
            nonlocal length
            if begin < stop:
                self._at.append(length)
                self._from.append(begin)
                pieces.append(text[begin:stop])
                length += stop - begin

        def add_line(begin: int, stop: int) -> None:
            for backslash in _ESCAPE.finditer(text, begin, stop) if unescape else ():
                add(begin, backslash.start())
                begin = backslash.end()
            add(begin, stop)

        at = start
        for gap in _BREAK.finditer(text, start, end):
            if gap.start() < at:
                continue
            add_line(at, gap.start())
            if gap.end() < end:
                self._at.append(length)
                self._from.append(gap.start())
                pieces.append(" ")
                length += 1
            at = gap.end()
        add_line(at, end)
        self.string = "".join(pieces)

    def origin(self, at: int) -> int:
        """Where a character stands in the text."""
        piece = bisect_right(self._at, at) - 1
        return self._from[piece] + at - self._at[piece]


def _cited(text: str, start: int, end: int, known: Known) -> Iterator[Mention]:
    if "(Line" not in text[start:end]:
        return
    flats = [_Flat(text, start, end)]
    if "\\" in text[start:end]:
        flats.append(_Flat(text, start, end, unescape=True))
    closes: dict[int, list[tuple[int, re.Match[str]]]] = {}
    for kind, flat in enumerate(flats):
        for close in _END.finditer(flat.string):
            closes.setdefault(flat.origin(close.end() - 1) + 1, []).append((kind, close))
    lows = [0] * len(flats)
    for stop in sorted(closes):
        choices = [
            (worth, kind, begin, close)
            for kind, close in closes[stop]
            for worth, begin in _begins(flats[kind].string, lows[kind], close, known)
        ]
        for kind, close in closes[stop]:
            lows[kind] = close.end()
        if choices:
            _, kind, begin, close = max(choices, key=lambda choice: choice[:2])
            flat = flats[kind]
            version = _VERSION.match(text, stop)
            span = Span(flat.origin(begin), stop)
            yield Mention(
                span,
                flat.string[begin : close.end()],
                version_id=version[1] if version else None,
                escaped=bool(kind) and _ESCAPE.search(text, *span) is not None,
            )


def _begins(flat: str, low: int, close: re.Match[str], known: Known) -> Iterator[tuple[tuple[int, int], int]]:
    """Where the citation with that end may begin: how good that is, and the place.

    A string that was literally true is best, then a path that is known, the longest first; then a path that
    nobody knows: with a heading, or with a Markdown suffix.
    """
    last = close.start()
    low = max(low, last - _LONGEST)
    splits = [last]
    at = flat.find(SEPARATOR, max(low, last - LONGEST_HEADING - len(SEPARATOR)), last)
    while at >= 0:
        splits.append(at)
        at = flat.find(SEPARATOR, at + 1, last)
    for split in splits:
        for begin in range(max(low, split - known.longest), split):
            if not (begin > low and _INSIDE.match(flat[begin - 1])) and known.path(flat[begin:split]):
                true = known.citation(flat[begin : close.end()])
                yield ((3 if true else 2), split - begin), begin
                break
        begin = _word(flat, low, split)
        path = flat[begin:split]
        suffix = MARKDOWN.search(path) is not None
        if path and (suffix or split < last):
            yield ((1 if suffix else 0), split), begin


def _word(flat: str, low: int, end: int) -> int:
    """Where the word begins that ends at a place: after the blank before it, and after what opens there."""
    begin = max(low, flat.rfind(" ", low, end) + 1, flat.rfind("\t", low, end) + 1)
    while begin < end and flat[begin] in _BEFORE_PATH:
        begin += 1
    return begin
