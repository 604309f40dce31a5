"""From documents to drafts of segments: the one hot loop of building.

There are no token objects. A passage is cut into chunks by two calls in C; a dictionary turns each chunk into
the characters of its words, having expanded it once for the whole segment; joined, they are the passage's
sequence, and a Counter over that string gives its postings.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index import bounds
from stonebrowse.index.draft import SEPARATOR, Draft
from stonebrowse.index.fields import FIELDS, MARKS, Field
from stonebrowse.index.ranking import HEADING, PATH, TAGS, TEXT_VALUES, TITLE, TRAIL
from stonebrowse.text.words import expand, plain, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.index.documents import Document
    from stonebrowse.index.draft import Codes
    from stonebrowse.text.passages import Cut

# A chunk that has parts besides its words carries one character more, which names them and is no term's. It is
# taken out of the sequence again.
_FIRST_EXTRA = "\U000c0000"
_LAST_EXTRA = "\U0010ffff"
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
    """Chunk → the characters of its words in a draft. Fills itself.

    Attributes:
        odd: those of its values that are not one character.
        parts: an extra character → those of the words that it stands for.
    """

    def __init__(self, codes: Codes) -> None:
        super().__init__()
        self._codes = codes
        self._extras: dict[tuple[str, ...], str] = {}
        self.parts: dict[str, str] = {}
        self.odd: set[str] = set()

    def __missing__(self, chunk: bytes) -> str:
        word = plain(chunk)
        if word is not None:
            coded = self[chunk] = self._codes[word]
            return coded
        expansion = expand(chunk)
        coded = "".join(map(self._codes.__getitem__, expansion.sequence))
        if expansion.parts:
            coded += self._extra(expansion.parts)
        if len(coded) != 1:
            self.odd.add(coded)
        self[chunk] = coded
        return coded

    def _extra(self, parts: tuple[str, ...]) -> str:
        found = self._extras.get(parts)
        if found is None:
            number = ord(_FIRST_EXTRA) + len(self._extras)
            if number > ord(_LAST_EXTRA):
                return ""
            found = self._extras[parts] = chr(number)
            self.parts[found] = "".join(map(self._codes.__getitem__, parts))
        return found


class _Read(NamedTuple):
    """A heading, path, title or tag, read.

    Attributes:
        sequence: its sequence.
        plain: its words, once each, as terms of the text.
        marked: the same, as terms of its field.
    """

    sequence: str
    plain: tuple[str, ...]
    marked: tuple[str, ...]


class _ChunksAround(dict[bytes, tuple[str, str, str]]):
    """Chunk → its sequence, all its words as terms of the text, the same as terms of a field. Fills itself."""

    def __init__(self, codes: Codes, field: Field) -> None:
        super().__init__()
        self._codes = codes
        self._mark = MARKS[field]

    def __missing__(self, chunk: bytes) -> tuple[str, str, str]:
        code, mark, expansion = self._codes.__getitem__, self._mark, expand(chunk)
        words = expansion.sequence + expansion.parts
        found = self[chunk] = (
            "".join(map(code, expansion.sequence)),
            "".join(map(code, words)),
            "".join([code(mark + word) for word in words]),
        )
        return found


class _Around(dict[str, _Read]):
    """Heading, path, title or tag → what it says. Fills itself."""

    def __init__(self, codes: Codes, field: Field) -> None:
        super().__init__()
        self._chunks = _ChunksAround(codes, field)

    def __missing__(self, text: str) -> _Read:
        columns = list(
            zip(*map(self._chunks.__getitem__, split(text.encode("utf-8", "replace"))), strict=True)
        )
        sequence, words, marked = map("".join, columns or ("", "", ""))
        read = self[text] = _Read(sequence, tuple(dict.fromkeys(words)), tuple(dict.fromkeys(marked)))
        return read


class _Section:
    """A section that is open.

    Attributes:
        place: its place in the cut.
        number: its number in the draft; -1 where it has none.
    """

    __slots__ = ("_around", "_below", "_read", "number", "place")

    def __init__(self, place: int, number: int, read: _Read, around: Context) -> None:
        self.place = place
        self.number = number
        self._read = read
        self._around = around
        self._below: Context | None = None

    @property
    def below(self) -> Context:
        """What sections below it are found by besides their own text and heading."""
        if self._below is None:
            self._below = (*self._around, *[(code, TRAIL) for code in self._read.plain])
        return self._below

    @property
    def here(self) -> Context:
        """What its own passages are found by besides their text."""
        return (*self._around, *[(code, HEADING) for code in self._read.plain + self._read.marked])


class _Analysis:
    """Puts documents into one draft."""

    def __init__(self) -> None:
        self.draft = Draft()
        self._chunks = _Chunks(self.draft.codes)
        self._around: dict[Field, _Around] = {field: _Around(self.draft.codes, field) for field in FIELDS}
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
        first = len(draft)
        marked = self._begin(document, at)
        while at < total and not draft.full:
            stop = min(total, at + _BLOCK, at + bounds.MOST_PASSAGES - len(draft))
            self._add_block(document, at, stop)
            at = stop
        self._leave_all()
        for code, amount in marked:
            draft.postings[code].extend(range((first << 8) + amount, (len(draft) << 8) + amount, 1 << 8))
        return at

    def _add_block(self, document: Document, start: int, stop: int) -> None:
        """Adds some passages. The hot loop: what it does for each word is in C, but for one line."""
        cut, text = document.cut, document.text
        postings, sequences, ends = self.draft.postings, self.draft.sequences, self.draft.sequence_ends
        coded_of, odd = self._chunks.__getitem__, self._chunks.odd
        section = self._open[-1].place if self._open else -1
        for at in range(start, stop):
            begin, end, _, _, place = cut.passage(at)
            if place != section:
                section = place
                self._enter(cut, place)
            coded = list(map(coded_of, split(text[begin:end])))
            counts = Counter(coded)
            sequence = "".join(coded)
            if not odd.isdisjoint(counts):
                sequence = self._evened(counts, sequence)
            packed = sequence.encode()
            values = TEXT_VALUES[len(sequence)]
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

    def _evened(self, counts: Counter[str], sequence: str) -> str:
        """Turns counts of chunks of none or several words into counts of their words.

        Returns:
            The sequence without what only names parts.
        """
        get, parts = counts.get, self._chunks.parts
        for chunk in self._chunks.odd.intersection(counts):
            times = counts.pop(chunk)
            codes = chunk
            extra = chunk[-1:]
            if extra >= _FIRST_EXTRA:
                sequence = sequence.replace(extra, "")
                codes = chunk[:-1] + parts[extra]
            for code in codes:
                counts[code] = get(code, 0) + times
        return sequence

    def _begin(self, document: Document, at: int) -> Context:
        """Begins a document, or what of it stands in this segment.

        Returns:
            The terms of fields that all its passages have.
        """
        whole: list[tuple[str, int]] = []
        fields: list[tuple[str, int]] = []
        texts: list[bytes] = []
        for field, pieces, amount in _around(document):
            read = [self._around[field][piece] for piece in pieces]
            texts.append(SEPARATOR.join([each.sequence for each in read]).encode())
            whole += [(code, amount) for code in dict.fromkeys(code for each in read for code in each.plain)]
            fields += [
                (code, amount) for code in dict.fromkeys(code for each in read for code in each.marked)
            ]
        self._whole = tuple(whole)
        self.draft.add_document(document.key, at, *texts)
        return tuple(fields)

    def _enter(self, cut: Cut, place: int) -> None:
        """Begins a section: sets what the passages under its heading are found by besides their text."""
        _, heading, _, _, _, parent = cut.section(place)
        self._close_own()
        while self._open and self._open[-1].place != parent:
            self._leave()
        if parent >= 0 and not self._open:
            self._enter(cut, parent)  # the document goes on in a new segment, below headings of the last
        read = self._around["heading"][heading]
        around = self._open[-1].below if self._open else self._whole
        self._own = self.draft.open_section(read.sequence.encode()) if read.sequence else -1
        section = _Section(place, self._own, read, around)
        self._open.append(section)
        self._context = section.here

    def _close_own(self) -> None:
        if self._own >= 0:
            self.draft.close_own(self._own)
        self._own = -1

    def _leave(self) -> None:
        section = self._open.pop()
        if section.number >= 0:
            self.draft.close_subtree(section.number)

    def _leave_all(self) -> None:
        self._close_own()
        while self._open:
            self._leave()


def _around(document: Document) -> tuple[tuple[Field, tuple[str, ...], int], ...]:
    """What a document has besides its text: field, texts, and what a word in them is worth."""
    return (
        ("path", (document.path,), PATH),
        ("title", (document.title,), TITLE),
        ("tag", document.tags, TAGS),
    )
