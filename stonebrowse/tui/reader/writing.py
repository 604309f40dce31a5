"""The lines of one chunk as they are written, with the prefixes of what is around them and space between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stonebrowse.tui.reader.html_blocks import html_lines
from stonebrowse.tui.reader.model import Line, Span
from stonebrowse.tui.reader.safety import visible

if TYPE_CHECKING:
    from markdown_it.token import Token

    from stonebrowse.tui.reader.containers import Container
    from stonebrowse.tui.reader.stretches import Stretch
    from stonebrowse.tui.reader.tables import Table

RULED: Final = {"h1": "━", "h2": "─"}
"""Headings with a rule below them, which is space enough."""


class Writer:
    """Writes the lines of a chunk.

    Args:
        stretch: what the chunk is in.
        low: the chunk's first line in the stretch.
        high: the line after its last.
        is_first: whether nothing of the document stands above the stretch.

    Attributes:
        lines: what was written.
        containers: what is open, outermost first.
        need_pad: whether the next block is to have space above it.
    """

    def __init__(self, stretch: Stretch, low: int, high: int, *, is_first: bool) -> None:
        self.stretch = stretch
        self.low = low
        self.high = high
        self.lines: list[Line | Table] = []
        self.containers: list[Container] = []
        self.need_pad = not is_first
        self._above = not is_first  # whether anything stands above

    def is_inside(self, token: Token) -> bool:
        """Whether a block has lines in the chunk."""
        first, last = token.map or (0, 0)
        return last > self.low and first < self.high

    def skips(self, token: Token) -> bool:
        """Whether a block is outside of the chunk; then what it would have written is taken as written."""
        if self.is_inside(token):
            return False
        self.pass_by(token)
        return True

    def pass_by(self, token: Token) -> None:
        """Go on as if a block had been written."""
        if token.type == "html_block" and not html_lines(
            self.stretch, (token.map or (0, 0))[0], token.content
        ):
            return
        self.need_pad = token.tag not in RULED
        self.go_on()

    def go_on(self) -> None:
        """Go on inside a block that begins further up: nothing is the first row of anything."""
        self._above = True
        for container in self.containers:
            container.first = None

    @property
    def tight(self) -> bool:
        """Whether blocks stand here without space between them."""
        return bool(self.containers) and self.containers[-1].tight

    def separate(self, line: int, label: str = "", *, always: bool = False) -> None:
        """Space above a block that begins at `line`, where there is something above it.

        Args:
            line: of the stretch.
            label: what stands in that space: the language of code.
            always: also below the rule of a heading.
        """
        below_rule = (always or bool(label)) and self._above and not self.containers
        if not (self.need_pad or below_rule) or self.tight:
            return
        self.need_pad = False
        if line < self.low:
            return
        prefix = [span for container in self.containers for span in container.rest]
        while not label and prefix and not prefix[-1].text.strip():
            prefix.pop()
        spans = [Span(visible(label), "code-label")] if label else []
        self.lines.append(Line(spans, self.stretch.byte_of_line(line), first=tuple(prefix), pad=True))

    def write(self, line: Line) -> None:
        """A line, with the prefixes of what is open."""
        style = " ".join(container.style for container in self.containers if container.style)
        if style:
            line.spans = [span._replace(style=f"{style} {span.style}".strip()) for span in line.spans]
        if self.containers:
            line.first = (*self._prefix(), *line.first)
            line.rest = (*(span for container in self.containers for span in container.rest), *line.rest)
        self._above = True
        self.lines.append(line)

    def write_table(self, table: Table) -> None:
        """A table, with the prefixes of what is open."""
        first, table.rest = self._prefix(), self._prefix()
        table.first = first if table.head else table.rest
        self._above = self.need_pad = True
        self.lines.append(table)

    def _prefix(self) -> tuple[Span, ...]:
        spans: list[Span] = []
        for container in self.containers:
            if container.first is not None:
                spans.extend(container.first)
                container.first = None
            else:
                spans.extend(container.rest)
        return tuple(spans)

    def close(self) -> None:
        """The innermost container ends; one in which nothing was written shows its mark."""
        inner = self.containers[-1]
        if inner.first is not None and self.low <= inner.line < self.high:
            self.write(Line([], self.stretch.byte_of_line(inner.line)))
        self.containers.pop()
        self.need_pad = True
