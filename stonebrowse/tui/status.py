"""One-line widgets: a pane's title, the status line, the line of keys, and the notice above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.strip import Strip
from textual.widget import Widget

from stonebrowse.tui.painting import clipped, fit_citation, strip, wrapped
from stonebrowse.tui.reader.safety import cells, clip, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.style import Style

    from stonebrowse.tui.actions import Action, Place
    from stonebrowse.tui.painting import Piece

Word = tuple[str, str]
"""A text and the name of its style: `plain`, `strong`, `dim`, `accent`, `warning`."""

TRAIL = " › "


class OneLine(Widget):
    """A row of words, some at the left, some at the right. Those at the right are the last to go."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line--plain",
        "line--strong",
        "line--dim",
        "line--accent",
        "line--warning",
    }
    DEFAULT_CSS = """
    OneLine { height: 1; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's
        super().__init__(id=id, classes=classes)
        self._left: tuple[Word, ...] = ()
        self._right: tuple[Word, ...] = ()

    def say(self, left: Sequence[Word], right: Sequence[Word] = ()) -> None:
        """Says something else; nothing is drawn where it is the same. Texts are made visible here."""
        new = tuple((visible(text), style) for text, style in left), tuple((visible(t), s) for t, s in right)
        if new != (self._left, self._right):
            self._left, self._right = new
            self.refresh()

    def words(self, width: int) -> tuple[Sequence[Word], Sequence[Word]]:
        """What is shown at the left and at the right of a row of this width."""
        return self._left, self._fitting_right(width)

    def _fitting_right(self, width: int) -> list[Word]:
        """The words at the right for which there is room, the last ones first."""
        room = max(8, width // 2)
        kept: list[Word] = []
        for word in reversed(self._right):
            room -= cells(word[0])
            if room < 0 and kept:
                break
            kept.insert(0, word)
        return kept

    def render_line(self, y: int) -> Strip:
        """The row."""
        width = self.size.width
        base = self.visual_style.rich_style
        if y or width < 1:
            return Strip.blank(max(0, width), base)
        left, right = self.words(width)
        right_cells = sum(cells(text) for text, _ in right)
        room = max(0, width - right_cells - (1 if right else 0))
        pieces = clipped([(text, self._style(style)) for text, style in left], room)
        gap = width - right_cells - sum(cells(text) for text, _ in pieces)
        shown: list[Piece] = [*pieces, (" " * gap, self._style("plain"))]
        return strip([*shown, *((text, self._style(style)) for text, style in right)], width, base)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"line--{name}", partial=True)


class PaneTitle(OneLine):
    """The line above a pane."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the reader is.

    Attributes:
        citation, path: what `y` would copy, and the path it begins with.
        trail: the headings above.
    """

    citation: str
    path: str
    trail: tuple[str, ...]


class StatusLine(OneLine):
    """Citation and trail at the left; line, version, news and progress at the right."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._standing: Standing | None = None

    def stand(self, standing: Standing | None, right: Sequence[Word]) -> None:
        """Says where the reader is; nothing is drawn where it is the same."""
        if standing != self._standing:
            self._standing = standing
            self.refresh()
        self.say(self._left if standing is None else (), right)

    def words(self, width: int) -> tuple[Sequence[Word], Sequence[Word]]:
        """See `OneLine.words`."""
        right = self._fitting_right(width)
        if self._standing is None:
            return self._left, right
        room = width - sum(cells(text) for text, _ in right) - 2
        path = visible(self._standing.path)
        citation = fit_citation(visible(self._standing.citation), path, max(1, room))
        left: list[Word] = [(" " + citation, "strong")]
        # The trail's last heading stands in the citation already.
        trail = visible(TRAIL.join(self._standing.trail[:-1]))
        room -= cells(citation) + 3
        if trail and room >= 12:
            left.append(("   " + clip(trail, room), "dim"))
        return left, right


class KeyLine(OneLine):
    """The keys of the actions that make sense here."""

    def __init__(self, actions: Sequence[Action], *, id: str | None = None) -> None:  # noqa: A002 - Textual's
        super().__init__(id=id)
        self._actions = actions
        self._place: Place = "list"

    def at(self, place: Place) -> None:
        """Shows the keys of a place."""
        if place != self._place:
            self._place = place
            self.refresh()

    def words(self, width: int) -> tuple[Sequence[Word], Sequence[Word]]:
        """As many as there is room for; how to get help and out stays to the last."""
        shown = [action for action in self._actions if self._place in action.footer and action.first_key]
        last = [action for action in shown if action.name in {"help", "close", "quit"}]
        first = [action for action in shown if action not in last]
        words: list[Word] = []
        room = width - sum(_key_cells(action) for action in last)
        for action in first:
            room -= _key_cells(action)
            if room < 0:
                break
            words += _key_words(action)
        for action in last:
            words += _key_words(action)
        return words, ()


def _key_words(action: Action) -> list[Word]:
    return [(f" {action.first_key} ", "accent"), (f"{action.label} ", "dim")]


def _key_cells(action: Action) -> int:
    return cells(action.first_key) + cells(action.label) + 3


class Notice(Widget):
    """Some lines above the status line that go away by themselves, or with the next key.

    Every line is shown whole, wrapped as often as it takes.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"notice--title", "notice--text", "notice--bar"}
    SECONDS: ClassVar[float] = 6.0
    DEFAULT_CSS = """
    Notice { dock: bottom; height: auto; layer: above; display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._title = ""
        self._lines: list[str] = []
        self._rows: list[tuple[str, str]] = []
        self._shown = 0

    def tell(self, title: str, lines: Sequence[str] = (), *, warning: bool = False) -> None:
        """Says something.

        Args:
            title: in a few words.
            lines: what more; any text.
            warning: whether it is something that went wrong.
        """
        self._title, self._lines = visible(title), [visible(line) for line in lines]
        self.set_class(warning, "-warning")
        self.display = True
        self._shown += 1
        self.set_timer(self.SECONDS, lambda shown=self._shown: self._end(shown))
        self.refresh(layout=True)

    def clear(self) -> None:
        """Takes the notice away."""
        if self.display:
            self.display = False

    @property
    def text(self) -> str:
        """What is said, for tests and for whoever asks."""
        return "\n".join([self._title, *self._lines]) if self.display else ""

    def _end(self, shown: int) -> None:
        if shown == self._shown:
            self.clear()

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        """As many rows as the text takes, but for one row of the screen."""
        self._wrap(width)
        return max(1, min(len(self._rows), self.screen.size.height - 1))

    def _wrap(self, width: int) -> None:
        room = max(1, width - 3)
        self._rows = [(row, "title") for row in wrapped(self._title, room)]
        for line in self._lines:
            self._rows += [(row, "text") for row in wrapped(line, room)]

    def render_line(self, y: int) -> Strip:
        """One row."""
        width = self.size.width
        base = self.visual_style.rich_style
        if y >= len(self._rows):
            return Strip.blank(width, base)
        text, name = self._rows[y]
        bar = self.get_component_rich_style("notice--bar", partial=True)
        return strip(
            [("▌ ", bar), (text, self.get_component_rich_style(f"notice--{name}", partial=True))], width, base
        )
