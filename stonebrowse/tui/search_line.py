"""The search line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from textual.widgets import Input

if TYPE_CHECKING:
    from textual import events

# One blank for each, so that the cursor stays where it is.
NOT_TYPED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
LONGEST = 4096


class Line(Input):
    """A line to type in that holds nothing but what can be shown."""

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(placeholder=placeholder, id=id, compact=True, max_length=LONGEST)
        # A blinking cursor sends bytes for ever.
        self.cursor_blink = False

    def validate_value(self, value: str) -> str:
        """The value with blanks where control characters were pasted."""
        return NOT_TYPED.sub(" ", value)

    def _on_paste(self, event: events.Paste) -> None:
        """Takes all lines of what is pasted as one: a citation may have been wrapped by a terminal."""
        event.stop()
        event.prevent_default()
        text = NOT_TYPED.sub(" ", event.text)[:LONGEST]
        self.replace(text, *sorted((self.selection.start, self.selection.end)))
