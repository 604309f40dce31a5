"""From what a person typed to what is asked of the index. Total: nothing raises, and the work is bounded.

The language: words joined by *and*; `"a phrase"`; `prefix*`; `-without`; `a OR b`, which binds its two
neighbours only, so that `x a OR b` asks for x and for one of a and b; `heading:word`, `path:word`, `tag:word`
and `title:word`, with a phrase or a beginning too. A word of several parts (`node.js`, `snake_case`,
`/etc/hosts`, a run of Chinese) asks for its parts in a row. Anything else is plain words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from stonebrowse.index.lighting import lights
from stonebrowse.index.narrowing import may_match
from stonebrowse.index.wanted import Wanted
from stonebrowse.text.words import is_unspaced
from stonebrowse.text.words import words as words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.index.fields import Field

# More is answered by its beginning, and that is said.
MOST_CHARACTERS = 4000
MOST_WORDS = 50

_QUOTES = str.maketrans("“”„", '"""')
_ITEM = re.compile(
    r"""(?P<without>(?<!\S)-(?=[^\s-]))?
        (?:(?P<field>heading|path|tag|title):(?=[^\s:]))?
        (?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+)|")""",
    re.VERBOSE,
)
# A beginning, but not **bold** or *.md.
_PREFIX = re.compile(r"[^*].*[^*\s]\*$|[^*\s]\*$")

Group = tuple[Wanted, ...]


