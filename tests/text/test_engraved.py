"""The form of an engraved note: what is written reads back, whatever the body leaves open."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stonebrowse.errors import InputInvalid
from stonebrowse.text.citations import citation, escape_path
from stonebrowse.text.engraved import MAX_BODY_BYTES, EngravedSource, clean_body, compose, sources_of
from stonebrowse.text.front_matter import front_matter
from stonebrowse.text.mentions import Known, mentions

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
DIGEST = "sha256:" + "0123456789abcdef" * 4
SOURCE = EngravedSource("a.md § A (Line 1)", "v_0123456789ab", DIGEST)
OPEN_ENDS = (
    "```\ncode",
    "~~~~ python\nx = 1",
    "- item\n\n  ```\n  code",
    "<!-- a comment",
    "<script>\nvar x",
    "<?php echo",
    "<![CDATA[ x",
    "<pre>\nx",
    "text\n\n## Sources\n\n- `x.md (Line 1)` (v_000000000000, " + DIGEST + ")",
    "> quote",
    "<div>\nx",
    "a | b\n--|--\n1 | 2",
)


def test_a_note_is_marked_and_ends_with_its_sources() -> None:
    note = compose("# Title\n\nText.", [SOURCE], AT).decode()
    assert note == (
        "---\nengraved_by: stonebrowse\nengraved_at: 2026-03-01T12:00:00Z\n---\n\n# Title\n\nText.\n\n"
        f"## Sources\n\n- `a.md § A (Line 1)` (v_0123456789ab, {DIGEST})\n"
    )
    found = front_matter(note.encode())
    assert found is not None
    assert found.engraved


@pytest.mark.parametrize("body", OPEN_ENDS)
def test_what_a_body_leaves_open_does_not_swallow_the_sources(body: str) -> None:
    note = compose(clean_body(body), [SOURCE], AT).decode()
    assert body in note
    assert sources_of(note) == (SOURCE,)


@given(
    st.lists(
        st.tuples(st.text(min_size=1, max_size=8), st.text(alphabet="` §a*_[]<\\", max_size=6)), max_size=3
    )
)
def test_sources_stand_byte_for_byte_and_read_back(parts: list[tuple[str, str]]) -> None:
    sources = tuple(
        EngravedSource(
            citation(escape_path(path.encode("utf-8", "surrogatepass")) + ".md", heading, 3),
            "v_0123456789ab",
            DIGEST,
        )
        for path, heading in parts
    )
    note = compose("Body.", sources, AT).decode()
    assert sources_of(note) == sources
    for source in sources:
        assert source.citation in note
    known = Known(lambda text: any(each.citation.startswith(text) for each in sources), lambda _: False, 99)
    found = {(mention.string.strip(), mention.version_id) for mention in mentions(note, known)}
    assert all(version == "v_0123456789ab" for _, version in found)


@pytest.mark.parametrize(
    ("body", "cleaned"),
    [
        (b"a\r\nb\rc\n\n", "a\nb\nc"),
        (b"\xef\xbb\xbfmark", "mark"),
        ("\n\n  code\n", "  code"),
        ("\x1b[31mred\x00\x9b\tand\ftab", "\\x1b[31mred\\x00\\u009b\tand\ftab"),
        ("---\n\nno front matter", "---\n\nno front matter"),
    ],
)
def test_a_body_is_cleaned(body: str | bytes, cleaned: str) -> None:
    assert clean_body(body) == cleaned


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        (b"\xff\xfe\xfd", "UTF-8"),
        ("\udc80", "UTF-8"),
        ("---\ntitle: x\n---\n\nText.", "front matter"),
        ("+++\ntitle = 'x'\n+++\nText.", "front matter"),
        (b"a" * (MAX_BODY_BYTES + 1), "at most"),
    ],
)
def test_a_body_that_cannot_be_engraved_is_refused(body: str | bytes, said: str) -> None:
    with pytest.raises(InputInvalid, match=said):
        clean_body(body)
