"""Real documents, where the shared sets are present: the index answers as looking at every passage does."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from stonebrowse.index import Index, Memory, parse
from tests.index import reference
from tests.index.documents import make
from tests.index.low_bounds import LOW, bounded
from tests.shared import members

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.index import Document

WORD = re.compile(r"[^\W_]+(?:[-._'/][^\W_]+)*")


@pytest.fixture(scope="module")
def real() -> list[Document]:
    texts = [
        (name, data.decode("utf-8", "replace"))
        for name, data in members("small")
        if name.lower().endswith(".md")
    ]
    return [make(key, text, path=path) for key, (path, text) in enumerate(texts[::8], start=1)]


def questions(documents: list[Document], count: int) -> list[str]:
    chance = random.Random(7)
    asked: list[str] = []
    while len(asked) < count:
        document = chance.choice(documents)
        words = WORD.findall(document.text.decode())
        if len(words) < 20:
            continue
        at = chance.randrange(len(words) - 5)
        one, other, third = words[at], chance.choice(words), chance.choice(words)
        asked.append(
            chance.choice(
                [
                    one, f"{one} {other}", f"{one} {other} {third}", f'"{" ".join(words[at : at + 3])}"', f"{one[:3]}*",
                    f"{one[:1]}*", f"{one} OR {other} -{third}", f"heading:{one} OR {other}", f"path:{one} {other}",
                    f'{one} -"{" ".join(words[at + 1 : at + 3])}"', f'"{one} {words[at + 1][:2]}"', f"-{one} {other}",
                ]
            )
        )  # fmt: skip
    return asked


@pytest.mark.parametrize("way", [{}, LOW, {"MOST_PASSAGES": 40}], ids=["as it is", "dense", "many segments"])
def test_any_question_to_real_documents(real: list[Document], way: dict[str, int]) -> None:
    here = reference.places(real)
    with bounded(way):
        memory = Memory(real)
        for string in questions(real, 40):
            for typing in (False, True):
                query = parse(string, typing=typing)
                found = memory.search(query, limit=20)
                assert (found.hits, found.total) == reference.search(here, found.query, limit=20), string


def test_small_steps_lead_to_the_same_index(real: list[Document], tmp_path: Path) -> None:
    chance = random.Random(3)
    whole = Index.open(tmp_path / "whole")
    whole.update(real)
    steps = Index.open(tmp_path / "steps")
    left = list(real)
    chance.shuffle(left)
    for at in range(0, len(left), 3):
        extra = make(1000 + at, "soon gone\n" * 3)
        steps.update([*left[at : at + 3], extra], [1000 + at - 3])
    steps.update([], [extra.key])
    assert steps.keys() == whole.keys()
    assert len(steps) == len(whole)
    for string in questions(real, 120):
        one, other = (index.search(parse(string), limit=20) for index in (whole, steps))
        assert (one.hits, one.total) == (other.hits, other.total), string
