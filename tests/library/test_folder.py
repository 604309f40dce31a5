from __future__ import annotations

import os
import random
import socket
import subprocess
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import FolderUnavailable
from stonebrowse.library.folder import Folder, Rules, Unreadable
from tests.library.conftest import write

if TYPE_CHECKING:
    from pathlib import Path


def paths(place: Path, rules: Rules | None = None) -> list[str]:
    folder = Folder(place, rules)
    try:
        return sorted(folder.walk().stats)
    finally:
        folder.close()


def test_documents_are_known_by_their_suffix_in_any_case(tmp_path: Path) -> None:
    for name in (
        "a.md",
        "b.MD",
        "c.markdown",
        "d.Mkd",
        "e.mdown",
        "f.txt",
        "g",
        "md",
        "h.mdx",
        "i.md~",
        "j.md.swp",
    ):
        write(tmp_path / name, "x")
    assert paths(tmp_path) == ["a.md", "b.MD", "c.markdown", "d.Mkd", "e.mdown"]
    assert paths(tmp_path, Rules(suffixes=(".txt",))) == ["f.txt"]


def test_hidden_things_and_node_modules_are_left_out_below_the_folder_only(tmp_path: Path) -> None:
    root = tmp_path / "node_modules" / ".hidden" / "docs"
    for name in (
        "a.md",
        ".b.md",
        ".git/c.md",
        "node_modules/d.md",
        "x/.y/e.md",
        "x/node_modules/f.md",
        "x/g.md",
    ):
        write(root / name, "x")
    assert paths(root) == ["a.md", "x/g.md"]


@pytest.mark.parametrize("seed", range(6))
def test_gitignore_decides_as_git_does(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    parts = ["a", "b", "build", "docs", "x y", "ä"]
    names = {
        "/".join(chance.choice(parts) for _ in range(chance.randint(0, 3)) or ())
        + f"/{chance.choice(parts)}.md"
        for _ in range(40)
    }
    names = {name.lstrip("/") for name in names}
    for name in names:
        write(tmp_path / name, "x")
    patterns = [
        "build/", "build/*", "!build/a.md", "*.md", "!docs/*.md", "/a", "a/**/b.md", "**/docs", "!/docs/",
        "x\\ y",
        "# remark", "", "b.*", "!b.md", "[ab].md", "ä.md", "docs/build", "/*.md", "a/", "!a/",
    ]  # fmt: skip
    for place in ("", "docs/", "a/b/"):
        if (tmp_path / place).is_dir():
            write(tmp_path / place / ".gitignore", "\n".join(chance.sample(patterns, 5)) + "\n")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    listed = subprocess.run(
        ["git", "-C", tmp_path, "ls-files", "-z", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    ).stdout
    wanted = sorted(name for name in os.fsdecode(listed).split("\0") if name.endswith(".md"))
    assert paths(tmp_path) == wanted
    assert paths(tmp_path, Rules(gitignore=False)) == sorted(names)


def test_a_path_is_looked_at_as_a_walk_sees_it(tmp_path: Path) -> None:
    for name in ("a.md", "out/b.md", "x/c.md", "x/y/d.md", ".h/e.md", "node_modules/f.md", "x/g.txt"):
        write(tmp_path / name, "x")
    write(tmp_path / ".gitignore", "out/\n/x/y/d.md\n")
    folder = Folder(tmp_path)
    walked = set(folder.walk().stats)
    folder.close()
    for name in (
        "a.md",
        "out/b.md",
        "x/c.md",
        "x/y/d.md",
        ".h/e.md",
        "node_modules/f.md",
        "x/g.txt",
        "no.md",
        "x",
    ):
        fresh = Folder(tmp_path)
        assert (name in fresh.look(name).stats) == (name in walked), name
        fresh.close()
    below = Folder(tmp_path)
    assert set(below.walk("x").stats) == {"x/c.md"}
    assert set(below.walk("out").stats) == set()
    assert set(below.walk("../..").stats) == set()
    below.close()


def test_links_are_read_where_their_target_would_be(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    write(tmp_path / "outside.md", "secret")
    write(root / "a.md", "a")
    write(root / ".hidden.md", "h")
    write(root / "sub/b.md", "b")
    for name, target in {
        "to-a.md": "a.md",
        "to-b.md": "sub/b.md",
        "to-outside.md": "../outside.md",
        "to-hidden.md": ".hidden.md",
        "to-nothing.md": "none.md",
        "to-itself.md": "to-itself.md",
        "to-folder.md": "sub",
    }.items():
        (root / name).symlink_to(target)
    (root / "linked").symlink_to("sub")
    (root / "away").symlink_to("..")
    folder = Folder(root)
    seen = folder.walk()
    assert sorted(seen.stats) == ["a.md", "sub/b.md", "to-a.md", "to-b.md"]
    assert set(seen.skipped) == {
        "to-outside.md",
        "to-hidden.md",
        "to-nothing.md",
        "to-itself.md",
        "to-folder.md",
    }
    assert folder.read("to-b.md")[0] == b"b"
    for name in ("to-outside.md", "to-hidden.md", "linked/b.md", "away/outside.md", "../outside.md"):
        with pytest.raises(Unreadable):
            folder.read(name)
    folder.close()


def test_pipes_sockets_and_folders_named_like_documents_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / ".gitignore")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "sock.md"))
    write(tmp_path / "dir.md" / "in.md", "x")
    write(tmp_path / "good.md", "x")
    folder = Folder(tmp_path)
    seen = folder.walk()
    assert sorted(seen.stats) == ["dir.md/in.md", "good.md"]
    assert set(seen.skipped) == {"pipe.md", "sock.md"}
    with pytest.raises(Unreadable, match="pipe"):
        folder.read("pipe.md")
    folder.close()


def test_names_of_any_bytes_are_read_by_their_path(tmp_path: Path) -> None:
    names = [
        b"caf\xe9.md",
        b"\xff\xfe/a.md",
        b"a\x1bb.md",
        b"back\\x1bslash.md",
        b"plain\\.md",
        "ü\u202e.md".encode(),
    ]
    for name in names:
        place = os.path.join(os.fsencode(tmp_path), name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(name)
    folder = Folder(tmp_path)
    seen = folder.walk()
    assert len(seen.stats) == len(names)
    assert {folder.read(path)[0] for path in seen.stats} == set(names)
    assert all(path.isprintable() for path in seen.stats)
    folder.close()


def test_what_is_too_large_is_skipped(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "x" * 11)
    write(tmp_path / "b.md", "x" * 10)
    folder = Folder(tmp_path, Rules(max_file_bytes=10))
    seen = folder.walk()
    assert set(seen.stats) == {"b.md"}
    assert "10 bytes" in seen.skipped["a.md"]
    folder.close()


def test_a_deep_folder_is_walked_without_recursion(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("deep-folder-name", dir_fd=descriptor)
        below = os.open("deep-folder-name", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    with open(os.open("a.md", os.O_WRONLY | os.O_CREAT, dir_fd=descriptor), "w") as file:
        file.write("papaya")
    os.close(descriptor)
    folder = Folder(tmp_path)
    (path,) = folder.walk().stats
    assert len(path) > 4096
    assert folder.read(path)[0] == b"papaya"
    folder.close()


def test_a_missing_folder_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(FolderUnavailable, match="does not exist"):
        Folder(tmp_path / "none").walk()
    write(tmp_path / "file", "x")
    with pytest.raises(FolderUnavailable):
        Folder(tmp_path / "file").identity()
