"""Printing: results to standard output, everything else to standard error.

Text from documents, names and queries is made visible before it is printed (`printable`), in a pipe too;
only `raw` writes bytes as they are, and only where standard output is no terminal.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from stonebrowse.text.citations import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.errors import StonebrowseError

# DEL, C1, line separators and bidi controls; JSON itself escapes the rest.
OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
STYLES = {"strong": "1", "dim": "2", "match": "1;33", "name": "36", "bad": "31", "good": "32"}


class Output:
    """Where one run of the program prints."""

    def __init__(self) -> None:
        self.color = "auto"
        self.bare = False

    @property
    def terminal(self) -> bool:
        """Whether standard output is a terminal."""
        return sys.stdout.isatty()

    @property
    def controls(self) -> bool:
        """Whether the terminal understands control sequences."""
        return os.environ.get("TERM", "dumb") not in {"", "dumb"}

    @property
    def colored(self) -> bool:
        """Whether to print colours (no-color.org: an empty NO_COLOR counts as not set)."""
        if self.color == "auto":
            return self.terminal and not self.bare and self.controls and not os.environ.get("NO_COLOR")
        return self.color == "always"

    def style(self, text: str, style: str) -> str:
        """The text, made visible and, where colours are printed, in a style (an empty one is none)."""
        text = printable(text).replace("\n", "\\n").replace("\t", " ")
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if self.colored and text and style else text

    def line(self, *pieces: str) -> None:
        """Prints one line made of text that is safe already (styled, or stonebrowse's own)."""
        sys.stdout.write("".join(pieces) + "\n")

    def plain(self, text: str) -> None:
        """Prints one line of any text."""
        self.line(printable(text).replace("\n", "\\n"))

    def block(self, text: str) -> None:
        """Prints the text of a document: exact in a pipe, control characters made visible on a terminal."""
        if self.terminal:
            sys.stdout.write(printable(text.replace("\r\n", "\n")))
        else:
            self.raw(text.encode())

    def raw(self, data: bytes) -> None:
        """Writes bytes as they are."""
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def json(self, value: dict[str, Any]) -> None:
        """Prints one JSON object on one line, in it no character that a terminal would obey."""
        text = json.dumps(value, ensure_ascii=False)
        sys.stdout.write(OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")

    def table(self, rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> None:
        """Prints rows: in columns on a terminal; between tabs in a pipe, and with `--plain`.

        Args:
            rows: cells, of any text.
            right: numbers of the columns that are set right.
        """
        rows = [[printable(cell).replace("\n", "\\n").replace("\t", "\\t") for cell in row] for row in rows]
        if self.bare or not self.terminal:
            for row in rows:
                self.line("\t".join(row))
            return
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [
                cell.rjust(width) if index in right else cell.ljust(width)
                for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            self.line("  ".join(cells).rstrip())

    def warn(self, text: str) -> None:
        """Says something on standard error."""
        _to_stderr(f"stonebrowse: {printable(text)}\n")

    @staticmethod
    def failure(error: StonebrowseError, *, card: str | None, as_json: bool) -> None:
        """Says on standard error, in one line, why the program failed.

        Args:
            error: what happened.
            card: the card that explains it, if one does.
            as_json: one JSON object, in which the card's name stands in a field of its own too.
        """
        message = printable(error.message).replace("\n", " ")
        if card:
            message += f" (stonebrowse help {card})"
        if as_json:
            fault = {"code": error.code, "message": message} | ({"card": card} if card else {})
            _to_stderr(json.dumps({"error": fault}, ensure_ascii=False) + "\n")
        else:
            _to_stderr(f"stonebrowse: {error.code}: {message}\n")


def _to_stderr(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # closed: there is nobody to tell
        return
