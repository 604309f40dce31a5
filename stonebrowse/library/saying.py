"""What an entity, a relationship or a note may say: the limits of its texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_NAME: Final = 500
"""Characters of a name, a kind, or the name of a property."""
MOST_PROPERTIES: Final = 100
MOST_VALUE: Final = 10_000
"""Characters of a property."""


MAX_NOTE: Final = 500
"""Characters of a note on a citation, or on an answer."""

_NO_TEXT: Final = re.compile("[\ud800-\udfff]")


def merged(before: Mapping[str, str], changes: Mapping[str, str]) -> dict[str, str]:
    """Properties after a change; an empty text takes one away."""
    changed = {**before, **changes}
    return {name: value for name, value in changed.items() if value}


def check(name: str, kind: str, properties: Mapping[str, str]) -> None:
    """Refuses what is too long.

    Raises:
        InputInvalid: names what, and the limit; or bytes that are no text.
    """
    for what, text in (("name", name), ("kind", kind), *properties.items()):
        _check_text(what, text)
        _check_text("name of a property", what)
    for what, text in (("name", name), ("kind", kind), *((key, key) for key in properties)):
        if len(text) > MOST_NAME:
            raise InputInvalid(f"the {what[:40]} has {len(text)} characters; shorten it to {MOST_NAME}")
    if len(properties) > MOST_PROPERTIES:
        raise InputInvalid(f"an entity has at most {MOST_PROPERTIES} properties")
    for key, value in properties.items():
        if len(value) > MOST_VALUE:
            raise InputInvalid(f"{key} has {len(value)} characters; shorten it to {MOST_VALUE}")


def check_note(note: str) -> None:
    """Refuses a note that is too long.

    Raises:
        InputInvalid: says how long it is; or it holds bytes that are no text.
    """
    if len(note) > MAX_NOTE:
        raise InputInvalid(f"the note has {len(note)} characters; shorten it to {MAX_NOTE}")
    _check_text("note", note)


def _check_text(what: str, text: str) -> None:
    # A byte that is no UTF-8 comes from the command line as a lone surrogate (PEP 383), from JSON as an escape.
    if _NO_TEXT.search(text):
        raise InputInvalid(f"the {what[:40]} holds bytes that are no text; write it in UTF-8")
