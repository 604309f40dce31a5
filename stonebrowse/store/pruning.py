"""Dropping the bytes of versions: by rule, and of one version that holds a secret. Rows and digests stay.

What is never dropped by rule: the newest version of any File, what anything holds on to (see `held_versions`), and
bytes that one of these shares. What hangs below dropped bytes is written again first, so that it stands alone.

A forgotten version also loses its cut, which holds its headings, and every dictionary that has a sample of it is
emptied; then the whole database is written anew, since SQLite leaves what was deleted in its pages and its log.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from stonebrowse.errors import InputInvalid
from stonebrowse.store import dictionaries, facts, files, handouts, notes, pieces
from stonebrowse.store.compression import Spoilt
from stonebrowse.store.contents import IN_FRAMES, PRUNED, ContentsWriter, Pruned
from stonebrowse.store.cuts import CutsWriter
from stonebrowse.store.dictionaries import FOR_CONTENTS, FOR_CUTS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from stonebrowse.store.dictionaries import Dictionaries, Plan
    from stonebrowse.store.records import Version

TABLES: Final = """
DROP TRIGGER dictionary_parts_are_kept;
CREATE TRIGGER dictionary_parts_are_kept BEFORE DELETE ON dictionary_parts
WHEN NOT EXISTS (SELECT 1 FROM doors WHERE name = 'prune')
BEGIN SELECT RAISE(ABORT, 'a dictionary is never deleted'); END;
"""

AT_ONCE: Final = 256
"""How many contents are dropped in one transaction: others may write in between."""
_OWN: Final = {"files", "versions", "cuts", "contents"}
"""Tables that name versions without holding on to their bytes."""
_HEAD_BYTES: Final = 256
_SHORTEST_BYTES: Final = 16
_UNSCRUBBED: Final = "forget.unscrubbed"


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was dropped, or would be.

    Attributes:
        versions: how many versions lost their bytes.
        bytes_raw: how many bytes they had.
        bytes_kept: how many bytes of the store held them; what stands alone now may take some of that.
    """

    versions: int = 0
    bytes_raw: int = 0
    bytes_kept: int = 0


class _Due(NamedTuple):
    """A version whose bytes may be dropped."""

    version: int
    content: int
    size: int


def held_versions(connection: sqlite3.Connection) -> set[int]:
    """The keys of all versions that anything holds on to: a citation, the tray, a mark, a review.

    A table holds a version by a foreign key to `versions`, or by a column `version_id` with its ID. So an area of
    the store need not do anything for its versions to be kept.
    """
    held: set[int] = set()
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    for (table,) in tables:
        if table in _OWN or table.startswith("sqlite_"):
            continue
        columns = {
            row[1]: "id"
            for row in connection.execute(f"PRAGMA table_info({table})")
            if row[1] == "version_id"
        }
        for row in connection.execute(f"PRAGMA foreign_key_list({table})"):
            if row[2] == "versions":
                columns[row[3]] = row[4] or "key"
        for column, names in columns.items():
            held.update(
                key
                for (key,) in connection.execute(
                    f"SELECT v.key FROM versions v WHERE v.{names} IN (SELECT {column} FROM {table})"  # noqa: S608 -- the schema's own names
                )
            )
    return held


