"""Several threads and processes at one store, and processes that are killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import StoreUnavailable
from tests.store.samples import add_file, add_version, document, edited, open_store

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store

KILLS = int(os.environ.get("STONEBROWSE_KILLS", "10"))
"""How often the writer is killed; 80 and more before a release."""

WRITER = """
import sys
from pathlib import Path
from tests.store.samples import add_version, document, edited, open_store

name, count = sys.argv[2], int(sys.argv[3])
with open_store(Path(sys.argv[1]), wait_seconds=60) as store:
    for number in range(count):
        raw = document(number % 7, paragraphs=4) + f"{name} {number}".encode()
        file = store.file_at(f"{name}.md")
        with store.writing() as writing:
            file_id = writing.add_file(f"{name}.md", None) if file is None else file.file_id
            version = add_version(writing, file_id, raw)
        # What is said here is on the disk.
        print(version.version_id, raw.hex(), flush=True)
"""


def start_writer(place: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(place), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(["", *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"},
    )


def acknowledged(output: str) -> dict[str, bytes]:
    """What a writer said it had recorded, but for a line that was cut off."""
    lines = [line.split() for line in output.split("\n")[:-1]]
    return {version_id: bytes.fromhex(raw) for version_id, raw in lines}


def test_two_processes_write_at_once(place: Path) -> None:
    open_store(place).close()
    writers = [start_writer(place, name, 25) for name in ("one", "two")]
    said = [acknowledged(writer.communicate(timeout=100)[0]) for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    with open_store(place) as store:
        assert [(file.path, file.versions) for file in store.files()] == [("one.md", 25), ("two.md", 25)]
        for version_id, raw in {**said[0], **said[1]}.items():
            assert store.raw(version_id) == raw
        assert store.check() == []


def test_two_processes_make_one_store(place: Path) -> None:
    writers = [start_writer(place, name, 2) for name in ("one", "two", "three")]
    for writer in writers:
        writer.communicate(timeout=100)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    with open_store(place) as store:
        assert len(store.files()) == 3


def test_a_killed_writer_loses_nothing_it_has_acknowledged(place: Path) -> None:
    known: dict[str, bytes] = {}
    source = random.Random(3)
    for number in range(KILLS):
        writer = start_writer(place, f"name{number % 3}", 100_000)
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(source.uniform(0, 0.15))
        writer.send_signal(signal.SIGKILL)
        known |= acknowledged(first + writer.communicate(timeout=60)[0])
        with open_store(place) as store:
            assert all(store.raw(version_id) == raw for version_id, raw in known.items())
    assert len(known) >= KILLS
    with open_store(place) as store:
        assert store.check() == []


def test_a_store_left_by_a_killed_writer_is_read_without_writing(place: Path) -> None:
    writer = start_writer(place, "name", 100_000)
    assert writer.stdout is not None
    first = writer.stdout.readline()
    writer.send_signal(signal.SIGKILL)
    known = acknowledged(first + writer.communicate(timeout=60)[0])
    with open_store(place, write=False) as store:
        assert all(store.raw(version_id) == raw for version_id, raw in known.items())


def test_another_writer_is_waited_for_and_then_refused(place: Path) -> None:
    with open_store(place) as holder, open_store(place, wait_seconds=0.2) as other:
        with holder.writing() as writing:
            add_version(writing, writing.add_file("a.md", None), b"a")
            with pytest.raises(StoreUnavailable, match="Another stonebrowse"), other.writing():
                pass
        add_file(other, "b.md", b"b")
        assert [file.path for file in holder.files()] == ["a.md", "b.md"]


def test_another_thread_is_waited_for_and_then_refused(place: Path) -> None:
    with open_store(place, wait_seconds=0.2) as store, ThreadPoolExecutor(1) as threads:
        with store.writing():
            refused = threads.submit(add_file, store, "b.md", b"b").exception()
        assert isinstance(refused, StoreUnavailable)
        threads.submit(add_file, store, "c.md", b"c").result()
        assert [file.path for file in store.files()] == ["c.md"]


def test_threads_read_while_one_writes(store: Store) -> None:
    raw = document(1)
    (first,) = add_file(store, "a.md", raw)
    ready, done = threading.Event(), threading.Event()

    def read() -> int:
        rounds = 0
        while not done.is_set() or rounds < 3:
            assert store.raw(first.version_id) == raw
            newest = store.versions(first.file_id)[0]
            assert store.version(newest.version_id).number == newest.number
            assert store.raw(newest.version_id)
            store.data_version()
            rounds += 1
            ready.set()
        return rounds

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _ in range(4)]
        ready.wait(30)
        content = raw
        for number in range(30):
            content = edited(content, number)
            with store.writing() as writing:
                add_version(writing, first.file_id, content)
        done.set()
        assert min(reader.result(60) for reader in readers) >= 3
    assert store.file(first.file_id).versions == 31


def test_a_reader_sees_nothing_of_a_transaction_that_is_open(store: Store, place: Path) -> None:
    with store.writing() as writing:
        add_version(writing, writing.add_file("a.md", None), b"a")
        assert store.files() == []
        with open_store(place, write=False) as reader:
            assert reader.files() == []
    assert [file.path for file in store.files()] == ["a.md"]
