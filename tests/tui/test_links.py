"""Where links lead."""

from __future__ import annotations

import pytest

from stonebrowse.text.passages import cut
from stonebrowse.tui.links import Local, Outside, anchor_section, find, read_link

PATHS = [
    "README.md",
    "docs/guide.md",
    "docs/README.md",
    "docs/deep/Note One.md",
    "other/guide.md",
    "docs/a\\x1bb.md",
]


@pytest.mark.parametrize(
    ("target", "page", "path"),
    [
        ("guide.md", "docs/x.md", "docs/guide.md"),
        ("../README.md", "docs/x.md", "README.md"),
        ("./guide.md#part", "docs/x.md", "docs/guide.md"),
        ("/docs/guide.md", "other/x.md", "docs/guide.md"),
        ("guide", "docs/x.md", "docs/guide.md"),
        ("docs/", "README.md", "docs/README.md"),
        ("deep/Note%20One.md", "docs/x.md", "docs/deep/Note One.md"),
        ("GUIDE.MD", "docs/x.md", "docs/guide.md"),
        ("[[Note One]]", "README.md", "docs/deep/Note One.md"),
        ("[[note one|shown]]", "README.md", "docs/deep/Note One.md"),
        ("[[guide]]", "README.md", "docs/guide.md"),
        ("guide.md?plain=1", "docs/x.md", "docs/guide.md"),
        ("a%1Bb.md", "docs/x.md", "docs/a\\x1bb.md"),
    ],
)
def test_a_link_into_the_library_names_its_file(target: str, page: str, path: str) -> None:
    link = read_link(target, page)
    assert isinstance(link, Local)
    assert find(link, PATHS) == path


@pytest.mark.parametrize(
    "target",
    ["https://example.org/a.md", "mailto:a@b.c", "//host/x", "javascript:alert(1)", "../../etc/passwd"],
)
def test_what_leads_out_of_the_library_is_never_a_file(target: str) -> None:
    assert read_link(target, "docs/x.md") == Outside(target)


def test_a_link_to_nothing_is_nothing() -> None:
    link = read_link("missing.md", "docs/x.md")
    assert isinstance(link, Local)
    assert find(link, PATHS) is None


def test_an_anchor_alone_stays_on_the_page() -> None:
    assert read_link("#some-part", "docs/x.md") == Local((), "some-part")
    assert read_link("[[#Some Part]]", "docs/x.md") == Local((), "some-part")


def test_anchors_are_numbered_where_headings_are_equal() -> None:
    pieces = cut(b"before\n\n# One\n\n## Again!\n\n## Again!\n\n# Two words\n")
    assert [anchor_section(pieces, name) for name in ("one", "again", "again-1", "Two-Words", "none")] == [
        1,
        2,
        3,
        4,
        None,
    ]
