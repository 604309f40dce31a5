"""Reading the bytes, the text and the cut of a version, all of it checked."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.errors import NotFound, StoreDamaged
from stonebrowse.store import files, identifiers
from stonebrowse.store.compression import Spoilt
from stonebrowse.store.contents import Contents, Pruned
from stonebrowse.store.cuts import Cuts, unpacked
from stonebrowse.store.records import Frame, Opened
from stonebrowse.text.decoding import decode_as

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from stonebrowse.store.dictionaries import Dictionaries
    from stonebrowse.store.files import Held
    from stonebrowse.store.identifiers import PassageId
    from stonebrowse.store.records import Version
    from stonebrowse.text.passages import Cut


class FoundPassage(NamedTuple):
    """A passage that was looked for by its ID."""

    passage_id: PassageId
    version: Version
    ordinal: int


class Reading:
    """Reads versions over one connection, at one moment. What is damaged or pruned is said by name."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        self._connection = connection
        self._contents = Contents(connection, shared)
        self._cuts = Cuts(connection, shared)

    def raw(self, held: Held) -> bytes:
        """The exact bytes."""
        with _named(held):
            return self._contents.read(held.content)

    def text(self, held: Held) -> bytes:
        """The text as UTF-8, decoded as it was recorded."""
        raw = self.raw(held)
        if held.text_size is None:
            return raw
        text = decode_as(raw, held.version.encoding)
        with _named(held):
            if len(text) != held.text_size:
                raise Spoilt("its text is another")
        return text

    def window(self, held: Held, start: int, max_bytes: int) -> bytes:
        """A window of the text."""
        if held.text_size is not None:
            return self.text(held)[start : start + max_bytes]
        with _named(held):
            return self._contents.window(held.content, start, max_bytes)

    def frames(self, held: Held) -> list[Frame]:
        """The stretches of the text that are kept by themselves."""
        if held.text_size is not None:
            return [Frame(0, held.text_size, 1)]
        with _named(held):
            rows = self._contents.frames(held.content)
        if rows is None:
            return [Frame(0, held.version.bytes, 1)]
        starts = accumulate((row.size for row in rows), initial=0)
        lines = accumulate((row.lines for row in rows), initial=1)
        return [Frame(start, row.size, line) for start, line, row in zip(starts, lines, rows, strict=False)]

    def cut(self, held: Held) -> Cut | None:
        """How it is cut; None while it is processing."""
        with _named(held):
            return unpacked(self._cuts.read(held.version.key))

    def opened(self, held: Held, whole_bytes: int) -> Opened:
        """A version with its File and its cut, and with its text where that is not larger than this."""
        size = self.intact(held).text_bytes
        text = self.text(held) if size <= whole_bytes else None
        file = files.file(self._connection, held.version.file_id)
        return Opened(file, held.version, size, text, self.cut(held))

    def passages(self, shortened: str) -> Iterator[FoundPassage]:
        """The passages whose IDs begin so."""
        for held in files.held_beginning(self._connection, identifiers.versions_of_passage(shortened)):
            cut = self.cut(held)
            if cut is not None:
                for ordinal, passage_id in enumerate(identifiers.passage_ids(held.version.version_id, cut)):
                    if passage_id.startswith(shortened):
                        yield FoundPassage(passage_id, held.version, ordinal)

    def intact(self, held: Held) -> Held:
        """The same, if its row is what was written."""
        with _named(held):
            if not held.intact:
                raise Spoilt("its row is other than it was")
        return held


@contextmanager
def _named(held: Held) -> Iterator[None]:
    """Say which File and version it was that could not be read."""
    version = held.version
    name = f"Version {version.number} ({version.version_id}) of File {version.file_id}"
    try:
        yield
    except Spoilt as error:
        raise StoreDamaged(
            f"{name} cannot be read, its stored bytes are damaged ({error}): run `stonebrowse doctor`, and"
            " restore a backup."
        ) from error
    except Pruned as error:
        raise NotFound(f"{name} cannot be read: its bytes were pruned.") from error
