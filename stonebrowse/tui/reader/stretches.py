"""Which text must be parsed together, so that a chunk looks as it does in the whole document.

A section begins with a heading of the document, and a heading closes every block: a section parsed alone has
the blocks it has in its document. So a *stretch* is a section, or, where that is long, what lies between two
safe boundaries in it. A safe boundary is a line in column 0 after a blank line that begins with neither
blank nor list marker, with no fence and no HTML block open: there, too, every block is closed.
Whether one is open is known by a scan from the section's start, which is done once and only so far as needed.

A stretch longer than `giant` (one list, fence or table of that length) is not parsed as one: its chunks are
taken alone, and what the scan knows (inside a fence, inside HTML) says how.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from stonebrowse.text.front_matter import BOM, front_matter
from stonebrowse.tui.reader.boundaries import Boundaries
from stonebrowse.tui.reader.grammar import MAX_NESTING, parse_blocks

if TYPE_CHECKING:
    from markdown_it.token import Token

    from stonebrowse.text.front_matter import FrontMatter
    from stonebrowse.tui.reader.boundaries import Open
    from stonebrowse.tui.reader.model import Span
    from stonebrowse.tui.reader.source import Source

_LINE_END: Final = re.compile(rb"\r\n?|\n")
_KEPT_BYTES: Final = 768 * 1024  # of source in parsed stretches
_LEAD_AT_MOST: Final = 1024 * 1024  # bytes above a chunk in which the head of its table is looked for
_ITEM_AT_MOST: Final = 16 * 1024  # bytes above a chunk in which the beginning of its list item is looked for
_TABLE_HEAD: Final = re.compile(
    rb"[^\n|]*+\|[^\n]*+\n[ \t]*+\|?[ \t]*+:?-+:?[ \t]*+(?:\|[ \t]*+:?-+:?[ \t]*+)*\|?[ \t]*+\r?\n"
)
_ITEM: Final = re.compile(rb"^(?:[-+*]|[0-9]{1,9}[.)])[ \t]", re.MULTILINE)
_NO_MARK: Final = "\u2060"  # before the rest of a line, which begins no block; it is never shown
_FRONT_MATTER_SIZES: Final = tuple(
    4**step * 16 * 1024 for step in range(5)
)  # bytes in which its end is looked for


class Lead(NamedTuple):
    """What a span begins inside of.

    Attributes:
        start: byte offset of `source`.
        source: lines from further up, whole lines; b"" where there is nothing to say.
        in_line: whether the span begins in the middle of a line.
    """

    start: int
    source: bytes
    in_line: bool = False


class Block(NamedTuple):
    """A block on the top level of a stretch: its lines, and its tokens."""

    first_line: int
    last_line: int  # the one after it
    first_token: int
    last_token: int  # the one after it


class Stretch:
    """A span of the document whose blocks are known.

    Attributes:
        start: byte offset of its first byte.
        end: byte offset after its last byte.
        text: its text, line ends as LF.
        tokens: its block tokens; `map` counts lines from 0 in `text`.
        blocks: its top-level blocks, in order.
        definitions: reference definitions in it: label → href, title, map.
        definition_lines: first line and line after the last of each of them, in order.
        front_lines: lines of front matter at its start.
        front_title: the title that the front matter gives.
        inside: the fence or HTML block that is open at its start.
        lead_lines: lines at its beginning that stand further up in the document, and only say what the others
            belong to (the head of a table, the beginning of a list item).
        alone: whether it is a part of a block that is too long to be parsed.
        torn: whether it begins inside a block that is too long to be parsed.
        spans: inline content already parsed, by token index.
    """

    def __init__(
        self,
        source: bytes,
        start: int,
        *,
        front: FrontMatter | None = None,
        inside: Open | None = None,
        lead: Lead | None = None,
    ) -> None:
        """Parse a span.

        Args:
            source: its bytes.
            start: where they stand.
            front: the front matter at its beginning.
            inside: the fence or HTML block that is open at its beginning.
            lead: what the block that it begins in is; None where it begins with a block.
        """
        self.start = start
        self.end = start + len(source)
        self.inside = inside
        self.torn = lead is not None
        self.alone = False
        self.line_bytes: list[int] = []
        if lead:
            self.line_bytes = [
                lead.start,
                *(lead.start + found.end() for found in _LINE_END.finditer(lead.source)),
            ]
            self.line_bytes.pop()
        self.lead_lines = len(self.line_bytes)
        self.line_bytes += [start, *(start + found.end() for found in _LINE_END.finditer(source))]
        self._in_line = lead is not None and lead.in_line
        decoded = (lead.source + source if lead else source).decode("utf-8", "replace")
        self.text = decoded.replace("\r\n", "\n").replace("\r", "\n") if "\r" in decoded else decoded
        self.line_chars = [0]
        position = 0
        for _ in range(len(self.line_bytes) - 1):
            position = self.text.index("\n", position) + 1
            self.line_chars.append(position)
        self.line_bytes.append(self.end)
        self.line_chars.append(len(self.text))
        self.front_lines = bisect_left(self.line_bytes, front.end) if front else 0
        self.front_title = front.title if front else ""
        self.spans: dict[int, list[list[Span]]] = {}
        self.tokens: list[Token] = []
        self.blocks: list[Block] = []
        self.definitions: dict[str, dict[str, Any]] = {}
        self.definition_lines: list[tuple[int, int]] = []
        if inside is None:
            self._parse()

    def _parse(self) -> None:
        text = self.text
        if self.front_lines:
            text = "\n" * self.front_lines + text[self.line_chars[self.front_lines] :]
        elif self.start == 0 and text.startswith("\ufeff"):
            text = text[1:]
        elif self._in_line:
            text = _NO_MARK + text
        env: dict[str, Any] = {"references": {}}
        try:
            tokens = parse_blocks(text, env)
        except (RecursionError, IndexError):
            return  # no blocks: shown as source
        self.definitions = env["references"]
        self.definition_lines = sorted(
            (found["map"][0], found["map"][1])
            for found in (*self.definitions.values(), *env.get("duplicate_refs", ()))
        )
        self._find_blocks(tokens)

    def _find_blocks(self, tokens: list[Token]) -> None:
        """Top-level blocks; one nested so deeply that its end was dropped is none (it is shown as source)."""
        self.tokens = tokens
        index, count = 0, len(tokens)
        while index < count:
            first = index
            token = tokens[index]
            deepest = 0
            if token.nesting == 1:
                index += 1
                while tokens[index].level or tokens[index].nesting != -1:
                    deepest = max(deepest, tokens[index].level)
                    index += 1
            index += 1
            if token.map and deepest < MAX_NESTING - 1:
                self.blocks.append(Block(token.map[0], token.map[1], first, index))

    @property
    def line_count(self) -> int:
        """Lines of the text; what follows the last line end counts as one where it is not empty."""
        return len(self.line_bytes) - (2 if self.line_chars[-2] == self.line_chars[-1] else 1)

    def line_at(self, offset: int) -> int:
        """The line (from 0) that holds the byte."""
        return max(bisect_right(self.line_bytes, offset, 0, len(self.line_bytes) - 1) - 1, 0)

    def line_text(self, line: int) -> str:
        """A line without its line end."""
        return self.text[self.line_chars[line] : self.line_chars[line + 1]].removesuffix("\n")

    def byte_of_line(self, line: int) -> int:
        """Byte offset at which a line begins; the end for those after the last."""
        return self.line_bytes[min(line, len(self.line_bytes) - 1)]

    def byte_at(self, character: int, line: int) -> int:
        """Byte offset of a character of `text` that stands in `line` or below it."""
        starts = self.line_chars
        while line + 2 < len(starts) and starts[line + 1] <= character:
            line += 1
        before = self.text[starts[line] : character]
        return self.line_bytes[line] + (
            len(before) if before.isascii() else len(before.encode("utf-8", "replace"))
        )


class Stretches:
    """The stretches of one document, made when needed, the latest kept.

    Args:
        source: the document.
        small: bytes up to which a section is one stretch.
        giant: bytes from which a stretch is not parsed as one.
    """

    def __init__(self, source: Source, *, small: int = 32 * 1024, giant: int = 64 * 1024) -> None:
        self._source = source
        self._small = small
        self._giant = giant
        self._kept: OrderedDict[tuple[int, int], Stretch] = OrderedDict()
        self._kept_bytes = 0
        self._boundaries: OrderedDict[int, Boundaries] = OrderedDict()
        self._front: FrontMatter | None = None
        self._front_known = False

    def of(self, ordinal: int) -> list[Stretch]:
        """The stretches that cover a chunk, in order."""
        cut = self._source.cut
        chunk = cut.passage(ordinal)
        first = cut.passage(ordinal - chunk.part + 1) if chunk.part > 1 else chunk
        if chunk.end - first.start <= self._small:
            last, end = ordinal, chunk.end
            while last + 1 < len(cut) and end - first.start <= self._small:
                following = cut.passage(last + 1)
                if following.section != chunk.section:
                    return [self._get(first.start, end)]
                last, end = last + 1, following.end
            if last + 1 == len(cut) and end - first.start <= self._small:
                return [self._get(first.start, end)]
        front = self.front_matter.end if first.start == 0 and self.front_matter else 0
        found = [self._get(0, front)] if chunk.start < front else []
        begin = max(chunk.start, front)
        return found + self._between_boundaries(begin, chunk.end, max(first.start, front), ordinal)

    def _between_boundaries(self, start: int, end: int, section: int, ordinal: int) -> list[Stretch]:
        boundaries = self._boundaries_of(section, ordinal)
        found: list[Stretch] = []
        while start < end:
            low, high = boundaries.around(start)
            if high - low <= self._giant:
                found.append(self._get(low, high))
            else:
                found.append(self._alone(start, min(end, high), boundaries, low))
            start = high
        return found

    def _alone(self, start: int, end: int, boundaries: Boundaries, low: int) -> Stretch:
        """A chunk of a block that is too long to be parsed as one."""
        kept = self._kept.get((start, end))
        if kept is None:
            inside = boundaries.open_at(start)
            lead = self._lead(low, start) if start > low and inside is None else None
            kept = Stretch(self._source.read(start, end), start, inside=inside, lead=lead)
            kept.alone = True
            self._keep((start, end), kept)
        self._kept.move_to_end((start, end))
        return kept

    def _lead(self, low: int, start: int) -> Lead:
        """What says to which list item or table the lines from `start` on belong."""
        if self._source.read(start - 1, start) not in {b"\n", b"\r"}:
            return Lead(start, b"", in_line=True)
        above = self._source.read(max(low, start - _LEAD_AT_MOST), start)
        begin = max(above.rfind(b"\n\n") + 2, above.rfind(b"\r\n\r\n") + 4)
        if begin < 4:
            begin = 0
        table = _TABLE_HEAD.match(above, begin)
        if table:
            top = start - len(above) + begin
            cut = self._source.cut
            return Lead(top, above[begin : cut.passage(cut.at(top)).end - top + begin])
        nearby = above[-_ITEM_AT_MOST:]
        markers = [found.start() for found in _ITEM.finditer(nearby)]
        if markers and not _ITEM.match(self._source.read(start, start + 16)):
            return Lead(start - len(nearby) + markers[-1], nearby[markers[-1] :])
        return Lead(start, b"")

    def _boundaries_of(self, section: int, ordinal: int) -> Boundaries:
        known = self._boundaries.get(section)
        if known is None:
            known = Boundaries(self._source, section, self._end_of_section(ordinal), step=self._small // 2)
            self._boundaries[section] = known
            if len(self._boundaries) > 8:
                self._boundaries.popitem(last=False)
        return known

    def _end_of_section(self, ordinal: int) -> int:
        """Offset after a section, by doubling steps: a section may have very many parts."""
        cut = self._source.cut
        section = cut.passage(ordinal).section
        low, step = ordinal, 1
        while low + step < len(cut) and cut.passage(low + step).section == section:
            low, step = low + step, step * 2
        high = min(low + step, len(cut))
        while high - low > 1:
            middle = (low + high) // 2
            if cut.passage(middle).section == section:
                low = middle
            else:
                high = middle
        return cut.passage(low).end

    def _get(self, start: int, end: int) -> Stretch:
        key = (start, end)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        front = self.front_matter if start == 0 else None
        made = Stretch(
            self._source.read(start, end), start, front=front if front and front.end <= end else None
        )
        self._keep(key, made)
        return made

    def _keep(self, key: tuple[int, int], stretch: Stretch) -> None:
        self._kept[key] = stretch
        self._kept_bytes += stretch.end - stretch.start
        while self._kept_bytes > _KEPT_BYTES and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._kept_bytes -= dropped.end - dropped.start

    def forget_inlines(self) -> None:
        """Drop parsed inline content: what a reference leads to has become known."""
        for stretch in self._kept.values():
            stretch.spans.clear()

    @property
    def front_matter(self) -> FrontMatter | None:
        """The document's front matter."""
        if not self._front_known:
            self._front_known = True
            if self._source.read(0, 8).removeprefix(BOM)[:3] in {b"---", b"+++"}:
                for size in _FRONT_MATTER_SIZES:
                    self._front = front_matter(self._source.read(0, min(self._source.size, size)))
                    if self._front or size >= self._source.size:
                        break
        return self._front
