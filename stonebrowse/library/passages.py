"""A passage as front ends show it: where it stands, what it is called, which version it belongs to.

`PassageView.as_json` has the fields of CONTRACT section 5, "JSON shapes".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stonebrowse.store.identifiers import passage_id
from stonebrowse.text.citations import citation, label

if TYPE_CHECKING:
    from stonebrowse.store import File, Version
    from stonebrowse.text.passages import Cut


@dataclass(frozen=True)
class PassageView:
    """One passage of one version.

    Attributes:
        passage_id, version_id, file_id: its IDs.
        number: the version's number.
        path: the File's path now, escaped.
        label: path and heading; `citation`: the same with the line.
        line: one-based line of the citation.
        trail: the headings above, outermost first, escaped.
        start, end: byte offsets into the version's text.
        part: 1 for the first passage of its section.
        current: whether the version is the newest of a File that is not trashed.
        ordinal: its place among the version's passages, from 0.
    """

    passage_id: str
    version_id: str
    file_id: str
    number: int
    path: str
    label: str
    line: int
    citation: str
    trail: tuple[str, ...]
    start: int
    end: int
    part: int
    current: bool
    ordinal: int

    def as_json(self) -> dict[str, Any]:
        """The contract's fields of a passage, without its text."""
        return {
            "passage_id": self.passage_id,
            "version_id": self.version_id,
            "file_id": self.file_id,
            "number": self.number,
            "path": self.path,
            "label": self.label,
            "line": self.line,
            "citation": self.citation,
            "trail": list(self.trail),
            "start": self.start,
            "end": self.end,
            "part": self.part,
            "current": self.current,
        }


def view(file: File, version: Version, pieces: Cut, ordinal: int) -> PassageView:
    """The passage with this ordinal in the cut of a version."""
    passage = pieces.passage(ordinal)
    heading = pieces.section(passage.section).heading
    return PassageView(
        passage_id=passage_id(version.version_id, passage.start, passage.end),
        version_id=version.version_id,
        file_id=file.file_id,
        number=version.number,
        path=file.path,
        label=label(file.path, heading),
        line=passage.line,
        citation=citation(file.path, heading, passage.line),
        trail=pieces.trail(passage.section),
        start=passage.start,
        end=passage.end,
        part=passage.part,
        current=version.current,
        ordinal=ordinal,
    )
