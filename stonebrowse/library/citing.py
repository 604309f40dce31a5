"""Citing: the citation of a reference, in the forms that notes want, and what was handed out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from stonebrowse.errors import FileNotEvidence
from stonebrowse.library.evidence import is_engraved
from stonebrowse.store.handouts import Handout
from stonebrowse.text.citations import citation, slug, unescape_path

if TYPE_CHECKING:
    from stonebrowse.library.reading import Document
    from stonebrowse.library.references import Target
    from stonebrowse.store import Store

# What CommonMark could take for markup inside a link's text; parentheses are none there.
_MARKUP = re.compile(r"([\\`*_\[\]<>&~!|#])")


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation, ready for a note.

    Attributes:
        citation: the citation string.
        link: where a Markdown link to it leads: `path#slug`, percent-encoded.
        file_id, version_id, digest, number: the version it is of.
        passage_id: the passage; None where the reference names a whole File or version.
        start, end: the bytes of the version's text that it cites.
        notice: what is to be said about it; empty if nothing.
    """

    citation: str
    link: str
    file_id: str
    version_id: str
    digest: str
    number: int
    passage_id: str | None
    start: int
    end: int
    notice: str

    @property
    def markdown(self) -> str:
        """A link whose text is the citation string."""
        return f"[{escape_markdown(self.citation)}]({self.link})"

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "citation": self.citation,
            "markdown": self.markdown,
            "file_id": self.file_id,
            "version_id": self.version_id,
            "number": self.number,
            "digest": self.digest,
            "passage_id": self.passage_id,
            "start": self.start,
            "end": self.end,
        }


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it stands, inside a link."""
    return _MARKUP.sub(r"\\\1", text)


def hand_out(store: Store, citation: str, version_id: str, start: int, end: int) -> None:
    """Remembers that a citation string was handed out now."""
    store.handouts.remember([Handout(citation, version_id, start, end)], datetime.now(UTC))


def cite(document: Document, target: Target) -> Cited:
    """The citation of what a reference leads to.

    Args:
        document: the version that it leads to.
        target: what it leads to.

    Raises:
        FileNotEvidence: a note that stonebrowse engraved.
    """
    if is_engraved(document):
        raise FileNotEvidence(f"{document.file.path} was engraved by stonebrowse; cite the sources it names")
    file, version, passage = document.file, document.version, target.passage
    path = quote(unescape_path(file.path))
    if passage is None:
        string, link, start, end = citation(file.path, "", 1), path, 0, document.size
    else:
        anchor = anchor_of(document, passage.ordinal)
        string, start, end = passage.citation, passage.start, passage.end
        link = f"{path}#{quote(anchor)}" if anchor else path
    return Cited(
        citation=string,
        link=link,
        file_id=file.file_id,
        version_id=version.version_id,
        digest=version.digest,
        number=version.number,
        passage_id=None if passage is None else passage.passage_id,
        start=start,
        end=end,
        notice=target.notice,
    )


def anchor_of(document: Document, ordinal: int) -> str:
    """The anchor of the heading above a passage, numbered as GitHub does where it is not the first of its name."""
    cut = document.cut
    index = cut.passage(ordinal).section
    wanted = slug(cut.section(index).heading)
    if not wanted:
        return ""
    seen: Counter[str] = Counter()
    for number in range(index):
        if heading := cut.section(number).heading:
            seen[slug(heading)] += 1
    return f"{wanted}-{seen[wanted]}" if seen[wanted] else wanted
