"""Tools that read documents: `search`, `read`, `list_files`, `versions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from stonebrowse.errors import EvidenceQuoteMismatch, InputInvalid, NotFound
from stonebrowse.library.evidence import check_size
from stonebrowse.mcp.answers import PASSAGE_FIELDS, Answer, only
from stonebrowse.text.fencing import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stonebrowse.library.library import Library
    from stonebrowse.library.passages import PassageView
    from stonebrowse.library.reading import Document

HITS = 10
LISTED = 100
WINDOW_BYTES = 16_384
LINES_NAMED = 20

T = TypeVar("T")


def search(library: Library, given: dict[str, Any]) -> Answer:
    """The best hits: each its citation, its trail and its snippet."""
    found = library.search(given["query"], limit=given.get("limit", HITS), path=given.get("path"))
    pieces = [Piece(hit.citation, f"{' › '.join(hit.trail)}\n{hit.snippet}") for hit in found.hits]
    said = [*found.notes]
    if not found.hits and found.nearest:
        said.append(f"the nearest words are {', '.join(found.nearest)}")
    if said:
        pieces.append(Piece("about the query", "\n".join(said)))
    structured = {
        "hits": [only(hit.as_json(), PASSAGE_FIELDS) for hit in found.hits],
        "total": found.total,
        "complete": found.complete,
    }
    how = "" if found.complete else ", not all of the repository being indexed yet"
    if not found.hits:
        return Answer(f"Nothing was found{how}.", structured, pieces)
    return Answer(
        f"{len(found.hits)} of {found.total} hits, best first{how}. Open one with `read`: chunk:PASSAGE_ID.",
        structured,
        pieces,
    )


def read(library: Library, given: dict[str, Any]) -> Answer:
    """A passage or a window; with words, the token that cites them."""
    document, passage = _opened(library, given["reference"])
    if "text" in given:
        if "start" in given or "max_bytes" in given:
            raise InputInvalid("give text, or start and max_bytes, not both")
        return _token(library, document, passage, given["text"])
    common = {
        "file_id": document.file.file_id,
        "version_id": document.version.version_id,
        "number": document.version.number,
        "digest": document.version.digest,
        "current": document.version.current,
        "size": document.size,
    }
    if passage is not None and not ("start" in given or "max_bytes" in given):
        text = document.read(passage.start, passage.end).decode()
        library.hand_out(passage.citation, passage.version_id, passage.start, passage.end)
        return Answer(
            "One passage. Cite it by the line above it.",
            common | only(passage.as_json(), PASSAGE_FIELDS),
            [Piece(passage.citation, text)],
        )
    window = document.window(
        given.get("start", passage.start if passage else 0), given.get("max_bytes", WINDOW_BYTES)
    )
    at = document.passage_at(window.start)
    citation = at.citation if at else f"{document.file.path} (Line 1)"
    said = "End of text." if window.end_of_text else f"Stopped; continue with start {window.end}."
    return Answer(
        f"Bytes {window.start} to {window.end} of {window.size} of version {document.version.number}. {said}",
        common
        | {
            "citation": citation,
            "start": window.start,
            "end": window.end,
            "end_of_text": window.end_of_text,
        },
        [Piece(citation, window.text.decode())],
    )


def list_files(library: Library, given: dict[str, Any]) -> Answer:
    """The current files by path."""
    files = library.files()
    page, following = _page(files, given)
    fields = [
        {
            "file_id": file.file_id,
            "state": file.state,
            "written_by": file.written_by,
            "version_id": file.version_id,
            "versions": file.versions,
        }
        for file in page
    ]
    listed = "\n".join(f"{file.file_id} {file.path}" for file in page)
    return Answer(
        f"{len(page)} of {len(files)} files{_more(following)}.",
        {"files": fields, "total": len(files), "next_offset": following},
        [Piece("", listed)] if page else [],
    )


def versions(library: Library, given: dict[str, Any]) -> Answer:
    """The versions of a file, newest first."""
    file = library.find_file(given["file"])
    if file.state != "current":
        raise NotFound("this file is trashed")
    found = library.versions(file)
    page, following = _page(found, given)
    fields = [
        {
            "version_id": version.version_id,
            "file_id": version.file_id,
            "number": version.number,
            "digest": version.digest,
            "bytes": version.bytes,
            "recorded_at": version.recorded_at,
            "state": version.state,
            "current": version.current,
        }
        for version in page
    ]
    listed = "\n".join(
        f"{version.number} {version.version_id} {version.bytes} bytes, {version.recorded_at}"
        for version in page
    )
    return Answer(
        f"{len(page)} of {len(found)} versions, newest first{_more(following)}.\n{listed}",
        {"versions": fields, "total": len(found), "next_offset": following},
        [Piece("", file.path)],
    )


def _opened(library: Library, reference: str) -> tuple[Document, PassageView | None]:
    """What a model may open: nothing of a trashed File, and passages by their ID while they are current."""
    text = reference.strip()
    scheme, colon, rest = text.partition(":")
    passage_id = rest if colon and scheme == "chunk" else text
    if passage_id.startswith("p_") or (colon and scheme == "chunk"):
        passage, _ = library.chunk(passage_id)
        target = library.resolve(passage.passage_id)
    else:
        target = library.resolve(text)
    if target.file.state != "current":
        raise NotFound("this file is trashed")
    document = library.document(target.version, target.file)
    return document, target.passage


def _token(library: Library, document: Document, passage: PassageView | None, words: str) -> Answer:
    """The token for words that stand exactly once in what was opened.

    Raises:
        InputInvalid: no words, too many, or words that stand there more than once (names the lines).
        EvidenceQuoteMismatch: they do not stand there.
        FileNotEvidence: a note that stonebrowse engraved.
    """
    quote = words.encode()
    if not quote:
        raise InputInvalid("give the words to be cited")
    check_size(quote)
    begin, end = (passage.start, passage.end) if passage else (0, document.size)
    text = document.read(begin, end)
    places: list[int] = []
    at = text.find(quote)
    while at >= 0 and len(places) <= LINES_NAMED:
        places.append(begin + at)
        at = text.find(quote, at + 1)
    if not places:
        raise EvidenceQuoteMismatch("these words do not stand there; give them exactly as they stand")
    if len(places) > 1:
        lines = [document.line_at(place) for place in places]
        named = ", ".join(map(str, lines[:LINES_NAMED])) + (" …" if len(lines) > LINES_NAMED else "")
        raise InputInvalid(f"these words stand there more than once, in lines {named}; give more of them")
    start, stop = places[0], places[0] + len(quote)
    token = library.token(document, start, stop)
    within = document.passage_at(start)
    citation = within.citation if within else f"{document.file.path} (Line 1)"
    if within:
        library.hand_out(citation, document.version.version_id, start, stop)
    return Answer(
        f"A token for {len(quote)} bytes in line {document.line_at(start)}: give it to `capture`.\n{token}",
        {
            "file_id": document.file.file_id,
            "version_id": document.version.version_id,
            "number": document.version.number,
            "digest": document.version.digest,
            "current": document.version.current,
            "citation": citation,
            "start": start,
            "end": stop,
            "size": document.size,
            "token": token,
        },
        [Piece(citation, words)],
    )


def _page(things: Sequence[T], given: dict[str, Any]) -> tuple[Sequence[T], int | None]:
    offset, limit = given.get("offset", 0), given.get("limit", LISTED)
    following = offset + limit
    return things[offset:following], following if following < len(things) else None


def _more(following: int | None) -> str:
    return "" if following is None else f"; the next page has offset {following}"
