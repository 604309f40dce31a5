"""Blocks of a stretch → logical lines of one chunk.

`render` walks the block tokens of what is parsed together and writes only what may stand in the chunk; blocks
and containers around it give their context: the bars of quotes, the indent and number of list items, the widths
of a table's columns. The layout keeps the rows that begin in the chunk, so that the chunks of a document
together show each row of it once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from stonebrowse.tui.reader.grammar import parse_inlines
from stonebrowse.tui.reader.html_blocks import html_lines, source_lines
from stonebrowse.tui.reader.inlines import InlineWriter, plain
from stonebrowse.tui.reader.model import Line, Span
from stonebrowse.tui.reader.safety import cells, expand_tabs, visible
from stonebrowse.tui.reader.table_blocks import read_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markdown_it.token import Token

    from stonebrowse.tui.reader.code import Highlighter, Pieces
    from stonebrowse.tui.reader.stretches import Stretch
    from stonebrowse.tui.reader.tables import Table

_BULLETS: Final = ("•", "◦", "▪")
_QUOTE_BAR: Final = "▎ "
_CALLOUT_BAR: Final = "┃ "
_CODE_INDENT: Final = "  "
_CODE_WRAP: Final = "↪ "
_CALLOUT: Final = re.compile(r"\[!([A-Za-z][A-Za-z-]*)\][+-]?[ \t]*(.*)")
_CALLOUT_STYLES: Final = {
    "note": "note", "info": "note", "abstract": "note", "summary": "note", "todo": "note",
    "tip": "tip", "hint": "tip", "success": "tip", "check": "tip", "done": "tip", "example": "important",
    "important": "important", "question": "important", "faq": "important", "quote": "note", "cite": "note",
    "warning": "warning", "attention": "warning", "caution": "caution", "danger": "caution", "error": "caution",
    "bug": "caution", "failure": "caution",
}  # fmt: skip
_TASK: Final = re.compile(r"\[([ xX])\](?=[ \t\n])[ \t]?")
_LIST_OPENS: Final = frozenset({"bullet_list_open", "ordered_list_open"})


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


@dataclass(slots=True)
class _Container:
    """A quote, a list or a list item around what is written.

    Attributes:
        rest: prefix of each row in it.
        first: prefix of its first row, until that is written; then None.
        style: style of all text in it.
        tight: for a list: no space between its items.
        number: for an ordered list: the next number.
        digits: for an ordered list: cells of its longest number.
        mark: for an ordered list: what follows the number.
        depth: for a list: how many bullet lists are around it.
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


def render(stretch: Stretch, start: int, end: int, context: Context, *, is_first: bool) -> list[Line | Table]:
    """The lines of a stretch that may have rows beginning in [start, end), byte offsets of the document.

    Args:
        stretch: what is parsed together.
        start: where the chunk begins.
        end: where it ends.
        context: what is needed beside the text.
        is_first: whether nothing of the document stands above the stretch.
    """
    return _Renderer(stretch, start, end, context, is_first=is_first).run()


