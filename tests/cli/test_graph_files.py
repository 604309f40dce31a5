"""`graph export` and `graph import` as they are typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stonebrowse.library.editions import ANSWER_FIRST
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


def test_a_new_edition_is_looked_at_and_cited_anew(make: Callable[..., Program]) -> None:
    program = make(DOCUMENTS)
    program.sync()
    with Library.open(program.folder, store=program.store) as library:
        ids = filled(library)
    nothing = program.ok("graph", "edition", "h.md")
    assert nothing.lines == ["nothing cites a version of h.md before version 1"]
    program.write({"h.md": "# New\n\n" + DOCUMENTS["h.md"]})
    done = program.ok("graph", "edition", "h.md")
    assert done.lines[0] == f"Carry-over (rule) {ids.first} revision 2"
    assert done.lines[1].startswith("  moved     h.md § Carry-over (Line 3) version 1 c_")
    assert done.lines[2:] == [
        "    now: h.md § Carry-over (Line 5)",
        f"    the same text stands at h.md § Carry-over (Line 5) now; {ANSWER_FIRST}",
        "1 moved",
    ]
    question = program.ask("confirm", "list")["questions"][0]["question_id"]
    program.ok("confirm", "answer", question, "--keep")
    answer = program.ask("graph", "edition", "h.md")
    assert (answer["path"], answer["number"], answer["counts"], answer["revised"]) == (
        "h.md",
        2,
        {"moved": 1},
        [],
    )
    (cited,) = answer["citations"]
    assert (cited["entity_id"], cited["verdict"], cited["refreshable"], cited["refreshed"]) == (
        ids.first, "moved", True, None,
    )  # fmt: skip
    done = program.ok("graph", "edition", "h.md", "--refresh")
    assert done.lines[1].startswith("  refreshed h.md § Carry-over (Line 3) version 1 c_")
    assert done.lines[-1] == "1 moved; 1 refreshed to version 2, in 1 new revision"
    assert program.ask("graph", "entity", "read", ids.first)["citations"][0]["current"] is True
    program.run("graph", "edition", "none.md").refusal(3, "not_found")
