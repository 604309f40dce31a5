"""Laws of the browser's pure parts."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from stonebrowse.tui.actions import ACTIONS, with_keys
from stonebrowse.tui.arranging import arrange
from stonebrowse.tui.copying import quotation, shown
from stonebrowse.tui.following import follow
from stonebrowse.tui.links import Outside, find, read_link
from stonebrowse.tui.painting import UNSAFE, Guard, clipped, fit_citation, lit, tail, window, wrapped
from stonebrowse.tui.reader.safety import cells, visible
from stonebrowse.tui.titling import title

PLAIN, LIGHT = Style.null(), Style(bold=True)
WIDTHS = st.integers(1, 80)
LINES = st.lists(st.text("abc \n#", max_size=12), max_size=30).map("\n".join)


@dataclass
class Memory:
    text: bytes

    @property
    def size(self) -> int:
        return len(self.text)

    def read(self, start: int, end: int) -> bytes:
        return self.text[max(0, start) : max(0, end)]


@given(LINES, LINES, st.integers(0, 400))
def test_a_place_always_leads_into_the_other_text(before: str, after: str, offset: int) -> None:
    found = follow(Memory(before.encode()), Memory(after.encode()), offset)
    assert 0 <= found <= len(after.encode())


@given(LINES, LINES, st.integers(0, 400))
def test_what_is_added_at_the_end_moves_no_place(text: str, more: str, offset: int) -> None:
    before = (text + "\n" * 300).encode()
    assert follow(Memory(before), Memory(before + more.encode()), min(offset, len(text))) == min(
        offset, len(text)
    )


@given(st.text(), WIDTHS)
def test_every_cut_text_fits(text: str, width: int) -> None:
    safe = visible(text)
    assert cells(tail(safe, width)) <= width
    assert all(cells(row) <= max(width, 2) for row in wrapped(safe, width))
    assert "".join(wrapped(safe, width)).replace(" ", "") == safe.replace(" ", "")


@given(st.text(min_size=1, max_size=40), st.text(max_size=40), st.integers(1, 10**9), WIDTHS)
def test_every_citation_fits(path: str, heading: str, line: int, width: int) -> None:
    path = visible(path)
    citation = f"{path} § {visible(heading)} (Line {line})"
    assert cells(fit_citation(citation, path, width)) <= width


@given(st.text(), st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=6), WIDTHS)
def test_lit_pieces_hold_the_text_and_fit(text: str, spans: list[tuple[int, int]], width: int) -> None:
    pieces = lit(text, sorted(spans), PLAIN, LIGHT)
    assert not any(UNSAFE.search(piece) for piece, _ in pieces)
    for shown_pieces in (window(pieces, width, LIGHT), clipped(pieces, width)):
        assert sum(cells(piece) for piece, _ in shown_pieces) <= width


@given(st.lists(st.text(), max_size=5))
def test_the_guard_lets_nothing_through(texts: list[str]) -> None:
    kept = Guard().apply([Segment(text, PLAIN) for text in texts], Color(0, 0, 0))
    assert not any(UNSAFE.search(segment.text) for segment in kept)


@given(st.text())
def test_no_title_ends_before_its_end(text: str) -> None:
    sequence = title(text)
    assert not UNSAFE.search(sequence.removeprefix("\x1b]2;").removesuffix("\x07"))


@given(st.text(), st.text())
def test_a_quote_is_a_quote_and_what_is_shown_is_short(text: str, citation: str) -> None:
    quoted = quotation(text.replace("\r", "\n"), "p.md (Line 1)")
    assert all(line.startswith(">") for line in quoted.rstrip("\n").split("\n"))
    assert len(shown(text)) <= 3
    assert not any(UNSAFE.search(line) for line in shown(citation))


@given(st.text(), st.text(alphabet="ab/.", min_size=1))
def test_no_link_leads_out_of_the_library_unseen(target: str, page: str) -> None:
    paths = ["a.md", "b/a.md", "README.md"]
    link = read_link(target, page)
    assert isinstance(link, Outside) or find(link, paths) in {None, *paths}


@given(st.dictionaries(st.sampled_from([action.name for action in ACTIONS]) | st.text(), st.text()))
def test_no_key_table_is_an_error_and_no_key_does_two_things(keys: dict[str, str]) -> None:
    actions, _ = with_keys(keys)
    given_keys = [key for action in actions for key in action.keys.split(",") if key]
    assert len(given_keys) == len(set(given_keys))


@given(
    st.integers(0, 400), st.integers(0, 100), st.sampled_from(["list", "document", "outline"]), st.booleans()
)
def test_the_pane_one_is_in_is_always_shown(width: int, height: int, at: str, alone: bool) -> None:
    assert arrange(width, height, at, alone=alone).shows(at)  # type: ignore[arg-type]
