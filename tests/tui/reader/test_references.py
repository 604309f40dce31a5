"""Reference links and footnotes lead to their definitions, wherever in the document those stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.tui.reader.layout import Layout
from tests.tui.reader.pages import Reader, source

if TYPE_CHECKING:
    from stonebrowse.tui.reader.source import MemorySource

FILLER = "## Section\n\n" + "some words that fill the page\n" * 100 + "\n"


def layout_of(document: MemorySource, at_once: int = 1 << 20) -> Layout:
    layout = Layout(document)
    layout.references._at_once = at_once
    layout.configure(width=80, raw=False, lights=None)
    return layout


def targets(layout: Layout, ordinal: int = 0) -> list[str]:
    links = dict.fromkeys(span.link for row in layout.rows(ordinal) for span in row.spans if span.link)
    return [link.target for link in links]


@pytest.mark.parametrize(
    ("definition", "target"),
    [
        ("[far]: a.md", "a.md"),
        ("[FAR]:\n  <b c.md>\n  'title'", "b c.md"),
        ("> [far]: in-quote.md", "in-quote.md"),
        ("- [far]: in-list.md", "in-list.md"),
        ("   [far]: indented.md", "indented.md"),
        ("[first]: x.md\n[far]: second.md", "second.md"),
        ("[far]: javascript:alert(1)", "javascript:alert(1)"),
    ],
)
def test_a_definition_is_found_far_away(definition: str, target: str) -> None:
    text = "# A\n\nSee [Far].\n\n" + FILLER * 5 + definition + "\n"
    assert targets(layout_of(source(text))) == [target]


@pytest.mark.parametrize(
    "no_definition",
    [
        "```\n[far]: a.md\n```",
        "    [far]: a.md",
        "text\n[far]: a.md",
        "<pre>\n[far]: a.md\n</pre>",
        "[far] : a.md",
        "[other]: a.md",
        "`[far]: a.md`",
    ],
)
def test_what_only_looks_like_a_definition_is_none(no_definition: str) -> None:
    text = "# A\n\nSee [far].\n\n" + FILLER + no_definition + "\n"
    assert targets(layout_of(source(text))) == []


def test_the_first_definition_counts() -> None:
    text = (
        "# A\n\nSee [far].\n\n"
        + FILLER
        + "```\n[far]: no.md\n```\n\n[far]: yes.md\n\n"
        + FILLER
        + "[far]: late.md\n"
    )
    assert targets(layout_of(source(text))) == ["yes.md"]


def test_a_label_over_two_lines_is_found() -> None:
    text = "# A\n\nSee [a long\nlabel].\n\n" + FILLER + "[a\nlong label]: a.md\n"
    assert targets(layout_of(source(text))) == ["a.md"]


def test_a_definition_across_the_steps_of_the_search_is_found() -> None:
    for shift in range(0, 24, 3):
        body = "# A\n\nSee [far].\n\n"
        gap = 256 * 1024 - len(body) - shift
        text = body + "x " * (gap // 2) + "y" * (gap % 2) + "\n\n[far]: a.md\n"
        assert targets(layout_of(source(text))) == ["a.md"], shift


def test_footnotes_are_links_only_where_they_are_defined() -> None:
    text = "# A\n\nNote[^1], none[^2], class [^a-z].\n\n" + FILLER + "[^1]: The note.\n"
    layout = layout_of(source(text))
    assert targets(layout) == ["#^1"]
    assert layout.references.footnote_offset("1") == text.index("[^1]: The")


@pytest.mark.parametrize(
    "written", ['<a name="here"></a>', "<div id=here>", "## Title {#here}", "<p class='x' ID='here'>"]
)
def test_an_anchor_is_found(written: str) -> None:
    text = "# A\n\nname there, id elsewhere\n\n" + FILLER * 3 + written + "\n"
    references = layout_of(source(text)).references
    found = references.anchor_offset("here")
    assert found is not None
    assert text.index(written) <= found < text.index(written) + len(written)
    assert references.anchor_offset("nowhere") is None


def test_a_search_that_is_not_finished_says_what_it_missed() -> None:
    text = "# A\n\nSee [far].\n\n" + FILLER * 200 + "[far]: a.md\n"
    layout = layout_of(source(text), at_once=1000)
    assert targets(layout) == []
    assert layout.references.missed
    while layout.references.search_step():
        pass
    assert layout.references.complete
    layout.forget_references()
    assert targets(layout) == ["a.md"]


def test_nothing_is_searched_for_a_text_without_references() -> None:
    layout = layout_of(source("# A\n\nSee [this](a.md).\n\n" + FILLER * 20))
    layout.rows(0)
    assert layout.references._searched == 0


async def test_links_appear_when_the_search_has_found_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stonebrowse.tui.reader.references.AT_ONCE_BYTES", 1000)
    text = "# A\n\nSee [far].\n\n" + FILLER * 200 + "[far]: a.md\n"
    app = Reader(source(text))
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert [link.target for link in app.view.links()] == ["a.md"]
        assert app.text()[2] == "  See far."
