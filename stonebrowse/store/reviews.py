"""What a person has seen of the changes: for `review`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stonebrowse.store.database import Database

TABLES: Final = ""


class Reviews:
    """What a person has seen of the changes: for `review`."""

    def __init__(self, database: Database) -> None:
        self._database = database
