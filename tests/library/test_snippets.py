from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stonebrowse.library.snippets import SNIPPET_CHARACTERS, snippet, without_heading
from stonebrowse.text.citations import printable


def words(*wanted: str) -> object:
    def lights(text: str) -> list[tuple[int, int]]:
        return [match.span() for word in wanted for match in re.finditer(re.escape(word), text)]

    return lights


def test_a_short_passage_is_shown_whole() -> None:
    assert snippet("# Wick\n\nTrim the\twick.\n", lambda _: [(2, 6)]) == ("# Wick Trim the wick.", ((2, 6),))


def test_a_long_one_around_the_words() -> None:
    text = "aa " * 200 + "needle in hay " + "bb " * 200
    cut, spans = snippet(text, lambda t: [m.span() for m in re.finditer("needle|hay", t)])
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert [cut[a:b] for a, b in spans] == ["needle", "hay"]


def test_where_most_different_words_stand_together() -> None:
    text = "lamp " * 60 + "x " * 100 + "lamp wick " + "y " * 100
    cut, spans = snippet(text, lambda t: [m.span() for m in re.finditer("lamp|wick", t)])
    assert {cut[a:b] for a, b in spans} == {"lamp", "wick"}


def test_control_characters_are_made_visible() -> None:
    cut, _ = snippet("a\x1b]52;c;eA==\x07b \u202egnp", lambda _: [])
    assert cut.isprintable()


@pytest.mark.parametrize(
    ("text", "below"),
    [
        ("# Wick\n\nTrim.\n", "\nTrim.\n"),
        ("\n\n## Wick ##\r\nTrim.\r\n", "Trim.\r\n"),
        ("Wick\n====\nTrim.", "Trim."),
        ("A long\nwick\n---\nTrim.", "Trim."),
        ("# Alone\n", "# Alone\n"),
        ("No heading\n\nhere.", "No heading\n\nhere."),
        ("#\nunder an empty one", "under an empty one"),
    ],
)
def test_a_heading_is_not_said_twice(text: str, below: str) -> None:
    assert without_heading(text) == below


@given(st.text(max_size=600), st.lists(st.tuples(st.integers(0, 700), st.integers(1, 30)), max_size=8))
def test_spans_lie_inside_and_the_snippet_is_one_bounded_line(
    text: str, places: list[tuple[int, int]]
) -> None:
    def lights(line: str) -> list[tuple[int, int]]:
        return sorted({(a, min(a + n, len(line))) for a, n in places if a < len(line)})

    cut, spans = snippet(text, lights)
    assert printable(cut) == cut
    assert not set(cut) & set("\n\r\t")
    assert len(cut) <= SNIPPET_CHARACTERS + 2
    assert all(0 <= a <= b <= len(cut) for a, b in spans)
