"""The view under a person's hands: places, marks, lights, links, keys, resizing."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len
from rich.style import Style

from stonebrowse.errors import StoreDamaged
from stonebrowse.tui.reader.layout import Layout
from stonebrowse.tui.reader.source import MemorySource
from stonebrowse.tui.reader.view import DocumentView
from tests.tui.reader.pages import Pieces, Reader, source

if TYPE_CHECKING:
    from textual.strip import Strip

    from stonebrowse.tui.reader.model import Row

BOOK = "".join(
    f"# Chapter {number}\n\n"
    + f"Words of chapter {number}, [linked](to{number}.md), and more of them. " * 8
    + "\n\n"
    for number in range(60)
)


def offset(text: str, needle: str) -> int:
    return text.encode().index(needle.encode())


async def test_it_opens_at_a_place_and_keeps_it_through_resizing() -> None:
    at = offset(BOOK, "# Chapter 30\n")
    app = Reader(source(BOOK), at, 1 / 3)
    async with app.run_test(size=(80, 25)) as pilot:
        await pilot.pause()
        assert app.text()[8] == "  # Chapter 30"
        for size in ((40, 12), (1, 1), (20, 5), (150, 60), (80, 25)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert app.view.place().offset == at
        assert app.text()[8] == "  # Chapter 30"
        assert app.view.place().line == BOOK[: BOOK.index("# Chapter 30")].count("\n") + 1


async def test_the_first_row_stays_through_resizing_after_scrolling() -> None:
    app = Reader(source(BOOK))
    async with app.run_test(size=(80, 25)) as pilot:
        await pilot.press("pagedown", "pagedown", "j")
        before, top = app.view.top_offset, app.text()[0]
        for size in ((33, 9), (100, 40), (80, 25)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert (app.view.top_offset, app.text()[0]) == (before, top)


async def test_keys_move_by_rows_pages_and_headings() -> None:
    app = Reader(source(BOOK))
    async with app.run_test(size=(80, 22)) as pilot:
        await pilot.pause()
        first = app.text()
        await pilot.press("j")
        assert app.text()[:-1] == first[1:]
        await pilot.press("k")
        assert app.text() == first
        await pilot.press("space")
        assert app.text()[:2] == first[-2:]
        await pilot.press("b")
        assert app.text() == first
        await pilot.press("d")
        assert app.text()[:11] == first[11:]
        await pilot.press("u", "right_square_bracket", "right_square_bracket")
        assert app.text()[0] == "  # Chapter 2"
        await pilot.press("j", "left_square_bracket")
        assert app.text()[0] == "  # Chapter 2"
        await pilot.press("left_square_bracket")
        assert app.text()[0] == "  # Chapter 1"
        await pilot.press("G")
        assert "of them." in app.text()[-1]
        last = app.text()
        await pilot.press("j", "space", "G")
        assert app.text() == last
        await pilot.press("g")
        assert app.text() == first


async def test_headings_near_the_end_can_all_be_reached() -> None:
    text = "# A\n\n" + "a\n\n" * 30 + "# B\n\nb\n\n# C\n\nc\n"
    app = Reader(source(text))
    async with app.run_test(size=(60, 20)) as pilot:
        places = []
        for _ in range(3):
            await pilot.press("right_square_bracket")
            places.append(app.view.place().offset)
        assert places == [offset(text, "# B"), offset(text, "# C"), offset(text, "# C")]


async def test_the_marked_passage_has_a_bar() -> None:
    app = Reader(source(BOOK))
    async with app.run_test(size=(80, 22)) as pilot:
        start = offset(BOOK, "# Chapter 1\n")
        app.view.mark(start, offset(BOOK, "# Chapter 2\n"))
        await pilot.pause()
        marked = [row.strip() for row in app.text() if row.startswith("▌")]
        assert marked[0] == "▌ # Chapter 1"
        assert marked[-1].endswith("more of them.")
        assert sum("Chapter" in row for row in marked) == 1
        app.view.mark(0, 0)
        assert not any(row.startswith("▌") for row in app.text())


async def test_lights_are_seen_on_words_that_are_wrapped_and_styled() -> None:
    def lights(text: str) -> list[tuple[int, int]]:
        found = text.find("needle in")
        return [(found, found + 9)] if found >= 0 else []

    app = Reader(source("some words before a *nee*dle in a stack\n"))
    async with app.run_test(size=(26, 10)) as pilot:
        app.view.light(lights)
        await pilot.pause()
        lit = [
            segment.text
            for y in range(4)
            for segment in app.view.render_line(y)
            if _is_lit(app.view, segment)
        ]
        assert lit == ["nee", "dle in"]
        app.view.light(None)
        assert not [s for y in range(4) for s in app.view.render_line(y) if _is_lit(app.view, s)]


def _is_lit(view: DocumentView, segment: Any) -> bool:
    return bool(segment.text.strip()) and segment.style.bgcolor == view._style("lit").bgcolor


async def test_links_are_listed_numbered_and_clicked() -> None:
    text = "See [one](a.md) and [a long link that wraps over rows](b.md#x), [[wiki]].\n\n![pic](p.png)\n"
    app = Reader(source(text))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        links = app.view.show_hints()
        assert [(link.number, link.target) for link in links] == [
            (1, "a.md"),
            (2, "b.md#x"),
            (3, "[[wiki]]"),
            (4, "p.png"),
        ]
        assert links[1].text == "a long link that wrapsover rows"
        assert app.text()[0].startswith("  See 1ne and 2 long link")
        assert app.text()[1].strip().startswith("over rows, 3[wiki]]")
        app.view.hide_hints()
        assert app.text()[0].startswith("  See one and a long link")
        await pilot.click(DocumentView, offset=(2 + links[0].column, links[0].row))
        await pilot.click(DocumentView, offset=(4, 1))
        await pilot.click(DocumentView, offset=(2, 0))
        assert app.chosen == ["a.md", "b.md#x"]


async def test_a_footnote_leads_to_where_it_is_defined() -> None:
    text = "Text[^n].\n\n" + "more\n\n" * 40 + "[^n]: The note.\n"
    app = Reader(source(text))
    async with app.run_test(size=(40, 10)):
        assert [link.target for link in app.view.links()] == ["#^n"]
        assert app.view.footnote("n") == offset(text, "[^n]: The")
        assert app.view.footnote("other") is None


async def test_the_source_is_shown_with_line_numbers_at_the_same_place() -> None:
    app = Reader(source(BOOK), offset(BOOK, "# Chapter 9\n"))
    async with app.run_test(size=(80, 12)) as pilot:
        await pilot.press("r")
        line = BOOK[: BOOK.index("# Chapter 9\n")].count("\n") + 1
        assert app.text()[0] == f"  {line:>3}  # Chapter 9"
        assert app.text()[1] == f"  {line + 1:>3}"
        assert "[linked](to9.md)" in app.text()[2]
        await pilot.press("r")
        assert app.text()[0] == "  # Chapter 9"


async def test_front_matter_opens_and_folds_by_click() -> None:
    app = Reader(source("---\ntitle: X\ntags: [a]\n---\n# H\n"))
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.click(DocumentView, offset=(4, 0))
        assert [row.strip() for row in app.text()[:3]] == [
            "▾ front matter · X · 4 lines",
            "title: X",
            "tags: [a]",
        ]
        await pilot.click(DocumentView, offset=(4, 0))
        assert app.text()[0].strip() == "▸ front matter · X · 4 lines"


async def test_wide_tables_move_sideways_and_nothing_else() -> None:
    head = "|" + "|".join(f" column{index} " for index in range(9)) + "|\n"
    app = Reader(source("Text that stays.\n\n" + head + "|---" * 9 + "|\n" + head))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert app.text()[2].endswith("›")
        await pilot.press("l", "l")
        assert app.text()[0] == "  Text that stays."
        assert app.text()[2].lstrip().startswith("‹")
        assert app.text()[2].endswith("›")
        for _ in range(9):
            await pilot.press("l")
        assert app.text()[2].endswith("column8")
        assert all(cell_len(app.view.render_line(y).text) == 40 for y in range(10))


async def test_another_version_is_shown_at_the_place_that_is_asked() -> None:
    app = Reader(source(BOOK), offset(BOOK, "# Chapter 5\n"))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        app.view.mark(0, 10)
        newer = "# New\n\ntext\n\n" + BOOK
        app.view.show(source(newer), offset(newer, "# Chapter 5\n"))
        assert app.text()[0] == "  # Chapter 5"
        app.view.go_to(0)
        assert app.text()[0] == "  # New"


async def test_places_are_told_once_and_only_when_they_change() -> None:
    app = Reader(source(BOOK))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        app.places.clear()
        await pilot.press("j")
        await pilot.pause()
        assert len(app.places) == 1
        await pilot.press("k", "k", "k")
        await pilot.pause()
        assert len(app.places) == 2


async def test_nothing_is_painted_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Reader(source(BOOK + "\n```py\nx = 1\n```\n"), len(BOOK))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause(0.1)
        painted: list[int] = []
        real = DocumentView.render_line

        def paint(view: DocumentView, y: int) -> Strip:
            painted.append(y)
            return real(view, y)

        monkeypatch.setattr(DocumentView, "render_line", paint)
        await pilot.press("j", "G", "pagedown")
        app.view.mark(0, 0)
        app.view.light(None)
        app.view.hide_hints()
        await pilot.pause(0.3)
        assert painted == []
        await pilot.press("k")
        await pilot.pause()
        assert painted


async def test_opening_a_place_makes_rows_for_the_screen_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = Layout._make

    def make(layout: Layout, ordinal: int) -> list[Row]:
        made.append(ordinal)
        return real(layout, ordinal)

    app = Reader()
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        monkeypatch.setattr(Layout, "_make", make)
        app.view.light(lambda _: [])
        app.view.show(source(BOOK), offset(BOOK, "# Chapter 30\n"), 1 / 3)
        app.view.mark(0, 5)
        await pilot.pause()
        assert len(made) == len(set(made)) < 12


async def test_code_gets_its_colours_after_it_is_painted() -> None:
    app = Reader(source("```python\nreturn 'text'  # why\n```\n"))
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        colours = {segment.text.strip(): segment.style or Style() for segment in app.view.render_line(0)}
        assert colours["return"].color == app.view._style("code-block code-keyword").color
        assert colours["# why"].italic


async def test_the_scroll_bar_leads_to_both_ends_and_between() -> None:
    app = Reader(source(BOOK))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.pause()
        view = app.view
        assert view.show_vertical_scrollbar
        view.scroll_to(y=view.max_scroll_y, animate=False)
        assert "of them." in app.text()[-1]
        view.scroll_to(y=view.max_scroll_y // 2, animate=False)
        middle = view.top_offset
        assert len(BOOK) * 0.4 < middle < len(BOOK) * 0.6
        view.scroll_to(y=0, animate=False)
        assert app.text()[0] == "  # Chapter 0"


async def test_a_document_that_fits_does_not_move() -> None:
    app = Reader(source("# A\n\nb\n"))
    async with app.run_test(size=(40, 20)) as pilot:
        before = app.text()
        await pilot.press("j", "space", "G", "d")
        assert app.text() == before
        assert app.view.max_scroll_y == 0


@pytest.mark.parametrize("text", ["", "\n\n", "---\n", "[a]: b\n", "<!-- -->", "\ufeff", "x"])
async def test_small_and_empty_documents_are_shown(text: str) -> None:
    app = Reader(source(text))
    async with app.run_test(size=(40, 8)) as pilot:
        await pilot.press(
            "j", "k", "G", "g", "space", "right_square_bracket", "left_square_bracket", "r", "r"
        )
        assert len(app.text()) == 8
        if not text.strip("\n"):
            assert app.text()[0] == "  This document is empty."


async def test_a_place_that_cannot_be_read_says_so_and_the_others_are_shown() -> None:
    class Damaged(MemorySource):
        def read(self, start: int, end: int) -> bytes:
            if start <= 40 < end:
                raise StoreDamaged("version 1 of a.md is not what was recorded: run `stonebrowse doctor`")
            return super().read(start, end)

    text = b"# A\n\n" + b"a" * 60 + b"\n\n# B\n\nb\n"
    document = Damaged(text, source(text).cut)
    app = Reader(document)
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        assert any("doctor" in row for row in app.text())
        assert any("# B" in row for row in app.text())


class Endless:
    """A document of a million sections that is made where it is read."""

    section_bytes = 100
    count = 1_000_000
    size = section_bytes * count

    def __init__(self) -> None:
        self.cut = EndlessCut(self)
        self.asked = 0

    def read(self, start: int, end: int) -> bytes:
        self.asked += end - start
        first, last = start // self.section_bytes, -(-end // self.section_bytes)
        data = b"".join(self.section(number) for number in range(first, last))
        return data[start - first * self.section_bytes : end - first * self.section_bytes]

    def section(self, number: int) -> bytes:
        head = b"## S%07d\n\n" % number
        return head + b"x" * (self.section_bytes - len(head) - 2) + b"\n\n"


class EndlessCut:
    """Its passages: one a section."""

    def __init__(self, document: Endless) -> None:
        self._document = document
        self.section_count = document.count

    def __len__(self) -> int:
        return self._document.count

    def passage(self, ordinal: int) -> Any:
        piece = Pieces(self._document.size, [0]).passage(0)
        size = self._document.section_bytes
        return piece._replace(
            start=ordinal * size, end=(ordinal + 1) * size, line=ordinal * 4 + 1, section=ordinal
        )

    def at(self, offset: int) -> int:
        return min(offset // self._document.section_bytes, self._document.count - 1)

    def section(self, index: int) -> Any:
        return (
            Pieces(self._document.size, [0]).section(0)._replace(start=index * self._document.section_bytes)
        )


async def test_a_million_sections_cost_what_is_on_the_screen() -> None:
    endless = Endless()
    app = Reader()
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.pause()
        gc.collect()
        before = len(gc.get_objects())
        for number in (999_999, 500_000, 3):
            app.view.show(endless, number * endless.section_bytes, 1 / 3)
            await pilot.pause()
        assert any("## S0000003" in row for row in app.text())
        assert endless.asked < 40_000
        gc.collect()
        assert len(gc.get_objects()) - before < 20_000
        await pilot.press("G")
        assert app.view.place().line > 3_999_900