class _Renderer:
    def __init__(self, stretch: Stretch, start: int, end: int, context: Context, *, is_first: bool) -> None:
        self._stretch = stretch
        self._low = stretch.line_at(start)
        self._high = stretch.line_at(max(end - 1, start)) + 1
        self._context = context
        self._containers: list[_Container] = []
        self._need_pad = not is_first
        self.lines: list[Line | Table] = []

    # ------------------------------------------------------------------ the stretch

    def run(self) -> list[Line | Table]:
        stretch = self._stretch
        if stretch.inside:
            self._inside()
            return self.lines
        line = 0
        if stretch.front_lines:
            self._front_matter()
            line = stretch.front_lines
        if stretch.torn and stretch.blocks:
            self._need_pad = False
        for block in stretch.blocks:
            if block.first_line > line:
                self._between(line, block.first_line)
            if block.last_line > self._low and block.first_line < self._high:
                self._blocks(block.first_token, block.last_token)
            else:
                self._need_pad = True
            line = block.last_line
        self._between(line, stretch.line_count)
        return self.lines

    def _inside(self) -> None:
        """A part of a fence or HTML block that is too long to be read as one."""
        stretch = self._stretch
        kind = stretch.inside.kind if stretch.inside else ""
        for line in range(stretch.line_count):
            text = expand_tabs(stretch.line_text(line))
            start = stretch.byte_of_line(line)
            if kind == "fence":
                self._write(self._code_line([(text, "")], start))
            else:
                self._write(Line([Span(visible(text), "html")], start, wrap="cells"))

    def _front_matter(self) -> None:
        stretch = self._stretch
        count = stretch.front_lines
        if self._low < count:
            title = ""
            for line in range(1, min(count, 200)):
                found = re.match(r"""title\s*[:=]\s*["']?(.*?)["']?\s*$""", stretch.line_text(line))
                if found:
                    title = f" · {visible(found[1])}"
                    break
            mark = "▾" if self._context.front_matter_open else "▸"
            lines = "line" if count == 1 else "lines"
            text = f"{mark} front matter{title} · {count} {lines}"
            self._write(Line([Span(text, "front-matter")], stretch.byte_of_line(0)))
            if self._context.front_matter_open:
                source = [expand_tabs(stretch.line_text(line)) for line in range(1, count - 1)]
                language = "toml" if stretch.line_text(0).lstrip("\ufeff").startswith("+++") else "yaml"
                self._code(source, language, 1)
        self._need_pad = True

    def _between(self, first: int, last: int) -> None:
        """Lines that belong to no block: definitions (folded), or what could not be parsed (as source)."""
        stretch = self._stretch
        line = first
        for begin, end in [*stretch.definition_lines, (last, last)]:
            if begin < line or begin > last:
                continue
            self._unparsed(line, begin)
            line = begin
            if end > begin:
                line = end
        if line > first or first < last:
            self._fold(first, last)

    def _unparsed(self, first: int, last: int) -> None:
        stretch = self._stretch
        lines = [line for line in range(first, last) if stretch.line_text(line).strip()]
        for index, line in enumerate(lines):
            if self._low <= line < self._high:
                if not index:
                    self._separate(line)
                text = visible(expand_tabs(stretch.line_text(line)))
                self._write(Line([Span(text)], stretch.byte_of_line(line), wrap="cells"))
            self._need_pad = True

    def _fold(self, first: int, last: int) -> None:
        """A run of definitions as one line."""
        inside = [lines for lines in self._stretch.definition_lines if first <= lines[0] < last]
        if not inside:
            return
        line = inside[0][0]
        if self._low <= line < self._high:
            self._separate(line)
            text = "⋯ 1 link definition" if len(inside) == 1 else f"⋯ {len(inside)} link definitions"
            self._write(Line([Span(text, "definition")], self._stretch.byte_of_line(line)))
        self._need_pad = True

    # ------------------------------------------------------------------ blocks

    def _blocks(self, index: int, last: int) -> None:
        tokens = self._stretch.tokens
        while index < last:
            token = tokens[index]
            kind = token.type
            if kind == "blockquote_open":
                index = self._open_quote(index)
            elif kind in _LIST_OPENS:
                self._open_list(index)
            elif kind == "list_item_open":
                index = self._open_item(index)
            elif kind == "footnote_reference_open":
                self._open_footnote(token)
            elif kind in {"blockquote_close", "bullet_list_close", "ordered_list_close", "footnote_reference_close"}:
                self._close()
            elif kind == "list_item_close":
                self._close_item()
            elif kind == "table_open":
                index = self._table(index)
            elif token.map and (kind in {"paragraph_open", "heading_open"}):
                self._text_block(token, index + 1)
                index += 2
            elif token.map:
                self._leaf(token)
            index += 1

    def _leaf(self, token: Token) -> None:
        first, last = token.map or (0, 0)
        if self._skips(first, last):
            return
        if token.type == "fence":
            language = token.info.split(maxsplit=1)[0].strip("{}.") if token.info.strip() else ""
            closed = self._fence_lines(token)
            self._separate(first, label=language)
            self._code(closed, language, first + 1)
        elif token.type == "code_block":
            self._separate(first)
            self._code(token.content.removesuffix("\n").split("\n"), "", first)
        elif token.type == "hr":
            self._separate(first)
            self._write(Line([], self._byte(first), rule="─", fill="rule"))
        elif token.type == "html_block":
            self._separate(first)
            for line in html_lines(self._stretch, first, last, token.content):
                self._write(line)
        elif token.content:
            self._separate(first)
            for line in source_lines(self._stretch, first, token.content):
                self._write(line)
        self._need_pad = True

    def _skips(self, first: int, last: int) -> bool:
        """Whether a block is outside of the chunk; then what it would have written is taken as written."""
        if last > self._low and first < self._high:
            return False
        self._need_pad = True
        for container in self._containers:
            container.first = None
        return True

    def _text_block(self, token: Token, content: int) -> None:
        first, last = token.map or (0, 0)
        if self._skips(first, last):
            return
        heading = int(token.tag[1]) if token.type == "heading_open" else 0
        style = f"heading-{heading}" if heading else ""
        if not (token.hidden and self._tight()):
            self._separate(first)
        groups = self._inline(content, first, last, style)
        start = self._byte(first)
        end = self._byte(last)
        mark = (Span("#" * heading + " ", f"{style} heading-mark"),) if heading else ()
        hang = (Span(" " * (heading + 1)),) if heading else ()
        for index, spans in enumerate(groups):
            begin = next((span.at for span in spans if span.at >= 0), start if not index else -1)
            line = Line(spans, begin if begin >= 0 else start, end, mark if not index else hang, hang)
            self._write(line)
        if heading in {1, 2}:
            rule = Line([], start, rule="━" if heading == 1 else "─", fill="heading-rule")
            self._write(rule)
        self._need_pad = True

    def _inline(self, index: int, first: int, last: int, style: str) -> list[list[Span]]:
        """The spans of a block's content; a hard break begins another list."""
        stretch = self._stretch
        kept = stretch.spans.get(index)
        if kept is None:
            content = stretch.tokens[index].content
            tokens = parse_inlines(content, self._context.env)
            kept = InlineWriter(stretch, first, last, style).write(tokens)
            stretch.spans[index] = kept
        return kept

    # ------------------------------------------------------------------ code

    def _fence_lines(self, token: Token) -> list[str]:
        return token.content.removesuffix("\n").split("\n")

    def _code(self, texts: Sequence[str], language: str, first: int) -> None:
        pieces = self._context.highlighter.highlighted("\n".join(texts), language) if language else None
        for index, text in enumerate(texts):
            line = first + index
            if self._low <= line < self._high or index == 0:
                own: Pieces = [(text, "")]
                if pieces and index < len(pieces):
                    own = pieces[index]
                self._write(self._code_line(own, self._byte(line)))

    @staticmethod
    def _code_line(pieces: Pieces, start: int) -> Line:
        spans: list[Span] = []
        column = 0
        for text, style in pieces:
            shown = visible(expand_tabs(text, column))
            column += len(shown)
            if shown:
                spans.append(Span(shown, f"code-block {style}" if style else "code-block"))
        return Line(
            spans,
            start,
            first=(Span(_CODE_INDENT, "code-block"),),
            rest=(Span(_CODE_WRAP, "code-block code-wrap"),),
            wrap="cells",
            fill="code-block",
        )

    # ------------------------------------------------------------------ containers

    def _open_quote(self, index: int) -> int:
        """A quote or a callout; answers the last token that is done with."""
        tokens = self._stretch.tokens
        first, last = tokens[index].map or (0, 0)
        inner = tokens[index + 2] if index + 2 < len(tokens) and tokens[index + 1].type == "paragraph_open" else None
        found = _CALLOUT.match(inner.content) if inner else None
        if last > self._low and first < self._high:
            self._separate(first)
        self._need_pad = False
        if not found or not inner:
            self._containers.append(_Container((Span(_QUOTE_BAR, "quote-bar"),), style="quote"))
            return index
        kind = found[1]
        style = _CALLOUT_STYLES.get(kind.lower(), "note")
        self._containers.append(_Container((Span(_CALLOUT_BAR, style),)))
        return self._callout(index + 1, kind, style, found)

    def _callout(self, paragraph: int, kind: str, style: str, found: re.Match[str]) -> int:
        """The title of a callout, and what stands below it in the same paragraph."""
        tokens = self._stretch.tokens
        first, last = tokens[paragraph].map or (0, 0)
        inline = paragraph + 1
        title = found[2].strip()
        if self._skips(first, last):
            return paragraph + 2
        name = visible(kind.upper().replace("-", " "))
        spans = [Span(name, style)]
        if title:
            titles = InlineWriter(None, 0, 0, style).write(parse_inlines(title, self._context.env))
            spans.extend([Span(" · ", style), *titles[0]])
        self._write(Line(spans, self._byte(first)))
        rest = tokens[inline].content[found.end() :].lstrip("\n")
        if rest:
            kept = self._stretch.spans.get(inline)
            if kept is None:
                writer = InlineWriter(self._stretch, min(first + 1, last - 1), last)
                kept = self._stretch.spans[inline] = writer.write(parse_inlines(rest, self._context.env))
            for group in kept:
                begin = next((span.at for span in group if span.at >= 0), self._byte(first + 1))
                self._write(Line(group, begin, self._byte(last)))
        self._need_pad = bool(rest)
        return paragraph + 2

    def _open_list(self, index: int) -> None:
        tokens = self._stretch.tokens
        token = tokens[index]
        first, last = token.map or (0, 0)
        tight, count, at = True, 0, index + 1
        # Tight or loose is said by the first paragraph that stands directly in an item.
        seen = False
        while tokens[at].level > token.level:
            inner = tokens[at]
            if inner.level == token.level + 1 and inner.type == "list_item_open":
                count += 1
            elif not seen and inner.level == token.level + 2 and inner.type == "paragraph_open":  # noqa: PLR2004
                tight, seen = inner.hidden, True
            at += 1
        if not self._tight() and last > self._low and first < self._high:
            self._separate(first)
        if self._tight():
            self._need_pad = False
        container = _Container(tight=tight)
        if token.type == "ordered_list_open":
            container.number = int(token.attrs.get("start", 1))
            container.mark = token.markup if token.markup in {".", ")"} else "."
            container.digits = len(str(container.number + count - 1))
        else:
            container.depth = sum(1 for outer in self._containers if outer.depth or outer.mark == "bullet") + 1
        self._containers.append(container)
        if not tight:
            self._need_pad = False

    def _open_item(self, index: int) -> int:
        around = self._containers[-1]
        token = self._stretch.tokens[index]
        first, last = token.map or (0, 0)
        visible_here = last > self._low and first < self._high
        if not around.tight and self._need_pad and visible_here:
            self._separate(first)
        self._need_pad = False
        if around.number >= 0:
            text = f"{around.number:>{around.digits}}{around.mark} "
            around.number += 1
            mark = Span(text, "bullet")
        else:
            mark = self._task_mark(index) or Span(_BULLETS[(around.depth - 1) % len(_BULLETS)] + " ", "bullet")
        blank = Span(" " * cells(mark.text))
        own = (mark,) if first >= self._low else None
        self._containers.append(_Container((blank,), own, tight=around.tight, line=first))
        return index

    def _task_mark(self, index: int) -> Span | None:
        """The box of a task, taken out of the item's text."""
        tokens = self._stretch.tokens
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

    def _close_item(self) -> None:
        self._write_empty()
        self._containers.pop()
        self._need_pad = True

    def _write_empty(self) -> None:
        """The mark of an item or a footnote in which nothing was written."""
        inner = self._containers[-1]
        if inner.first is not None and self._low <= inner.line < self._high:
            self._write(Line([], self._byte(inner.line)))

    def _open_footnote(self, token: Token) -> None:
        first, last = token.map or (0, 0)
        if last > self._low and first < self._high:
            self._separate(first)
        self._need_pad = False
        label = Span(visible(f"[^{token.meta['label']}] "), "footnote-label")
        self._containers.append(_Container((Span("  "),), (label,) if first >= self._low else None, line=first))

    def _close(self) -> None:
        self._write_empty()
        self._containers.pop()
        self._need_pad = True

    def _tight(self) -> bool:
        return bool(self._containers) and self._containers[-1].tight

    # ------------------------------------------------------------------ tables

    def _table(self, index: int) -> int:
        tokens = self._stretch.tokens
        first, last = tokens[index].map or (0, 0)
        at = index
        while tokens[at].type != "table_close":
            at += 1
        if self._skips(first, last):
            return at
        self._separate(first)
        table = read_table(self._stretch, index, at, self._low, self._high, self._context.env)
        table.first = self._prefix()
        table.rest = self._prefix()
        self.lines.append(table)
        self._need_pad = True
        return at

    # ------------------------------------------------------------------ writing

    def _byte(self, line: int) -> int:
        return self._stretch.byte_of_line(line)

    def _separate(self, line: int, label: str = "") -> None:
        """Space above a block that begins at `line`, where there is something above it."""
        if not self._need_pad or self._tight():
            return
        self._need_pad = False
        if line < self._low:
            return
        prefix = [span for container in self._containers for span in container.rest]
        while prefix and not prefix[-1].text.strip():
            prefix.pop()
        spans = [Span(visible(label), "code-label")] if label else []
        if label:
            prefix = [span for container in self._containers for span in container.rest]
        self.lines.append(Line(spans, self._byte(line), first=tuple(prefix), pad=True))

    def _prefix(self) -> tuple[Span, ...]:
        spans: list[Span] = []
        for container in self._containers:
            if container.first is not None:
                spans.extend(container.first)
                container.first = None
            else:
                spans.extend(container.rest)
        return tuple(spans)

    def _write(self, line: Line) -> None:
        style = " ".join(container.style for container in self._containers if container.style)
        if style:
            line.spans = [span._replace(style=f"{style} {span.style}".strip()) for span in line.spans]
        if self._containers:
            line.first = (*self._prefix(), *line.first)
            line.rest = (*(span for container in self._containers for span in container.rest), *line.rest)
        self.lines.append(line)


def text_of(lines: Sequence[Line | Table]) -> str:
    """The text of lines, for tests: prefixes and tables left out."""
    return "\n".join(plain(line.spans) for line in lines if isinstance(line, Line))
