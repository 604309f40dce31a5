"""`graph export` and `graph import` as they are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.library.library import Library
from tests.library.graphs import DOCUMENTS, filled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.program import Program


def test_the_graph_goes_to_a_file_and_comes_back(make: Callable[..., Program], tmp_path: Path) -> None:
    program = make(DOCUMENTS)
    program.sync()
    with Library.open(program.folder, store=program.store) as library:
        ids = filled(library)
    place = tmp_path / "graph.toml"
    done = program.ok("graph", "export", "--to", str(place))
    assert done.lines == [f"2 entities, 1 relationship written to {place}"]
    data = program.ok("graph", "export").stdout
    assert data == place.read_bytes()
    answer = program.ask("graph", "export")
    assert (answer["toml"].encode(), answer["entities"], answer["relationships"]) == (data, 2, 1)
    program.run("graph", "export", "--to", str(place)).refusal(2, "input_invalid")
    program.store = tmp_path / "fresh"
    done = program.ok("graph", "import", str(place))
    assert done.lines == ["added: 2 entities, 1 relationship"]
    assert program.ok("graph", "export").stdout == data
    answer = program.ask("graph", "import", "-", stdin=data)
    assert answer == {"added": [], "extended": [], "unchanged": [*sorted(ids[:2]), ids.link], "withheld": []}


def test_a_file_that_cannot_be_imported(make: Callable[..., Program], tmp_path: Path) -> None:
    program = make(DOCUMENTS)
    program.run("graph", "import", str(tmp_path / "none.toml")).refusal(3, "not_found")
    program.run("graph", "import", str(tmp_path)).refusal(2, "input_invalid")
    said = program.run("graph", "import", "-", "--json", stdin=b"\x1b = 1").refusal(2, "input_invalid")
    assert "\x1b" not in said
    program.run("graph", "import").refusal(2, "input_invalid")
