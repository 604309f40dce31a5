"""Several processes at once, one that is killed, and damaged files of the store."""

from __future__ import annotations

import base64
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Program, databases, has, index_tables, wait_until, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KNOWN = {"a.md": "# A\n\nknown words\n", "b.md": "# B\n\nother words\n"}


def test_several_syncs_at_once_agree(make: Callable[..., Program]) -> None:
    program = make({f"n{number:03}.md": f"# N{number}\n\ncommon\n" for number in range(200)})
    runs = [program.start("sync", "--json") for _ in range(3)]
    runs += [program.start("search", "common", "--json"), program.start("files", "list", "--json")]
    for process in runs:
        out, err = process.communicate(timeout=90)
        assert process.returncode == 0, err
        assert b"Traceback" not in out + err
    assert program.search("common")["total"] == 200
    assert {one["versions"] for one in program.files().values()} == {1}
    program.ok("doctor")


def test_edits_while_several_sync_are_one_version_each(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    for turn in range(3):
        program.write({"a.md": f"# A\n\nturn {turn}\n"})
        runs = [program.start("sync") for _ in range(3)]
        for process in runs:
            _, err = process.communicate(timeout=90)
            assert process.returncode == 0, err
    assert [one["number"] for one in program.versions("a.md")] == [4, 3, 2, 1]


@pytest.mark.parametrize("moment", [0.0, 0.2, 0.6])
def test_a_sync_that_is_killed_is_made_up_for(make: Callable[..., Program], moment: float) -> None:
    files = {f"n{number:04}.md": f"# Note {number}\n\nword {'text ' * 100}\n" for number in range(800)}
    program = make(files)
    assert program.store is not None
    store = program.store
    process = program.start("sync")
    wait_until(
        lambda: process.poll() is not None or (store.exists() and any(store.iterdir())), "it has begun"
    )
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    counts = program.sync()
    assert counts["added"] + counts["unchanged"] == len(files)
    answer = program.search("word")
    assert (answer["total"], answer["complete"]) == (len(files), True)
    assert {one["versions"] for one in program.files().values()} == {1}
    program.ok("doctor")


def cut(tables: list[Path]) -> None:
    os.truncate(tables[-1], tables[-1].stat().st_size // 2)


def zero(tables: list[Path]) -> None:
    tables[-1].write_bytes(bytes(tables[-1].stat().st_size))


def noise(tables: list[Path]) -> None:
    tables[-1].write_bytes(random.Random(1).randbytes(tables[-1].stat().st_size))


def segments(tables: list[Path]) -> list[Path]:
    """The files that hold what is found, biggest first."""
    files = [path for path in tables[-1].parent.iterdir() if path.suffix != ".toc" and path.stat().st_size]
    assert files
    return sorted(files, key=lambda path: -path.stat().st_size)


def one_segment(tables: list[Path]) -> None:
    segments(tables)[0].unlink()


def all_segments(tables: list[Path]) -> None:
    for path in segments(tables):
        path.unlink()


def noisy_segments(tables: list[Path]) -> None:
    for path in segments(tables):
        path.write_bytes(random.Random(2).randbytes(path.stat().st_size))


def cut_segments(tables: list[Path]) -> None:
    for path in segments(tables):
        os.truncate(path, path.stat().st_size // 2)


def whole_index(tables: list[Path]) -> None:
    shutil.rmtree(tables[-1].parent)


def an_empty_index(tables: list[Path]) -> None:
    for path in tables[-1].parent.iterdir():
        if path.is_file():
            path.write_bytes(b"")


def a_file_instead(tables: list[Path]) -> None:
    place = tables[-1].parent
    shutil.rmtree(place)
    place.write_bytes(b"no folder")


HARMS = [
    cut,
    zero,
    noise,
    one_segment,
    all_segments,
    noisy_segments,
    cut_segments,
    whole_index,
    an_empty_index,
    a_file_instead,
]


@pytest.mark.parametrize(
    ("harm", "options"),
    [*((harm, []) for harm in HARMS), (noise, ["--no-sync"]), (whole_index, ["--no-sync"])],
    ids=lambda value: value.__name__ if callable(value) else "".join(value) or "sync",
)
def test_a_damaged_index_never_answers_that_there_is_nothing(
    make: Callable[..., Program], harm: Callable[[list[Path]], None], options: list[str]
) -> None:
    program = make(KNOWN)
    program.sync()
    tables = index_tables(program.root)
    assert tables, "no index of Whoosh is found: this test must be told where it lies"
    harm(tables)
    done = program.run("search", "known", *options)
    if done.code == 5:
        assert "doctor --rebuild-index" in done.err
        program.ok("doctor", "--rebuild-index")
        done = program.run("search", "known")
    done.expect(0)
    assert "a.md § A (Line 1)" in done.out
    assert [one["number"] for one in program.versions("a.md", "--no-sync")] == [1]


def test_an_index_is_rebuilt_when_asked(make: Callable[..., Program]) -> None:
    program = make(KNOWN)
    program.sync()
    passages = program.passages("a.md")
    shutil.rmtree(index_tables(program.root)[-1].parent)
    program.ok("doctor", "--rebuild-index")
    assert program.passages("a.md") == passages
    assert program.found("known") == ["a.md § A (Line 1)"]


def test_doctor_finds_a_healthy_store_healthy(make: Callable[..., Program]) -> None:
    program = make(KNOWN)
    program.sync()
    program.ok("doctor")
    assert isinstance(program.ask("doctor"), dict)


def without_journals(store: Path) -> list[Path]:
    """The databases, once nothing else belongs to them."""
    found = databases(store)
    assert found, "no database is found in the store: this test must be told what it is"
    for path in store.rglob("*"):
        if path.name.endswith(("-wal", "-shm", "-journal")):
            path.unlink()
    return found


@pytest.mark.parametrize("kind", ["header", "zeros", "cut", "noise"])
def test_a_damaged_store_is_said_and_never_taken_for_an_empty_one(
    make: Callable[..., Program], kind: str
) -> None:
    program = make(KNOWN)
    program.sync()
    assert program.store is not None
    path = without_journals(program.store)[0]
    content = path.read_bytes()
    harmed = {
        "header": b"x" * 100 + content[100:],
        "zeros": bytes(len(content)),
        "cut": content[: len(content) // 2],
        "noise": content[:100] + random.Random(3).randbytes(len(content) - 100),
    }[kind]
    path.write_bytes(harmed)
    for args in (["search", "known"], ["sync", "--json"], ["files", "list", "--no-sync"]):
        program.run(*args).refusal(5, "store_damaged")
    program.run("doctor").expect(1, 5)
    assert path.read_bytes() == harmed, "what is damaged is left for the one who repairs it"


@pytest.mark.parametrize("place", [0.4, 0.6])
def test_doctor_finds_bytes_that_changed(make: Callable[..., Program], place: float) -> None:
    noise_text = base64.b64encode(random.Random(4).randbytes(900_000)).decode()
    lines = "\n\n".join(noise_text[at : at + 70] for at in range(0, len(noise_text), 70))
    program = make({**KNOWN, "noise.md": lines})
    program.sync()
    assert program.store is not None
    without_journals(program.store)
    files = sorted(
        (one for one in program.store.rglob("*") if one.is_file()), key=lambda one: -one.stat().st_size
    )
    kept = [one for one in files if not any(index in one.parents for index in index_places(program))]
    content = bytearray(kept[0].read_bytes())
    at = int(len(content) * place)
    for offset in range(at, at + 64):
        content[offset] ^= 0x55
    kept[0].write_bytes(content)
    done = program.run("doctor").expect(1, 5)
    assert done.out + done.err


def index_places(program: Program) -> set[Path]:
    return {table.parent for table in index_tables(program.root)}


def test_a_store_of_a_newer_format_is_left_alone(make: Callable[..., Program]) -> None:
    program = make(KNOWN)
    program.sync()
    assert program.store is not None
    path = databases(program.store)[0]
    connection = sqlite3.connect(path)
    version = connection.execute("pragma user_version").fetchone()[0]
    connection.execute(f"pragma user_version = {version + 1000}")
    connection.commit()
    connection.close()
    if not version:
        pytest.skip("the store's format is not recorded as its user_version")
    program.run("files", "list").refusal(5, "store_unavailable")


def test_a_store_that_cannot_be_written_or_made(make: Callable[..., Program]) -> None:
    program = make(KNOWN)
    program.write({})
    blocked = program.root / "blocked"
    blocked.write_bytes(b"a file")
    program.store = blocked / "store"
    program.run("sync").refusal(5, "store_unavailable")
    program.store = blocked
    program.run("sync").refusal(5, "store_unavailable")


FULL = """
set -e
mount -t tmpfs -o size=8m none "$1"
cd "$1"
shift
"$@" sync >/dev/null
mv "$ASIDE"/* "$FOLDER"
dd if=/dev/zero of=fill bs=1k count=7900 2>/dev/null || true
set +e
"$@" sync
echo "exit $?"
"$@" search zebra --no-sync
echo "exit $?"
rm fill
"$@" sync >/dev/null
echo "exit $?"
"$@" doctor
echo "exit $?"
"$@" search word -n 1 --json
"""


@pytest.mark.skipif(not has("unshare"), reason="needs unshare, to mount a small file system")
def test_a_full_disk_is_said_and_made_up_for(make: Callable[..., Program]) -> None:
    program = make({"z.md": "# Z\n\nzebra\n"})
    place, aside = program.root / "small", program.root / "aside"
    place.mkdir()
    noise_of = random.Random(5)
    write(
        aside,
        {f"n{number}.md": f"# N\n\nword {noise_of.randbytes(4000).hex()}\n" for number in range(150)},
    )
    program.store = place / "store"
    words = ["unshare", "-rm", "sh", "-c"]
    probe = subprocess.run([*words, 'mount -t tmpfs none "$0"', str(place)], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"no mounts in a user namespace here: {probe.stderr.decode().strip()}")
    done = subprocess.run(
        [*words, FULL, "sh", str(place), *program.words([])],
        env={**program.environment(), "ASIDE": str(aside), "FOLDER": str(program.folder)},
        capture_output=True,
        check=False,
        timeout=100,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    said = [line for line in err.splitlines() if line.startswith("stonebrowse: store_unavailable: ")]
    assert len(said) == 1, (out, err)
    assert str(program.store) in said[0]
    assert "Traceback" not in err
    assert re.findall(r"exit (\d+)", out) == ["5", "0", "0", "0"], (out, err)
    assert "z.md § Z (Line 1)" in out
    assert '"total": 150' in out.splitlines()[-1]
