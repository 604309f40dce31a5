"""Citation strings in prose of every kind."""

from __future__ import annotations

import pytest

from stonebrowse.text.mentions import Known, mentions

PATHS = {"a.md", "docs/a.md", "docs/two words.md", "x § y.md", "notes", "見.md"}
TRUE = {"docs/two words.md § Set up (Line 3)", "x § y.md § Z (Line 1)"}
KNOWN = Known(PATHS.__contains__, TRUE.__contains__, 40)


def found(text: str) -> list[str]:
    return [mention.string for mention in mentions(text, KNOWN)]


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("a.md § B (Line 2)", ["a.md § B (Line 2)"]),
        ("see docs/a.md § B (Line 2), and a.md (Line 1).", ["docs/a.md § B (Line 2)", "a.md (Line 1)"]),
        ("see docs/two words.md § Set up (Line 3)", ["docs/two words.md § Set up (Line 3)"]),
        ("(“x § y.md § Z (Line 1)”)", ["x § y.md § Z (Line 1)"]),
        ("- **gone/b.md § C d (Line 7)**", ["gone/b.md § C d (Line 7)"]),
        ("[a.md § B (Line 2)](a.md#b)", ["a.md § B (Line 2)"]),
        (r"[a.md § snake\_case \[x\] (Line 2)](a.md#b)", ["a.md § snake_case [x] (Line 2)"]),
        ("`a.md § B (Line 2)`", ["a.md § B (Line 2)"]),
        ("# a.md § B\n#   (Line 2)", ["a.md § B (Line 2)"]),
        ("/* a.md\n * § B c\n * (Line 2) */", ["a.md § B c (Line 2)"]),
        ("> a.md § B\r\n> c (Line 2)", ["a.md § B c (Line 2)"]),
        # A path alone counts only with a Markdown suffix, and a blank line ends it all.
        ("as it says (Line 3)", []),
        ("notes (Line 3)", ["notes (Line 3)"]),
        ("other.md (Line 3)", ["other.md (Line 3)"]),
        ("a.md § B\n\n(Line 2)", []),
        ("a.md § B (line 2) a.md § B (Line 02) a.md § B(Line 2)", []),
        # What the library knows does not begin inside a longer path.
        ("other/a.md § B (Line 2)", ["other/a.md § B (Line 2)"]),
        ("参照見.md § B (Line 2)", ["見.md § B (Line 2)"]),
    ],
)  # fmt: skip
def test_what_is_a_citation(text: str, strings: list[str]) -> None:
    assert found(text) == strings


def test_where_it_stands_and_what_stands_behind_it() -> None:
    text = "one\n\n  two a.md § B\n  (Line 2) `v_0123456789ab`, a.md § C (Line 3)"
    first, second = mentions(text, KNOWN)
    assert text[slice(*first.span)] == "a.md § B\n  (Line 2)"
    assert first.version_id == "v_0123456789ab"
    assert text[slice(*second.span)] == "a.md § C (Line 3)"
    assert second.version_id is None


def test_tokens_are_found_whole() -> None:
    token = "sbc1_" + "A" * 95
    (mention,) = mentions(f"cites ({token}).", KNOWN)
    assert mention.token
    assert mention.string == token


def test_a_long_text_without_blanks_is_looked_through_once() -> None:
    assert found(" § " * 3_000 + "x" * 50_000 + " (Line 1)") == []
