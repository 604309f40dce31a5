"""The fast scanner: which lines of a document are headings of its own level, and which blocks hide lines.

It answers where it is certain, and hands over to markdown-it-py the stretch around what it is not certain of.
What it relies on, with the places of CommonMark 0.31.2 behind it:

- Only ATX headings, setext underlines, fences and HTML blocks matter, each indented by at most 3 spaces.
- A container needs an indent of 2 (a list item, 5.2) or 4 (a footnote), a quote its `>` (5.1). So an ATX
  heading, a fence, or an HTML block that may interrupt a paragraph, indented by less than 2, stands at the
  document's own level whatever is above it, unless a fence or an HTML block there is still open.
- A line is *fresh* where what is above it cannot matter to the headings below: the line after a finished
  block, a line in column 0 after a blank line, a bullet in column 0. A list item among them may belong to a
  list that began above; what is inside it is the same.
- `# a | b` above a table's delimiter row is a table to markdown-it-py, and a list item never is.
"""

from __future__ import annotations

import functools
import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.text import authority
from stonebrowse.text.html_blocks import HtmlEnd, html_end
from stonebrowse.text.lines import LINE_END

if TYPE_CHECKING:
    from collections.abc import Iterator

# Bytes. A longer stretch is not handed over: what is doubtful in it opens no section and hides nothing.
HAND_OVER_AT_MOST = 1 << 18
_DEFINITIONS_AT_MOST = 1 << 20

# The lookahead that comes first is only for speed: most lines end there.
_CANDIDATE = re.compile(
    rb"\n(?= {0,3}[#`~<=-])( {0,3})(?:"
    rb"(#{1,6})(?:[ \t][^|\n]*)?(?=\n)"
    rb"|(`{3,})[^`|\n]*(?=\n)|(~{3,})[^|\n]*(?=\n)"
    rb"|(<)"
    rb"|(=+|-+)[ \t]*(?=\n)"
    rb"|(#{1,6}(?=[ \t])|`{3,}(?=[^`\n]*\n)|~{3,}))"
)
# Its groups. The last is an ATX heading or a fence with a bar in its line: it may be the head of a table.
_INDENT, _ATX, _BACKTICKS, _TILDES, _HTML, _UNDERLINE, _BARRED = range(1, 8)

_BLANK = re.compile(rb"[ \t]*\n")
_BLANK_LINE = re.compile(rb"\n[ \t]*\n")
_AFTER_BLANK = re.compile(rb"\n[ \t]*\n(?=[^ \t\n])")
_FRESH = re.compile(rb"\n(?:[ \t]*\n(?=[^ \t\n])|(?=[-+*] {1,4}[^ \t\n]))")
_NEXT_FRESH = re.compile(rb"\n(?:[ \t]*\n(?=[^ \t\n])|(?=#{1,6}[ \t\n]))")
_DELIMITER_ROW = re.compile(rb"\n[ \t]*[-:|][-:| \t]*\n")
_LIST_MARKER = re.compile(rb"\n {0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t\n]")
_PLAIN_ITEM = re.compile(rb"(?:[-+*]|[0-9]{1,9}[.)]) {1,4}(?![ \t\n])")
_RULE = re.compile(rb"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})\n")
_QUOTE = re.compile(rb" {0,3}>")
# How a line of a paragraph can begin, in column 0, without beginning anything else.
_HARMLESS = re.compile(
    rb"[A-Za-z\x80-\xff\"'(!,./;?@&$%^{}\])\\\0-\x08\x0b-\x1f\x7f]"
    rb"|\*+[^ \t\n*]|_+[^ \t\n_]|\++[^ \t\n+]|-[^ \t\n-]|`{1,2}[^`]|~{1,2}[^~]"
    rb"|[0-9]+(?![0-9.)])|[0-9]+[.)][^ \t\n]"
)


class Found(NamedTuple):
    """A heading, or a block that hides what is in it.

    Attributes:
        level: 1 to 6 for a heading; 0 for a fence or an HTML block.
        start: the byte offset of its first line.
        end: the byte offset after its last line.
        content: a heading's inline source, with blanks at its ends.
    """

    level: int
    start: int
    end: int
    content: str


