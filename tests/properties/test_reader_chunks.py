"""Whatever a document and wherever it is cut: its chunks together show what it shows as a whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.text.headings import headings
from stonebrowse.text.lines import Lines
from stonebrowse.tui.reader.source import MemorySource
from tests.tui.reader.pages import Pieces, rows_of, seen, whole

INLINE = st.sampled_from(
    [
        "plain words",
        "*emphasis* and **strong**",
        "`code  span`",
        "a [link](target.md) here",
        "[ref] and [Ref][]",
        "note[^n]",
        "![alt](a.png)",
        "é 中文字 🙂",
        "&amp; \\* <b>x</b>",
        "| not a | table",
        "#hash",
        "https://example.org/a",
    ]
)
TEXT = st.lists(INLINE, min_size=1, max_size=5).map(" ".join)
LINE = st.one_of(
    TEXT,
    TEXT.map("- ".__add__),
    TEXT.map("  - ".__add__),
    TEXT.map("    ".__add__),
    TEXT.map("  ".__add__),
    TEXT.map("3. ".__add__),
    TEXT.map("10) ".__add__),
    TEXT.map("> ".__add__),
    TEXT.map("> > - ".__add__),
    TEXT.map("> [!NOTE] ".__add__),
    TEXT.map("- [x] ".__add__),
    TEXT.map("# ".__add__),
    TEXT.map("### ".__add__),
    st.just(""),
    st.just(""),
    st.just("```py"),
    st.just("```"),
    st.just("  ```"),
    st.just("~~~"),
    st.just("| a | b |"),
    st.just("|---|--:|"),
    st.just("| `x` | *yy* yy |"),
    st.just("[ref]: a.md 'title'"),
    st.just("[^n]: a footnote"),
    st.just("    with more"),
    st.just("<div>"),
    st.just("</div>"),
    st.just("<!-- a"),
    st.just("b -->"),
    st.just("<pre>"),
    st.just("</pre>"),
    st.just("---"),
    st.just("==="),
    st.just("hard  "),
    st.just("\t\ttabs\tin \x1b code \t\t that is long enough to wrap at most widths\t\tend"),
    st.just("<p>a &amp;&amp;&amp; b&lt;&lt;&lt; <b>html</b> that is long enough to wrap as well</p>"),
    st.just(
        "words&nbsp;&amp;&nbsp;&copy;&amp;&amp;&amp; \x1b\x1b\x1b \x00 more of them, enough to wrap \\* \\_"
    ),
    st.just("-"),
)
DOCUMENT = st.builds(
    lambda lines, end: end.join(lines) + end,
    st.lists(LINE, min_size=1, max_size=40),
    st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]),
)


@settings(max_examples=300, deadline=None)
@given(DOCUMENT, st.lists(st.integers(0, 60), max_size=12), st.integers(16, 70))
def test_chunks_together_show_the_whole(text: str, cuts: list[int], width: int) -> None:
    data = text.encode()
    lines = Lines(data)
    starts = {lines.start_of(min(cut, len(lines) - 1) or 1) for cut in cuts}
    sections = [heading.start for heading in headings(data)]
    chunked = MemorySource(data, Pieces(len(data), starts, sections))
    assert seen(rows_of(chunked, width)) == seen(whole(data, width))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(TEXT, min_size=1, max_size=30), st.lists(st.integers(0, 400), max_size=6), st.integers(16, 60)
)
def test_a_paragraph_cut_anywhere_is_whole(words: list[str], cuts: list[int], width: int) -> None:
    data = " ".join(words).encode()
    starts = {cut for cut in cuts if cut < len(data) and data[cut] & 0xC0 != 0x80}
    chunked = MemorySource(data, Pieces(len(data), starts))
    assert seen(rows_of(chunked, width)) == seen(whole(data, width))


@settings(max_examples=150, deadline=None)
@given(DOCUMENT, st.integers(16, 70))
def test_rows_stand_where_they_are_in_the_text(text: str, width: int) -> None:
    starts = [row.start for row in whole(text, width)]
    assert starts == sorted(starts)
    assert all(0 <= start <= len(text.encode()) for start in starts)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(TEXT, st.just("- item"), st.just("```"), st.just("")), min_size=20, max_size=120))
def test_long_sections_show_all_words_whatever_the_limits(lines: list[str]) -> None:
    data = ("\n".join(lines) + "\n").encode()
    starts = [Lines(data).start_of(line) for line in range(2, len(lines), 3)]
    rows = rows_of(MemorySource(data, Pieces(len(data), starts)), 10_000, limit=200)
    words = "".join(text for text, _, _ in seen(rows))
    assert words.count("item") == data.count(b"item")
    assert words.count("plain") == data.count(b"plain")
