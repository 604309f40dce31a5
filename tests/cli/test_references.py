"""Files, versions and passages as they are named on the command line, and what each name opens."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.cli.program import ID, Done, Program

UNKNOWN = "000000000000"
"""Random IDs may be this one; the chance is 1 in 32 to the twelfth."""


def sentence_without(done: Done, reference: str) -> str:
    """The refusal of `files chunks`, the reference itself taken out."""
    return done.refusal(3, "not_found").replace(reference, "REFERENCE")


def test_a_passage_reopens_with_its_citation_trail_ids_and_text(handbook: Program) -> None:
    listed = handbook.passages("holidays.md")[2]
    assert listed["citation"] == "holidays.md § Carry-over (Line 10)"
    opened = handbook.ask("files", "chunks", listed["passage_id"])
    assert (
        opened["text"]
        == "## Carry-over\n\nUp to five days move into the next year. They lapse on 31 March.\n\n"
    )
    out = handbook.ok("files", "chunks", listed["passage_id"]).out
    for part in (
        listed["citation"],
        "Holidays › Carry-over",
        listed["file_id"],
        listed["version_id"],
        listed["passage_id"],
        "Up to five days move into the next year.",
    ):
        assert part in out


@pytest.mark.parametrize("length", [4, 11])
def test_an_id_may_be_shortened(handbook: Program, length: int) -> None:
    passage = handbook.passages("plain.md", "--no-sync")[0]
    short = {key: passage[key][: 2 + length] for key in ("file_id", "version_id", "passage_id")}
    assert handbook.file(short["file_id"])["path"] == "plain.md"
    assert handbook.ask("files", "text", "plain.md", "--version", short["version_id"])["number"] == 1
    assert handbook.ask("files", "chunks", short["passage_id"])["passage_id"] == passage["passage_id"]


def test_an_id_may_not_be_shorter_than_that(handbook: Program) -> None:
    passage = handbook.passages("plain.md", "--no-sync")[0]
    handbook.run("files", "chunks", passage["passage_id"][:5]).refusal(2, "input_invalid")
    handbook.run("open", "--print", passage["file_id"][:5]).refusal(2, "input_invalid")


def test_an_ambiguous_id_is_refused_with_the_candidates(make: Any) -> None:
    # 5,000 passages share some first four characters, all but one time in 150,000.
    program = make({"many.md": "".join(f"## Heading {number}\n" for number in range(5000))})
    ids = sorted(one["passage_id"] for one in program.passages("many.md"))
    groups = [list(group) for _, group in itertools.groupby(ids, key=lambda name: name[:6])]
    shared = next(group for group in groups if len(group) > 1)
    sentence = program.run("files", "chunks", shared[0][:6]).refusal(2, "input_invalid")
    named = set(ID["p"].findall(sentence))
    assert len(named) >= 2
    assert named <= set(shared)
    for name in shared[:2]:
        assert program.ask("files", "chunks", name, "--no-sync")["passage_id"] == name


def test_a_wrong_kind_of_id_is_wrong_use(handbook: Program) -> None:
    passage = handbook.passages("plain.md", "--no-sync")[0]
    file, version, chunk = passage["file_id"], passage["version_id"], passage["passage_id"]
    for args in (
        ["files", "chunks", file],
        ["files", "show", version],
        ["files", "show", chunk],
        ["files", "text", chunk],
        ["files", "text", file, "--version", chunk],
        ["files", "passages", version],
        ["open", "--print", "moment:12"],
        ["open", "--print", f"chunk:{file}"],
        ["open", "--print", f"version:{chunk}"],
    ):
        handbook.run(*args, "--no-sync").refusal(2, "input_invalid")


@pytest.mark.parametrize(
    "args",
    [
        ["files", "show", "missing.md"],
        ["files", "show", f"f_{UNKNOWN}"],
        ["files", "chunks", f"p_{UNKNOWN}"],
        ["files", "versions", "people"],
        ["files", "text", "plain.md", "--version", f"v_{UNKNOWN}"],
        ["files", "text", "plain.md", "--version", "2"],
        ["files", "outline", "../handbook/plain.md/../../x.md"],
        ["open", "--print", f"p_{UNKNOWN}"],
        ["open", "--print", f"file:f_{UNKNOWN}"],
        ["open", "--print", "missing.md § Nothing (Line 1)"],
        ["open", "--print", "holidays.md § Nothing (Line 10)"],
    ],
    ids=" ".join,
)
def test_what_does_not_exist_is_not_found(handbook: Program, args: list[str]) -> None:
    handbook.run(*args).refusal(3, "not_found")


def test_the_version_of_another_file_is_not_found_in_this_one(handbook: Program) -> None:
    other = handbook.versions("holidays.md")[0]["version_id"]
    assert handbook.run("files", "text", "plain.md", "--version", other).code in (2, 3)


def test_every_form_of_a_reference_opens_its_passage(handbook: Program) -> None:
    wanted = handbook.passages("tools/printer.md")[3]
    for reference in (
        wanted["citation"],
        wanted["passage_id"],
        f"chunk:{wanted['passage_id']}",
    ):
        opened = handbook.ask("open", reference, "--print")
        assert opened["passage_id"] == wanted["passage_id"]
        assert "envelopes go into tray one" in opened["text"]
    done = handbook.ok("open", "--print", wanted["citation"])
    assert wanted["citation"] in done.out
    assert "envelopes go into tray one" in done.out
    assert "Tray two takes" not in done.out


def test_references_of_files_and_versions_open(handbook: Program) -> None:
    shown = handbook.passages("plain.md")[0]
    for reference in (
        shown["file_id"],
        f"file:{shown['file_id']}",
        shown["version_id"],
        f"version:{shown['version_id']}",
    ):
        assert "only an axolotl" in handbook.ok("open", "--print", reference).out


def test_equal_headings_are_told_apart_by_their_lines(handbook: Program) -> None:
    first = handbook.ask("open", "--print", "tools/printer.md § Paper (Line 3)")
    second = handbook.ask("open", "--print", "tools/printer.md § Paper (Line 16)")
    assert first["passage_id"] != second["passage_id"]
    assert "A3" in first["text"]
    assert "envelopes" in second["text"]


@pytest.fixture(scope="module")
def nested(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Files of equal names above and below, and one outside."""
    files = {"both.md": "top\n", "sub/both.md": "below\n", "sub/only.md": "only\n", "sub/deep/x.md": "x\n"}
    program = Program.in_dir(tmp_path_factory.mktemp("paths"), files)
    (program.root / "outside.md").write_text("outside\n", encoding="utf-8")
    program.sync()
    return program


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, dict[str, str]]:
    """Passage IDs by what has become of them."""
    program = Program.in_dir(tmp_path_factory.mktemp("chunks"), {"a.md": "# A\n\none\n", "t.md": "# T\n"})
    older = program.passages("a.md")[0]["passage_id"]
    trashed = program.passages("t.md")[0]["passage_id"]
    program.write({"a.md": "# A\n\ntwo\n"})
    (program.folder / "t.md").unlink()
    program.sync()
    return program, {"unknown": f"p_{UNKNOWN}", "older": older, "trashed": trashed}


