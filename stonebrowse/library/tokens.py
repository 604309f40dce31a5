"""The token: one string that stands for one citation of exact words (CONTRACT section 3, "The token").

`sbc1_` and base64url, no padding, of the fields below. It is not signed: whoever uses it reads the stored
bytes again and compares. The check tells a token that was damaged on the way from one that was never true.
"""

from __future__ import annotations

import base64
import binascii
import struct
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from stonebrowse.errors import InputInvalid
from stonebrowse.store import identifiers

PREFIX: Final = "sbc1_"
_FORMAT: Final = 1
# Format, version ID, content digest, start and length of the quoted text in bytes, hash of that text.
_FIELDS: Final = struct.Struct(">BQ32sQI16s")
_CHECK_BYTES: Final = 4
_SIZE: Final = _FIELDS.size + _CHECK_BYTES
_LENGTH: Final = (_SIZE * 4 + 2) // 3


@dataclass(frozen=True, slots=True)
class Token:
    """What a token says.

    Attributes:
        version_id: the version it quotes.
        digest: `sha256:` and 64 hex digits, of that version's exact bytes.
        start: the first byte of the quote in the version's text.
        length: how many bytes it has.
        quote_hash: what `quote_hash` makes of the quoted bytes.
    """

    version_id: str
    digest: str
    start: int
    length: int
    quote_hash: bytes

    def write(self) -> str:
        """The token as a string of one length."""
        fields = _FIELDS.pack(
            _FORMAT,
            identifiers.decode(self.version_id[2:]),
            bytes.fromhex(self.digest.removeprefix("sha256:")),
            self.start,
            self.length,
            self.quote_hash,
        )
        return PREFIX + base64.urlsafe_b64encode(fields + _check(fields)).decode().rstrip("=")


def read(text: str) -> Token:
    """Read a token.

    Raises:
        InputInvalid: it is none, or was damaged.
    """
    text = text.strip()
    body = text.removeprefix(PREFIX)
    if body == text:
        raise InputInvalid(f"a token begins with {PREFIX}; copy the whole of it")
    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    # Unused bits of the last character would make two strings of one token.
    exact = len(body) == _LENGTH and base64.urlsafe_b64encode(data).decode().rstrip("=") == body
    fields, check = data[: _FIELDS.size], data[_FIELDS.size :]
    if not exact or fields[0] != _FORMAT or check != _check(fields):
        raise InputInvalid("the token is damaged; copy the whole of it again")
    _, version, digest, start, length, hashed = _FIELDS.unpack(fields)
    if version >> 60 or not length:
        raise InputInvalid("the token is damaged; copy the whole of it again")
    return Token(f"v_{identifiers.encode(version)}", f"sha256:{digest.hex()}", start, length, hashed)


def quote_hash(quote: bytes) -> bytes:
    """The hash of quoted text that a token holds."""
    return blake2b(quote, digest_size=16, person=b"quote").digest()


def _check(fields: bytes) -> bytes:
    return blake2b(fields, digest_size=_CHECK_BYTES, person=b"token").digest()
