"""Versions, renames, trash and return, as the folder changes between two runs."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import CHANGES, DIGEST, ID, RFC3339_UTC, SYNC_FIELDS, Program

if TYPE_CHECKING:
    from collections.abc import Callable


def digest(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


def test_sync_counts_what_it_did(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\n## B\n", "b.md": "b\n", "c.md": "c\n", "d.md": "d\n", "e.txt": "no\n"})
    first = program.sync()
    assert [first[name] for name in SYNC_FIELDS] == [4, 0, 0, 0, 0, 0, 0, 5]
    assert isinstance(first["seconds"], int | float)
    program.write({"a.md": "# A\n\n## B\n\n## C\n"})
    (program.folder / "b.md").rename(program.folder / "bb.md")
    (program.folder / "c.md").unlink()
    second = program.sync()
    assert [second[name] for name in CHANGES] == [0, 1, 1, 1, 0]
    assert second["unchanged"] == 1
    program.write({"c.md": "c\n"})
    third = program.sync()
    assert [third[name] for name in (*CHANGES, "unchanged")] == [0, 0, 0, 0, 1, 3]


def test_sync_names_its_counts_for_a_person(make: Callable[..., Program]) -> None:
    out = make({"a.md": "# A\n"}).ok("sync").out
    for name in (*SYNC_FIELDS, "seconds"):
        assert name in out, name


def test_a_b_a_gives_three_versions(make: Callable[..., Program]) -> None:
    program = make()
    for content in ("# V\n\nA\n", "# V\n\nB\n", "# V\n\nA\n"):
        program.write({"v.md": content})
        program.sync()
    versions = program.versions("v.md")
    assert [one["number"] for one in versions] == [3, 2, 1]
    assert versions[0]["digest"] == versions[2]["digest"] == digest(b"# V\n\nA\n")
    assert versions[1]["digest"] == digest(b"# V\n\nB\n")
    assert len({one["version_id"] for one in versions}) == 3
    assert [one["current"] for one in versions] == [True, False, False]
    assert {one["state"] for one in versions} == {"ready"}
    assert len({one["file_id"] for one in versions}) == 1
    for one in versions:
        assert ID["v"].fullmatch(one["version_id"])
        assert DIGEST.fullmatch(one["digest"])
        assert one["bytes"] == 7
        assert isinstance(one["encoding"], str)
        assert RFC3339_UTC.fullmatch(one["recorded_at"])
    assert sorted(one["recorded_at"] for one in versions) == [one["recorded_at"] for one in versions][::-1]
    out = program.ok("files", "versions", "v.md").out
    places = [out.index(one["version_id"]) for one in versions]
    assert places == sorted(places)
    assert all(one["digest"] in out for one in versions)


def test_every_version_is_still_read_whole(make: Callable[..., Program]) -> None:
    program = make()
    contents = [f"# V\n\n{'old ' * 300}{number}\n" for number in range(3)]
    for content in contents:
        program.write({"v.md": content})
        program.sync()
    ids = {one["number"]: one["version_id"] for one in program.versions("v.md")}
    for number, content in enumerate(contents, 1):
        for name in (str(number), ids[number]):
            window = program.ask("files", "text", "v.md", "--version", name)
            assert window["text"] == content
            assert window["number"] == number
            assert window["version_id"] == ids[number]
    (program.folder / "v.md").unlink()
    assert program.ask("files", "text", "v.md", "--version", ids[1])["text"] == contents[0]


def test_the_current_version_is_the_one_that_is_read(make: Callable[..., Program]) -> None:
    program = make({"v.md": "# One\n"})
    before = program.passages("v.md")
    program.write({"v.md": "# Two\n"})
    after = program.passages("v.md")
    assert [one["label"] for one in before + after] == ["v.md § One", "v.md § Two"]
    assert after[0]["number"] == 2
    assert after[0]["file_id"] == before[0]["file_id"]
    assert program.ask("files", "outline", "v.md", "--version", "1")["headings"][0]["text"] == "One"
    assert program.found("One") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("notes/a.md", "notes/b.md"),
        ("notes/a.md", "else/deep/a.md"),
        ("notes", "papers"),
        ("notes/a.md", "notes/A.md"),
        ("notes", "Notes"),
        ("notes/a.md", "notes/a.markdown"),
    ],
)
def test_a_rename_keeps_the_file_id_and_makes_no_version(
    make: Callable[..., Program], old: str, new: str
) -> None:
    program = make({"notes/a.md": "# A\n\nalpha\n", "notes/c.md": "# C\n", "z.md": "# Z\n"})
    before = program.files()
    target = program.folder / new
    target.parent.mkdir(parents=True, exist_ok=True)
    (program.folder / old).rename(target)
    counts = program.sync()
    after = program.files()
    moved = {path: path.replace(old, new, 1) if path.startswith(old) else path for path in before}
    assert {moved[path]: entry["file_id"] for path, entry in before.items()} == {
        path: entry["file_id"] for path, entry in after.items()
    }
    changed = sum(path != target for path, target in moved.items())
    assert [counts[name] for name in CHANGES] == [0, 0, changed, 0, 0]
    path = moved["notes/a.md"]
    assert [one["number"] for one in program.versions(path)] == [1]
    assert program.found("alpha") == [f"{path} § A (Line 1)"]
    assert program.passages(path)[0]["path"] == path


def test_a_copy_is_a_file_of_its_own(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    program.write({"b.md": "# A\n"})
    assert program.sync()["added"] == 1
    files = program.files()
    assert files["a.md"]["file_id"] != files["b.md"]["file_id"]
    assert files["a.md"]["version_id"] != files["b.md"]["version_id"]


def test_a_file_that_disappears_is_trashed_with_every_version_kept(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\njackfruit\n", "b.md": "# B\n"})
    program.sync()
    program.write({"a.md": "# A\n\njackfruit two\n"})
    program.sync()
    (program.folder / "a.md").unlink()
    assert program.sync()["trashed"] == 1
    assert list(program.files()) == ["b.md"]
    trashed = program.files("--trashed")
    assert trashed["a.md"]["state"] == "trashed"
    assert program.found("jackfruit") == []
    assert program.file("a.md")["state"] == "trashed"
    assert [one["number"] for one in program.versions("a.md")] == [2, 1]
    assert program.ask("files", "text", "a.md", "--version", "1")["text"] == "# A\n\njackfruit\n"
    done = program.ok("files", "show", "a.md")
    assert "trash" in (done.out + done.err).lower()
    done = program.ok("open", "--print", "a.md § A (Line 1)")
    assert re.search("trash|disappear", done.out + done.err)
    assert "jackfruit two" in done.out
    assert program.files("--trashed")["a.md"]["file_id"] in program.ok("files", "list", "--trashed").out


@pytest.mark.parametrize("content", ["# A\n\njackfruit\n", "# Other\n\njackfruit three\n"])
def test_a_path_that_returns_is_the_same_file(make: Callable[..., Program], content: str) -> None:
    program = make({"a.md": "# A\n\njackfruit\n"})
    program.write({"b.md": "# B\n"})
    before = program.file("a.md")
    (program.folder / "a.md").unlink()
    program.sync()
    program.write({"a.md": content})
    counts = program.sync()
    assert (counts["restored"], counts["added"]) == (1, 0)
    after = program.file("a.md")
    assert after["file_id"] == before["file_id"]
    assert after["state"] == "current"
    same = content == "# A\n\njackfruit\n"
    assert [one["number"] for one in program.versions("a.md")] == ([1] if same else [2, 1])
    assert len(program.found("jackfruit")) == 1


def test_a_file_out_of_the_folder_and_back_is_the_same_file(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "b.md": "# B\n"})
    before = program.file("a.md")["file_id"]
    (program.folder / "a.md").rename(program.root / "a.md")
    program.sync()
    (program.root / "a.md").rename(program.folder / "a.md")
    program.sync()
    assert program.file("a.md")["file_id"] == before


def test_an_edit_that_keeps_size_and_times_is_found(make: Callable[..., Program]) -> None:
    program = make({"d.md": "# D\n\nbats\n"})
    program.sync()
    path = program.folder / "d.md"
    stat = path.stat()
    path.write_bytes(b"# D\n\ncats\n")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    program.sync("--full")
    assert [one["number"] for one in program.versions("d.md")] == [2, 1]
    assert program.found("cats") == ["d.md § D (Line 1)"]
    assert program.found("bats") == []


def test_a_replacement_with_an_older_time_is_found(make: Callable[..., Program]) -> None:
    program = make({"d.md": "# D\n\nbats\n"})
    program.sync()
    program.write({"q.tmp": "# D\n\nrats\n"})
    os.utime(program.folder / "q.tmp", (10**9, 10**9))
    (program.folder / "q.tmp").replace(program.folder / "d.md")
    assert program.found("rats") == ["d.md § D (Line 1)"]


def test_touch_chmod_and_the_same_bytes_again_make_no_version(make: Callable[..., Program]) -> None:
    program = make({"d.md": "# D\n"})
    program.sync()
    os.utime(program.folder / "d.md", (10**9, 10**9))
    assert program.sync()["changed"] == 0
    (program.folder / "d.md").chmod(0o600)
    assert program.sync()["changed"] == 0
    program.write({"d.md": "# D\n"})
    assert program.sync("--full")["changed"] == 0
    assert [one["number"] for one in program.versions("d.md")] == [1]


def test_times_before_and_beyond_every_epoch(make: Callable[..., Program]) -> None:
    program = make()
    for step in range(2):
        for number, moment in enumerate((4_102_444_800, 0, -2_208_988_800, 2**33)):
            program.write({f"t{number}.md": f"# T{number}\n\nstep {step}\n"})
            os.utime(program.folder / f"t{number}.md", (moment, moment))
        program.sync()
    for number in range(4):
        assert [one["number"] for one in program.versions(f"t{number}.md")] == [2, 1]
        assert program.ask("files", "text", f"t{number}.md")["text"].endswith("step 1\n")


def test_reading_commands_bring_the_library_up_to_date(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    assert list(program.files()) == ["a.md"]
    program.write({"b.md": "# B\n\nnectarine\n"})
    assert list(program.files("--no-sync")) == ["a.md"]
    assert program.found("nectarine", "--no-sync") == []
    assert program.found("nectarine") == ["b.md § B (Line 1)"]
    assert sorted(program.files("--no-sync")) == ["a.md", "b.md"]


def test_what_show_and_list_say_of_a_file(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    program.sync()
    program.write({"a.md": "# AA\n"})
    shown, listed = program.file("a.md"), program.files()["a.md"]
    for entry in (shown, listed):
        assert entry["path"] == "a.md"
        assert entry["state"] == "current"
        assert entry["written_by"] == "person"
        assert entry["versions"] == 2
        assert ID["f"].fullmatch(entry["file_id"])
        assert entry["version_id"] == program.versions("a.md")[0]["version_id"]
    row = next(row for row in program.ok("files", "list").lines if "a.md" in row)
    assert shown["file_id"] in row
    out = program.ok("files", "show", "a.md").out
    for part in ("a.md", shown["file_id"], shown["version_id"], digest(b"# AA\n")):
        assert part in out
