"""Folding, and what a piece of text is found by: the one rule of word splitting, for indexing and asking alike.

Text is cut at every ASCII character that is no letter and no digit into *chunks*, and each distinct chunk is
expanded once. What it expands to:

- its *sequence*: the words that follow each other in it, folded. `snake_case` is `snake`, `case`; `node.js` is
  `node`, `js`; `C++` and `C#` are one word each. A compound name is so found whole, as a sequence, and by part.
- its *parts*: further words that it is found by but that do not follow each other in the text: the parts of
  a CamelCase name, and `c` for `C++`.

Runs of Han, kana, Hangul, Thai, Lao, Burmese and Khmer, which are written without blanks, become pairs of
neighbouring characters and the last character alone: 日本語 is 日本, 本語, 語.

Folding is NFKC, case folding, and accents dropped (not the vowel signs of scripts that need them).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# A longer word is cut to so many characters, in documents and queries alike.
WORD_CHARACTERS = 64

# No UTF-8 text holds these bytes: they stand for the marks of C++ and C# while the rest is cut away.
_PLUS, _SHARP = 0xFE, 0xFF
_MARKED = re.compile(rb"\+\+(?![+#A-Za-z])")
_SHARPED = re.compile(rb"[CcFf]#(?![+#A-Za-z])")
_MARK = r"(?:(?<=[0-9A-Za-z])\+\+|(?<![0-9A-Za-z][CcFf])(?<=[CcFf])#)(?![+#A-Za-z])"
_PLUSES, _SHARPS = bytes([_PLUS, _PLUS]) + b" ", bytes([_SHARP]) + b" "
_KEPT = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") | frozenset(
    range(0x80, 0x100)
)
_TO_CHUNKS = bytes(byte if byte in _KEPT else 0x20 for byte in range(256))

_CHUNK = re.compile(rf"[^\0-/:-@\[-`{{-\x7f]+(?:{_MARK})?")

# Characters that stand inside a word and mean nothing to a search: soft hyphen, joiners, byte order mark.
_IGNORABLE = "\u00ad\u200b-\u200d\u2060\ufeff"
_IGNORED = re.compile(f"[{_IGNORABLE}]+")
# Accents and optional vowel points (Latin, Greek, Cyrillic, Hebrew, Arabic, Syriac; combining symbols).
_ACCENTS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20f0\ufe20-\ufe2f"
)
_DROPPED = re.compile(f"[{_ACCENTS}]+")
# Vowel signs and other marks that are part of the word, by block.
_SIGNS = (
    "\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u0898-\u0963\u0971-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e"
    "\u0eb1-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e"
    "\u1056-\u109d\u135d-\u135f\u1712-\u1734\u1752\u1753\u1772\u1773\u17b4-\u17d3\u17dd\u18a9\u1920-\u193b"
    "\u1a17-\u1a1b\u1a55-\u1a7f\u1b00-\u1b44\u1b80-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cf9\u302a-\u302f"
    "\u3099\u309a\ua66f\ua674-\ua67d\ua802-\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua926-\ua953\ua980-\ua9c0\ua9e5"
    "\uaa29-\uaa36\uaa43-\uaa4d\uaa7b-\uaa7d\uaab0-\uaac1\uaaeb-\uaaf6\uabe3-\uabed\U00010a01-\U00010a3f"
    "\U00011000-\U00011046\U00011080-\U000110ba"
)
_RUN = re.compile(f"(?:[^\\W_]|[{_ACCENTS}{_SIGNS}{_IGNORABLE}])+")
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ud7fb"
    "\uf900-\ufaff\U00010000-\U0010ffff"
)
_FIRST_UNSPACED = _UNSPACED[0]
# Letters whose stroke no normalisation form takes away.
_STROKES = str.maketrans("ıøłđħ", "ioldh")
_STROKED = frozenset("ıøłđħ")
# Signs that are no word: trade marks stand at words, and boxes are drawn with the second group.
_SILENT_SIGNS = re.compile("[\u00a8\u00a9\u00ae\u00af\u00b0\u00b4\u00b8\u2120-\u2122\u2500-\u259f]")
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
# What has more parts is no name but encoded data.
_MOST_PARTS = 12
_PLURAL_ACRONYM = re.compile(r"([A-Z]{2,})s")


class Expansion(NamedTuple):
    """What one chunk is found by.

    Attributes:
        sequence: the words that follow each other in it, folded.
        parts: words that it is found by besides.
    """

    sequence: tuple[str, ...]
    parts: tuple[str, ...] = ()


class Located(NamedTuple):
    """A word where it stands in a text, in characters: `text[start:end]`."""

    start: int
    end: int
    word: str
    parts: tuple[str, ...] = ()


def fold(text: str) -> str:
    """The form in which words are compared: NFKC, case folded, accents and ignorable characters dropped."""
    if text.isascii():
        return text.lower()
    if not text.isalnum():  # what is dropped is neither letter nor digit
        text = _IGNORED.sub("", text)
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    if not text.isalnum():
        text = _DROPPED.sub("", text)
    if not _STROKED.isdisjoint(text):
        text = text.translate(_STROKES)
    return unicodedata.normalize("NFC", text)


def split(raw: bytes) -> list[bytes]:
    """The chunks of a text in UTF-8, for `expand`. Nearly every step is one call in C."""
    if b"++" in raw:
        raw = _MARKED.sub(_mark_plus, raw)
    if b"C#" in raw or b"c#" in raw or b"F#" in raw or b"f#" in raw:
        raw = _SHARPED.sub(_mark_sharp, raw)
    return raw.translate(_TO_CHUNKS).split()


def _mark_plus(match: re.Match[bytes]) -> bytes:
    """C++, but not ++ alone."""
    before = match.string[match.start() - 1 : match.start()]
    return _PLUSES if before.isalnum() else match[0]


def _mark_sharp(match: re.Match[bytes]) -> bytes:
    """C#, but not doc#."""
    before = match.string[match.start() - 1 : match.start()]
    return match[0] if before.isalnum() else match[0][:1] + _SHARPS


