"""Which files belong to a library, and how the others are named."""

from __future__ import annotations

import os
import socket
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.program import DATA, Program, has, picture, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RULES: dict[str, Any] = tomllib.loads((DATA / "gitignore.toml").read_text(encoding="utf-8"))
CANDIDATES: list[str] = RULES["candidates"]


@pytest.mark.skipif(not has("git"), reason="git is the judge of its own rules, and is not installed")
def test_gitignore_means_what_git_says(make: Callable[..., Program]) -> None:
    program = make({**dict.fromkeys(CANDIDATES, "# x\n"), **RULES["rules"]})
    env = program.environment({"GIT_CONFIG_NOSYSTEM": "1"})
    subprocess.run(["git", "init", "-q"], cwd=program.folder, env=env, check=True)
    judged = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=program.folder,
        env=env,
        input="\0".join(CANDIDATES).encode(),
        capture_output=True,
        check=False,
    )
    ignored = set(judged.stdout.decode().split("\0"))
    assert sorted(program.files()) == sorted(set(CANDIDATES) - ignored)


def test_gitignore_holds_without_a_repository_too(make: Callable[..., Program]) -> None:
    program = make({".gitignore": "build/*\n!build/keep.md\n", "build/out.md": "", "build/keep.md": "# k\n"})
    assert list(program.files()) == ["build/keep.md"]


def test_a_change_of_the_rules_is_followed(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "b.md": "# B\n"})
    before = program.files()
    program.write({".gitignore": "b.md\n"})
    assert list(program.files()) == ["a.md"]
    (program.folder / ".gitignore").unlink()
    assert {path: one["file_id"] for path, one in program.files().items()} == {
        path: one["file_id"] for path, one in before.items()
    }


def test_names_and_places_that_count(make: Callable[..., Program]) -> None:
    wanted = ["a.md", "b.MD", "c.markdown", "d.Markdown", "e.mdown", "f.mkd", "dir.md/in.md", "sp ace/x y.md"]
    others = [
        "g.txt",
        "h.md.bak",
        "i.mdx",
        "md",
        "README",
        ".md",
        ".hidden.md",
        ".git/x.md",
        ".obsidian/t.md",
        "node_modules/m/README.md",
        "sub/node_modules/m.md",
        "sub/.deep/x.md",
        "backup.md~",
    ]
    program = make({**dict.fromkeys(wanted, "# x\n"), **dict.fromkeys(others, "# x\n")})
    assert sorted(program.files()) == sorted(wanted)


@pytest.mark.parametrize("place", [".notes/library", "node_modules/library", "a/.b/node_modules"])
def test_the_rules_are_for_paths_below_the_folder_only(make: Callable[..., Program], place: str) -> None:
    program = make({"a.md": "# A\n", ".b/x.md": "# X\n"}, folder=place)
    write(program.root, {".gitignore": "*\n"})
    assert list(program.files()) == ["a.md"]


def skipped(program: Program) -> dict[str, str]:
    """Path and reason of all that is skipped."""
    answer = program.ask("files", "list", "--skipped")
    rows: list[dict[str, Any]] = next(value for value in answer.values() if isinstance(value, list))
    return {row["path"]: row["reason"] for row in rows}


def test_symbolic_links(make: Callable[..., Program]) -> None:
    program = make(
        {
            "a.md": "# A\n",
            "sub/b.md": "# B\n",
            ".hidden/h.md": "# H\n",
            "c.txt": "text\n",
            "node_modules/n.md": "",
        }
    )
    write(program.root, {"outside.md": "# Outside\n"})
    links = {
        "to-file.md": "a.md",
        "deep/to-file.md": "../sub/b.md",
        "to-outside.md": "../outside.md",
        "to-absolute.md": str(program.root / "outside.md"),
        "to-hidden.md": ".hidden/h.md",
        "to-modules.md": "node_modules/n.md",
        "to-text.md": "c.txt",
        "dangling.md": "nowhere.md",
        "loop.md": "loop.md",
        "to-folder.md": "sub",
        "linked": "sub",
        "up": "..",
    }
    for name, target in links.items():
        (program.folder / name).parent.mkdir(exist_ok=True)
        (program.folder / name).symlink_to(target)
    assert sorted(program.files()) == ["a.md", "deep/to-file.md", "sub/b.md", "to-file.md"]
    named = skipped(program)
    for name in ("to-outside.md", "to-absolute.md", "to-hidden.md", "to-text.md", "dangling.md", "loop.md"):
        assert named[name], name
    assert program.ask("files", "text", "to-file.md")["text"] == "# A\n"


