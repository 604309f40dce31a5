"""The outline of the page: its headings, however many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.painting import PLAIN
from stonebrowse.tui.reader.safety import clip, visible
from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from stonebrowse.text.passages import Cut, Section
    from stonebrowse.tui.painting import Piece

INDENT = 2
NAMELESS = "(no words)"


class Outline(Rows):
    """The headings of one text. The cursor follows the page unless a person moves it."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._cut: Cut | None = None
        self._first = 0
        self._top_level = 1

    @property
    def section(self) -> Section | None:
        """The section under the cursor."""
        if self._cut is None or not self.count():
            return None
        return self._cut.section(self.cursor + self._first)

    def show(self, cut: Cut | None) -> None:
        """Shows the headings of another text."""
        self._cut = cut
        self._first, self._top_level = 0, 1
        if cut is not None and cut.section_count:
            self._first = 1 if cut.section(0).level == 0 else 0
            if self._first < cut.section_count:
                self._top_level = cut.section(self._first).level
        self.changed()

    def follow(self, section: int) -> None:
        """Goes to the section that is being read."""
        if self.screen.focused is not self and self.count():
            self.place_cursor(section - self._first)

    def count(self) -> int:
        """See `Rows.count`."""
        return 0 if self._cut is None else self._cut.section_count - self._first

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return [] if self._cut is None else ["No headings in this page"]

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        assert self._cut is not None
        section = self._cut.section(index + self._first)
        depth = max(0, section.level - self._top_level)
        indent = " " * min(depth * INDENT, max(0, width - 6))
        heading = visible(section.heading) or NAMELESS
        style = PLAIN if section.heading else self.style("dim")
        return [(indent, PLAIN), (clip(heading, width - len(indent) - 1), style)]
