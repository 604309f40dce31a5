"""What is under the cursor, and the actions about panes, pages and the browser itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from stonebrowse.tui.actions import NOT_IN_A_PAGE
from stonebrowse.tui.comparing import Comparing
from stonebrowse.tui.narrowing import narrowed
from stonebrowse.tui.rows import Rows
from stonebrowse.tui.screens.asking import AskScreen
from stonebrowse.tui.screens.help import HelpScreen
from stonebrowse.tui.screens.palette import PaletteScreen
from stonebrowse.tui.screens.tray import TrayScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import App

    from stonebrowse.errors import StonebrowseError
    from stonebrowse.library.asking import Conversation
    from stonebrowse.library.engraving import Engraved
    from stonebrowse.library.library import Library
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document
    from stonebrowse.store import File, TrayItem, Version
    from stonebrowse.tui.actions import Action
    from stonebrowse.tui.choices import Choice
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.finding import Finding
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.linking import Linking
    from stonebrowse.tui.moving import Moving
    from stonebrowse.tui.opening import Opening
    from stonebrowse.tui.page_finding import PageFinding
    from stonebrowse.tui.renewing import Renewing
    from stonebrowse.tui.screens.asking import Done as Asked
    from stonebrowse.tui.screens.tray import Done
    from stonebrowse.tui.sending import Chosen, Sending
    from stonebrowse.tui.status import Notice
    from stonebrowse.tui.telling import Telling


class Host(Protocol):
    """What is asked of the app."""

    theme_names: Sequence[str]

    def use_theme(self, name: str) -> None:
        """Shows everything in another theme."""

    def free_mouse(self) -> bool:
        """Leaves the mouse to the terminal or takes it back; says whether it is free now."""


class Cursor:
    """Where the person is: the row or the place that actions are about."""

    def __init__(
        self, library: Library, desk: Desk, opening: Opening, finding: Finding, telling: Telling
    ) -> None:
        """Made of what has a cursor, and of what follows it."""
        self._library = library
        self._desk = desk
        self._opening = opening
        self._finding = finding
        self._telling = telling

    def moved(self, rows: Rows) -> None:
        """The cursor of a list moved: the page follows, in the same frame."""
        things = self._desk.furniture
        if not self._desk.shows_page:
            self._finding.name_hits()
            self._telling.place()
        elif rows is things.hits:
            self._finding.glance()
        elif rows is things.files and things.files.file is not None:
            self._opening.glance_at_file(things.files.file)

    def chosen_row(self, rows: Rows) -> None:
        """What is under a list's cursor was chosen: it is opened, and the page gets the keys."""
        things, opening = self._desk.furniture, self._opening
        if rows is things.hits and things.hits.hit is not None:
            self._finding.finished(self._finding.asking.query)
            opening.glance(things.hits.hit)
        elif rows is things.files and things.files.file is not None:
            opening.choose_file(things.files.file)
        elif rows is things.versions and things.versions.file and things.versions.version:
            opening.open_version(things.versions.file, things.versions.version.number)
        elif rows is things.outline and things.outline.section is not None:
            opening.go_to(things.outline.section.start)
        elif rows is things.hits and (offer := things.hits.offer) is not None:
            if offer.hit is None:
                self._finding.take(offer.query)
                return
            opening.glance(offer.hit)
        else:
            return
        opening.settle()
        self._desk.go("document")

    def chosen(self) -> Chosen | None:
        """What an action is about: the hit or file under the cursor, else where the page is read."""
        things, document = self._desk.furniture, self._opening.document
        left = self._desk.left if self._desk.at == "list" else None
        if left == "hits" and (hit := things.hits.hit) is not None:
            return lambda: (hit.document, hit)
        file = things.files.file if left == "files" else None
        if file is not None and (document is None or document.file.file_id != file.file_id):
            return lambda: self._beginning(file)
        if document is None:
            return None
        offset = min(things.page.place().offset, document.size)
        return lambda: (document, document.passage_at(offset))

    @property
    def path(self) -> str:
        """The path that an action is about: of the hit or file under the cursor, else of the page; or empty."""
        things, document = self._desk.furniture, self._opening.document
        left = self._desk.left if self._desk.at == "list" else None
        if left == "hits" and things.hits.hit is not None:
            return things.hits.hit.path
        if left == "files" and things.files.file is not None:
            return things.files.file.path
        return "" if document is None else document.file.path

    def _beginning(self, file: File) -> tuple[Document, PassageView | None]:
        document = self._library.document(self._library.find_version(file, None), file)
        return document, document.passage_at(0)


