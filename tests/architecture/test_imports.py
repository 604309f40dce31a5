"""What a command imports, seen in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

WHAT_WAS_IMPORTED = """
import json, sys
from stonebrowse.cli import main
status = main(sys.argv[1:])
sys.stdout.flush()
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
sys.exit(status)
"""

HEAVY = {"textual", "rich", "mcp", "asyncio", "watchfiles", "pygments", "charset_normalizer", "pathspec"}
HEAVY |= {"aiohttp", "textual_serve"}


def imported(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", WHAT_WAS_IMPORTED, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode in {0, 1}, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_help_imports_neither_library_nor_browser() -> None:
    modules = imported("--help")
    assert not modules & (
        HEAVY | {"sqlite3", "whoosh", "markdown_it", "stonebrowse.library", "stonebrowse.tui"}
    )


@pytest.mark.parametrize(
    "command", [["search", "lamp"], ["files", "list"], ["sync"], ["files", "text", "a.md"]]
)
def test_reading_commands_import_no_browser(tmp_path: Path, command: list[str]) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# Lamp\n")
    place = ["-C", str(folder), "--store", str(tmp_path / "store")]
    assert not imported(*place, *command) & HEAVY
    # When nothing changed there is no Markdown to be read either.
    assert not imported(*place, *command) & (HEAVY | {"markdown_it"})


def test_the_browser_starts_without_the_index() -> None:
    """Importing Whoosh takes as long as the first paint; it comes with the first search."""
    script = "import sys, stonebrowse.library.library, stonebrowse.tui.app; print('whoosh' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
