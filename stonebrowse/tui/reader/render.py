"""Blocks of a stretch → logical lines of one chunk.

`render` walks the block tokens of what is parsed together and writes only what may stand in the chunk. What
is around the chunk gives its context: the bars of quotes, the indent and number of list items, the widths of
a table's columns. The layout keeps the rows that begin in the chunk, so that the chunks of a document
together show each row of it once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from stonebrowse.tui.reader.code_lines import write_code
from stonebrowse.tui.reader.containers import (
    callout,
    footnote_container,
    item_container,
    list_container,
    quote_container,
)
from stonebrowse.tui.reader.grammar import parse_inlines
from stonebrowse.tui.reader.html_blocks import html_lines
from stonebrowse.tui.reader.inlines import InlineWriter
from stonebrowse.tui.reader.model import Line, Span
from stonebrowse.tui.reader.outside import write_between, write_endless, write_front_matter
from stonebrowse.tui.reader.table_blocks import read_table
from stonebrowse.tui.reader.writing import RULED, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from markdown_it.token import Token

    from stonebrowse.tui.reader.code import Highlighter
    from stonebrowse.tui.reader.containers import Callout
    from stonebrowse.tui.reader.stretches import Stretch
    from stonebrowse.tui.reader.tables import Table

_CLOSES: Final = frozenset(
    {
        "blockquote_close",
        "bullet_list_close",
        "ordered_list_close",
        "list_item_close",
        "footnote_reference_close",
    }
)


@dataclass(slots=True)
class Context:
    """What rendering needs beside the text.

    Attributes:
        env: what inline content may refer to (`grammar.parse_inlines`).
        highlighter: code → colours.
        front_matter_open: whether front matter is shown whole.
    """

    env: Mapping[str, Any]
    highlighter: Highlighter
    front_matter_open: bool = False


def render(stretch: Stretch, start: int, end: int, context: Context, *, is_first: bool) -> list[Line | Table]:
    """The lines of a stretch that may have rows beginning in [start, end), byte offsets of the document.

    Args:
        stretch: what is parsed together.
        start: where the chunk begins.
        end: where it ends.
        context: what is needed beside the text.
        is_first: whether nothing of the document stands above the stretch.
    """
    low = stretch.line_at(start)
    high = stretch.line_at(max(end - 1, start)) + 1
    writer = Writer(stretch, low, high, is_first=is_first)
    if stretch.inside:
        write_endless(writer, stretch.inside.kind)
        return writer.lines
    line = 0
    if stretch.front_lines:
        write_front_matter(writer, context.highlighter, is_open=context.front_matter_open)
        line = stretch.front_lines
    if stretch.torn:
        writer.need_pad = False
    blocks = _Blocks(writer, context)
    for block in stretch.blocks:
        if block.first_line > line:
            write_between(writer, line, block.first_line)
        if block.last_line > low and block.first_line < high:
            blocks.write(block.first_token, block.last_token)
        else:
            writer.pass_by(stretch.tokens[block.first_token])
        line = block.last_line
    write_between(writer, line, stretch.line_count)
    return writer.lines


class _Blocks:
    """Writes block tokens. A handler answers the last token that is done with."""

    def __init__(self, writer: Writer, context: Context) -> None:
        self._writer = writer
        self._stretch = writer.stretch
        self._tokens = writer.stretch.tokens
        self._context = context
        self._handlers: dict[str, Callable[[int], int]] = {
            "paragraph_open": self._text,
            "heading_open": self._text,
            "fence": self._fence,
            "code_block": self._code_block,
            "hr": self._rule,
            "html_block": self._html,
            "table_open": self._table,
            "blockquote_open": self._quote,
            "bullet_list_open": self._list,
            "ordered_list_open": self._list,
            "list_item_open": self._item,
            "footnote_reference_open": self._footnote,
        }

    def write(self, index: int, last: int) -> None:
        """The tokens from `index` to before `last`."""
        while index < last:
            kind = self._tokens[index].type
            handler = self._handlers.get(kind)
            if handler:
                index = handler(index)
            elif kind in _CLOSES:
                self._writer.close()
            index += 1

    def _map(self, index: int) -> tuple[int, int]:
        first, last = self._tokens[index].map or (0, 0)
        return first, last

    # ------------------------------------------------------------------ blocks of text

    def _text(self, index: int) -> int:
        token, writer = self._tokens[index], self._writer
        first, last = self._map(index)
        if writer.skips(token):
            return index + 2
        heading = int(token.tag[1]) if token.type == "heading_open" else 0
        style = f"heading-{heading}" if heading else ""
        content = None
        if first < self._stretch.lead_lines:  # its beginning was shown by the chunk above
            content = "\n".join(
                self._tokens[index + 1].content.split("\n")[self._stretch.lead_lines - first :]
            )
            first = self._stretch.lead_lines
            writer.go_on()
        elif not (token.hidden and writer.tight):
            writer.separate(first, always=bool(heading))
        start, end = self._stretch.byte_of_line(first), self._stretch.byte_of_line(last)
        mark = (Span("#" * heading + " ", f"{style} heading-mark"),) if heading else ()
        hang = (Span(" " * (heading + 1)),) if heading else ()
        for number, spans in enumerate(self._inline(index + 1, first, last, style, content)):
            begin = self._begin(spans, start) if number else start
            writer.write(Line(spans, begin, end, mark if not number else hang, hang))
        if token.tag in RULED:
            writer.write(Line([], start, rule=RULED[token.tag], fill="heading-rule"))
        writer.need_pad = token.tag not in RULED
        return index + 2

    def _inline(
        self, index: int, first: int, last: int, style: str, content: str | None = None
    ) -> list[list[Span]]:
        """The spans of a block's content; a hard break begins another list."""
        kept = self._stretch.spans.get(index)
        if kept is None:
            source = self._tokens[index].content if content is None else content
            tokens = parse_inlines(source, self._context.env)
            kept = InlineWriter(self._stretch, first, last, style).write(tokens)
            self._stretch.spans[index] = kept
        return kept

    def _begin(self, spans: list[Span], otherwise: int) -> int:
        """Where a line that is not the first of its block begins: with the line of the source, if it can."""
        at = next((span.at for span in spans if span.at >= 0), -1)
        if at < 0:
            return otherwise
        before = self._writer.lines[-1] if self._writer.lines else None
        line = self._stretch.byte_of_line(self._stretch.line_at(at))
        return line if before is None or before.start < line else at

    def _fence(self, index: int) -> int:
        token = self._tokens[index]
        if not self._writer.skips(token):
            first, last = self._map(index)
            language = token.info.split(maxsplit=1)[0].strip("{}.") if token.info.strip() else ""
            self._writer.separate(first, label=language)
            self._code(token, language, (first + 1, last))
        return index

    def _code_block(self, index: int) -> int:
        token = self._tokens[index]
        if not self._writer.skips(token):
            first, last = self._map(index)
            self._writer.separate(first)
            self._code(token, "", (first, last))
        return index

    def _code(self, token: Token, language: str, lines: tuple[int, int]) -> None:
        texts = token.content.removesuffix("\n").split("\n")
        write_code(self._writer, texts, language, lines, self._context.highlighter)
        self._writer.need_pad = True

    def _rule(self, index: int) -> int:
        if not self._writer.skips(self._tokens[index]):
            first, _ = self._map(index)
            self._writer.separate(first)
            self._writer.write(Line([], self._stretch.byte_of_line(first), rule="─", fill="rule"))
            self._writer.need_pad = True
        return index

    def _html(self, index: int) -> int:
        token = self._tokens[index]
        if self._writer.skips(token):
            return index
        first, _ = self._map(index)
        lines = html_lines(self._stretch, first, token.content)
        if lines:
            self._writer.separate(first)
            for line in lines:
                self._writer.write(line)
            self._writer.need_pad = True
        return index

    def _table(self, index: int) -> int:
        at = index
        while self._tokens[at].type != "table_close":
            at += 1
        writer = self._writer
        if not writer.skips(self._tokens[index]):
            writer.separate(self._map(index)[0])
            writer.write_table(
                read_table(self._stretch, index, at, writer.low, writer.high, self._context.env)
            )
        return at

    # ------------------------------------------------------------------ containers

    def _quote(self, index: int) -> int:
        writer = self._writer
        if writer.is_inside(self._tokens[index]):
            writer.separate(self._map(index)[0])
        writer.need_pad = False
        found = callout(self._tokens, index)
        writer.containers.append(quote_container(found, self._map(index)[0]))
        return self._callout(index + 1, found) if found else index

    def _callout(self, index: int, found: Callout) -> int:
        """The title of a callout, and what stands below it in the same paragraph."""
        writer, stretch = self._writer, self._stretch
        if writer.skips(self._tokens[index]):
            writer.need_pad = bool(found.rest)
            return index + 2
        first, last = self._map(index)
        spans = [Span(found.name, found.style)]
        if found.title:
            tokens = parse_inlines(found.title, self._context.env)
            spans.append(Span(" · ", found.style))
            spans.extend(InlineWriter(None, 0, 0, found.style).write(tokens)[0])
        writer.write(Line(spans, stretch.byte_of_line(first), stretch.byte_of_line(first + 1)))
        if found.rest:
            below = min(first + 1, last - 1)
            for group in self._inline(index + 1, below, last, "", found.rest):
                begin = self._begin(group, stretch.byte_of_line(below))
                writer.write(Line(group, begin, stretch.byte_of_line(last)))
        writer.need_pad = bool(found.rest)
        return index + 2

    def _list(self, index: int) -> int:
        writer = self._writer
        if writer.tight:
            writer.need_pad = False
        elif writer.is_inside(self._tokens[index]):
            writer.separate(self._map(index)[0])
        writer.containers.append(list_container(self._tokens, index, writer.containers))
        writer.need_pad = False
        return index

    def _item(self, index: int) -> int:
        writer = self._writer
        first, _ = self._map(index)
        if writer.is_inside(self._tokens[index]):
            writer.separate(first)
        writer.need_pad = False
        around = writer.containers[-1]
        writer.containers.append(item_container(self._tokens, index, around))
        return index

    def _footnote(self, index: int) -> int:
        writer, token = self._writer, self._tokens[index]
        first, _ = self._map(index)
        if writer.is_inside(token):
            writer.separate(first)
        writer.need_pad = False
        writer.containers.append(footnote_container(token))
        return index