class TestPaths:
    """A path is relative to the folder, else to the working directory if that lies inside."""

    def test_relative_to_the_folder_first(self, nested: Program) -> None:
        inside = nested.folder / "sub"
        assert nested.ok("files", "text", "both.md", cwd=inside).out == "top\nend of text\n"
        assert nested.ok("files", "text", "sub/both.md", cwd=inside).out == "below\nend of text\n"

    def test_then_relative_to_a_working_directory_inside(self, nested: Program) -> None:
        inside = nested.folder / "sub"
        assert nested.ok("files", "text", "only.md", cwd=inside).out == "only\nend of text\n"
        assert nested.ok("files", "text", "../both.md", cwd=inside).out == "top\nend of text\n"
        assert nested.ok("files", "text", "./deep/x.md", cwd=inside).out == "x\nend of text\n"

    def test_never_to_one_outside(self, nested: Program) -> None:
        nested.run("files", "text", "outside.md", cwd=nested.root).refusal(3, "not_found")

    def test_a_path_outside_is_not_found(self, nested: Program) -> None:
        inside = nested.folder / "sub"
        for path in ("../outside.md", "../../outside.md", str(nested.root / "outside.md"), "/etc/hosts"):
            nested.run("files", "text", path, cwd=inside).refusal(3, "not_found")
            nested.run("files", "show", path).refusal(3, "not_found")


class TestChunkRefusals:
    """Unknown, older, trashed: one and the same message, which does not say why."""

    def test_one_message_for_all(self, refused: tuple[Program, dict[str, str]]) -> None:
        program, ids = refused
        said = {sentence_without(program.run("files", "chunks", name), name) for name in ids.values()}
        assert len(said) == 1
        in_json = {
            sentence_without(program.run("files", "chunks", name, "--json"), name) for name in ids.values()
        }
        assert len(in_json) == 1

    def test_older_versions_open_with_inactive(self, refused: tuple[Program, dict[str, str]]) -> None:
        program, ids = refused
        opened = program.ask("files", "chunks", ids["older"], "--inactive")
        assert opened["text"] == "# A\n\none\n"
        assert opened["current"] is False
        assert opened["number"] == 1

    def test_trashed_and_unknown_ones_never(self, refused: tuple[Program, dict[str, str]]) -> None:
        program, ids = refused
        said = {
            sentence_without(program.run("files", "chunks", name, "--inactive"), name)
            for name in (ids["trashed"], ids["unknown"])
        }
        assert len(said) == 1

    def test_the_passages_of_an_older_version_are_listed_as_not_current(
        self, refused: tuple[Program, dict[str, str]]
    ) -> None:
        program, ids = refused
        listed = program.passages("a.md", "--version", "1")
        assert [one["passage_id"] for one in listed] == [ids["older"]]
        assert [one["current"] for one in listed] == [False]
        assert [one["current"] for one in program.passages("a.md")] == [True]
