"""The hits of a search, three lines each: citation, trail, snippet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from stonebrowse.tui.painting import PLAIN, fit_citation, lit, tail, window
from stonebrowse.tui.reader.safety import visible
from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.library.searching import Hit
    from stonebrowse.tui.painting import Piece

TRAIL = " › "
NEAR_END = 12


class Hits(Rows):
    """The hits, as many as were asked for; more are asked for as the cursor comes near the end.

    Attributes:
        hits: what is shown, best first.
        total: how many there are in all.
        said: what is shown where there is none.
    """

    ROW_HEIGHT = 3

    class MoreWanted(Message):
        """The cursor comes near the end of what is shown, and there is more."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.hits: Sequence[Hit] = ()
        self.total = 0
        self.said: list[str] = []

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor."""
        return self.hits[self.cursor] if self.cursor < len(self.hits) else None

    def show(self, hits: Sequence[Hit], total: int, *, keep: bool) -> None:
        """Shows other hits.

        Args:
            hits: best first.
            total: how many there are in all.
            keep: the same question asked again: the cursor stays on its hit, and that where it stands.
        """
        before, below = self.hit, self.cursor * self.ROW_HEIGHT - int(self.scroll_y)
        self.hits, self.total = hits, total
        self.changed()
        if not keep:
            self.place_cursor(0)
        elif before is not None and (index := _again(before, hits)) is not None:
            self.place_cursor(index)
            self.scroll_to(y=max(0, index * self.ROW_HEIGHT - below), animate=False, force=True)

    def watch_cursor(self, before: int, now: int) -> None:
        """Asks for more near the end."""
        super().watch_cursor(before, now)
        if now >= len(self.hits) - NEAR_END and len(self.hits) < self.total:
            self.post_message(self.MoreWanted())

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.hits)

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return self.said

    def draw(self, index: int, line: int, width: int) -> list[Piece]:
        """See `Rows.draw`."""
        hit = self.hits[index]
        room = width - 1
        if line == 0:
            return [
                (
                    fit_citation(visible(hit.citation), visible(hit.path), room),
                    self.style("strong"),
                )
            ]
        if line == 1:
            return [("  ", PLAIN), (tail(visible(TRAIL.join(hit.trail)), room - 2), self.style("dim"))]
        light = self.style("lit")
        return [("  ", PLAIN), *window(lit(hit.snippet, hit.matches, PLAIN, light), room - 2, light)]


def _again(before: Hit, hits: Sequence[Hit]) -> int | None:
    """Where a hit stands in another answer: the same passage, else the same section of the same File."""
    for same in (
        lambda hit: hit.passage_id == before.passage_id,
        lambda hit: (hit.file_id, hit.trail, hit.part) == (before.file_id, before.trail, before.part),
        lambda hit: hit.file_id == before.file_id,
    ):
        found = next((index for index, hit in enumerate(hits) if same(hit)), None)
        if found is not None:
            return found
    return None
