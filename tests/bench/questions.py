"""What is asked of a search: drawn from the documents themselves, always the same for the same documents."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

SEED = 1_202
SAMPLED_FILES = 900
WORD = re.compile(r"[A-Za-z][A-Za-z0-9'_.-]*[A-Za-z0-9]")
PHRASE = re.compile(rf"{WORD.pattern}(?: {WORD.pattern})+")
CJK = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]{4,}")


@dataclass(frozen=True, slots=True)
class Question:
    """One query.

    Attributes:
        kind: what sort of query it is.
        ours: as a person types it.
        fts5: the same for SQLite's FTS5, every word quoted; empty where it is asked of us only.
    """

    kind: str
    ours: str
    fts5: str = ""


def is_drawn_from(line: str) -> bool:
    """Whether words are drawn from a line: plain ones, some of them, not cut at letters that `WORD` lacks."""
    return line.isascii() and len(WORD.findall(line)) > 4


class _Drawing:
    """Draws words from the texts of some files."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.chooser = random.Random(SEED)
        some = self.chooser.sample(list(paths), min(SAMPLED_FILES, len(paths)))
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in some]
        self._lines = [line for text in texts for line in text.splitlines() if is_drawn_from(line)]
        self._cjk: list[str] = [run for text in texts for run in CJK.findall(text)]

    def words(self, count: int) -> list[str]:
        """Words of one line."""
        while True:
            found = list(dict.fromkeys(WORD.findall(self.chooser.choice(self._lines))))
            if len(found) >= count:
                return self.chooser.sample(found, count)

    def phrase(self, count: int) -> list[str]:
        """Words that follow each other, with nothing but a blank between them."""
        while True:
            line = self.chooser.choice(self._lines)
            found = PHRASE.finditer(line)
            runs = [match[0].split(" ") for match in found]
            runs = [run for run in runs if len(run) >= count]
            if runs:
                run = self.chooser.choice(runs)
                start = self.chooser.randrange(len(run) - count + 1)
                return run[start : start + count]

    def prefix(self) -> str:
        """The beginning of a word: 2 to 5 letters."""
        while True:
            word = self.words(1)[0]
            if word.isalnum() and len(word) >= 4:
                return word[: self.chooser.randint(2, min(5, len(word) - 1))]

    def run(self) -> str | None:
        """2 to 4 characters of Chinese, Japanese or Korean; None where the documents have none."""
        if not self._cjk:
            return None
        run = self.chooser.choice(self._cjk)
        size = self.chooser.randint(2, 4)
        start = self.chooser.randrange(len(run) - size + 1)
        return run[start : start + size]

    def misspelt(self) -> str:
        """A word with a letter dropped, doubled or changed places."""
        while True:
            word = self.words(1)[0]
            if word.isalpha() and len(word) >= 5:
                at = self.chooser.randrange(1, len(word) - 2)
                return self.chooser.choice(
                    (
                        word[:at] + word[at + 1 :],
                        word[:at] + word[at] + word[at:],
                        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                    )
                )


def mixed(paths: Sequence[Path]) -> list[Question]:
    """About 300 queries of every kind that people ask, in mixed order."""
    drawing = _Drawing(paths)
    kinds: tuple[tuple[int, Callable[[_Drawing], Question | None]], ...] = (
        (60, lambda draw: _words("one word", draw.words(1))),
        (60, lambda draw: _words("two words", draw.words(2))),
        (30, lambda draw: _words("three words", draw.words(3))),
        (40, lambda draw: _prefix(draw.prefix())),
        (15, lambda draw: _prefix(draw.prefix(), draw.words(1)[0])),
        (30, lambda draw: _phrase(draw.phrase(draw.chooser.randint(2, 3)))),
        (20, lambda draw: _either(*draw.words(2))),
        (20, lambda draw: _without(*draw.words(2))),
        (20, _cjk),
        (20, lambda draw: _words("misspelt", [draw.misspelt()])),
    )
    found = [question for count, kind in kinds for _ in range(count) if (question := kind(drawing))]
    drawing.chooser.shuffle(found)
    return found


def literal_words(paths: Sequence[Path], count: int) -> list[str]:
    """Plain words of letters only, for a tool that knows nothing of words."""
    drawing = _Drawing(paths)
    found: dict[str, None] = {}
    while len(found) < count:
        word = drawing.words(1)[0]
        if word.isalpha() and len(word) >= 4:
            found.setdefault(word)
    return list(found)


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _words(kind: str, words: list[str]) -> Question:
    return Question(kind, " ".join(words), " ".join(map(_quoted, words)))


def _prefix(start: str, *words: str) -> Question:
    ours = " ".join([*words, f"{start}*"])
    return Question("prefix", ours, " ".join([*map(_quoted, words), f"{_quoted(start)}*"]))


def _phrase(words: list[str]) -> Question:
    whole = _quoted(" ".join(words))
    return Question("phrase", whole, whole)


def _either(first: str, second: str) -> Question:
    return Question("or", f"{first} OR {second}", f"{_quoted(first)} OR {_quoted(second)}")


def _without(first: str, second: str) -> Question:
    return Question("not", f"{first} -{second}", f"{_quoted(first)} NOT {_quoted(second)}")


def _cjk(drawing: _Drawing) -> Question | None:
    run = drawing.run()
    return Question("cjk", run, _quoted(run)) if run else None


def hostile(paths: Sequence[Path]) -> list[Question]:
    """Queries that are meant to hurt: frequent, long, many, malformed."""
    drawing = _Drawing(paths)
    many = [word for _ in range(200) for word in drawing.words(2)]
    runs = [run for run in (drawing.run() for _ in range(60)) if run]
    return [Question("hostile", query) for query in _hostile(many, runs)]


def _hostile(many: list[str], runs: list[str]) -> Iterator[str]:
    yield from ("a*", "s*", "e*", "c* d*", "a* b* c* d* e*", "t* OR s* OR a* OR c*", "in* -the", "th* of*")
    yield from (
        "the",
        "the of and to in a",
        '"the the"',
        '"of the"',
        '"in the a"',
        "the -of",
        "-the -of -and",
    )
    yield from ("the OR of OR and OR to OR in OR a", "e", "a", "1", "heading:a*", "path:a*", "tag:*", "path:")
    yield from (" ".join(many[:50]), " ".join(many), " OR ".join(many[:50]), " OR ".join(many[:200]))
    yield from (" ".join(f"{word[:2]}*" for word in many[:50]), " ".join(f"-{word}" for word in many[:50]))
    yield from ("x" * 100_000, f"{'x' * 100_000}*", '"' + "the " * 2_000 + '"', '"' * 1_000, "( " * 500)
    yield from (
        "*",
        "-",
        '"',
        "OR",
        "AND OR NOT",
        "a OR",
        "\0\x1b[2J",
        "\u202eabc\u2066",
        "🙂",
        "e\u0301" * 300,
    )
    if runs:
        yield from (runs[0][:1], f"{runs[0][:1]}*", "".join(runs), " ".join(runs), " OR ".join(runs))
