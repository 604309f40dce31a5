"""A citation of a version holds on that version; and of the versions after it, what is said is true."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stonebrowse.library.library import Library
from stonebrowse.library.sources import Source
from stonebrowse.text.alignment import normal

BLOCKS = [
    "# A\n",
    "## B\n",
    "## B\n\nsame\n\n",
    "text\n",
    "\n",
    "---\n",
    "same\n",
    "# é § (Line 3)\n",
    "- x\n",
]
TEXTS = st.lists(st.sampled_from(BLOCKS), max_size=8).map("".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_what_is_said_of_every_citation_of_every_version_is_true(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "docs"
        folder.mkdir()
        with Library.open(folder, store=Path(place) / "store") as library:
            for text in texts:
                (folder / "a.md").write_text(text, encoding="utf-8")
                library.update(full=True)
            file = library.find_file("a.md")
            newest = library.find_version(file, None)
            now = library.document(newest, file)
            citations = {now.passage(ordinal).citation for ordinal in range(len(now.cut))}
            for version in library.versions(file):
                document = library.document(version, file)
                for ordinal in range(len(document.cut)):
                    passage = document.passage(ordinal)
                    assert library.resolve(passage.citation).passage is not None
                    source = Source(file, version, passage.start, passage.end)
                    checked = library.checking().judge(passage.citation, source)
                    if version.digest == newest.digest:
                        assert checked.verdict == "holds"
                    if checked.verdict in {"holds", "moved"}:
                        assert checked.now in citations
                        assert normal(checked.now_text.encode()) == normal(checked.then_text.encode())
                        assert (checked.now == passage.citation) == (checked.verdict == "holds")
