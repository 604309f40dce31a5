"""English inflection: which other forms of a word a search for it also finds.

A form is a plural, a third person, a past, or an -ing form; derived words (-er, -ly, -ation) are other words.
The rules generate forms, most of which no text holds: only those that an index knows cost anything.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAST_LETTERS = 3
_WORD = re.compile(r"[a-z]+")
_HISSING = re.compile(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([^aeiouwxy])\1$")
# One consonant after one vowel, as in stop, begin, format: may double before -ed and -ing.
_DOUBLING = re.compile(r"(?:^|[^aeiou])[aeiou][^aeiouwxy]$")
_NO_PLURAL = re.compile(r"(?:ss|us|is)$")
_UNINFLECTED = frozenset(
    [
        "always",
        "anything",
        "besides",
        "during",
        "evening",
        "everything",
        "its",
        "morning",
        "news",
        "nothing",
        "perhaps",
        "series",
        "sometimes",
        "something",
        "species",
        "string",
        "thing",
        "was",
    ]
)

_IRREGULAR_LINES = """
appendix appendices | analysis analyses | axis axes | basis bases | crisis crises | criterion criteria | datum data
diagnosis diagnoses | half halves | hypothesis hypotheses | index indices indexes | knife knives | leaf leaves
life lives | matrix matrices | medium media | parenthesis parentheses | phenomenon phenomena | quiz quizzes
schema schemata | shelf shelves | synopsis synopses | thesis theses | vertex vertices | wife wives | wolf wolves
child children | foot feet | goose geese | man men | mouse mice | person people | tooth teeth | woman women
become became | begin began begun | bind bound | break broke broken | bring brought | build built | buy bought
catch caught | choose chose chosen | come came | deal dealt | dig dug | do does did done doing | draw drew drawn
drive drove driven | eat ate eaten | fall fell fallen | feed fed | feel felt | fight fought | find found
fly flew flown | forget forgot forgotten | freeze froze frozen | get got gotten | give gave given
go goes went gone going | grow grew grown | hang hung | have has had having | hear heard | hide hid hidden
hold held | keep kept | know knew known | lay laid | lead led | leave left | lend lent | lose lost | make made
mean meant | meet met | override overrode overridden | overwrite overwrote overwritten | pay paid | rebuild rebuilt
rewrite rewrote rewritten | ride rode ridden | ring rang rung | rise rose risen | run ran | say said | see saw seen
seek sought | sell sold | send sent | shake shook shaken | shoot shot | show showed shown | sing sang sung
sink sank sunk | sit sat | sleep slept | speak spoke spoken | spend spent | spin spun | stand stood
steal stole stolen | stick stuck | strike struck | swear swore sworn | swim swam swum | take took taken
teach taught | tear tore torn | tell told | think thought | throw threw thrown | understand understood
undo undoes undid undone | wake woke woken | wear wore worn | win won | wind wound | write wrote written
"""


@lru_cache(maxsize=1)
def _irregular() -> dict[str, tuple[str, ...]]:
    """Each irregular form → all irregular forms of its words, their bases first."""
    table: dict[str, tuple[str, ...]] = {}
    for entry in re.split(r"[|\n]", _IRREGULAR_LINES.strip()):
        forms = tuple(entry.split())
        for form in forms:
            table[form] = tuple(dict.fromkeys((*table.get(form, ()), *forms)))
    return table


@lru_cache(maxsize=2048)
def other_forms(word: str) -> tuple[str, ...]:
    """The other forms of an English word, sorted; none for what cannot be one.

    Args:
        word: folded.
    """
    if len(word) < _LEAST_LETTERS or not _WORD.fullmatch(word) or word in _UNINFLECTED:
        return ()
    found: set[str] = set()
    irregular = _irregular().get(word, ())
    for base in {*_bases(word), *irregular[:1]}:
        found.add(base)
        if base not in _UNINFLECTED:
            found.update(_inflected(base))
    found.update(irregular)
    return tuple(sorted(found - {word}))


def _bases(word: str) -> set[str]:
    """The words that this one may be a form of, itself among them."""
    bases = {base for base in _stripped(word) if len(base) >= _LEAST_LETTERS and _VOWEL.search(base)}
    return bases | {word}


def _stripped(word: str) -> Iterator[str]:
    if word.endswith("ies"):
        yield word[:-3] + "y"
        yield word[:-1]
    elif word.endswith("es") and (_HISSING.search(word[:-2]) or word.endswith("oes")):
        yield word[:-2]
        yield word[:-1]
    elif word.endswith("s") and not _NO_PLURAL.search(word):
        yield word[:-1]
    elif word.endswith("ied"):
        yield word[:-3] + "y"
    elif word.endswith("eed"):
        yield word[:-1]
    elif word.endswith("ed"):
        yield word[:-1]
        yield from _without_suffix(word[:-2])
    elif word.endswith("ing"):
        yield word[:-3] + "e"
        yield from _without_suffix(word[:-3])
        if word.endswith("ying"):
            yield word[:-4] + "ie"


def _without_suffix(stem: str) -> Iterator[str]:
    yield stem
    if _DOUBLED.search(stem):
        yield stem[:-1]


def _inflected(base: str) -> Iterator[str]:
    if _HISSING.search(base):
        yield base + "es"
    elif _CONSONANT_Y.search(base):
        yield base[:-1] + "ies"
    elif base.endswith("o"):
        yield base + "s"
        yield base + "es"
    elif not base.endswith("s"):
        yield base + "s"
    if base.endswith("e"):
        yield base + "d"
    elif _CONSONANT_Y.search(base):
        yield base[:-1] + "ied"
    else:
        yield base + "ed"
    if base.endswith("ie"):
        yield base[:-2] + "ying"
    elif base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        yield base[:-1] + "ing"
    else:
        yield base + "ing"
    if _DOUBLING.search(base):
        yield base + base[-1] + "ed"
        yield base + base[-1] + "ing"
