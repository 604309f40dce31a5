"""The main screen: search line, list, page, outline, status."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol, cast

from textual.binding import Binding, BindingsMap
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from stonebrowse.tui.actions import split_keys
from stonebrowse.tui.desk import Desk, Furniture
from stonebrowse.tui.files import Files
from stonebrowse.tui.finding import Finding
from stonebrowse.tui.hits import Hits
from stonebrowse.tui.lanes import Lane
from stonebrowse.tui.linking import Linking
from stonebrowse.tui.live import POLL_SECONDS, Live, News
from stonebrowse.tui.moving import Moving
from stonebrowse.tui.opening import Opening
from stonebrowse.tui.outline import Outline
from stonebrowse.tui.page import Page
from stonebrowse.tui.renewing import Renewing
from stonebrowse.tui.rows import Rows  # noqa: TC001 - Textual reads the handlers' annotations
from stonebrowse.tui.screens.help import HelpScreen
from stonebrowse.tui.screens.palette import PaletteScreen
from stonebrowse.tui.search_line import Line
from stonebrowse.tui.sending import Chosen, Sending, Terminal
from stonebrowse.tui.sheet import Sheet
from stonebrowse.tui.status import KeyLine, Notice, OneLine, PaneTitle, StatusLine
from stonebrowse.tui.telling import Telling
from stonebrowse.tui.versions import Versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult

    from stonebrowse.errors import StonebrowseError
    from stonebrowse.library.library import Library
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document
    from stonebrowse.store import File, Version
    from stonebrowse.tui.actions import Action
    from stonebrowse.tui.choices import Choice

NARROW_TOP = 60
WHILE_TYPING = frozenset(
    {"search", "close", "down", "up", "page_down", "page_up", "next_pane", "previous_pane", "palette", "help"}
)


class Host(Terminal, Protocol):
    """What the main screen asks of the app."""

    theme_names: Sequence[str]

    def use_theme(self, name: str) -> None:
        """Shows everything in another theme."""

    def name_window(self, text: str) -> None:
        """Gives the terminal's window a title."""

    def free_mouse(self) -> bool:
        """Leaves the mouse to the terminal or takes it back; says whether it is free now."""


