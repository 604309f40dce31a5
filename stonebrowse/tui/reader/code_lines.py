"""A block of code as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stonebrowse.tui.reader.model import Line, Span
from stonebrowse.tui.reader.safety import expand_tabs, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.tui.reader.code import Highlighter, Pieces
    from stonebrowse.tui.reader.writing import Writer

_INDENT: Final = "  "
_WRAPPED: Final = "↪ "


def write_code(
    writer: Writer, texts: Sequence[str], language: str, lines: tuple[int, int], highlighter: Highlighter
) -> None:
    """Those lines of a block of code that are in the chunk.

    Args:
        writer: where to.
        texts: all lines of the block.
        language: as the fence names it, or "".
        lines: the first one's line in the stretch, and the line after the block.
        highlighter: colours.
    """
    pieces = highlighter.highlighted("\n".join(texts), language) if language else None
    first, last = lines
    for index, text in enumerate(texts):
        line = min(first + index, max(last - 1, 0))  # an empty fence may end with what it stands in
        if writer.low <= line < writer.high or index == 0:
            own: Pieces = pieces[index] if pieces and index < len(pieces) else [(text, "")]
            stretch = writer.stretch
            writer.write(code_line(own, stretch.byte_of_line(line), stretch.byte_of_line(line + 1)))


def code_line(pieces: Pieces, start: int, end: int) -> Line:
    """One line of code, in coloured pieces, and where its source begins and ends."""
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
        end,
        first=(Span(_INDENT, "code-block"),),
        rest=(Span(_WRAPPED, "code-block code-wrap"),),
        wrap="cells",
        fill="code-block",
    )
