"""Documents that trip parsers, and the sections that are right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stonebrowse.text.headings import headings, headings_by_authority
from stonebrowse.text.passages import cut

DATA = Path(__file__).parents[1] / "data" / "text"
DOCUMENTS: list[dict[str, Any]] = json.loads((DATA / "sections.json").read_text(encoding="utf-8"))
SPEC: list[dict[str, Any]] = json.loads((DATA / "commonmark_headings.json").read_text(encoding="utf-8"))[
    "examples"
]
FRONT_MATTER_HERE = 96  # its first line opens what is front matter to us


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document["name"]))
def test_the_sections_of_a_document(document: dict[str, Any]) -> None:
    found = cut(document["text"].encode())
    sections = [
        [section.level, section.heading, section.line, list(found.trail(index))]
        for index, section in enumerate(found.sections())
    ]
    assert sections == document["sections"]


@pytest.mark.parametrize("example", SPEC, ids=lambda example: f"example {example['example']}")
def test_the_headings_of_the_specification(example: dict[str, Any]) -> None:
    text = example["markdown"].encode()
    expected = example["headings"]
    if example["example"] == FRONT_MATTER_HERE:
        expected = expected[1:]
    assert [[found.level, found.text, found.line] for found in headings(text)] == expected
    assert headings(text) == headings_by_authority(text)
