"""The guide's table of keys is the list of actions."""

from __future__ import annotations

from stonebrowse.guide import folder
from stonebrowse.tui.actions import ACTIONS, grouped

BEGIN, END = "<!-- keys:begin -->", "<!-- keys:end -->"


def table() -> str:
    """The table as it has to stand in `keys.md`."""
    lines: list[str] = []
    for group, actions in grouped(ACTIONS):
        lines += ["", f"### {group}", "", "| keys | what it does | name in the settings |", "|---|---|---|"]
        for action in actions:
            keys = ", ".join(f"`{key}`" for key in action.shown_keys.split(", "))
            lines.append(f"| {keys} | {action.description} | `{action.name}` |")
    return "\n".join(lines) + "\n\n"


def test_the_guide_has_every_key() -> None:
    page = (folder() / "keys.md").read_text(encoding="utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0] == "\n" + table().removeprefix("\n")
