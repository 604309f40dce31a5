"""IDs: what a File, a version and a passage are called, for ever.

An ID is a kind (`f_`, `v_`, `p_` …) and 12 characters of lower-case Crockford base32: 60 bits. A File ID is
random. A version ID is the hash of its File ID, number and digest; a passage ID is the hash of its version
ID, start and end, but for its first three characters, which are those of the version ID. So the same
content rebuilt gets the same IDs, and a passage ID leads to the few versions it may belong to without a
table of passages (45 bits of hash are left to tell the passages of those versions apart).

Source: CONTRACT section 3; Douglas Crockford, "Base 32" (no i, l, o, u).
"""

from __future__ import annotations

import re
import secrets
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NewType

from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stonebrowse.text.passages import Cut

FileId = NewType("FileId", str)
VersionId = NewType("VersionId", str)
PassageId = NewType("PassageId", str)

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH: Final = 12
"""Characters after the `_`."""
SHORTEST: Final = 4
"""The fewest characters after the `_` that an ID may be shortened to."""
SHARED: Final = 3
"""How many characters a passage ID has in common with its version ID."""

_DIGITS: Final = tuple(high + low for high in ALPHABET for low in ALPHABET)
_SHORTENED: Final = re.compile(rf"([a-z])_([{ALPHABET}]{{0,{LENGTH}}})")


def encode(number: int) -> str:
    """Write the low 60 bits of a number as 12 characters.

    Returns:
        Crockford base32, lower case, the most significant digit first: it sorts as the number does.
    """
    digits = _DIGITS
    return (
        digits[number >> 50 & 1023]
        + digits[number >> 40 & 1023]
        + digits[number >> 30 & 1023]
        + digits[number >> 20 & 1023]
        + digits[number >> 10 & 1023]
        + digits[number & 1023]
    )


def decode(text: str) -> int:
    """Read the 12 characters that `encode` wrote.

    Raises:
        ValueError: a character that is none of the alphabet's.
    """
    number = 0
    for character in text:
        number = number << 5 | ALPHABET.index(character)
    return number


def random_id(kind: str) -> str:
    """Make a new ID of a kind whose IDs are not derived.

    Args:
        kind: one letter, `f` for a File.
    """
    return f"{kind}_{encode(secrets.randbits(60))}"


def version_id(file_id: FileId, number: int, digest: str) -> VersionId:
    """Derive the ID of a version.

    Args:
        file_id: the File it belongs to.
        number: its number in the File, from 1.
        digest: `sha256:` and 64 hex digits.
    """
    hashed = blake2b(f"{file_id} {number} {digest}".encode(), digest_size=8, person=b"version")
    return VersionId("v_" + encode(int.from_bytes(hashed.digest())))


def passage_id(version: VersionId, start: int, end: int) -> PassageId:
    """Derive the ID of a passage from its version and the bytes [start, end) of the text it covers."""
    hashed = blake2b(b"%a %d %d" % (version, start, end), digest_size=8, person=b"passage")
    return PassageId(f"p_{version[2 : 2 + SHARED]}{encode(int.from_bytes(hashed.digest()))[SHARED:]}")


def passage_ids(version: VersionId, cut: Cut) -> Iterator[PassageId]:
    """Derive the IDs of all passages of a version, in order."""
    return (passage_id(version, passage.start, passage.end) for passage in cut.passages())


def passage_ordinals(version: VersionId, cut: Cut) -> Callable[[str], int | None]:
    """Make what tells a passage's place in its version, from 0, by its ID; None where it is of another version.

    No ID is written for that: ten times as quick as comparing `passage_ids`.
    """
    own, mask = version[2 : 2 + SHARED], (1 << 5 * (LENGTH - SHARED)) - 1
    ordinals = {
        int.from_bytes(
            blake2b(b"%a %d %d" % (version, start, end), digest_size=8, person=b"passage").digest()
        )
        & mask: ordinal
        for ordinal, (start, end) in enumerate(cut.spans())
    }

    def ordinal(passage: str) -> int | None:
        if passage[2 : 2 + SHARED] != own:
            return None
        return ordinals.get(decode(passage[2 + SHARED :]))

    return ordinal


def versions_of_passage(passage: str) -> str:
    """Say how the IDs of the versions begin that a passage ID (or its beginning) may belong to."""
    return "v_" + passage[2 : 2 + SHARED]


def kind_of(shortened: str) -> str:
    """Check an ID that may be shortened.

    Returns:
        Its kind, one letter.

    Raises:
        InputInvalid: it is no ID, or fewer than 4 characters stand after the `_`.
    """
    match = _SHORTENED.fullmatch(shortened)
    if match is None:
        raise InputInvalid(f"“{shortened}” is no ID: write a letter, “_” and 4 to 12 letters or digits.")
    if len(match[2]) < SHORTEST:
        raise InputInvalid(f"“{shortened}” is too short: write at least {SHORTEST} characters after the “_”.")
    return match[1]


def seal(*fields: object) -> int:
    """Hash the fields of a version's row, so that a change of any of them is seen.

    Returns:
        A signed 64-bit number, as SQLite keeps it.
    """
    hashed = blake2b(repr(fields).encode(), digest_size=8, person=b"seal")
    return int.from_bytes(hashed.digest(), signed=True)
