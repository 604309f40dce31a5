"""One thing that a query looks for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index.inflections import other_forms

if TYPE_CHECKING:
    from stonebrowse.index.fields import Field


class Wanted(NamedTuple):
    """Words in a row, mostly one.

    Attributes:
        words: folded; never empty.
        field: where they shall stand.
        prefix: the last word is the beginning of one.
        widened: other English forms of the word are found too. Only a single word is.
    """

    words: tuple[str, ...]
    field: Field = "text"
    prefix: bool = False
    widened: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """The other forms that are found too, sorted."""
        return other_forms(self.words[0]) if self.widened else ()

    def single(self, place: int) -> Wanted:
        """One of the words, exactly; the last one is a beginning where that is looked for."""
        return Wanted(self.words[place : place + 1], self.field, self.prefix and place == len(self.words) - 1)

    def matches_last(self, word: str) -> bool:
        """Whether a word of a text is what the last word asks for."""
        last = self.words[-1]
        return word == last or (self.prefix and word.startswith(last)) or word in _form_set(self)


@lru_cache(maxsize=256)
def _form_set(wanted: Wanted) -> frozenset[str]:
    return frozenset(wanted.forms)
