"""Entities, relationships, the citations that support them, and citations to confirm."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program

TEXT = "# Handbook\n\n## Carry-over\n\nFive days.\n\n## Sick\n\nStay home.\n"
ID = "[0-9a-hjkmnp-tv-z]{12}"


@pytest.fixture
def program(make: Callable[..., Program]) -> Program:
    program = make({"h.md": TEXT, "n.md": "---\nengraved_by: stonebrowse\n---\n# N\n\ntext\n"})
    program.sync()
    return program


def workspace(program: Program) -> str:
    made: str = program.ask("graph", "workspace", "create")["workspace_id"]
    assert re.fullmatch(f"w_{ID}", made)
    return made


def stage(program: Program, space: str, *args: str) -> str:
    made: str = program.ask("graph", "workspace", "stage-entity", space, *args)["entity_id"]
    assert re.fullmatch(f"e_{ID}", made)
    return made


def evidence(program: Program, path: str = "h.md", chunk: int | None = None) -> list[str]:
    version = program.versions(path)[0]
    words = [
        "--file-id",
        version["file_id"],
        "--version-id",
        version["version_id"],
        "--digest",
        version["digest"],
    ]
    return words if chunk is None else [*words, "--chunk-id", program.passages(path)[chunk]["passage_id"]]


def capture(program: Program, space: str, on: str, *args: str) -> str:
    made: str = program.ask("graph", "workspace", "capture", space, "--on", on, *args)["citation_id"]
    assert re.fullmatch(f"c_{ID}", made)
    return made


def committed(program: Program, *args: str) -> str:
    """An entity with a citation of the carry-over section."""
    space = workspace(program)
    entity = stage(program, space, "--name", "Carry-over", "--kind", "rule", *args)
    capture(program, space, entity, *evidence(program, chunk=1), "--note", "says so")
    program.ok("graph", "workspace", "commit", space)
    return entity


def read(program: Program, entity: str, *args: str) -> dict[str, Any]:
    answer: dict[str, Any] = program.ask("graph", "entity", "read", entity, *args)
    return answer


def test_what_is_staged_is_nothing_until_it_is_committed(program: Program) -> None:
    space = workspace(program)
    entity = stage(program, space, "--name", "Carry-over", "--kind", "rule", "--set", "days=5")
    citation = capture(program, space, entity, *evidence(program, chunk=1), "--note", "says so")
    program.run("graph", "entity", "read", entity).refusal(3, "not_found")
    assert program.ask("graph", "entity", "list") == {"entities": []}
    (staged,) = program.ask("graph", "workspace", "show", space)["staged"]
    assert (staged["entity_id"], staged["name"], len(staged["citations"])) == (entity, "Carry-over", 1)
    program.ok("graph", "workspace", "commit", space)
    found = read(program, entity[:7])
    assert {key: found[key] for key in ("entity_id", "name", "kind", "properties", "revision")} == {
        "entity_id": entity, "name": "Carry-over", "kind": "rule", "properties": {"days": "5"}, "revision": 1,
    }  # fmt: skip
    (held,) = found["citations"]
    version, passage = program.versions("h.md")[0], program.passages("h.md")[1]
    assert held | {"standing": ""} == {
        "citation_id": citation, "citation": "h.md § Carry-over (Line 3)", "label": "h.md § Carry-over", "line": 3,
        "trail": ["Handbook", "Carry-over"], "file_id": version["file_id"], "version_id": version["version_id"],
        "number": 1, "digest": version["digest"], "chunk_id": passage["passage_id"], "start": passage["start"],
        "end": passage["end"], "quote": None, "note": "says so", "current": True, "standing": "",
    }  # fmt: skip
    assert (found["truncated"], found["withheld"]) == (False, 0)
    program.run("graph", "workspace", "commit", space).refusal(2, "input_invalid")
    assert program.ask("graph", "workspace", "list")["workspaces"][0]["state"] == "committed"


def test_an_edit_of_the_file_flags_nothing_and_is_told_on_asking(program: Program) -> None:
    entity = committed(program)
    program.write({"h.md": TEXT.replace("Five", "Six")})
    program.sync()
    (held,) = read(program, entity)["citations"]
    assert (held["number"], held["current"]) == (1, False)
    assert held["standing"] == "cites version 1 of 2: edited since"
    assert program.ask("confirm", "list") == {"questions": []}
    program.write({"h.md": "# New\n\n" + TEXT})
    (held,) = read(program, entity)["citations"]
    assert held["standing"] == "cites version 1 of 3: moved to h.md § Carry-over (Line 5)"


def test_an_edit_of_an_entity_keeps_its_citations_and_asks_about_each(program: Program) -> None:
    entity = committed(program, "--set", "days=5")
    space = workspace(program)
    assert stage(program, space, "--entity-id", entity, "--set", "days=6") == entity
    program.ok("graph", "workspace", "commit", space)
    found = read(program, entity)
    assert (found["revision"], found["name"], found["properties"]) == (2, "Carry-over", {"days": "6"})
    assert len(found["citations"]) == 1
    (question,) = program.ask("confirm", "list")["questions"]
    assert question["entity_id"] == entity
    assert (question["before"]["properties"], question["after"]["properties"]) == (
        {"days": "5"},
        {"days": "6"},
    )
    assert question["citation"]["citation"] == "h.md § Carry-over (Line 3)"
    program.ok("confirm", "answer", question["question_id"], "--drop", "--note", "no")
    found = read(program, entity)
    assert (found["revision"], found["citations"]) == (3, [])
    assert program.ask("confirm", "list") == {"questions": []}
    program.run("confirm", "answer", question["question_id"], "--keep").refusal(2, "input_invalid")
    history = program.ask("graph", "entity", "history", entity)["revisions"]
    assert [(each["revision"], len(each["citations"])) for each in history] == [(3, 0), (2, 1), (1, 1)]


def test_citations_can_be_dropped_and_entities_taken_away(program: Program) -> None:
    entity = committed(program)
    citation = read(program, entity)["citations"][0]["citation_id"]
    space = workspace(program)
    stage(program, space, "--entity-id", entity, "--name", "Other", "--drop-citation", citation)
    program.ok("graph", "workspace", "commit", space)
    assert read(program, entity)["citations"] == []
    assert program.ask("confirm", "list") == {"questions": []}
    space = workspace(program)
    stage(program, space, "--entity-id", entity, "--remove")
    program.ok("graph", "workspace", "commit", space)
    assert program.ask("graph", "entity", "list") == {"entities": []}
    assert read(program, entity)["removed"]
    assert len(program.ask("graph", "entity", "history", entity)["revisions"]) == 3


def test_relationships_and_who_cites_what(program: Program) -> None:
    first = committed(program)
    space = workspace(program)
    second = stage(program, space, "--name", "Sick leave")
    link = program.ask(
        "graph",
        "workspace",
        "stage-relationship",
        space,
        "--from",
        first,
        "--to",
        second,
        "--kind",
        "differs from",
    )["relationship_id"]
    assert re.fullmatch(f"r_{ID}", link)
    capture(program, space, link, *evidence(program))
    program.ok("graph", "workspace", "commit", space)
    found = program.ask("graph", "relationship", "read", link)
    assert (found["from"], found["to"], found["kind"]) == (first, second, "differs from")
    (held,) = found["citations"]
    assert (held["citation"], held["line"], held["start"], held["chunk_id"]) == (
        "h.md (Line 1)",
        None,
        None,
        None,
    )
    version = program.versions("h.md")[0]
    for option, value in (("--file-id", version["file_id"]), ("--version-id", version["version_id"])):
        found = program.ask("context", "explore", option, value)
        assert [each["entity_id"] for each in found["entities"]] == [first]
        assert [each["relationship_id"] for each in found["relationships"]] == [link]
        assert found["entities"][0]["citations"][0]["current"] is True
    found = program.ask("context", "explore", "--entity-id", second)
    assert [each["relationship_id"] for each in found["relationships"]] == [link]
    program.run("context", "explore").refusal(2, "input_invalid")
    assert program.ask("graph", "entity", "search", "SICK")["entities"][0]["entity_id"] == second
    program.run("graph", "entity", "search", "none").expect(1)


def test_each_refusal_has_its_code_and_stages_nothing(program: Program) -> None:
    space = workspace(program)
    entity = stage(program, space, "--name", "E")
    right = evidence(program)
    no_digest = "sha256:" + "0" * 64
    cases = [
        (2, "input_invalid", ["--token", "sbc1_x"]),
        (2, "input_invalid", ["--token", "sbc1_x", *right]),
        (2, "input_invalid", right[:4]),
        (2, "input_invalid", [*right, "--note", "n" * 501]),
        (2, "input_invalid", [*right[:5], "sha256:1"]),
        (4, "file_not_evidence", evidence(program, "n.md")),
        (4, "evidence_unavailable", [*right[:3], "v_000000000000", *right[4:]]),
        (4, "evidence_unavailable", [*right, "--chunk-id", program.passages("n.md")[0]["passage_id"]]),
        (4, "evidence_digest_mismatch", [*right[:5], no_digest]),
    ]
    for exit_code, code, words in cases:
        for more in ([], ["--json"]):
            program.run("graph", "workspace", "capture", space, "--on", entity, *words, *more).refusal(
                exit_code, code
            )
    assert program.ask("graph", "workspace", "show", space)["staged"][0]["citations"] == []
    program.run("graph", "workspace", "capture", space, "--on", "e_000000000000", *right).refusal(
        3, "not_found"
    )
    program.run("graph", "workspace", "capture", "w_000000000000", "--on", entity, *right).refusal(
        3, "not_found"
    )
    program.run("graph", "workspace", "stage-entity", space).refusal(2, "input_invalid")
    program.run("graph", "workspace", "stage-entity", space, "--name", "x", "--set", "x").refusal(
        2, "input_invalid"
    )
    program.run("graph", "entity", "read", "f_000000000000").refusal(2, "input_invalid")
    capture(program, space, entity, *right, "--note", "n" * 500)


def test_thirty_two_citations_are_the_most_and_ten_are_shown(program: Program) -> None:
    from stonebrowse.library.library import Library

    space = workspace(program)
    entity = stage(program, space, "--name", "E")
    words = evidence(program)
    with Library.open(program.folder, store=program.store) as library:
        for _ in range(31):
            library.graph.capture(space, entity, file_id=words[1], version_id=words[3], digest=words[5])
    capture(program, space, entity, *words)
    program.run("graph", "workspace", "capture", space, "--on", entity, *words).refusal(2, "input_invalid")
    program.ok("graph", "workspace", "commit", space)
    found = read(program, entity)
    assert (len(found["citations"]), found["truncated"]) == (10, True)
    assert program.ok("graph", "entity", "read", entity).lines[-1] == "more citations are not shown"
    found = read(program, entity, "--limit", "32")
    assert (len(found["citations"]), found["truncated"]) == (32, False)


def test_a_citation_of_forgotten_bytes_is_withheld_and_counted(program: Program) -> None:
    entity = committed(program)
    version = program.versions("h.md")[0]["version_id"]
    program.write({"h.md": TEXT + "\nmore\n"})
    program.sync()
    program.ok("store", "forget", version)
    found = read(program, entity)
    assert (found["citations"], found["withheld"], found["truncated"]) == ([], 1, False)
    assert "1 citation is withheld" in program.ok("graph", "entity", "read", entity).out


def test_of_two_that_commit_at_once_one_wins(program: Program) -> None:
    entity = committed(program)
    spaces = [workspace(program) for _ in range(2)]
    for number, space in enumerate(spaces):
        stage(program, space, "--entity-id", entity, "--name", f"Name {number}")
    running = [program.start("graph", "workspace", "commit", space, "--no-sync") for space in spaces]
    ended = []
    for process in running:
        out, err = process.communicate(timeout=60)
        ended.append((process.returncode, out + err))
    assert sorted(code for code, _ in ended) == [0, 2]
    assert any(b"stage it again" in said for _, said in ended)
    found = read(program, entity)
    winner = [code for code, _ in ended].index(0)
    assert (found["revision"], found["name"]) == (2, f"Name {winner}")


def test_names_are_data(program: Program) -> None:
    space = workspace(program)
    entity = stage(program, space, "--name", "\x1b[31mred\x1b]0;x\x07", "--set", "a=\x1b[2J")
    program.ok("graph", "workspace", "commit", space)
    for words in (["entity", "read", entity], ["entity", "list"], ["entity", "history", entity]):
        assert b"\x1b" not in program.ok("graph", *words).stdout


def test_what_cannot_be_meant_is_wrong_use(program: Program) -> None:
    from stonebrowse.cli.main import main

    space = workspace(program)
    entity = stage(program, space, "--name", "E")
    version = program.versions("h.md")[0]
    no_text = os.fsdecode(b"\xff")
    wrong = [
        ["graph", "workspace", "stage-entity", space, "--name", no_text],
        ["graph", "workspace", "stage-entity", space, "--name", "x", "--set", f"{no_text}=1"],
        ["graph", "workspace", "stage-entity", space, "--name", "x", "--set", f"k={no_text}"],
        ["graph", "workspace", "stage-entity", space, "--name", "n" * 501],
        ["graph", "workspace", "stage-entity", space, "--name", " \t"],
        ["graph", "workspace", "stage-entity", space[:5], "--name", "x"],
        ["graph", "workspace", "stage-entity", entity, "--name", "x"],
        ["graph", "workspace", "stage-entity", space, "--name", "x", "--entity-id", space],
        ["graph", "workspace", "stage-entity", space, "--remove"],
        ["graph", "workspace", "stage-relationship", space, "--from", entity, "--to", space, "--kind", "k"],
        [
            "graph",
            "workspace",
            "stage-relationship",
            space,
            "--from",
            entity,
            "--to",
            entity,
            "--kind",
            no_text,
        ],
        ["graph", "workspace", "stage-relationship", space, "--from", entity, "--to", entity, "--kind", ""],
        ["graph", "workspace", "capture", space, "--on", version["file_id"], *evidence(program)],
        ["graph", "workspace", "capture", space, "--on", entity, *evidence(program), "--note", no_text],
        ["graph", "workspace", "capture", space, "--on", entity, "--token", no_text],
        ["graph", "workspace", "capture", space, "--on", entity, "--chunk-id", "p_000000000000"],
        ["graph", "workspace", "show", entity],
        ["graph", "entity", "read", version["file_id"]],
        ["graph", "entity", "read", entity.upper()],
        ["graph", "entity", "read", entity, "--limit", "-1"],
        ["graph", "relationship", "read", entity],
        ["context", "explore", "--file-id", version["version_id"]],
        ["context", "explore", "--file-id", version["file_id"], "--entity-id", entity],
        ["confirm", "answer", "q_000000000000"],
        ["confirm", "answer", "q_000000000000", "--keep", "--drop"],
        ["confirm", "answer", entity, "--keep"],
    ]
    for words in wrong:
        # In this process: a start of the program for each would take a minute.
        assert main(["-C", str(program.folder), "--store", str(program.store), *words]) == 2, words
    assert program.ask("graph", "workspace", "show", space)["staged"][0]["citations"] == []
    assert len(program.ask("graph", "workspace", "list")["workspaces"]) == 1


def test_the_limit_of_citations_comes_before_what_is_wrong_with_one(program: Program) -> None:
    from stonebrowse.library.library import Library

    space = workspace(program)
    entity = stage(program, space, "--name", "E")
    words = evidence(program)
    with Library.open(program.folder, store=program.store) as library:
        for _ in range(32):
            library.graph.capture(space, entity, file_id=words[1], version_id=words[3], digest=words[5])
        library.graph.commit(space)
    other = workspace(program)
    bad = [*words[:5], "sha256:" + "0" * 64]
    said = program.run("graph", "workspace", "capture", other, "--on", entity, *bad).refusal(
        2, "input_invalid"
    )
    assert "32" in said
    assert program.ask("graph", "workspace", "show", other) == {"staged": []}
    # With more room than there can be, all are shown.
    assert len(read(program, entity, "--limit", "100")["citations"]) == 32
    # With none, it is said that there are some.
    assert (
        read(program, entity, "--limit", "0")["citations"],
        read(program, entity, "--limit", "0")["truncated"],
    ) == (
        [],
        True,
    )


def test_what_was_staged_and_discarded_is_gone(program: Program) -> None:
    space = workspace(program)
    entity = stage(program, space, "--name", "E")
    program.ok("graph", "workspace", "discard", space)
    other = workspace(program)
    capture_there = ["graph", "workspace", "capture", other, "--on", entity, *evidence(program)]
    program.run(*capture_there).refusal(3, "not_found")
    assert program.ask("graph", "workspace", "show", other) == {"staged": []}
