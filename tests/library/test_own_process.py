"""A process of our own runs our own modules, wherever it is started."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

from stonebrowse.library.library import Library
from stonebrowse.library.own_process import own_command

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

TRAP = "import pathlib; pathlib.Path({!r}).write_text('run')\n"


def trapped(folder: Path, sprung: Path) -> None:
    """Fills a folder with modules that must never be run."""
    for name in ("signal.py", "threading.py", "runpy.py", "json.py", "zlib.py", "sitecustomize.py",
                 "stonebrowse/__init__.py", "stonebrowse/library/__init__.py", "stonebrowse/library/keeper_process.py"):  # fmt: skip
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(TRAP.format(str(sprung)))


def test_nothing_of_the_working_directory_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, sprung = tmp_path / "docs", tmp_path / "sprung"
    folder.mkdir()
    trapped(folder, sprung)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with Library.open(folder, store=tmp_path / "store") as library:
        library.ensure_keeper()
        (folder / "a.md").write_text("# Lamp\n")
        for _ in range(400):
            if library.files():
                break
            assert not sprung.exists()
            time.sleep(0.05)
        assert [file.path for file in library.files()] == ["a.md"]
    assert not sprung.exists()


def test_words_are_handed_on() -> None:
    command = own_command("stonebrowse.library.keeper_process", "only one word")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 1
    assert "not enough values to unpack" in done.stderr
