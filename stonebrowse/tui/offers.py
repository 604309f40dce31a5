"""What is offered where a search finds nothing: nearest words, each word alone, the nearest passage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stonebrowse.library.searching import Answer, Hit

MOST = 8


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that may be chosen.

    Attributes:
        text: what it is.
        about: why it is offered.
        query: what is searched when it is chosen; empty where it is a passage.
        hit: the passage that is opened.
    """

    text: str
    about: str
    query: str = ""
    hit: Hit | None = None


def offers(query: str, answer: Answer) -> list[Offer]:
    """What is offered for a query and the answer to it; nothing where there are hits.

    Args:
        query: as it was typed.
        answer: what was found.
    """
    if answer.hits:
        return []
    found = [
        Offer(other, f"{near} for {word}", query=other)
        for word, near in answer.spelt[:MOST]
        for other in [instead(query, word, near)]
    ]
    if answer.closest is not None:
        found.append(Offer(answer.closest.citation, "holds the most of these words", hit=answer.closest))
    found += [
        Offer(alone, f"found in {total:,} {'passage' if total == 1 else 'passages'}", query=alone)
        for alone, total in answer.alone
        if total
    ]
    return found


def instead(query: str, word: str, near: str) -> str:
    """The query with another word in a word's place; the other word alone where the word is spelt otherwise.

    Args:
        query: as it was typed.
        word: folded.
        near: what takes its place.
    """
    whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    other, times = whole.subn(lambda _: near, query.strip())
    return other if times else near
