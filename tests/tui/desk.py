"""A browser under test, and how to look at it."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from stonebrowse.tui.app import Browser
from stonebrowse.tui.screens.main import MainScreen

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from pathlib import Path

    from textual.pilot import Pilot

    from stonebrowse.library.library import Library

PATIENCE_SECONDS = 20.0

HANDBOOK = {
    "README.md": "# Handbook\n\nHow we work here. See [holidays](people/holidays.md#carry-over) and "
    "[the web](https://example.org/).\n\n## Where to begin\n\nRead about *holidays* first.\n",
    "people/holidays.md": "# Holidays\n\nEveryone has thirty days.\n\n## Carry-over\n\nUp to five days are "
    "carried over into the next year.\n\n## Sick leave\n\nTell your lead.\n",
    "people/hiring.md": "# Hiring\n\n"
    + "".join(f"## Step {n}\n\n" + f"Do step {n} with care. " * 12 + "\n\n" for n in range(1, 31)),
    "tools/editor.md": "# Editors\n\nAny editor will do.\n",
}


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes files below a folder."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())


class Desk:
    """A running browser."""

    def __init__(self, app: Browser, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever stands over it."""
        found = [screen for screen in self.app.screen_stack if isinstance(screen, MainScreen)]
        assert found, "the main screen is not there"
        return found[0]

    @property
    def rows(self) -> list[str]:
        """The rows of the screen, without blanks at their ends."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.rows)

    @property
    def path(self) -> str:
        """The path of the page; empty where there is none."""
        document = self.main.opening.document
        return "" if document is None else document.file.path

    @property
    def status(self) -> str:
        """The status line."""
        line = self.main.query_one("#status")
        return str(line.render_line(0).text)

    @property
    def focus(self) -> str:
        """The name of what has the keys."""
        return "" if self.app.focused is None else str(self.app.focused.id)

    async def press(self, *keys: str) -> None:
        """Presses keys, a word for each or several with blanks between, and lets the browser come to rest."""
        for key in keys:
            for one in key.split():
                await self.pilot.press(one)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        """Types a text."""
        for character in text:
            await self.pilot.press("space" if character == " " else character)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Waits until something holds; fails with the screen where it never does."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(f"it never came to be: {what}\n{self.text}")
            await asyncio.sleep(0.01)
        await self.pilot.pause()

    async def search(self, query: str) -> None:
        """Searches, and waits for the answer."""
        await self.press("s")
        self.main.furniture.search.value = query
        await self.press("enter")
        await self.until(
            lambda: (
                self.main.finding.found is not None
                and self.main.finding.found.query == query
                and not self.main.finding.found.looking
            ),
            f"an answer to {query}",
        )


@asynccontextmanager
async def browsing(
    library: Library,
    *,
    size: tuple[int, int] = (120, 40),
    at: str | None = None,
    keeper: bool = False,
) -> AsyncIterator[Desk]:
    """Browses a library; without a keeper unless one is asked for."""
    if not keeper:
        library.ensure_keeper = lambda: None  # type: ignore[method-assign]
    app = Browser(library, at=at)
    async with app.run_test(size=size) as pilot:
        desk = Desk(app, pilot)
        await desk.until(
            lambda: any(isinstance(screen, MainScreen) for screen in app.screen_stack), "the main screen"
        )
        await desk.until(lambda: desk.main.renewing.listed, "the list of files")
        if (
            library.files()
            and at is None
            and any(f.path.lower() in {"readme.md", "index.md"} for f in library.files())
        ):
            await desk.until(lambda: desk.path, "the first page")
        yield desk
