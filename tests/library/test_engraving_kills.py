"""Engraving killed before each call that changes the folder: the whole note or none, and the library is level.

The process kills itself with SIGKILL just before its nth such call, for every n until one run comes to its end; and
at the end of the store's transaction, when the file has its name and the record is not committed.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import FileNotEvidence
from stonebrowse.library.library import Library

if TYPE_CHECKING:
    from pathlib import Path

WICK = "rooms/lamp.md § Wick (Line 5)"
MOST_CALLS = 40
SCRIPT = """
import os, signal, sys
from pathlib import Path
from stonebrowse.library.library import Library
from stonebrowse.store.writing import Writing

folder, store, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
library = Library.open(folder, store=store)

def dying(call):
    def called(*args, **options):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **options)
    return called

for name in ("mkdir", "fsync", "link", "unlink", "stat"):
    setattr(os, name, dying(getattr(os, name)))
Writing.finish = dying(Writing.finish)
library.engrave("deep/er/note.md", "# Note\\n\\ntext", [%r])
""" % (WICK,)  # noqa: UP031 -- braces


def engrave_dying(folder: Path, store: Path, at: int) -> int:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), str(store), str(at)], check=False, timeout=60
    ).returncode


def test_a_kill_at_any_call_leaves_the_whole_note_or_none(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Library.open(folder, store=store) as library:
        library.update()
    seen = set()
    for at in range(1, MOST_CALLS):
        status = engrave_dying(folder, store, at)
        note = folder / "deep/er/note.md"
        seen.add(note.exists())
        with Library.open(folder, store=store) as library:
            library.update()
            assert library.check().faults == []
            notes = library.notes(check=True)
            if note.exists():
                (found,) = notes
                assert found.holding == 1
                assert note.read_bytes() == library.store.raw(found.file.version_id)
                assert [each.citation for each in library.store.notes.sources(found.file.file_id)] == [WICK]
                with pytest.raises(FileNotEvidence):
                    library.cite("deep/er/note.md")
                note.unlink()
                library.update()
            else:
                assert notes == []
        if status == 0:
            break
        assert status == -signal.SIGKILL
    else:
        pytest.fail(f"it did not end within {MOST_CALLS} calls")
    assert seen == {True, False}
