"""What the go-to prompt offers for what was typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from stonebrowse.tui.painting import PLAIN, clipped, tail
from stonebrowse.tui.reader.safety import cells, visible
from stonebrowse.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.tui.actions import Action
    from stonebrowse.tui.painting import Piece

Kind = Literal["line", "reference", "action", "file", "theme"]

MOST_FILES = 100
# What only a citation or an ID has in it.
REFERENCE_SIGNS = (" § ", " (Line ", "chunk:", "version:", "file:", "f_", "v_", "p_")


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be done.

    Attributes:
        kind: what it is.
        value: the line, the reference, the action's or theme's name, the path.
        title: what is shown; `hint`: at the right of it.
    """

    kind: Kind
    value: str
    title: str
    hint: str = ""


def choices(
    text: str, actions: Sequence[Action], paths: Sequence[str], themes: Sequence[str]
) -> list[Choice]:
    """What fits a text, the likeliest first.

    Args:
        text: what was typed or pasted.
        actions: every action.
        paths: every path of the library.
        themes: the names of the themes.
    """
    wanted = text.strip()
    words = wanted.casefold().split()
    doable = [
        Choice("action", action.name, action.description, action.shown_keys)
        for action in actions
        if _fits(words, f"{action.label} {action.description} {action.name}".casefold())
    ]
    if not wanted:
        return doable
    found: list[Choice] = []
    if wanted.isascii() and wanted.isdigit():
        found.append(Choice("line", wanted, f"Go to line {wanted}"))
    reference = Choice("reference", text, f"Open {wanted}", "citation, ID or path")
    sure = any(sign in text for sign in REFERENCE_SIGNS)
    if sure:
        found.append(reference)
    found += doable
    found += [
        Choice("theme", name, f"Theme {name}", "theme")
        for name in themes
        if _fits(words, f"theme {name}".casefold())
    ]
    files = 0
    for path in paths:
        if _fits(words, path.casefold()):
            found.append(Choice("file", path, path, "file"))
            files += 1
            if files == MOST_FILES:
                break
    return found if sure else [*found, reference]


def _fits(words: Sequence[str], text: str) -> bool:
    return all(word in text for word in words)


class Choices(Rows):
    """The list below the go-to prompt."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.choices: Sequence[Choice] = ()

    @property
    def choice(self) -> Choice | None:
        """What is under the cursor."""
        return self.choices[self.cursor] if self.cursor < len(self.choices) else None

    def show(self, found: Sequence[Choice]) -> None:
        """Offers something else, the first under the cursor."""
        self.choices = found
        self.changed()
        self.place_cursor(0)

    def count(self) -> int:
        """See `Rows.count`."""
        return len(self.choices)

    def draw(self, index: int, line: int, width: int) -> list[Piece]:  # noqa: ARG002 - one line a row
        """See `Rows.draw`."""
        choice = self.choices[index]
        hint = visible(choice.hint)
        room = width - 2
        if cells(hint) > room // 2:
            hint = ""
        title = visible(choice.title)
        left = room - cells(hint) - 2
        shown = tail(title, left) if choice.kind == "file" else title
        (text, style), *_ = clipped([(shown, PLAIN)], left) or [("", PLAIN)]
        gap = " " * max(1, room - cells(text) - cells(hint))
        return [(" " + text, style), (gap + hint, self.style("dim"))]
