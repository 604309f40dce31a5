"""What belongs to no block: front matter, definitions, parts of endless blocks, what could not be parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.tui.reader.code_lines import code_line, write_code
from stonebrowse.tui.reader.model import Line, Span
from stonebrowse.tui.reader.safety import expand_tabs, visible

if TYPE_CHECKING:
    from stonebrowse.tui.reader.code import Highlighter
    from stonebrowse.tui.reader.writing import Writer


def write_endless(writer: Writer, kind: str) -> None:
    """A part of a fence or HTML block that is too long to be read as one."""
    stretch = writer.stretch
    for line in range(stretch.line_count):
        text = expand_tabs(stretch.line_text(line))
        start, end = stretch.byte_of_line(line), stretch.byte_of_line(line + 1)
        if kind == "fence":
            writer.write(code_line([(text, "")], start, end))
        else:
            writer.write(Line([Span(visible(text), "html")], start, end, wrap="cells"))


def write_front_matter(writer: Writer, highlighter: Highlighter, *, is_open: bool) -> None:
    """Front matter, folded to a line, or whole."""
    stretch = writer.stretch
    count = stretch.front_lines
    if writer.low < count:
        title = f" · {visible(stretch.front_title)}" if stretch.front_title else ""
        text = f"{'▾' if is_open else '▸'} front matter{title} · {count} lines"
        writer.write(Line([Span(text, "front-matter")], stretch.byte_of_line(0), wrap="clip"))
        if is_open:
            source = [expand_tabs(stretch.line_text(line)) for line in range(1, count - 1)]
            language = "toml" if stretch.line_text(0).lstrip("\ufeff").startswith("+++") else "yaml"
            write_code(writer, source, language, (1, count), highlighter)
    writer.need_pad = True


def write_between(writer: Writer, first: int, last: int) -> None:
    """Lines that belong to no block: definitions, folded to a line; others as they stand."""
    definitions = [lines for lines in writer.stretch.definition_lines if first <= lines[0] < last]
    line = first
    for begin, end in definitions:
        _write_source(writer, line, begin)
        line = max(line, end)
    _write_source(writer, line, last)
    if definitions:
        _fold(writer, definitions[0][0], len(definitions))


def _write_source(writer: Writer, first: int, last: int) -> None:
    stretch = writer.stretch
    lines = [line for line in range(first, last) if stretch.line_text(line).strip()]
    for line in lines:
        if writer.low <= line < writer.high:
            if line == lines[0]:
                writer.separate(line)
            text = visible(expand_tabs(stretch.line_text(line)))
            start, end = stretch.byte_of_line(line), stretch.byte_of_line(line + 1)
            writer.write(Line([Span(text)], start, end, wrap="cells"))
    if lines:
        writer.need_pad = True


def _fold(writer: Writer, line: int, count: int) -> None:
    if writer.low <= line < writer.high:
        writer.separate(line)
        text = "⋯ 1 link definition" if count == 1 else f"⋯ {count} link definitions"
        writer.write(Line([Span(text, "definition")], writer.stretch.byte_of_line(line), wrap="clip"))
    writer.need_pad = True
