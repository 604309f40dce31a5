"""What an occurrence is worth: the numbers of the ranking, all in one place.

A word's *value* in a passage is one byte, made when the passage is indexed and never computed again:

    value = text + heading + trail + path + title + tags

`text` is the saturating part of BM25 over the passage's own text; the others are fixed amounts, where the
word stands in the passage's heading, in a heading above that, in the path, in front matter's title or tags.
The greatest sum fits one byte. A passage's *score* is the sum, over what the query asks for, of value times
`rarity`, the inverse document frequency of BM25, counted over the passages that are there now. So a passage
scores the same however the index came about.
"""

from __future__ import annotations

from math import log

# BM25 (Robertson, Zaragoza 2009), with a fixed average length, so that indexing more changes no value.
K1 = 1.2
B = 0.6
AVERAGE_WORDS = 90

# What standing in the text is worth: at least the first, at most both together.
TEXT_LEAST = 32
TEXT_SPAN = 80
HEADING = 50
TRAIL = 10
PATH = 13
TITLE = 13
TAGS = 13
# Levels 1 to 6 leave at most five headings above one's own.
MOST = TEXT_LEAST + TEXT_SPAN + HEADING + 5 * TRAIL + PATH + TITLE + TAGS

# Another form of a word, or a word that only begins alike, is worth two fifths: less in the text than the least
# that the word itself is worth there.
LESSER = bytes(max(1, value * 2 // 5) if value else 0 for value in range(256))
# A beginning of one or two characters says little: all words that begin so are worth the same.
SHORT_PREFIX_CHARACTERS = 2
SHORT_PREFIX = 12

_TABULATED_WORDS = 4096
# Standing there more often than this is worth no more.
_SATURATED = 32


class _TextValues(dict[int, list[int]]):
    """Words of a text → the value of standing in it, as a list indexed by how many times. Fills itself."""

    def __missing__(self, words: int) -> list[int]:
        values = _computed(words)
        if words <= _TABULATED_WORDS:
            self[words] = values
        return values


TEXT_VALUES = _TextValues()


def _computed(words: int) -> list[int]:
    saturation = K1 * (1 - B + B * words / AVERAGE_WORDS)
    values = [0]
    values += [
        TEXT_LEAST + max(1, round(TEXT_SPAN * times / (times + saturation)))
        for times in range(1, min(2 * words, _SATURATED) + 1)
    ]
    # A part of a CamelCase name adds occurrences that are no words of the text, hence twice.
    return values + [values[-1]] * (2 * words + 1 - len(values))


def rarity(passages: int, holding: int) -> float:
    """What one unit of value is worth, for a word that `holding` of `passages` passages hold."""
    return log(1 + (passages - holding + 0.5) / (holding + 0.5))
