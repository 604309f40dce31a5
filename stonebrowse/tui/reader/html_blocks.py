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
    source_line = begin = first_line
    last = first_line + content.rstrip("\n").count("\n")
    for piece in _PIECE.findall(content):
        if not any(writer.lines):
            begin = source_line
        if len(piece) > 1 and piece.startswith("<"):
            tag = " ".join(piece.split())
            if tag.startswith("<!--"):
                writer.lines[-1].append(Span(visible(tag), "html"))
            else:
                writer.tag(tag)
            source_line += piece.count("\n")
            continue
        for index, text in enumerate(piece.split("\n")):
            if index:
                _flush(stretch, writer, (begin, min(source_line, last)), lines)
                source_line += 1
                begin = source_line
            shown = html.unescape(text)
            writer.text(shown if writer.lines[-1] else shown.lstrip())
    _flush(stretch, writer, (begin, min(source_line, last)), lines)
    return lines


def _flush(stretch: Stretch, writer: InlineWriter, source: tuple[int, int], lines: list[Line]) -> None:
    start, end = stretch.byte_of_line(source[0]), stretch.byte_of_line(source[1] + 1)
    lines.extend(Line(spans, start, end) for spans in writer.lines if plain(spans).strip())
    writer.lines = [[]]


def source_lines(stretch: Stretch, first_line: int, content: str) -> list[Line]:
    """Lines as they stand, as HTML source."""
    lines: list[Line] = []
    for index, text in enumerate(content.removesuffix("\n").split("\n")):
        if text.strip():
            line = first_line + index
            start, end = stretch.byte_of_line(line), stretch.byte_of_line(line + 1)
            lines.append(Line([Span(visible(expand_tabs(text)), "html")], start, end, wrap="cells"))
    return lines
