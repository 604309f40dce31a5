"""What a piece of text is found by: table by table."""

from __future__ import annotations

import pytest

from stonebrowse.text.words import (
    WORD_CHARACTERS,
    chunks,
    expand,
    fold,
    is_unspaced,
    located,
    plain,
    split,
    terms,
    words,
)


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("The WHO said", ("the", "who", "said")),
        ("snake_case_name", ("snake", "case", "name")),
        ("kebab-case", ("kebab", "case")),
        ("node.js", ("node", "js")),
        ("v1.2.3", ("v1", "2", "3")),
        ("don't", ("don", "t")),
        ("don\u2019t", ("don", "t")),
        ("user@example.org", ("user", "example", "org")),
        ("/etc/hosts", ("etc", "hosts")),
        ("C++ and C++17, c# F# C", ("c++", "and", "c++", "17", "c#", "f#", "c")),
        ("i++ ++i a++b x# #x doc# c## c#d", ("i++", "i", "a", "b", "x", "x", "doc", "c", "c", "d")),
        ("notepad++\n\tg++", ("notepad++", "g++")),
        ("", ()),
        (" \n\t*** --- ``` ", ()),
        ("Straße STRASSE", ("strasse", "strasse")),
        ("na\u00efve nai\u0308ve", ("naive", "naive")),
        ("\u0130stanbul istanbul \u0131", ("istanbul", "istanbul", "i")),
        ("\ufb01ne \uff26\uff35\uff2c\uff2c x\u00b2 \u00bd", ("fine", "full", "x2", "1", "2")),
        ("so\u00adft zero\u200bwidth \ufeffmark", ("soft", "zerowidth", "mark")),
        ("Foo\u2122 bar\u00ae", ("foo", "bar")),
        ("\u201cquoted\u201d\u2014dash\u2026", ("quoted", "dash")),
        ("a\u00a0b\u2028c\x0cd\x85e", ("a", "b", "c", "d", "e")),
        ("\u2705 a\u2192b 5\u20ac", ("\u2705", "a", "\u2192", "b", "5", "\u20ac")),
        ("\u2500\u2500 \u251c\u2500 src", ("src",)),
        ("日本語", ("日本", "本語", "語")),
        ("語", ("語",)),
        ("私は。日本", ("私は", "は", "日本", "本")),
        ("Python3入門", ("python3", "入門", "門")),
        ("がか\u3099", ("がが", "が")),
        ("한국어", ("한국", "국어", "어")),
        ("ภาษา", ("ภา", "าษ", "ษา", "า")),
        ("עברית שָׁלוֹם", ("עברית", "שלום")),
        ("कि की", ("कि", "की")),
        ("Ελλάς ΕΛΛΑΣ", ("ελλασ", "ελλασ")),
        ("Ёлка", ("елка",)),
        ("Øl łódź", ("ol", "lodz")),
    ],
)
def test_words_follow_each_other(text: str, sequence: tuple[str, ...]) -> None:
    assert words(text) == sequence
    assert tuple(each.word for each in located(text)) == sequence


@pytest.mark.parametrize(
    ("chunk", "parts"),
    [
        ("CamelCase", ("camel", "case")),
        ("parseHtmlDocument", ("parse", "html", "document")),
        ("HTTPServer", ("http", "server")),
        ("getURL2", ("get", "url2")),
        ("APIs", ("api",)),
        ("iPhone", ("i", "phone")),
        ("C++", ("c",)),
        ("F#", ("f",)),
        ("ÉcoleNormale", ("ecole", "normale")),
        ("Word", ()),
        ("WORD", ()),
        ("word", ()),
        ("B2B", ()),
        ("aB" * 40, ()),
        ("aBcDeFgHiJkLmNoPqRsTuVwXyZ", ()),
    ],
)
def test_names_are_found_by_their_parts_too(chunk: str, parts: tuple[str, ...]) -> None:
    (found,) = [expand(each) for each in split(chunk.encode())]
    assert found.parts == parts
    assert terms(chunk) == found.sequence + parts
    (place,) = located(chunk)
    assert place.parts == parts


def test_a_long_word_is_cut_the_same_wherever_it_stands() -> None:
    assert words("x" * 1000) == ("x" * WORD_CHARACTERS,)
    assert words("é" * 1000) == ("e" * WORD_CHARACTERS,)
    assert words("x" * 100 + "++") == ("x" * (WORD_CHARACTERS - 2) + "++",)
    assert [each.word for each in located("x" * 1000)] == ["x" * WORD_CHARACTERS]


def test_the_quick_way_and_the_whole_way_agree() -> None:
    for chunk in (
        b"word",
        b"Word",
        b"WORD",
        b"42",
        b"x" * 99,
        b"Word1Two",
        b"camelCase",
        b"C\xff",
        "é".encode(),
    ):
        word = plain(chunk)
        if word is not None:
            assert expand(chunk).sequence == (word,)
            assert expand(chunk).parts == ()
    assert plain(b"camelCase") is None
    assert plain("é".encode()) is None


def test_broken_utf_8_is_no_error() -> None:
    assert expand(b"\xffabc") is not None
    assert words("\ud800abc") == ("abc",)


def test_spans_are_those_of_the_words() -> None:
    text = "Die Straße: 私は日本語を。 C++ node.js ½ caf\u0065\u0301"
    assert [(text[start:end], word) for start, end, word, _ in located(text)] == [
        ("Die", "die"), ("Straße", "strasse"), ("私は", "私は"), ("は日", "は日"), ("日本", "日本"), ("本語", "本語"),
        ("語を", "語を"), ("を", "を"), ("C++", "c++"), ("node", "node"), ("js", "js"), ("½", "1"), ("½", "2"),
        ("cafe\u0301", "cafe"),
    ]  # fmt: skip


def test_chunks_have_their_spans() -> None:
    text = "a snake_case, C++!"
    found = list(chunks(text))
    assert [chunk for _, _, chunk in found] == ["a", "snake", "case", "C++"]
    assert all(text[start:end] == chunk for start, end, chunk in found)


def test_folding_leaves_what_is_folded() -> None:
    for text in ("STRASSE", "Straße", "İ", "ﬁ", "é", "e\u0301", "Å", "ſ", "ΐ", "ŉ", "한국", "ガ"):
        assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("word", "unspaced"), [("日本", True), ("ไท", True), ("한", True), ("word", False), ("é", False)]
)
def test_scripts_without_blanks(word: str, unspaced: bool) -> None:
    assert is_unspaced(word) is unspaced
