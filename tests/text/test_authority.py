"""What of markdown-it-py is relied on, and its faults that are kept in."""

from __future__ import annotations

import pytest
from markdown_it.common import html_blocks as theirs
from markdown_it.common.utils import MD_TRIM_CHARS

from stonebrowse.text import authority, html_blocks


def test_the_parser_trims_what_we_trim() -> None:
    assert authority.trimmed(MD_TRIM_CHARS + "a\ufeff" + MD_TRIM_CHARS) == "a\ufeff"


def test_the_names_of_html_blocks_are_the_parsers() -> None:
    assert sorted(html_blocks.BLOCK_NAMES) == sorted(theirs.block_names)


@pytest.mark.parametrize("text", [b">", b"> - <!--", b"- a\n>", b""])
def test_a_missing_final_line_end_is_no_failure(text: bytes) -> None:
    assert authority.blocks(authority.source_of(text)) is not None


def test_twenty_levels_of_lists_drop_nothing() -> None:
    nested = "".join("  " * depth + "- a\n" for depth in range(20))
    found = authority.blocks(nested + "\n# After\n")
    assert found is not None
    assert [block.content for block in found if block.level] == ["After"]


@pytest.mark.parametrize(
    "text", [">" * 400 + " x\n", "- " * 400 + "x\n", "".join("  " * n + "- a\n" for n in range(200))]
)
def test_what_is_nested_too_deep_is_said_to_fail(text: str) -> None:
    assert authority.blocks(text) is None


def test_brackets_too_deep_stay_text() -> None:
    source = "[" * 5_000
    assert authority.plain_text(source) == source


def test_blocks_of_the_documents_own_level() -> None:
    found = authority.blocks("# A\n\n> q\n\n- a\n\n  b\n\n[r]: /x\n[^n]: note\n\n| a |\n|---|\n\nb\n===\n")
    assert found is not None
    assert [(block.kind, block.first, block.after) for block in found] == [
        ("heading_open", 0, 1),
        ("blockquote_open", 2, 3),
        ("bullet_list_open", 4, 8),
        ("definition", 8, 9),
        ("footnote_reference_open", 9, 11),
        ("table_open", 11, 13),
        ("heading_open", 14, 16),
    ]
