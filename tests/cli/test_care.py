"""`doctor --report`, `backup`, `store`, and a folder that moves."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import EvidenceUnavailable
from stonebrowse.library.library import Library
from tests.cli.program import Program, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET = "swordfish-4711"


def test_a_backup_is_made_while_in_use_and_opened(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\nalpha\n"})
    program.sync()
    program.write({"a.md": "# A\n\nbeta\n"})
    watching = program.start("watch")
    try:
        wait_until(lambda: program.file("a.md")["versions"] == 2, "it is recorded")
        copy = program.root / "copies" / "first"
        program.run("backup", str(copy)).refusal(2, "input_invalid")
        copy.parent.mkdir()
        assert program.ask("backup", str(copy))["bytes"] > 0
    finally:
        watching.terminate()
        watching.communicate(timeout=30)
    assert [path.name for path in copy.iterdir()] == ["store.sqlite3"]
    assert copy.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in copy.parent.iterdir()] == ["first"]
    program.run("backup", str(copy)).refusal(2, "input_invalid")
    program.write({"a.md": "# A\n\ngamma\n"})
    program.sync()
    restored = Program(program.root, program.folder, copy)
    assert "beta" in restored.ok("files", "text", "a.md", "--no-sync").out
    restored.ok("doctor")
    assert restored.found("gamma") == ["a.md § A (Line 1)"]
    assert [each["number"] for each in restored.versions("a.md")] == [3, 2, 1]


def test_a_backup_needs_no_folder_and_does_not_lie_in_it(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    program.run("backup", str(program.folder / "copy")).refusal(2, "input_invalid")
    assert [path.name for path in program.folder.iterdir()] == ["a.md"]
    (program.folder / "a.md").unlink()
    program.folder.rmdir()
    program.ok("backup", str(program.root / "copy"))
    empty = Program(program.root, program.home, program.root / "nothing")
    empty.run("backup", str(program.root / "other")).refusal(5, "store_unavailable")
    assert not (program.root / "other").exists()
    assert not (program.root / "nothing").exists()


def test_stats_and_prune(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\none\n", "b.md": "# B\n"})
    program.sync()
    for word in ("two", "three"):
        program.write({"a.md": f"# A\n\n{word}\n"})
        program.sync()
    stats = program.ask("store", "stats")
    assert (stats["files"], stats["versions"], stats["pruned"]) == (2, 4, 0)
    assert stats["bytes_raw"] == sum(
        each["bytes"] for path in ("a.md", "b.md") for each in program.versions(path)
    )
    assert [each["path"] for each in stats["largest"]] == ["a.md", "b.md"]
    assert "a.md" in program.ok("store", "stats").out
    assert program.ask("store", "prune", "--keep-days", "1")["versions"] == 0
    dry = program.ask("store", "prune", "--keep-days", "0", "--dry-run")
    # What the review was shown last is held: here version 1.
    assert (dry["versions"], dry["dry_run"]) == (1, True)
    program.ok("files", "text", "a.md", "--version", "2")
    assert program.ask("store", "prune", "--keep-days", "0")["versions"] == 1
    assert "pruned" in program.run("files", "text", "a.md", "--version", "2").refusal(3, "not_found")
    assert "pruned" in program.run("files", "diff", "a.md").refusal(3, "not_found")
    program.ok("files", "text", "a.md", "--version", "1")
    program.ok("doctor")
    program.run("store", "prune").refusal(2, "input_invalid")
    program.run("store", "prune", "--keep-days", "-1").refusal(2, "input_invalid")


def files_below(place: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file())


def test_a_secret_is_forgotten(make: Callable[..., Program]) -> None:
    program = make({"a.md": f"# A {SECRET}\n\nThe key is {SECRET}.\n", "b.md": "# B\n\nalpha\n"})
    program.sync()
    assert program.store is not None
    current = program.versions("a.md")[0]["version_id"]
    assert "edit" in program.run("store", "forget", current).refusal(2, "input_invalid")
    assert len(program.found(SECRET)) == 1
    program.write({"a.md": "# A\n\nThe key is elsewhere.\n"})
    program.sync()
    assert SECRET.encode() in files_below(program.store)
    assert program.ask("store", "forget", current) == {"versions": [current]}
    assert SECRET.encode() not in files_below(program.store)
    assert b"swordfish" not in files_below(program.store)
    assert "pruned" in program.run("files", "text", "a.md", "--version", "1").refusal(3, "not_found")
    listed = program.versions("a.md")
    assert [(each["number"], each["state"]) for each in listed] == [(2, "ready"), (1, "ready")]
    assert listed[1]["version_id"] == current
    assert program.found("alpha") == ["b.md § B (Line 1)"]
    assert program.found("elsewhere") == ["a.md § A (Line 1)"]
    program.ok("doctor")
    with Library.open(program.folder, store=program.store) as library, pytest.raises(EvidenceUnavailable):
        library.evidence(file_id=listed[1]["file_id"], version_id=current, digest=listed[1]["digest"])
    program.run("store", "forget", "1").refusal(2, "input_invalid")
    program.run("store", "forget", "v_000000000000").refusal(3, "not_found")


def test_a_secret_is_forgotten_while_another_watches(make: Callable[..., Program]) -> None:
    program = make({"a.md": f"# A\n\n{SECRET}\n", "b.md": "# B\n\nalpha\n"})
    program.sync()
    old = program.versions("a.md")[0]["version_id"]
    watching = program.start("watch")
    try:
        program.write({"a.md": "# A\n\nnothing\n"})
        wait_until(lambda: program.file("a.md")["versions"] == 2, "it is recorded")
        program.ok("store", "forget", old)
        assert program.store is not None
        assert b"swordfish" not in files_below(program.store)
        assert program.found("alpha") == ["b.md § B (Line 1)"]
        program.write({"b.md": "# B\n\nbeta\n"})
        wait_until(lambda: program.found("beta"), "the watching one goes on")
    finally:
        watching.terminate()
        watching.communicate(timeout=30)
    program.ok("doctor")


def test_a_report_tells_nothing_of_the_documents(make: Callable[..., Program]) -> None:
    program = make(
        {"Xylophone/quartz.md": "# Zephyr\n\nmongoose\n", "Xylophone/late.md": b"\x00\xff\xfe\x01"},
        folder="Walrus",
    )
    program.sync()
    state = program.root / "state" / "stonebrowse"
    state.mkdir(parents=True, exist_ok=True)
    (state / "stonebrowse.log").write_text(
        "2026-03-01T12:00:00+00:00 17 Traceback (most recent call last):\n"
        f'  File "{program.folder}/venv/stonebrowse/library/syncing.py", line 12, in _one\n'
        "    raise ValueError(zephyr)\n"
        "ValueError: quartz.md mongoose\n",
        encoding="utf-8",
    )
    place = program.root / "report.json"
    program.ok("doctor", "--report", str(place))
    text = place.read_text(encoding="utf-8")
    told = json.loads(text)
    assert place.stat().st_mode & 0o777 == 0o600
    for word in ("xylophone", "quartz", "zephyr", "mongoose", "walrus", str(program.root).lower(), "late"):
        assert word not in text.lower(), word
    assert (told["store"]["files"], told["store"]["versions"], told["faults"]) == (1, 1, [])
    assert told["log"] == [
        "2026-03-01T12:00:00+00:00",
        "stonebrowse/library/syncing.py:12 _one",
        "ValueError",
    ]
    assert list(told["skipped"].values()) == [1]
    program.run("doctor", "--report", str(place)).refusal(2, "input_invalid")
    assert place.read_text(encoding="utf-8") == text


def test_a_report_names_faults_by_id(make: Callable[..., Program]) -> None:
    import sqlite3
    from contextlib import closing

    program = make({"quartz.md": "# Zephyr\n\nmongoose\n"})
    program.sync()
    assert program.store is not None
    with closing(sqlite3.connect(program.store / "store.sqlite3")) as connection:
        connection.execute("INSERT INTO doors VALUES ('re-encode')")
        connection.execute("UPDATE pieces SET data = x'00'")
        connection.execute("DELETE FROM doors")
        connection.commit()
    place = program.root / "report.json"
    done = program.run("doctor", "--report", str(place)).expect(1)
    assert "quartz.md" in done.out
    told = json.loads(place.read_text(encoding="utf-8"))
    version = program.versions("quartz.md", "--no-sync")[0]["version_id"]
    assert version in {fault["version_id"] for fault in told["faults"]}
    assert "quartz" not in place.read_text(encoding="utf-8")


def test_a_folder_that_moved_keeps_its_store_when_told(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\none\n", "rooms/b.md": "# B\n"})
    program.sync()
    program.write({"a.md": "# A\n\ntwo\n"})
    program.sync()
    before = {path: entry["file_id"] for path, entry in program.files().items()}
    moved = program.root / "elsewhere"
    program.folder.rename(moved)
    program.run("sync").refusal(5, "folder_unavailable")
    after = Program(program.root, moved, program.store)
    for args in (["sync"], ["files", "list"], ["files", "list", "--no-sync"], ["doctor"]):
        assert "--relocate" in after.run(*args).refusal(5, "store_unavailable")
    assert after.ask("sync", "--relocate") | {"seconds": 0} == {
        "added": 0, "changed": 0, "renamed": 0, "trashed": 0, "restored": 0, "unchanged": 2, "skipped": 0,
        "passages": 0, "seconds": 0,
    }  # fmt: skip
    assert {path: entry["file_id"] for path, entry in after.files().items()} == before
    assert [each["number"] for each in after.versions("a.md")] == [2, 1]
    program.folder.mkdir()
    assert "--relocate" in program.run("sync").refusal(5, "store_unavailable")


def test_a_time_of_pruning_is_counted_from_the_replacement(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\none\n"})
    program.sync()
    for word in ("two", "three"):
        program.write({"a.md": f"# A\n\n{word}\n"})
        program.sync()
    assert program.store is not None
    with Library.open(program.folder, store=program.store) as library:
        library.mark_seen()
        # Recorded long ago, replaced just now: it was what one had yesterday.
        assert library.store.prune(datetime.now(UTC) - timedelta(days=1), dry_run=True).versions == 0
        assert library.store.prune(datetime.now(UTC) + timedelta(days=1), dry_run=True).versions == 2
    if os.geteuid() == 0:
        return
    program.store.chmod(0o500)
    program.run("store", "prune", "--keep-days", "0").refusal(5, "store_unavailable")
    program.store.chmod(0o700)
