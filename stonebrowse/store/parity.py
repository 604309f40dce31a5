"""Bytes in parts, one of which may be lost: what RAID does with disks.

For the few bytes that much depends on. Each part carries a hash, so that a damaged one is seen; one part more
than needed holds the exclusive or of the others, so that any one of them can be made again.
"""

from __future__ import annotations

from functools import reduce
from hashlib import blake2b
from operator import xor
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS: Final = 17
"""How many parts there are, the one that is more than needed among them."""

_HASH_BYTES: Final = 8
_LENGTH_BYTES: Final = 8


def split(content: bytes) -> list[bytes]:
    """Split bytes into `PARTS` parts of equal length."""
    whole = len(content).to_bytes(_LENGTH_BYTES, "little") + content
    length = -(-len(whole) // (PARTS - 1))
    chunks = [whole[at : at + length].ljust(length, b"\0") for at in range(0, length * (PARTS - 1), length)]
    return [_hash(chunk) + chunk for chunk in [*chunks, _xor(chunks)]]


def good(part: bytes | None) -> bool:
    """Whether a part is what was written."""
    return part is not None and _hash(part[_HASH_BYTES:]) == part[:_HASH_BYTES]


def join(parts: Sequence[bytes | None]) -> bytes | None:
    """Undo `split`; None where more than one part is lost or damaged."""
    chunks = [part[_HASH_BYTES:] if part is not None and good(part) else None for part in parts]
    left = [chunk for chunk in chunks if chunk is not None]
    if len(chunks) != PARTS or len(left) < PARTS - 1:
        return None
    whole = b"".join([_xor(left) if chunk is None else chunk for chunk in chunks[:-1]])
    length = int.from_bytes(whole[:_LENGTH_BYTES], "little")
    return whole[_LENGTH_BYTES : _LENGTH_BYTES + length]


def _xor(chunks: list[bytes]) -> bytes:
    mixed = reduce(xor, (int.from_bytes(chunk, "little") for chunk in chunks))
    return mixed.to_bytes(len(chunks[0]), "little")


def _hash(chunk: bytes) -> bytes:
    return blake2b(chunk, digest_size=_HASH_BYTES).digest()
