"""Engraved notes: which Files stonebrowse wrote, and the sources each names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stonebrowse.store.database import Database

TABLES: Final = ""


class Notes:
    """Engraved notes: which Files stonebrowse wrote, and the sources each names."""

    def __init__(self, database: Database) -> None:
        self._database = database