def expand(chunk: bytes) -> Expansion:
    """What a chunk of `split` is found by. Total: broken UTF-8 is replaced."""
    if chunk.isascii():
        text = chunk.decode("ascii")
        word = text.lower()[:WORD_CHARACTERS]
        if len(text) > WORD_CHARACTERS or text.islower() or text.isupper() or not _HUMP.search(text):
            return Expansion((word,))
        return Expansion((word,), _camel_parts(text, word))
    if chunk[-1] in (_PLUS, _SHARP):
        return _expand_marked(chunk)
    return _expand_wide(chunk.decode("utf-8", "replace"))


def plain(chunk: bytes) -> str | None:
    """The one word that a chunk is, or None where it may be more: what most chunks need, quickly."""
    if not chunk.isascii():
        return None
    text = chunk.decode("ascii")
    word = text.lower()
    if word[1:] != text[1:] and not text.isupper() and _HUMP.search(text):
        return None
    return word[:WORD_CHARACTERS]


def _expand_marked(chunk: bytes) -> Expansion:
    """`c++` for C++; found by `c` besides."""
    mark = "#" if chunk[-1] == _SHARP else "++"
    stem = expand(chunk.rstrip(bytes([_PLUS, _SHARP])))
    if not stem.sequence:
        return stem
    *before, last = stem.sequence
    return Expansion((*before, last[: WORD_CHARACTERS - 2] + mark), (last, *stem.parts))


def _camel_parts(text: str, word: str) -> tuple[str, ...]:
    """`parse`, `html` for parseHtml; nothing where there is but one part."""
    plural = _PLURAL_ACRONYM.fullmatch(text)
    if plural:
        return (plural[1].lower(),)
    parts = dict.fromkeys(part.lower() for part in _CAMEL.findall(text))
    parts.pop(word, None)
    return tuple(parts) if len(parts) <= _MOST_PARTS else ()


def _expand_wide(text: str) -> Expansion:
    if text.isalnum():
        run = _words_of_run(text)
        return Expansion(tuple(run), _wide_camel(text, run))
    sequence: list[str] = []
    parts: list[str] = []
    for _, _, words, more in _wide_runs(text):
        sequence += words
        parts += more
    return Expansion(tuple(sequence), tuple(dict.fromkeys(parts)))


def _wide_runs(text: str) -> Iterator[tuple[int, int, list[str], tuple[str, ...]]]:
    """The runs of word characters of a chunk that is not all ASCII, and the signs between them, with spans."""
    end = 0
    for match in _RUN.finditer(text):
        if match.start() > end:
            yield from _signs(text, end, match.start())
        end = match.end()
        run = match[0]
        words = _words_of_run(run)
        if words:
            yield match.start(), end, words, _wide_camel(run, words)
    if end < len(text):
        yield from _signs(text, end, len(text))


def _signs(text: str, start: int, end: int) -> Iterator[tuple[int, int, list[str], tuple[str, ...]]]:
    """Emoji, arrows, currency signs: each is a word of its own."""
    for at in range(start, end):
        character = text[at]
        if unicodedata.category(character) in ("So", "Sm", "Sc") and not _SILENT_SIGNS.match(character):
            yield at, at + 1, [character], ()


