"""Which documents that are not indexed yet can hold a match: looked for in their folded text, unsplit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from stonebrowse.text.words import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stonebrowse.index.wanted import Wanted


def may_match(groups: Iterable[Iterable[Wanted]], text: bytes, around: str) -> bool:
    """Whether each group has a member all of whose words stand in the text or around it, as parts at least."""
    asked = [list(group) for group in groups]
    if not asked:
        return False
    if text.isascii() and around.isascii():
        folded = text.lower().decode("ascii") + "\n" + around.lower()
    else:
        folded = fold(text.decode("utf-8", "replace")) + "\n" + fold(around)
    return all(any(_may_hold(folded, wanted) for wanted in group) for group in asked)


def _may_hold(folded: str, wanted: Wanted) -> bool:
    if len(wanted.words) == 1:
        return any(needle in folded for needle in _needles(wanted))
    return all(word in folded for word in wanted.words if word[0].isalnum())


@lru_cache(maxsize=256)
def _needles(wanted: Wanted) -> tuple[str, ...]:
    """The word and its forms, without those that hold another one. A sign may fold to anything: no needle."""
    if not wanted.words[0][0].isalnum():
        return ("",)
    forms = sorted((wanted.words[0], *wanted.forms), key=len)
    return tuple(form for at, form in enumerate(forms) if not any(short in form for short in forms[:at]))
