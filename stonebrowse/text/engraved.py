"""What an engraved note looks like: front matter that marks it, the body, and `## Sources`.

Each source is one list item: its citation string, in a code span so that it stands there byte for byte, and behind it
the version ID and the digest. `text.mentions` reads the version ID there; `sources_of` reads all three back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from stonebrowse.errors import InputInvalid
from stonebrowse.text.front_matter import front_matter
from stonebrowse.text.passages import cut

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

MAX_BODY_BYTES = 16 << 20
SOURCES = "Sources"
NO_SOURCES = "No sources were named."

_LINE_END = re.compile(r"\r\n?")
# Tabs, line feeds and form feeds (which separate pages) stay.
_CONTROL = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029]")
_SOURCES_LINE = re.compile(r"^## Sources[ \t]*$", re.MULTILINE)
_SOURCE = re.compile(
    r"^- (?P<ticks>`+) ?(?P<citation>.+?) ?(?P=ticks) \((?P<version>v_[0-9a-hjkmnp-tv-z]{12}),"
    r" (?P<digest>sha256:[0-9a-f]{64})\)[ \t]*$",
    re.MULTILINE,
)
# What a body may leave open, and what ends it: nothing, a code fence, HTML (CommonMark 0.31.2, "HTML blocks").
_ENDS = ("", "-->", "?>", "]]>", "</pre>", "</script>", "</style>", "</textarea>", ">")
_FENCES = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


class EngravedSource(NamedTuple):
    """One source as it stands in a note.

    Attributes:
        citation: the citation string.
        version_id: the version it was made from.
        digest: that version's digest.
    """

    citation: str
    version_id: str
    digest: str


def clean_body(body: str | bytes) -> str:
    """A body as it will stand in the note: single line ends, control characters made visible, no blank lines around.

    Raises:
        InputInvalid: it is empty, too long, no UTF-8, or has front matter of its own.
    """
    size = len(body) if isinstance(body, bytes) else len(body.encode("utf-8", "surrogatepass"))
    if size > MAX_BODY_BYTES:
        raise InputInvalid(f"the note has {size:,} bytes; write at most {MAX_BODY_BYTES:,}")
    try:
        text = body.decode("utf-8-sig") if isinstance(body, bytes) else body
        text.encode()
    except UnicodeError:
        raise InputInvalid("the note is no UTF-8; convert it first") from None
    text = _CONTROL.sub(_visible, _LINE_END.sub("\n", text))
    if not text.strip():
        raise InputInvalid("the note is empty; give its text on standard input")
    if front_matter(text.encode()) is not None:
        raise InputInvalid(
            "the text begins with front matter, and an engraved note gets its own; leave it out"
        )
    lines = text.split("\n")
    while not lines[0].strip():
        del lines[0]
    return "\n".join(lines).rstrip()


def compose(body: str, sources: Iterable[EngravedSource], at: datetime) -> bytes:
    """The bytes of a note.

    Args:
        body: as `clean_body` gives it.
        sources: its sources.
        at: the time, in UTC.

    Raises:
        InputInvalid: the body leaves something open that would swallow the sources.
    """
    head = f"---\nengraved_by: stonebrowse\nengraved_at: {at:%Y-%m-%dT%H:%M:%SZ}\n---\n\n"
    listed = "\n".join(_item(each) for each in sources) or NO_SOURCES
    tail = f"\n## {SOURCES}\n\n{listed}\n"
    fences = sorted(set(_FENCES.findall(body)), key=len, reverse=True)
    for end in (*_ENDS, *fences):
        note = f"{head}{body}\n{end}\n{tail}" if end else f"{head}{body}\n{tail}"
        data = note.encode()
        pieces = cut(data)
        last = pieces.section(pieces.passage(len(pieces) - 1).section)
        if last.heading == SOURCES and last.start == len(data) - len(tail.encode()) + 1:
            return data
    raise InputInvalid("the text leaves a code block or HTML open at its end; close it")


def sources_of(text: str) -> tuple[EngravedSource, ...]:
    """The sources that stand in a note, in its last `## Sources`."""
    headings = list(_SOURCES_LINE.finditer(text))
    if not headings:
        return ()
    return tuple(
        EngravedSource(found["citation"], found["version"], found["digest"])
        for found in _SOURCE.finditer(text, headings[-1].end())
    )


def _item(source: EngravedSource) -> str:
    runs = {len(run) for run in re.findall("`+", source.citation)}
    ticks = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    # A code span that begins or ends with a backtick needs a blank there (CommonMark 0.31.2, "Code spans").
    pad = " " if source.citation[:1] in "` " else ""
    return f"- {ticks}{pad}{source.citation}{pad}{ticks} ({source.version_id}, {source.digest})"


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"
