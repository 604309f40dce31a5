"""The program killed at random moments: nothing acknowledged is lost, nothing half-written is seen.

Few kills each, so that the tests stay quick; STONEBROWSE_KILLS=200 makes them a campaign.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from typing import TYPE_CHECKING, Any

from stonebrowse.library.library import Library
from tests.cli.program import Program, write

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from pathlib import Path

KILLS = int(os.environ.get("STONEBROWSE_KILLS", "4"))
NAMES = [f"n{number}.md" for number in range(6)]


def edit(program: Program, chance: random.Random, turn: int) -> None:
    """Some edits, removals and renamings in the folder."""
    for name in chance.sample(NAMES, 3):
        program.write({name: f"# {name}\n\nturn {turn} {chance.random()}\n\n## Part\n\n{chance.random()}\n"})
    there = sorted(path.name for path in program.folder.iterdir())
    if len(there) > 3 and chance.random() < 0.5:
        (program.folder / chance.choice(there)).unlink()
    if chance.random() < 0.5:
        name = chance.choice(sorted(path.name for path in program.folder.iterdir()))
        (program.folder / name).rename(program.folder / f"moved{turn}.md")


def assert_level(program: Program, out: Container[str] = ()) -> None:
    """The library is whole, and after a sync it is what the folder is."""
    with Library.open(program.folder, store=program.store) as library:
        assert library.check().faults == []
        library.update()
        folder = {path.name: path.read_bytes() for path in program.folder.iterdir() if path.name not in out}
        held = {file.path: library.store.raw(file.version_id) for file in library.files()}
        assert held == folder
        assert library.check().faults == []
        assert library.indexed() == (len(folder), len(folder))


def versions(program: Program) -> dict[str, bytes]:
    """Every version that can be read, by ID."""
    with Library.open(program.folder, store=program.store, create=False, write=False) as library:
        return {
            version.version_id: library.store.raw(version.version_id)
            for file in library.store.files(state="all")
            for version in library.versions(file)
        }


def assert_kept(program: Program, before: dict[str, bytes]) -> None:
    after = versions(program)
    assert {version: after.get(version) for version in before} == before


def killed(program: Program, *args: str, after: float) -> tuple[int, bytes]:
    """Starts a command, kills it a little later; gives its exit code (-9: killed) and what it printed."""
    process = program.start(*args)
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    out, _ = process.communicate(timeout=60)
    return process.returncode, out


def begun(make: Callable[..., Program]) -> Program:
    program = make({name: f"# {name}\n\nbegin\n" for name in NAMES})
    program.sync()
    return program


def test_sync(make: Callable[..., Program]) -> None:
    program, chance = begun(make), random.Random(1)
    known = versions(program)
    for turn in range(KILLS):
        edit(program, chance, turn)
        killed(program, "sync", after=chance.uniform(0.05, 0.5))
        assert_kept(program, known)
        assert_level(program)
        known = versions(program)


def test_watch_keeps_what_it_has_said(make: Callable[..., Program]) -> None:
    program, chance = begun(make), random.Random(2)
    for turn in range(KILLS):
        process = program.start("watch", "--json")
        time.sleep(chance.uniform(0.3, 0.6))
        edit(program, chance, turn)
        time.sleep(chance.uniform(0.0, 0.2))
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate(timeout=60)
        said: list[dict[str, Any]] = [json.loads(line) for line in out.split(b"\n")[:-1]]
        held = versions(program)
        assert all(event["version_id"] in held for event in said)
        assert_level(program)


def test_trash_and_restore(make: Callable[..., Program]) -> None:
    program, chance = begun(make), random.Random(3)
    out = False
    for _ in range(KILLS):
        program.write({"n0.md": f"# n0\n\n{chance.random()}\n"})
        known = versions(program)
        code, _said = killed(
            program, "files", "restore" if out else "trash", "n0.md", after=chance.uniform(0.05, 0.6)
        )
        with Library.open(program.folder, store=program.store) as library:
            file = library.find_file("n0.md")
            now = file.state == "trashed"
            assert code == -signal.SIGKILL or now != out
            assert file.trashed_by in {None, "hand"}
        out = now
        assert_kept(program, known)
        assert_level(program, {"n0.md"} if out else set())


def test_prune_forget_and_backup(make: Callable[..., Program], tmp_path: Path) -> None:
    program, chance = begun(make), random.Random(4)
    for turn in range(KILLS):
        for step in range(3):
            write(program.folder, {"n1.md": f"# n1\n\nturn {turn} {step}\n"})
            program.sync()
        listed = program.versions("n1.md")
        command = [
            ["store", "prune", "--keep-days", "0"],
            ["store", "forget", listed[1]["version_id"]],
            ["backup", str(tmp_path / f"copy{turn}")],
        ][turn % 3]
        code, _said = killed(program, *command, after=chance.uniform(0.05, 0.7))
        assert_level(program)
        with Library.open(program.folder, store=program.store) as library:
            assert library.store.raw(listed[0]["version_id"]).endswith(b" 2\n")
        copy = tmp_path / f"copy{turn}"
        assert code or turn % 3 != 2 or copy.exists()
        if copy.exists():
            assert_level(Program(program.root, program.folder, copy))


def test_a_note_is_rewritten_whole_or_not_at_all(make: Callable[..., Program]) -> None:
    chance = random.Random(7)
    program = make({"h.md": "# H\n\n## Part\n\ntext\n"})
    program.sync()
    note = program.root / "note.md"
    lines = 3
    note.write_text("h.md \xa7 Part (Line 3)\n" * 400, encoding="utf-8")
    program.run("check", str(note)).expect(0)
    for _turn in range(KILLS):
        before = note.read_bytes()
        lines += 1
        program.write({"h.md": "# H\n" + "\n" * (lines - 2) + "## Part\n\ntext\n"})
        killed(program, "check", "--fix", str(note), after=chance.uniform(0.2, 0.9))
        assert note.read_bytes() in {before, f"h.md \xa7 Part (Line {lines})\n".encode() * 400}
        program.run("check", "--fix", str(note)).expect(0)
        assert note.read_bytes() == f"h.md \xa7 Part (Line {lines})\n".encode() * 400
