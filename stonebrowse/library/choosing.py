"""Choosing what a model is handed for a question: the best passages, each under its citation, within a budget."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stonebrowse.library.evidence import is_engraved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stonebrowse.library.searching import Hit, Searching

MOST_HITS = 60
# What is an operator in a query is a sign in a question (CONTRACT section 5, "Search").
_SIGNS = re.compile(r"[\"“”„?!,;()\[\]{}:*]|(?:^|(?<=\s))-+|\bOR\b")
# Words that make a question and are not what it is about. A search finds them; of a question, in which any word will
# do, they would always find something.
_ASKING = frozenset(
    re.findall(
        r"\w+",
        """
        a about an and any are as at be been but by can could did do does for from had has have how i if in into is it
        its me my of on or our shall should so some tell than that the their them then there these they this those to
        us was we were what when where which who whom whose why will with would you your
        """,
    )
)


@dataclass(frozen=True, slots=True)
class Handed:
    """A part of a section that a model is handed.

    Attributes:
        citation: its citation string.
        trail: the headings above, outermost first, escaped.
        passage_id: the passage, the first where several were joined.
        file_id, version_id, digest, number: the version.
        start, end: the bytes of the version's text.
        text: they.
    """

    citation: str
    trail: tuple[str, ...]
    passage_id: str
    file_id: str
    version_id: str
    digest: str
    number: int
    start: int
    end: int
    text: str

    def as_json(self) -> dict[str, Any]:
        """The same for JSON, without its text."""
        return {
            "citation": self.citation,
            "trail": list(self.trail),
            "passage_id": self.passage_id,
            "file_id": self.file_id,
            "version_id": self.version_id,
            "number": self.number,
            "digest": self.digest,
            "start": self.start,
            "end": self.end,
        }


@dataclass(slots=True)
class _Part:
    """Passages of one section that follow each other."""

    first: Hit
    last: Hit

    def takes(self, hit: Hit) -> bool:
        """Takes a neighbour in; says whether it was one."""
        if hit.ordinal == self.first.ordinal - 1:
            self.first = hit
        elif hit.ordinal == self.last.ordinal + 1:
            self.last = hit
        else:
            return False
        return True


def choose(searching: Searching, question: str, max_characters: int) -> list[Handed]:
    """The passages for a question: ranked by any of its words, one of each section, its neighbours joined to it.

    Notes that stonebrowse engraved are left out: they can be read, never cited.

    Args:
        searching: of the library.
        question: in a person's words.
        max_characters: of their texts in all.

    Returns:
        Those of one document beside each other, in its order; the document with the best hit first.
    """
    found = searching.search(_query(question), limit=MOST_HITS, any_word=True)
    parts: dict[tuple[str, int], _Part] = {}
    engraved: dict[str, bool] = {}
    left = max_characters
    for hit in found.hits:
        if hit.version_id not in engraved:
            engraved[hit.version_id] = is_engraved(hit.document)
        size = len(hit.text)
        if engraved[hit.version_id] or size > left:
            continue
        key = (hit.version_id, hit.document.cut.passage(hit.ordinal).section)
        part = parts.get(key)
        if part is None:
            parts[key] = _Part(hit, hit)
        elif not part.takes(hit):
            continue
        left -= size
    return list(_in_order(parts))


def _query(question: str) -> str:
    """What a question is looked for by; all its words where it has none but those that make a question."""
    words = _SIGNS.sub(" ", question).split()
    telling = [word for word in words if word.rstrip(".").casefold() not in _ASKING]
    return " ".join(telling or words)


def _in_order(parts: dict[tuple[str, int], _Part]) -> Iterator[Handed]:
    versions = list(dict.fromkeys(version for version, _ in parts))
    for version in versions:
        for _, part in sorted((key, part) for key, part in parts.items() if key[0] == version):
            first, document = part.first, part.first.document
            yield Handed(
                first.citation,
                first.trail,
                first.passage_id,
                first.file_id,
                first.version_id,
                document.version.digest,
                first.number,
                first.start,
                part.last.end,
                document.read(first.start, part.last.end).decode(),
            )
