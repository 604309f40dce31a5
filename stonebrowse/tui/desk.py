"""The panes on the screen: which are shown, which has the keys, and what they say above themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from stonebrowse.tui.arranging import Arrangement, Pane, arrange

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.widget import Widget

    from stonebrowse.tui.files import Files
    from stonebrowse.tui.hits import Hits
    from stonebrowse.tui.outline import Outline
    from stonebrowse.tui.page import Page
    from stonebrowse.tui.rows import Rows
    from stonebrowse.tui.search_line import Line
    from stonebrowse.tui.status import KeyLine, Word
    from stonebrowse.tui.titles import Titles
    from stonebrowse.tui.versions import Versions

Left = Literal["files", "hits", "versions"]
PANES: tuple[Pane, ...] = ("list", "document", "outline")


@dataclass(frozen=True, slots=True)
class Furniture:
    """The widgets of the main screen."""

    search: Line
    find: Line
    titles: Titles
    files: Files
    hits: Hits
    versions: Versions
    start: Widget
    page: Page
    outline: Outline
    keys: KeyLine

    def rows(self, kind: Left) -> Rows:
        """The list that stands at the left."""
        lists: dict[Left, Rows] = {"files": self.files, "hits": self.hits, "versions": self.versions}
        return lists[kind]


class Desk:
    """Arranges the panes of one screen.

    Attributes:
        at: the pane in which the person is.
        left: what stands in the left pane.
        alone: whether the page alone was asked for.
    """

    def __init__(
        self,
        furniture: Furniture,
        *,
        has_page: Callable[[], bool],
        focus: Callable[[Widget], None],
        has_keys: Callable[[], Widget | None],
    ) -> None:
        """Made once the widgets are mounted.

        Args:
            furniture: the widgets.
            has_page: says whether there is a page to go to.
            focus: gives a widget the keys at once: the next key may be waiting already.
            has_keys: which widget has them now.
        """
        self.furniture = furniture
        self._focus = focus
        self._has_keys = has_keys
        self._has_page = has_page
        self._awaited = False
        self._turn = 0
        self._arranged: Arrangement | None = None
        self._size = (0, 0)
        self._titles: dict[Left, tuple[Word, ...]] = {"versions": ((" Versions", "strong"),)}
        self.at: Pane = "list"
        self.left: Left = "files"
        self.alone = False

    # -- arranging ---------------------------------------------------------------------------------------

    def resized(self, width: int, height: int) -> None:
        """The screen has another size."""
        self._size = (width, height)
        self.arrange()

    def arrange(self) -> None:
        """Shows the panes that the screen has room for."""
        width, height = self._size
        if not width or not height:
            return
        now = arrange(width, height, self.at, alone=self.alone)
        things, has_page = self.furniture, self._has_page()
        for kind in ("files", "hits", "versions"):
            _fit(things.rows(kind), now.list_width if kind == self.left else 0)
        _fit(things.outline, now.outline_width)
        things.page.display = now.document and has_page
        things.start.display = now.document and not has_page
        things.titles.display = now.titles
        things.keys.display = now.keys
        things.titles.say("list", self._titles.get(self.left, ()))
        things.titles.stand(now, self.at)
        self._arranged = now

    @property
    def shows_page(self) -> bool:
        """Whether the page is on the screen."""
        return self._arranged is None or self._arranged.document

    def title(self, kind: Left, words: Sequence[Word]) -> None:
        """What stands above a list while it is shown."""
        self._titles[kind] = tuple(words)
        if kind == self.left:
            self.furniture.titles.say("list", words)

    # -- going -------------------------------------------------------------------------------------------

    def go(self, pane: Pane) -> None:
        """Gives a pane the keys, and shows it where it was not shown; the page as soon as there is one."""
        self._turn += 1
        self._awaited = pane == "document" and not self._has_page()
        if self._awaited:
            return
        self.at = pane
        self.arrange()
        self._focus(self.target(pane))

    def promise(self) -> Callable[[Callable[[], None]], None]:
        """For what takes a while and then gives a pane the keys: does so unless the person went elsewhere."""
        turn = self._turn

        def keep(going: Callable[[], None]) -> None:
            if turn == self._turn:
                going()

        return keep

    def page_came(self) -> None:
        """There is a page now."""
        if self._awaited:
            self.go("document")
        else:
            self.arrange()

    def target(self, pane: Pane) -> Widget:
        """The widget of a pane that takes the keys."""
        things = self.furniture
        targets: dict[Pane, Widget] = {
            "list": things.rows(self.left),
            "document": things.page,
            "outline": things.outline,
        }
        return targets[pane]

    def show_left(self, kind: Left, *, go: bool = True) -> None:
        """Shows another list at the left."""
        self.left = kind
        if go:
            self.alone = False
            self.go("list")
        else:
            self.arrange()

    @property
    def typing(self) -> bool:
        """Whether a line to type in has the keys."""
        return self._has_keys() in (self.furniture.search, self.furniture.find)

    @property
    def finding_in_page(self) -> bool:
        """Whether the line for words in the page has the keys."""
        return self._has_keys() is self.furniture.find

    def find_in_page(self) -> None:
        """Goes to the line for words in the page, which takes the search line's place."""
        self._turn += 1
        self._awaited = False
        self.at = "document"
        self.furniture.search.display = False
        self.furniture.find.display = True
        self.arrange()
        self._focus(self.furniture.find)

    def leave_page_finding(self) -> None:
        """Gives the search line its place back, and the page the keys."""
        self.furniture.find.display = False
        self.furniture.search.display = True
        self.go("document")

    def search(self) -> None:
        """Goes to the search line, with the old words selected."""
        self._turn += 1
        self._awaited = False
        self.at = "list"
        self.alone = False
        self.furniture.find.display = False
        self.furniture.search.display = True
        self.arrange()
        self._focus(self.furniture.search)

    def step(self, by: int) -> None:
        """Goes to the pane after or before this one."""
        panes = [pane for pane in PANES if pane != "document" or self._has_page()]
        at = panes.index(self.at) if self.at in panes else 0
        if self.typing:
            at = panes.index("list") - (1 if by > 0 else 0)
        self.go(panes[(at + by) % len(panes)])

    def focused(self, widget: Widget | None) -> None:
        """The keys went to a widget, by whatever way (a click)."""
        things = self.furniture
        if widget in (things.page, things.find):
            self.at = "document"
        elif widget is things.outline:
            self.at = "outline"
        elif widget is not None:
            self.at = "list"
        things.keys.at(
            "search"
            if widget in (things.search, things.find)
            else "document"
            if widget is things.page
            else "list"
        )
        self.arrange()


def _fit(pane: Widget, width: int) -> None:
    """Shows a pane in so many cells: 0 hides it, -1 gives it all there are."""
    pane.display = width != 0
    if width:
        pane.styles.width = "1fr" if width < 0 else width
