"""Where the document defines what its reference links and footnotes lead to.

A definition may stand anywhere, so finding one is a search through the whole text. It is done lazily: nothing
is read before the first reference is drawn; then `AT_ONCE_BYTES` at once, and the rest in steps that a
worker thread takes. Only candidates are noted (a `]:` after a label at a line's beginning); whether one is a
definition is known from the blocks around it, asked for the labels that are used. The first one counts
(CommonMark 0.31.2, "Link reference definitions").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from markdown_it.common.utils import normalizeReference

if TYPE_CHECKING:
    from stonebrowse.tui.reader.source import Source
    from stonebrowse.tui.reader.stretches import Stretch, Stretches

AT_ONCE_BYTES: Final = 4 * 1024 * 1024
"""What is searched without waiting for a worker."""

_STEP: Final = 256 * 1024
_LABEL_BYTES: Final = 4 * 999 + 100  # CommonMark 0.31.2, "Links": 999 characters; and what stands before it
_ANCHOR_BYTES: Final = 512  # by which two steps of the search for an anchor overlap
_CANDIDATES_AT_MOST: Final = 200_000
# From the beginning of a line, markers of quotes and lists before it, to the end of the label.
_CANDIDATE: Final = re.compile(rb"(?:^|[\r\n])[ \t>*+\-0-9.)]*\[((?:[^\[\]\\]|\\.){1,4000})\Z", re.DOTALL)


class References:
    """The definitions of one document, found as far as they are needed.

    Args:
        source: the document.
        stretches: its blocks.
    """

    def __init__(self, source: Source, stretches: Stretches) -> None:
        self._source = source
        self._stretches = stretches
        self._at_once = AT_ONCE_BYTES
        self._candidates: dict[str, list[int]] = {}
        self._count = 0
        self._searched = 0
        self._links: dict[str, dict[str, Any]] = {}
        self._footnotes: dict[str, int] = {}
        self._resolving: set[str] = set()
        self.missed = False

    @property
    def complete(self) -> bool:
        """Whether the whole text has been searched."""
        return self._searched >= self._source.size or self._count >= _CANDIDATES_AT_MOST

    def get(self, label: str, default: None = None) -> dict[str, Any] | None:
        """What a normalised label leads to (`href`, `title`), or None: markdown-it's `env["references"]`."""
        known = self._links.get(label)
        if known is not None:
            return known
        self._search_at_once()
        for offset in self._candidates.get(label, ()):
            found = self._definition(label, offset)
            if found is not None:
                self._links[label] = found
                return found
        self.missed = self.missed or not self.complete
        return default

    def footnote(self, label: str) -> bool:
        """Whether a footnote of that label is defined."""
        return self.footnote_offset(label) is not None

    def footnote_offset(self, label: str) -> int | None:
        """Where a footnote is defined."""
        known = self._footnotes.get(label)
        if known is not None:
            return known
        self._search_at_once()
        for offset in self._candidates.get(normalizeReference("^" + label), ()):
            for stretch in self._stretches_at(offset):
                for token in stretch.tokens:
                    if token.type == "footnote_reference_open" and token.meta["label"] == label and token.map:
                        self._footnotes[label] = stretch.byte_of_line(token.map[0])
                        return self._footnotes[label]
        self.missed = self.missed or not self.complete
        return None

    def anchor_offset(self, name: str) -> int | None:
        """Where an anchor of that name is: ``id="name"``, ``<a name=name>``, ``{#name}``."""
        wanted = re.escape(name.encode("utf-8", "replace"))
        anchor = re.compile(
            rb"\{#%b\}|\b(?:id|name)\s*=\s*[\"']?%b(?=[\"'\s>])" % (wanted, wanted), re.IGNORECASE
        )
        for start in range(0, self._source.size, _STEP):
            window = self._source.read(start, min(start + _STEP + _ANCHOR_BYTES, self._source.size))
            found = anchor.search(window)
            if found:
                return start + found.start()
        return None

    def search_step(self) -> bool:
        """Search the next part of the text; True while there is more. May run in a worker thread."""
        if self.complete:
            return False
        start = self._searched
        end = min(start + _STEP, self._source.size)
        window = self._source.read(start, min(end + _LABEL_BYTES, self._source.size))
        position = window.find(b"]:")
        while position >= 0:
            found = _CANDIDATE.search(window, self._beginning(window, position), position)
            if found and start + found.start(1) <= end:
                self._note(found[1], start + found.start(1) - 1)
            position = window.find(b"]:", position + 2)
        self._searched = end
        return not self.complete

    @staticmethod
    def _beginning(window: bytes, position: int) -> int:
        """Where to look for a label's beginning: in its line, or in the one above where it goes over two."""
        least = max(position - _LABEL_BYTES, 0)
        line = max(window.rfind(b"\n", least, position), window.rfind(b"\r", least, position), least)
        if b"[" in window[line:position]:
            return line
        return max(window.rfind(b"\n", least, line), window.rfind(b"\r", least, line), least)

    def _note(self, label: bytes, offset: int) -> None:
        name = normalizeReference(label.decode("utf-8", "replace"))
        places = self._candidates.setdefault(name, [])
        if len(places) < 64 and (not places or places[-1] < offset):
            places.append(offset)
            self._count += 1

    def _search_at_once(self) -> None:
        while self._searched < self._at_once and self.search_step():
            pass

    def _stretches_at(self, offset: int) -> list[Stretch]:
        return self._stretches.of(self._source.cut.at(offset))

    def _definition(self, label: str, offset: int) -> dict[str, Any] | None:
        for stretch in self._stretches_at(offset):
            found = stretch.definitions.get(label)
            if found is not None:
                return found
        return None
