"""What lies on a person's desk: the tray, marks, earlier queries, and where the last session stood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stonebrowse.store.database import Database

TABLES: Final = ""


class Desk:
    """What lies on a person's desk: the tray, marks, earlier queries, and where the last session stood."""

    def __init__(self, database: Database) -> None:
        self._database = database
