"""Moving in whatever has the keys: a list, the page, the outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.opening import Opening


class Moving:
    """The actions of the group "Move". A count of 0 means that no number was typed."""

    def __init__(
        self,
        desk: Desk,
        opening: Opening,
        lane: Lane,
        moved: Callable[[Rows], None],
        read: Callable[[], None],
    ) -> None:
        """Made of the panes and of what opens pages.

        `moved` gets a list whose cursor was moved; `read` is called when the page was: in the same frame.
        """
        self._desk = desk
        self._opening = opening
        self._lane = lane
        self._moved = moved
        self._read = read
        self._page = desk.furniture.page

    def acts(self) -> dict[str, Callable[[int], None]]:
        """What each action does, given the number that was typed before it."""
        return {
            "down": lambda count: self._rows(max(1, count)),
            "up": lambda count: self._rows(-max(1, count)),
            "half_page_down": lambda count: self._pages(max(1, count) / 2),
            "half_page_up": lambda count: self._pages(-max(1, count) / 2),
            "page_down": lambda count: self._pages(max(1, count)),
            "page_up": lambda count: self._pages(-max(1, count)),
            "top": self._top,
            "bottom": self._bottom,
            "follow": lambda _: self._follow(),
            "next_heading": lambda count: self._heading(max(1, count)),
            "previous_heading": lambda count: self._heading(-max(1, count)),
            "left": lambda count: self._sideways(right=False, times=max(1, count)),
            "right": lambda count: self._sideways(right=True, times=max(1, count)),
        }

    def to_line(self, line: int) -> None:
        """Goes to a line of the page. Finding it may mean reading the whole text: in a thread."""
        document = self._opening.document
        if document is not None:
            self._lane.ask(
                lambda: document.offset_of_line(line),
                lambda offset: self._opening.go_to(offset) if self._opening.document is document else None,
            )

    def _list(self) -> Rows | None:
        """The list that the keys move in; None where it is the page."""
        target = self._desk.target(self._desk.at)
        return target if isinstance(target, Rows) else None

    def _tell(self, listed: Rows, *, moved: bool) -> None:
        if moved:
            self._moved(listed)

    def _rows(self, rows: int) -> None:
        if (listed := self._list()) is not None:
            self._tell(listed, moved=listed.move(rows))
        else:
            self._page.scroll_rows(rows)
            self._read()

    def _pages(self, pages: float) -> None:
        if (listed := self._list()) is not None:
            self._tell(listed, moved=listed.page(pages))
        else:
            self._page.scroll_pages(pages)
            self._read()

    def _top(self, count: int) -> None:
        if count:
            self.to_line(count)
        elif (listed := self._list()) is not None:
            self._tell(listed, moved=listed.to_end(last=False))
        else:
            self._opening.go_to(0)

    def _bottom(self, count: int) -> None:
        if count:
            self.to_line(count)
        elif (listed := self._list()) is not None:
            self._tell(listed, moved=listed.to_end(last=True))
        else:
            self._page.action_scroll_end()
            self._read()

    def _follow(self) -> None:
        if self._opening.document is not None:
            self._opening.stay_at_end()
            self._desk.go("document")
            self._read()

    def _heading(self, by: int) -> None:
        """Goes to a heading below or above, wherever the keys are."""
        document = self._opening.document
        if document is None or not len(document.cut):
            return
        here = self._page.place().offset
        section = document.cut.passage(document.cut.at(min(here, document.size))).section
        if by < 0 and here > document.cut.section(section).start:
            by += 1
        wanted = max(0, min(section + by, document.cut.section_count - 1))
        self._page.go_to(document.cut.section(wanted).start)
        self._read()

    def _sideways(self, *, right: bool, times: int) -> None:
        files = self._desk.furniture.files
        if self._list() is files:
            self._tell(files, moved=(files.unfold if right else files.fold)())
        elif self._list() is None:
            for _ in range(min(times, 20)):
                (self._page.action_scroll_right if right else self._page.action_scroll_left)()
