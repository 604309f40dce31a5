"""The scanner equals markdown-it-py, on documents composed of what is hard for it."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.text import authority
from stonebrowse.text.heading_text import heading_text
from stonebrowse.text.headings import headings, headings_by_authority

INDENTS = ["", "", "", "", " ", "  ", "   ", "    ", "\t", " \t"]
# fmt: off
CONTAINERS = [
    "", "", "", "", "- ", "* ", "+ ", "1. ", "2. ", "10. ", "-  ", "-    ", "-     ", "-\t", "> ", ">",
    "- - ", "- > ", "> - ", "[^1]: ", "[a]: ",
]
LEAVES = [
    "", "", "foo", "bar baz", "# H", "## H ##", "#", "#tag", "# [foo]", "# a[^1]", "===", "=", "---",
    "--", "-",
    # table rows, inside lists too: where an error of an earlier scanner was found
    "# a | b", "a | b", "- a | b", "```|", "~~~ a | b", "<x | y>", "--- | ---", "|---|---|", "|-", "a|", "|",
    "***", "- - -", "* * *", "```", "````", "```sh", "``` a`b", "~~~", "~~~~ x",
    "<div>", "</div>", "<div", "<!-- c", "-->", "<!-->", "<script>", "</script>", "<?php", "?>", "<!X", ">",
    "<![CDATA[", "]]>", "<a>", "</a>", '<a href="x">', "<b>x", "<pre>", "<a\u00a0b>", "<a b=\0>",
    "[foo]: /url", "[foo]", '"title"', "'t", "[foo]:", "/url", "[^1]: note", "text  ", "text\\", "12", "3.",
    "*a*", "`c`", "_x_", "+", "*", "\\# x", "- a", "* a", "1. a", "7) c", "é", "\u00a0", "\u2028x", "\x0cx",
]
# fmt: on
LINE = st.tuples(*map(st.sampled_from, (INDENTS, CONTAINERS, LEAVES))).map("".join)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    lines = draw(st.lists(LINE, max_size=14))
    if draw(st.integers(0, 9)):
        ends = [draw(ENDS)] * len(lines)
    else:
        ends = draw(st.lists(ENDS, min_size=len(lines), max_size=len(lines)))
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    before = draw(st.sampled_from(["", "", "", "", "\ufeff", "---\nx: y\n---\n"]))
    return (before + (text if draw(st.booleans()) else text.rstrip("\r\n"))).encode()


@settings(max_examples=500, deadline=None)
@given(documents())
def test_the_scanner_finds_what_the_authority_finds(text: bytes) -> None:
    assert headings(text) == headings_by_authority(text)


@settings(max_examples=100, deadline=None)
@given(documents(), documents())
def test_what_follows_a_heading_does_not_change_what_is_above(above: bytes, below: bytes) -> None:
    if not below.startswith((b"---\nx", b"\xef\xbb\xbf")):
        above += b"\n\n"
        whole = [heading[0::2] for heading in headings(above + b"# Middle\n" + below)]
        alone = [heading[0::2] for heading in headings(above)]
        assert whole[: len(alone)] == alone


# fmt: off
MARKS = [
    "a", "b1", "é", " ", "  ", "\n", "\t", ".", "!", '"', "=", "|", "_", "__", "*", "**", "`", "``", "~~",
    "\\",
    "[", "]", "(", ")", "](", "![", "<", ">", "&", "&amp;", "&#35;", "&#x", "<a>", "</a>", '<b c="d">',
    "<x y>", "\\*", "\\`", "\\[", "[a](b)", "[a]", "[^n]", "[^q]", "[b][a]", "[a][]",
    "[a](<b c>)", '[a](b "t")',
    "<http://a.example>", "<m@x.example>", "<?", "?>", "<!--", "-->", "javascript:x", "\u00a0", "\u2003",
    "\0", "𝒳",
]
# fmt: on


def by_the_contract(content: str, env: authority.Env) -> str:
    source = authority.trimmed(content.replace("\0", "\ufffd"))
    plain = re.sub("[ \t\r\n]+", " ", authority.plain_text(source, env)).strip()
    return plain if len(plain) <= 256 else plain[:255] + "…"


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(MARKS), max_size=16).map("".join), st.booleans())
def test_a_headings_text_without_the_parser_is_the_parsers(content: str, defined: bool) -> None:
    env: authority.Env = {}
    if defined:
        authority.blocks("[a]: /x\n[^n]: y\n", env)
    assert heading_text(content, env) == by_the_contract(content, env)
