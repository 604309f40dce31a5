from __future__ import annotations

import pytest

from stonebrowse.text.front_matter import FrontMatter, body_start, front_matter


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (b"---\na: b\n---\nText\n", 13),
        (b"---\na: b\n...\nText\n", 13),
        (b"+++\na = 1\n+++\nText\n", 14),
        (b"\xef\xbb\xbf---\na: b\n---\nText\n", 16),
        (b"---\r\na: b\r\n---\r\nText", 16),
        (b"---\ra: b\r---\rText", 13),
        (b"--- \na: b\n---\t\nText\n", 15),
        (b"---\na: b\n---", 12),
    ],
)
def test_it_ends_after_its_closing_line(text: bytes, end: int) -> None:
    found = front_matter(text)
    assert found is not None
    assert found.end == body_start(text) == end


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"---\n",
        b"---\n\na: b\n---\n",  # a blank line after the fence
        b"---\na: b\n",  # no end
        b"---\na: b\n+++\n",
        b"+++\na = 1\n...\n",
        b"\n---\na: b\n---\n",
        b" ---\na: b\n---\n",
        b"----\na: b\n----\n",
        b"---\na: b\n ---\n",
    ],
)
def test_anything_else_is_markdown(text: bytes) -> None:
    assert front_matter(text) is None
    assert body_start(text) == 0


@pytest.mark.parametrize(
    ("source", "title", "tags"),
    [
        ("title: Sea charts\ntags: [a, 'b c', \"d\"]", "Sea charts", ("a", "b c", "d")),
        ("title: 'It: is' # why\ntags:\n  - a\n  - b c\nother: 1", "It: is", ("a", "b c")),
        ("tags: a, b\nkeywords: [b, c]", "", ("a", "b", "c")),
        ("title: >-\n  folded\n  lines\ntag: one", "folded lines", ("one",)),
        ("tags: [a,\n  b]\ntitle: after", "after", ("a", "b")),
        ("{ no: yaml", "", ()),
    ],
)
def test_title_and_tags_are_read_leniently(source: str, title: str, tags: tuple[str, ...]) -> None:
    text = f"---\n{source}\n---\n".encode()
    assert front_matter(text) == FrontMatter(len(text), "yaml", title, tags)


@pytest.mark.parametrize(
    ("source", "title", "tags"),
    [
        ('title = "A"\ntags = ["x", "y"]', "A", ("x", "y")),
        ('title = "A"\ntags = [broken', "A", ("broken",)),
    ],
)
def test_toml_as_well(source: str, title: str, tags: tuple[str, ...]) -> None:
    text = f"+++\n{source}\n+++\n".encode()
    assert front_matter(text) == FrontMatter(len(text), "toml", title, tags)
