"""Checking: what became of the citations that stand in notes.

Which version a string cites, and what became of what it cites there: CONTRACT section 5, "`check` verdicts".
Two stored versions are aligned; nothing is guessed by what is alike.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from stonebrowse.errors import InputInvalid, NotFound, StoreDamaged
from stonebrowse.library import tokens
from stonebrowse.library.reading import WHOLE_BYTES, Document
from stonebrowse.library.sources import HERE, Source, Sources
from stonebrowse.store.handouts import Handout
from stonebrowse.text.alignment import align, normal
from stonebrowse.text.citations import citation, readings
from stonebrowse.text.mentions import Mention, Span, mentions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stonebrowse.library.references import References
    from stonebrowse.store import Store, Version
    from stonebrowse.text.alignment import Alignment
    from stonebrowse.text.passages import Section

Verdict = Literal["holds", "moved", "edited", "ambiguous", "gone", "unknown"]
VERDICTS: tuple[Verdict, ...] = ("holds", "moved", "edited", "ambiguous", "gone", "unknown")

# So many versions are looked through for the one since which a text is another; the newest first.
MOST_VERSIONS = 200

_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Checked:
    """One citation, and what became of it.

    Attributes:
        citation: the string as it stands in the note, on one line; of a token its citation string.
        verdict: what became of it.
        now: the citation string of the same text, or of the edited section, now; None where there is none.
        advice: what it means and what to do, one sentence.
        source: what it cites; None where that is unknown.
        candidates: the citations of all sections that fit, where it is ambiguous.
        span: where it stands in the text that was checked, in characters.
        mention: how it was found there.
        then_text, now_text: the cited text, and what stands there now; empty where there is none.
        handout: `now` as it would be handed out: of which version and bytes.
        now_digest: that version's digest.
    """

    citation: str
    verdict: Verdict
    now: str | None
    advice: str
    source: Source | None = None
    candidates: tuple[str, ...] = ()
    mention: Mention | None = None
    then_text: str = ""
    now_text: str = ""
    handout: Handout | None = None
    now_digest: str = ""

    @property
    def span(self) -> Span | None:
        """Where it stands in the text that was checked."""
        return self.mention.span if self.mention else None

    def as_json(self) -> dict[str, Any]:
        """The contract's fields, but for the place, and more."""
        source = self.source
        return {
            "citation": self.citation,
            "verdict": self.verdict,
            "now": self.now,
            "advice": self.advice,
            "candidates": list(self.candidates),
            "file_id": source.file.file_id if source else None,
            "version_id": source.version.version_id if source else None,
            "number": source.version.number if source else None,
        }


@dataclass(slots=True)
class _Place:
    """Where cited text stands in a version: its section, and the bytes."""

    kind: str
    section: int | None = None
    start: int = 0
    end: int = 0
    line: int = 0
    candidates: tuple[int, ...] = ()


