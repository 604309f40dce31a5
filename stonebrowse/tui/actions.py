"""The one list of actions: bindings, footer, palette, help screen and the guide's table come from it.

An action's name is what the settings know it by: `[keys]` maps names to keys (`next_hit = "ctrl+n"`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Group = Literal["Move", "Search", "Panes", "Page", "Copy", "Browser"]
Place = Literal["search", "list", "document"]

CHOOSING: frozenset[Place] = frozenset({"search", "list"})
DOCUMENT: frozenset[Place] = frozenset({"document"})
READING: frozenset[Place] = frozenset({"list", "document"})
NOWHERE: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a person can do in the browser.

    Attributes:
        name: what the settings and the code call it.
        keys: its keys as Textual names them, or single characters; commas between.
        label: one or two words, for the footer.
        description: what it does, for the palette, the help screen and the guide.
        group: under which heading it stands there.
        footer: where the focus must be for the footer to show it.
        local: it starts, writes or sets something on the machine: not done for a web page.
    """

    name: str
    keys: str
    label: str
    description: str
    group: Group
    footer: frozenset[Place] = NOWHERE
    local: bool = False

    @property
    def shown_keys(self) -> str:
        """Its keys as people write them: `s, Ctrl+F`."""
        return ", ".join(map(shown_key, split_keys(self.keys)))

    @property
    def first_key(self) -> str:
        """The first of its keys as people write it; empty where it has none."""
        keys = split_keys(self.keys)
        return shown_key(keys[0]) if keys else ""


ACTIONS: tuple[Action, ...] = (
    Action("search", "s,ctrl+f", "search", "Search the library", "Search", READING),
    Action("find", "/", "in page", "Find in this page", "Search", DOCUMENT),
    Action("next_hit", "n", "next", "Go to the next match in the page, or to the next hit", "Search"),
    Action(
        "previous_hit",
        "N",
        "previous",
        "Go to the previous match in the page, or to the previous hit",
        "Search",
    ),
    Action("earlier_query", "ctrl+up", "earlier", "Bring back an earlier query", "Search"),
    Action(
        "later_query", "ctrl+down", "later", "Go on to a later query, at last to what you typed", "Search"
    ),
    Action("narrow", "w", "within", "Search within this file, then its folder, then everywhere", "Search"),
    Action(
        "ask",
        "i",
        "ask",
        "Ask a model of yours, which answers from the library with citations",
        "Search",
        local=True,
    ),
    Action("open", "enter", "open", "Open what the cursor is on, or follow the link", "Page", CHOOSING),
    Action("down", "j,down", "down", "One row or line down", "Move"),
    Action("up", "k,up", "up", "One row or line up", "Move"),
    Action("half_page_down", "d", "half down", "Half a page down", "Move"),
    Action("half_page_up", "u", "half up", "Half a page up", "Move"),
    Action("page_down", "space,pagedown", "page down", "One page down", "Move"),
    Action("page_up", "b,pageup", "page up", "One page up", "Move"),
    Action("top", "g,home", "top", "Go to the beginning", "Move"),
    Action("bottom", "G,end", "end", "Go to the end; after a number, to that line", "Move"),
    Action("next_heading", "]", "next heading", "Go to the next heading", "Move"),
    Action("previous_heading", "[", "previous heading", "Go to the previous heading", "Move"),
    Action("right", "l,right", "right", "Unfold the folder; scroll a wide page to the right", "Move"),
    Action("left", "h,left", "left", "Fold the folder or go to it; scroll a wide page to the left", "Move"),
    Action("files", "t", "files", "Show the files; once more, the hits", "Panes", READING),
    Action("outline", "o", "outline", "Go to the outline", "Panes", READING),
    Action("next_pane", "tab", "next pane", "Go to the next pane", "Panes"),
    Action("previous_pane", "shift+tab", "previous pane", "Go to the previous pane", "Panes"),
    Action("versions", "v", "versions", "List the versions of this page", "Panes"),
    Action(
        "compare", "D", "compare", "Compare this version with the newest, or with the one before", "Panes"
    ),
    Action("review", "R", "review", "Review what changed since you last looked", "Panes"),
    Action("alone", "z", "page alone", "Show the page alone, or with its panes", "Panes"),
    Action("copy_citation", "y", "cite", "Copy the citation of this passage", "Copy", READING),
    Action("copy_quote", "Y", "quote", "Copy the passage as a quote with its citation", "Copy"),
    Action("copy_source", "c", "source", "Copy the passage's Markdown", "Copy"),
    Action("collect", "a", "collect", "Put the citation of this passage into the tray", "Copy"),
    Action("tray", "A", "tray", "Show the tray: reorder it, copy it, write it to a file", "Copy"),
    Action("copy_token", "x", "token", "Copy a token that stands for exactly these words", "Copy"),
    Action("edit", "e", "edit", "Open the file in your editor, at the line", "Page", READING, local=True),
    Action("links", "f", "links", "Number the visible links; a number and Enter follows one", "Page"),
    Action("back", "H,backspace", "back", "Go back to where you were", "Page"),
    Action("forward", "L", "forward", "Go forward again", "Page"),
    Action("mark", "m", "mark", "Mark this place with a letter", "Page"),
    Action("go_to_mark", "'", "go to mark", "Go to a marked place, where it stands now", "Page"),
    Action("follow", "F", "follow", "Stay at the end of a file that grows, until you move up", "Page"),
    Action("raw", "r", "source", "Show the Markdown source with line numbers, or the page", "Page"),
    Action("entities", "E", "entities", "List, search and read entities and what they cite", "Panes"),
    Action("who_cites", "W", "who cites", "List the entities that cite this file", "Panes"),
    Action("confirm", "C", "confirm", "Confirm or drop citations of what was edited", "Panes"),
    Action("palette", ":,ctrl+p", "go to", "Go to a citation, a path, a line, or run any action", "Browser"),
    Action("help", "?,f1", "help", "Show all keys and how to search", "Browser", READING),
    Action("themes", "T", "themes", "Choose a theme, seen while you choose", "Browser", local=True),
    Action("mouse", "M", "mouse", "Leave the mouse to the terminal, or take it back", "Browser"),
    Action("close", "escape", "close", "Close what is open; never quits", "Browser", frozenset({"search"})),
    Action("quit", "q", "quit", "Quit", "Browser", READING),
)
"""Every action, in the order in which footer, palette and help show them."""

