"""The scanner, rule by rule, against markdown-it-py; and that it answers by itself."""

from __future__ import annotations

import pytest

from stonebrowse.text import authority, structure
from stonebrowse.text.headings import headings, headings_by_authority

CERTAIN = {
    "an ATX heading ends lists and quotes": b"- a\n\n  b\n# H\n> c\n# I\n",
    "a hash in a fence": b"```sh\n# no\n```\n# H\n",
    "a fence in a list item": b"- a\n\n  ```\n  # no\n  ```\n\n# H\n",
    "a column-0 line ends a fence in an item": b"- a\n  ```\n# H\n  ```\n# no\n",
    "indented by one there is no list": b"- a\n # H\n",
    "indented by three in an item of width four": b"-   a\n\n   # H\n",
    "a rule below a list item": b"- a\n---\n# H\n",
    "an underline below a quote": b"> a\n---\n",
    "a setext heading of two lines": b"a\nb\n===\n",
    "HTML to a blank line": b"<div>\n# no\n\n# H\n",
    "HTML to its end mark": b"<!--\n\n# no\n-->\n# H\n",
    "a tag alone below a paragraph, with nothing to hide": b"a\n<b>\n\n# H\n",
    "a footnote's text needs an indent of four": b"[^1]: a\n  # H\n",
    "a file that ends in a fence": b"# H\n```\n# no",
}
DOUBTFUL = {
    "a tag alone below a rule hides a bullet": b"***\n<a>\n- b\n\n  # H\n",
    "a heading that is a table": b"# a | b\n--- | ---\n",
    "a list item is no table": b"- a\n\n- b | c\n--- | ---\n\n  # H\n",
    "an item without text": b"-\n\n  # H\n",
    "an indented line, then an underline": b"a\n  b\n---\n",
    "a tag alone above a heading": b"a\n<b>\n# H\n",
    "a fence in a list that is none": b"1. a\nb\n  - c\n  ```\n# x\n  ```\n# H\n",
    "a definition above an underline": b"[a]: /x\nb\n===\n",
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stretches that are handed over."""
    stretches: list[str] = []
    ask = authority.blocks

    def blocks(source: str, env: authority.Env | None = None) -> list[authority.Block] | None:
        stretches.append(source)
        return ask(source, env)

    monkeypatch.setattr(authority, "blocks", blocks)
    return stretches


def found(text: bytes) -> list[structure.Found]:
    return list(structure.find(text, 0, len(text)))


@pytest.mark.parametrize("text", CERTAIN.values(), ids=CERTAIN.keys())
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_it_is_certain_and_right(text: bytes, end: bytes, asked: list[str]) -> None:
    text = text.replace(b"\n", end)
    answer = headings(text)
    assert not asked
    assert answer == headings_by_authority(text)


@pytest.mark.parametrize("text", DOUBTFUL.values(), ids=DOUBTFUL.keys())
def test_it_asks_in_doubt_and_is_right(text: bytes, asked: list[str]) -> None:
    answer = headings(text)
    assert asked
    assert answer == headings_by_authority(text)


def test_only_the_stretch_around_a_doubt_is_handed_over(asked: list[str]) -> None:
    before, after = b"para\n\n" * 1_000, b"\npara\n" * 1_000
    found(before + b"a\n  b\n---\n" + after)
    assert [len(stretch) < 30 for stretch in asked] == [True]


def test_what_the_authority_finds_open_is_followed_to_its_end() -> None:
    text = b"1. a\nb\n  - c\n  ```\n\nx\n\n# no\n\n  ```\n# H\n"
    assert [(item.level, text[item.start : item.end]) for item in found(text)] == [
        (0, b"  ```\n\nx\n\n# no\n\n  ```\n"),
        (1, b"# H\n"),
    ]


def test_a_heading_says_where_it_stands() -> None:
    text = b"\xef\xbb\xbfa\r\n\r\nb\r\nc\r\n===\r\n## d"
    assert [(item.level, item.start, item.end) for item in structure.find(text, 3, len(text))] == [
        (1, 8, 19),
        (2, 19, 23),
    ]


@pytest.mark.parametrize(
    "unit",
    [
        b"- a\n-\n",
        b"x\n<a>\n",
        b"  - a\n   ```\nx\n",
        b"a|\n---\n",
        b"1. a\n   # x\n",
        b"-\n",
        b"=\n",
        b"<\n",
    ],
)
def test_a_long_doubtful_stretch_is_not_handed_over(unit: bytes, asked: list[str]) -> None:
    found(unit * (structure.HAND_OVER_AT_MOST // len(unit) + 1))
    assert sum(map(len, asked)) <= structure.HAND_OVER_AT_MOST


def test_what_cannot_be_parsed_is_asked_for_once(asked: list[str]) -> None:
    text = b"> " * 300 + b"x\n" + b"a\n  b\n---\n" * 50 + b"\n# H\n"
    answer = headings(text)
    assert [heading.text for heading in answer] == ["H"]
    assert len(asked) == 1


def test_pieces_begin_where_blocks_begin() -> None:
    text = b"# A\n\npara\n\n- a\n\n- b\n\n```\n\nx\n\n```\n\nend\n"
    pieces = [(text[first:last], single) for first, last, single in structure.pieces(text, 0, len(text))]
    assert pieces == [
        (b"# A\n", True),
        (b"\n", False),
        (b"para\n\n- a\n\n- b\n\n", False),
        (b"```\n\nx\n\n```\n", True),
        (b"\n", False),
        (b"end\n", False),
    ]
