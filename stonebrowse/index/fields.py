"""Where a word can stand, and how the terms of each place are told apart.

A term is a folded word in UTF-8, behind one byte that names its field; the terms of `text` have none, and no
word begins with a byte so low. What stands in any field stands in `text` too, which is what a plain word of a
query asks for.
"""

from __future__ import annotations

from typing import Literal, get_args

Field = Literal["text", "heading", "path", "tag", "title"]
FIELDS: tuple[Field, ...] = get_args(Field)

MARKS: dict[Field, bytes] = {
    "text": b"",
    "heading": b"\x01",
    "path": b"\x02",
    "tag": b"\x03",
    "title": b"\x04",
}
FIRST_PLAIN = b"\x05"


def term(field: Field, word: str) -> bytes:
    """The term of a word in a field."""
    return MARKS[field] + word.encode("utf-8", "replace")
