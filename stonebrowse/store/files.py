"""Reading the rows of Files and versions: SQL on one side, records on the other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from stonebrowse.errors import InputInvalid, NotFound, StoreDamaged
from stonebrowse.store import identifiers
from stonebrowse.store.records import File, Stat, Version

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from stonebrowse.store.identifiers import FileId, VersionId

States = Literal["current", "trashed", "all"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNSIGNED: Final = 1 << 64

_FILES: Final = """
    SELECT f.id, f.path, f.state, f.trashed_by, f.written_by, v.id, v.number, v.size,
        f.seen_size, f.seen_mtime_ns, f.seen_ctime_ns, f.seen_inode, f.seen_device
    FROM files f JOIN versions v ON v.key = f.newest
"""
_VERSIONS: Final = """
    SELECT v.key, v.id, f.id, v.number, c.digest, v.size, v.encoding, v.guessed, v.recorded_us,
        k.version IS NOT NULL, f.newest = v.key AND f.state = 'current',
        v.text_size, v.seal, v.content
    FROM versions v JOIN files f ON f.key = v.file JOIN contents c ON c.key = v.content
        LEFT JOIN cuts k ON k.version = v.key
"""


class Change(NamedTuple):
    """What a File is since it last changed."""

    file: int
    """A small number that stands for the File inside."""
    path: str
    newest: int | None
    """The key of its current version; None where it is trashed."""


class Held(NamedTuple):
    """A version, and how its bytes are found and read."""

    version: Version
    text_size: int | None
    """None where the text is the bytes themselves."""
    seal: int
    content: int
    """The key of its content."""

    @property
    def text_bytes(self) -> int:
        """How many bytes its text has."""
        return self.version.bytes if self.text_size is None else self.text_size

    @property
    def intact(self) -> bool:
        """Whether its row is what was written, and its ID the one that follows from it."""
        version = self.version
        derived = identifiers.version_id(version.file_id, version.number, version.digest)
        return version.version_id == derived and self.seal == seal_of(version, self.text_size)


def seal_of(version: Version, text_size: int | None) -> int:
    """The seal over what is recorded of a version."""
    return identifiers.seal(
        version.version_id,
        version.bytes,
        text_size,
        version.encoding,
        version.guessed,
        version.recorded_at,
    )


def microseconds(moment: datetime) -> int:
    """A time with a time zone as microseconds since 1970, exactly."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def timestamp(microseconds: int) -> str:
    """Microseconds since 1970 as RFC 3339, UTC, with all six digits."""
    moment = _EPOCH + timedelta(microseconds=microseconds)
    return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def signed(number: int) -> int:
    """An inode or device number, 64 bits without a sign, as SQLite keeps it."""
    return number - _UNSIGNED if number >= _UNSIGNED >> 1 else number


def stat_columns(stat: Stat | None) -> tuple[int | None, ...]:
    """A file's stat as the five columns of its row."""
    if stat is None:
        return (None,) * 5
    return (stat.size, stat.mtime_ns, stat.ctime_ns, signed(stat.inode), signed(stat.device))


def stat_of(columns: tuple[Any, ...]) -> Stat | None:
    """The inverse of `stat_columns`."""
    stat = Stat._make(columns)
    if stat.size is None:
        return None
    if stat.inode < 0 or stat.device < 0:
        return stat._replace(inode=stat.inode % _UNSIGNED, device=stat.device % _UNSIGNED)
    return stat


def _file(row: tuple[Any, ...]) -> File:
    file_id, path, state, trashed_by, written_by, version_id, number, size = row[:8]
    stat = stat_of(row[8:])
    return File(file_id, path, state, trashed_by, written_by, version_id, number, size, number, stat)


def _held(row: tuple[Any, ...]) -> Held:
    key, version_id, file_id, number, digest, size, encoding, guessed, recorded_us, ready, current = row[:11]
    try:
        named, recorded_at = "sha256:" + digest.hex(), timestamp(recorded_us)
    except (AttributeError, TypeError, OverflowError) as error:
        raise StoreDamaged(
            f"The row of version {version_id} of File {file_id} is damaged: run `stonebrowse doctor`, and"
            " restore a backup."
        ) from error
    version = Version(
        key,
        version_id,
        file_id,
        number,
        named,
        size,
        encoding,
        guessed == 1,
        recorded_at,
        "ready" if ready else "processing",
        current == 1,
    )
    return Held(version, *row[11:])


def all_files(connection: sqlite3.Connection, state: States) -> list[File]:
    """The Files of a state, by path; those trashed at one path in the order in which they were."""
    where = "" if state == "all" else f"WHERE f.state = '{state}'"
    rows = connection.execute(f"{_FILES} {where} ORDER BY f.path, f.state, f.trashed_order")
    return [_file(row) for row in rows]


def file(connection: sqlite3.Connection, file_id: str) -> File:
    """Find a File by its whole ID; NotFound."""
    row = connection.execute(_FILES + "WHERE f.id = ?", (file_id,)).fetchone()
    if row is None:
        raise NotFound(f"There is no File {file_id} in this library.")
    return _file(row)


def file_at(connection: sqlite3.Connection, path: str) -> File | None:
    """Find the current File at a path, else the one that was last trashed there."""
    row = connection.execute(_FILES + "WHERE f.path = ? AND f.state = 'current'", (path,)).fetchone()
    if row is None:
        row = connection.execute(
            _FILES + "WHERE f.path = ? AND f.state = 'trashed' ORDER BY f.trashed_order DESC LIMIT 1", (path,)
        ).fetchone()
    return None if row is None else _file(row)


