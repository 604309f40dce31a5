"""Notes that a person names: reading them for `check`, and putting moved citations right in them.

A note may lie anywhere. It is read as text of any kind, and rewritten in one step or not at all, its line
ends, encoding and permissions kept.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from stonebrowse.errors import InputInvalid, NotFound
from stonebrowse.library.citing import escape_markdown
from stonebrowse.text.decoding import NotText, decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stonebrowse.library.checking import Checked

_LINES = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
# A version ID right behind a citation, and a digest behind that, as in the sources of an engraved note.
_BESIDE = re.compile(
    r"([\s`(,;:|-]{1,8})v_[0-9a-hjkmnp-tv-z]{12}(?![0-9a-z_])(?:([\s`,;:|]{1,8})(sha256:[0-9a-f]{64}))?"
)
LARGEST_NOTE_BYTES = 64 << 20
NOT_ENTERED = frozenset(("node_modules", "__pycache__"))


@dataclass(frozen=True, slots=True)
class Note:
    """One file that may hold citations.

    Attributes:
        place: as the person named it, or below the folder that was named.
        text: its text; a byte that is no UTF-8 is a lone surrogate (PEP 383).
        encoding: how its bytes are read and written.
        mark: its byte order mark.
        changed_at: when it was last changed.
        status: what it looked like when it was read.
    """

    place: str
    text: str
    encoding: str
    mark: bytes
    changed_at: datetime
    status: os.stat_result

    @property
    def real_place(self) -> str:
        """Its real path: what it is remembered by."""
        return os.path.realpath(self.place)


def note_places(places: Iterable[str]) -> Iterator[str]:
    """The files that are named, and those in folders that are, in order; nothing hidden below a folder.

    Raises:
        NotFound: there is nothing at a path.
    """
    for place in places:
        if not os.path.lexists(place):
            raise NotFound(f"there is nothing at {place}; name a file or a folder")
        if not os.path.isdir(place):
            yield place
            continue
        for folder, folders, files in os.walk(place):
            folders[:] = sorted(name for name in folders if name[0] != "." and name not in NOT_ENTERED)
            for name in sorted(files):
                path = os.path.join(folder, name)
                if name[0] != "." and os.path.isfile(path):
                    yield path


def read_note(place: str, *, named: bool) -> Note | None:
    """Reads a note.

    Args:
        place: the file.
        named: the person named it; else it was found in a folder, and may be passed over.

    Returns:
        None for a file that is no text, or too large, or cannot be read, and was not named.

    Raises:
        InputInvalid: it was named, and cannot be read as text.
    """
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                reason, raw = "is no file", b""
            elif status.st_size > LARGEST_NOTE_BYTES:
                reason, raw = "is too large to be a note", b""
            else:
                reason, raw = "", file.read()
    except OSError as error:
        reason, raw, status = f"cannot be read ({error.strerror})", b"", None
    found = None if reason else decode(raw)
    if isinstance(found, NotText):
        reason = f"is no text ({found.reason})"
    if reason or found is None or isinstance(found, NotText) or status is None:
        if named:
            raise InputInvalid(f"{place} {reason}; name a file of text")
        return None
    text, encoding, mark = _decoded(raw, found.encoding)
    changed = datetime.fromtimestamp(max(0, status.st_mtime_ns // 1000) / 1_000_000, UTC)
    return Note(place, text, encoding, mark, changed, status)


def _decoded(raw: bytes, encoding: str) -> tuple[str, str, bytes]:
    """Text that is written back byte for byte, how it is written, and its byte order mark."""
    for name, mark, written in (
        ("utf-32-le", b"\xff\xfe\0\0", "utf-32-le"),
        ("utf-32-be", b"\0\0\xfe\xff", "utf-32-be"),
        ("utf-16-le", b"\xff\xfe", "utf-16-le"),
        ("utf-16-be", b"\xfe\xff", "utf-16-be"),
    ):
        if raw.startswith(mark) and encoding.replace("_", "-").startswith(name[:6]):
            return raw[len(mark) :].decode(written, "surrogatepass"), written, mark
    if encoding == "utf-8":
        return raw.decode("utf-8", "surrogateescape"), "utf-8", b""
    try:
        text = raw.decode(encoding)
        if text.encode(encoding) == raw:
            return text, encoding, b""
    except (UnicodeError, LookupError):
        pass
    return raw.decode("utf-8", "surrogateescape"), "utf-8", b""


def rewritten(note: Note, found: Sequence[Checked]) -> tuple[str, list[Checked]]:
    """The note's text with its moved citations put right.

    Returns:
        The text, and which citations were changed.
    """
    moved = [
        each
        for each in found
        if each.verdict == "moved" and each.now and each.mention and not each.mention.token
    ]
    text, pieces, at = note.text, [], 0
    for each in moved:
        assert each.now is not None
        assert each.mention is not None
        span = each.mention.span
        now = escape_markdown(each.now) if each.mention.escaped else each.now
        pieces += [text[at : span.start], _wrapped(text[span.start : span.end], now)]
        at = span.end
        if each.mention.version_id and each.handout:
            # The version that is named beside it had it elsewhere: the newest has the same text.
            beside = _BESIDE.match(text, at)
            if beside:
                digest = each.now_digest if beside[3] else ""
                pieces.append(f"{beside[1]}{each.handout.version_id}{beside[2] or ''}{digest}")
                at = beside.end()
    return "".join([*pieces, text[at:]]), moved


def _wrapped(before: str, now: str) -> str:
    """A citation with the line breaks that it had, before the same words."""
    lines = _LINES.findall(before)
    if len(lines) == 1:
        return now
    words = now.split(" ")
    pieces: list[str] = []
    for number, line in enumerate(lines[:-1]):
        head = line.rstrip("\r\n")
        count = max(1, len(head.split()) - (len(_leader(head)[0].split()) if number else 0))
        taken, words = words[:count], words[count:]
        pieces.append((_leader(head)[0] if number else "") + " ".join(taken) + line[len(head) :])
    pieces.append(_leader(lines[-1])[0] + " ".join(words))
    return "".join(pieces) if words else now


def _leader(line: str) -> tuple[str, str]:
    """What stands before the words of a line that goes on: indentation, and a quote's or comment's mark."""
    at = 0
    while at < len(line) and line[at] in " \t>#/*;%|-!":
        at += 1
    return line[:at], line[at:]


def write_note(note: Note, text: str) -> None:
    """Replaces a note by another text, in one step.

    Raises:
        InputInvalid: it was changed meanwhile, or cannot be written; it is as it was then.
    """
    place = note.real_place
    errors = "surrogateescape" if note.encoding == "utf-8" else "surrogatepass"
    try:
        data = note.mark + text.encode(note.encoding, errors if note.encoding.startswith("utf") else "strict")
    except UnicodeEncodeError:
        raise InputInvalid(
            f"the citation cannot be written in the encoding of {note.place} ({note.encoding}); save it as UTF-8"
        ) from None
    folder, name = os.path.split(place)
    unfinished = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fchmod(file.fileno(), stat.S_IMODE(note.status.st_mode))
                if (note.status.st_uid, note.status.st_gid) != (os.geteuid(), os.getegid()):
                    os.fchown(file.fileno(), note.status.st_uid, note.status.st_gid)
                os.fsync(file.fileno())
            _look_again(note, os.stat(place))
            os.replace(unfinished, place)
        except BaseException:
            if os.path.lexists(unfinished):
                os.unlink(unfinished)
            raise
        opened = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as error:
        raise InputInvalid(
            f"{note.place} cannot be written ({error.strerror}); nothing was changed"
        ) from error


def _look_again(note: Note, seen: os.stat_result) -> None:
    """Refuses to replace a file that is not the one that was read."""
    then = note.status
    if (seen.st_mtime_ns, seen.st_size, seen.st_ino) != (then.st_mtime_ns, then.st_size, then.st_ino):
        raise InputInvalid(f"{note.place} was changed meanwhile; check it again")