class Checking:
    """Checks citations in one library. Holds versions that it read; made anew for each run."""

    def __init__(self, store: Store, references: References, *, brief: bool = False) -> None:
        """Begins a run.

        Args:
            store: of the library.
            references: of the library.
            brief: only verdicts and places are wanted: no older version is looked through for advice.
        """
        self._store = store
        self._brief = brief
        self._documents = lru_cache(maxsize=32)(self._open)
        self._aligned = lru_cache(maxsize=64)(self._align)
        self._sources = Sources(store, references)
        self._whole = lru_cache(maxsize=1 << 14)(self._read_whole)

    # -- a text ------------------------------------------------------------------------------------------

    def text(self, text: str, *, changed_at: datetime | None = None, note: str = "") -> list[Checked]:
        """Checks every citation string and token of a text, in its order.

        Args:
            text: any text.
            changed_at: when it was last changed; None is now.
            note: the file it is from, to remember what it cited when it was first checked; empty for none.
        """
        moment = changed_at or datetime.now(UTC)
        self._sources.fresh = []
        # A byte that is no text stands there as a lone surrogate (PEP 383): no citation holds one.
        whole = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
        found = [self._mention(each, moment, note) for each in mentions(whole, self._sources.known())]
        if note and self._sources.fresh:
            self._store.handouts.remember(self._sources.fresh, moment, note=note)
        return found

    def refreshed(self, citations: Iterable[Checked]) -> None:
        """Remembers what they are now as handed out: they were put into a note."""
        handouts = [each.handout for each in citations if each.handout]
        self._store.handouts.remember(handouts, datetime.now(UTC))

    def _mention(self, mention: Mention, moment: datetime, note: str) -> Checked:
        try:
            return self._looked_up(mention, moment, note)
        except (NotFound, StoreDamaged) as error:  # pruned or damaged: the others are checked
            string = "a token" if mention.token else mention.string
            advice = f"what it cites cannot be read: {error.message}"
            return Checked(string, "unknown", None, advice, mention=mention)

    def _looked_up(self, mention: Mention, moment: datetime, note: str) -> Checked:
        if mention.token:
            return self._token(mention)
        source = None
        if mention.version_id:
            source = self._sources.of_version(mention.string, mention.version_id)
        source = source or self._sources.source(mention.string, moment, note)
        if source is None:
            return self._unknown(mention)
        return self._judged(mention.string, source, mention)

    def named(self, string: str, version_id: str, changed_at: datetime) -> Checked:
        """Checks a citation beside which a version is named, as in the sources of an engraved note.

        Args:
            string: the citation string.
            version_id: the version.
            changed_at: when the note was last changed.
        """
        return self._mention(Mention(Span(0, 0), string, version_id=version_id), changed_at, "")

    def _token(self, mention: Mention) -> Checked:
        try:
            token = tokens.read(mention.string)
            version = self._store.version(token.version_id)
        except InputInvalid:
            advice = "the token is damaged; copy the whole of it again"
            return Checked("a damaged token", "unknown", None, advice, mention=mention)
        except NotFound:
            advice = "this library never had the version that the token cites"
            return Checked("a token", "unknown", None, advice, mention=mention)
        file = self._store.file(version.file_id)
        source = Source(file, version, token.start, token.start + token.length, words=True)
        document = self._documents(version.version_id)
        quote = document.read(source.start, source.end)
        if version.digest != token.digest or tokens.quote_hash(quote) != token.quote_hash:
            advice = "the token's words never stood there; copy it again"
            return Checked("a token", "unknown", None, advice, mention=mention)
        passage = document.passage_at(token.start)
        string = citation(file.path, "", 1) if passage is None else passage.citation
        return self._judged(string, source, mention)

    def _unknown(self, mention: Mention) -> Checked:
        near = None
        for reading in readings(mention.string):
            for file, _ in self._sources.files_at(reading.path):
                near = near or file.path
        hint = (
            f"{near} never had such a heading at that line" if near else "this library never had such a path"
        )
        return Checked(mention.string, "unknown", None, f"{hint}; look for it with search", mention=mention)

    def document(self, version_id: str) -> Document:
        """A version, opened for reading; one that was opened before is not opened again.

        Raises:
            NotFound: there is none, or its bytes were pruned.
            StoreDamaged: its bytes are not what was recorded.
        """
        document = self._documents(version_id)
        if document.size > WHOLE_BYTES:  # a smaller one was read, and compared, as a whole
            self._whole(version_id)
        return document

    # -- what became of it -------------------------------------------------------------------------------

    def judge(self, string: str, source: Source) -> Checked:
        """What became of one citation.

        Args:
            string: the citation string as it was handed out.
            source: what it cites.
        """
        return self._judged(string, source, None)

    def _judged(self, string: str, source: Source, mention: Mention | None) -> Checked:
        try:
            then = self._documents(source.version.version_id)
            if source.file.state == "current" and _is_whole(string, source, then):
                return self._whole_text(string, source, mention, then)
            return self._verdict(string, source, mention)
        except (NotFound, StoreDamaged) as error:
            advice = f"what it cites cannot be read: {error.message}"
            return Checked(string, "unknown", None, advice, source, mention=mention)

    def _verdict(self, string: str, source: Source, mention: Mention | None) -> Checked:
        file = source.file
        then = self._documents(source.version.version_id)
        then_text = then.read(source.start, source.end).decode("utf-8", "replace")

        def checked(verdict: Verdict, now: str | None, advice: str, **more: Any) -> Checked:
            return Checked(string, verdict, now, advice, source, mention=mention, then_text=then_text, **more)

        if file.state == "trashed":
            how = "left the folder" if file.trashed_by == "disappearance" else "was trashed"
            last = self._last_with(source, file.number, ("same", "edited", "ambiguous"))
            advice = f"{file.path} {how}; version {last} had it last: read it there, or cite something else"
            return checked("gone", None, advice)
        now_document = self._documents(file.version_id)
        newest = now_document.version
        place = self._place(source, newest)
        if place.kind == "same" and place.section is not None:
            heading = now_document.cut.section(place.section).heading
            now = citation(file.path, heading, place.line)
            now_text = now_document.read(place.start, place.end).decode("utf-8", "replace")
            handout = Handout(now, newest.version_id, place.start, place.end)
            if now == string.removeprefix(HERE):
                return checked(
                    "holds", now, "it stands there as it was cited", now_text=now_text, handout=handout
                )
            advice = f"the same text stands at {now} now; `check --fix` rewrites the citation"
            return checked("moved", now, advice, now_text=now_text, handout=handout, now_digest=newest.digest)
        if place.kind == "ambiguous":
            listed = tuple(self._citation(now_document, index) for index in place.candidates)
            advice = f"its text stands in {len(listed)} places now; choose one of them"
            return checked("ambiguous", None, advice, candidates=listed)
        if place.kind == "edited" and place.section is not None:
            section = now_document.cut.section(place.section)
            now = citation(file.path, section.heading, section.line)
            now_text = now_document.read(section.start, section.end).decode("utf-8", "replace")
            since = self._last_with(source, newest.number, ("same",)) + 1
            advice = (
                f"edited since version {since} of {newest.number}; read it again, then cite it as it is now"
            )
            end = now_document.cut.passage(now_document.cut.at(section.start)).end
            handout = Handout(now, newest.version_id, section.start, end)
            return checked("edited", now, advice, now_text=now_text, handout=handout)
        last = self._last_with(source, newest.number, ("same", "edited", "ambiguous"))
        advice = f"version {last} of {newest.number} had it last; cite something else, or that version"
        return checked("gone", None, advice)

    def _whole_text(self, string: str, source: Source, mention: Mention | None, then: Document) -> Checked:
        """What became of a whole text that is cited as its path and Line 1."""
        now = self._documents(source.file.version_id)
        path, newest = source.file.path, now.version
        string_now = citation(path, "", 1)
        same = newest.digest == source.version.digest or (
            normal(then.read(0, then.size)) == normal(now.read(0, now.size))
        )
        handout = Handout(string_now, newest.version_id, 0, now.size)
        verdict: Verdict = "edited"
        advice = f"{path} was edited since version {source.version.number}; read it again, then cite it anew"
        if same and string_now == string.removeprefix(HERE):
            verdict, advice = "holds", "the whole text is as it was cited"
        elif same:
            verdict = "moved"
            advice = f"the same text is {string_now} now; `check --fix` rewrites the citation"
        return Checked(
            string,
            verdict,
            string_now,
            advice,
            source,
            mention=mention,
            handout=handout,
            now_digest=newest.digest,
        )

    def _last_with(self, source: Source, newest: int, kinds: Iterable[str]) -> int:
        """The number of the last version, from the cited one on, in which the cited text fared so."""
        if self._brief:
            return source.version.number
        wanted = set(kinds)
        for number in range(newest, max(source.version.number, newest - MOST_VERSIONS), -1):
            try:
                version = self._store.version_numbered(source.file.file_id, number)
                if self._place(source, version).kind in wanted:
                    return number
            except (NotFound, StoreDamaged):
                continue
        return source.version.number

    def _place(self, source: Source, version: Version) -> _Place:
        """Where the cited text stands in a version of the same File."""
        then = self._documents(source.version.version_id)
        now = self._documents(version.version_id)
        if not len(then.cut):
            same = not len(now.cut)
            return _Place("same" if same else "gone", None)
        ordinal = then.cut.at(source.start)
        index = then.cut.passage(ordinal).section
        section = then.cut.section(index)
        if version.digest == source.version.digest:
            line = then.cut.passage(ordinal).line
            return _Place("same", index, source.start, source.end, line)
        fate = self._aligned(source.version.version_id, version.version_id).fates[index]
        if fate.kind == "ambiguous":
            return _Place("ambiguous", candidates=fate.candidates)
        if fate.new is None:
            return _Place("gone")
        there = now.cut.section(fate.new)
        if fate.kind != "edited":
            start, end = self._range_of(source, then, section.start, section.end, now, there.start, there.end)
            passage = now.cut.passage(now.cut.at(start))
            return _Place("same", fate.new, start, end, passage.line)
        return self._inside(source, fate.new, then, section, now, there) or _Place("edited", fate.new)

    def _inside(
        self, source: Source, new: int, then: Document, section: Section, now: Document, there: Section
    ) -> _Place | None:
        """Where a part of a section, or words of it, stand in the section that was edited."""
        if not source.words and source.start <= section.start and source.end >= section.end:
            return None
        spots = _found(then.read(source.start, source.end), now.read(there.start, there.end))
        if len(spots) != 1:
            return None
        start, end = there.start + spots[0][0], there.start + spots[0][1]
        if source.words:
            line = now.cut.passage(now.cut.at(start)).line
        else:
            line = there.line if source.start <= section.start else now.line_at(start)
        return _Place("same", new, start, end, line)

    def _range_of(
        self, source: Source, then: Document, old: int, old_end: int, now: Document, new: int, new_end: int
    ) -> tuple[int, int]:
        """The cited bytes in a section whose text is the same, but for line ends and blank lines at its end."""
        before, after = then.read(old, old_end), now.read(new, new_end)
        lead = len(normal(before[: source.start - old] + b".")) - 1
        if before[: source.start - old] == after[: source.start - old]:
            start = new + source.start - old
        else:
            start = new + _offset(after, lead)
        if source.end >= old_end:
            return start, new_end
        length = len(normal(then.read(source.start, source.end) + b".")) - 1
        return start, min(new_end, start + _offset(now.read(start, new_end), length))

    def _citation(self, document: Document, index: int) -> str:
        section = document.cut.section(index)
        return citation(document.file.path, section.heading, section.line)

    def _open(self, version_id: str) -> Document:
        opened = self._store.opened_version(version_id, WHOLE_BYTES)
        return Document(self._store, opened.file, opened.version, opened)

    def _read_whole(self, version_id: str) -> None:
        """Compares every byte of a version with its digest."""
        self._store.raw(version_id)

    def _align(self, old: str, new: str) -> Alignment:
        before, after = self._documents(old), self._documents(new)
        return align(before.read(0, before.size), before.cut, after.read(0, after.size), after.cut)