class MainScreen(Screen[None]):
    """Composes the widgets and hands on what happens to them."""

    AUTO_FOCUS = None
    ALLOW_SELECT = False

    def __init__(
        self,
        library: Library,
        actions: Sequence[Action],
        *,
        at: str | None = None,
        faults: Sequence[str] = (),
    ) -> None:
        """Made for an opened library.

        Args:
            library: what is browsed.
            actions: every action with its keys.
            at: what to open first.
            faults: what was wrong in settings and themes; said once.
        """
        super().__init__()
        self._library = library
        self._actions = actions
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
        settings = self._library.settings.reader
        with Horizontal(id="top"):
            yield OneLine(id="prompt")
            yield Line(id="search")
            yield OneLine(id="count")
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield PaneTitle(id="left-title")
                yield Files(id="files")
                yield Hits(id="hits")
                yield Versions(id="versions")
            with Vertical(id="middle"):
                yield Sheet((), id="start")
                yield Page(id="page", text_width=settings.width)
            with Vertical(id="right"):
                yield PaneTitle(id="right-title")
                yield Outline(id="outline")
        yield Notice(id="notice")
        with Vertical(id="bottom"):
            yield StatusLine(id="status")
            yield KeyLine(self._actions, id="keys")

    def on_mount(self) -> None:
        """Puts the parts together, and begins to watch the library."""
        one = self.query_one
        self.furniture = Furniture(
            search=one("#search", Line),
            left=one("#left"),
            left_title=one("#left-title", PaneTitle),
            files=one(Files),
            hits=one(Hits),
            versions=one(Versions),
            middle=one("#middle"),
            start=one("#start"),
            page=one(Page),
            right=one("#right"),
            right_title=one("#right-title", PaneTitle),
            outline=one(Outline),
            keys=one(KeyLine),
        )
        self._put_together(cast("Host", self.app))
        self.furniture.page.raw = self._library.settings.reader.raw
        self.furniture.right_title.say([(" Outline", "strong")])
        self.renewing.say()
        self.desk.resized(*self.app.size)
        self.desk.go("list")
        self.run_worker(self._watch, thread=True, group="live", name="live")
        if self._faults:
            self.notice.tell("Something in your settings is wrong:", self._faults, warning=True)

    def _put_together(self, host: Host) -> None:
        library, self.notice = self._library, self.query_one(Notice)
        lanes = {name: Lane(self, name, self._failed) for name in ("search", "page", "tree", "other")}
        self.desk = Desk(
            self.furniture,
            has_page=lambda: self.opening.document is not None,
            focus=lambda widget: self.set_focus(widget, scroll_visible=False),
            has_keys=lambda: self.focused,
        )
        self.opening = Opening(library, self.furniture.page, lanes["page"], self._page_shown)
        self.telling = Telling(
            self.desk, self.opening, self.query_one(StatusLine), host.name_window, self.set_timer
        )
        self.finding = Finding(
            library,
            lanes["search"],
            self.desk,
            self.opening,
            self.query_one("#count", OneLine),
            self.set_timer,
            self.call_after_refresh,
        )
        self.moving = Moving(self.desk, self.opening, lanes["other"], self._moved)
        self.sending = Sending(library, host, self.notice, lanes["other"], self.chosen)
        self.linking = Linking(
            self.furniture.page,
            self.opening,
            lanes["other"],
            self.sending,
            self.notice,
            lambda: self.furniture.files.folders.by_path,
        )
        self.renewing = Renewing(
            library,
            self.desk,
            self.opening,
            self.finding,
            self.telling,
            self.notice,
            self.query_one("#start", Sheet),
            lanes["tree"],
            at=self._at,
        )
        self._lanes = lanes
        self._host = host
        self._acts = self._all_acts()

    def _page_shown(self) -> None:
        self.telling.page()
        document = self.opening.document
        if document is not None:
            self.furniture.files.show_here(document.file.path)

    def _all_acts(self) -> dict[str, Callable[[int], None]]:
        return {
            **self.moving.acts(),
            **self.sending.acts(),
            "search": lambda _: self.desk.search(),
            "next_hit": lambda count: self.finding.step(max(1, count)),
            "previous_hit": lambda count: self.finding.step(-max(1, count)),
            "open": self._open,
            "files": lambda _: self._files(),
            "outline": lambda _: self.desk.go("outline" if self.desk.at != "outline" else "document"),
            "versions": lambda _: self._versions(),
            "next_pane": lambda _: self.desk.step(1),
            "previous_pane": lambda _: self.desk.step(-1),
            "alone": lambda _: self._alone(),
            "links": lambda _: self.linking.number(),
            "back": lambda _: self._back(there=self.opening.back()),
            "forward": lambda _: self._back(there=self.opening.forward()),
            "raw": lambda _: self.furniture.page.action_toggle_raw(),
            "palette": lambda _: self._palette(),
            "help": lambda _: self._help(),
            "mouse": lambda _: self._mouse(),
            "close": lambda _: self._close_something(),
            "quit": lambda _: self.app.exit(0),
        }

    # -- the library -------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """In a thread of its own: starts the keeper, and tells what is new."""
        live = Live(self._library, self._tell)
        live.look()
        self._library.ensure_keeper()
        while not self._stop.wait(POLL_SECONDS):
            live.look()

    def _tell(self, news: News) -> None:
        self.call_later(self.renewing.news, news)

    def on_unmount(self) -> None:
        """Ends the thread."""
        self._stop.set()

    def _failed(self, error: StonebrowseError) -> None:
        self.notice.tell(error.message, warning=True)

    # -- keys --------------------------------------------------------------------------------------------

    def on_key(self) -> None:
        """Any key takes the notice away."""
        self.notice.clear()

    def action_digit(self, digit: str) -> None:
        """A digit of the number before a key."""
        self.notice.clear()
        self._typed(self._count + digit)

    def _typed(self, count: str) -> None:
        self._count = count[:9]
        if self._count and self.linking.numbered and self.linking.sure(self._count):
            number, self._count = int(self._count), ""
            self.linking.choose(number)
        self.telling.count = self._count
        self.telling.place()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the search line most keys are the line's own; no number begins with a nought."""
        if not self._acts:
            return False
        if action == "digit":
            return bool(self._count) or parameters[0] != "0"
        return action != "act" or not self.desk.typing or parameters[0] in WHILE_TYPING

    def action_act(self, name: str) -> None:
        """Does what an action of the list is."""
        self.notice.clear()
        count = int(self._count or 0)
        if self._count:
            self._typed("")
        self._acts[name](count)

    def _open(self, count: int) -> None:
        if self.linking.numbered and count:
            self.linking.choose(count)
        elif (target := self.desk.target(self.desk.at)) is not self.furniture.page:
            cast("Rows", target).choose()

    def _close_something(self) -> None:
        """Escape: closes the uppermost thing that is open, or goes one pane back. Never quits."""
        desk, things = self.desk, self.furniture
        if self.linking.numbered:
            self.linking.hide()
        elif desk.typing:
            if desk.left == "hits" and not things.hits.count():
                desk.show_left("files", go=False)
            desk.go("list")
        elif desk.alone:
            desk.alone = False
            desk.arrange()
        elif desk.at == "outline":
            desk.go("document")
        elif desk.at == "document":
            desk.go("list")
        elif desk.left == "versions" and things.hits.count() and self.finding.found is not None:
            desk.show_left("hits")
        elif desk.left != "files":
            desk.show_left("files")

    def _files(self) -> None:
        to_hits = self.desk.left == "files" and self.desk.at == "list" and self.furniture.hits.count()
        self.desk.show_left("hits" if to_hits else "files")

    def _alone(self) -> None:
        self.desk.alone = not self.desk.alone
        self.desk.go("document" if self.desk.alone else self.desk.at)

    def _back(self, *, there: bool) -> None:
        if there:
            self.desk.go("document")
        else:
            self.notice.tell("There is nowhere to go back or forward to")

    def _mouse(self) -> None:
        free = self._host.free_mouse()
        self.notice.tell(
            "The mouse is the terminal's: select and copy with it" if free else "The mouse is the browser's"
        )

    def _help(self) -> None:
        self.app.push_screen(HelpScreen(self._actions))

    def _versions(self) -> None:
        document = self.opening.document
        if document is None:
            return
        file, number = document.file, document.version.number
        keep = self.desk.promise()

        def shown(versions: Sequence[Version]) -> None:
            self.furniture.versions.show(file, versions, number)
            keep(lambda: self.desk.show_left("versions"))

        self._lanes["other"].ask(lambda: self._library.versions(file), shown)

    def _palette(self) -> None:
        screen = PaletteScreen(self._actions, self.renewing.paths, self._host.theme_names)
        self.app.push_screen(screen, self._chose)

    def _chose(self, choice: Choice | None) -> None:
        if choice is None:
            return
        if choice.kind == "line":
            self.moving.to_line(int(choice.value))
        elif choice.kind == "action":
            self.action_act(choice.value)
        elif choice.kind == "theme":
            self._host.use_theme(choice.value)
        elif choice.kind == "file" and (file := self.furniture.files.folders.by_path.get(choice.value)):
            self.opening.open_file(file)
            self.desk.go("document")
        else:
            keep = self.desk.promise()

            def arrived(notice: str) -> None:
                keep(lambda: self.desk.go("document"))
                if notice:
                    self.notice.tell(notice, warning=True)

            self.opening.open_reference(choice.value, arrived, self._failed)

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
        """The search line."""
        self.finding.typed(event.value)

    def on_input_submitted(self, event: Line.Submitted) -> None:
        """Enter in the search line."""
        self.finding.submitted(event.value)

    def on_hits_more_wanted(self) -> None:
        """The cursor nears the end of the hits."""
        self.finding.asking.more()

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """A click moved the cursor in a list."""
        self._moved(event.rows)

    def _moved(self, rows: Rows) -> None:
        """The cursor moved in a list: the page follows, in the same frame."""
        things = self.furniture
        if not self.desk.shows_page:
            self.finding.name_hits()
            self.telling.place()
        elif rows is things.hits:
            self.finding.glance()
        elif rows is things.files and things.files.file is not None:
            self.opening.glance_at_file(things.files.file)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Something in a list was chosen: the keys go to the page."""
        things, opening = self.furniture, self.opening
        if event.rows is things.hits and things.hits.hit is not None:
            opening.glance(things.hits.hit)
        elif event.rows is things.files and things.files.file is not None:
            opening.choose_file(things.files.file)
        elif event.rows is things.versions and things.versions.file and things.versions.version:
            opening.open_version(things.versions.file, things.versions.version.number)
        elif event.rows is things.outline and things.outline.section is not None:
            opening.go_to(things.outline.section.start)
        opening.settle()
        self.desk.go("document")

    def on_document_view_place_changed(self) -> None:
        """Another place of the page is read."""
        if self.linking.numbered and not self.furniture.page.hinted:
            self.linking.hide()
        self.telling.place()

    def on_document_view_link_chosen(self, event: Page.LinkChosen) -> None:
        """A click on a link."""
        self.linking.follow(event.target)

    def chosen(self) -> Chosen | None:
        """What the person is at: the hit or file under the cursor, else where the page is read."""
        things, document = self.furniture, self.opening.document
        if self.desk.at == "list" and self.desk.left == "hits" and (hit := things.hits.hit) is not None:
            return lambda: (hit.document, hit)
        file = things.files.file if self.desk.at == "list" and self.desk.left == "files" else None
        if file is not None and (document is None or document.file.file_id != file.file_id):
            return lambda: self._beginning(file)
        if document is None:
            return None
        offset = min(things.page.place().offset, document.size)
        return lambda: (document, document.passage_at(offset))

    def _beginning(self, file: File) -> tuple[Document, PassageView | None]:
        document = self._library.document(self._library.find_version(file, None), file)
        return document, document.passage_at(0)
