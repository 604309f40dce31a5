"""The fast scanner: which lines of a document are headings of its own level, and what hides lines.

It answers where it is certain and hands over to markdown-it-py the stretch around what it is not certain of.
What it relies on, with the places of CommonMark 0.31.2 behind it:

- Only ATX headings, setext underlines, fences and HTML blocks matter, each indented by at most 3 spaces.
- A container needs an indent of 2 (a list item, 5.2) or 4 (a footnote), a quote its `>` (5.1). So an ATX
  heading, a fence or an HTML block that may interrupt a paragraph, indented by less than 2, stands at the
  document's own level whatever is above it, unless a fence or an HTML block there is still open.
- A line is *fresh* where the document's own level begins anew, so that what is above it cannot matter: the
  line after a finished block, a line in column 0 after a blank line, a bullet in column 0. For a list item
  that holds only for what is inside: the item itself may belong to a list that began above.
- `# a | b` above a table's delimiter row is a table to markdown-it-py.

Fuzzing and 100 MB of real documents hold it to markdown-it-py: tests/text/test_structure.py.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.text import authority
from stonebrowse.text.html_blocks import HtmlEnd, html_end
from stonebrowse.text.lines import LINE_END

if TYPE_CHECKING:
    from collections.abc import Iterator

# A stretch longer than this is not handed over: what is doubtful in it opens no section and hides nothing.
_HAND_OVER_AT_MOST = 1 << 20

_CANDIDATE = re.compile(
    rb"\n( {0,3})(?:"
    rb"(#{1,6})(?=[ \t\n])"
    rb"|(`{3,})(?=[^`\n]*\n)|(~{3,})"
    rb"|(<)"
    rb"|(=+|-+)[ \t]*(?=\n))"
)
_ATX, _BACKTICKS, _TILDES, _HTML, _UNDERLINE = range(2, 7)  # the groups above

_BLANK = re.compile(rb"[ \t]*\n")
_BOUNDARY = re.compile(rb"\n(?:[ \t]*\n(?=[^ \t\n])|(?=[-+*] {1,4}[^ \t\n]))")
_NEXT_FRESH = re.compile(rb"\n(?:[ \t]*\n(?=[^ \t\n])|(?=#{1,6}[ \t\n]))")
_BLANK_LINE = re.compile(rb"\n[ \t]*\n")
_DELIMITER_ROW = re.compile(rb"\n[ \t]*[-:|][-:| \t]*\n")
_LIST_MARKER = re.compile(rb"\n {0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t\n]")
_PLAIN_ITEM = re.compile(rb"(?:[-+*]|[0-9]{1,9}[.)]) {1,4}(?![ \t\n])")
_RULE = re.compile(rb"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})\n")
_QUOTE = re.compile(rb" {0,3}>")
# What a line of a paragraph can begin with, in column 0, without beginning anything else.
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
        content: a heading's inline source.
    """

    level: int
    start: int
    end: int
    content: str


def find(text: bytes, start: int) -> Iterator[Found]:
    """The headings, fences and HTML blocks of the document's own level, in order.

    Args:
        text: a text.
        start: where Markdown begins in it, a line's beginning.
    """
    return _Scanner(text, start).run()


