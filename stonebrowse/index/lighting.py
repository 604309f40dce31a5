"""Which words of a text are what a query looks for: for snippets, and for lighting up a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.text.words import is_unspaced, located

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.index.wanted import Wanted
    from stonebrowse.text.words import Located

Span = tuple[int, int]


def lights(wanted: Iterable[Wanted], text: str) -> list[Span]:
    """The spans of a text that match, in characters, in order; those that overlap are one.

    What is looked for in a path, a title or a tag lights nothing.
    """
    asked = [each for each in wanted if each.field in ("text", "heading")]
    if not asked:
        return []
    found = located(text)
    spans = [span for each in asked for span in _spans(each, found)]
    return list(_merged(sorted(spans)))


def _spans(wanted: Wanted, found: list[Located]) -> Iterator[Span]:
    if len(wanted.words) == 1:
        yield from _single(wanted, found)
        return
    *before, _ = wanted.words
    row = len(before)
    for at in range(len(found) - row):
        if (
            found[at].word == before[0]
            and wanted.matches_last(found[at + row].word)
            and all(found[at + n].word == before[n] for n in range(1, row))
        ):
            yield found[at].start, found[at + row].end


def _single(wanted: Wanted, found: list[Located]) -> Iterator[Span]:
    matches = wanted.matches_last
    length = len(wanted.words[0])
    for start, end, word, parts in found:
        if matches(word):
            # Of a pair of characters only the first is looked for.
            begun = wanted.prefix and len(word) > length and is_unspaced(word)
            yield start, start + length if begun else end
        elif parts and any(map(matches, parts)):
            yield start, end


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    current: Span | None = None
    for start, end in spans:
        if current is None:
            current = (start, end)
        elif start < current[1]:
            current = (current[0], max(current[1], end))
        else:
            yield current
            current = (start, end)
    if current is not None:
        yield current
