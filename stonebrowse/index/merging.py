"""Several segments made one: their columns put together, without what is gone. No text is read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.index.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stonebrowse.index.segment import Segment
    from stonebrowse.index.shard import Shard


def merged(shards: Iterable[Shard]) -> Draft:
    """The documents of some shards that are not gone, in one draft. They must fit one."""
    draft = Draft()
    for shard in shards:
        _Merging(draft, shard).run()
    return draft


class _Merging:
    """Puts what counts of one shard into a draft."""

    def __init__(self, draft: Draft, shard: Shard) -> None:
        self._draft = draft
        self._shard = shard
        self._segment: Segment = shard.segment
        self._moved: list[int] = []
        self._recoded: dict[int, str] = {}

    def run(self) -> None:
        """Does it."""
        segment = self._segment
        self._moved = self._new_ordinals()
        numbers = self._terms()
        self._recoded = {ord(segment.code(number)): code for number, code in numbers.items()}
        self._documents()
        self._sections()

    def _new_ordinals(self) -> list[int]:
        """Where each passage goes; -1 where it is gone."""
        moved = [0] * self._segment.passages
        for start, end in self._shard.gone:
            moved[start:end] = [-1] * (end - start)
        at = len(self._draft)
        for ordinal, gone in enumerate(moved):
            if not gone:
                moved[ordinal] = at
                at += 1
        return moved

    def _terms(self) -> dict[int, str]:
        """Adds the postings. Gives the new character of each term that any passage left holds."""
        draft, segment, moved = self._draft, self._segment, self._moved
        found: dict[int, str] = {}
        for number in range(segment.terms):
            lane = segment.lane(number)
            ordinals, values = (
                segment.postings(number, number + 1) if lane is None else (range(len(lane)), lane)
            )
            pairs = zip(map(moved.__getitem__, ordinals), values, strict=True)
            packed = [place << 8 | value for place, value in pairs if value and place >= 0]
            if packed:
                code = found[number] = draft.codes[segment.term(number).decode()]
                draft.postings[code].extend(packed)
        return found

    def _again(self, sequence: bytes) -> bytes:
        return sequence.decode().translate(self._recoded).encode()

    def _documents(self) -> None:
        draft, segment = self._draft, self._segment
        for number in range(segment.documents):
            key = segment.keys[number]
            if key in self._shard.gone_keys:
                continue
            texts = [self._again(segment.text_of(field, number)) for field in ("path", "title", "tag")]
            draft.add_document(key, segment.bases[number], *texts)
            for ordinal in range(*segment.span(number)):
                if self._moved[ordinal] >= 0:
                    draft.sequences += self._again(segment.sequence(ordinal))
                    draft.sequence_ends.append(len(draft.sequences))

    def _sections(self) -> None:
        """Adds the sections of which any passage is left."""
        draft, segment = self._draft, self._segment
        after = self._next_ordinals()
        for number in range(segment.sections):
            section = segment.section(number)
            start, own_end, end = after[section.start], after[section.own_end], after[section.end]
            if start < end:
                draft.own_starts.append(start)
                draft.own_ends.append(own_end)
                draft.subtree_ends.append(end)
                draft.headings.append(self._again(segment.heading(number)))

    def _next_ordinals(self) -> list[int]:
        """For each ordinal where the first passage from there on that is left has gone."""
        after = [len(self._draft)] * (self._segment.passages + 1)
        for ordinal in range(self._segment.passages - 1, -1, -1):
            after[ordinal] = self._moved[ordinal] if self._moved[ordinal] >= 0 else after[ordinal + 1]
        return after