def find(text: bytes, start: int, end: int) -> Iterator[Found]:
    """The headings, fences and HTML blocks of the document's own level, in order.

    Args:
        text: a text.
        start: where Markdown begins in it, or any line of it above which no block is open.
        end: the end of the text, or the beginning of another such line.
    """
    return _Scanner(text, start, end).run()


def pieces(text: bytes, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """A text cut where a block of the document's own level is certain to begin: see `find` for the arguments.

    Yields:
        Where a piece begins, where it ends, and whether it is one heading, fence or HTML block.
    """
    return _Scanner(text, start, end).pieces()


def definitions(text: bytes, start: int, end: int) -> authority.Env:
    """The link and footnote definitions of a document: see `find` for the arguments."""
    env: authority.Env = {}
    if text.find(b"]:", start, end) >= 0:
        for first, last, single in pieces(text, start, end):
            if not single and text.find(b"]:", first, last) >= 0 and last - first <= _DEFINITIONS_AT_MOST:
                authority.blocks(authority.source_of(text[first:last]), env)
    return env


class _Scanner:
    """One pass over one text.

    It works on a copy in which every line end is one LF, with one LF in front and one at the end, so that
    each line stands between two and one regular expression finds the lines that matter. Positions are those
    of the copy until they are handed out.
    """

    def __init__(self, text: bytes, start: int, end: int) -> None:
        copy = b"".join((b"\n", memoryview(text)[start:end], b"\n"))
        if b"\r" in copy:
            # CRLF becomes a space and LF, so that everything keeps its place.
            copy = copy.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
        self._copy = copy
        self._text = text
        self._end = end
        self._shift = start - 1
        self._at = 0  # where the search goes on: an LF
        self._fresh = 1  # the last line known to be fresh
        self._searched = 0  # how far fresh lines have been looked for
        self._floor = 0  # before this a bullet is not known to be fresh
        self._marker = -1  # the last LF known to stand before a list marker
        self._marker_searched = 0  # how far list markers have been looked for
        self._item = (0, 0, 0)  # a fresh line, the width of the item there, how far all lines are inside it
        self._blank = (0, 0)  # an LF, and the LF before the first blank line after it
        self._certain = -1  # an opener that the authority found at the document's own level
        self._hopeless = 0  # before this the authority has failed

    def run(self) -> Iterator[Found]:
        """All that is found, in order."""
        search, copy = _CANDIDATE.search, self._copy
        while found := search(copy, self._at):
            kind, line = found.lastindex or 0, found.start() + 1
            if kind == _ATX and found.end(_INDENT) - line < 2:
                yield self._heading(found, line, found.end(_ATX), found.end())
            elif kind == _UNDERLINE:
                yield from self._underline(found, line)
            elif kind == _HTML:
                yield from self._html(found, line)
            elif (own := self._own_level(found, line)) is None:
                yield from self._hand_over(found, line)
            elif not own:
                self._at = found.end()
            elif copy.startswith(b"#", found.end(_INDENT)):
                marks_end = found.end(kind)
                yield self._heading(found, line, marks_end, copy.find(b"\n", marks_end))
            else:
                yield self._finish(line, self._fence_end(found))

    def pieces(self) -> Iterator[tuple[int, int, bool]]:
        """The text cut where a block of the document's own level is certain to begin.

        Yields:
            Where a piece begins, where it ends, and whether it is one heading, fence or HTML block.
        """
        start = 1
        for found in chain(self.run(), [Found(0, self._end, self._end, "")]):
            block = found.start - self._shift
            for boundary in _AFTER_BLANK.finditer(self._copy, start - 1, block):
                # A list item here may belong to a list that began before the blank line.
                if not _LIST_MARKER.match(self._copy, boundary.end() - 1):
                    yield start + self._shift, boundary.end() + self._shift, False
                    start = boundary.end()
            if start < block:
                yield start + self._shift, found.start, False
            start = found.end - self._shift
            if block < start:
                yield found.start, start + self._shift, True

    def _heading(self, found: re.Match[bytes], line: int, marks_end: int, line_end: int) -> Found:
        """An ATX heading (4.2)."""
        content = self._copy[marks_end:line_end].strip(b" \t")
        if content.endswith(b"#"):
            unclosed = content.rstrip(b"#")
            if not unclosed or unclosed.endswith((b" ", b"\t")):
                content = unclosed
        return self._finish(line, line_end + 1, marks_end - found.end(_INDENT), content.decode())

    def _finish(self, line: int, after: int, level: int = 0, content: str = "") -> Found:
        """Go on after a block that is certain, and make it a find."""
        self._at, self._fresh = after - 1, after
        # The copy may have one more line end than the text.
        return Found(level, line + self._shift, min(after + self._shift, self._end), content)

    def _heads_table(self, line: int) -> bool:
        """Whether a line may be the head of a table: it holds `|` and stands above a delimiter row."""
        end = self._copy.find(b"\n", line)
        return self._copy.find(b"|", line, end) >= 0 and _DELIMITER_ROW.match(self._copy, end) is not None

    def _last_fresh(self, line: int) -> int:
        """The last line at or before `line` that is known to be fresh."""
        for boundary in _FRESH.finditer(self._copy, max(self._searched, self._fresh - 1), line):
            if boundary.end() >= self._floor and not self._heads_table(boundary.end()):
                self._fresh = boundary.end()
        self._searched = line - 1
        return self._fresh

    def _own_level(self, found: re.Match[bytes], line: int) -> bool | None:
        """Whether a candidate that may interrupt a paragraph is outside of all lists; None in doubt."""
        if line == self._certain:
            return True
        if found.lastindex in (_BARRED, _HTML) and self._heads_table(line):
            return None
        indent = found.end(_INDENT) - line
        if indent < 2:
            return True
        fresh = self._last_fresh(line)
        marker = _LIST_MARKER.search(self._copy, max(self._marker_searched, fresh - 1), line)
        self._marker_searched = line - 1
        if marker:
            self._marker = marker.start()
        if self._marker < fresh - 1:
            return True
        width = self._item_width(line)
        return None if width is None else indent < width

    def _item_width(self, line: int) -> int | None:
        """The indent of the list item that all lines from the last fresh one to `line` are in, if certain."""
        copy, fresh = self._copy, self._last_fresh(line)
        if self._item[0] != fresh:
            item = _PLAIN_ITEM.match(copy, fresh)
            plain = item and not _RULE.match(copy, fresh) and not self._heads_table(fresh)
            self._item = (fresh, item.end() - fresh if item and plain else 0, fresh)
        _, width, known = self._item
        if not width:
            return None
        outside = _outside(width).search(copy, known, line)
        self._item = (fresh, width, outside.start() if outside else line - 1)
        # `line` itself need not be inside; its line end is the last that is looked at.
        return width if self._item[2] >= line - 1 else None

    def _fence_end(self, found: re.Match[bytes]) -> int:
        """Where the line after a fenced code block begins (4.5): after its closing fence, or the end."""
        fence = found[found.lastindex or 0]
        closing = _closing_fence(fence).search(self._copy, found.end())
        return closing.end() if closing else len(self._copy)

    def _html(self, found: re.Match[bytes], line: int) -> Iterator[Found]:
        """A line that begins with `<` (4.6)."""
        copy = self._copy
        line_end = copy.find(b"\n", found.end())
        end = html_end(copy[found.start(_HTML) : line_end])
        own = end is not None and self._own_level(found, line)
        if own is None:
            yield from self._hand_over(found, line)
        elif end is None or not own:
            self._at = found.end()
        elif end is HtmlEnd.BLANK_NO_INTERRUPT and not self._no_paragraph_above(line):
            blank = self._blank_line(line_end)
            if _CANDIDATE.search(copy, line_end, blank + 1):
                yield from self._hand_over(found, line)
            else:  # block or not, it hides nothing and is over at the blank line
                self._at = self._floor = blank
        elif isinstance(end, HtmlEnd):
            yield self._finish(line, self._blank_line(line_end) + 1)
        else:
            mark = end.search(copy, found.start(_HTML))
            yield self._finish(line, copy.find(b"\n", mark.end()) + 1 if mark else len(copy))

    def _blank_line(self, at: int) -> int:
        """The LF before the first blank line after the LF at `at`, or the last LF."""
        if not self._blank[0] <= at <= self._blank[1]:
            found = _BLANK_LINE.search(self._copy, at)
            self._blank = (at, found.start() if found else len(self._copy) - 1)
        return self._blank[1]

    def _no_paragraph_above(self, line: int) -> bool:
        """Whether it is certain that no paragraph is open above a line."""
        return line in (self._certain, self._fresh) or bool(_BLANK.match(self._copy, self._line_above(line)))

    def _line_above(self, line: int) -> int:
        return self._copy.rfind(b"\n", 0, line - 1) + 1

    def _underline(self, found: re.Match[bytes], line: int) -> Iterator[Found]:
        """A line of `=` or `-` only (4.3): an underline, a rule, a list item, or text."""
        copy, top = self._copy, line
        while top > self._fresh:
            above = self._line_above(top)
            if _BLANK.match(copy, above):
                break
            if not _HARMLESS.match(copy, above):
                # Below a quote, or in a list item, there is no paragraph of the document's own to underline.
                if top < line or not (_QUOTE.match(copy, above) or self._item_width(line)):
                    yield from self._hand_over(found, line)
                    return
                break
            top = above
        if top == line:
            self._at = found.end()
        elif copy.find(b"|", top, line) >= 0:
            yield from self._hand_over(found, line)
        else:
            level = 1 if found[_UNDERLINE].startswith(b"=") else 2
            content = authority.source_of(self._text[top + self._shift : line + self._shift])
            yield self._finish(top, found.end() + 1, level, content)

    def _hand_over(self, found: re.Match[bytes], line: int) -> Iterator[Found]:
        """Ask the authority about the stretch around a doubtful candidate, and go on after it."""
        if line < self._hopeless:
            self._at = found.end()
            return
        # A heading or a fence indented by less than 2 is where a block begins, even if that is a table.
        begins = found.lastindex not in (_HTML, _UNDERLINE) and found.end(_INDENT) - line < 2
        start = line if begins else self._last_fresh(line)
        after = self._next_fresh(self._copy.find(b"\n", found.end()))
        first, last = start + self._shift, min(after + self._shift, self._end)
        blocks = None
        if last - first <= HAND_OVER_AT_MOST:
            blocks = authority.blocks(authority.source_of(self._text[first:last]))
        if blocks is None:
            self._hopeless = after
            self._at = found.end()
            return
        lines = [first, *(ended.end() for ended in LINE_END.finditer(self._text, first, last))]
        if lines[-1] < last:
            lines.append(last)
        self._at, self._fresh = after - 1, after
        for block in blocks:
            begin, end = lines[block.first], lines[block.after]
            if block.level:
                yield Found(block.level, begin, end, block.content)
            elif block.kind in ("fence", "html_block"):
                if end == last:
                    # It may reach further: what ends it is for the scanner to find.
                    self._certain = self._fresh = begin - self._shift
                    self._at = self._certain - 1
                    return
                yield Found(0, begin, end, "")

    def _next_fresh(self, at: int) -> int:
        """The first fresh line after the LF at `at`, if nothing that hides it is open; or the end."""
        for boundary in _NEXT_FRESH.finditer(self._copy, at):
            line = boundary.end()
            if self._copy.startswith(b"#", line) or not self._heads_table(line):
                return line
        return len(self._copy)


@functools.lru_cache(maxsize=64)
def _closing_fence(opening: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\n {0,3}%b{%d,}[ \t]*\n" % (opening[:1], len(opening)))


@functools.lru_cache(maxsize=16)
def _outside(width: int) -> re.Pattern[bytes]:
    """The LF before a line that is neither blank nor indented by `width`; a tab reaches column 4."""
    return re.compile(rb"\n(?! {%d}|%b[ \t]*\n)" % (width, rb"\t|" if width <= 4 else b""))
