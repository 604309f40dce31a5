"""What a citation string cites: a File, an exact version, and the bytes of its text.

The version from which stonebrowse handed it out; else the newest in which it was literally true when the note was
last changed; else the oldest in which it was (CONTRACT section 5, "`check` verdicts").
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from stonebrowse.errors import NotFound
from stonebrowse.store.handouts import Handout
from stonebrowse.text.citations import escape, readings
from stonebrowse.text.mentions import Known

if TYPE_CHECKING:
    from stonebrowse.library.references import References
    from stonebrowse.store import File, Store, Version

# How the shell may spell that a path is relative.
HERE = "./"


@dataclass(frozen=True, slots=True)
class Source:
    """What a citation cites.

    Attributes:
        file, version: the File and the exact version.
        start, end: the bytes of the version's text.
        words: it cites exact words, not a passage.
    """

    file: File
    version: Version
    start: int
    end: int
    words: bool = False


class Sources:
    """Finds what strings cite, in one library. Holds what it found: to be made anew for each run.

    Attributes:
        fresh: what was found by what was true, not by a hand-out; to be remembered.
    """

    def __init__(self, store: Store, references: References) -> None:
        self._store = store
        self._references = references
        self.files_at = lru_cache(maxsize=1 << 16)(self._known_path)
        self.true = lru_cache(maxsize=1 << 12)(self._literally)
        self.fresh: list[Handout] = []

    def source(self, string: str, moment: datetime, note: str) -> Source | None:
        """What was cited: by a hand-out, else by what was true then, else by what was true first."""
        handed = self._store.handouts.last(string, moment, note=note)
        if handed is not None:
            version = self._store.version(handed.version_id)
            return Source(self._store.file(version.file_id), version, handed.start, handed.end)
        true = self.true(string)
        if not true:
            return None
        then = [each for each in true if _moment(each.version) <= moment]
        chosen = (
            max(then, key=lambda each: _moment(each.version))
            if then
            else min(true, key=lambda each: _moment(each.version))
        )
        self.fresh.append(Handout(string, chosen.version.version_id, chosen.start, chosen.end))
        return chosen

    def of_version(self, string: str, version_id: str) -> Source | None:
        """What a string cites in the version that is named beside it."""
        try:
            version = self._store.version(version_id)
        except NotFound:
            return None
        return in_version(self._store, version, string)

    def _literally(self, string: str) -> tuple[Source, ...]:
        """Every version in which a string is, or was, literally true."""
        found: list[Source] = []
        for reading in readings(string):
            if reading.line is None:
                continue
            for file, _ in self.files_at(reading.path):
                for version in self._store.versions(file.file_id):
                    source = _at(self._store, file, version, reading.heading or "", reading.line)
                    if source is not None:
                        found.append(source)
            if found:
                break
        return tuple(found)

    def _known_path(self, path: str) -> tuple[tuple[File, str], ...]:
        return tuple(self._references.known(path))

    def known(self) -> Known:
        """What tells where a citation begins in prose: paths are looked up once for the whole text."""
        paths = self._store.paths_ever()

        def is_path(text: str) -> bool:
            text = text.removeprefix(HERE)
            # Held as printed: what is odd may stand in a note as it is, too.
            return text in paths or (not text.isprintable() and escape(text) in paths)

        longest = max(map(len, paths), default=0) + len(HERE)
        return Known(is_path, lambda string: bool(self.true(string)), longest)


def _moment(version: Version) -> datetime:
    return datetime.fromisoformat(version.recorded_at)


def in_version(store: Store, version: Version, string: str) -> Source | None:
    """What a citation string cites in a version, whatever path it names; None where it is not true there."""
    file = store.file(version.file_id)
    for reading in readings(string):
        found = _at(store, file, version, reading.heading or "", reading.line)
        if found is not None:
            return found
        if (reading.heading, reading.line) == (None, 1) and (
            reading.path == file.path or file in store.files_once_at(reading.path)
        ):
            return Source(file, version, 0, store.text_size(version.version_id))
    return None


def _at(store: Store, file: File, version: Version, heading: str, line: int | None) -> Source | None:
    cut = store.cut(version.version_id)
    if cut is None or not len(cut) or line is None:
        return None
    ordinal = cut.at_line(line)
    passage = cut.passage(ordinal)
    if passage.line != line or escape(cut.section(passage.section).heading) != heading:
        return None
    return Source(file, version, passage.start, passage.end)