GROUPS: tuple[Group, ...] = ("Search", "Move", "Panes", "Page", "Copy", "Browser")
"""The headings of help and guide, in their order."""

NOT_IN_A_PAGE = "Not in a web page: start stonebrowse in a terminal for that"
"""What is said of a local action in a web page."""

KEY_NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "tab": "Tab",
    "backspace": "Backspace",
    "delete": "Del",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "comma": ",",
}
KEY = re.compile(r"(?:(?:ctrl|shift|alt|super|hyper|meta)\+)*(?:[a-z][a-z0-9_]*|\S)\Z")


def split_keys(keys: str) -> list[str]:
    """The single keys of `"s,ctrl+f"`. A comma itself is called `comma`."""
    return [key.strip() for key in keys.split(",") if key.strip()]


def shown_key(key: str) -> str:
    """A key as people write it: `ctrl+f` is `Ctrl+F`, `space` is `Space`."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    name = KEY_NAMES.get(last) or (last.upper() if modifiers or re.fullmatch(r"f\d+", last) else last)
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])


def with_keys(keys: Mapping[str, str]) -> tuple[tuple[Action, ...], list[str]]:
    """The actions with a person's own keys, and what was wrong with those.

    A key that is given to an action is taken from every other that had it by default.

    Args:
        keys: action → keys, as the settings hold them.

    Returns:
        The actions in their order, and one sentence for each fault. What is at fault changes nothing.
    """
    faults: list[str] = []
    own: dict[str, list[str]] = {}
    names = [action.name for action in ACTIONS]
    for name, string in keys.items():
        if name not in names:
            near = get_close_matches(name, names, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            faults.append(f"keys.{name} is no action of the browser{meant}")
            continue
        wrong = [key for key in split_keys(string) if not KEY.match(key)]
        if wrong:
            faults.append(f'keys.{name} = "{string}" names no key: write it as "x", "ctrl+x" or "f5"')
            continue
        own[name] = split_keys(string)
    taken: dict[str, str] = {}
    for name, list_of_keys in own.items():
        for key in list_of_keys:
            if key in taken:
                faults.append(
                    f"keys.{name} and keys.{taken[key]} both ask for {shown_key(key)}; {taken[key]} has it"
                )
            taken.setdefault(key, name)
    return tuple(_rekeyed(action, own, taken) for action in ACTIONS), faults


def _rekeyed(action: Action, own: Mapping[str, list[str]], taken: Mapping[str, str]) -> Action:
    keys = own.get(action.name, split_keys(action.keys))
    return replace(action, keys=",".join(key for key in keys if taken.get(key, action.name) == action.name))


def grouped(actions: Iterable[Action]) -> list[tuple[Group, list[Action]]]:
    """The actions under their headings, in the order of `GROUPS`."""
    listed = list(actions)
    return [(group, [action for action in listed if action.group == group]) for group in GROUPS]
