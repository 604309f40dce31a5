from __future__ import annotations

import codecs

import pytest

from stonebrowse.text.decoding import Decoded, NotText, decode, decode_as


def read(raw: bytes) -> Decoded:
    found = decode(raw)
    assert isinstance(found, Decoded)
    return found


@pytest.mark.parametrize("raw", [b"", b"a\r\nb\r", b"\xef\xbb\xbf# A\n", b"A\0B", "é 𝒳".encode()])
def test_utf_8_is_its_own_text(raw: bytes) -> None:
    assert decode(raw) == Decoded(raw, "utf-8", guessed=False)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_names_the_encoding_and_is_no_text(mark: bytes, encoding: str) -> None:
    raw = mark + "# Hé 𝒳\n".encode(encoding)
    assert decode(raw) == Decoded("# Hé 𝒳\n".encode(), encoding, guessed=False)
    assert read(raw[:-1]).text == "# Hé 𝒳\ufffd".encode()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("saffron\n\n# Café\n\nnaïve\n", "cp1252"),
        ("# Привет\n\nЭто тестовый файл с русским текстом.\n", "cp1251"),
        ("# 日本語\n\nこれはテストです。漢字かな交じり文。\n", "shift_jis"),
    ],
)
def test_another_encoding_is_a_guess(text: str, encoding: str) -> None:
    found = read(text.encode(encoding))
    assert found.guessed
    assert found.text.decode() == text


def test_a_character_cut_off_at_the_end_leaves_utf_8() -> None:
    assert decode("# Ende\n\nsaffron €".encode()[:-1]) == Decoded(
        "# Ende\n\nsaffron \ufffd".encode(), "utf-8", guessed=True
    )


def test_one_broken_character_among_many_leaves_utf_8() -> None:
    assert read("ééééééééé".encode() + b"\xff x").text == "ééééééééé\ufffd x".encode()


@pytest.mark.parametrize("raw", [b"\x89PNG\r\n\x1a\n\0\0", b"\xff\0"])
def test_nul_bytes_in_what_has_no_known_encoding_are_no_text(raw: bytes) -> None:
    found = decode(raw)
    assert isinstance(found, NotText)
    assert "NUL" in found.reason


@pytest.mark.parametrize("encoding", ["no such codec", "hex", "utf-7", "utf-16-le", "ascii", "rot13"])
def test_what_was_recorded_can_always_be_read(encoding: str) -> None:
    for raw in (b"", b"+2AA-", b"\xff\xfe\x00", b"ab\0c", bytes(range(256))):
        decode_as(raw, encoding).decode("utf-8")


def test_what_was_recorded_is_read_the_same_way() -> None:
    raw = "naïve — déjà vu\n".encode("cp1252")
    found = read(raw)
    assert decode_as(raw, found.encoding) == found.text
