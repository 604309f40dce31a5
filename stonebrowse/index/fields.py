"""Where a word can stand, and how the terms of each place are told apart.

A term is a folded word behind one character that names its field; the terms of `text` have none, and no word
begins with a character so low. What stands in any field stands in `text` too, which is what a plain word of a
query asks for.
"""

from __future__ import annotations

from typing import Literal, get_args

Field = Literal["text", "heading", "path", "tag", "title"]
FIELDS: tuple[Field, ...] = get_args(Field)

MARKS: dict[Field, str] = {"text": "", "heading": "\x01", "path": "\x02", "tag": "\x03", "title": "\x04"}
# No term of `text` is less.
FIRST_PLAIN = "\x05"


def term(field: Field, word: str) -> bytes:
    """The term of a word in a field, in UTF-8."""
    return (MARKS[field] + word).encode("utf-8", "replace")
