"""Front matter: what stands between `---` (or `+++`) on line 1 and its end.

It is no Markdown, but its lines and bytes count. Title and tags are read leniently, for search and show only:
nothing that stonebrowse says depends on whether they are valid YAML or TOML.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Literal

BOM = b"\xef\xbb\xbf"

# The opening line, and after it a line that is not blank.
_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*(?=(?:\r\n?|\n)[ \t]*[^ \t\r\n])")
_CLOSING = {
    b"---": re.compile(rb"(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)"),
    b"+++": re.compile(rb"(?:\r\n?|\n)\+\+\+[ \t]*(?:\r\n?|\n|\Z)"),
}
_READ_AT_MOST = 64 * 1024  # bytes of it that are looked at for a title and tags
_TAG_KEYS = ("tags", "tag", "keywords")

_KEY = re.compile(r"([A-Za-z_-]+)[ \t]*:(?:[ \t]+(.*))?$")
_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)$")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?[0-9]?$")
# What marks a note that stonebrowse engraved, wherever the file is copied to.
_ENGRAVED = re.compile(r"^engraved_by[ \t]*[:=][ \t]*[\"']?stonebrowse[\"']?[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|[ \t])#.*$")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """One document's front matter.

    Attributes:
        end: the byte offset just after its closing line.
        kind: which of the two notations its fences promise.
        title: the title that it gives, or nothing.
        tags: the tags (or keywords) that it gives.
        engraved: whether it marks a note that stonebrowse wrote (`engraved_by: stonebrowse`).
    """

    end: int
    kind: Literal["yaml", "toml"]
    title: str
    tags: tuple[str, ...]
    engraved: bool = False


def body_start(text: bytes) -> int:
    """The byte offset at which Markdown begins: after the byte order mark and the front matter."""
    span = _span(text)
    if span:
        return span[2]
    return len(BOM) if text.startswith(BOM) else 0


def front_matter(text: bytes) -> FrontMatter | None:
    """The front matter of a text, or None.

    It opens on line 1 (a byte order mark may stand before it) and needs an end: without one the text is
    ordinary Markdown.
    """
    span = _span(text)
    if not span:
        return None
    fence, inner, end = span
    source = text[inner.start : min(inner.stop, inner.start + _READ_AT_MOST)].decode("utf-8", "replace")
    source = re.sub(r"\r\n?", "\n", source)
    engraved = _ENGRAVED.search(source) is not None
    if fence == b"+++":
        return FrontMatter(end, "toml", *_read_toml(source), engraved)
    return FrontMatter(end, "yaml", *_read_yaml(source.split("\n")), engraved)


def _span(text: bytes) -> tuple[bytes, range, int] | None:
    """Its fence, the offsets between its fences, and where it ends."""
    opening = _OPENING.match(text)
    if not opening:
        return None
    closing = _CLOSING[opening[1]].search(text, opening.end())
    return (opening[1], range(opening.end(), closing.start()), closing.end()) if closing else None


def _read_toml(source: str) -> tuple[str, tuple[str, ...]]:
    try:
        table = tomllib.loads(source)
    except tomllib.TOMLDecodeError:
        return _read_yaml([re.sub(r"^([A-Za-z_-]+)[ \t]*=", r"\1: ", line) for line in source.split("\n")])
    found: list[str] = []
    for key in _TAG_KEYS:
        value = table.get(key, [])
        found += [str(item) for item in value] if isinstance(value, list) else str(value).split(",")
    title = table.get("title", "")
    return (_one_line(str(title)), _tags(found))


def _read_yaml(lines: list[str]) -> tuple[str, tuple[str, ...]]:
    title = ""
    tags: list[str] = []
    for number, line in enumerate(lines):
        key = _KEY.match(line)
        if not key:
            continue
        name, value = key[1].lower(), (key[2] or "").strip()
        if name == "title" and not title:
            title = _one_line(_scalar(value, lines[number + 1 :]))
        elif name in _TAG_KEYS:
            tags += _sequence(value, lines[number + 1 :])
    return title, _tags(tags)


def _scalar(value: str, below: list[str]) -> str:
    """A plain, quoted or block scalar; `below` are the lines after its key."""
    if not _BLOCK_SCALAR.match(value):
        return _unquote(value)
    block = []
    for line in below:
        if line.strip() and not line.startswith((" ", "\t")):
            break
        block.append(line)
    return " ".join(block)


def _sequence(value: str, below: list[str]) -> list[str]:
    """The items of a flow sequence, a block sequence, or a plain list with commas."""
    if not _COMMENT.sub("", value):
        items = []
        for line in below:
            item = _ITEM.match(line)
            if not item and line.strip():
                break
            items += [_unquote(item[1])] if item else []
        return items
    if value.startswith("["):
        flow = " ".join([value, *below]).partition("]")[0]
        return [_unquote(item) for item in flow[1:].split(",")]
    return [_unquote(item) for item in _COMMENT.sub("", value).split(",")]


def _unquote(value: str) -> str:
    value = value.strip()
    for quote in "\"'":
        if value.startswith(quote) and value.find(quote, 1) > 0:
            return value[1 : value.find(quote, 1)]
    return _COMMENT.sub("", value).strip()


def _one_line(value: str) -> str:
    return " ".join(value.split())


def _tags(found: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for tag in map(_one_line, found) if tag))