class _Scanner:
    """One pass over one text.

    It works on a copy in which every line end is one LF in the same place, with one LF in front, so that each
    line begins after an LF and one regular expression finds the lines that matter. Positions are those of the
    copy until they are handed out.
    """

    def __init__(self, text: bytes, start: int) -> None:
        copy = b"".join((b"\n", memoryview(text)[start:], b"\n"))
        if b"\r" in copy:
            # In the place of CRLF a space and LF; twice, because neighbours share an LF.
            copy = copy.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
        self._copy = copy
        self._text = text
        self._shift = start - 1
        self._at = 0  # where the search goes on: an LF
        self._fresh = 1  # the last line known to be fresh
        self._searched = 0  # how far fresh lines have been looked for
        self._floor = 0  # before this a line is not fresh because of a bullet
        self._marked = False  # whether a list marker stands between the fresh line and `_marker_searched`
        self._marker_searched = 0
        self._indented = 0  # how far every line after the fresh one is known to be inside it
        self._certain = -1  # an opener that the authority found at the document's own level
        self._hopeless = 0  # before this the authority has failed

    def run(self) -> Iterator[Found]:
        """All that is found, in order."""
        search, copy = _CANDIDATE.search, self._copy
        while found := search(copy, self._at):
            line = found.start() + 1
            kind = found.lastindex
            if kind == _UNDERLINE:
                yield from self._underline(found, line)
            elif line != self._certain and self._heads_table(line):
                yield from self._hand_over(found)
            elif kind == _HTML:
                yield from self._html(found, line)
            elif (own := self._own_level(found, line)) is None:
                yield from self._hand_over(found)
            elif not own:
                self._at = found.end()
            elif kind == _ATX:
                line_end = copy.find(b"\n", found.end())
                content = _atx_content(copy[found.end() : line_end])
                yield self._finish(line, line_end + 1, found.end(2) - found.start(2), content)
            else:
                yield self._finish(line, self._fence_end(found))

    def _finish(self, line: int, after: int, level: int = 0, content: str = "") -> Found:
        """Go on after a block that is certain, and make it a find."""
        self._go_on(after)
        return Found(level, line + self._shift, min(after + self._shift, len(self._text)), content)

    def _go_on(self, fresh: int) -> None:
        """Go on at a line that is fresh."""
        self._at = self._searched = fresh - 1
        self._set_fresh(fresh)

    def _set_fresh(self, line: int) -> None:
        self._fresh = line
        self._marked = False
        self._marker_searched = self._indented = line - 1

    def _heads_table(self, line: int) -> bool:
        """Whether a line may be the head of a table: it holds `|` and stands above a delimiter row."""
        end = self._copy.find(b"\n", line)
        return self._copy.find(b"|", line, end) >= 0 and _DELIMITER_ROW.match(self._copy, end) is not None

    def _last_fresh(self, line: int) -> int:
        """The last line at or before `line` that is known to be fresh."""
        for boundary in _BOUNDARY.finditer(self._copy, self._searched, line):
            if boundary.end() >= self._floor and not self._heads_table(boundary.end()):
                self._set_fresh(boundary.end())
        self._searched = line - 1
        return self._fresh

    def _own_level(self, found: re.Match[bytes], line: int) -> bool | None:
        """Whether a candidate that interrupts paragraphs is outside of all lists; None in doubt."""
        indent = found.end(1) - line
        if indent < 2 or line == self._certain:
            return True
        fresh = self._last_fresh(line)
        if not self._marked:
            self._marked = bool(_LIST_MARKER.search(self._copy, self._marker_searched, line))
            self._marker_searched = line - 1
        if not self._marked:
            return True
        item = _PLAIN_ITEM.match(self._copy, fresh)
        if not item or _RULE.match(self._copy, fresh) or self._heads_table(fresh):
            return None
        width = item.end() - fresh
        if self._indented < fresh:
            self._indented = item.end()
        outdented = _outdented(width).search(self._copy, self._indented, line)
        if outdented and outdented.start() < line - 1:  # the candidate's own indent is not looked at here
            return None
        self._indented = line - 1
        return indent < width

    def _fence_end(self, found: re.Match[bytes]) -> int:
        """Where the line after a fenced code block begins (4.5): after its closing fence, or the end."""
        fence = found[_BACKTICKS] or found[_TILDES]
        closing = _closing_fence(fence).search(self._copy, found.end())
        return closing.end() if closing else len(self._copy)

    def _html(self, found: re.Match[bytes], line: int) -> Iterator[Found]:
        """A line that begins with `<`."""
        copy = self._copy
        line_end = copy.find(b"\n", found.end())
        end = html_end(copy[found.start(_HTML) : line_end])
        if end is None:
            self._at = found.end()
            return
        if end is HtmlEnd.BLANK_NO_INTERRUPT and not self._after_paragraph_ended(line):
            blank = _blank_line(copy, line_end)
            following = _CANDIDATE.search(copy, line_end, blank + 1)
            if following:
                yield from self._hand_over(found)
            else:  # open or not, it hides nothing, and is over at the blank line
                self._at = self._floor = blank
            return
        own = self._own_level(found, line)
        if own is None:
            yield from self._hand_over(found)
        elif not own:
            self._at = found.end()
        elif isinstance(end, HtmlEnd):
            yield self._finish(line, _blank_line(copy, line_end) + 1)
        else:
            mark = end.search(copy, found.start(_HTML))
            yield self._finish(line, copy.find(b"\n", mark.end()) + 1 if mark else len(copy))

    def _after_paragraph_ended(self, line: int) -> bool:
        """Whether no paragraph can be open above a line."""
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
                if top != line or not _QUOTE.match(copy, above):
                    yield from self._hand_over(found)
                    return
                break
            top = above
        if top == line:
            self._at = found.end()
        elif copy.find(b"|", top, line) >= 0:
            yield from self._hand_over(found)
        else:
            level = 1 if found[_UNDERLINE].startswith(b"=") else 2
            content = authority.inline_source(self._text[top + self._shift : line + self._shift])
            yield self._finish(top, found.end() + 1, level, content)

    def _hand_over(self, found: re.Match[bytes]) -> Iterator[Found]:
        """Ask the authority about the stretch around a doubtful candidate, and go on after it."""
        line = found.start() + 1
        if line < self._hopeless:
            self._at = found.end()
            return
        # A heading or a fence indented by less than 2 is where a block begins, even if that is a table.
        begins = found.lastindex in (_ATX, _BACKTICKS, _TILDES) and found.end(1) - line < 2
        start = line if begins else self._last_fresh(line)
        end = self._next_fresh(self._copy.find(b"\n", found.end()))
        first, last = start + self._shift, min(end + self._shift, len(self._text))
        blocks = None
        if end - start <= _HAND_OVER_AT_MOST:
            blocks = authority.blocks(authority.source_of(self._text[first:last]))
        if blocks is None:
            self._hopeless = end
            self._at = found.end()
            return
        lines = [first, *(ended.end() for ended in LINE_END.finditer(self._text, first, last))]
        if lines[-1] != last:
            lines.append(last)
        self._go_on(end)
        for block in blocks:
            begin = lines[block.first]
            if block.level:
                yield Found(block.level, begin, lines[block.after], block.content)
            elif block.kind in ("fence", "html_block"):
                if block.after == len(lines) - 1:
                    # It may reach further: what ends it is for the scanner to find.
                    self._certain = begin - self._shift
                    self._go_on(self._certain)
                    return
                yield Found(0, begin, lines[block.after], "")

    def _next_fresh(self, at: int) -> int:
        """The first line after an LF at `at` that is fresh, if nothing above it is left open; or the end."""
        for boundary in _NEXT_FRESH.finditer(self._copy, at):
            line = boundary.end()
            if self._copy.startswith(b"#", line) or not self._heads_table(line):
                return line
        return len(self._copy)


def _blank_line(copy: bytes, at: int) -> int:
    """The LF before the first blank line after an LF at `at`, or the last LF."""
    found = _BLANK_LINE.search(copy, at)
    return found.start() if found else len(copy) - 1


def _atx_content(raw: bytes) -> str:
    """The inline source of an ATX heading, from what stands after its opening `#`s (4.2)."""
    raw = raw.rstrip(b" \t")
    unclosed = raw.rstrip(b"#")
    return authority.inline_source(unclosed if unclosed.endswith((b" ", b"\t")) else raw)


@functools.lru_cache(maxsize=64)
def _closing_fence(opening: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\n {0,3}%b{%d,}[ \t]*\n" % (opening[:1], len(opening)))


@functools.lru_cache(maxsize=16)
def _outdented(width: int) -> re.Pattern[bytes]:
    """A line end before a line that is not blank and not indented by `width`; a tab reaches column 4."""
    return re.compile(rb"\n(?! {%d}|%b[ \t]*\n)" % (width, rb"\t|" if width <= 4 else b""))
