"""The graph as a TOML file: one table a thing, in it its citations, its revisions and its questions.

The order is that of the IDs and numbers, and each value stands on a line of its own: what changed is what a
comparison of two files shows. The guide ("entities", "In a file") says what each key means.
"""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from stonebrowse.errors import InputInvalid
from stonebrowse.library.toml_tables import Places, Table
from stonebrowse.store import identifiers
from stonebrowse.store.files import microseconds
from stonebrowse.store.graph_copying import CopiedCitation, CopiedQuestion, CopiedRevision, Place, Whole
from stonebrowse.store.identifiers import FileId, VersionId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FORMAT: Final = 1
KINDS: Final = {"e": "entity", "r": "relationship"}

_HEAD: Final = (
    "# Written by `stonebrowse graph export`; `stonebrowse graph import` reads it.\n"
    f"stonebrowse_graph = {FORMAT}\n"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
# What a terminal would obey and TOML does not ask to be escaped: C1, line separators and bidi controls.
_OBEYED: Final = re.compile("[\x80-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Shown(NamedTuple):
    """What a file shows of a citation so that it can be read: its string, and the words that a token stands for."""

    citation: str | None = None
    quote: str | None = None


class Told(NamedTuple):
    """What a file tells of a thing.

    Attributes:
        whole: all that is kept of it.
        shown: of its citations, by their IDs.
        where: says where in the file it stands, for messages.
    """

    whole: Whole
    shown: dict[str, Shown]
    where: Table


# -- writing ---------------------------------------------------------------------------------------------


def write(things: Iterable[tuple[Whole, dict[str, Shown]]]) -> str:
    """The file's text, of things in the order in which they are to stand."""
    text = _HEAD + "".join(piece for whole, shown in things for piece in _thing(whole, shown))
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _thing(whole: Whole, shown: dict[str, Shown]) -> Iterator[str]:
    kind = KINDS[whole.thing_id[0]]
    yield _table(f"[[{kind}]]", {"id": whole.thing_id})
    for citation in whole.citations:
        place, seen = citation.place, shown.get(citation.citation_id, Shown())
        cited = {"id": citation.citation_id, "citation": seen.citation, **place._asdict()}
        cited |= {"quote": seen.quote, "note": citation.note or None}
        yield _table(f"[[{kind}.citation]]", cited)
    for revision in whole.revisions:
        yield _table(f"[[{kind}.revision]]", _said(kind, revision))
        if revision.properties:
            yield _table(f"[{kind}.revision.properties]", dict(sorted(revision.properties.items())))
    for question in whole.questions:
        asked: dict[str, Any] = {
            "id": question.question_id,
            "before": question.before,
            "after": question.after,
            "citation": question.citation_id,
            "answer": question.answer,
            "note": question.note or None,
            "answered_at": None if question.answered_us is None else _moment(question.answered_us),
        }
        yield _table(f"[[{kind}.question]]", asked)


def _said(kind: str, revision: CopiedRevision) -> dict[str, Any]:
    entity = {"name": revision.name}
    ends = {"from": revision.source, "to": revision.target}
    return {
        "number": revision.number,
        "recorded_at": _moment(revision.recorded_us),
        **(entity if kind == "entity" else ends),
        "kind": revision.kind or None,
        "removed": True if revision.removed else None,
        "citations": list(revision.citations) or None,
    }


def _table(header: str, fields: dict[str, Any]) -> str:
    import tomli_w

    body = tomli_w.dumps({key: value for key, value in fields.items() if value is not None})
    return f"\n{header}\n{body}"


def _moment(us: int) -> datetime:
    return _EPOCH + timedelta(microseconds=us)


# -- reading ---------------------------------------------------------------------------------------------


def read(data: bytes) -> list[Told]:
    """The things that a file tells of, in its order; each is right in itself.

    Raises:
        InputInvalid: names what is wrong, with the line where that is known.
    """
    try:
        text = data.decode("utf-8")
        parsed = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputInvalid(f"line {line} is no UTF-8; a graph's file is UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise InputInvalid(f"this is no TOML: {str(error)[:1].lower()}{str(error)[1:]}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, tables in tables in tables
        raise InputInvalid("this is no TOML that `graph export` wrote: a value in it is too large") from None
    top = Table(parsed, Places(text))
    number = top.take("stonebrowse_graph", int)
    if number != FORMAT:
        raise top.wrong("stonebrowse_graph", f"is {number}, and this stonebrowse reads {FORMAT}")
    told = [_read_thing(kind, table) for kind, name in KINDS.items() for table in top.tables(name)]
    top.end()
    _refuse_twice([(each.whole.thing_id, each.where) for each in told])
    _refuse_twice([(held.citation_id, each.where) for each in told for held in each.whole.citations])
    _refuse_twice([(held.question_id, each.where) for each in told for held in each.whole.questions])
    return told


def _read_thing(kind: str, table: Table) -> Told:
    thing_id = _id(table, "id", kind)
    table.name = thing_id
    pairs = [_read_citation(each) for each in table.tables("citation")]
    revisions = [_read_revision(kind, each) for each in table.tables("revision")]
    questions = [_read_question(each) for each in table.tables("question")] if kind == "e" else []
    table.end()
    whole = Whole(thing_id, tuple(each for each, _ in pairs), tuple(revisions), tuple(questions))
    return Told(whole, {each.citation_id: shown for each, shown in pairs}, table)


def _read_citation(table: Table) -> tuple[CopiedCitation, Shown]:
    citation_id = _id(table, "id", "c")
    table.name = citation_id
    shown = Shown(table.maybe("citation", str), table.maybe("quote", str))
    chunk = None if table.maybe("chunk_id", str) is None else _id(table, "chunk_id", "p")
    place = Place(
        table.take("path", str),
        _id(table, "file_id", "f"),
        _id(table, "version_id", "v"),
        table.take("number", int),
        table.take("digest", str),
        chunk,
        table.maybe("start", int),
        table.maybe("end", int),
    )
    _check_place(table, place)
    note = table.maybe("note", str) or ""
    table.end()
    return CopiedCitation(citation_id, place, note, None), shown


def _check_place(table: Table, place: Place) -> None:
    """Whether the IDs are those that follow from what they stand for (CONTRACT section 3)."""
    if not _DIGEST.fullmatch(place.digest):
        raise table.wrong("digest", "is no digest; it is sha256: and 64 hex digits in lower case")
    if not 1 <= place.number < 1 << 53:
        raise table.wrong("number", f"is {place.number}; the first version is 1")
    version = VersionId(place.version_id)
    if version != identifiers.version_id(FileId(place.file_id), place.number, place.digest):
        raise table.wrong("version_id", "is not the ID of the version with this file_id, number and digest")
    if (place.start is None) != (place.end is None):
        raise table.wrong("start", "and end go together")
    if place.start is None or place.end is None:
        return
    if not 0 <= place.start < place.end < 1 << 53:
        raise table.wrong("start", f"is {place.start} and end {place.end}: there is no text between them")
    if place.chunk_id not in {None, identifiers.passage_id(version, place.start, place.end)}:
        raise table.wrong("chunk_id", "is not the ID of the passage from start to end of this version")


def _read_revision(kind: str, table: Table) -> CopiedRevision:
    number = table.take("number", int)
    table.name = f"revision {number}"
    entity = kind == "e"
    citations = table.texts("citations")
    for each in citations:
        if _kind_of(each) != "c":
            raise table.wrong("citations", f"holds {each!r}, which is no citation's ID")
    revision = CopiedRevision(
        number,
        table.take("name", str) if entity else "",
        table.maybe("kind", str) or "",
        table.properties("properties") if entity else {},
        None if entity else _id(table, "from", "e"),
        None if entity else _id(table, "to", "e"),
        table.maybe("removed", bool) or False,
        _us(table, "recorded_at"),
        tuple(citations),
    )
    table.end()
    return revision


def _read_question(table: Table) -> CopiedQuestion:
    question_id = _id(table, "id", "q")
    table.name = question_id
    answer = table.maybe("answer", str)
    if answer not in {None, "keep", "drop"}:
        raise table.wrong("answer", f"is {answer!r}; it is keep or drop")
    question = CopiedQuestion(
        question_id,
        table.take("before", int),
        table.take("after", int),
        _id(table, "citation", "c"),
        answer,  # type: ignore[arg-type]  # looked at above
        table.maybe("note", str) or "",
        None if answer is None else _us(table, "answered_at"),
    )
    table.end()
    return question


def _us(table: Table, key: str) -> int:
    moment = table.take(key, datetime)
    if moment.tzinfo is None:
        raise table.wrong(key, "has no time zone; write it like 2026-01-31T12:00:00Z")
    us = microseconds(moment)
    if not 0 <= us < 1 << 53:
        raise table.wrong(key, f"is {moment}; it lies after 1970")
    return us


def _id(table: Table, key: str, kind: str) -> str:
    text = table.take(key, str)
    if _kind_of(text) != kind:
        raise table.wrong(key, f"is {text!r}; an ID here looks like {kind}_0a1b2c3d4e5f")
    return text


def _kind_of(text: str) -> str | None:
    return text[0] if _WHOLE_ID.fullmatch(text) else None


_WHOLE_ID: Final = re.compile(rf"[a-z]_[{identifiers.ALPHABET}]{{{identifiers.LENGTH}}}")


def _refuse_twice(ids: list[tuple[str, Table]]) -> None:
    seen: set[str] = set()
    for id_, table in ids:
        if id_ in seen:
            raise table.wrong("id", f"{id_} stands in the file twice")
        seen.add(id_)
