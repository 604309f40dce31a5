"""From documents to drafts of segments: the one hot loop of building.

There are no token objects. A passage is cut into chunks by two calls in C; a dictionary turns each chunk into
the characters of its words, having expanded it once for the whole segment; joined, they are the passage's
sequence, and a Counter over that string gives its postings.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.index.draft import SEPARATOR, Draft
from stonebrowse.index.fields import FIELDS, Field, term
from stonebrowse.index.ranking import HEADING, PATH, TAGS, TITLE, TRAIL, text_values
from stonebrowse.text.words import expand, plain, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stonebrowse.index.documents import Document
    from stonebrowse.text.passages import Cut

# A chunk that has parts besides its words carries one character more, which names them. It is taken out of
# the sequence again. In UTF-8 all of these, and no others, begin with one of two bytes.
_FIRST_EXTRA = 0xC0000
_LAST_EXTRA = 0x10FFFF
_EXTRA = re.compile(f"[{chr(_FIRST_EXTRA)}-{chr(_LAST_EXTRA)}]")
_EXTRA_BYTES = (b"\xf3", b"\xf4")


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


class _Around(dict[bytes, tuple[str, str, str]]):
    """Chunk of a heading, path, title or tag → its sequence, the characters of all its words in the text's
    terms, and the same in the field's terms. Fills itself.
    """

    def __init__(self, draft: Draft, field: Field) -> None:
        super().__init__()
        self._draft = draft
        self._field: Field = field

    def __missing__(self, chunk: bytes) -> tuple[str, str, str]:
        expansion = expand(chunk)
        code = self._draft.code
        sequence = "".join([code(term("text", word)) for word in expansion.sequence])
        plain = sequence + "".join([code(term("text", part)) for part in expansion.parts])
        words = expansion.sequence + expansion.parts
        found = self[chunk] = (sequence, plain, "".join([code(term(self._field, word)) for word in words]))
        return found

    def read(self, text: str) -> tuple[str, set[str], set[str]]:
        """The same for a whole text; the words once each."""
        found = [self[chunk] for chunk in split(text.encode("utf-8", "replace"))]
        return (
            "".join([sequence for sequence, _, _ in found]),
            {code for _, plain, _ in found for code in plain},
            {code for _, _, marked in found for code in marked},
        )


class _Section(NamedTuple):
    """A section that is open: its place in the cut, its number in the draft, and what it adds to those below."""

    place: int
    number: int
    words: set[str]
    above: dict[str, int]


class _Analysis:
    """Puts documents into one draft."""

    def __init__(self) -> None:
        self.draft = Draft()
        self._chunks = _Chunks(self.draft)
        self._around: dict[Field, _Around] = {field: _Around(self.draft, field) for field in FIELDS}
        self._whole: dict[str, int] = {}
        self._open: list[_Section] = []
        self._own = -1

    def add(self, document: Document, at: int) -> int:
        """Adds the passages of a document from the one numbered `at` on.

        Returns:
            The number of the first passage that did not fit any more, or how many there are.
        """
        draft, cut, text = self.draft, document.cut, document.text
        self._begin(document, at)
        postings, sequences, ends = draft.postings, draft.sequences, draft.sequence_ends
        coded_of, extras_of = self._chunks.__getitem__, self._chunks.extras.__getitem__
        first_extra, second_extra = _EXTRA_BYTES
        context: Sequence[tuple[str, int]] = ()
        section = -1
        total = len(cut)
        while at < total and not draft.full:
            passage = cut.passage(at)
            if passage.section != section:
                section = passage.section
                context = self._enter(cut, section)
            coded = "".join(map(coded_of, split(text[passage.start : passage.end])))
            packed = coded.encode()
            extras = ""
            if first_extra in packed or second_extra in packed:
                extras = "".join(map(extras_of, _EXTRA.findall(coded)))
                coded = _EXTRA.sub("", coded)
                packed = coded.encode()
            counts = Counter(coded)
            if extras:
                counts.update(extras)
            values = text_values(len(coded))
            base = len(ends) << 8
            for code, times in counts.items():
                postings[code].append(base + values[times])
            for code, amount in context:
                if code in counts:
                    postings[code][-1] += amount
                else:
                    postings[code].append(base + amount)
            sequences += packed
            ends.append(len(sequences))
            at += 1
        self._leave(0)
        return at

    def _begin(self, document: Document, at: int) -> None:
        """Begins a document, or what of it stands in this segment: what holds for all its passages."""
        whole: dict[str, int] = {}
        texts: list[bytes] = []
        for field, pieces, amount in _fields_of(document):
            read = [self._around[field].read(piece) for piece in pieces]
            texts.append(SEPARATOR.join([sequence for sequence, _, _ in read]).encode())
            _add(whole, {code for _, plain, _ in read for code in plain}, amount)
            _add(whole, {code for _, _, marked in read for code in marked}, amount)
        self._whole = whole
        self.draft.add_document(document.key, at, *texts)

    def _enter(self, cut: Cut, index: int) -> Sequence[tuple[str, int]]:
        """Begins a section. Gives what the passages under its heading are found by besides their text."""
        section = cut.section(index)
        if section.parent >= 0 and section.parent not in [each.place for each in self._open]:
            self._enter(
                cut, section.parent
            )  # the document goes on in a new segment, below headings of the last
        depth = next((n for n, each in enumerate(self._open) if each.place == section.parent), -1)
        self._leave(depth + 1)
        sequence, plain, marked = self._around["heading"].read(section.heading)
        above: dict[str, int] = {}
        if self._open:
            above = dict(self._open[-1].above)
            _add(above, self._open[-1].words, TRAIL)
        number = self.draft.open_section(sequence.encode()) if sequence else -1
        self._close_own()
        self._own = number
        self._open.append(_Section(index, number, plain, above))
        context = dict(self._whole)
        for code, amount in above.items():
            context[code] = context.get(code, 0) + amount
        _add(context, plain, HEADING)
        _add(context, marked, HEADING)
        return tuple(context.items())

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


def _fields_of(document: Document) -> tuple[tuple[Field, tuple[str, ...], int], ...]:
    return (
        ("path", (document.path,), PATH),
        ("title", (document.title,), TITLE),
        ("tag", document.tags, TAGS),
    )


def _add(amounts: dict[str, int], codes: Iterable[str], amount: int) -> None:
    for code in codes:
        amounts[code] = amounts.get(code, 0) + amount
