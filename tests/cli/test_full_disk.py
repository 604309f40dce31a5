"""A disk that takes no more: refused with one line, nothing half done, nothing lost.

The full disk is a limit on the size of files (setrlimit(2), RLIMIT_FSIZE): each write beyond it fails, as on a full
disk, and needs no rights.
"""

from __future__ import annotations

import resource
from functools import partial
from typing import TYPE_CHECKING

import pytest

from stonebrowse.library.library import Library

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program

LIMITS = (0, 5_000, 34_000, 40_000, 70_000)
COMMANDS = (
    ["sync"],
    ["files", "export", "a.md", "--version", "1", "--to", "{out}"],
    ["files", "trash", "b.md"],
    ["review", "--all-seen"],
    ["backup", "{out}"],
    ["doctor", "--report", "{out}"],
    ["store", "prune", "--keep-days", "0"],
    ["store", "forget", "{version}"],
)


def limited(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_a_full_disk_is_refused_and_loses_nothing(make: Callable[..., Program], command: list[str]) -> None:
    lines = "".join(f"line {number} {number * 7919 % 10007}\n" for number in range(400))
    program = make({"a.md": f"# A\n\n{lines}", "b.md": "# B\n"})
    program.sync()
    for turn in range(2):
        program.write({"a.md": f"# A\n\nturn {turn}\n{lines}"})
        program.sync()
    known = program.versions("a.md")
    for number, size in enumerate(LIMITS):
        program.write({"c.md": f"# C\n\n{number}\n\n{lines}"})
        out = program.root / f"out{number}"
        words = [word.format(out=out, version=known[1]["version_id"]) for word in command]
        done = program.run(*words, preexec_fn=partial(limited, size)).expect(0, 5)
        assert done.code == 0 or "stonebrowse: store_unavailable: " in done.err
        assert out.exists() == (done.code == 0 and str(out) in words)
        assert not [path.name for path in program.root.iterdir() if path.name.startswith(".")]
        with Library.open(program.folder, store=program.store) as library:
            assert library.check().faults == []
            assert library.store.raw(known[0]["version_id"]).startswith(b"# A\n\nturn 1\n")
            library.update()
            assert library.check().faults == []
            assert "c.md" in [file.path for file in library.files()]