def test_pipes_sockets_and_folders_named_like_documents(make: Callable[..., Program]) -> None:
    program = make({"good.md": "# Good\n", "dir.md/in.md": "# In\n"})
    os.mkfifo(program.folder / "pipe.md")
    os.mkfifo(program.folder / ".gitignore")
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(program.folder)  # the path of a socket may not be long
        try:
            listener.bind("sock.md")
        finally:
            os.chdir(here)
        assert sorted(program.files()) == ["dir.md/in.md", "good.md"]
        named = skipped(program)
        assert named["pipe.md"]
        assert named["sock.md"]
        assert "pipe.md" in program.ok("files", "list", "--skipped").out


def test_a_pipe_in_the_place_of_a_known_document(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "b.md": "# B\n"})
    file_id = program.file("a.md")["file_id"]
    (program.folder / "a.md").unlink()
    os.mkfifo(program.folder / "a.md")
    assert "b.md" in program.files()
    assert skipped(program)["a.md"]
    # Whether the document counts as gone or as unreadable, it comes back as the same File.
    (program.folder / "a.md").unlink()
    program.write({"a.md": "# A\n"})
    assert program.files()["a.md"]["file_id"] == file_id
    assert program.files()["a.md"]["versions"] == 1


def test_a_file_over_the_limit_is_skipped_and_named(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "huge.md": "# Huge\n"})
    os.truncate(program.folder / "huge.md", 256 * 1024 * 1024 + 1)  # a hole: it takes no room
    counts = program.sync()
    assert (counts["added"], counts["skipped"]) == (1, 1)
    assert list(program.files()) == ["a.md"]
    assert skipped(program)["huge.md"]


def test_nothing_is_written_into_the_folder(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\nalpha\n", "sub/b.md": "# B\n"})
    program.folder.chmod(0o555)
    before = picture(program.folder)
    program.sync()
    program.sync("--full")
    program.search("alpha")
    program.search("nothingness")
    program.ok("files", "list", cwd=program.folder)
    program.ok("files", "text", "a.md", cwd=program.folder / "sub")
    program.ok("open", "--print", "a.md § A (Line 1)", cwd=program.folder)
    program.ok("doctor", "--rebuild-index", cwd=program.folder)
    program.run("files", "show", "missing.md", cwd=program.folder).expect(3)
    assert picture(program.folder) == before
    program.folder.chmod(0o755)


WITHOUT_POWERS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
"""Makes permissions count for the superuser too."""


class TestAsAnOrdinaryUser:
    """What cannot be read is skipped with its reason and stops nothing else."""

    @pytest.fixture
    def program(self, make: Callable[..., Program], monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
        files = {"locked/in.md": "# X\n", "secret.md": "# S\n", "ok.md": "# OK\n", "zz/ok2.md": "# OK\n"}
        program = make(files)
        if os.geteuid() == 0:
            if not has("setpriv") or subprocess.run([*WITHOUT_POWERS, "true"], check=False).returncode:
                pytest.skip("the superuser may read everything, and setpriv cannot change that here")
            usual = program.words
            monkeypatch.setattr(program, "words", lambda args: [*WITHOUT_POWERS, *usual(args)])
        locked = (program.folder / "locked", program.folder / "secret.md")
        for path in locked:
            path.chmod(0)
        program.folder.chmod(0o555)
        yield program
        for path in (program.folder, *locked):
            path.chmod(0o755)

    def test_the_rest_is_read_and_the_locked_are_named(self, program: Program) -> None:
        listed = program.run("files", "list", "--json").expect(0).json()["files"]
        assert sorted(one["path"] for one in listed) == ["ok.md", "zz/ok2.md"]
        out = program.run("files", "list", "--skipped").expect(0).out
        assert "secret.md" in out
        assert "locked" in out

    def test_what_becomes_unreadable_is_not_trashed_for_ever(self, program: Program) -> None:
        secret = program.folder / "secret.md"
        secret.chmod(0o644)
        shown = program.run("files", "show", "secret.md", "--json").expect(0).json()
        secret.chmod(0)
        program.run("sync").expect(0)
        secret.chmod(0o644)
        again = program.run("files", "show", "secret.md", "--json").expect(0).json()
        assert again["file_id"] == shown["file_id"]
        assert again["versions"] == 1

    def test_a_folder_that_cannot_be_read_is_unavailable_and_trashes_nothing(self, program: Program) -> None:
        program.run("sync").expect(0)
        program.folder.chmod(0)
        program.run("files", "list").refusal(5, "folder_unavailable")
        kept = program.run("files", "list", "--no-sync", "--json").expect(0).json()["files"]
        assert len(kept) == 2
        program.folder.chmod(0o555)
        assert program.run("sync", "--json").expect(0).json()["unchanged"] == 2
