"""The hits of a search, three lines each: citation, trail, snippet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from stonebrowse.tui.painting import PLAIN, clipped, fit_citation, lit, tail, window, wrapped
from stonebrowse.tui.reader.safety import visible
from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.library.searching import Hit
    from stonebrowse.tui.offers import Offer
    from stonebrowse.tui.painting import Piece

TRAIL = " › "
NEAR_END = 12
# The list's width is not known before it is shown.
UNSEEN_WIDTH = 40


class Hits(Rows):
    """The hits, as many as were asked for; more are asked for as the cursor comes near the end.

    Attributes:
        hits: what is shown, best first.
        total: how many there are in all.
        said: what is shown where there is none.
        offers: what may be chosen there, below what is said.
    """

    ROW_HEIGHT = 3

    class MoreWanted(Message):
        """The cursor comes near the end of what is shown, and there is more."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.hits: Sequence[Hit] = ()
        self.total = 0
        self.said: list[str] = []
        self.offers: Sequence[Offer] = ()
        self._head: list[tuple[str, str]] = []

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor."""
        return self.hits[self.cursor] if self.cursor < len(self.hits) else None

    @property
    def offer(self) -> Offer | None:
        """The offer under the cursor."""
        index = self.cursor - self._head_rows
        return self.offers[index] if not self.hits and 0 <= index < len(self.offers) else None

    @property
    def moved(self) -> bool:
        """Whether the cursor is no more on the first hit or offer."""
        return self.cursor > (0 if self.hits else self._head_rows)

    def offer_instead(self, said: list[str], offers: Sequence[Offer]) -> None:
        """Says something, and offers something below it, where there is no hit. Before `show`."""
        self.said, self.offers = said, offers
        self._lay_head()

    def show(self, hits: Sequence[Hit], total: int, *, keep: bool) -> None:
        """Shows other hits.

        Args:
            hits: best first.
            total: how many there are in all.
            keep: the same question asked again: the cursor stays on its hit, and that where it stands.
        """
        before, below = self.hit, self.cursor * self.ROW_HEIGHT - int(self.scroll_y)
        self.hits, self.total = hits, total
        if not hits and keep:
            self.changed()
            self.place_cursor(self.cursor)
            return
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
        return len(self.hits) or (self._head_rows + len(self.offers) if self.offers else 0)

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return self.said

    # -- what is offered where there is no hit -----------------------------------------------------------

    @property
    def _head_rows(self) -> int:
        """The rows above the first offer, in which it is said that there is no hit."""
        return -(-len(self._head) // self.ROW_HEIGHT) if self.offers else 0

    def _lay_head(self) -> None:
        room = max(1, (self.size.width or UNSEEN_WIDTH) - 3)
        self._head = [
            (row, "strong" if number == 1 else "dim")
            for number, line in enumerate(["", *self.said, ""])
            for row in wrapped(visible(line), room)
        ]

    def place_cursor(self, index: int, *, align: float | None = None) -> None:
        """See `Rows.place_cursor`: the cursor stays below what is only said."""
        head = 0 if self.hits else self._head_rows
        super().place_cursor(max(index, head), align=align)
        if head and self.cursor == head and (head + 1) * self.ROW_HEIGHT <= self.size.height:
            self.scroll_to(y=0, animate=False, force=True)

    def on_resize(self) -> None:
        """Keeps the cursor on its offer: what is said above may take more or fewer rows now."""
        offer = self.cursor - self._head_rows
        self._lay_head()
        if self.offers and not self.hits:
            self.place_cursor(self._head_rows + offer)

    def _draw_offer(self, index: int, line: int, room: int) -> list[Piece]:
        at = index - self._head_rows
        if at < 0:
            row = index * self.ROW_HEIGHT + line
            text, name = self._head[row] if row < len(self._head) else ("", "dim")
            return [(text, self.style(name))]
        offer = self.offers[at]
        if line == 0 and offer.hit is not None:
            text = fit_citation(visible(offer.text), visible(offer.hit.path), room)
            return [(text, self.style("strong"))]
        if line == 0:
            return clipped([(visible(offer.text), self.style("strong"))], room)
        return clipped([("  ", PLAIN), (visible(offer.about), self.style("dim"))], room) if line == 1 else []

    def draw(self, index: int, line: int, width: int) -> list[Piece]:
        """See `Rows.draw`."""
        room = width - 1
        if not self.hits:
            return self._draw_offer(index, line, room)
        hit = self.hits[index]
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
