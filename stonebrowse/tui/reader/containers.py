"""What stands around blocks: quotes, callouts, lists and their items, footnotes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.tui.reader.model import Span
from stonebrowse.tui.reader.safety import cells, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

_BULLETS: Final = ("•", "◦", "▪")
_QUOTE_BAR: Final = "▎ "
_CALLOUT_BAR: Final = "┃ "
_CALLOUT: Final = re.compile(r"\[!([A-Za-z][A-Za-z-]*)\][+-]?[ \t]*(.*)")
# The kinds of GitHub and of Obsidian.
_CALLOUT_STYLES: Final = {
    **dict.fromkeys(("note", "info", "abstract", "summary", "todo", "quote", "cite"), "note"),
    **dict.fromkeys(("tip", "hint", "success", "check", "done"), "tip"),
    **dict.fromkeys(("important", "example", "question", "faq"), "important"),
    **dict.fromkeys(("warning", "attention"), "warning"),
    **dict.fromkeys(("caution", "danger", "error", "bug", "failure"), "caution"),
}
_TASK: Final = re.compile(r"\[([ xX])\](?=[ \t\n])[ \t]?")


@dataclass(slots=True)
class Container:
    """A quote, a list, a list item or a footnote around what is written.

    Attributes:
        rest: prefix of each row in it.
        first: prefix of its first row, until that is written; then None.
        style: style of all text in it.
        tight: for a list and its items: no space between blocks.
        number: for an ordered list: the next number; else -1.
        digits: for an ordered list: cells of its longest number.
        mark: for an ordered list: what follows the number.
        depth: for a bullet list: how many there are, counted from outside; else 0.
        line: where it begins.
    """

    rest: tuple[Span, ...] = ()
    first: tuple[Span, ...] | None = None
    style: str = ""
    tight: bool = False
    number: int = -1
    digits: int = 0
    mark: str = ""
    depth: int = 0
    line: int = 0


class Callout(NamedTuple):
    """The first line of a quote that is a callout (`> [!NOTE] Title`).

    Attributes:
        name: its kind, as it is shown.
        style: style of its bar and title.
        title: what is written beside the kind, as Markdown.
        rest: what stands below it in the same paragraph, as Markdown.
    """

    name: str
    style: str
    title: str
    rest: str


def callout(tokens: Sequence[Token], quote: int) -> Callout | None:
    """The callout that a quote is, if it is one."""
    if quote + 2 >= len(tokens) or tokens[quote + 1].type != "paragraph_open":
        return None
    content = tokens[quote + 2].content
    found = _CALLOUT.match(content)
    if not found:
        return None
    kind = found[1]
    return Callout(
        name=visible(kind.upper().replace("-", " ")),
        style=_CALLOUT_STYLES.get(kind.lower(), "note"),
        title=found[2].strip(),
        rest=content[found.end() :].lstrip("\n"),
    )


def quote_container(found: Callout | None, line: int) -> Container:
    """A quote, or a callout."""
    bar = (Span(_CALLOUT_BAR, found.style) if found else Span(_QUOTE_BAR, "quote-bar"),)
    return Container(bar, bar, style="" if found else "quote", line=line)


def list_container(tokens: Sequence[Token], index: int, around: Sequence[Container]) -> Container:
    """The list that a token opens.

    Tight or loose is said by the first paragraph that stands directly in one of its items.
    """
    token = tokens[index]
    tight, seen, count, at = True, False, 0, index + 1
    while tokens[at].level > token.level:
        inner = tokens[at]
        if inner.level == token.level + 1 and inner.type == "list_item_open":
            count += 1
        elif not seen and inner.level == token.level + 2 and inner.type == "paragraph_open":
            tight, seen = inner.hidden, True
        at += 1
    if token.type != "ordered_list_open":
        return Container(tight=tight, depth=sum(outer.depth > 0 for outer in around) + 1)
    start = int(token.attrs.get("start", 1))
    mark = token.markup if token.markup in {".", ")"} else "."
    return Container(tight=tight, number=start, digits=len(str(start + count - 1)), mark=mark)


def item_container(tokens: Sequence[Token], index: int, around: Container) -> Container:
    """The list item that a token opens; its number is counted in the list `around`."""
    if around.number >= 0:
        mark = Span(f"{around.number:>{around.digits}}{around.mark} ", "bullet")
        around.number += 1
    else:
        bullet = _BULLETS[(around.depth - 1) % len(_BULLETS)]
        mark = _task_mark(tokens, index) or Span(bullet + " ", "bullet")
    blank = Span(" " * cells(mark.text))
    line = (tokens[index].map or (0, 0))[0]
    return Container((blank,), (mark,), tight=around.tight, line=line)


def _task_mark(tokens: Sequence[Token], index: int) -> Span | None:
    """The box of a task, taken out of the item's text."""
    if index + 2 >= len(tokens) or tokens[index + 1].type != "paragraph_open":
        return None
    inline = tokens[index + 2]
    if inline.meta.get("task") is None:
        found = _TASK.match(inline.content)
        inline.meta["task"] = found[1].lower() if found else ""
        if found:
            inline.content = inline.content[found.end() :]
    task = inline.meta["task"]
    if not task:
        return None
    return Span("[ ] ", "task-open") if task == " " else Span("[x] ", "task-done")


def footnote_container(token: Token) -> Container:
    """The footnote that a token opens, under its own label."""
    label = Span(visible(f"[^{token.meta['label']}] "), "footnote-label")
    line = (token.map or (0, 0))[0]
    return Container((Span("  "),), (label,), line=line)
