"""The user guide: Markdown pages that come with the package and are read in the browser itself.

Here live the pages, plain Markdown with links between them, and the place where they are. Here may not
live: code that shows them, or anything that a page says twice. Every command, setting, key and error code
stands in a page; tests hold that.

Units: none of its own; pages use those of the rooms they speak of.
"""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """The folder that holds the pages; `index.md` is the first to read."""
    return Path(__file__).resolve().parent
