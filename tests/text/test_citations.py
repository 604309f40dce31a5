from __future__ import annotations

import pytest

from stonebrowse.text.citations import (
    Reading,
    citation,
    escape,
    escape_path,
    label,
    printable,
    readings,
    shorten,
    slug,
    unescape,
    unescape_path,
)


@pytest.mark.parametrize(
    ("raw", "escaped"),
    [
        ("plain é § 日本", "plain é § 日本"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\x85b\x9b", r"a\u0085b\u009b"),
        ("ann\u202egpj", r"ann\u202egpj"),
        ("\u2028\u2029\u2066", r"\u2028\u2029\u2066"),
        (r"\x1b", r"\x5cx1b"),
        (r"\u202e", r"\x5cu202e"),
        (r"\d \x \u12 C:\docs", r"\d \x \u12 C:\docs"),
        ("\\\x1b", r"\\x1b"),
    ],
)
def test_what_could_act_is_escaped_and_reads_back(raw: str, escaped: str) -> None:
    assert escape(raw) == escaped
    assert unescape(escaped) == raw


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"caf\xe9.md", r"caf\xe9.md"),
        (b"\xff\xfe/a.md", r"\xff\xfe/a.md"),
        ("café.md".encode(), "café.md"),
        (b"\xc2\x85", r"\u0085"),
        (b"\x85", r"\x85"),
        (b"\xed\xa0\x80", r"\xed\xa0\x80"),
    ],
)
def test_a_path_is_escaped_byte_by_byte_where_it_is_no_utf_8(name: bytes, path: str) -> None:
    assert escape_path(name) == path
    assert unescape_path(path) == name


def test_a_surrogate_typed_by_hand_is_read() -> None:
    assert unescape_path(r"a\ud800") == b"a\xed\xa0\x80"


def test_the_citation_string() -> None:
    assert citation("handbook/holidays.md", "Carry-over", 42) == "handbook/holidays.md § Carry-over (Line 42)"
    assert citation("a.md", "", 1) == "a.md (Line 1)"
    assert label("a.md", "\x1b[31m") == r"a.md § \x1b[31m"


def test_every_way_to_read_a_string_the_longest_path_first() -> None:
    assert readings("a § b § c (Line 3)") == [
        Reading("a § b § c (Line 3)", None, None),
        Reading("a § b § c", None, 3),
        Reading("a § b", "c", 3),
        Reading("a § b", "c (Line 3)", None),
        Reading("a", "b § c", 3),
        Reading("a", "b § c (Line 3)", None),
    ]


def test_blanks_around_a_pasted_string_do_not_matter() -> None:
    assert Reading("a.md", "B", 2) in readings(" a.md § B (Line 2)\n")


@pytest.mark.parametrize("string", ["", "   ", " § ", "x" * 100_000, " § ".join("x" * 50_000)])
def test_no_string_makes_many_readings(string: str) -> None:
    assert len(readings(string)) < 2_000


def test_no_line_but_a_number() -> None:
    for string in ("a (Line 0)", "a (Line 01)", "a (Line ٣)", "a (Line -1)", "a(Line 1)"):
        assert all(reading.line is None for reading in readings(string))


def test_a_path_is_shortened_on_the_left_and_the_rest_stays() -> None:
    whole = citation("handbook/holidays.md", "Carry-over", 42)
    assert shorten(whole, "handbook/holidays.md", 80) == whole
    for width in range(1, 60):
        short = shorten(whole, "handbook/holidays.md", width)
        assert short.endswith(" § Carry-over (Line 42)")
        assert len(short) <= max(width, len("… § Carry-over (Line 42)"))


def test_a_path_is_shortened_by_cells_and_never_at_a_combining_mark() -> None:
    def wide(text: str) -> int:
        return sum(2 if character > "\u2fff" else 1 for character in text)

    assert shorten("日本語.md (Line 1)", "日本語.md", 16, wide) == "…語.md (Line 1)"
    assert shorten("ae\u0301b (Line 1)", "ae\u0301b", 12) == "…b (Line 1)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc\r\nd", "a\tb\nc\nd"),
        ("a\rb", r"a\x0db"),
        ("\x1b]52;c;QQ==\x07", r"\x1b]52;c;QQ==\x07"),
        ("\x9b31m\u202e\ud800\udce9", r"\u009b31m\u202e\ud800\xe9"),
        (r"\x1b", r"\x1b"),
    ],
)
def test_nothing_printed_can_act(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Carry-over", "carry-over"),
        ("What's new in 2.0?", "whats-new-in-20"),
        ("snake_case  and C++", "snake_case--and-c"),
        ("日本語 É", "日本語-é"),
    ],
)
def test_the_anchor_of_a_heading(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor
