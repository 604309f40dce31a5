"""`cite`, `check`, and opening what was cited."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from stonebrowse.library.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.program import Program

OLD = "# Handbook\n\n## Carry-over\n\nFive days.\n\n## Sick\n\nStay home.\n\n## Old\n\nLet go.\n"
NEW = "# Handbook\n\nHello.\n\n## Carry-over\n\nFive days.\n\n## Sick\n\nStay in bed.\n"
CARRY, SICK, GONE = "h.md § Carry-over (Line 3)", "h.md § Sick (Line 7)", "h.md § Old (Line 11)"


@pytest.fixture
def program(make: Callable[..., Program]) -> Program:
    program = make({"h.md": OLD, "other.md": "# O\n"})
    program.sync()
    return program


def checked(program: Program, note: Path | str, *args: str, stdin: bytes = b"") -> dict[str, Any]:
    done = program.run("check", str(note), *args, "--json", stdin=stdin).expect(0, 1)
    answer: dict[str, Any] = done.json()
    bad = [each for each in answer["citations"] if each["verdict"] != "holds" and not each["fixed"]]
    assert done.code == (1 if bad else 0)
    return answer


def verdicts(answer: dict[str, Any]) -> dict[str, str]:
    return {each["citation"]: each["verdict"] for each in answer["citations"]}


def test_every_verdict(program: Program) -> None:
    note = program.root / "note.txt"
    note.write_text(f"{CARRY}\n{SICK}\n{GONE}\nh.md § Never (Line 1)\n", encoding="utf-8")
    assert verdicts(checked(program, note)) == {
        CARRY: "holds", SICK: "holds", GONE: "holds", "h.md § Never (Line 1)": "unknown",
    }  # fmt: skip
    program.write({"h.md": NEW})
    answer = checked(program, note)
    assert verdicts(answer) == {
        CARRY: "moved", SICK: "edited", GONE: "gone", "h.md § Never (Line 1)": "unknown",
    }  # fmt: skip
    assert [each["now"] for each in answer["citations"]] == [
        "h.md § Carry-over (Line 5)", "h.md § Sick (Line 9)", None, None,
    ]  # fmt: skip
    assert answer["counts"] == {"holds": 0, "moved": 1, "edited": 1, "ambiguous": 0, "gone": 1, "unknown": 1}
    first = answer["citations"][0]
    assert (first["in"], first["line"], first["column"]) == (str(note), 1, 1)
    said = program.run("check", str(note)).expect(1).out
    assert f"{note}:2:1 edited" in said
    assert "since version 2" in said
    assert "version 1 of 2 had it last" in said


def test_several_sections_that_fit_are_listed(program: Program) -> None:
    program.write({"h.md": "# A\n\n## Note\n\nsame\n"})
    program.sync()
    note = program.root / "note.md"
    note.write_text("h.md § Note (Line 3)", encoding="utf-8")
    assert verdicts(checked(program, note)) == {"h.md § Note (Line 3)": "holds"}
    program.write({"h.md": "# X\n\nx\n\n## Note\n\nsame\n\n# Y\n\n## Note\n\nsame\n"})
    (one,) = checked(program, note)["citations"]
    assert one["verdict"] == "ambiguous"
    assert one["candidates"] == ["h.md § Note (Line 5)", "h.md § Note (Line 11)"]


def test_a_renamed_file_has_moved_and_a_deleted_one_is_gone(program: Program) -> None:
    note = program.root / "note.md"
    note.write_text(CARRY, encoding="utf-8")
    (program.folder / "h.md").rename(program.folder / "renamed.md")
    (one,) = checked(program, note)["citations"]
    assert (one["verdict"], one["now"]) == ("moved", "renamed.md § Carry-over (Line 3)")
    (program.folder / "renamed.md").unlink()
    assert verdicts(checked(program, note)) == {CARRY: "gone"}


def test_fix_rewrites_what_moved_and_nothing_else(program: Program) -> None:
    note = program.root / "note.md"
    raw = (
        f"\ufeff> see {CARRY}\r\n> and h.md § Carry-over\r\n> (Line 3), {SICK} \xe9\r\n".encode() + b"\xff\r"
    )
    note.write_bytes(raw)
    note.chmod(0o640)
    checked(program, note)
    program.write({"h.md": NEW})
    answer = checked(program, note, "--fix")
    assert [each["fixed"] for each in answer["citations"]] == [True, True, False]
    assert note.read_bytes() == raw.replace(b"(Line 3)", b"(Line 5)")
    assert stat.S_IMODE(note.stat().st_mode) == 0o640
    assert [each["verdict"] for each in checked(program, note)["citations"]] == ["holds", "holds", "edited"]
    assert sorted(path.name for path in program.root.iterdir() if "note" in path.name) == ["note.md"]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_fix_keeps_the_encoding(program: Program, encoding: str) -> None:
    note = program.root / "note.txt"
    text = f"Grüße an alle, schöne Grüße: {CARRY}\n"
    note.write_bytes(text.encode(encoding))
    checked(program, note)
    program.write({"h.md": NEW})
    checked(program, note, "--fix")
    assert note.read_bytes().decode(encoding) == text.replace("Line 3", "Line 5")


def test_folders_and_standard_input(program: Program) -> None:
    notes = program.root / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / ".git").mkdir()
    (notes / "a.md").write_text(CARRY, encoding="utf-8")
    (notes / "deep/b.py").write_text(f"# {SICK}\n", encoding="utf-8")
    (notes / ".git/c").write_text(GONE, encoding="utf-8")
    (notes / "d.bin").write_bytes(b"\xff\0\1" + CARRY.encode())
    answer = checked(program, notes)
    assert [(each["in"], each["citation"]) for each in answer["citations"]] == [
        (str(notes / "a.md"), CARRY), (str(notes / "deep/b.py"), SICK),
    ]  # fmt: skip
    answer = checked(program, "-", stdin=f"x\n {CARRY}".encode())
    assert [(each["in"], each["line"], each["column"]) for each in answer["citations"]] == [("-", 2, 2)]
    program.run("check", "-", "--fix").refusal(2, "input_invalid")
    program.run("check", str(notes / "none")).refusal(3, "not_found")
    program.run("check", str(notes / "d.bin")).refusal(2, "input_invalid")
    os.mkfifo(notes / "pipe")
    program.run("check", str(notes / "pipe")).refusal(2, "input_invalid")


def test_what_was_cited_is_the_version_it_was_handed_out_from(program: Program) -> None:
    # The same string is true of two versions; the note was written when the second stood.
    cited = program.ok("cite", CARRY).out.strip()
    program.write({"h.md": OLD.replace("Five", "Six")})
    program.sync()
    note = program.root / "note.md"
    note.write_text(cited, encoding="utf-8")
    assert verdicts(checked(program, note)) == {CARRY: "edited"}
    program.ok("cite", CARRY)
    note.write_text(cited + "\n", encoding="utf-8")
    assert verdicts(checked(program, note)) == {CARRY: "holds"}


def test_what_a_note_cited_when_it_was_first_checked_stays(program: Program) -> None:
    note = program.root / "note.md"
    note.write_text(CARRY, encoding="utf-8")
    checked(program, note)
    program.write({"h.md": OLD.replace("Five", "Six")})
    program.sync()
    note.write_text(CARRY + "\nmore\n", encoding="utf-8")
    assert verdicts(checked(program, note)) == {CARRY: "edited"}
    other = program.root / "other.md"
    other.write_text(CARRY, encoding="utf-8")
    assert verdicts(checked(program, other)) == {CARRY: "holds"}


def test_cite_in_every_form(make: Callable[..., Program]) -> None:
    program = make({"a b/Größe.md": "# One\n\n## *Same* [x]\n\n1\n\n## Same x\n\n2\n", "e.md": ""})
    string = "a b/Größe.md § Same [x] (Line 3)"
    assert program.ok("cite", string).out == string + "\n"
    link = program.ok("cite", "a b/Größe.md § Same x (Line 7)", "--format", "markdown").out
    assert link == "[a b/Größe.md § Same x (Line 7)](a%20b/Gr%C3%B6%C3%9Fe.md#same-x-1)\n"
    assert program.ok("cite", string, "--format", "markdown").out.startswith(
        r"[a b/Größe.md § Same \[x\] (Line 3)]("
    )
    fields = program.ok("cite", string, "--format", "json").json()
    assert fields["citation"] == string
    assert fields["passage_id"] == program.passages("a b/Größe.md")[1]["passage_id"]
    assert program.ok("cite", "e.md").out == "e.md (Line 1)\n"
    program.run("cite", "none.md § X (Line 1)").refusal(3, "not_found")


def test_an_engraved_note_is_never_cited(make: Callable[..., Program]) -> None:
    program = make({"n.md": "---\nengraved_by: stonebrowse\n---\n# N\n\ntext\n"})
    program.run("cite", "n.md § N (Line 4)").refusal(4, "file_not_evidence")


def test_open_shows_then_and_now(program: Program) -> None:
    program.write({"h.md": NEW})
    program.sync()
    done = program.ok("open", "--print", SICK)
    assert "this is version 1 of 2" in done.err
    assert (
        done.out.index("Stay home.")
        < done.out.index("edited since version 2")
        < done.out.index("Stay in bed.")
    )
    assert program.ask("open", "--print", SICK)["became"]["now"] == "h.md § Sick (Line 9)"
    (program.folder / "h.md").unlink()
    done = program.ok("open", "--print", SICK)
    assert "disappeared" in done.err
    assert "Stay home." in done.out


@pytest.mark.parametrize(
    ("before", "encoding"), [("\ud800", "utf-16"), ("\udfff é ", "utf-16"), ("語\udcff", "utf-8")]
)
def test_a_note_may_hold_what_is_no_text(program: Program, before: str, encoding: str) -> None:
    errors = "surrogateescape" if encoding == "utf-8" else "surrogatepass"
    raw = f"語 語 語 {before}{CARRY} and {before} {SICK}\n".encode(encoding, errors)
    note = program.root / "note.txt"
    note.write_bytes(raw)
    checked(program, note)
    program.write({"h.md": NEW})
    answer = checked(program, note, "--fix")
    assert [each["verdict"] for each in answer["citations"]] == ["moved", "edited"]
    assert note.read_bytes() == raw.replace(b"Line 3", b"Line 5").replace(
        "Line 3".encode("utf-16-le"), "Line 5".encode("utf-16-le")
    )


def test_a_forgotten_version_leaves_the_other_citations_checked(program: Program) -> None:
    with Library.open(program.folder, store=program.store) as library:
        file = library.find_file("h.md")
        document = library.document(library.find_version(file, None), file)
        start = document.read(0, document.size).index(b"Five")
        token, version = library.token(document, start, start + 4), document.version.version_id
    note = program.root / "note.md"
    note.write_text(f"{token}\nother.md § O (Line 1)\n", encoding="utf-8")
    assert [each["verdict"] for each in checked(program, note)["citations"]] == ["holds", "holds"]
    program.write({"h.md": NEW})
    program.sync()
    program.ok("store", "forget", version)
    token_now, other = checked(program, note)["citations"]
    assert (token_now["verdict"], other["verdict"]) == ("unknown", "holds")
    assert "pruned" in token_now["advice"]


def test_paths_are_found_as_they_are_spelt(make: Callable[..., Program]) -> None:
    program = make({"two words.md": "# B\n", "ze\u200bro.md": "# B\n", "x/y z.md": "# B\n"})
    program.sync()
    note = program.root / "note.md"
    note.write_text(
        "see two words.md § B (Line 1), ./x/y z.md § B (Line 1)\n\nno such y z.md § B (Line 1)\n\n"
        "ze\u200bro.md § B (Line 1)",
        encoding="utf-8",
    )
    answer = checked(program, note)
    assert [(each["citation"], each["verdict"]) for each in answer["citations"]][:2] == [
        ("two words.md § B (Line 1)", "holds"), ("./x/y z.md § B (Line 1)", "holds"),
    ]  # fmt: skip
    assert [each["verdict"] for each in answer["citations"]][2:] == ["unknown", "holds"]


def test_hostile_notes_stay_text(program: Program) -> None:
    note = program.root / "note.md"
    note.write_text("\x1b]0;x\x07h.md § \x1b[31mred (Line 3)\n", encoding="utf-8")
    done = program.run("check", str(note), "--color", "never").expect(1)
    assert b"\x1b" not in done.stdout
    assert b"\x07" not in done.stdout
