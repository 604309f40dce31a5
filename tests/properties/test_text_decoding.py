"""Any bytes are text of some encoding, or said not to be; and stay what they were read as."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.text.decoding import Decoded, decode, decode_as
from stonebrowse.text.front_matter import body_start, front_matter
from stonebrowse.text.lines import Lines
from stonebrowse.text.passages import cut


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-16")), st.text().map(str.encode)))
def test_what_is_text_is_read_again_the_same_way(raw: bytes) -> None:
    found = decode(raw)
    if isinstance(found, Decoded):
        found.text.decode("utf-8")
        assert decode_as(raw, found.encoding) == found.text
    else:
        assert b"\0" in raw


@given(st.text())
def test_utf_8_is_never_changed(text: str) -> None:
    raw = text.encode()
    assert decode(raw) == Decoded(raw, "utf-8", guessed=False)


@given(st.text())
def test_utf_16_by_its_mark_is_read_exactly(text: str) -> None:
    found = decode(text.encode("utf-16"))
    assert isinstance(found, Decoded)
    if not found.encoding.startswith("utf-32"):  # a NUL first makes the longer mark
        assert found.text.decode() == text


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "\x0c", "\u2028", "---\n", "x: [a\n", "é"])).map(
        "".join
    )
)
def test_lines_are_those_that_a_split_at_line_ends_gives(text: str) -> None:
    raw = text.encode()
    lines = Lines(raw)
    pieces = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    assert len(lines) == len(pieces)
    starts = [lines.start_of(line) for line in range(1, len(lines) + 1)]
    for start, end, piece in zip(starts, [*starts[1:], len(raw)], pieces, strict=True):
        assert raw[start:end].rstrip(b"\r\n") == piece
        assert all(lines.line_at(offset) == starts.index(start) + 1 for offset in range(start, end))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["---", "+++", "...", "title: x", "tags: [a", "- b", "", "# H"]), max_size=8
    ).map("\n".join)
)
def test_front_matter_never_fails_and_is_before_every_heading(text: str) -> None:
    raw = text.encode()
    found = front_matter(raw)
    assert body_start(raw) == (found.end if found else 0)
    assert all(
        section.start >= body_start(raw)
        for section in cut(raw).sections()
        if section.level and section.parent
    )
