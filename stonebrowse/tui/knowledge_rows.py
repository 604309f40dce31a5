"""Entities as a list, and one entity as lines to read, in which the cursor goes to a citation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stonebrowse.tui.painting import PLAIN, clipped, wrapped
from stonebrowse.tui.reader.safety import visible
from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.library.things import Opened, Thing
    from stonebrowse.tui.painting import Piece


@dataclass(frozen=True, slots=True)
class Known:
    """An entity or a relationship in the list.

    Attributes:
        thing_id: `e_…` or `r_…`.
        name: of a relationship what it says: the names of both ends.
        kind: may be empty.
        thing: what is to be read of it where that is known already.
    """

    thing_id: str
    name: str
    kind: str
    thing: Thing | None = None

    def has(self, words: str) -> bool:
        """Whether all words stand in it."""
        revision = None if self.thing is None else self.thing.revision
        said = "\n".join((self.name, self.kind, revision.words() if revision else "")).casefold()
        return all(word in said for word in words.casefold().split())


class Knowns(Rows):
    """The entities, one a row."""

    def __init__(self, empty: Sequence[str], *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes="known")
        self.things: list[Known] = []
        self.said: list[str] = []
        self._empty = list(empty)

    def show(self, things: Sequence[Known], *, words: str) -> None:
        """Shows other entities, from the first on; words are those they were asked for with."""
        self.things = list(things)
        self.said = ["Nothing here has all these words"] if words.strip() else self._empty
        self.changed()
        self.place_cursor(0)

    def add(self, things: Sequence[Known]) -> None:
        """Shows more of them."""
        self.things += things
        self.changed()

    @property
    def chosen(self) -> Known | None:
        """The one under the cursor."""
        return self.things[self.cursor] if self.cursor < len(self.things) else None

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.things)

    def note(self) -> list[str]:
        """See `Rows.note`."""
        return self.said

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        known = self.things[index]
        kind = f"  {visible(known.kind)}" if known.kind else ""
        return clipped([(visible(known.name), PLAIN), (kind, self.style("dim"))], width - 1)


@dataclass(frozen=True, slots=True)
class Said:
    """A line of what is read.

    Attributes:
        text: any text; wrapped when it is drawn.
        style: of the list's styles.
        indent: cells before it.
        cited: the citation that it belongs to.
    """

    text: str
    style: str = "row"
    indent: int = 0
    cited: Opened | None = None


class Reading(Rows):
    """One entity: each line a row, so that the cursor can stand on a citation."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes="known")
        self._said: list[Said] = []
        self._rows: list[Said] = []
        self._width = 0

    def show(self, said: Sequence[Said]) -> None:
        """Shows other lines, from the first on."""
        self._said = list(said)
        self._lay_out()
        self.place_cursor(0)

    def to_first_citation(self) -> None:
        """Puts the cursor on the first citation."""
        first = next((at for at, row in enumerate(self._rows) if row.cited is not None), 0)
        self.place_cursor(first, align=1 / 3)

    def to_citation(self, by: int) -> None:
        """Puts the cursor on the next citation (1) or the one before (-1)."""
        here = self.cited
        at = self.cursor + by
        while 0 <= at < len(self._rows):
            cited = self._rows[at].cited
            if cited is not None and cited is not here:
                while at and self._rows[at - 1].cited is cited:
                    at -= 1
                self.place_cursor(at)
                return
            at += by

    @property
    def cited(self) -> Opened | None:
        """The citation under the cursor."""
        return self._rows[self.cursor].cited if self.cursor < len(self._rows) else None

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self._rows)

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        row = self._rows[index]
        style = PLAIN if row.style == "row" else self.style(row.style)
        return clipped([(" " * row.indent + row.text, style)], width)

    def on_resize(self) -> None:
        """Wraps anew, the cursor on the citation on which it was."""
        if self.size.width != self._width:
            cited = self.cited
            self._lay_out()
            at = next((at for at, row in enumerate(self._rows) if cited and row.cited is cited), self.cursor)
            self.place_cursor(at)
        super().on_resize()

    def _lay_out(self) -> None:
        self._width = self.size.width
        self._rows = [
            Said(row, said.style, said.indent, said.cited)
            for said in self._said
            for row in wrapped(visible(said.text), max(1, self._width - 3 - said.indent))
        ]
        self.changed()


def lines_of(thing: Thing, name: str) -> list[Said]:
    """What is read of one revision, with its citations."""
    revision = thing.revision
    head = f"{revision.kind}, revision {revision.number}" if revision.kind else f"Revision {revision.number}"
    if revision.recorded_at:
        head += f", {revision.recorded_at[:10]}"
    said = [Said(name, "strong"), Said(head + (", taken away" if revision.removed else ""), "dim")]
    for key, value in revision.properties.items():
        said += [Said(""), Said(key, "dim")]
        said += [Said(line, indent=2) for line in value.split("\n")]
    for opened in thing.citations:
        said += [Said(""), *_citation(opened)]
    if not thing.citations and not thing.withheld:
        said += [Said(""), Said("It cites nothing", "dim")]
    if thing.truncated or thing.withheld:
        said.append(Said(""))
    if thing.truncated:
        said.append(Said("more citations are not shown; m shows them", "note"))
    if thing.withheld:
        many = "1 citation is" if thing.withheld == 1 else f"{thing.withheld} citations are"
        said.append(Said(f"{many} withheld", "note"))
    return said


def _citation(opened: Opened) -> list[Said]:
    said = [Said(opened.citation, "lit", cited=opened)]
    quote, note = opened.fields["quote"], opened.fields["note"]
    if quote is not None:
        said += [Said(line, "row", 2, opened) for line in f"“{quote}”".split("\n")]
    if note:
        said.append(Said(f"Note: {note}", "dim", 2, opened))
    said.append(Said(opened.standing, "dim" if opened.fields["current"] else "note", 2, opened))
    return said
