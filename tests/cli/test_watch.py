"""`watch`: what it reports while the folder changes under it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import CHANGES, ID, Program, has, wait_until
from tests.cli.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def numbers(program: Program, path: str) -> list[int]:
    return [one["number"] for one in program.versions(path)]


def test_each_change_is_one_object_a_line(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    with Watch(program) as watch:
        watch.ready()
        program.write({"b.md": "# B\n"})
        added = watch.wait_for("added", "b.md")
        program.write({"b.md": "# B\n\nmore\n"})
        changed = watch.wait_for("changed", "b.md")
        (program.folder / "b.md").rename(program.folder / "c.md")
        renamed = watch.wait_for("renamed", "c.md")
        (program.folder / "c.md").unlink()
        trashed = watch.wait_for("trashed", "c.md")
        program.write({"c.md": "# C\n\nother\n"})
        restored = watch.wait_for("restored", "c.md")
        assert watch.stop() == 130
        for event in watch.events:
            assert {"event", "path", "file_id", "version_id", "number"} <= set(event)
            assert event["event"] in CHANGES
    assert [one["number"] for one in (added, changed, renamed)] == [1, 2, 2]
    assert len({one["file_id"] for one in (added, changed, renamed, trashed, restored)}) == 1
    assert ID["f"].fullmatch(added["file_id"])
    assert ID["v"].fullmatch(added["version_id"])
    assert added["version_id"] != changed["version_id"] == renamed["version_id"]
    assert restored["number"] in (2, 3)
    assert numbers(program, "c.md") == [3, 2, 1]
    assert "Traceback" not in watch.err


def test_for_a_person_each_change_is_one_line(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    process = program.start("watch")
    assert process.stdout is not None
    first = process.stdout.readline().decode()
    assert "added" in first
    assert "a.md" in first
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in out + err


def test_what_changed_while_nobody_watched_is_reported_first(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "b.md": "# B\n"})
    program.sync()
    program.write({"a.md": "# A\n\nmore\n"})
    (program.folder / "b.md").unlink()
    with Watch(program) as watch:
        assert watch.wait_for("changed", "a.md")["number"] == 2
        watch.wait_for("trashed", "b.md")


class Editors:
    """How editors save: each leaves other traces beside the file."""

    def __init__(self, path: Path) -> None:
        """Knows the file that is saved."""
        self.path = path

    def beside(self, name: str) -> Path:
        return self.path.with_name(name)

    def vim(self, text: str) -> None:
        probe, swap, backup = self.beside("4913"), self.beside(".d.md.swp"), self.beside("d.md~")
        probe.touch()
        probe.unlink()
        swap.write_text("b0VIM", encoding="utf-8")
        self.path.rename(backup)
        self.path.write_text(text, encoding="utf-8")
        backup.unlink()
        swap.unlink()

    def emacs(self, text: str) -> None:
        lock, auto, backup = self.beside(".#d.md"), self.beside("#d.md#"), self.beside("d.md~")
        lock.symlink_to("me@host.1:1")
        auto.write_text("auto", encoding="utf-8")
        self.path.rename(backup)
        self.path.write_text(text, encoding="utf-8")
        for path in (lock, auto, backup):
            path.unlink()

    def in_place(self, text: str) -> None:
        with self.path.open("w", encoding="utf-8") as file:
            file.flush()
            time.sleep(0.02)
            file.write(text)

    def sed(self, text: str) -> None:
        new = self.beside("sedAb12Cd")
        new.write_text(text, encoding="utf-8")
        new.rename(self.path)

    def exchange(self, text: str) -> None:
        new = self.beside("d.md.tmp")
        new.write_text(text, encoding="utf-8")
        new.replace(self.path)


def test_each_save_of_each_editor_is_one_version(make: Callable[..., Program]) -> None:
    program = make({"d.md": "# D\n\nstart\n"})
    program.sync()
    editors = Editors(program.folder / "d.md")
    saves = [editors.vim, editors.emacs, editors.in_place, editors.sed, editors.exchange, editors.vim]
    with Watch(program) as watch:
        watch.ready()
        for number, save in enumerate(saves):
            seen = len(watch.take())
            save(f"# D\n\nsave {number} of {save.__name__}\n")
            event = watch.wait_for("changed", "d.md", after=seen)
            assert event["number"] == number + 2, save.__name__
        paths = {event["path"] for event in watch.take()}
        kinds = {event["event"] for event in watch.events if event["path"] == "d.md"}
    assert paths == {"d.md", "zz-probe.md"}
    assert kinds == {"changed"}
    assert numbers(program, "d.md") == list(range(len(saves) + 1, 0, -1))
    for number, save in enumerate(saves):
        text = program.ask("files", "text", "d.md", "--version", str(number + 2))["text"]
        assert text == f"# D\n\nsave {number} of {save.__name__}\n"


def test_an_edit_that_keeps_size_and_times_is_noticed(make: Callable[..., Program]) -> None:
    program = make({"d.md": "# D\n\nbats\n"})
    program.sync()
    path = program.folder / "d.md"
    stat = path.stat()
    with Watch(program) as watch:
        watch.ready()
        with path.open("r+b") as file:
            file.write(b"# D\n\ncats\n")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        watch.wait_for("changed", "d.md")
        wait_until(lambda: program.found("cats"), "the search finds the new word")
        assert program.found("bats") == []


def test_a_tree_made_at_once_is_added_whole_and_once(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    paths = [f"root/g{number % 10}/h{number}/i/f.md" for number in range(100)]
    with Watch(program) as watch:
        watch.ready()
        program.write({path: f"# {path}\n" for path in paths})

        def added() -> bool:
            got = [event["path"] for event in watch.take() if event["event"] == "added"]
            return sorted(got) == sorted([*paths, "zz-probe.md"])

        wait_until(added, "every file is reported, none twice")
        seen = len(watch.events)
        for path in paths:
            with (program.folder / path).open("a", encoding="utf-8") as file:
                file.write("\nstep 2\n")

        def changed() -> bool:
            got = [event["path"] for event in watch.take()[seen:] if event["event"] == "changed"]
            return sorted(got) == sorted(paths)

        wait_until(changed, "every edit is reported")
    assert {one["versions"] for path, one in program.files().items() if path.startswith("root/")} == {2}


def test_a_folder_that_is_replaced_is_followed_or_given_up_aloud(make: Callable[..., Program]) -> None:
    program = make({"k.md": "# K\n\nold\n"})
    program.sync()
    with Watch(program) as watch:
        watch.ready()
        shutil.rmtree(program.folder)
        time.sleep(0.1)
        program.folder.mkdir()
        program.write({"k.md": "# K\n\nnew\n", "k2.md": "# K2\n"})

        def settled() -> bool:
            if watch.process.poll() is not None:
                assert "folder_unavailable" in watch.err
                return True
            return {"k.md", "k2.md"} <= set(program.files())

        wait_until(settled, "the new files are listed")
    assert program.ask("files", "text", "k.md")["text"] == "# K\n\nnew\n"
    assert program.ask("files", "text", "k.md", "--version", "1")["text"] == "# K\n\nold\n"


def test_a_folder_that_goes_away_is_said_and_trashes_nothing(make: Callable[..., Program]) -> None:
    program = make({"k.md": "# K\n"})
    program.sync()
    with Watch(program) as watch:
        watch.ready()
        program.folder.rename(program.root / "gone")
        wait_until(
            lambda: watch.process.poll() is not None or watch.err, "watch says that the folder is gone"
        )
        assert "folder_unavailable" in watch.err or "folder" in watch.err
        assert not [event for event in watch.take() if event["event"] == "trashed"]
    assert "k.md" in program.files("--no-sync")


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs signals that stop a process")
def test_more_events_than_the_kernel_keeps(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    with Watch(program) as watch:
        watch.ready()
        watch.process.send_signal(signal.SIGSTOP)
        for turn in range(30):
            for number in range(200):
                path = program.folder / f"f{number:03}.md"
                path.write_text(f"# F{number}\n\nturn {turn}\n", encoding="utf-8")
        for number in range(100):
            (program.folder / f"f{number:03}.md").unlink()
        watch.process.send_signal(signal.SIGCONT)
        left = {f"f{number:03}.md" for number in range(100, 200)}

        def equal() -> bool:
            return {path for path in program.files() if path.startswith("f")} == left

        wait_until(equal, "the library is as the folder is")
    answer = program.search('"turn 29"', "-n", "1000")
    assert {hit["path"] for hit in answer["hits"]} == left


@pytest.mark.parametrize("limit", ["max_inotify_watches", "max_inotify_instances"])
@pytest.mark.skipif(not has("unshare"), reason="needs unshare, to lower a limit of the kernel")
def test_without_enough_watches_changes_are_noticed_all_the_same(
    make: Callable[..., Program], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    program = make({f"d{number:02}/a.md": f"# A{number}\n\nmedlar\n" for number in range(30)})
    program.sync()
    number = 5 if limit == "max_inotify_watches" else 0
    script = f'echo {number} > /proc/sys/user/{limit} && exec "$@"'
    words = ["unshare", "-Ur", "sh", "-c", script, "sh"]
    probe = subprocess.run([*words, "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"this limit cannot be lowered here: {probe.stderr.decode().strip()}")
    usual = program.words
    monkeypatch.setattr(program, "words", lambda args: [*words, *usual(args)])
    assert len(program.found("medlar", "-n", "100")) == 30
    with Watch(program) as watch:
        watch.ready()
        program.write({"d29/a.md": "# A29\n\nquince\n"})
        watch.wait_for("changed", "d29/a.md")
        said = watch.err.lower()
    assert "no space left" not in said
    assert said.strip(), "it says that not every folder can be watched"


def test_where_the_system_sends_no_events_it_looks_by_itself(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    with Watch(program, env={"WATCHFILES_FORCE_POLLING": "true"}) as watch:
        watch.ready()
        program.write({"a.md": "# A\n\nmore\n"})
        watch.wait_for("changed", "a.md")


def test_quick_edits_and_reverts(make: Callable[..., Program]) -> None:
    program = make({"v.md": "# V\n\nA\n"})
    program.sync()
    path = program.folder / "v.md"
    with Watch(program) as watch:
        watch.ready()
        for number, content in enumerate(("B", "A"), 2):
            path.write_text(f"# V\n\n{content}\n", encoding="utf-8")
            seen = watch.wait_for("changed", "v.md", after=len(watch.events) if number == 3 else 0)
            assert seen["number"] == number
        for number in range(200):
            path.write_text(f"# V\n\nburst {number}\n", encoding="utf-8")
            time.sleep(0.002)

        def last() -> Any:
            return program.ask("files", "text", "v.md")["text"] == "# V\n\nburst 199\n"

        wait_until(last, "the last edit of the burst is current")
        before = numbers(program, "v.md")
        os.utime(path, (10**9, 10**9))
        path.chmod(0o600)
        path.write_bytes(path.read_bytes())
        program.write({"w.md": "# W\n"})
        watch.wait_for("added", "w.md")
        assert numbers(program, "v.md") == before
    digests = {one["number"]: one["digest"] for one in program.versions("v.md")}
    assert digests[1] == digests[3] != digests[2]
    assert len(digests) <= 203
    for number in (4, len(digests) // 2 + 3, len(digests)):
        text = program.ask("files", "text", "v.md", "--version", str(min(number, len(digests))))["text"]
        assert text == "" or text.startswith("# V\n\nburst "), "a version is what stood there at one time"


def test_deleted_and_written_again(make: Callable[..., Program]) -> None:
    program = make({"r.md": "# R\n\njackfruit one\n"})
    program.sync()
    file_id = program.file("r.md")["file_id"]
    path = program.folder / "r.md"
    with Watch(program) as watch:
        for text in ("# R\n\njackfruit one\n", "# R2\n\njackfruit two\n"):
            seen = watch.ready() if not watch.events else len(watch.take())
            path.unlink()
            watch.wait_for("trashed", "r.md", after=seen)
            assert program.found("jackfruit") == []
            assert "r.md" not in program.files()
            seen = len(watch.take())
            path.write_text(text, encoding="utf-8")
            assert watch.wait_for("restored", "r.md", after=seen)["file_id"] == file_id
            assert len(program.found("jackfruit")) == 1
        seen = len(watch.take())
        path.rename(program.root / "r.md")
        watch.wait_for("trashed", "r.md", after=seen)
        (program.root / "r.md").rename(path)
        watch.wait_for("restored", "r.md", after=seen)
        path.unlink()
        time.sleep(0.005)
        path.write_text("# R3\n\njackfruit three\n", encoding="utf-8")
        wait_until(lambda: program.found("jackfruit three"), "the last text is found")
    assert program.file("r.md")["file_id"] == file_id
    assert program.ask("files", "text", "r.md", "--version", "1")["text"] == "# R\n\njackfruit one\n"


def test_a_pipe_put_in_the_place_of_a_document_does_not_hang_it(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "b.md": "# B\n"})
    program.sync()
    with Watch(program) as watch:
        seen = watch.ready()
        (program.folder / "a.md").unlink()
        os.mkfifo(program.folder / "a.md")
        program.write({"b.md": "# B\n\nmore\n"})
        watch.wait_for("changed", "b.md", after=seen)


def test_ignored_and_hidden_files_make_no_events(make: Callable[..., Program]) -> None:
    program = make({".gitignore": "build/\n", "a.md": "# A\n"})
    program.sync()
    with Watch(program) as watch:
        watch.ready()
        program.write({"build/x.md": "# X\n", ".h/y.md": "# Y\n", "node_modules/z.md": "# Z\n", "n.txt": "n"})
        program.write({"b.md": "# B\n"})
        watch.wait_for("added", "b.md")
    assert {event["path"] for event in watch.events} <= {"b.md", "zz-probe.md"}


def test_reading_while_another_watches(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    with Watch(program) as watch:
        watch.ready()
        program.write({"b.md": "# B\n\nquince\n"})
        watch.wait_for("added", "b.md")
        assert program.found("quince") == ["b.md § B (Line 1)"]
        assert program.ok("sync", "--json").json()["added"] == 0
