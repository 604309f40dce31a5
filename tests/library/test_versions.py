"""Comparing versions, exporting them, trashing and restoring Files, also while another process keeps the library."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stonebrowse.errors import InputInvalid, NotFound, StoreUnavailable
from stonebrowse.library.library import Library
from tests.library.conftest import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stonebrowse.library.comparing import Hunk
    from stonebrowse.library.syncing import Event
    from stonebrowse.store import Version


def two(library: Library, folder: Path, old: bytes | str, new: bytes | str) -> tuple[Version, Version]:
    """Two versions of one File."""
    for text in (old, new):
        write(folder / "two.md", text)
        library.update()
    file = library.find_file("two.md")
    newest, before = library.versions(file)[:2]
    return before, newest


def applied(old: bytes, hunks: list[Hunk]) -> bytes:
    """What `patch` makes of a text; fails where a hunk does not fit."""
    lines = old.splitlines(keepends=True) if b"\r" not in old and b"\f" not in old else _lines(old)
    made: list[bytes] = []
    at = 0
    for hunk in hunks:
        begin = hunk.old_start - 1
        assert begin >= at, "hunks overlap"
        made += lines[at:begin]
        assert len(made) == hunk.new_start - 1
        kept = [line for kind, line in hunk.lines if kind != "+"]
        assert lines[begin : begin + hunk.old_count] == kept
        made += [line for kind, line in hunk.lines if kind != "-"]
        assert sum(kind != "-" for kind, _ in hunk.lines) == hunk.new_count
        at = begin + hunk.old_count
    return b"".join([*made, *lines[at:]])


def _lines(text: bytes) -> list[bytes]:
    from stonebrowse.text.differences import split_lines

    return split_lines(text)


pieces = st.lists(
    st.sampled_from(["# A\n", "## B\n", "text\n", "more\r\n", "\n", "\n", "last", "# C\n", "x\ry\r"]),
    max_size=24,
).map("".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces, pieces)
def test_hunks_turn_the_old_text_into_the_new(
    tmp_path_factory: pytest.TempPathFactory, old: str, new: str
) -> None:
    root = tmp_path_factory.mktemp("diff")
    write(root / "docs" / "two.md", old + " ")
    with Library.open(root / "docs", store=root / "store") as library:
        library.update()
        time.sleep(0.02)
        write(root / "docs" / "two.md", new + " ")
        library.update(full=True)
        listed = library.versions(library.find_file("two.md"))
        hunks = library.unified(listed[-1], listed[0])
        sections = [library.document(version).cut.section_count for version in (listed[-1], listed[0])]
        kinds = [diff.kind for diff in library.compare(listed[-1], listed[0])]
        assert all(
            diff.old_text.strip() != diff.new_text.strip()
            for diff in library.compare(listed[-1], listed[0])
            if diff.kind == "edited"
        )
    assert sections[0] - kinds.count("removed") == sections[1] - kinds.count("added")
    assert applied((old + " ").encode(), hunks) == (new + " ").encode()
    for hunk in hunks:
        assert hunk.citation.startswith("two.md")
        assert any(kind != " " for kind, _ in hunk.lines)


def test_patch_takes_the_diff(library: Library, folder: Path, tmp_path: Path) -> None:
    filler = "".join(f"line {n}\n" for n in range(9))
    old = f"# D\n\nintro\n\n## One\n\nalpha\n{filler}\n## Two\n\ngamma\n\n## Three\n\nend"
    new = f"# D\n\nintro!\n\n## One\n\nalpha!\n{filler}\n## Two\n\nnew\ngamma\n\n## Four\n\nend\n"
    before, after = two(library, folder, old, new)
    hunks = library.unified(before, after)
    assert [hunk.citation for hunk in hunks] == [
        "two.md § D (Line 1)",
        "two.md § One (Line 5)",
        "two.md § Two (Line 18)",
        "two.md § Four (Line 23)",
    ]
    text = "--- two.md\n+++ two.md\n"
    for hunk in hunks:
        text += hunk.header + "\n"
        for kind, line in hunk.lines:
            text += (
                kind + line.decode() + ("" if line.endswith(b"\n") else "\n\\ No newline at end of file\n")
            )
    target = tmp_path / "patched" / "two.md"
    write(target, old)
    for tool in (["patch", "-p0", "--fuzz=0"], ["git", "apply", "-p0"]):
        write(target, old)
        subprocess.run(tool, cwd=target.parent, input=text.encode(), check=True, capture_output=True)
        assert target.read_text(encoding="utf-8") == new, tool


def test_sections_are_compared(library: Library, folder: Path) -> None:
    old = "# D\n\nintro\n\n## One\n\nalpha beta gamma\n\n## Two\n\nsame\n\n## Three\n\ngone\n\n## Four\n\nstays\n"
    new = "# D\n\nintro\n\n## Two\n\nsame\n\n## One\n\nalpha delta gamma\n\n## New\n\nfresh\n\n## Four\r\n\r\nstays\r\n\r\n"
    before, after = two(library, folder, old, new)
    found = {(diff.kind, diff.was, diff.now) for diff in library.compare(before, after)}
    assert found == {
        ("edited", "two.md § One (Line 5)", "two.md § One (Line 9)"),
        ("removed", "two.md § Three (Line 13)", None),
        ("added", None, "two.md § New (Line 13)"),
    }
    edited = next(diff for diff in library.compare(before, after) if diff.was == "two.md § One (Line 5)")
    marked = [
        (line.kind, [line.text[start:end] for start, end in line.marks])
        for line in edited.lines
        if line.kind != " "
    ]
    assert marked == [("-", ["beta"]), ("+", ["delta"])]
    assert next((line.old_line, line.new_line) for line in edited.lines) == (5, 9)
    assert library.compare(after, after) == []


def test_a_moved_section_and_one_with_another_heading(library: Library, folder: Path) -> None:
    old = "# A\n\n## One\n\n1\n\n## Two\n\n2\n\n## Three\n\n3\n\n# B\n\nb\n"
    new = "# A\n\n## Two\n\n2\n\n## Three\n\n3\n\n# B\n\nb\n\n## One\n\n1\n"
    before, after = two(library, folder, old, new)
    (moved,) = library.compare(before, after)
    assert (moved.kind, moved.was, moved.now, moved.lines) == (
        "moved",
        "two.md § One (Line 3)",
        "two.md § One (Line 15)",
        (),
    )
    before, after = two(library, folder, old, old.replace("## Two", "## Second"))
    (edited,) = library.compare(before, after)
    assert (edited.kind, edited.was, edited.now) == (
        "edited",
        "two.md § Two (Line 7)",
        "two.md § Second (Line 7)",
    )


def test_added_and_removed_sections_are_said(library: Library, folder: Path) -> None:
    before, after = two(library, folder, "# A\n\na\n\n# B\n\nb\n", "# A\n\na\n\n# C\n\nc\n\n# D\n\nd\n")
    assert [(diff.kind, diff.citation) for diff in library.compare(before, after)] == [
        ("removed", "two.md § B (Line 5)"),
        ("added", "two.md § C (Line 5)"),
        ("added", "two.md § D (Line 9)"),
    ]
    back = library.compare(after, before)
    assert sorted(diff.kind for diff in back) == ["added", "removed", "removed"]


def test_versions_to_compare_are_the_newest_two(library: Library, folder: Path) -> None:
    before, after = two(library, folder, "one\n", "two\n")
    file = library.find_file("two.md")
    assert library.diff_between(file) == (before, after)
    assert library.diff_between(file, newer=after) == (before, after)
    assert library.diff_between(file, after, before) == (after, before)
    with pytest.raises(NotFound, match="no version before"):
        library.diff_between(file, newer=before)


def test_export_is_whole_or_nothing(library: Library, folder: Path, tmp_path: Path) -> None:
    raw = b"\xff\xfe" + "# Ü\r\n".encode("utf-16-le")
    write(folder / "u.md", raw)
    library.update()
    version = library.find_version(library.find_file("u.md"), None)
    out = tmp_path / "out"
    out.mkdir()
    assert library.export(version, out / "u") == len(raw)
    assert (out / "u").read_bytes() == raw
    (out / "link").symlink_to("nowhere")
    for taken in ("u", "link"):
        with pytest.raises(InputInvalid, match="something"):
            library.export(version, out / taken)
    with pytest.raises(InputInvalid, match="no folder"):
        library.export(version, out / "none" / "u")
    assert sorted(entry.name for entry in out.iterdir()) == ["link", "u"]
    if os.geteuid():
        out.chmod(0o500)
        with pytest.raises(StoreUnavailable, match="cannot be written"):
            library.export(version, out / "v")


def test_trashed_by_hand_it_stays_out_whatever_its_file_does(library: Library, folder: Path) -> None:
    library.update()
    file = library.find_file("rooms/lamp.md")
    assert library.trash(file).trashed_by == "hand"
    assert library.trash(library.find_file("rooms/lamp.md")).trashed_by == "hand"
    left = ["README.md", "rooms/stairs.md"]

    def listed() -> list[str]:
        library.update(full=True)
        return [each.path for each in library.files()]

    assert listed() == left
    write(folder / "rooms/lamp.md", "# Lamp room\n\nRebuilt.\n")
    assert listed() == left
    (folder / "rooms/lamp.md").unlink()
    assert listed() == left
    write(folder / "rooms/lamp.md", "# Lamp room\n\nOnce more.\n")
    assert listed() == left
    restored, recorded = library.restore(library.find_file(file.file_id))
    assert (restored.state, restored.file_id, recorded) == ("current", file.file_id, True)
    assert library.search("once more").hits
    assert listed() == ["README.md", "rooms/lamp.md", "rooms/stairs.md"]


def test_trashed_by_hand_it_stays_out_when_its_file_is_renamed(library: Library, folder: Path) -> None:
    library.update()
    file = library.find_file("rooms/lamp.md")
    library.trash(file)
    (folder / "rooms").rename(folder / "chambers")
    library.update()
    assert [each.path for each in library.files()] == ["README.md", "chambers/stairs.md"]
    assert library.find_file(file.file_id).path == "chambers/lamp.md"
    # A copy is another file.
    write(folder / "copy.md", (folder / "chambers/lamp.md").read_bytes())
    library.update()
    assert [each.path for each in library.files()] == ["README.md", "chambers/stairs.md", "copy.md"]
    restored, recorded = library.restore(library.find_file(file.file_id))
    assert (restored.path, recorded) == ("chambers/lamp.md", False)


def test_what_has_disappeared_may_be_trashed_and_then_stays_out(library: Library, folder: Path) -> None:
    library.update()
    text = (folder / "README.md").read_bytes()
    (folder / "README.md").unlink()
    library.update()
    file = library.find_file("README.md")
    assert file.trashed_by == "disappearance"
    assert library.trash(file).trashed_by == "hand"
    write(folder / "README.md", text)
    library.update()
    assert library.find_file("README.md").state == "trashed"
    assert library.restore(library.find_file("README.md"))[0].state == "current"


def test_restoring_says_what_stands_in_the_way(library: Library, folder: Path) -> None:
    library.update()
    file = library.find_file("README.md")
    with pytest.raises(InputInvalid, match="not trashed"):
        library.restore(file)
    library.trash(file)
    (folder / "README.md").write_bytes(b"\0\xff\1\xfe")
    with pytest.raises(NotFound, match="export"):
        library.restore(library.find_file("README.md"))
    (folder / "README.md").unlink()
    with pytest.raises(NotFound, match=r"no such file in the folder.*export"):
        library.restore(library.find_file("README.md"))
    assert library.find_file("README.md").state == "trashed"


@pytest.fixture
def said() -> list[Event]:
    """What the watching one says."""
    return []


@pytest.fixture
def keeper(opened: Callable[[Path], Library], folder: Path, said: list[Event]) -> Iterator[Library]:
    """Another library object that watches the folder, as another process would."""
    watching = opened(folder)
    stop = threading.Event()
    thread = threading.Thread(target=watching.watch, args=(stop,), kwargs={"on_event": said.append})
    thread.start()
    yield watching
    stop.set()
    thread.join(20)


def until(probe: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not probe():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_trash_and_restore_while_another_watches(
    library: Library, keeper: Library, folder: Path, said: list[Event]
) -> None:
    until(lambda: library.state().keeper and library.indexed() == (3, 3) and len(said) == 3)
    file = library.find_file("rooms/lamp.md")
    library.trash(file)
    assert library.search("wick").hits == []
    until(lambda: len(said) == 4)
    write(folder / "rooms/lamp.md", "# Lamp room\n\nElectric now.\n")
    write(folder / "rooms/oil.md", "# Oil\n\nColza.\n")
    until(lambda: any(each.path == "rooms/oil.md" for each in library.files()))
    assert library.find_file("rooms/lamp.md").state == "trashed"
    until(lambda: library.indexed() == (3, 3))
    library.restore(library.find_file("rooms/lamp.md"))
    # The keeper notices by itself: it indexes and cuts what was restored.
    until(lambda: library.indexed() == (4, 4))
    until(lambda: library.find_version(library.find_file("rooms/lamp.md"), None).state == "ready")
    assert [hit.path for hit in library.search("electric").hits] == ["rooms/lamp.md"]
    assert keeper.find_file("rooms/lamp.md").number == 2
    until(lambda: len(said) == 6)
    assert [(event.event, event.path) for event in said[3:]] == [
        ("trashed", "rooms/lamp.md"),
        ("added", "rooms/oil.md"),
        ("restored", "rooms/lamp.md"),
    ]
