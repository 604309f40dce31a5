"""A query narrowed to one file, to its folder, and widened again: a `path:` filter at its end."""

from __future__ import annotations

import posixpath
import re

FILTER = re.compile(r'\s*(?<!\S)path:"([^"]*)"\s*\Z')


def narrowed(query: str, path: str) -> str:
    """The query one step on: to the file, then to its folder, then without a filter.

    The filter looks for words in a row, as `path:` does everywhere: quotes in a path are blanks in it.

    Args:
        query: as it stands in the search line.
        path: of the file that it is narrowed to first; what the filter names already counts for more.
    """
    filtered = FILTER.search(query)
    if filtered is None:
        wanted, words = path.replace('"', " "), query.strip()
    else:
        named, words = filtered[1], query[: filtered.start()].strip()
        parent = "" if named.endswith("/") else posixpath.dirname(named)
        wanted = f"{parent}/" if parent else ""
    return f'{words} path:"{wanted}"'.strip() if wanted else words