class Pruning:
    """Drops bytes, in a transaction."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        self._connection = connection
        self._contents = ContentsWriter(connection, shared)
        self._cuts = CutsWriter(connection, shared)

    # By rule

    def due(self, before_us: int) -> list[_Due]:
        """The versions whose bytes may be dropped by rule, oldest first.

        Args:
            before_us: those that were replaced by a newer one before this time, in microseconds since 1970.
        """
        rows = self._connection.execute(
            "SELECT v.key, v.content, v.size FROM versions v"
            " JOIN versions n ON n.file = v.file AND n.number = v.number + 1"
            " JOIN contents c ON c.key = v.content JOIN cuts k ON k.version = v.key"
            " WHERE n.recorded_us < ? AND c.form <> ? ORDER BY v.key",
            (before_us, PRUNED),
        )
        held = held_versions(self._connection)
        due = [_Due(*row) for row in rows if row[0] not in held]
        keys = {each.version for each in due}
        needed = {
            content
            for key, content in self._connection.execute("SELECT key, content FROM versions")
            if key not in keys
        }
        needed |= self._frames_of(needed)
        return [each for each in due if each.content not in needed]

    def measure(self, before_us: int) -> Dropped:
        """What `drop_due` would drop in all."""
        due = self.due(before_us)
        contents = self._with_frames({each.content for each in due})
        kept = sum(
            self._connection.execute(
                "SELECT coalesce(sum(length(p.data)), 0) FROM contents c JOIN pieces p ON p.key = c.piece"
                " WHERE c.key = ?",
                (key,),
            ).fetchone()[0]
            for key in contents
        )
        return Dropped(len(due), sum(each.size for each in due), kept)

    def drop_due(self, before_us: int) -> Dropped:
        """Drop the oldest of what is due; nothing where nothing is left to do."""
        due = self.due(before_us)
        taken = {each.content for each in due[:AT_ONCE]}
        due = [each for each in due if each.content in taken]
        with self._doors():
            dropped, kept = self._drop(taken)
        gone = [each for each in due if each.content in dropped]
        return Dropped(len(gone), sum(each.size for each in gone), kept)

    # By hand

    def forget(self, version_id: str) -> list[Version]:
        """Drop the bytes and the cut of a version, and whatever else in the store shows them.

        Returns:
            All versions with the same bytes: they are forgotten together.

        Raises:
            NotFound: there is no such version.
            InputInvalid: one of them is the newest of a File in the library.
        """
        content = files.held(self._connection, version_id).content
        keys = [
            key
            for (key,) in self._connection.execute(
                "SELECT key FROM versions WHERE content = ? ORDER BY key", (content,)
            )
        ]
        versions = [files.held_by_key(self._connection, key).version for key in keys]
        for version in versions:
            if version.current:
                path = files.file(self._connection, version.file_id).path
                raise InputInvalid(
                    f"these are the bytes of the current version of {path}: edit or delete the file first, then"
                    " forget this version"
                )
        with self._doors():
            self._empty_dictionaries(FOR_CONTENTS, self._samples(content))
            self._empty_dictionaries(FOR_CUTS, [self._cut_bytes(key) for key in keys])
            self._drop({content}, whatever=True)
            for key in keys:
                for (above,) in self._connection.execute(
                    "SELECT version FROM cuts WHERE base = ?", (key,)
                ).fetchall():
                    self._cuts.stand_alone(above)
                self._cuts.drop(key)
                handouts.forget(self._connection, key)
                notes.forget(self._connection, key)
        facts.write(self._connection, _UNSCRUBBED, "1")
        return versions

    def _samples(self, content: int) -> list[bytes | None]:
        """The bytes of a content, or of its frames; None for what cannot be read any more."""
        found: list[bytes | None] = []
        for key in self._with_frames({content}):
            try:
                found.append(self._contents.read(key))
            except (Pruned, Spoilt):
                found.append(None)
        return found

    def _cut_bytes(self, version: int) -> bytes | None:
        try:
            return self._cuts.read(version) or b""
        except Spoilt:
            return None

    def _empty_dictionaries(self, plan: Plan, samples: list[bytes | None]) -> None:
        """Empty the dictionaries for a purpose that may hold one of some samples; None may be in any."""
        emptied = []
        rows = self._connection.execute("SELECT key FROM dictionaries WHERE purpose = ?", (plan.purpose,))
        for (key,) in rows.fetchall():
            try:
                held = dictionaries.content(self._connection, key)
            except Spoilt:
                continue  # what was compressed with it cannot be read any more: there is nothing to save
            if held is not None and any(sample is None or _shows(held, sample) for sample in samples):
                emptied.append(key)
        if not emptied:
            return
        writer: ContentsWriter | CutsWriter = self._contents if plan is FOR_CONTENTS else self._cuts
        users = "key FROM contents" if plan is FOR_CONTENTS else "version FROM cuts"
        writer.quick = True
        for key in emptied:
            rows = self._connection.execute(f"SELECT {users} WHERE dictionary = ?", (key,))
            for (user,) in rows.fetchall():
                with suppress(Spoilt):
                    writer.stand_alone(user)
            self._connection.execute("DELETE FROM dictionary_parts WHERE dictionary = ?", (key,))

    # Both

    def _drop(self, contents: set[int], *, whatever: bool = False) -> tuple[set[int], int]:
        """Drop contents and their frames.

        Args:
            contents: their keys.
            whatever: also where something hangs below one of them that cannot be read any more.

        Returns:
            Which were dropped, and how many stored bytes that were.
        """
        dropped, kept = set(), 0
        # Older contents hang below newer ones: in this order they need not be written again to be dropped.
        for key in sorted(self._with_frames(contents)):
            if self._free(key) or whatever:
                kept += self._contents.drop(key)
                dropped.add(key)
        return dropped, kept

    def _free(self, key: int) -> bool:
        """Let stand alone what hangs below a content; false where some of that cannot be read."""
        free = True
        hanging = self._connection.execute("SELECT key FROM contents WHERE base = ?", (key,)).fetchall()
        for (below,) in hanging:
            try:
                self._contents.stand_alone(below)
            except Spoilt:
                free = False
        return free

    def _with_frames(self, contents: set[int]) -> set[int]:
        """Contents and those of their frames that nothing else needs."""
        own = self._frames_of(contents)
        if not own:
            return set(contents)
        framed = {
            key
            for (key,) in self._connection.execute("SELECT key FROM contents WHERE form = ?", (IN_FRAMES,))
            if key not in contents
        }
        needed = self._frames_of(framed) | {
            key for (key,) in self._connection.execute("SELECT content FROM versions") if key not in contents
        }
        return contents | (own - needed)

    def _frames_of(self, contents: Iterable[int]) -> set[int]:
        found: set[int] = set()
        framed = {
            key
            for (key,) in self._connection.execute("SELECT key FROM contents WHERE form = ?", (IN_FRAMES,))
        }
        for key in framed.intersection(contents):
            with suppress(Spoilt, Pruned):
                found.update(row.key for row in self._contents.frames(key) or ())
        return found

    @contextmanager
    def _doors(self) -> Iterator[None]:
        """Open both doors: bytes are dropped, and others written again."""
        with pieces.re_encoding(self._connection):
            self._connection.execute("INSERT INTO doors VALUES ('prune')")
            yield
            self._connection.execute("DELETE FROM doors WHERE name = 'prune'")


def _shows(dictionary: bytes, sample: bytes) -> bool:
    """Whether a dictionary holds the beginning of a sample: at its end a sample may be cut off."""
    head = sample[:_HEAD_BYTES]
    if not head:
        return False
    if head in dictionary:
        return True
    return any(
        dictionary.endswith(head[:size])
        for size in range(min(len(head), _HEAD_BYTES), _SHORTEST_BYTES - 1, -1)
    )


def is_scrubbed(connection: sqlite3.Connection) -> bool:
    """Whether the database was written anew since something was forgotten."""
    return facts.read(connection, _UNSCRUBBED) is None


def scrubbed(connection: sqlite3.Connection) -> None:
    """Write down that it was."""
    connection.execute("DELETE FROM facts WHERE name = ?", (_UNSCRUBBED,))
