"""The main screen: search line, list, page, outline, status."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, cast

from textual.binding import Binding, BindingsMap
from textual.containers import Horizontal
from textual.screen import Screen

from stonebrowse.tui.actions import NOT_IN_A_PAGE, split_keys
from stonebrowse.tui.desk import Desk, Furniture
from stonebrowse.tui.directing import Cursor, Directing, Host
from stonebrowse.tui.files import Files
from stonebrowse.tui.finding import Finding
from stonebrowse.tui.hits import Hits
from stonebrowse.tui.knowing import Knowing
from stonebrowse.tui.lanes import Lane
from stonebrowse.tui.linking import Linking
from stonebrowse.tui.live import POLL_SECONDS, Live, News
from stonebrowse.tui.marking import Marking
from stonebrowse.tui.moving import Moving
from stonebrowse.tui.opening import Opening
from stonebrowse.tui.outline import Outline
from stonebrowse.tui.page import Page
from stonebrowse.tui.page_finding import PageFinding
from stonebrowse.tui.recalling import Recalling
from stonebrowse.tui.renewing import Renewing
from stonebrowse.tui.restoring import Restoring
from stonebrowse.tui.rows import Rows  # noqa: TC001 - Textual reads the handlers' annotations
from stonebrowse.tui.search_line import Line
from stonebrowse.tui.sending import Sending, Terminal
from stonebrowse.tui.sheet import Sheet
from stonebrowse.tui.status import KeyLine, Notice, OneLine, StatusLine
from stonebrowse.tui.telling import Telling
from stonebrowse.tui.theme_choosing import Painter, ThemeChoosing
from stonebrowse.tui.titles import Titles
from stonebrowse.tui.versions import Versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult

    from stonebrowse.errors import StonebrowseError
    from stonebrowse.library.library import Library
    from stonebrowse.tui.actions import Action

NARROW_TOP = 60
LANGUAGE = 'words  "a phrase"  begin*  -without  a OR b  heading:x  path:x  tag:x'
LONGEST_NUMBER = 9
# Actions whose keys are not the search line's own.
WHILE_TYPING = frozenset(
    {"search", "close", "down", "up", "page_down", "page_up", "next_pane", "previous_pane", "palette", "help"}
) | {"earlier_query", "later_query"}


class Around(Host, Terminal, Painter, Protocol):
    """What the main screen asks of the app.

    Attributes:
        leaving: called when the browser ends; gives the thread that still writes.
    """

    leaving: Callable[[], threading.Thread | None]

    def name_window(self, text: str) -> None:
        """Gives the terminal's window a title."""


