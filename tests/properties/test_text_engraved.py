"""Laws of the form of engraved notes: whatever the body is, the mark and the sources can be read."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.errors import InputInvalid
from stonebrowse.text.engraved import SOURCES, EngravedSource, clean_body, compose, sources_of
from stonebrowse.text.front_matter import front_matter
from stonebrowse.text.passages import cut

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
SOURCE = EngravedSource("a.md § A (Line 1)", "v_0123456789ab", "sha256:" + "0123456789abcdef" * 4)

PIECES = st.sampled_from(
    [
        *(
            "```",
            "~~~~",
            "    ",
            "- ",
            "> ",
            "1. ",
            "\n",
            "\n\n",
            "<!--",
            "-->",
            "<?",
            "<script>",
            "<div>",
            "<![CDATA[",
        ),
        *(
            "<pre",
            "# H",
            "## Sources",
            "===",
            "---",
            "+++",
            "[a]: b",
            "|a|b|\n|-|-|",
            "text",
            "`",
            "\\",
            "\t",
            "\r\n",
        ),
        *("\x1b[2J", "\x00", "\u2028", "\ufeff", "é", "<!X", "</textarea>", "<textarea>"),
    ]
)
BODIES = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=60)


@settings(max_examples=600)
@given(BODIES)
def test_the_sources_are_the_last_section_of_any_note(body: str) -> None:
    try:
        cleaned = clean_body(body)
    except InputInvalid:
        return
    note = compose(cleaned, [SOURCE], AT)
    pieces = cut(note)
    last = pieces.section(pieces.section_count - 1)
    assert (last.heading, last.level) == (SOURCES, 2)
    assert sources_of(note[last.start :].decode()) == (SOURCE,)
    assert sources_of(note.decode()) == (SOURCE,)
    assert cleaned in note.decode()
    found = front_matter(note)
    assert found is not None
    assert found.engraved
    assert not set(note.decode()) & set("\x00\x1b\r\u2028")
