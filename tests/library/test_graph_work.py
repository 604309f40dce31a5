"""The graph's work is counted: how many statements a call makes, and that each finds its rows by an index."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

import pytest

from stonebrowse.library.library import Library
from stonebrowse.store.database import FILE_NAME, Database
from tests.bench.graphs import fill
from tests.library.conftest import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECTIONS = "".join(f"# Section {number}\n\n{'words of it ' * 9}\n\n" for number in range(12))


class Counted:
    """A library, and the statements that a call makes."""

    def __init__(self, library: Library, statements: list[str], entities: list[str]) -> None:
        self.library = library
        self.entities = entities
        self._statements = statements

    def of(self, work: Callable[[], object]) -> list[str]:
        """The statements of the second of two calls; the first opens what stays open."""
        work()
        self._statements.clear()
        work()
        return list(self._statements)

    def calls(self) -> dict[str, Callable[[], object]]:
        """What is asked of a graph, by name."""
        graph, file = self.library.graph, self.library.find_file("a.md")
        first = self.library.versions(file)[-1].version_id
        entity = self.entities[0]
        return {
            "read": lambda: graph.read(entity),
            "history": lambda: graph.history(entity),
            "explore file": lambda: graph.explore(file_id=file.file_id),
            "explore version": lambda: graph.explore(version_id=first),
            "explore entity": lambda: graph.explore(entity_id=entity),
            "page": lambda: graph.entities(limit=20, offset=10),
            "page of relationships": lambda: graph.relationships(limit=20, offset=10),
            "search": lambda: graph.entities("lamp 7"),
            "edition": lambda: graph.edition(file),
            "workspaces": graph.workspaces,
            "questions": graph.questions,
        }


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], Counted]:
    """Makes libraries of two documents, each in two versions, with so many entities and citations of each."""
    statements: list[str] = []
    connect = Database._connect

    def traced(self: Database, mode: str, *, read_only: bool) -> sqlite3.Connection:
        connection = connect(self, mode, read_only=read_only)
        connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(Database, "_connect", traced)
    opened = []

    def make(entities: int, citations: int) -> Counted:
        place = tmp_path / f"{entities}-{citations}"
        for name in ("a.md", "b.md"):
            write(place / "docs" / name, SECTIONS)
        library = Library.open(place / "docs", store=place / "store")
        opened.append(library)
        library.update()
        ids = fill(library, entities, citations)
        for name in ("a.md", "b.md"):
            write(place / "docs" / name, "New.\n\n" + SECTIONS.replace("Section 7", "Section 77"))
        library.update()
        return Counted(library, statements, ids)

    return make


def test_more_things_and_more_citations_need_no_more_statements(
    counted: Callable[[int, int], Counted],
) -> None:
    # With 20 of 24 places, each entity cites both documents.
    few, many, richer = counted(20, 20), counted(120, 20), counted(20, 24)
    numbers = {
        name: [len(each.of(each.calls()[name])) for each in (few, many, richer)] for name in few.calls()
    }
    around, places = numbers.pop("explore entity"), numbers.pop("edition")
    assert all(len(set(counts)) == 1 for counts in numbers.values()), numbers
    # One more for each relationship around it; some for each place that is cited, however many cite it.
    assert max(around) < 80
    assert places[0] == places[1] <= places[2] < 400
    assert max(max(counts) for counts in numbers.values()) < 70, numbers


def test_every_statement_finds_its_rows_by_an_index(counted: Callable[[int, int], Counted]) -> None:
    each = counted(60, 20)
    library = each.library
    file = sqlite3.connect(library.store.place / FILE_NAME)
    file.create_function("may_hold", 3, lambda *_: True, deterministic=True)
    for name, call in each.calls().items():
        for statement in each.of(call):
            if statement.startswith(("BEGIN", "ROLLBACK", "COMMIT", "PRAGMA")):
                continue
            plan = [row[3] for row in file.execute(f"EXPLAIN QUERY PLAN {statement}")]
            scans = [line for line in plan if line.startswith("SCAN")]
            allowed = r"SCAN (CONSTANT ROW|\d+|j VIRTUAL TABLE.*|w|r USING INDEX revisions_by_\w+|q.*|questions USING .*)"
            if name == "search":  # all names are looked through
                allowed += "|SCAN r"
            bad = [line for line in scans if not re.fullmatch(allowed, line)]
            assert not bad, (name, statement, plan)
    file.close()