@dataclass(frozen=True)
class Query:
    """A query as it was read.

    Attributes:
        string: as it was typed.
        groups: all of these must be met, each by one of its members at least.
        excluded: none of these may be met.
        notes: what is to be said about how it was read.
        fallback: what to ask where this finds nothing: filters read as plain words; or None.
    """

    string: str
    groups: tuple[Group, ...] = ()
    excluded: Group = ()
    notes: tuple[str, ...] = ()
    fallback: Query | None = None

    @cached_property
    def wanted(self) -> Group:
        """All that is looked for, each once, in the order of the query: what hits are scored by."""
        return tuple(dict.fromkeys(each for group in self.groups for each in group))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The whole words that are looked for: what may be misspelt."""
        whole = [
            each.words[:-1] if each.prefix else each.words for each in self.wanted if each.field == "text"
        ]
        return tuple(dict.fromkeys(word for row in whole for word in row))

    def lights(self, text: str) -> list[tuple[int, int]]:
        """What of a text matches: spans in characters, in order, none overlapping."""
        return lights(self.wanted, text)

    def may_match(self, text: bytes, path: str, *around: str) -> bool:
        """Whether a document can hold a match: quick, and never a false no.

        Args:
            text: the document's text, UTF-8.
            path: its path.
            around: its title and tags, where they are not in the text.
        """
        return may_match(self.groups, text, "\n".join((path, *around)))

    def any(self) -> Query:
        """The same, met by any of what it looks for."""
        return replace(self, groups=(self.wanted,) if self.wanted else (), fallback=None)


class _Item(NamedTuple):
    """One piece of a query: what it asks for, whether it excludes that, and whether it may be an operator."""

    wanted: Wanted
    without: bool = False
    operator: bool = False


def parse(string: str, *, typing: bool = False) -> Query:
    """Reads a query.

    Args:
        string: anything.
        typing: it is still being typed: its last word may be the beginning of one.
    """
    notes: list[str] = []
    text = string[:MOST_CHARACTERS].translate(_QUOTES)
    if len(string) > MOST_CHARACTERS:
        notes.append(f"only the first {MOST_CHARACTERS:,} characters of the query are searched for")
    items = list(_items(text, typing=typing))
    kept = list(_bounded(items))
    if kept != items:
        while kept and kept[-1].operator:
            kept.pop()  # what it would join is cut off: it is not a word that is asked for
        notes.append(f"only the first {MOST_WORDS} words of the query are searched for")
    groups, excluded = _combined(kept)
    if excluded and not groups:
        notes.append("exclusions alone exclude nothing: they are searched for as words")
        groups, excluded = tuple((each,) for each in excluded), ()
    query = Query(string, groups, excluded, tuple(notes))
    filters = dict.fromkeys(f"{each.field}:" for each in query.wanted if each.field != "text")
    if not filters:
        return query
    notes.append(f"nothing is left by {' and '.join(filters)} so that is searched for as words")
    plain = tuple(group for each in groups for group in _without_fields(each))
    return replace(query, fallback=Query(string, plain, excluded, tuple(notes)))


def _items(text: str, *, typing: bool) -> Iterator[_Item]:
    """The pieces of a query that have words."""
    for match in _ITEM.finditer(text):
        without = match["without"] is not None
        field = cast("Field", match["field"] or "text")
        if match["phrase"] is not None:
            wanted = _wanted(match["phrase"], field)
        else:
            word = match["word"] or ""
            unfinished = typing and not without and match.end() == len(text)
            wanted = _wanted(word, field, prefix=bool(_PREFIX.match(word)), unfinished=unfinished, bare=True)
        if wanted is None and field != "text":
            wanted = _wanted(field, "text", bare=True)  # `path:` and then no word: a word itself
        if wanted is not None:
            yield _Item(wanted, without, match[0] == "OR")


def _wanted(
    text: str, field: Field, *, prefix: bool = False, unfinished: bool = False, bare: bool = False
) -> Wanted | None:
    """What a word or phrase asks for; None where there are no words in it.

    Args:
        text: the word or phrase.
        field: where it shall stand.
        prefix: it is the beginning of a word.
        unfinished: it may be, and may be a whole word too.
        bare: it stands without quotes: other forms of it are looked for too.
    """
    words = words_of(text)
    if not words:
        return None
    if is_unspaced(words[-1]):
        # A text has a run's last character alone at its end only, so it says nothing here but where the run
        # is no longer than that.
        if len(words) > 1 and len(words[-2]) > 1 and is_unspaced(words[-2]):
            return Wanted(words[:-1], field)
        return Wanted(words, field, prefix=True)
    widened = bare and not prefix and len(words) == 1
    return Wanted(words, field, prefix or unfinished, widened)


def _bounded(items: Iterable[_Item]) -> Iterator[_Item]:
    """The first items, with no more words than the bound; repeating one costs nothing."""
    left = MOST_WORDS
    seen: set[_Item] = set()
    for item in items:
        words = item.wanted.words
        if item.operator or item in seen:
            yield item
            continue
        seen.add(item)
        if len(words) > left:
            if left:
                yield item._replace(wanted=Wanted(words[:left], item.wanted.field))
            return
        left -= len(words)
        yield item


def _combined(items: list[_Item]) -> tuple[tuple[Group, ...], Group]:
    """The items joined by *and*, but for those on both sides of an `OR`; and what is excluded."""
    groups: list[Group] = []
    excluded: list[Wanted] = []
    joined = False
    for at, item in enumerate(items):
        if item.operator and _joins(items, at):
            joined = True
        elif item.without:
            excluded.append(item.wanted)
        elif joined:
            groups[-1] = (*groups[-1], item.wanted)
            joined = False
        else:
            groups.append((item.wanted,))
    return tuple(dict.fromkeys(groups)), tuple(dict.fromkeys(excluded))


def _joins(items: list[_Item], at: int) -> bool:
    """Whether an `OR` stands between two things that can be met."""
    if not 0 < at < len(items) - 1:
        return False
    before, after = items[at - 1], items[at + 1]
    return not (before.without or after.without or before.operator or after.operator)


def _without_fields(group: Group) -> Iterator[Group]:
    """A group with its filters read as plain words."""
    if len(group) == 1 and group[0].field != "text":
        yield (Wanted((group[0].field,)),)
    yield tuple(each._replace(field="text") for each in group)
