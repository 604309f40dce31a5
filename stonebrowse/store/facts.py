"""Small facts by name: the store's folder, how far tidying has come, and what the library notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


def read(connection: sqlite3.Connection, name: str) -> str | None:
    """Read a fact; None where there is none of that name."""
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if row is None else row[0]


def write(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Keep a fact; it replaces the one of that name."""
    connection.execute(
        "INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )
