"""`review` on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program

OLD = "# D\n\n## One\n\nalpha\n\n## Two\n\ngamma\n"


@pytest.fixture
def program(make: Callable[..., Program]) -> Program:
    made = make({"d.md": OLD, "e.md": "# E\n"})
    made.sync()
    return made


def test_each_change_stands_under_its_citation_until_it_is_seen(program: Program) -> None:
    quiet = program.ok("review")
    assert quiet.out == ""
    assert "nothing changed" in quiet.err
    program.write({"d.md": OLD.replace("alpha", "beta").replace("gamma", "delta"), "f.md": "# F\n"})
    done = program.ok("review")
    assert done.lines == [
        "d.md § One (Line 3)",
        "edited, version 1 to 2",
        " ## One",
        " ",
        "-alpha",
        "+beta",
        " ",
        "",
        "d.md § Two (Line 7)",
        "edited, version 1 to 2",
        " ## Two",
        " ",
        "-gamma",
        "+delta",
        "",
        "f.md",
        "new file, version 1",
    ]
    program.ok("review", "--seen", "d.md § One (Line 3)")
    left = program.ask("review")["changes"]
    assert [(change["kind"], change["citation"]) for change in left] == [
        ("edited", "d.md § Two (Line 7)"),
        ("new file", "f.md"),
    ]
    assert (left[0]["before_number"], left[0]["number"], left[0]["trail"]) == (1, 2, ["D", "Two"])
    assert {line["kind"] for line in left[0]["lines"]} == {" ", "-", "+"}
    assert program.ask("review", "--all-seen") == {"seen": 2, "unseen": 0}
    assert program.ask("review") == {"since": None, "changes": []}
    assert len(program.ask("review", "--since", "1 hour")["changes"]) == 3


def test_what_cannot_be_asked_is_refused(program: Program) -> None:
    program.run("review", "--seen", "e.md").refusal(3, "not_found")
    program.run("review", "--since", "soon").refusal(2, "input_invalid")
    program.run("review", "--since", "1 day", "--all-seen").refusal(2, "input_invalid")


def test_text_of_documents_is_never_obeyed(program: Program) -> None:
    program.write({"d.md": OLD.replace("alpha", "\x1b]52;c;aGk=\x07"), "e.md": "# E\x1b[2J\n"})
    done = program.ok("review", "--color", "always")
    assert "\x1b]" not in done.out
    assert "\x1b[2J" not in done.out
    assert "\x07" not in done.out
    assert "\\x1b]52" in done.out
    diff = program.ok("files", "diff", "d.md", "--color", "always")
    assert "\x1b]" not in diff.out