@dataclass(slots=True)
class Counts:
    """How many citations have which verdict."""

    of: Counter[str] = field(default_factory=Counter)

    def add(self, checked: Iterable[Checked]) -> None:
        """Counts some more."""
        self.of.update(each.verdict for each in checked)

    def as_json(self) -> dict[str, int]:
        """Every verdict, and how often it came."""
        return {verdict: self.of[verdict] for verdict in VERDICTS}


def _is_whole(string: str, source: Source, then: Document) -> bool:
    """Whether a citation is that of a whole text: its path and Line 1, where no passage is cited so."""
    if source.words or source.start or source.end < then.size or not string.endswith(" (Line 1)"):
        return False
    first = then.cut.section(0).heading if len(then.cut) else ""
    if not first:
        return len(then.cut) > 1
    return not string.endswith(citation("", first, 1))


def _offset(text: bytes, length: int) -> int:
    """How many bytes of a text are so many when its line ends are single."""
    at = count = 0
    while count < length and at < len(text):
        at += 2 if text[at : at + 2] == b"\r\n" else 1
        count += 1
    return at


def _found(wanted: bytes, text: bytes) -> list[tuple[int, int]]:
    """Where some bytes stand in a text, line ends taken alike, blank lines at their end left out."""
    lines = normal(wanted).split(b"\n")
    if not any(line.strip() for line in lines):
        return []
    pattern = rb"(?:\r\n?|\n)".join(map(re.escape, lines))
    return [match.span() for match in re.finditer(pattern, text)]
