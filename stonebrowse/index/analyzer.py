"""From documents to drafts of segments: the one hot loop of building.

There are no token objects. A passage is cut into chunks by two calls in C; a dictionary turns each chunk into
the characters of its words, having expanded it once for the whole segment; joined, they are the passage's
sequence, and a Counter over that string gives its postings.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index import bounds
from stonebrowse.index.draft import SEPARATOR, Draft
from stonebrowse.index.fields import FIELDS, Field, term
from stonebrowse.index.ranking import HEADING, PATH, TAGS, TITLE, TRAIL, text_values
from stonebrowse.text.words import expand, plain, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.index.documents import Document
    from stonebrowse.text.passages import Cut

# A chunk that has parts besides its words carries one character more, which names them. It is taken out of
# the sequence again. In UTF-8 all of these, and no others, begin with one of two bytes.
_FIRST_EXTRA = 0xC0000
_LAST_EXTRA = 0x10FFFF
_EXTRA = re.compile(f"[{chr(_FIRST_EXTRA)}-{chr(_LAST_EXTRA)}]")
_EXTRA_BYTES = (b"\xf3", b"\xf4")
# After so many passages it is asked whether the segment is full.
_BLOCK = 64

# The characters of terms, and by how much each adds to its value in a passage.
Context = tuple[tuple[str, int], ...]


def drafts(documents: Iterable[Document]) -> Iterator[Draft]:
    """Documents gathered into drafts of segments, each as full as may be. A long document may span several."""
    analysis = _Analysis()
    for document in documents:
        at = 0
        while True:
            at = analysis.add(document, at)
            if at >= len(document.cut):
                break
            yield analysis.draft
            analysis = _Analysis()
        if analysis.draft.full:
            yield analysis.draft
            analysis = _Analysis()
    if analysis.draft.keys:
        yield analysis.draft


class _Chunks(dict[bytes, str]):
    """Chunk → the characters of its words in a draft. Fills itself."""

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self._draft = draft
        self._known: dict[tuple[str, ...], str] = {}
        self.extras: dict[str, str] = {}

    def __missing__(self, chunk: bytes) -> str:
        word = plain(chunk)
        if word is not None:
            coded = self[chunk] = self._draft.code(word)
            return coded
        expansion = expand(chunk)
        code = self._draft.code
        coded = "".join([code(word.encode("utf-8", "replace")) for word in expansion.sequence])
        if expansion.parts:
            coded += self._extra(expansion.parts)
        self[chunk] = coded
        return coded

    def _extra(self, parts: tuple[str, ...]) -> str:
        found = self._known.get(parts)
        if found is None:
            if len(self._known) > _LAST_EXTRA - _FIRST_EXTRA:
                return ""
            found = chr(_FIRST_EXTRA + len(self._known))
            self._known[parts] = found
            self.extras[found] = "".join(
                [self._draft.code(part.encode("utf-8", "replace")) for part in parts]
            )
        return found


class _Read(NamedTuple):
    """A heading, path, title or tag, read: its sequence, and its words, once each, in the terms of the text and in
    those of the field."""

    sequence: str
    plain: tuple[str, ...]
    marked: tuple[str, ...]


class _ChunksAround(dict[bytes, tuple[str, str, str]]):
    """Chunk → its sequence, and all its words in the terms of the text and in those of a field. Fills itself."""

    def __init__(self, draft: Draft, field: Field) -> None:
        super().__init__()
        self._draft = draft
        self._field: Field = field

    def __missing__(self, chunk: bytes) -> tuple[str, str, str]:
        code, expansion = self._draft.code, expand(chunk)
        sequence = "".join([code(term("text", word)) for word in expansion.sequence])
        parts = "".join([code(term("text", part)) for part in expansion.parts])
        words = expansion.sequence + expansion.parts
        marked = "".join([code(term(self._field, word)) for word in words])
        found = self[chunk] = (sequence, sequence + parts, marked)
        return found


class _Around(dict[str, _Read]):
    """Heading, path, title or tag → what it says. Fills itself."""

    def __init__(self, draft: Draft, field: Field) -> None:
        super().__init__()
        self._chunks = _ChunksAround(draft, field)

    def __missing__(self, text: str) -> _Read:
        columns = list(
            zip(*map(self._chunks.__getitem__, split(text.encode("utf-8", "replace"))), strict=True)
        )
        sequence, plain, marked = map("".join, columns or ("", "", ""))
        read = self[text] = _Read(sequence, tuple(dict.fromkeys(plain)), tuple(dict.fromkeys(marked)))
        return read


class _Section(NamedTuple):
    """A section that is open.

    Attributes:
        place: its place in the cut.
        number: its number in the draft; -1 where it has none.
        below: what all passages of sections below it are found by besides their own text and heading.
    """

    place: int
    number: int
    below: Context


class _Analysis:
    """Puts documents into one draft."""

    def __init__(self) -> None:
        self.draft = Draft()
        self._chunks = _Chunks(self.draft)
        self._around: dict[Field, _Around] = {field: _Around(self.draft, field) for field in FIELDS}
        self._whole: Context = ()
        self._context: Context = ()
        self._open: list[_Section] = []
        self._own = -1

    def add(self, document: Document, at: int) -> int:
        """Adds the passages of a document from the one numbered `at` on.

        Returns:
            The number of the first passage that did not fit any more, or how many there are.
        """
        draft, total = self.draft, len(document.cut)
        self._begin(document, at)
        while at < total and not draft.full:
            stop = min(total, at + _BLOCK, at + bounds.MOST_PASSAGES - len(draft))
            self._add_block(document, at, stop)
            at = stop
        self._leave(0)
        return at

    def _add_block(self, document: Document, start: int, stop: int) -> None:
        """Adds some passages. The hot loop: all that it calls for each word is in C but for one line."""
        cut, text = document.cut, document.text
        postings, sequences, ends = self.draft.postings, self.draft.sequences, self.draft.sequence_ends
        coded_of, extras_of = self._chunks.__getitem__, self._chunks.extras.__getitem__
        first_extra, second_extra = _EXTRA_BYTES
        for at in range(start, stop):
            begin, end, _, _, section = cut.passage(at)
            if not self._open or section != self._open[-1].place:
                self._enter(cut, section)
            coded = "".join(map(coded_of, split(text[begin:end])))
            packed = coded.encode()
            if first_extra in packed or second_extra in packed:
                extras = "".join(map(extras_of, _EXTRA.findall(coded)))
                coded = _EXTRA.sub("", coded)
                packed = coded.encode()
                counts = Counter(coded)
                counts.update(extras)
            else:
                counts = Counter(coded)
            values = text_values(len(coded))
            base = len(ends) << 8
            for code, times in counts.items():
                postings[code].append(base + values[times])
            for code, amount in self._context:
                listed = postings[code]
                if listed and listed[-1] >= base:
                    listed[-1] += amount
                else:
                    listed.append(base + amount)
            sequences += packed
            ends.append(len(sequences))

    def _begin(self, document: Document, at: int) -> None:
        """Begins a document, or what of it stands in this segment: what holds for all its passages."""
        whole: list[tuple[str, int]] = []
        texts: list[bytes] = []
        for field, pieces, amount in (
            ("path", (document.path,), PATH),
            ("title", (document.title,), TITLE),
            ("tag", document.tags, TAGS),
        ):
            read = [self._around[field][piece] for piece in pieces]
            texts.append(SEPARATOR.join([each.sequence for each in read]).encode())
            words = dict.fromkeys(code for each in read for code in (*each.plain, *each.marked))
            whole += [(code, amount) for code in words]
        self._whole = tuple(whole)
        self.draft.add_document(document.key, at, *texts)

    def _enter(self, cut: Cut, place: int) -> None:
        """Begins a section: sets what the passages under its heading are found by besides their text."""
        _, heading, _, _, _, parent = cut.section(place)
        if parent >= 0 and all(each.place != parent for each in self._open):
            self._enter(cut, parent)  # the document goes on in a new segment, below headings of the last
        depth = next((n for n, each in enumerate(self._open) if each.place == parent), -1)
        self._leave(depth + 1)
        self._close_own()
        read = self._around["heading"][heading]
        around = self._open[-1].below if self._open else self._whole
        self._own = self.draft.open_section(read.sequence.encode()) if read.sequence else -1
        below = (*around, *[(code, TRAIL) for code in read.plain])
        self._open.append(_Section(place, self._own, below))
        self._context = (*around, *[(code, HEADING) for code in read.plain + read.marked])

    def _close_own(self) -> None:
        if self._own >= 0:
            self.draft.close_own(self._own)
        self._own = -1

    def _leave(self, depth: int) -> None:
        """Ends the open sections from a depth on."""
        if not depth:
            self._close_own()
        for section in self._open[depth:]:
            if section.number >= 0:
                self.draft.close_subtree(section.number)
        del self._open[depth:]
