"""What an entity or a relationship may say: the limits of its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_NAME: Final = 500
"""Characters of a name, a kind, or the name of a property."""
MOST_PROPERTIES: Final = 100
MOST_VALUE: Final = 10_000
"""Characters of a property."""


def merged(before: Mapping[str, str], changes: Mapping[str, str]) -> dict[str, str]:
    """Properties after a change; an empty text takes one away."""
    changed = {**before, **changes}
    return {name: value for name, value in changed.items() if value}


def check(name: str, kind: str, properties: Mapping[str, str]) -> None:
    """Refuses what is too long.

    Raises:
        InputInvalid: names what, and the limit.
    """
    for what, text in (("name", name), ("kind", kind), *((key, key) for key in properties)):
        if len(text) > MOST_NAME:
            raise InputInvalid(f"the {what[:40]} has {len(text)} characters; shorten it to {MOST_NAME}")
    if len(properties) > MOST_PROPERTIES:
        raise InputInvalid(f"an entity has at most {MOST_PROPERTIES} properties")
    for key, value in properties.items():
        if len(value) > MOST_VALUE:
            raise InputInvalid(f"{key} has {len(value)} characters; shorten it to {MOST_VALUE}")
