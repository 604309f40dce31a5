"""Commands that take a File out and bring it back, compare its versions, and refuse with a card."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from tests.cli.program import picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program

OLD = "# D\n\n## One\n\nalpha\nbeta\n\n## Two\n\ngamma\n"
NEW = "# D\n\n## One\n\nalpha\nbeta!\n\n## Two\n\ngamma\ndelta\n"


def test_export_gives_the_exact_bytes_to_a_new_file(make: Callable[..., Program]) -> None:
    raw = b"\xff\xfe" + "# Ü\r\n".encode("utf-16-le")
    program = make({"u.md": raw, "v.md": OLD})
    program.sync()
    program.write({"v.md": NEW})
    out = program.root / "out"
    out.mkdir()
    program.ok("files", "export", "u.md", "--to", str(out / "u.bin"))
    assert (out / "u.bin").read_bytes() == raw
    program.ok("files", "export", "v.md", "--version", "1", "--to", str(out / "v1.md"))
    assert (out / "v1.md").read_text(encoding="utf-8") == OLD
    program.ok("files", "export", "v.md", "--to", str(out / "v2.md"))
    assert (out / "v2.md").read_text(encoding="utf-8") == NEW
    (out / "v2.md").write_text("mine", encoding="utf-8")
    program.run("files", "export", "v.md", "--to", str(out / "v2.md")).refusal(2, "input_invalid")
    assert (out / "v2.md").read_text(encoding="utf-8") == "mine"
    program.run("files", "export", "v.md", "--version", "3", "--to", str(out / "n.md")).refusal(
        3, "not_found"
    )
    assert sorted(path.name for path in out.iterdir()) == ["u.bin", "v1.md", "v2.md"]


def test_export_reads_a_trashed_file_and_names_its_digest(make: Callable[..., Program]) -> None:
    program = make({"v.md": OLD, "w.md": "# W\n"})
    program.sync()
    (program.folder / "v.md").unlink()
    program.sync()
    target = program.root / "back.md"
    done = program.ok("files", "export", "v.md", "--to", str(target))
    assert "trash" in (done.out + done.err).lower()
    digest = "sha256:" + hashlib.sha256(target.read_bytes()).hexdigest()
    assert program.versions("v.md")[0]["digest"] == digest


def test_trash_takes_a_file_out_until_it_is_restored(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\nalpha\n", "b.md": "# B\n"})
    program.sync()
    before, shot = program.file("a.md"), picture(program.folder)
    passage = program.passages("a.md")[0]["passage_id"]
    program.ok("files", "trash", "a.md")
    assert picture(program.folder) == shot
    assert list(program.files()) == ["b.md"]
    assert program.found("alpha") == []
    program.run("files", "chunks", passage).refusal(3, "not_found")
    assert program.file("a.md")["state"] == "trashed"
    program.write({"a.md": "# A\n\nalpha beta\n"})
    program.sync("--full")
    assert list(program.files()) == ["b.md"]
    (program.folder / "a.md").unlink()
    program.sync()
    program.write({"a.md": "# A\n\nalpha gamma\n"})
    assert list(program.files()) == ["b.md"]
    program.ok("files", "restore", "a.md")
    after = program.files()["a.md"]
    assert after["file_id"] == before["file_id"]
    assert program.found("gamma") == ["a.md § A (Line 1)"]


def test_restore_without_a_file_in_the_folder_is_not_found_and_names_export(
    make: Callable[..., Program],
) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    (program.folder / "a.md").unlink()
    program.sync()
    assert "export" in program.run("files", "restore", "a.md").refusal(3, "not_found")
    program.run("files", "restore", "missing.md").refusal(3, "not_found")
    program.run("files", "trash", "missing.md").refusal(3, "not_found")


def test_diff_is_unified_with_each_hunk_under_its_citation(make: Callable[..., Program]) -> None:
    filler = "\n".join(f"line {number}" for number in range(30))
    old = f"# D\n\n## One\n\nalpha\nbeta\n\n{filler}\n\n## Two\n\ngamma\n"
    new = f"# D\n\n## One\n\nalpha\nbeta!\n\n{filler}\n\n## Two\n\ngamma\ndelta\n"
    program = make({"d.md": old})
    program.sync()
    program.write({"d.md": new})
    program.sync()
    out = program.ok("files", "diff", "d.md").out
    for line in ("-beta", "+beta!", "+delta", "d.md § One (Line 3)", "d.md § Two (Line 39)"):
        assert line in out
    assert out.index("d.md § One") < out.index("-beta") < out.index("d.md § Two") < out.index("+delta")
    assert out.count("@@ -") == 2
    back = program.ok("files", "diff", "d.md", "--from", "2", "--to", "1").out
    assert "+beta\n" in back
    assert "-beta!" in back
    same = program.ok("files", "diff", "d.md", "--from", "1", "--to", "1")
    assert "@@" not in same.out
    program.run("files", "diff", "d.md", "--from", "7").refusal(3, "not_found")


def test_each_refusal_names_the_card_that_explains_it(handbook: Program) -> None:
    for args in (
        ["files", "chunks", "p_000000000000"],
        ["files", "text", "plain.md", "--start", "-1"],
        ["files", "show", "missing.md"],
    ):
        message = handbook.run(*args).expect(2, 3).err
        name = re.search(r"stonebrowse help ([a-z-]+)", message)
        assert name, message
        handbook.ok("help", name[1])
    assert "stonebrowse help passage" in handbook.run("files", "chunks", "p_000000000000").err


def test_a_damaged_token_is_wrong_use(handbook: Program) -> None:
    for token in ("sbc1_", "sbc1_" + "A" * 130, "sbc1_!!!"):
        handbook.run("open", "--print", token).refusal(2, "input_invalid")
