"""The versions of the File on the page."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from stonebrowse.tui.painting import PLAIN, clipped
from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.store import File, Version
    from stonebrowse.tui.painting import Piece


class Versions(Rows):
    """Every version of one File, newest first.

    Attributes:
        file: whose versions these are; None before any was asked for.
        versions: what is shown.
        here: the number of the version on the page.
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.file: File | None = None
        self.versions: Sequence[Version] = ()
        self.here = 0

    @property
    def version(self) -> Version | None:
        """The version under the cursor."""
        return self.versions[self.cursor] if self.cursor < len(self.versions) else None

    def show(self, file: File, versions: Sequence[Version], here: int) -> None:
        """Shows the versions of a File; the cursor goes to the one on the page."""
        self.file, self.versions, self.here = file, versions, here
        self.changed()
        self.place_cursor(next((at for at, version in enumerate(versions) if version.number == here), 0))

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.versions)

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        version = self.versions[index]
        number = f"{version.number:>4}"
        style = self.style("strong") if version.number == self.here else PLAIN
        pieces: list[Piece] = [(number, style), (f"  {when(version.recorded_at)}", PLAIN)]
        if version.current:
            pieces.append(("  newest", self.style("note")))
        pieces.append((f"  {version.bytes:,} bytes", self.style("dim")))
        return clipped(pieces, width - 1)


def when(recorded_at: str, now: datetime | None = None) -> str:
    """A time as people say it, in their own time zone: today without its date, this year without the year."""
    then = datetime.fromisoformat(recorded_at).astimezone()
    now = (now or datetime.now().astimezone()).astimezone(then.tzinfo)
    if then.date() == now.date():
        return then.strftime("today %H:%M:%S")
    return then.strftime("%d %b %H:%M" if then.year == now.year else "%d %b %Y")
