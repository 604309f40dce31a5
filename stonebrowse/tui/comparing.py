"""What changed: since one last looked, or from one version to another, as the screen of changes shows it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from stonebrowse.tui.screens.changes import ChangesScreen, Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import App

    from stonebrowse.library.comparing import SectionDiff
    from stonebrowse.library.library import Library
    from stonebrowse.library.reviewing import Change, Review
    from stonebrowse.store import File, Version
    from stonebrowse.tui.lanes import Lane
    from stonebrowse.tui.status import Notice


class Comparing:
    """The actions `review` and `compare`."""

    def __init__(
        self, app: App[int], library: Library, lane: Lane, notice: Notice, go: Callable[[str], None]
    ) -> None:
        """Made of where the work is done, and of what opens a citation."""
        self._app = app
        self._library = library
        self._lane = lane
        self._notice = notice
        self._go = go
        self._seen: deque[Change] = deque()

    def review(self) -> None:
        """Shows what changed since it was last seen."""

        def shown(review: Review) -> None:
            items = [of_change(change) for change in review.changes]
            self._app.push_screen(ChangesScreen("Changed since last seen", items, self._mark), self._open)

        self._notice.tell("Comparing …")
        self._lane.ask(self._reviewed, shown)

    def compare(self, file: File, version: Version) -> None:
        """Shows what changed from a version to the newest; from the one before, where it is the newest."""

        def work() -> tuple[Version, Version, list[SectionDiff]]:
            self._mark_all()
            versions = {each.number: each for each in self._library.versions(file)}
            newest = max(versions)
            older, newer = (version.number, newest) if version.number < newest else (newest - 1, newest)
            if older < 1:
                return version, version, []
            return versions[older], versions[newer], self._library.compare(versions[older], versions[newer])

        def shown(found: tuple[Version, Version, list[SectionDiff]]) -> None:
            older, newer, sections = found
            if older.number == newer.number:
                self._notice.tell("There is one version of this file only")
                return
            title = f"Version {older.number} to {newer.number}"
            self._app.push_screen(ChangesScreen(title, [of_section(each) for each in sections]), self._open)

        self._lane.ask(work, shown)

    def _mark(self, items: Sequence[Shown]) -> None:
        self._seen.extend(item.change for item in items if item.change is not None)
        self._lane.ask(self._mark_all, lambda _: None)

    def _mark_all(self) -> None:
        """Marks all that is still to be marked: of what waits in a lane only the newest is done."""
        while self._seen:
            self._library.mark_seen(self._seen.popleft())

    def _reviewed(self) -> Review:
        self._mark_all()
        return self._library.review()

    def _open(self, citation: str | None) -> None:
        if citation is not None:
            self._go(citation)


def of_change(change: Change) -> Shown:
    """A change of a review as it is shown."""
    versions = f"version {change.version.number}"
    if change.before is not None and change.before.number != change.version.number:
        versions = f"version {change.before.number} to {change.version.number}"
    was = f", was {change.was}" if change.was not in {None, change.citation} else ""
    section = change.section
    return Shown(
        change.citation,
        f"{change.kind}, {versions}{was}",
        section.lines if section else (),
        bool(section and section.truncated),
        change,
    )


def of_section(section: SectionDiff) -> Shown:
    """A section of a comparison as it is shown."""
    was = f", was {section.was}" if section.was and section.now and section.was != section.now else ""
    return Shown(section.now or section.was or "", f"{section.kind}{was}", section.lines, section.truncated)