def _words_of_run(run: str) -> list[str]:
    folded = fold(run)
    found = [folded] if folded.isalnum() else _RUN.findall(folded)
    if not found or max(folded) < _FIRST_UNSPACED:
        return [word[:WORD_CHARACTERS] for word in found]
    words: list[str] = []
    for word in found:
        at = 0
        for piece in _unspaced().finditer(word):
            if piece.start() > at:
                words.append(word[at : piece.start()][:WORD_CHARACTERS])
            at = piece.end()
            words += [word[n : min(n + 2, at)] for n in range(piece.start(), at)]
        if at < len(word):
            words.append(word[at:][:WORD_CHARACTERS])
    return words


@cache
def _unspaced() -> re.Pattern[str]:
    """Runs of what is written without blanks. Made when it is needed: it takes a while."""
    return re.compile(f"[{_UNSPACED}]+")


def _wide_camel(run: str, words_of_run: list[str]) -> tuple[str, ...]:
    """The parts of a CamelCase name with letters outside ASCII."""
    if len(words_of_run) > 1 or len(run) > WORD_CHARACTERS or run.islower() or run.isupper() or run.istitle():
        return ()
    cuts = [
        at
        for at in range(1, len(run))
        if run[at].isupper() and (run[at - 1].islower() or run[at + 1 : at + 2].islower())
    ]
    pieces = [run[a:b] for a, b in zip([0, *cuts], [*cuts, len(run)], strict=True)]
    parts = dict.fromkeys(word for piece in pieces for word in _RUN.findall(fold(piece)))
    parts.pop(words_of_run[0], None)
    return tuple(parts) if len(parts) <= _MOST_PARTS else ()


def chunks(text: str) -> Iterator[tuple[int, int, str]]:
    """The raw chunks of a text, with their spans in characters."""
    for match in _CHUNK.finditer(text):
        yield match.start(), match.end(), match[0]


@lru_cache(maxsize=4096)
def terms(chunk: str) -> tuple[str, ...]:
    """The words that a raw chunk is found by."""
    expansion = _expansion(chunk)
    return expansion.sequence + expansion.parts


def _expansion(chunk: str) -> Expansion:
    found = [expand(piece) for piece in split(chunk.encode("utf-8", "replace"))]
    if len(found) == 1:
        return found[0]
    return Expansion(
        tuple(word for each in found for word in each.sequence),
        tuple(word for each in found for word in each.parts),
    )


def words(text: str) -> tuple[str, ...]:
    """The sequence of the words of a text."""
    return tuple(word for chunk in split(text.encode("utf-8", "replace")) for word in expand(chunk).sequence)


def located(text: str) -> list[Located]:
    """The sequence of the words of a text, each with its span in characters."""
    found: list[Located] = []
    for start, end, chunk in chunks(text):
        if chunk.isascii():
            expansion = _expand_ascii(chunk)
            found.append(Located(start, end, expansion.sequence[0], expansion.parts))
        else:
            found += _locate_wide(chunk, start)
    return found


@lru_cache(maxsize=4096)
def _expand_ascii(chunk: str) -> Expansion:
    return _expansion(chunk)


def _locate_wide(chunk: str, offset: int) -> list[Located]:
    bare = chunk.rstrip("+#")
    found: list[Located] = []
    for start, end, run_words, parts in _wide_runs(bare):
        spans = _spans_in_run(bare[start:end], run_words)
        for word, (a, b) in zip(run_words, spans, strict=True):
            found.append(Located(offset + start + a, offset + start + b, word, parts))
    if found and len(bare) < len(chunk):
        last = found[-1]
        marked = last.word[: WORD_CHARACTERS - 2] + chunk[len(bare) :]
        found[-1] = Located(last.start, offset + len(chunk), marked, (last.word, *last.parts))
    return found


def _spans_in_run(run: str, run_words: list[str]) -> list[tuple[int, int]]:
    """Where each word of a run stands in it: exactly for pairs of characters, else the whole run."""
    whole = (0, len(run))
    if len(run_words) == 1:
        return [whole]
    origin: list[int] = []
    folded = ""
    for at, character in enumerate(run):
        piece = fold(character)
        folded += piece
        origin += [at] * len(piece)
    if folded != fold(run):
        return [whole] * len(run_words)
    spans: list[tuple[int, int]] = []
    at = 0
    for word in run_words:
        found = folded.find(word, at)
        if found < 0:
            return [whole] * len(run_words)
        spans.append((origin[found], origin[found + len(word) - 1] + 1))
        at = found + (1 if len(word) == 2 and is_unspaced(word) else len(word))
    return spans


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script that is written without blanks (one or two characters of it)."""
    return word[:1] >= _FIRST_UNSPACED and bool(_unspaced().match(word))
