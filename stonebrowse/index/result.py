"""What a search gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.index.engine import Ranked
    from stonebrowse.index.queries import Query


@dataclass(frozen=True, slots=True)
class Found:
    """What was found.

    Attributes:
        hits: the best passages, best first: document's key, passage of the document, score.
        total: how many match.
        exact: whether none was missed for the bound of work, so that `total` is right.
        query: what was answered: the query, or its fallback.
        notes: what is to be said about that.
        unknown: which words of the query stand nowhere.
    """

    hits: list[tuple[int, int, float]]
    total: int
    exact: bool
    query: Query
    notes: tuple[str, ...]
    unknown: tuple[str, ...]


def answered(query: Query, ask: Callable[[Query], Ranked]) -> Found:
    """The answer to a query, or, where its filters leave nothing, to the same with them read as words."""
    ranked = ask(query)
    if not ranked.total and query.fallback is not None:
        again = ask(query.fallback)
        if again.total:
            query, ranked = query.fallback, again
    notes = query.notes
    if not ranked.exact:
        notes = (*notes, "the query asks for too much: not everything was looked through")
    unknown = tuple(
        dict.fromkeys(
            each.words[0] for each in ranked.unknown if len(each.words) == 1 and each.field == "text"
        )
    )
    return Found(ranked.hits, ranked.total, ranked.exact, query, notes, unknown)