class MainScreen(Screen[None]):
    """Composes the widgets, puts the parts together, and hands on what happens."""

    CSS_PATH = "../browser.tcss"
    AUTO_FOCUS = None
    ALLOW_SELECT = False

    def __init__(
        self,
        library: Library,
        actions: Sequence[Action],
        *,
        at: str | None = None,
        faults: Sequence[str] = (),
        served: bool = False,
    ) -> None:
        """Made for an opened library.

        Args:
            library: what is browsed.
            actions: every action with its keys.
            at: what to open first.
            faults: what was wrong in settings and themes; said once.
            served: it is shown in a web page: local actions are not done.
        """
        super().__init__()
        self._library = library
        self._actions = [action for action in actions if not (served and action.local)]
        self._refused = {action.name for action in actions} - {action.name for action in self._actions}
        self._served = served
        self._at = at
        self._faults = faults
        self._count = ""
        self._stop = threading.Event()
        self._acts: dict[str, Callable[[int], None]] = {}
        # With priority: each is done before the next key is looked at, so that none goes astray.
        self._bindings = BindingsMap(
            Binding(",".join(split_keys(action.keys)), f"act('{action.name}')", show=False, priority=True)
            for action in actions
            if split_keys(action.keys)
        )
        for digit in "0123456789":
            if digit not in self._bindings.key_to_bindings:
                self._bindings.bind(digit, f"digit('{digit}')", priority=True)

    def compose(self) -> ComposeResult:
        """Everything there is; what is shown depends on the room."""
        with Horizontal(id="top"):
            yield OneLine(id="prompt")
            yield Line(id="search", placeholder=LANGUAGE)
            yield Line(id="find", placeholder="words in this page")
            yield OneLine(id="count")
        yield Titles(id="titles")
        with Horizontal(id="panes"):
            yield Files(id="files")
            yield Hits(id="hits")
            yield Versions(id="versions")
            yield Sheet((), id="start")
            yield Page(id="page", text_width=self._library.settings.reader.width)
            yield Outline(id="outline")
        yield StatusLine(id="status")
        yield KeyLine(self._actions, id="keys")
        yield Notice(id="notice")

    def on_mount(self) -> None:
        """Puts the parts together, and begins to watch the library."""
        self._put_together(cast("Around", self.app))
        self.furniture.page.raw = self._library.settings.reader.raw
        self.furniture.titles.say("outline", [(" Outline", "strong")])
        self.renewing.say()
        self.desk.resized(*self.app.size)
        self.desk.go("list")
        self.run_worker(self._watch, thread=True, group="live", name="live")
        if self._faults:
            self.notice.tell("Something in your settings is wrong:", self._faults, warning=True)

    def _furnished(self) -> Furniture:
        one = self.query_one
        return Furniture(
            search=one("#search", Line),
            find=one("#find", Line),
            titles=one(Titles),
            files=one(Files),
            hits=one(Hits),
            versions=one(Versions),
            start=one("#start"),
            page=one(Page),
            outline=one(Outline),
            keys=one(KeyLine),
        )

    def _put_together(self, around: Around) -> None:
        one, library = self.query_one, self._library
        things, notice = self._furnished(), one(Notice)
        self.furniture, self.notice = things, notice
        lanes = {
            name: Lane(self, name, self._failed)
            for name in ("search", "page", "tree", "find", "other", "restore", "queries", "review")
        }
        other, self.lanes = lanes["other"], lanes
        desk = self.desk = Desk(
            things,
            has_page=lambda: self.opening.document is not None,
            focus=lambda widget: self.set_focus(widget, scroll_visible=False),
            has_keys=lambda: self.focused,
        )
        opening = self.opening = Opening(library, things.page, lanes["page"], self._page_shown)
        telling = self.telling = Telling(desk, opening, one(StatusLine), around.name_window, self.set_timer)
        finding = self.finding = Finding(
            library, lanes["search"], desk, opening, one("#count", OneLine), self.set_timer, telling.place
        )
        self.page_finding = PageFinding(desk, opening, lanes["find"], telling.place, self._say_found)
        cursor = self.cursor_place = Cursor(library, desk, opening, finding, telling)
        moving = Moving(desk, opening, other, cursor.moved, telling.place)
        self.sending = Sending(library, around, notice, other, cursor.chosen)
        self.linking = Linking(
            things.page, opening, other, self.sending, notice, lambda: things.files.folders.by_path
        )
        marking = Marking(self.app, library, other, desk=desk, opening=opening, notice=notice)
        knowing = Knowing(self.app, library, other, desk=desk, opening=opening, notice=notice)
        recalling = Recalling(library, lanes["queries"], desk, finding, notice, kept=not self._served)
        restoring = Restoring(
            library,
            desk,
            opening,
            finding,
            lanes["restore"],
            kept=library.settings.restore and not self._served,
        )
        around.leaving = restoring.keep
        self.renewing = Renewing(
            library,
            desk,
            opening,
            finding,
            telling,
            notice,
            one("#start", Sheet),
            lanes["tree"],
            at=self._at,
            restoring=restoring,
        )
        self._acts = {
            **moving.acts(),
            **self.sending.acts(),
            **marking.acts(),
            **knowing.acts(),
            **ThemeChoosing(self.app, around, other, notice).acts(),
            **recalling.acts(),
            **self._directing(around, moving).acts(self.action_act),
        }

    def _directing(self, around: Around, moving: Moving) -> Directing:
        return Directing(
            self.app,
            around,
            self._library,
            self._actions,
            self.lanes["other"],
            self.lanes["review"],
            desk=self.desk,
            opening=self.opening,
            finding=self.finding,
            page_finding=self.page_finding,
            moving=moving,
            linking=self.linking,
            sending=self.sending,
            renewing=self.renewing,
            cursor=self.cursor_place,
            notice=self.notice,
            served=self._served,
        )

    def _say_found(self, count: str) -> None:
        """How many matches there are in the page, beside the line that they were asked for in."""
        self.telling.found = count
        self.telling.place()

    def _page_shown(self) -> None:
        self.telling.page()
        self.page_finding.page_shown()
        document = self.opening.document
        if document is not None:
            self.furniture.files.show_here(document.file.path)

    def _failed(self, error: StonebrowseError) -> None:
        self.notice.tell(error.message, warning=True)

    # -- the library -------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """In a thread of its own: starts the keeper, and tells what is new."""
        live = Live(self._library, self._tell)
        live.look()
        try:
            self._library.ensure_keeper()
        except OSError as error:
            self._tell(News(trouble=f"changes are not noticed: no process can be started ({error.strerror})"))
        while not self._stop.wait(POLL_SECONDS):
            live.look()

    def _tell(self, news: News) -> None:
        self.call_later(self.renewing.news, news)

    def on_unmount(self) -> None:
        """Ends the thread."""
        self._stop.set()

    # -- keys --------------------------------------------------------------------------------------------

    def on_key(self) -> None:
        """Any key takes the notice away."""
        self.notice.clear()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the search line most keys are the line's own; no number begins with a nought."""
        if not self._acts:
            return False
        if action == "digit":
            return bool(self._count) or parameters[0] != "0"
        return action != "act" or not self.desk.typing or parameters[0] in WHILE_TYPING

    def action_digit(self, digit: str) -> None:
        """A digit of the number before a key."""
        self.notice.clear()
        self._typed((self._count + digit)[:LONGEST_NUMBER])

    def action_act(self, name: str) -> None:
        """Does what an action of the list is."""
        self.notice.clear()
        count = int(self._count or 0)
        if self._count:
            self._typed("")
        if name in self._refused:
            self.notice.tell(NOT_IN_A_PAGE, warning=True)
            return
        self._acts[name](count)

    def _typed(self, count: str) -> None:
        self._count = count
        if count and self.linking.numbered and self.linking.sure(count):
            self._count = ""
            self.linking.choose(int(count))
        self.telling.count = self._count
        self.telling.place()

    # -- what happens to the widgets ---------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Another size: other panes."""
        narrow = event.size.width < NARROW_TOP
        self.query_one("#top").set_class(narrow, "-narrow")
        self.query_one("#prompt", OneLine).say([(" › " if narrow else " Search", "strong")])
        self.desk.resized(event.size.width, event.size.height)
        self.telling.place()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The keys went to another widget."""
        self.desk.focused(event.widget)
        self.telling.place()

    def on_input_changed(self, event: Line.Changed) -> None:
        """The search line, or the one for words in the page."""
        if event.input is self.furniture.find:
            self.page_finding.typed(event.value)
        else:
            self.finding.typed(event.value)

    def on_input_submitted(self, event: Line.Submitted) -> None:
        """Enter in the search line, or in the one for words in the page."""
        if event.input is self.furniture.find:
            self.page_finding.submitted()
        else:
            self.finding.submitted(event.value)

    def on_hits_more_wanted(self) -> None:
        """The cursor nears the end of the hits."""
        self.finding.asking.more()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """A click moved the cursor in a list."""
        self.cursor_place.moved(event.rows)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """A second click chose what is under the cursor."""
        self.cursor_place.chosen_row(event.rows)

    def on_document_view_place_changed(self) -> None:
        """Another place of the page is read."""
        if self.linking.numbered and not self.furniture.page.hinted:
            self.linking.hide()
        self.telling.place()

    def on_document_view_link_chosen(self, event: Page.LinkChosen) -> None:
        """A click on a link."""
        self.linking.follow(event.target)
