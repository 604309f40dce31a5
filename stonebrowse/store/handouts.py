"""What was handed out: which citation string, of which version, when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stonebrowse.store.database import Database

TABLES: Final = ""


class Handouts:
    """What was handed out: which citation string, of which version, when."""

    def __init__(self, database: Database) -> None:
        self._database = database
