"""Changes: each changed section under its citation, and beside it what changed in it, word by word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Container
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView

from stonebrowse.tui.painting import PLAIN, clipped, strip
from stonebrowse.tui.reader.safety import cells, visible
from stonebrowse.tui.rows import Rows
from stonebrowse.tui.status import PaneTitle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.strip import Strip

    from stonebrowse.library.comparing import LineDiff
    from stonebrowse.library.reviewing import Change
    from stonebrowse.tui.painting import Piece

WIDE = 100
LOOKING = "Enter opens, n p next and previous, Esc closes "
MARKING = "Enter opens, n p next and previous, Space seen, A all seen, Esc closes "
STYLES = {" ": "same", "-": "old", "+": "new"}


@dataclass(frozen=True, slots=True)
class Shown:
    """One change as it is shown.

    Attributes:
        citation: of the section, now or the last it had; or a path.
        said: what happened, in a few words.
        lines: the lines that changed, with some around.
        truncated: more lines changed.
        change: what is marked as seen; None in a comparison.
    """

    citation: str
    said: str
    lines: Sequence[LineDiff]
    truncated: bool = False
    change: Change | None = None


class Listed(Rows):
    """The changes: citation and what happened."""

    ROW_HEIGHT = 2

    @dataclass
    class Reached(Message):
        """The cursor stands on another change."""

    def __init__(self, items: Sequence[Shown], *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.items = list(items)

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.items)

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return ["Nothing changed", "since you last looked"]

    def draw(self, index: int, line: int, width: int) -> list[Piece]:
        """See `Rows.draw`."""
        item = self.items[index]
        if line == 0:
            return clipped([(visible(item.citation), PLAIN)], width - 1)
        return clipped([(f"  {visible(item.said)}", self.style("dim"))], width - 1)

    def watch_cursor(self, before: int, now: int) -> None:
        """Draws both rows anew, and says so."""
        super().watch_cursor(before, now)
        self.post_message(self.Reached())


class Difference(ScrollView):
    """The lines of one change, what was taken away and what was added marked inside them."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "difference--title",
        "difference--dim",
        "difference--same",
        "difference--old",
        "difference--new",
        "difference--old-word",
        "difference--new-word",
    }
    DEFAULT_CSS = """
    Difference { overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._item: Shown | None = None
        self._rows: list[list[tuple[str, str]]] = []

    def show(self, item: Shown | None) -> None:
        """Shows a change from its beginning."""
        self._item = item
        self._lay_out()
        self.scroll_to(y=0, animate=False, force=True)
        self.refresh()

    def _lay_out(self) -> None:
        width = self.size.width - 1
        self._rows = [] if self._item is None or width < 2 else laid_out(self._item, width)
        self.virtual_size = Size(max(0, width), len(self._rows))

    def on_resize(self) -> None:
        """Wraps anew."""
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        """One row."""
        base = self.visual_style.rich_style
        index = y + self.scroll_offset.y
        pieces = self._rows[index] if index < len(self._rows) else []
        style = self.get_component_rich_style
        drawn = [(text, style(f"difference--{name}", partial=True)) for text, name in pieces]
        return strip(drawn, self.size.width, base)


def laid_out(item: Shown, width: int) -> list[list[tuple[str, str]]]:
    """The rows of a change: texts and the names of their styles."""
    rows = folded([(item.citation, "title")], width) + folded([(item.said, "dim")], width) + [[]]
    before: LineDiff | None = None
    for line in item.lines:
        if before is not None and _gap(before, line):
            rows.append([("⋮", "dim")])
        before = line
        name = STYLES[line.kind]
        pieces, at = [(f"{line.kind} ", name)], 0
        for start, end in line.marks:
            pieces += [(line.text[at:start], name), (line.text[start:end], f"{name}-word")]
            at = end
        rows += folded([*pieces, (line.text[at:], name)], width)
    if item.truncated:
        rows.append([("… more lines changed", "dim")])
    return rows


def folded(pieces: Sequence[tuple[str, str]], width: int) -> list[list[tuple[str, str]]]:
    """Pieces of any text cut into rows of at most so many cells, made visible."""
    rows: list[list[tuple[str, str]]] = [[]]
    used = 0
    for text, name in pieces:
        kept = ""
        for character in visible(text.replace("\t", "    ")):
            size = cells(character)
            if used + size > width:
                rows[-1].append((kept, name))
                rows.append([])
                kept, used = "", 0
            kept += character
            used += size
        rows[-1].append((kept, name))
    return rows


def _gap(before: LineDiff, line: LineDiff) -> bool:
    """Whether lines were left out between two that are both as they were."""
    if before.new_line is None or line.new_line is None or line.kind != " ":
        return False
    return before.kind == " " and line.new_line > before.new_line + 1


class ChangesScreen(ModalScreen[str | None]):
    """Stands over the main screen; gives the citation to be opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("n,j,down", "move(1)", show=False),
        Binding("p,k,up", "move(-1)", show=False),
        Binding("space", "seen", show=False),
        Binding("A", "all_seen", show=False),
        Binding("enter", "open", show=False),
        Binding("d,pagedown", "page(1)", show=False),
        Binding("u,pageup", "page(-1)", show=False),
    ]

    def __init__(
        self, title: str, items: Sequence[Shown], mark: Callable[[Sequence[Shown]], None] | None = None
    ) -> None:
        """Made of what changed.

        Args:
            title: what is shown.
            items: the changes, in their order.
            mark: marks some as seen; None where there is nothing to be marked.
        """
        super().__init__()
        self._title = title
        self._given = items
        self._mark = mark

    def compose(self) -> ComposeResult:
        """A title, the changes, and the lines of one."""
        yield PaneTitle(id="changes-title")
        with Container(id="changes-panes"):
            yield Listed(self._given, id="changes")
            yield Difference(id="difference")

    def on_mount(self) -> None:
        """Shows the first change."""
        self._list.focus()
        self._show()

    def on_resize(self) -> None:
        """Side by side where there is room, else one above the other."""
        self.query_one("#changes-panes").set_class(self.size.width >= WIDE, "-wide")
        self._title_line()

    @property
    def _list(self) -> Listed:
        return self.query_one(Listed)

    def _show(self) -> None:
        items = self._list.items
        self._title_line()
        self.query_one(Difference).show(items[self._list.cursor] if items else None)

    def _title_line(self) -> None:
        items = self._list.items
        count = f"{self._list.cursor + 1} of {len(items)}" if items else ""
        keys = (MARKING if self._mark else LOOKING) if items and self.size.width >= WIDE else "Esc closes "
        self.query_one(PaneTitle).say([(f" {self._title}  ", "strong"), (count, "dim")], [(keys, "dim")])

    def on_listed_reached(self, event: Listed.Reached) -> None:
        """The lines follow the cursor."""
        event.stop()
        self._show()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """A click moved the cursor."""
        event.stop()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A second click opens."""
        event.stop()
        self.action_open()

    def action_leave(self) -> None:
        """Closes."""
        self.dismiss(None)

    def action_move(self, rows: int) -> None:
        """Goes to another change."""
        self._list.move(rows)

    def action_page(self, pages: int) -> None:
        """Scrolls the lines."""
        pane = self.query_one(Difference)
        pane.scroll_to(y=pane.scroll_y + pages * max(1, pane.size.height - 1), animate=False)

    def action_open(self) -> None:
        """Opens the section."""
        if self._list.items:
            self.dismiss(self._list.items[self._list.cursor].citation)

    def action_seen(self) -> None:
        """Marks the change under the cursor as seen: it is not shown again."""
        if self._mark and self._list.items:
            self._mark([self._list.items.pop(self._list.cursor)])
            self._list.changed()
            self._show()

    def action_all_seen(self) -> None:
        """Marks all of them as seen."""
        if self._mark and self._list.items:
            self._mark(self._list.items[:])
            self._list.items.clear()
            self._list.changed()
            self._show()
