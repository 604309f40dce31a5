"""Blocks longer than a passage: each part shows what it would show in the whole document."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stonebrowse.tui.reader.boundaries import Boundaries
from stonebrowse.tui.reader.layout import Layout
from stonebrowse.tui.reader.source import MemorySource
from tests.tui.reader.pages import Pieces, rows_of, seen, source, whole

CORPORA = Path(os.environ.get("STONEBROWSE_CORPORA", "/nonexistent"))

LINES = [f"line {number} of it, `code` and *words*" for number in range(400)]
LONG_BLOCKS = {
    "fence": "```python\n" + "\n".join(LINES) + "\n```",
    "fence with a heading in it": "~~~\n" + "\n# no heading\n".join(LINES) + "\n~~~",
    "indented code": "\n".join("    " + line for line in LINES),
    "list": "\n".join("- " + line for line in LINES),
    "loose list": "\n\n".join(f"- {line}\n\n  more" for line in LINES[:200]),
    "numbered list": "\n".join("1. " + line for line in LINES),
    "nested list": "\n".join(f"{'  ' * (number % 4)}- {line}" for number, line in enumerate(LINES)),
    "tasks": "\n".join(f"- [{'x' if number % 2 else ' '}] {line}" for number, line in enumerate(LINES)),
    "code in a list": "- item\n\n  ```sh\n" + "\n".join("  " + line for line in LINES) + "\n  ```\n\n  end",
    "table": "| n | text |\n|--:|---|\n"
    + "\n".join(f"| {number} | {line} |" for number, line in enumerate(LINES)),
    "quote": "\n".join("> " + line for line in LINES),
    "nested quote": "\n".join(f"{'> ' * (number // 20 % 3 + 1)}{line}" for number, line in enumerate(LINES)),
    "callout": "> [!TIP] Title\n" + "\n".join("> " + line for line in LINES),
    "html": "<div>\n" + "\n".join(f"<p>{line}</p>" for line in LINES) + "\n</div>",
    "comment": "<!--\n" + "\n\n".join(LINES) + "\n-->",
    "paragraph": "\n".join(LINES),
    "one line": " ".join(LINES),
    "emphasis over parts": "**" + " ".join(LINES) + "**",
    "footnote": "[^a]: " + "\n    ".join(LINES) + "\n\n    last",
    "definitions": "\n".join(f"[label {number}]: target{number}.md" for number in range(400)),
}


@pytest.mark.parametrize("kind", LONG_BLOCKS)
@pytest.mark.parametrize("width", [30, 80])
def test_parts_of_a_long_block_are_as_in_the_whole(kind: str, width: int) -> None:
    text = f"# Before\n\nintro\n\n{LONG_BLOCKS[kind]}\n\n# After\n\nend [label 3], [^a]\n"
    document = source(text)
    assert len(document.cut) > 3
    assert seen(rows_of(document, width)) == seen(whole(text, width))


@pytest.mark.parametrize("words", [3000, 30_000])
def test_front_matter_longer_than_a_passage_is_one_line(words: int) -> None:
    yaml = "title: T\nkeys: [" + "word, " * words + "end]\n\nmore: 1\n"
    text = f"---\n{yaml}---\nfirst\n\n{LONG_BLOCKS['paragraph']}\n\n# A\n\nend\n"
    document = source(text)
    rows = seen(rows_of(document))
    assert rows == seen(whole(text))
    assert [row[0] for row in rows[:3]] == ["▸ front matter · T · 6 lines", "", "first"]


def test_long_sections_begin_again_at_safe_places_only() -> None:
    blocks = [block for kind, block in LONG_BLOCKS.items() if len(block) < 40_000 and kind != "definitions"]
    text = "# All\n\n" + "\n\nbetween\n\n".join(blocks) + "\n"
    assert seen(rows_of(source(text), 60, limit=16_000)) == seen(whole(text, 60))


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a\n\nb\n", True),
        ("- a\n\nb\n", True),
        ("- a\n\n- b\n", False),
        ("- a\n\n  b\n", False),
        ("1. a\n\n2) b\n", False),
        ("```\n\nb\n", False),
        ("<!--\n\nb\n", False),
        ("<!-- -->\n\nb\n", True),
        ("<pre>\n\nb\n", False),
        ("<div>\n\nb\n", True),
        ("~~~\n```\n\nb\n~~~\n", False),
        ("a\r\n\r\nb\r\n", True),
    ],
)
def test_what_is_a_safe_boundary(text: str, safe: bool) -> None:
    filler = "x\n\n" * 10
    data = (filler + text).encode()
    boundaries = Boundaries(MemorySource(data, Pieces(len(data), [0])), 0, len(data), step=len(filler))
    at = data.rindex(b"b")
    found = boundaries.around(at)[0]
    assert (found == at) is safe


ENDLESS = {
    "fence": ("```\n", "code line {} of it\n", "```\n", "  code line {} of it"),
    "table": ("| n | text |\n|---|---|\n", "| {} | of it |\n", "", "{} │ of it"),
    "list": ("", "- item {} of it\n  - inner\n", "", "• item {} of it"),
    "html": ("<pre>\n", "text {} of it\n", "</pre>\n", "text {} of it"),
    "quote": ("", "> text {} of it\n", "", "text {} of it"),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_block_without_end_is_shown_part_by_part(kind: str) -> None:
    begin, line, end, shown = ENDLESS[kind]
    text = (
        "# A\n\n"
        + begin
        + "".join(line.format(number) for number in range(1000, 9000))
        + end
        + "\n# B\n\nafter\n"
    )
    document = source(text)
    layout = Layout(document)
    layout.configure(width=60, raw=False, lights=None)
    place = layout.find(text.index(line.format(7000).strip()))
    row = "".join(span.text for span in layout.row(place).spans)
    assert shown.format(7000) in " ".join(row.split()) if kind != "fence" else shown.format(7000) == row
    last = layout.rows(len(document.cut) - 1)
    assert ["".join(span.text for span in row.spans) for row in last][-1] == "after"


def test_nested_items_of_an_endless_list_keep_their_indent() -> None:
    text = "# A\n\n" + "".join(f"- item {number} of a list\n  - inner\n" for number in range(4000))
    layout = Layout(source(text))
    layout.configure(width=60, raw=False, lights=None)
    texts = [
        "".join(span.text for span in row.spans)
        for ordinal in range(len(layout.source.cut))
        for row in layout.rows(ordinal)
    ]
    assert texts.count("  ◦ inner") == 4000
    assert sum(text.startswith("• item") for text in texts) == 4000


def test_real_documents_are_in_chunks_as_in_the_whole() -> None:
    files = [path for path in sorted(CORPORA.rglob("*.md"))[::97] if path.stat().st_size > 8000][:40]
    if not files:
        pytest.skip("no real documents: set STONEBROWSE_CORPORA to a folder of Markdown")
    for path in files:
        data = path.read_bytes()
        assert seen(rows_of(source(data), 72)) == seen(whole(data, 72)), path
