from __future__ import annotations

import pytest

from stonebrowse.library.paths import matches


@pytest.mark.parametrize(
    ("glob", "chosen"),
    [
        ("*.md", {"a.md", "docs/a.md", "docs/deep/b.md"}),
        ("docs", {"docs/a.md", "docs/deep/b.md"}),
        ("docs/", {"docs/a.md", "docs/deep/b.md"}),
        ("docs/*", {"docs/a.md", "docs/deep/b.md"}),
        ("docs/*.md", {"docs/a.md"}),
        ("docs/**", {"docs/a.md", "docs/deep/b.md"}),
        ("**/b.md", {"docs/deep/b.md"}),
        ("**", {"a.md", "docs/a.md", "docs/deep/b.md"}),
        ("a.md", {"a.md", "docs/a.md"}),
        ("DOCS/A.MD", {"docs/a.md"}),
        ("?.md", {"a.md", "docs/a.md", "docs/deep/b.md"}),
        ("doc", set()),
        ("[ab].md", set()),
        ("deep/b.md", set()),
    ],
)
def test_what_a_glob_chooses(glob: str, chosen: set[str]) -> None:
    paths = {"a.md", "docs/a.md", "docs/deep/b.md"}
    assert {path for path in paths if matches(path, glob)} == chosen
