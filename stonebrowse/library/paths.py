"""Globs that choose Files by their path."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=64)
def _pattern(glob: str) -> re.Pattern[str]:
    pieces: list[str] = []
    index = 0
    while index < len(glob):
        if glob.startswith("**/", index):
            pieces.append("(?:.*/)?")
            index += 3
        elif glob.startswith("**", index):
            pieces.append(".*")
            index += 2
        else:
            character = glob[index]
            pieces.append({"*": "[^/]*", "?": "[^/]"}.get(character, re.escape(character)))
            index += 1
    return re.compile("".join(pieces), re.IGNORECASE | re.DOTALL)


def matches(path: str, glob: str) -> bool:
    """Whether a path is one that a glob chooses, in any case of letters.

    `*` and `?` stand for anything but a slash, `**` for anything. A glob without a slash may match any part
    of the path; one that matches a folder chooses all below it.
    """
    glob = glob.strip("/")
    pattern = _pattern(glob)
    parts = path.split("/")
    if "/" not in glob and glob != "**":
        return any(pattern.fullmatch(part) for part in parts)
    return any(pattern.fullmatch("/".join(parts[:count])) for count in range(1, len(parts) + 1))
