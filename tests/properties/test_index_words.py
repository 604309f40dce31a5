"""Laws of words: whatever stands in a text, its words are the same for indexing, asking, lighting and narrowing."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from stonebrowse.index import Memory, parse
from stonebrowse.text.words import expand, fold, located, plain, split, words
from tests.index.documents import make, queries, texts

# Any characters, those that fold in odd ways more often than others.
odd = st.sampled_from(
    "aB1_-'+#.C \n\u00e9e\u0301\u0130\u0131\u00df\ufb01\u00bd\u00b2\u2122\u200d\u00ad\ufeff日本語がかﾞ\u3099ไทย한각\u1100\u1161֑א\u2705→©ǅ\u0345ẞŉ"
)
anything = st.lists(st.one_of(odd, odd, st.characters(exclude_categories=["Cs"]))).map("".join)


@given(anything)
@example("\u1e9e")
@example("\u0345")
@example("Ω\u0345")
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(anything)
def test_both_written_forms_of_an_accent_are_one(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert fold(composed) == fold(decomposed)


@given(anything)
def test_located_words_are_the_words(text: str) -> None:
    found = located(text)
    assert tuple(each.word for each in found) == words(text)
    starts = [each.start for each in found]
    assert starts == sorted(starts)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    expected = [expand(chunk) for chunk in split(text.encode())]
    parts = sorted(part for each in expected for part in each.parts)
    assert sorted({part for each in found for part in each.parts}) == sorted(set(parts))


@given(anything)
def test_the_quick_way_is_the_whole_way(text: str) -> None:
    for chunk in split(text.encode()):
        word = plain(chunk)
        assert word is None or expand(chunk) == ((word,), ())


@given(anything)
def test_words_stand_in_the_folded_text(text: str) -> None:
    folded = fold(text)
    for chunk in split(text.encode()):
        expansion = expand(chunk)
        for word in expansion.sequence + expansion.parts:
            assert word in folded or not word[0].isalnum() or word.endswith(("+", "#"))


@given(anything)
def test_a_text_is_found_by_any_of_its_chunks_and_lit_there(text: str) -> None:
    memory = Memory([make(1, "# t\n\n" + text)])
    for chunk in text.split():
        query = parse(f'"{chunk}"')
        if not query.groups or '"' in chunk or any(ord(c) in (0x201C, 0x201D, 0x201E) for c in chunk):
            continue
        found = memory.search(query, limit=5)
        assert found.total == len(found.hits) > 0
        if len(query.wanted[0].words) < 50:
            assert any(query.lights("# t\n\n" + text))


@settings(max_examples=60)
@given(texts(), queries, st.booleans())
def test_narrowing_never_loses_a_match(text: str, string: str, typing: bool) -> None:
    document = make(1, text, path="docs/alpha.md")
    query = parse(string, typing=typing)
    found = Memory([document]).search(query, limit=1)
    assert found.query.may_match(document.text, document.path) or not found.total
    if found.total and found.query is query and all(each.field == "text" for each in query.wanted):
        assert query.lights(text) or query.lights(document.path)


@given(st.text(max_size=200), st.booleans())
def test_any_string_is_a_query(string: str, typing: bool) -> None:
    query = parse(string, typing=typing)
    assert sum(len(each.words) for each in (*query.wanted, *query.excluded)) <= 100
    assert all(all(each.words) for each in query.wanted)
    query.lights(string)
    query.may_match(string.encode(errors="replace"), "p")
    assert query.any().wanted == query.wanted
