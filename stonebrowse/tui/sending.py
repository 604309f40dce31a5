"""What leaves the browser: a citation or a quote to the terminal's clipboard, a file to the editor."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from textual.app import SuspendNotSupported

from stonebrowse.errors import InputInvalid, StonebrowseError, StoreUnavailable
from stonebrowse.library.new_files import write_new_file
from stonebrowse.library.tokens import PREFIX
from stonebrowse.settings.editor import command_line
from stonebrowse.store import TrayItem
from stonebrowse.tui.copying import quotation, send, shown
from stonebrowse.tui.reader.safety import visible

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from stonebrowse.library.library import Library
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document
    from stonebrowse.store import File
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.status import Notice

Chosen = Callable[[], tuple["Document", "PassageView | None"]]
"""Gives the document and the passage that an action is about; called in a thread, since it may read."""


class Terminal(Protocol):
    """What is asked of the app."""

    def write_terminal(self, sequence: str) -> None:
        """Sends a control sequence of our own."""

    def suspend(self) -> AbstractContextManager[None]:
        """Gives the terminal away for a while."""


class Sending:
    """The actions that copy, and the editor."""

    def __init__(
        self,
        library: Library,
        terminal: Terminal,
        notice: Notice,
        lane: Lane,
        chosen: Callable[[], Chosen | None],
    ) -> None:
        """Made of what is needed; `chosen` says what the person is at, None where that is nothing."""
        self._library = library
        self._terminal = terminal
        self._notice = notice
        self._lane = lane
        self._chosen = chosen
        self.sent: list[str] = []

    def acts(self) -> dict[str, Callable[[int], None]]:
        """What each action does; none takes a number."""
        return {
            "copy_citation": lambda _: self._copy_chosen("Citation", _citation),
            "copy_quote": lambda _: self._copy_chosen("Quote", _quote),
            "copy_source": lambda _: self._copy_chosen("Source", _source),
            "collect": lambda _: self._collect(),
            "copy_token": lambda _: self._copy_chosen("Token", self._token),
            "edit": lambda _: self._edit(),
        }

    def copy(self, what: str, text: str) -> None:
        """Sends a text to the terminal, and says what was sent and how."""
        self._copy(what, lambda: (text, text))

    def _copy(self, what: str, text: Callable[[], tuple[str, str]]) -> None:
        """Sends what `text` makes, and keeps what it says is to be kept of it."""

        def work() -> tuple[str, str]:
            made, kept = text()
            way = send(made, self._terminal.write_terminal)
            # A store that cannot be written now is no reason not to copy.
            with contextlib.suppress(StoreUnavailable):
                self._library.store.desk.note_sent(kept)
            return made, way

        def done(result: tuple[str, str]) -> None:
            made, way = result
            self.sent.append(made)
            self._notice.tell(f"{what} {way}:", shown(made))

        self._lane.ask(work, done)

    def _copy_chosen(self, what: str, make: Callable[[Document, PassageView | None], str]) -> None:
        chosen = self._chosen()
        if chosen is None:
            self._notice.tell("Nothing is open that could be copied", warning=True)
        else:
            self._copy(what, lambda: self._handed_out(*chosen(), make))

    def _handed_out(
        self,
        document: Document,
        passage: PassageView | None,
        make: Callable[[Document, PassageView | None], str],
    ) -> tuple[str, str]:
        """Makes what is copied, and remembers of which version: `check` will want to know.

        Returns:
            What is copied, and what is kept of it: of a token the citation, since the command line prints none.
        """
        made = make(document, passage)
        if passage is not None:
            # A store that cannot be written now is no reason not to copy.
            with contextlib.suppress(StoreUnavailable):
                self._library.hand_out(
                    passage.citation, document.version.version_id, passage.start, passage.end
                )
        is_token = made.startswith(PREFIX)
        return made, _citation(document, passage) + "\n" if is_token else made

    def _collect(self) -> None:
        """Puts the citation of the passage into the tray."""
        chosen = self._chosen()
        if chosen is None:
            self._notice.tell("Nothing is open that could be cited", warning=True)
            return

        def work() -> tuple[str, int]:
            document, passage = chosen()
            if passage is None:
                raise InputInvalid("there is no passage here to be cited")
            self._handed_out(document, passage, _citation)
            version = document.version.version_id
            item = TrayItem(passage.citation, version, passage.start, passage.end)
            return passage.citation, self._library.store.desk.put(item)

        def done(result: tuple[str, int]) -> None:
            citation, count = result
            self._notice.tell(
                f"In the tray, {count} {'citation' if count == 1 else 'citations'}:", [citation]
            )

        self._lane.ask(work, done)

    def write_new(self, place: str, text: str) -> None:
        """Writes a text to a new file, and says so."""

        def work() -> str:
            write_new_file(Path(place).expanduser(), text.encode())
            return place

        self._lane.ask(work, lambda name: self._notice.tell(f"Written to {visible(name)}"))

    def _token(self, document: Document, passage: PassageView | None) -> str:
        if passage is None:
            raise InputInvalid("there are no words here that a token could stand for")
        return self._library.token(document, passage.start, passage.end)

    def _edit(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self._notice.tell("No file is chosen", warning=True)
            return

        def done(result: tuple[Document, PassageView | None]) -> None:
            document, passage = result
            self.edit(document.file, passage.line if passage is not None else 1)

        self._lane.ask(chosen, done)

    def edit(self, file: File, line: int) -> None:
        """Opens a file in the person's editor, at a line, and takes the terminal back when that ends."""
        try:
            place = self._library.files_folder.real_path(file.path)
            words = command_line(self._library.settings, str(place), line)
            with self._terminal.suspend():
                status = subprocess.run(words, check=False).returncode
        except StonebrowseError as error:
            self._notice.tell(error.message, warning=True)
        except SuspendNotSupported:
            self._notice.tell("Here no editor can be started", warning=True)
        except OSError as error:
            self._notice.tell(
                f"{visible(words[0])} cannot be started ({error.strerror}); set EDITOR or [editor] command",
                warning=True,
            )
        else:
            if status:
                self._notice.tell(f"{visible(words[0])} ended with status {status}", warning=True)


def _citation(document: Document, passage: PassageView | None) -> str:
    return document.file.path if passage is None else passage.citation


def _quote(document: Document, passage: PassageView | None) -> str:
    return quotation(_source(document, passage), _citation(document, passage))


def _source(document: Document, passage: PassageView | None) -> str:
    if passage is None:
        return document.read(0, document.size).decode()
    return document.read(passage.start, passage.end).decode()
