"""From the bytes of a file to its text, which is always valid UTF-8.

UTF-8 is its own text, byte order mark and line ends included, so that offsets are those of the file. Anything
else is turned into UTF-8 once, and the name of its encoding is recorded with the version: reading it again
uses `decode_as` and never guesses a second time.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_MARKED = (  # the longer marks first: UTF-32's little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARKS = {encoding: mark for mark, encoding in _MARKED}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SAMPLE = 256 * 1024
_BEFORE_SAMPLE = 1024
_VALID_FOR_EACH_BROKEN = 4


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and how it was read.

    Attributes:
        text: valid UTF-8; the bytes themselves where they are UTF-8.
        encoding: the name that `decode_as` takes.
        guessed: whether the encoding is a guess, to be marked wherever the text is shown.
    """

    text: bytes
    encoding: str
    guessed: bool


@dataclass(frozen=True, slots=True)
class NotText:
    """Why the bytes are no text: one clause for the list of skipped files."""

    reason: str


def decode(raw: bytes) -> Decoded | NotText:
    """Read the bytes of a file as text.

    UTF-8 where the bytes are; else UTF-16 and UTF-32 by their byte order mark, which is then no part of the
    text; else what the detector guesses. NUL bytes in anything else mean that it is no text.
    """
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        broken_at = error.start
    else:
        return Decoded(raw, "utf-8", guessed=False)
    for mark, encoding in _MARKED:
        if raw.startswith(mark):
            return Decoded(decode_as(raw, encoding), encoding, guessed=False)
    if b"\0" in raw:
        return NotText("it holds NUL bytes and is not UTF-8, UTF-16 or UTF-32")
    encoding = _guess(raw, broken_at)
    return Decoded(decode_as(raw, encoding), encoding, guessed=True)


def decode_as(raw: bytes, encoding: str) -> bytes:
    """Read `raw` in an encoding recorded before. What does not fit it becomes U+FFFD; nothing is raised."""
    mark = _MARKS.get(encoding, b"")
    try:
        text = raw.removeprefix(mark).decode(encoding, "replace")
    except (LookupError, ValueError):
        # A codec that this Python does not have, or that cannot replace: the text stays readable.
        text = raw.decode("utf-8", "replace")
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text).encode("utf-8")


def _guess(raw: bytes, broken_at: int) -> str:
    """The encoding of bytes that are neither UTF-8 nor marked."""
    replaced = raw.decode("utf-8", "replace")
    broken = replaced.count("\ufffd")
    many_bytes = len(replaced.encode("utf-8")) - len(replaced) - 2 * broken
    # UTF-8 with a flaw: cut inside its last character, or whole characters far outnumber the broken ones.
    cut_short = broken == 1 and replaced.endswith("\ufffd")
    if cut_short or many_bytes >= _VALID_FOR_EACH_BROKEN * broken:
        return "utf-8"
    from charset_normalizer import from_bytes

    # The first stretch with bytes that tell is enough, and keeps a file of 256 MiB from taking minutes.
    start = max(0, broken_at - _BEFORE_SAMPLE)
    matches = from_bytes(raw[start : start + _SAMPLE])
    best = matches.best()
    if best is None:
        return "utf-8"
    # Of several that are as likely it names the first in the alphabet; this one is the most frequent.
    tied = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    return "cp1252" if any("cp1252" in match.could_be_from_charset for match in tied) else best.encoding
