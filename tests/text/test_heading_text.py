from __future__ import annotations

import pytest

from stonebrowse.text import authority
from stonebrowse.text.heading_text import heading_text
from stonebrowse.text.headings import headings, headings_by_authority


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("plain", "plain"),
        ("*a* **b** ~~c~~ _d_", "a b c d"),
        ("`code *x*` and `` a`b ``", "code *x* and a`b"),
        ("[link](x) ![alt *text*](y) <http://z.example>", "link alt text http://z.example"),
        ("Keys <kbd>Ctrl</kbd>+C<!-- note -->", "Keys Ctrl+C"),
        (r"\*no\* \[x\] C:\d", r"*no* [x] C:\d"),
        ("Q&amp;A &copy; &#35; &#0; &bogus;", "Q&A © # \ufffd &bogus;"),
        ("a  b\t c\nd", "a b c d"),
        ("a&#10;b &Tab; c", "a b c"),
        ("a\0b", "a\ufffdb"),
        ("\u00a0 a\u00a0\u00a0b \u00a0", "a\u00a0\u00a0b"),
        ("x &nbsp;", "x"),
        ("snake_case_name _FOO operator*", "snake_case_name _FOO operator*"),
        ("[red]plain[/red] [[wiki]]", "[red]plain[/red] [[wiki]]"),
        ("", ""),
        ("`` ` ``", "`"),
        ("` a ` `b`", "a b"),
    ],
)
def test_markup_goes_and_text_stays(source: str, plain: str) -> None:
    assert heading_text(source) == plain


@pytest.mark.parametrize(("length", "kept"), [(256, "x" * 256), (257, "x" * 255 + "…")])
def test_over_256_characters_it_is_cut(length: int, kept: str) -> None:
    assert heading_text("x" * length) == kept
    assert heading_text("*" + "x" * length + "*") == kept


def test_the_length_is_that_of_the_text_not_of_the_source() -> None:
    assert heading_text("&amp;" * 256) == "&" * 256


@pytest.mark.parametrize("mark", ["[", "*a_ ", "`", "![", "<", "&", "\\", "_", "[a](", "<a b='"])
def test_no_source_is_a_stall_or_a_crash(mark: str) -> None:
    assert len(heading_text(mark * 20_000)) <= 256


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (b"# [a] b\n\n[a]: /x\n", "a b"),
        (b"# [a] b\n\n```\n[a]: /x\n```\n", "[a] b"),
        (b"# [a] b\n\n<!--\n\n[a]: /x\n\n-->\n", "[a] b"),
        (b"# [a] b\n\n> - [A]:\n>   /x\n", "a b"),
        (b"# b[^1]\n\n[^1]: note\n", "b"),
        (b"# b[^1]\n", "b[^1]"),
        (b"# b^[inline]\n", "b^[inline]"),
        (b"# [" + b"x" * 300 + b"]\n\n[" + b"x" * 300 + b"]: /y\n", "x" * 255 + "…"),
    ],
)
def test_definitions_anywhere_in_the_document_count(text: bytes, plain: str) -> None:
    assert [found.text for found in headings(text)] == [plain]
    assert headings(text) == headings_by_authority(text)


def test_escapes_and_controls_stay_raw() -> None:
    assert heading_text("a\x1b[31m &#8238;") == "a\x1b[31m \u202e"
    assert authority.plain_text("&#27;") == "\ufffd"
