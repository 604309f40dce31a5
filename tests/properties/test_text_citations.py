"""What is printed reads back, whatever stands in paths and headings."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from stonebrowse.text.citations import (
    Reading,
    citation,
    escape,
    escape_path,
    label,
    printable,
    readings,
    shorten,
    unescape,
    unescape_path,
)
from stonebrowse.text.passages import cut

PARTS = [
    "a",
    "é",
    "\\",
    "x1b",
    "u202e",
    "\x1b",
    "\x85",
    "\u202e",
    "\u2028",
    " § ",
    " (Line 3)",
    "\ud800",
    "x5c",
    ".md",
    "/",
]
TEXTS = st.one_of(st.lists(st.sampled_from(PARTS)).map("".join), st.text())
NAMES = st.one_of(
    st.binary(min_size=1, max_size=60).filter(lambda name: b"\0" not in name),
    st.lists(
        st.sampled_from([b"a", b"\xe9", b"\xc3", b"\xa9", b"\\", b"x", b"5c", b"\x1b", b" \xc2\xa7 "]),
        min_size=1,
    ).map(b"".join),
)
HEADINGS = TEXTS.map(lambda text: " ".join(unescape(escape(text)).split())[:256]).filter(bool)


@given(TEXTS)
def test_an_escaped_text_reads_back(text: str) -> None:
    # A character that stands for a byte is that byte.
    assert unescape(escape(text)) == text


@given(NAMES)
@example(b"\\x5c")
@example("\u0085".encode() + b"\x85")
def test_a_path_reads_back_to_its_bytes(name: bytes) -> None:
    assert unescape_path(escape_path(name)) == name


@given(NAMES)
def test_an_escaped_path_is_safe_unicode(name: bytes) -> None:
    path = escape_path(name)
    path.encode("utf-8")
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in path)


@given(NAMES, NAMES)
def test_two_paths_are_never_escaped_to_one(one: bytes, other: bytes) -> None:
    assert (escape_path(one) == escape_path(other)) == (one == other)


@given(NAMES, HEADINGS, st.integers(1, 10**6))
def test_a_printed_citation_is_among_its_readings(name: bytes, heading: str, line: int) -> None:
    path = escape_path(name)
    assert Reading(path, escape(heading), line) in readings(citation(path, heading, line))
    assert Reading(path, escape(heading), None) in readings(label(path, heading))
    assert Reading(path, None, line) in readings(citation(path, "", line))


@given(TEXTS)
def test_readings_add_up_to_the_string(string: str) -> None:
    for reading in readings(string):
        again = reading.path if reading.heading is None else f"{reading.path} § {reading.heading}"
        again += f" (Line {reading.line})" if reading.line else ""
        assert again in (string, string.strip())


@given(NAMES, HEADINGS, st.integers(0, 60))
def test_a_shortened_citation_ends_as_the_whole(name: bytes, heading: str, width: int) -> None:
    path = escape_path(name)
    whole = citation(path, heading, 7)
    short = shorten(whole, path, width)
    rest = whole[len(path) :]
    assert short.endswith(rest)
    assert len(short) <= max(width, len(rest) + 1)
    assert path.endswith(short[: len(short) - len(rest)].removeprefix("…"))


@given(TEXTS)
def test_nothing_printable_can_act(text: str) -> None:
    shown = printable(text)
    assert not any(
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        for character in shown
        if character not in "\n\t"
    )
    assert not any(bidi in shown for bidi in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert printable(shown) == shown


@given(
    st.lists(
        st.sampled_from(["# A § b\n", "## (Line 3)\n", "text\n", "# \x1b\\x1b\n", "\n", "# &#8238;\n"])
    ).map("".join)
)
def test_every_passage_of_a_text_is_led_back_to(text: str) -> None:
    found = cut(text.encode())
    for passage in found.passages():
        heading = found.section(passage.section).heading
        named = Reading("x § y.md", escape(heading) if heading else None, passage.line)
        assert named in readings(citation("x § y.md", heading, passage.line))