class Directing:
    """The actions of the groups "Search", "Panes", "Page" and "Browser"."""

    def __init__(
        self,
        app: App[int],
        host: Host,
        library: Library,
        actions: Sequence[Action],
        lane: Lane,
        reviewing: Lane,
        *,
        desk: Desk,
        opening: Opening,
        finding: Finding,
        page_finding: PageFinding,
        moving: Moving,
        linking: Linking,
        sending: Sending,
        renewing: Renewing,
        cursor: Cursor,
        notice: Notice,
        served: bool,
    ) -> None:
        """Made of all that is directed; `served` says that it is shown in a web page."""
        self._served = served
        self._app = app
        self._host = host
        self._library = library
        self._actions = actions
        self._lane = lane
        self._desk = desk
        self._opening = opening
        self._finding = finding
        self._page_finding = page_finding
        self._moving = moving
        self._linking = linking
        self._sending = sending
        self._renewing = renewing
        self._cursor = cursor
        self._notice = notice
        self._act: Callable[[str], None] = lambda _name: None
        self._conversation: Conversation | None = None
        self._comparing = Comparing(app, library, reviewing, notice, self._open_reference)

    def acts(self, act: Callable[[str], None]) -> dict[str, Callable[[int], None]]:
        """What each action does, given the number that was typed before it; `act` does one by its name."""
        self._act = act
        desk = self._desk
        return {
            "search": lambda _: desk.search(),
            "find": lambda _: self._page_finding.begin(),
            "narrow": lambda _: self._narrow(),
            "next_hit": lambda count: self._step(max(1, count)),
            "previous_hit": lambda count: self._step(-max(1, count)),
            "open": self._open,
            "files": lambda _: self._files(),
            "outline": lambda _: desk.go("outline" if desk.at != "outline" else "document"),
            "versions": lambda _: self._versions(),
            "next_pane": lambda _: desk.step(1),
            "previous_pane": lambda _: desk.step(-1),
            "alone": lambda _: self._alone(),
            "links": lambda _: self._linking.number(),
            "back": lambda _: self._went(there=self._opening.back()),
            "forward": lambda _: self._went(there=self._opening.forward()),
            "raw": lambda _: desk.furniture.page.action_toggle_raw(),
            "tray": lambda _: self._tray(),
            "ask": lambda _: self._ask(),
            "review": lambda _: self._comparing.review(),
            "compare": lambda _: self._compare(),
            "palette": lambda _: self._palette(),
            "help": lambda _: self._help(),
            "mouse": lambda _: self._mouse(),
            "close": lambda _: self._close(),
            "quit": lambda _: self._app.exit(0),
        }

    def _open(self, count: int) -> None:
        target = self._desk.target(self._desk.at)
        if self._linking.numbered and count:
            self._linking.choose(count)
        elif isinstance(target, Rows) and target.choose():
            self._cursor.chosen_row(target)

    def _close(self) -> None:
        """Closes the uppermost thing that is open, or goes one pane back. Never quits."""
        desk, things = self._desk, self._desk.furniture
        if self._linking.numbered:
            self._linking.hide()
        elif desk.finding_in_page or (desk.at == "document" and self._page_finding.active):
            self._page_finding.close()
        elif desk.typing:
            if desk.left == "hits" and not things.hits.hits:
                desk.show_left("files", go=False)
            desk.go("list")
        elif desk.alone:
            desk.alone = False
            desk.arrange()
        elif desk.at == "outline":
            desk.go("document")
        elif desk.at == "document":
            desk.go("list")
        elif desk.left == "versions" and things.hits.count() and self._finding.found is not None:
            desk.show_left("hits")
        elif desk.left != "files":
            desk.show_left("files")

    def _step(self, by: int) -> None:
        if self._page_finding.active and self._desk.at == "document":
            self._page_finding.step(by)
        else:
            self._finding.step(by)

    def _narrow(self) -> None:
        query = narrowed(self._desk.furniture.search.value, self._cursor.path)
        self._finding.put(query)
        if query:
            self._finding.finished(query)
            self._desk.show_left("hits")

    def _files(self) -> None:
        desk = self._desk
        to_hits = desk.left == "files" and desk.at == "list" and desk.furniture.hits.count()
        desk.show_left("hits" if to_hits else "files")

    def _alone(self) -> None:
        self._desk.alone = not self._desk.alone
        self._desk.go("document" if self._desk.alone else self._desk.at)

    def _went(self, *, there: bool) -> None:
        if there:
            self._desk.go("document")
        else:
            self._notice.tell("There is nowhere to go back or forward to")

    def _mouse(self) -> None:
        if self._host.free_mouse():
            self._notice.tell("The mouse is the terminal's now: select and copy with it")
        else:
            self._notice.tell("The mouse is the browser's again")

    def _help(self) -> None:
        self._app.push_screen(HelpScreen(self._actions))

    def _versions(self) -> None:
        document = self._opening.document
        if document is None:
            return
        file, number = document.file, document.version.number
        keep = self._desk.promise()

        def shown(versions: Sequence[Version]) -> None:
            self._desk.furniture.versions.show(file, versions, number)
            keep(lambda: self._desk.show_left("versions"))

        self._lane.ask(lambda: self._library.versions(file), shown)

    def _palette(self) -> None:
        screen = PaletteScreen(self._actions, self._renewing.paths, self._host.theme_names)
        self._app.push_screen(screen, self._chose)

    def _compare(self) -> None:
        things, document = self._desk.furniture, self._opening.document
        listed = things.versions if self._desk.at == "list" and self._desk.left == "versions" else None
        if listed is not None and listed.file is not None and listed.version is not None:
            self._comparing.compare(listed.file, listed.version)
        elif document is not None:
            self._comparing.compare(document.file, document.version)

    def _ask(self) -> None:
        """One conversation as long as the browser runs: what was asked before is there again."""
        conversation = self._conversation = self._conversation or self._library.conversation()

        def done(wanted: Asked) -> None:
            if wanted is None:
                return
            what, value = wanted
            if what == "open":
                self._open_reference(value)
            elif what == "copy":
                self._sending.copy("Prompt", value)
            else:
                turn = conversation.turns[-1]
                self._engrave(value, turn.note, turn.references)

        self._app.push_screen(AskScreen(conversation), done)

    def _engrave(self, path: str, body: str, sources: Sequence[str | TrayItem]) -> None:
        def engraved(made: Engraved) -> None:
            self._notice.tell("Engraved, with its sources:", [made.file.path])

        self._lane.ask(lambda: self._library.engrave(path, body, sources), engraved)

    def _tray(self) -> None:
        desk = self._library.store.desk

        def shown(items: list[TrayItem]) -> None:
            def done(result: tuple[list[TrayItem], Done] | None) -> None:
                if result is None:
                    return
                left, wanted = result
                if left != items:
                    self._lane.ask(lambda: desk.lay_out(left), lambda _: self._tray_done(left, wanted))
                else:
                    self._tray_done(left, wanted)

            self._app.push_screen(TrayScreen(items), done)

        self._lane.ask(desk.tray, shown)

    def _tray_done(self, items: list[TrayItem], wanted: Done) -> None:
        if wanted is None:
            return
        what, value = wanted
        if what == "open":
            self._open_reference(value)
        elif what == "copy":
            self._sending.copy(f"{len(items)} citations" if len(items) > 1 else "Citation", value)
        elif self._served:
            self._notice.tell(NOT_IN_A_PAGE, warning=True)
        elif what == "engrave":
            listed = "".join(f"- {item.citation}\n" for item in items)
            self._engrave(value, f"# Collected citations\n\n{listed}", items)
        else:
            self._sending.write_new(value, "".join(f"{item.citation}\n" for item in items))

    def _chose(self, choice: Choice | None) -> None:
        if choice is None:
            return
        file = self._desk.furniture.files.folders.by_path.get(choice.value) if choice.kind == "file" else None
        if choice.kind == "line":
            self._moving.to_line(int(choice.value))
        elif choice.kind == "action":
            self._act(choice.value)
        elif choice.kind == "theme":
            self._host.use_theme(choice.value)
        elif file is not None:
            self._opening.open_file(file)
            self._desk.go("document")
        else:
            self._open_reference(choice.value)

    def _open_reference(self, reference: str) -> None:
        keep = self._desk.promise()

        def arrived(notice: str) -> None:
            keep(lambda: self._desk.go("document"))
            if notice:
                self._notice.tell(notice, warning=True)

        def failed(error: StonebrowseError) -> None:
            self._notice.tell(error.message, warning=True)

        self._opening.open_reference(reference, arrived, failed)
