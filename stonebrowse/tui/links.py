"""Where a link of a page leads: a file and heading of the library, or out of it."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from stonebrowse.text.citations import escape, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stonebrowse.text.passages import Cut

# RFC 3986, section 3.1: a scheme; one letter is a drive of another system, not a scheme.
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
# Of what a broken link may have meant, so many are named, where they are so much alike.
NEAREST = 3
ALIKE = 0.6
# Comparing takes some microseconds each.
MOST_COMPARED = 50_000
WIKI = re.compile(r"\[\[([^\]|]*)(?:\|[^\]]*)?\]\]\Z")


@dataclass(frozen=True, slots=True)
class Local:
    """A place in the library.

    Attributes:
        paths: the paths it may name, the likeliest first; empty for the page itself.
        anchor: the heading's anchor; empty for the beginning.
        wiki: whether the path may stand anywhere in the library.
    """

    paths: tuple[str, ...]
    anchor: str
    wiki: bool = False


@dataclass(frozen=True, slots=True)
class Outside:
    """A place that is not in the library: shown and copied, never opened behind one's back."""

    url: str


def read_link(target: str, page: str) -> Local | Outside:
    """What a link's target says.

    Args:
        target: as written in the document.
        page: the path of the page it stands in.
    """
    wiki = WIKI.match(target.strip())
    if wiki:
        name, _, anchor = wiki[1].partition("#")
        return (
            Local(_with_suffixes(name.strip()), slug(anchor), wiki=True)
            if name.strip()
            else Local((), slug(anchor))
        )
    if SCHEME.match(target) or target.startswith("//"):
        return Outside(target)
    name, _, anchor = target.partition("#")
    name = escape(unquote(name.partition("?")[0]))
    anchor = unquote(anchor)
    if not name:
        return Local((), anchor)
    # A path that begins with a slash is read from the top of the library, as forges do.
    base = "" if name.startswith("/") else posixpath.dirname(page)
    path = posixpath.normpath(posixpath.join(base, name.lstrip("/")))
    if path.startswith("../") or path == "..":
        return Outside(target)
    folder = "" if path == "." else path + "/"
    return Local((*_with_suffixes(path), f"{folder}README.md", f"{folder}index.md"), anchor)


def find(link: Local, paths: Iterable[str]) -> str | None:
    """The path of the library that a link names; None where there is none."""
    known = set(paths)
    for path in link.paths:
        if path in known:
            return path
    folded = {path.casefold(): path for path in sorted(known, reverse=True)}
    for path in link.paths:
        if path.casefold() in folded:
            return folded[path.casefold()]
    if link.wiki:
        tails = {path.casefold() for path in link.paths}
        ends = [path for path in known if any(path.casefold().endswith("/" + tail) for tail in tails)]
        return min(ends, key=lambda path: (path.count("/"), path), default=None)
    return None


def anchor_section(cut: Cut, anchor: str) -> int | None:
    """The section that an anchor names, as GitHub numbers equal ones (`name`, `name-1`); None for none."""
    wanted = anchor.casefold()
    return next((index for name, index in _anchors(cut) if name == wanted), None)


def nearest_anchors(cut: Cut, anchor: str) -> list[str]:
    """The anchors of a document that are written nearly like one that it has not, the nearest first."""
    names = [name for name, _ in islice(_anchors(cut), MOST_COMPARED)]
    return get_close_matches(anchor.casefold(), names, n=NEAREST, cutoff=ALIKE)


def nearest_paths(link: Local, paths: Iterable[str]) -> list[str]:
    """The paths whose last part is written nearly like the one that a link names, the nearest first."""
    named: dict[str, list[str]] = {}
    for path in islice(paths, MOST_COMPARED):
        named.setdefault(_stem(path), []).append(path)
    near = get_close_matches(_stem(link.paths[0]), named, n=NEAREST, cutoff=ALIKE) if link.paths else []
    return [path for name in near for path in sorted(named[name])][:NEAREST]


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0].casefold()


def _anchors(cut: Cut) -> Iterator[tuple[str, int]]:
    """The anchor of each heading, and its section."""
    seen: dict[str, int] = {}
    for index, section in enumerate(cut.sections()):
        if not section.level:
            continue
        name = slug(section.heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield f"{name}-{count}" if count else name, index


def _with_suffixes(name: str) -> tuple[str, ...]:
    return (name, f"{name}.md", f"{name}.markdown")