def files_with_digest(connection: sqlite3.Connection, digest: str) -> list[File]:
    """The current Files whose newest version has these bytes, by path."""
    raw = bytes.fromhex(digest.removeprefix("sha256:"))
    rows = connection.execute(
        _FILES + "AND f.key = v.file JOIN contents c ON c.key = v.content"
        " WHERE substr(c.digest, 1, 8) = ? AND c.digest = ? AND f.state = 'current' ORDER BY f.path",
        (raw[:8], raw),
    )
    return [_file(row) for row in rows]


def files_trashed_by_hand(connection: sqlite3.Connection) -> list[File]:
    """The Files that were trashed by hand, by path."""
    rows = connection.execute(
        _FILES + "WHERE f.state = 'trashed' AND f.trashed_by = 'hand' ORDER BY f.path, f.trashed_order"
    )
    return [_file(row) for row in rows]


def versions(connection: sqlite3.Connection, file_id: str) -> list[Version]:
    """All versions of a File, newest first; NotFound."""
    rows = connection.execute(_VERSIONS + "WHERE f.id = ? ORDER BY v.number DESC", (file_id,)).fetchall()
    if not rows:
        raise NotFound(f"There is no File {file_id} in this library.")
    return [_held(row).version for row in rows]


def held(connection: sqlite3.Connection, version_id: str) -> Held:
    """Find a version by its whole ID; NotFound."""
    row = connection.execute(_VERSIONS + "WHERE v.id = ?", (version_id,)).fetchone()
    if row is None:
        raise NotFound(f"There is no version {version_id} in this library.")
    return _held(row)


def held_by_key(connection: sqlite3.Connection, key: int) -> Held:
    """Find a version by its key; NotFound."""
    row = connection.execute(_VERSIONS + "WHERE v.key = ?", (key,)).fetchone()
    if row is None:
        raise NotFound(f"There is no version with key {key} in this library.")
    return _held(row)


def held_numbered(connection: sqlite3.Connection, file_id: str, number: int) -> Held:
    """Find a version by its File's ID and its number; NotFound."""
    row = connection.execute(_VERSIONS + "WHERE f.id = ? AND v.number = ?", (file_id, number)).fetchone()
    if row is None:
        raise NotFound(f"File {file_id} has no version {number}.")
    return _held(row)


def held_beginning(connection: sqlite3.Connection, shortened: str) -> Iterator[Held]:
    """Find the versions whose IDs begin so, in the order of their IDs."""
    rows = connection.execute(
        _VERSIONS + "WHERE v.id >= ? AND v.id < ? ORDER BY v.id", (shortened, shortened + "~")
    ).fetchall()
    return map(_held, rows)


def ids_beginning(connection: sqlite3.Connection, shortened: str) -> list[str]:
    """Find the IDs of Files or versions that begin so.

    Raises:
        InputInvalid: of another kind.
    """
    tables = {"f": "files", "v": "versions"}
    table = tables.get(shortened[0])
    if table is None:
        raise InputInvalid(f"“{shortened}” is not the ID of a File, a version or a passage.")
    rows = connection.execute(
        f"SELECT id FROM {table} WHERE id >= ? AND id < ? ORDER BY id",  # noqa: S608 -- a name of our own
        (shortened, shortened + "~"),
    )
    return [found for (found,) in rows]


def current_keys(connection: sqlite3.Connection) -> dict[int, FileId]:
    """The keys of all current versions, and the Files they belong to."""
    return dict(connection.execute("SELECT newest, id FROM files WHERE state = 'current'"))


def files_once_at(connection: sqlite3.Connection, path: str) -> list[File]:
    """The Files that were at a path before they were renamed."""
    rows = connection.execute(
        _FILES + "JOIN former_paths p ON p.file = f.key WHERE p.path = ? ORDER BY f.changed DESC", (path,)
    )
    return [_file(row) for row in rows]


def paths_ever(connection: sqlite3.Connection) -> set[str]:
    """Every path at which a File is or once was, trashed ones included."""
    rows = connection.execute("SELECT path FROM files UNION ALL SELECT path FROM former_paths")
    return {path for (path,) in rows}


def changes(connection: sqlite3.Connection, since: int) -> tuple[int, list[Change]]:
    """What changed after a change's number, and the number of the last change."""
    rows = connection.execute(
        "SELECT changed, key, path, iif(state = 'current', newest, NULL) FROM files WHERE changed > ?"
        " ORDER BY changed",
        (since,),
    ).fetchall()
    return rows[-1][0] if rows else since, [Change(*row[1:]) for row in rows]


def last_change(connection: sqlite3.Connection) -> int:
    """The number of the last change; 0 before the first."""
    number: int = connection.execute("SELECT coalesce(max(changed), 0) FROM files").fetchone()[0]
    return number


def processing(connection: sqlite3.Connection) -> list[VersionId]:
    """The versions that have no cut yet, oldest first."""
    rows = connection.execute(
        "SELECT id FROM versions WHERE key NOT IN (SELECT version FROM cuts) ORDER BY key"
    )
    return [version_id for (version_id,) in rows]


def stats(connection: sqlite3.Connection) -> dict[str, tuple[FileId, Stat | None]]:
    """The current Files by path, each with what its file looked like."""
    rows = connection.execute(
        "SELECT path, id, seen_size, seen_mtime_ns, seen_ctime_ns, seen_inode, seen_device FROM files"
        " WHERE state = 'current'"
    )
    return {row[0]: (row[1], stat_of(row[2:])) for row in rows}
