"""HTML blocks, shown plainly: their text, with images and links as elsewhere, without the tags around it."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from stonebrowse.tui.reader.inlines import InlineWriter, plain
from stonebrowse.tui.reader.model import Line, Span
from stonebrowse.tui.reader.safety import expand_tabs, visible

if TYPE_CHECKING:
    from stonebrowse.tui.reader.stretches import Stretch

_PIECE: Final = re.compile(r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>|<[!?][^<>]*>|[^<]+|<", re.DOTALL)
_VERBATIM: Final = re.compile(r"\s*<(?:!|\?|script|style|pre|textarea)", re.IGNORECASE)


def html_lines(stretch: Stretch, first_line: int, content: str) -> list[Line]:
    """The lines of an HTML block. Tags whose meaning is known are not shown, lines of nothing else left out.

    A block of nothing but such tags (``<div align="center">``, ``</details>``) has no lines: it shows nothing
    anywhere else, too.
    """
    if _VERBATIM.match(content):
        return source_lines(stretch, first_line, content)
    lines: list[Line] = []
    writer = InlineWriter(None, 0, 0)
    source_line = first_line
    for piece in _PIECE.findall(content):
        if piece.startswith("<!--"):
            writer.lines[-1].append(Span(visible(" ".join(piece.split())), "html"))
            source_line += piece.count("\n")
        elif piece.startswith("<") and len(piece) > 1:
            writer.tag(" ".join(piece.split()))
            source_line += piece.count("\n")
        else:
            first, *others = html.unescape(piece).split("\n") if "&#10" not in piece else piece.split("\n")
            writer.text(first if writer.lines[-1] else first.lstrip())
            for other in others:
                _flush(stretch, writer, source_line, lines)
                source_line += 1
                writer.text(other.lstrip())
    _flush(stretch, writer, source_line, lines)
    return lines


def _flush(stretch: Stretch, writer: InlineWriter, source_line: int, lines: list[Line]) -> None:
    start = stretch.byte_of_line(source_line)
    lines.extend(Line(spans, start) for spans in writer.lines if plain(spans).strip())
    writer.lines = [[]]


def source_lines(stretch: Stretch, first_line: int, content: str) -> list[Line]:
    """Lines as they stand, as HTML source."""
    return [
        Line(
            [Span(visible(expand_tabs(text)), "html")], stretch.byte_of_line(first_line + index), wrap="cells"
        )
        for index, text in enumerate(content.removesuffix("\n").split("\n"))
        if text.strip()
    ]
