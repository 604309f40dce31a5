"""A straightforward search: looks at every passage of every document, for each thing that is wanted.

It shares with the index the rules of what a word is (`text.words`), which forms a word has, and the numbers of
the ranking; nothing of how these are stored, found, cached, merged or cut short.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stonebrowse.index import ranking
from stonebrowse.text.words import expand, split

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from stonebrowse.index import Document, Query
    from stonebrowse.index.wanted import Wanted


def _read(text: str) -> tuple[list[str], list[str]]:
    """The words of a text in a row, and what it is found by besides."""
    sequence: list[str] = []
    parts: list[str] = []
    for chunk in split(text.encode()):
        expansion = expand(chunk)
        sequence += expansion.sequence
        parts += expansion.parts
    return sequence, parts


@dataclass
class Place:
    """What stands at one passage: rows of words by field, and the words of each field."""

    key: int
    ordinal: int
    text: list[str]
    parts: list[str]
    heading: str
    trail: list[str]
    path: str
    title: str
    tags: tuple[str, ...]
    rows: dict[str, list[list[str]]] = field(init=False)
    words: dict[str, set[str]] = field(init=False)
    above: list[set[str]] = field(init=False)

    def __post_init__(self) -> None:
        own = {
            "heading": [self.heading],
            "path": [self.path],
            "title": [self.title],
            "tag": list(self.tags),
        }
        self.rows = {name: [_read(text)[0] for text in texts] for name, texts in own.items()}
        self.words = {
            name: {word for text in texts for half in _read(text) for word in half}
            for name, texts in own.items()
        }
        self.above = [{word for half in _read(heading) for word in half} for heading in self.trail]
        self.rows["text"] = [
            self.text,
            *(row for rows in self.rows.values() for row in rows),
            *(_read(heading)[0] for heading in self.trail),
        ]
        self.words["text"] = {*self.text, *self.parts}.union(*self.words.values(), *self.above)

    def plain_value(self, name: str, word: str) -> int:
        """What one word is worth here, itself."""
        amounts = {
            "heading": ranking.HEADING,
            "path": ranking.PATH,
            "title": ranking.TITLE,
            "tag": ranking.TAGS,
        }
        if name != "text":
            return amounts[name] if word in self.words[name] else 0
        value = sum(amount for other, amount in amounts.items() if word in self.words[other])
        value += ranking.TRAIL * sum(word in words for words in self.above)
        times = self.text.count(word) + self.parts.count(word)
        if times:
            value += ranking.TEXT_VALUES[len(self.text)][times]
        return value

    def single_value(self, wanted: Wanted) -> int:
        """What one word is worth here: itself, else another form of it, else a word that begins so."""
        (word,) = wanted.words
        exact = self.plain_value(wanted.field, word)
        if exact:
            return exact
        held = self.words[wanted.field]
        begun = [each for each in held if each.startswith(word)] if wanted.prefix else []
        if begun and len(word) <= ranking.SHORT_PREFIX_CHARACTERS:
            return ranking.SHORT_PREFIX
        others = [form for form in wanted.forms if form in held] or begun
        return ranking.LESSER[self.plain_value(wanted.field, max(others))] if others else 0

    def value(self, wanted: Wanted) -> int:
        """What anything wanted is worth here; 0 where it does not stand."""
        if len(wanted.words) == 1:
            return self.single_value(wanted)
        if not any(_stands(wanted, row) for row in self.rows[wanted.field]):
            return 0
        return min(self.single_value(wanted.single(place)) for place in range(len(wanted.words)))


def _stands(wanted: Wanted, row: list[str]) -> bool:
    length = len(wanted.words)
    return any(
        all(
            word == other or (wanted.prefix and n == length - 1 and other.startswith(word))
            for n, (word, other) in enumerate(zip(wanted.words, row[at : at + length], strict=True))
        )
        for at in range(len(row) - length + 1)
    )


def places(documents: Iterable[Document]) -> list[Place]:
    found: list[Place] = []
    for document in documents:
        cut = document.cut
        for ordinal, passage in enumerate(cut.passages()):
            section = cut.section(passage.section)
            trail = []
            parent = section.parent
            while parent >= 0:
                trail.append(cut.section(parent).heading)
                parent = cut.section(parent).parent
            text, parts = _read(document.text[passage.start : passage.end].decode())
            found.append(
                Place(
                    document.key,
                    ordinal,
                    text,
                    parts,
                    section.heading,
                    trail,
                    document.path,
                    document.title,
                    document.tags,
                )
            )
    return found


def search(
    here: list[Place], query: Query, *, limit: int, only: Collection[int] | None = None
) -> tuple[list[tuple[int, int, float]], int]:
    """The best passages and how many there are; without the fallback."""
    wanted = query.wanted
    values = [[place.value(each) for place in here] for each in wanted]
    weights = [ranking.rarity(len(here), sum(map(bool, column))) for column in values]
    hits: list[tuple[int, int, float]] = []
    for n, place in enumerate(here):
        by_wanted = {each: values[at][n] for at, each in enumerate(wanted)}
        if not query.groups or not all(any(by_wanted[each] for each in group) for group in query.groups):
            continue
        if any(place.value(each) for each in query.excluded):
            continue
        if only is not None and place.key not in only:
            continue
        score = 0.0
        for weight, each in zip(weights, wanted, strict=True):
            score += weight * by_wanted[each]
        hits.append((place.key, place.ordinal, score))
    hits.sort(key=lambda hit: (-hit[2], hit[0], hit[1]))
    return hits[:limit], len(hits)
