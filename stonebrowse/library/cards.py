"""Cards and recipes: short pages that say of one rule what is enforced and what is the reader's job.

They are pages of the guide (`guide/cards/NAME.md`). The command line prints them, a model gets them as prompts,
and each refusal names the one that explains it.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stonebrowse.errors import (
    FileNotEvidence,
    InputInvalid,
    Internal,
    NotFound,
    Refused,
    StonebrowseError,
    Unusable,
)
from stonebrowse.guide import folder

if TYPE_CHECKING:
    from pathlib import Path

NAMES: Final = (
    "file",
    "passage",
    "search",
    "entity",
    "workspace",
    "save-facts",
    "answer-with-citations",
    "new-edition",
    "check-file-text",
    "what-cites-this-version",
    "entities-cite-replaced-version",
    "citations-to-confirm",
)
"""Every card, cards of things before recipes."""

_OF_SUBJECT: Final = {
    "ask": "answer-with-citations",
    "capture": "save-facts",
    "check": "check-file-text",
    "chunks": "passage",
    "cite": "passage",
    "confirm": "citations-to-confirm",
    "context": "what-cites-this-version",
    "edition": "new-edition",
    "entity": "entity",
    "explore": "what-cites-this-version",
    "files": "file",
    "graph": "entity",
    "list_files": "file",
    "notes": "answer-with-citations",
    "open": "passage",
    "passages": "passage",
    "read": "passage",
    "read_entity": "entity",
    "relationship": "entity",
    "review": "file",
    "search": "search",
    "stage_entity": "entity",
    "stage_relationship": "entity",
    "store": "file",
    "text": "file",
    "tray": "passage",
    "versions": "file",
    "workspace": "workspace",
}


@dataclass(frozen=True, slots=True)
class Card:
    """One card.

    Attributes:
        name: the word that `stonebrowse help` takes.
        title: its first line, without markup.
        text: the page, Markdown.
    """

    name: str
    title: str
    text: str


def card(name: str) -> Card:
    """The card of a name.

    Raises:
        NotFound: there is none; the message offers the nearest.
    """
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
        offer = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        raise NotFound(f"there is no card {name!r}; {offer}")
    page = _page(name)
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        raise Internal(
            f"the card {name} is missing from this installation; install stonebrowse again"
        ) from error
    return Card(name, text.partition("\n")[0].removeprefix("# "), text)


def cards() -> list[Card]:
    """All cards, in the order of `NAMES`."""
    return [card(name) for name in NAMES]


def explains(error: StonebrowseError, subjects: list[str]) -> str | None:
    """The name of the card that explains a refusal.

    Args:
        error: what was refused.
        subjects: the words of the command, or the name of the tool, that refused; the last that has a card
            decides, unless what was refused is evidence.

    Returns:
        None where no card does: the folder or the store cannot be used, or the subject has none.
    """
    if isinstance(error, (Unusable, Internal)):
        return None
    if isinstance(error, FileNotEvidence):
        return "answer-with-citations"
    if isinstance(error, Refused):
        return "save-facts"
    assert isinstance(error, (InputInvalid, NotFound))
    return next((_OF_SUBJECT[word] for word in reversed(subjects) if word in _OF_SUBJECT), None)


def _page(name: str) -> Path:
    return folder() / "cards" / f"{name}.md"
