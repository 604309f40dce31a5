"""Writing: what one transaction may do to the store."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from stonebrowse.errors import InputInvalid, Internal, NotFound
from stonebrowse.store import facts, files, handouts, identifiers, notes, tidying
from stonebrowse.store.contents import ContentsWriter
from stonebrowse.store.cuts import CutsWriter, unpacked
from stonebrowse.store.handouts import Handout
from stonebrowse.store.identifiers import FileId
from stonebrowse.store.records import FileState, FolderIdentity, Stat, TrashedBy, Version, WrittenBy

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from stonebrowse.store.dictionaries import Dictionaries
    from stonebrowse.store.notes import NoteSource
    from stonebrowse.text.decoding import Decoded
    from stonebrowse.text.passages import Cut

MANY: Final = 64
"""From so many versions or cuts on, a transaction compresses quickly rather than closely."""
NOTE: Final = "note."
"""What the name of a fact begins with that the library noted."""
FOLDER_IDENTITY: Final = "folder-identity"

_DISPLACED: Final = "//"
"""No relative path begins so: where a File waits whose path another one has taken."""
_ENCODING: Final = re.compile(r"[A-Za-z0-9][\w.:-]*", re.ASCII)


_SEEN: Final = "seen_size = ?, seen_mtime_ns = ?, seen_ctime_ns = ?, seen_inode = ?, seen_device = ?"


class _Added(NamedTuple):
    """A File that has no version yet."""

    path: str
    stat: Stat | None
    written_by: WrittenBy


class _Newest(NamedTuple):
    """The newest version of a File."""

    file: int
    state: FileState
    number: int
    content: int


class _Keys:
    """The next keys of Files and versions: a File and its first version name each other."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        # While the transaction lasts nobody else takes one.
        row = connection.execute("SELECT (SELECT max(key) FROM files), (SELECT max(key) FROM versions)")
        self._file, self._version = (key or 0 for key in row.fetchone())

    def next_file(self) -> int:
        self._file += 1
        return self._file

    def next_version(self) -> int:
        self._version += 1
        return self._version


