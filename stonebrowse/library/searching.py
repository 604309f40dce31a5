"""Finding passages: the index's answer, and what is not indexed yet scanned.

The answer is never a false "nothing": whatever is recorded and not in the index is searched by its text, with
the same engine, and versions that the index still holds but that are no longer current are left out.

The index is imported with the first search: importing Whoosh takes as long as painting the browser's first screen.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stonebrowse.library.current import Current, version_key
from stonebrowse.library.passages import PassageView, view
from stonebrowse.library.paths import matches as path_matches
from stonebrowse.library.reading import Document
from stonebrowse.library.snippets import snippet, without_heading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from stonebrowse.index import Document as IndexDocument
    from stonebrowse.index import Index, Query
    from stonebrowse.index.wanted import Wanted
    from stonebrowse.store import Store

DOCUMENTS_KEPT = 96
# Of a query that finds nothing, so many words are looked for one by one.
MOST_APART = 6
# How much text that may match is analysed in one scan: about a second of work.
SCAN_BYTES = 6 << 20


@dataclass(frozen=True)
class Hit(PassageView):
    """A passage that was found.

    Attributes:
        score: the higher the better; comparable within one answer only.
        document: the version it stands in.
        query: what it was found by.
    """

    score: float = 0.0
    document: Document = field(repr=False, kw_only=True, compare=False)
    query: Query = field(repr=False, kw_only=True, compare=False)

    @cached_property
    def text(self) -> str:
        """The passage's text."""
        return self.document.read(self.start, self.end).decode()

    @cached_property
    def _snippet(self) -> tuple[str, tuple[tuple[int, int], ...]]:
        headed = self.part == 1 and self.label != self.path
        return snippet(without_heading(self.text) if headed else self.text, self.query.lights)

    @property
    def snippet(self) -> str:
        """The words around the match, in one line, control characters made visible."""
        return self._snippet[0]

    @property
    def matches(self) -> tuple[tuple[int, int], ...]:
        """What of the snippet matches, in characters."""
        return self._snippet[1]

    def as_json(self) -> dict[str, Any]:
        """The contract's fields of a hit."""
        return super().as_json() | {
            "snippet": self.snippet,
            "matches": [list(span) for span in self.matches],
            "score": round(self.score, 4),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found.

    Attributes:
        hits: the best, best first.
        total: how many passages match; where `complete` is false, at least so many.
        complete: whether everything current was in the index.
        notes: what is to be said about how the query was taken.
        query: the query as it was read; its `lights` marks the words in a text.
        nearest: where words of the query stand nowhere, words of the library that are spelt nearly so.
        spelt: the same in pairs: the word of the query, folded, and one that is spelt nearly so.
        alone: where no passage holds all that is looked for: each of it as a query, and how many hold it.
        closest: then the passage that holds the most of it.
    """

    hits: list[Hit]
    total: int
    complete: bool
    notes: list[str]
    query: Query
    nearest: list[str] = field(default_factory=list)
    spelt: list[tuple[str, str]] = field(default_factory=list)
    alone: list[tuple[str, int]] = field(default_factory=list)
    closest: Hit | None = None


@dataclass(frozen=True, slots=True)
class Apart:
    """What stands where, of a query of which no passage holds all.

    Attributes:
        note: that in a sentence.
        alone: each of it as a query, and how many passages hold it.
        closest: the passage that holds the most of it; None for none.
    """

    note: str
    alone: list[tuple[str, int]]
    closest: Hit | None


class Searching:
    """Searches one library. `damaged` is called when the index cannot be used.

    May be called from several threads, of which one searches at a time.
    """

    def __init__(self, store: Store, place: Path, *, damaged: Callable[[], None] = lambda: None) -> None:
        self._store = store
        self._place = place
        self._damaged = damaged
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._documents: OrderedDict[int, Document] = OrderedDict()
        self._current = Current(store)
        self._held: frozenset[int] = frozenset()
        self._pending: list[int] = []
        self._stale: frozenset[int] = frozenset()

    def close(self) -> None:
        """Closes the index."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def search(
        self,
        string: str,
        *,
        limit: int = 20,
        path: str | None = None,
        typing: bool = False,
        scan: bool = True,
        any_word: bool = False,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Answer:
        """The best passages for a query.

        Args:
            string: the query, as typed.
            limit: how many hits.
            path: a glob that their paths match.
            typing: the last word may be unfinished.
            scan: also look through what is not indexed yet.
            any_word: any of what it looks for will do, not all.
            stopped: asked now and then while scanning; a true answer ends it with what was found.
        """
        from stonebrowse.index import parse

        query = parse(string, typing=typing)
        if any_word:
            query = query.any()
        with self._lock:
            return self._search(query, limit, path, scan=scan, stopped=stopped)

    def _search(
        self, query: Query, limit: int, path: str | None, *, scan: bool, stopped: Callable[[], bool]
    ) -> Answer:
        from stonebrowse.index import Memory

        index = self._refresh()
        only = self._below(path) if path else None
        memory = Memory(self._narrowed(only, query, stopped) if scan else ())
        if index:
            found = index.search(query, limit=limit, without=self._stale, only=only, also=memory)
        else:
            found = memory.search(query, limit=limit, only=only)
        self._open(key for key, _, _ in found.hits)
        hits = [self._hit(key, ordinal, score, found.query) for key, ordinal, score in found.hits]
        self._forget()
        spelt = [(word, near) for word in found.unknown for near in index.nearest(word)[:3]] if index else []
        answer = Answer(
            hits,
            found.total,
            not self._pending,
            list(found.notes),
            found.query,
            [near for _, near in spelt],
            spelt,
        )
        if index and not found.total and not found.unknown and len(query.groups) > 1:
            apart = self._apart(index, query, only)
            return replace(
                answer, notes=[*answer.notes, apart.note], alone=apart.alone, closest=apart.closest
            )
        return answer

    def _apart(self, index: Index, query: Query, only: set[int] | None) -> Apart:
        """What is said where every word stands somewhere, but no passage holds all of them."""
        alone = [
            (
                " or ".join(" ".join(each.words) for each in group),
                replace(query, groups=(group,), fallback=None),
            )
            for group in query.groups[:MOST_APART]
        ]
        totals = [index.search(each, limit=1, without=self._stale, only=only).total for _, each in alone]
        counts = [f"{words} in {total:,}" for (words, _), total in zip(alone, totals, strict=True)]
        queries = [
            (" OR ".join(map(_as_query, group)), total)
            for group, total in zip(query.groups[:MOST_APART], totals, strict=True)
        ]
        said = f"no passage holds all of these words; alone they are found: {', '.join(counts)}"
        # Of some only: for 50 words it would take longer than the search itself.
        some = replace(query, groups=query.groups[:MOST_APART]).any()
        best = index.search(some, limit=1, without=self._stale, only=only).hits
        if not best:
            return Apart(said, queries, None)
        key, ordinal, score = best[0]
        closest = self._hit(key, ordinal, score, some)
        return Apart(f"{said}; the nearest is {closest.citation}", queries, closest)

    def indexed(self) -> tuple[int, int]:
        """How many current versions the index holds, and how many there are."""
        with self._lock:
            self._refresh()
            return len(self._current.paths) - len(self._pending), len(self._current.paths)

    def generation(self) -> int:
        """Changes whenever the index on disk does; cheap, and safe from any thread."""
        try:
            return os.stat(self._place).st_mtime_ns
        except OSError:
            return 0

    def _refresh(self) -> Index | None:
        """Looks what is current and what the index holds; gives the index, if there is one to be used."""
        index = self._usable()
        held = index.keys() if index else frozenset()
        changed = self._current.follow()
        if changed:
            self._documents.clear()
        if changed or held is not self._held:
            self._pending = sorted(self._current.paths.keys() - held)
            self._stale = held - self._current.paths.keys()
            self._held = held
        return index

    def _usable(self) -> Index | None:
        """The index at its newest commit; None while there is none that can be used."""
        from stonebrowse.index import Index, IndexDamaged

        try:
            if self._index is None:
                self._index = Index.open(self._place, create=False)
            else:
                self._index.refresh()
        except IndexDamaged:
            self.close()
            if self._place.exists():
                self._damaged()
        return self._index

    def _below(self, glob: str) -> set[int]:
        return {key for key, path in self._current.paths.items() if path_matches(path, glob)}

    def _narrowed(
        self, only: set[int] | None, query: Query, stopped: Callable[[], bool]
    ) -> Iterator[IndexDocument]:
        """The documents not indexed yet that may match, up to a bound of work."""
        from stonebrowse.library.indexing import document

        size = 0
        for key in self._pending:
            if stopped() or size > SCAN_BYTES:
                return
            if only is not None and key not in only:
                continue
            opened = self._document(key)
            if query.may_match(opened.read(0, opened.size), opened.file.path):
                entry = document(self._store, opened.version, opened.file.path)
                size += len(entry.text)
                yield entry
            self._forget()

    def _open(self, keys: Iterable[int]) -> None:
        """Opens all documents that are not open yet, at once; it is most of the work of an answer."""
        missing = [key for key in dict.fromkeys(keys) if key not in self._documents]
        if missing:
            opened = Document.several(self._store, map(version_key, missing))
            self._documents.update(zip(missing, opened, strict=True))

    def _document(self, key: int) -> Document:
        opened = self._documents.get(key)
        if opened is None:
            version = self._store.version_by_key(version_key(key))
            opened = Document(self._store, self._store.file(version.file_id), version)
            self._documents[key] = opened
        else:
            self._documents.move_to_end(key)
        return opened

    def _forget(self) -> None:
        """Lets go of the documents that were used the longest ago."""
        while len(self._documents) > DOCUMENTS_KEPT:
            self._documents.popitem(last=False)

    def _hit(self, key: int, ordinal: int, score: float, query: Query) -> Hit:
        opened = self._document(key)
        seen = view(opened.file, opened.version, opened.cut, ordinal)
        values = {each.name: getattr(seen, each.name) for each in fields(PassageView)}
        return Hit(**values, score=score, document=opened, query=query)


def _as_query(wanted: Wanted) -> str:
    """What is looked for as one would type it."""
    words = " ".join(wanted.words)
    if len(wanted.words) > 1:
        words = f'"{words}"'
    elif wanted.prefix:
        words += "*"
    return words if wanted.field == "text" else f"{wanted.field}:{words}"
