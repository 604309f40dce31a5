"""Reading versions: the byte window, the page, and the document that the reader shows.

All offsets are bytes of a version's text. What is read is what was recorded, never what the folder holds.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.library.passages import PassageView, view
from stonebrowse.text.lines import Lines
from stonebrowse.text.passages import Cut, cut

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stonebrowse.store import File, Store, Version
    from stonebrowse.store.records import Opened

DEFAULT_WINDOW_BYTES = 65_536
LONGEST_CHARACTER = 4
WHOLE_BYTES = 1 << 20
FRAME_BYTES = 1 << 18
FRAMES_KEPT = 16
PAGE_BREAK = b"\f"


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a version's text that splits no character.

    Attributes:
        file, version: what it is of.
        start, end: where it begins and ends; `size`: bytes of the whole text.
        text: its bytes, UTF-8.
    """

    file: File
    version: Version
    start: int
    end: int
    size: int
    text: bytes

    @property
    def end_of_text(self) -> bool:
        """Whether nothing follows."""
        return self.end == self.size


class Document:
    """One version of a File, opened for reading.

    A small text is held whole; of a large one only the frames that were read last. Safe to read from a
    worker thread.
    """

    def __init__(self, store: Store, file: File, version: Version, opened: Opened | None = None) -> None:
        """Opens it.

        Args:
            store: where it is kept.
            file: whose version it is.
            version: which one.
            opened: where `several` has read it already.

        Raises:
            StoreDamaged: what is stored is not what was recorded.
        """
        self.file = file
        self.version = version
        self._store = store
        self._lock = threading.Lock()
        self._frames: OrderedDict[int, bytes] = OrderedDict()
        self._cut: Cut | None = None
        if opened is not None:
            self.size, self._whole, self._cut = opened.size, opened.text, opened.cut
            return
        self.size = store.text_size(version.version_id)
        self._whole = store.text(version.version_id) if self.size <= WHOLE_BYTES else None

    @classmethod
    def several(cls, store: Store, keys: Iterable[int]) -> list[Document]:
        """Opens several versions, by the store's keys, at one moment: quicker than each by itself.

        Raises:
            NotFound: there is no such version any more.
            StoreDamaged: what is stored is not what was recorded.
        """
        found = store.opened(keys, WHOLE_BYTES)
        return [cls(store, each.file, each.version, each) for each in found]

    @cached_property
    def cut(self) -> Cut:
        """The version's passages; cut on the way while it is still processing."""
        pieces = self._cut or self._store.cut(self.version.version_id)
        return cut(self.read(0, self.size)) if pieces is None else pieces

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.read(0, self.size))

    def read(self, start: int, end: int) -> bytes:
        """The bytes of a span of the text, clipped to it.

        Raises:
            StoreDamaged: what is stored is not what was recorded.
        """
        start, end = max(0, start), min(end, self.size)
        if start >= end:
            return b""
        if self._whole is not None:
            return self._whole[start:end]
        if end - start > FRAME_BYTES * FRAMES_KEPT:
            return self._store.window(self.version.version_id, start, end - start)
        first, last = start // FRAME_BYTES, (end - 1) // FRAME_BYTES
        data = b"".join(self._frame(number) for number in range(first, last + 1))
        return data[start - first * FRAME_BYTES : end - first * FRAME_BYTES]

    def _frame(self, number: int) -> bytes:
        with self._lock:
            frame = self._frames.get(number)
            if frame is None:
                frame = self._store.window(self.version.version_id, number * FRAME_BYTES, FRAME_BYTES)
                self._frames[number] = frame
                if len(self._frames) > FRAMES_KEPT:
                    self._frames.popitem(last=False)
            else:
                self._frames.move_to_end(number)
            return frame

    def passage(self, ordinal: int) -> PassageView:
        """The passage with this ordinal."""
        return view(self.file, self.version, self.cut, ordinal)

    def passage_at(self, offset: int) -> PassageView | None:
        """The passage that holds a byte; None where the text has no passages."""
        return self.passage(self.cut.at(offset)) if len(self.cut) else None

    def line_at(self, offset: int) -> int:
        """The one-based line of a byte, counted from the heading above it, whose line is known.

        The first section may begin with blank lines before its heading: there the text's start counts.
        """
        start, line = 0, 1
        if len(self.cut):
            section = self.cut.section(self.cut.passage(self.cut.at(offset)).section)
            if 0 < section.start <= offset:
                start, line = section.start, section.line
        between = self.read(start, offset)
        breaks = between.count(b"\n") + between.count(b"\r") - between.count(b"\r\n")
        if between.endswith(b"\r") and self.read(offset, offset + 1) == b"\n":
            breaks -= 1
        return line + breaks

    def offset_of_line(self, line: int) -> int:
        """The byte where a one-based line begins; the last line's for one past the end."""
        return self._lines.start_of(max(1, min(line, len(self._lines))))

    def window(self, start: int = 0, max_bytes: int = DEFAULT_WINDOW_BYTES) -> Window:
        """The text from `start`, at most `max_bytes` of it, whole characters only.

        A start inside a character moves back to its beginning, an end inside one moves back to it.

        Raises:
            InputInvalid: a start outside the text, or a window that cannot hold the longest character.
        """
        if start < 0 or start > self.size:
            raise InputInvalid(
                f"start {start} lies outside the text, which has {self.size} bytes; give 0 to {self.size}"
            )
        if max_bytes < LONGEST_CHARACTER:
            raise InputInvalid(
                f"max-bytes is {max_bytes}; give {LONGEST_CHARACTER} or more, the longest character"
            )
        begin = self._character_at(start)
        end = min(begin + max_bytes, self.size)
        if end < self.size:
            end = self._character_at(end)
        return Window(self.file, self.version, begin, end, self.size, self.read(begin, end))

    def page(self, number: int) -> Window:
        """One page, one-based; form feeds separate pages and belong to none.

        Raises:
            InputInvalid: a number below 1.
            NotFound: a page past the last.
        """
        if number < 1:
            raise InputInvalid(f"page {number} does not exist; the first page is 1")
        text = self.read(0, self.size)
        start = 0
        for _ in range(number - 1):
            found = text.find(PAGE_BREAK, start)
            if found < 0:
                pages = text.count(PAGE_BREAK) + 1
                raise NotFound(
                    f"{self.file.path} has {pages} {'page' if pages == 1 else 'pages'}, no page {number}"
                )
            start = found + 1
        end = text.find(PAGE_BREAK, start)
        end = self.size if end < 0 else end
        return Window(self.file, self.version, start, end, self.size, text[start:end])

    def _character_at(self, offset: int) -> int:
        """The beginning of the character that holds a byte."""
        begin = max(0, offset - LONGEST_CHARACTER + 1)
        around = self.read(begin, offset + 1)
        back = 0
        if offset < self.size:
            while back < LONGEST_CHARACTER - 1 and around[len(around) - 1 - back] & 0xC0 == 0x80:
                back += 1
        return offset - back