class Writing:
    """One transaction on the store: made by `Store.writing` only, used by one thread, gone with its block."""

    def __init__(self, connection: sqlite3.Connection, shared: Dictionaries) -> None:
        self._connection = connection
        self._contents = ContentsWriter(connection, shared)
        self._cuts = CutsWriter(connection, shared)
        self._recorded = 0
        self._cut = 0
        self._added: dict[str, _Added] = {}
        """By File ID, the Files that have no version yet."""
        self._keys = _Keys(connection)
        self._displaced: dict[str, str] = {}
        """By File ID, the path that another File has taken."""

    # Files

    def add_file(self, path: str, stat: Stat | None = None, written_by: WrittenBy = "person") -> FileId:
        """Add a File at a path; its first version is to be recorded in the same transaction.

        Another current File at that path must leave it in the same transaction.
        """
        assert written_by in get_args(WrittenBy)
        self._check_path(path)
        file_id = FileId(identifiers.random_id("f"))
        # It is written when its first version is: a File without one is no File.
        self._added[file_id] = _Added(path, stat, written_by)
        return file_id

    def seen(self, file_id: FileId, stat: Stat | None) -> None:
        """Write down what a File's file looks like now."""
        self._update(file_id, _SEEN, *files.stat_columns(stat))

    def rename(self, file_id: FileId, path: str, stat: Stat | None) -> None:
        """Move a File to another path; it keeps its ID and its versions.

        Another current File at that path must leave it in the same transaction: so two may change places.
        """
        self._check_path(path)
        if self._path(file_id) != path:
            self._displace(path)
            self._displaced.pop(file_id, None)
            self._update(file_id, "path = ?", path)
        self.seen(file_id, stat)

    def trash(self, file_id: FileId, by: TrashedBy) -> None:
        """Take a File out of the library; all its versions are kept.

        One that was trashed by hand meanwhile stays so, whatever became of its file.
        """
        assert by in get_args(TrashedBy)
        row = self._connection.execute("SELECT state FROM files WHERE id = ?", (file_id,)).fetchone()
        if by == "disappearance" and row == ("trashed",):
            return
        order = "(SELECT coalesce(max(trashed_order), 0) + 1 FROM files WHERE state = 'trashed')"
        self._update(
            file_id,
            f"path = coalesce(?, path), state = 'trashed', trashed_by = ?, trashed_order = {order}",
            self._displaced.pop(file_id, None),
            by,
        )

    def restore(self, file_id: FileId, stat: Stat | None) -> None:
        """Take a trashed File back in, at its path.

        Another current File at that path must leave it in the same transaction.
        """
        path = self._path(file_id)
        state = self._connection.execute("SELECT state FROM files WHERE id = ?", (file_id,)).fetchone()
        if state == ("trashed",):
            self._displace(path)
            self._update(file_id, "state = 'current', trashed_by = NULL, trashed_order = NULL")
        self.seen(file_id, stat)

    # Versions

    def record(
        self, file_id: FileId, raw: bytes, decoded: Decoded, stat: Stat | None, recorded_at: datetime
    ) -> Version:
        """Keep the exact bytes of a File as its next version, processing until its cut is set.

        Args:
            file_id: the File.
            raw: its exact bytes.
            decoded: how they were read: the encoding is kept, and the text is never guessed again.
            stat: what the file looked like when it was read.
            recorded_at: the time, with a time zone.
        """
        self._recorded += 1
        self._contents.quick = self._recorded > MANY
        assert _ENCODING.fullmatch(decoded.encoding)
        newest = self._newest(file_id)
        before = None if newest is None else newest.content
        if newest is not None and self._is_newest_elsewhere(newest):
            before = None
        content, digest = self._contents.add(raw, before)
        number = 1 if newest is None else newest.number + 1
        named = f"sha256:{digest.hex()}"
        recorded_us = files.microseconds(recorded_at)
        version = Version(
            key=self._keys.next_version(),
            version_id=identifiers.version_id(file_id, number, named),
            file_id=file_id,
            number=number,
            digest=named,
            bytes=len(raw),
            encoding=decoded.encoding,
            guessed=decoded.guessed,
            recorded_at=files.timestamp(recorded_us),
            state="processing",
            current=newest is None or newest.state == "current",
        )
        # Often the text is the very same object, and nothing need be compared.
        text_size = None if decoded.text is raw or decoded.text == raw else len(decoded.text)
        file = self._keys.next_file() if newest is None else newest.file
        self._insert_version(version, file, content, text_size, recorded_us)
        if newest is None:
            self._insert_file(version, file, stat)
        else:
            self._update(file_id, f"newest = ?, {_SEEN}", version.key, *files.stat_columns(stat))
        return version

    def _newest(self, file_id: str) -> _Newest | None:
        """The newest version of a File; None for one that was added in this transaction."""
        if file_id in self._added:
            return None
        row = self._connection.execute(
            "SELECT f.key, f.state, v.number, v.content FROM files f JOIN versions v ON v.key = f.newest"
            " WHERE f.id = ?",
            (file_id,),
        ).fetchone()
        if row is None:
            raise NotFound(f"There is no File {file_id} in this library.")
        return _Newest(*row)

    def _insert_file(self, version: Version, key: int, stat: Stat | None) -> None:
        added = self._added.pop(version.file_id)
        seen = files.stat_columns(stat or added.stat)
        row = (key, version.file_id, added.path, added.written_by, version.key, *seen)
        insert = (
            "INSERT INTO files (key, id, path, written_by, newest, seen_size, seen_mtime_ns, seen_ctime_ns,"
            " seen_inode, seen_device) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        try:
            self._connection.execute(insert, row)
        except sqlite3.IntegrityError:
            # Another File is there; it is looked for only then, since at a first start none ever is.
            self._displace(added.path)
            self._connection.execute(insert, row)

    def _insert_version(
        self, version: Version, file: int, content: int, text_size: int | None, recorded_us: int
    ) -> None:
        self._connection.execute(
            "INSERT INTO versions (key, id, file, number, content, size, text_size, encoding, guessed,"
            " recorded_us, seal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                version.key,
                version.version_id,
                file,
                version.number,
                content,
                version.bytes,
                text_size,
                version.encoding,
                version.guessed,
                recorded_us,
                files.seal_of(version, text_size),
            ),
        )

    def _is_newest_elsewhere(self, newest: _Newest) -> bool:
        """Whether a content is also the newest of another File: it is to stand alone then."""
        found = self._connection.execute(
            "SELECT 1 FROM versions v JOIN files f ON f.key = v.file AND f.newest = v.key"
            " WHERE v.content = ? AND v.file != ? LIMIT 1",
            (newest.content, newest.file),
        ).fetchone()
        return found is not None

    def set_cut(self, version_id: str, cut: Cut) -> None:
        """Keep how a version is cut into passages: it is ready then. A cut is never changed."""
        row = self._connection.execute(
            "SELECT v.key, k.version IS NOT NULL,"
            " (SELECT p.key FROM versions p WHERE p.file = v.file AND p.number = v.number - 1)"
            " FROM versions v LEFT JOIN cuts k ON k.version = v.key WHERE v.id = ?",
            (version_id,),
        ).fetchone()
        if row is None:
            raise NotFound(f"There is no version {version_id} in this library.")
        key, ready, previous = row
        # Compressed already it would be none the smaller beside others: half of all that cuts take.
        packed = cut.pack(level=0)
        if ready:
            kept = unpacked(self._cuts.read(key))
            if kept is None or kept.pack(level=0) != packed:
                raise Internal(f"Version {version_id} is cut already, and otherwise.")
            return
        self._cut += 1
        self._cuts.quick = self._cut > MANY
        self._cuts.add(key, packed, previous)

    def name_sources(self, file_id: str, sources: Iterable[NoteSource], at: datetime) -> None:
        """Keep the sources of an engraved note that this transaction records; they count as handed out then."""
        named = list(sources)
        notes.write(self._connection, file_id, named)
        handed = [Handout(each.citation, each.version_id, each.start, each.end) for each in named]
        handouts.write(self._connection, handed, at)

    # What is not a version

    def set_skipped(self, rows: Iterable[tuple[str, str]]) -> None:
        """Replace all that is skipped: pairs of path and reason."""
        self._connection.execute("DELETE FROM skipped")
        self._connection.executemany("INSERT OR REPLACE INTO skipped VALUES (?, ?)", rows)

    def skip(self, path: str, reason: str) -> None:
        """Write down that a path is skipped, and why."""
        self._connection.execute("INSERT OR REPLACE INTO skipped VALUES (?, ?)", (path, reason))

    def unskip(self, path: str) -> None:
        """A path is skipped no more."""
        self._connection.execute("DELETE FROM skipped WHERE path = ?", (path,))

    def note(self, key: str, value: str) -> None:
        """Keep a small fact; it replaces the one of that name."""
        facts.write(self._connection, NOTE + key, value)

    def set_folder_identity(self, identity: FolderIdentity) -> None:
        """Write down what the folder is."""
        facts.write(self._connection, FOLDER_IDENTITY, f"{identity.device} {identity.inode} {identity.files}")

    # The end

    def finish(self) -> None:
        """Look that the whole is whole, before it is committed.

        Raises:
            InputInvalid: two current Files would have one path.
            Internal: a File has no version.
        """
        if self._displaced:
            path = next(iter(self._displaced.values()))
            raise InputInvalid(f"Two Files would be at {path}: one of them must be renamed or trashed.")
        if self._added:
            raise Internal(f"File {next(iter(self._added))} was added without a version.")
        self._contents.pace.keep()
        self._cuts.pace.keep()

    def tidy(self, budget: int) -> int:
        """Write some old pieces again, see `tidying`; gives what is left of the budget, in bytes."""
        return tidying.tidy(self._connection, self._contents, self._cuts, budget)

    def _check_path(self, path: str) -> None:
        if not path or path.startswith("/"):
            raise Internal(f"“{path}” is no relative path.")

    def _path(self, file_id: FileId) -> str:
        row = self._connection.execute("SELECT path FROM files WHERE id = ?", (file_id,)).fetchone()
        if row is None:
            raise NotFound(f"There is no File {file_id} in this library.")
        path: str = row[0]
        return path

    def _displace(self, path: str) -> None:
        """Take a path from the current File there; the end of the transaction looks that it got another."""
        row = self._connection.execute(
            "SELECT id FROM files WHERE path = ? AND state = 'current'", (path,)
        ).fetchone()
        if row is not None:
            self._displaced[row[0]] = path
            self._update(row[0], "path = ?", _DISPLACED + row[0])

    def _update(self, file_id: str, assignments: str, *values: object) -> None:
        cursor = self._connection.execute(
            f"UPDATE files SET {assignments} WHERE id = ?",  # noqa: S608 -- assignments are written in this module
            (*values, file_id),
        )
        if cursor.rowcount != 1:
            raise NotFound(f"There is no File {file_id} in this library.")
