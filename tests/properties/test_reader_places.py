"""Places: lines are counted as in the text, rows lead back to their bytes, and the screen keeps its place."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.text.lines import Lines
from stonebrowse.tui.reader.layout import Layout
from stonebrowse.tui.reader.safety import raw_visible
from stonebrowse.tui.reader.window import Window
from tests.tui.reader.pages import source

WORD = st.sampled_from(["word", "longer-word", "中文", "`code`", "*so*", "# ", "- ", "> ", "\t", "  ", ""])
LINE = st.lists(WORD, max_size=12).map(" ".join)
END = st.sampled_from(["\n", "\n\n", "\r\n", "\r"])
DOCUMENT = st.lists(st.tuples(LINE, END), min_size=1, max_size=60).map(
    lambda pairs: "".join(line + end for line, end in pairs)
)
LONG = st.tuples(DOCUMENT, st.integers(1, 12)).map(lambda pair: pair[0] * pair[1])


@settings(max_examples=150, deadline=None)
@given(LONG, st.integers(0, 40_000))
def test_a_line_is_counted_as_in_the_text(text: str, offset: int) -> None:
    data = text.encode()
    window = Window()
    window.open(source(data))
    offset = min(offset, len(data) - 1)
    if len(source(data).cut):
        assert window.line_of(offset) == Lines(data).line_at(offset)


@settings(max_examples=100, deadline=None)
@given(LONG, st.integers(10, 60))
def test_the_raw_view_shows_every_line_and_its_number(text: str, width: int) -> None:
    data = text.encode()
    document = source(data)
    layout = Layout(document)
    layout.configure(width=width, raw=True, lights=None)
    rows = [row for ordinal in range(len(document.cut)) for row in layout.rows(ordinal)]
    shown: list[str] = []
    for row in rows:
        parts = [span.text for span in row.spans if span.style != "raw-number"]
        number = "".join(span.text for span in row.spans if span.style == "raw-number").strip()
        if number or width < 24:
            shown.append("".join(parts))
        else:
            shown[-1] += "".join(parts)
        assert not number or Lines(data).line_at(row.start) == int(number)
    if width >= 24 and len(document.cut):
        starts = Lines(data)
        lines = [
            data[starts.start_of(n) : starts.start_of(n + 1) if n < len(starts) else len(data)].decode()
            for n in range(1, len(starts) + (0 if data.endswith((b"\n", b"\r")) else 1))
        ]
        assert shown == [raw_visible(line.rstrip("\r\n").expandtabs(4)) for line in lines]


@settings(max_examples=100, deadline=None)
@given(LONG, st.data())
def test_what_is_found_is_on_the_screen_at_every_width(text: str, data: st.DataObject) -> None:
    document = source(text)
    window = Window()
    window.open(document)
    window.height = 10
    offset = data.draw(st.integers(0, len(document.text) - 1))
    for width in (60, 9, 33, 60):
        window.width = width
        window.configure(raw=False, lights=None, front_matter_open=False)
        window.go_to(offset, 0.5)
        rows = window.rows()
        assert len(rows) <= 10
        layout = window.layout
        assert layout is not None
        found = layout.find(offset)
        if len(document.cut) and layout.rows(found.ordinal):
            assert any(row is layout.row(found) for row in rows)
            assert layout.row(found).start <= max(offset, layout.row(layout.top).start)


@settings(max_examples=60, deadline=None)
@given(
    LONG, st.lists(st.sampled_from([1, -1, 8, -8, 4]), max_size=12), st.lists(st.integers(3, 90), max_size=4)
)
def test_the_first_row_is_the_same_after_any_resizing(text: str, moves: list[int], widths: list[int]) -> None:
    window = Window()
    window.open(source(text))
    window.height, window.width = 8, 40
    window.configure(raw=False, lights=None, front_matter_open=False)
    window.settle()
    for by in moves:
        window.move(by)
    before = window.top
    for width in [*widths, 40]:
        window.width = width
        window.configure(raw=False, lights=None, front_matter_open=False)
        window.settle()
    assert window.top == before
