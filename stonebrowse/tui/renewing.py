"""What the browser does with news of the library: tree, page and hits follow, nothing jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.folders import Folders

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.errors import StonebrowseError
    from stonebrowse.library.library import Library
    from stonebrowse.store import File, FileId
    from stonebrowse.tui.desk import Desk
    from stonebrowse.tui.finding import Finding
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.live import News
    from stonebrowse.tui.opening import Opening
    from stonebrowse.tui.restoring import Restoring
    from stonebrowse.tui.sheet import Entry, Sheet
    from stonebrowse.tui.status import Notice, Word
    from stonebrowse.tui.telling import Telling

# What a first start opens, the likeliest first; in the folder itself, in any case.
FIRST_PAGES = ("readme.md", "index.md", "readme.markdown", "index.markdown")
LOOKING = "looking what there is …"


class Renewing:
    """Takes news in.

    Attributes:
        at: what was asked to be opened first and is not there yet; None when it is done.
    """

    def __init__(
        self,
        library: Library,
        desk: Desk,
        opening: Opening,
        finding: Finding,
        telling: Telling,
        notice: Notice,
        sheet: Sheet,
        lane: Lane,
        *,
        at: str | None,
        restoring: Restoring,
    ) -> None:
        """Made of what follows the library."""
        self._restoring: Restoring | None = restoring
        self._library = library
        self._desk = desk
        self._opening = opening
        self._finding = finding
        self._telling = telling
        self._notice = notice
        self._sheet = sheet
        self._lane = lane
        self._files: list[File] | None = None
        self._greeted = False
        self._asked = False
        self._keep = desk.promise()
        self._trouble = ""
        self.at = at

    @property
    def listed(self) -> bool:
        """Whether the tree shows the Files that were told of last."""
        return self._files is not None and not self._lane.busy

    @property
    def paths(self) -> Sequence[str]:
        """Every path of the library."""
        return [file.path for file in self._files or ()]

    def news(self, news: News) -> None:
        """Something is new."""
        trouble = news.trouble or news.status.notice
        if trouble and trouble != self._trouble:
            self._notice.tell(trouble, warning=True)
        self._trouble = self._telling.trouble = trouble
        self._telling.status = news.status
        if news.files is not None:
            self._list(news.files, news.changed)
        if news.found or news.files is not None:
            self._finding.again()
        self._greet()
        self._telling.place()
        self.say()

    def _list(self, files: list[File], changed: frozenset[FileId]) -> None:
        """The Files are others than before."""
        tree = self._desk.furniture.files
        self._files = files
        self._finding.files = len(files)
        tree.fresh |= {file.path for file in files if file.file_id in changed}
        opened = tree.folders.opened

        def shown(folders: Folders) -> None:
            # Folders opened meanwhile stay open.
            if tree.folders.opened != folders.opened:
                folders.opened = set(tree.folders.opened)
                folders.lay_out()
            tree.show(folders)
            if self._opening.document is not None:
                tree.show_here(self._opening.document.file.path)
            self.say()

        self._lane.ask(lambda: Folders(files, opened), shown)
        here = self._opening.document
        if here is None:
            return
        mine = next((file for file in files if file.file_id == here.file.file_id), None)
        self._telling.gone(mine is None)
        if mine is not None and (mine.version_id, mine.path) != (here.file.version_id, here.file.path):
            if mine.version_id != here.file.version_id:
                self._telling.changed()
            self._opening.renew(mine)

    def _greet(self) -> None:
        """Opens the first page: what was asked for, else the folder's README or index."""
        if self._greeted or self._files is None:
            return
        if self.at is not None:
            if not self._asked:
                self._asked = True
                self._keep = self._desk.promise()
                self._opening.open_reference(self.at, self._arrived, self._not_there)
            return
        if self._opening.document is not None or self._finding.found is not None:
            # The person was quicker.
            self._greeted = True
            return
        if self._restoring is not None:
            restoring, self._restoring, self._greeted = self._restoring, None, True
            restoring.resume(self._files, self._desk.promise(), self._nothing_to_resume)
            return
        named = {file.path.casefold(): file for file in self._files}
        first = next((named[name] for name in FIRST_PAGES if name in named), None)
        if first is not None:
            self._greeted = True
            self._opening.open_file(first)

    def _nothing_to_resume(self) -> None:
        self._greeted = False
        self._greet()

    def _arrived(self, notice: str) -> None:
        self._greeted, self.at = True, None
        self._keep(lambda: self._desk.go("document"))
        if notice:
            self._notice.tell(notice, warning=True)

    def _not_there(self, error: StonebrowseError) -> None:
        """What was asked for is not known: perhaps not yet, while the folder is being read."""
        self._asked = False
        status = self._telling.status
        if status.pid and status.phase in {"idle", "indexing"}:
            self._greeted, self.at = True, None
            self._notice.tell(error.message, warning=True)

    # -- saying ------------------------------------------------------------------------------------------

    def say(self) -> None:
        """Says how many files there are, and what is done about them."""
        count = 0 if self._files is None else len(self._files)
        name = self._library.folder.name or str(self._library.folder)
        title: list[Word] = [
            (f" {name}", "strong"),
            (f"  {count:,} {'file' if count == 1 else 'files'}", "dim"),
        ]
        self._desk.title("files", title)
        self._desk.furniture.search.placeholder = (
            f"Search {count:,} files of {name}" if count else f"Search {name}"
        )
        # Before the store was asked nothing is known of the folder: not that it holds no Markdown either.
        busy = self._telling.progress() or (LOOKING if self._files is None else "")
        self._desk.furniture.files.said = [] if count else [busy.capitalize() if busy else "No Markdown yet"]
        if not count:
            self._desk.furniture.files.refresh()
        if self._opening.document is None:
            self._sheet.rewrite(
                start_page(str(self._library.folder), count, busy, self._library.settings.library.suffixes)
            )


def start_page(folder: str, count: int, busy: str, suffixes: Sequence[str]) -> list[Entry]:
    """What is said where no page is open yet.

    Args:
        folder: the folder's place.
        count: how many files there are.
        busy: what the keeper is at; empty for nothing.
        suffixes: what documents' names end in.
    """
    said: list[Entry] = [("title", folder, ""), ("blank", "", "")]
    if count:
        said.append(
            (
                "text",
                f"{count:,} {'file' if count == 1 else 'files'}."
                + (f" {busy.capitalize()}." if busy else ""),
                "",
            )
        )
        said += [
            ("blank", "", ""),
            ("pair", "Enter", "opens what the cursor is on"),
            ("pair", "s", "searches"),
        ]
    elif busy:
        said += [("text", f"{busy.capitalize()}.", ""), ("text", "What is found can be read at once.", "")]
    else:
        said += [
            ("text", "There is no Markdown in this folder yet.", ""),
            ("text", f"Files that end in {', '.join(suffixes)} appear here as soon as they are saved.", ""),
            ("text", "Hidden files, node_modules and what .gitignore names are left out.", ""),
        ]
    return [*said, ("pair", "?", "shows all keys"), ("pair", "q", "quits")]
