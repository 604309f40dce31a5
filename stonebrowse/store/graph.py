"""Entities, relationships, the citations that support them, workspaces and questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stonebrowse.store.database import Database

TABLES: Final = ""


class Graph:
    """Entities, relationships, the citations that support them, workspaces and questions."""

    def __init__(self, database: Database) -> None:
        self._database = database
