"""The graph as a TOML file: the same after a round trip, all or none, clear about what is wrong."""

from __future__ import annotations

import difflib
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from stonebrowse.errors import FileNotEvidence, InputInvalid, NotFound, StonebrowseError
from stonebrowse.library.library import Library
from tests.library.conftest import write
from tests.library.graphs import DOCUMENTS, MORE, ODD, TEXT, filled, token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from stonebrowse.library.things import Thing

Make = "Callable[[Mapping[str, str]], Library]"


@pytest.fixture
def make(tmp_path: Path, opened: Callable[[Path], Library]) -> Callable[[Mapping[str, str]], Library]:
    """Makes libraries of documents, up to date; each gives Files and versions its own IDs."""
    count = iter(range(100))

    def made(documents: Mapping[str, str]) -> Library:
        folder = tmp_path / f"docs{next(count)}"
        for name, text in documents.items():
            write(folder / name, text)
        library = opened(folder)
        library.update()
        return library

    return made


@pytest.fixture
def library(make: Callable[[Mapping[str, str]], Library]) -> Library:
    return make(DOCUMENTS)


@pytest.fixture
def other(make: Callable[[Mapping[str, str]], Library]) -> Library:
    return make(DOCUMENTS)


def exported(library: Library) -> bytes:
    return library.graph.export().text.encode()


def told(things: list[Thing]) -> Any:
    """What things say, without the IDs that each library gives by itself."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            own = {"file_id", "version_id", "chunk_id"}
            return {key: without(each) for key, each in value.items() if key not in own}
        return [without(each) for each in value] if isinstance(value, list) else value

    return without([thing.as_json() for thing in things])


def test_a_round_trip_gives_the_same_bytes_also_where_the_ids_are_others(
    library: Library, other: Library
) -> None:
    ids = filled(library)
    data = exported(library)
    assert other.find_file("h.md").file_id != library.find_file("h.md").file_id
    done = other.graph.load(data)
    assert (set(done.added), done.extended, done.unchanged, done.withheld) == (set(ids), [], [], [])
    assert exported(other) == data
    for each in (library, other):
        assert set(each.graph.load(data).unchanged) == set(ids)
        assert exported(each) == data
    for thing in ids:
        assert told(other.graph.history(thing)) == told(library.graph.history(thing))
    found = other.graph.explore(file_id=other.find_file("o.md").file_id)
    assert [each.revision.thing_id for each in found.relationships] == [ids.link]
    asked = [[each.question_id for each, _ in one.graph.questions()] for one in (library, other)]
    assert asked[0] == asked[1] != []
    (held, *_) = other.graph.read(ids.first).citations
    assert held.fields["version_id"] == other.find_file("h.md").version_id
    assert other.check().faults == []


def test_the_file_is_read_by_people_and_obeyed_by_nothing(library: Library) -> None:
    ids = filled(library)
    data = exported(library)
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]", data.decode())
    entity = next(each for each in tomllib.loads(data.decode())["entity"] if each["id"] == ids.first)
    assert entity["citation"][0]["citation"] == "h.md § Carry-over (Line 3)"
    assert entity["revision"][1]["properties"] == {"days": "6", ODD: ODD}
    assert 'quote = "Five days"' in data.decode()


def test_an_edit_changes_lines_of_its_thing_alone(library: Library) -> None:
    ids = filled(library)
    before = exported(library).decode().splitlines()
    space = library.graph.create()
    library.graph.stage_entity(space, entity_id=ids.first, properties={"days": "7"})
    library.graph.commit(space)
    after = exported(library).decode().splitlines()
    changed = [line for line in difflib.ndiff(before, after) if line[0] in "-+"]
    assert not [line for line in changed if line[0] == "-"]
    # One revision, and the question about the citation that it keeps.
    assert [line for line in changed if "[[" in line] == ["+ [[entity.revision]]", "+ [[entity.question]]"]


def test_what_differs_is_listed_and_nothing_is_imported(library: Library, other: Library) -> None:
    ids = filled(library)
    data = exported(library)
    other.graph.load(data)
    changed = data.replace(b'"Carry-over"', b'"Carried"').replace(b'kind = "kind"', b'kind = "kin"')
    changed += b'\n[[entity]]\nid = "e_000000000000"\n\n[[entity.revision]]\nnumber = 1\nname = "N"\n'
    changed += b"recorded_at = 2026-01-01T00:00:00Z\n"
    for each in (library, other):
        with pytest.raises(InputInvalid) as refused:
            each.graph.load(changed)
        assert f"{ids.first} revision 1" in refused.value.message
        assert f"{ids.second} revision 2" in refused.value.message
        assert "e_000000000000" not in refused.value.message
        with pytest.raises(NotFound):
            each.graph.read("e_000000000000")
        assert exported(each) == data


@pytest.mark.parametrize(
    ("pattern", "instead", "what"),
    [
        (r'note = "says so"', 'note = "says it"', "citation c_"),
        (r'answer = "drop"', 'answer = "keep"', "question q_"),
        (r'id = "c_(.)[^"]*"', r'id = "c_\g<1>00000000000"', "revision 1"),
    ],
)
def test_each_kind_of_difference_is_seen(library: Library, pattern: str, instead: str, what: str) -> None:
    filled(library)
    data = exported(library).decode()
    swapped = re.search(r'"(c_(.)[^"]*)"', data)
    assert swapped
    changed = re.sub(pattern, instead, data, count=1)
    if what == "revision 1":
        changed = data.replace(swapped[1], f"c_{swapped[2]}00000000000")
    with pytest.raises(InputInvalid, match=what):
        library.graph.load(changed.encode())


def test_newer_revisions_are_added_and_an_older_file_changes_nothing(
    library: Library, other: Library
) -> None:
    ids = filled(library)
    older = exported(library)
    other.graph.load(older)
    space = library.graph.create()
    library.graph.stage_entity(space, entity_id=ids.first, name="New name")
    library.graph.capture(space, ids.first, token=token(library, "o.md", "Words"))
    library.graph.commit(space)
    library.graph.answer(library.graph.questions()[0][0].question_id, "keep")
    newer = exported(library)
    done = other.graph.load(newer)
    assert (done.added, done.extended, len(done.unchanged)) == ([], [ids.first], 2)
    assert exported(other) == newer
    assert other.graph.read(ids.first).revision.name == "New name"
    assert len(other.graph.load(older).unchanged) == 3
    assert exported(other) == newer


def test_a_version_that_is_not_here_is_withheld_until_it_is(
    library: Library, make: Callable[[Mapping[str, str]], Library]
) -> None:
    ids = filled(library)
    data = exported(library)
    other = make({"h.md": TEXT + "\nmore\n", "o.md": MORE})
    assert len(other.graph.load(data).withheld) == 2
    found = other.graph.read(ids.first)
    assert (found.citations, found.withheld) == ((), 1)
    first = other.graph.history(ids.second)[-1]
    assert (len(first.citations), first.withheld) == (1, 1)
    assert other.graph.questions()[0][1] is None
    assert other.check().faults == []
    # All that the citations say was kept: where the documents are, it comes back.
    again = exported(other)
    assert library.graph.load(again).withheld == []
    write(other.folder / "h.md", TEXT)
    other.update()
    assert other.graph.read(ids.first).withheld == 1
    assert other.graph.load(again).withheld == []
    assert other.graph.read(ids.first).citations[0].citation == "h.md § Carry-over (Line 3)"
    assert exported(other) == data


def test_a_file_is_found_by_its_bytes_where_it_has_another_name(
    library: Library, make: Callable[[Mapping[str, str]], Library]
) -> None:
    ids = filled(library)
    data = exported(library)
    other = make({"sub/holidays.md": TEXT, "o.md": MORE, "copy.md": MORE})
    assert other.graph.load(data).withheld == []
    assert other.graph.read(ids.first).citations[0].citation == "sub/holidays.md § Carry-over (Line 3)"
    # Of two with the same bytes it is the one at that path; at neither path it is none of them.
    assert len(make({"h.md": TEXT, "copy.md": MORE, "copies.md": MORE}).graph.load(data).withheld) == 2


def test_forgotten_words_stand_in_no_file(library: Library) -> None:
    filled(library)
    version = library.find_version(library.find_file("h.md"), None)
    write(library.folder / "h.md", "# Handbook\n")
    library.update()
    library.forget(version)
    data = exported(library)
    assert b"Five days" not in data
    assert len(library.graph.load(data).unchanged) == 3


WRONG = [
    (r"stonebrowse_graph = 1", "stonebrowse_graph = 2", r"line 2: stonebrowse_graph is 2"),
    (r"stonebrowse_graph = 1", "", r"stonebrowse_graph is missing"),
    (r"stonebrowse_graph = 1", "stonebrowse_graph = 1\nx =", r"at line 3"),
    (r"stonebrowse_graph = 1", "stonebrowse_graph = 1\nother = 3", r"line 3: other is not known here"),
    (r"stonebrowse_graph = 1", "stonebrowse_graph = 1\nx = [" + "[" * 9999, r"too large"),
    (r"stonebrowse_graph = 1", "stonebrowse_graph = 1\nx = " + "9" * 9999, r"too large"),
    (r'id = "c_[^"]*"', 'id = "c_x"', r"line \d+, e_\w{12}, citation 1: id is 'c_x'"),
    (r"number = 1\nrec", "number = 3\nrec", r"numbered 1, 2"),
    (r"number = 1\nrec", 'number = "1"\nrec', r"revision 1: number is not a whole number"),
    (r"number = 1\ndig", "number = 2\ndig", r"version_id is not the ID of the version"),
    (r"number = 1\ndig", "number = true\ndig", r"number is not a whole number"),
    (r'chunk_id = "[^"]*"\nstart = \d+', 'chunk_id = "p_000000000000"\nstart = 1', r"chunk_id is not the ID"),
    (r"end = \d+", "", r"start and end go together"),
    (r"recorded_at = .*", "recorded_at = 2026-01-01T00:00:00", r"has no time zone"),
    (r"recorded_at = .*", "recorded_at = 0001-01-01T00:00:00+14:00", r"lies after 1970"),
    (r"recorded_at = .*", "", r"recorded_at is missing"),
    (r"sha256:..", "sha256:", r"line \d+, .*digest is no digest"),
    (r'days = "5"', "days = 5", r"'days', which is not a text"),
    (r'name = "Carry-over"', 'name = " "', r"revision 1 has no name"),
    (r'name = "Carry-over"', f'name = "{"n" * 501}"', r"501 characters"),
    (r'note = "says so"', f'note = "{"n" * 501}"', r"501 characters"),
    (r'quote = "Five days"', 'quote = "Six days"', r"a quote that does not stand there"),
    (r'answer = "drop"', 'answer = "maybe"', r"it is keep or drop"),
    (r'from = "e_[^"]*"', 'from = "e_000000000000"', r"neither in the file nor here"),
    (r'to = "e_[^"]*"', "", r"to is missing"),
    (r"\[\[entity\.citation\]\]", "[[entity.quotation]]", r"quotation is not known here"),
    (r"citations = \[\n", 'citations = [\n    "c_000000000000",\n', r"one that does not stand beside it"),
    (r"citations = \[\n", "citations = [\n    7,\n", r"citations is not a list of texts"),
    (r"\[\[entity\]\]", '[[entity]]\nid = "e_000000000000"\n[[entity]]', r"revision is missing"),
]  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, bytes]]:
    """A library without a graph, and the file of one of the same documents."""
    libraries = []
    for name in ("one", "two"):
        place = tmp_path_factory.mktemp(name)
        for path, text in DOCUMENTS.items():
            write(place / "docs" / path, text)
        library = Library.open(place / "docs", store=place / "store")
        library.update()
        libraries.append(library)
    filled(libraries[0])
    yield libraries[1], exported(libraries[0])
    for library in libraries:
        library.close()


@pytest.mark.parametrize(("pattern", "instead", "message"), WRONG)
def test_what_is_wrong_is_named(
    written: tuple[Library, bytes], pattern: str, instead: str, message: str
) -> None:
    library, data = written
    changed = re.sub(pattern, lambda _: instead, data.decode(), count=1)
    assert changed != data.decode()
    with pytest.raises(StonebrowseError, match=message) as refused:
        library.graph.load(changed.encode())
    assert "\n" not in refused.value.message
    assert library.graph.entities() == []


def test_a_line_that_is_no_utf8_is_named(library: Library) -> None:
    with pytest.raises(InputInvalid, match=r"^line 2 "):
        library.graph.load(b"a = 1\nb = \xff\n")


def test_lines_are_not_guessed_in_texts_of_several_lines(written: tuple[Library, bytes]) -> None:
    library, data = written
    text = data.decode().replace('name = "Carry-over"', "name = '''\n[[entity]]\nx'''").replace("sha256:", "")
    with pytest.raises(InputInvalid, match=r"^e_"):
        library.graph.load(text.encode())


def test_thirty_three_citations_are_too_many(written: tuple[Library, bytes]) -> None:
    library, data = written
    (table,) = re.findall(r"\[\[relationship\.citation\]\]\n(?:[^\[\n].*\n)+", data.decode())
    (own,) = re.findall(r'id = "(c_[^"]*)', table)
    ids = [f"c_{number:012}" for number in range(33)]
    more = "\n".join(table.replace(own, each) for each in ids)
    text = (
        data.decode().replace(table, more).replace(f'    "{own}",\n', "".join(f'    "{i}",\n' for i in ids))
    )
    with pytest.raises(InputInvalid, match="33 citations; 32 is the most"):
        library.graph.load(text.encode())


def test_what_may_not_be_cited_is_not_imported(
    library: Library, make: Callable[[Mapping[str, str]], Library]
) -> None:
    filled(library)
    data = exported(library).decode()
    other = make({**DOCUMENTS, "n.md": "---\nengraved_by: stonebrowse\n---\n# N\n\ntext\n"})
    note = other.find_version(other.find_file("n.md"), None)
    named = f'path = "n.md"\nfile_id = "{note.file_id}"\nversion_id = "{note.version_id}"\n'
    named += f'number = 1\ndigest = "{note.digest}"\n'
    # The citation of the whole of o.md.
    whole = r'path = "o.md"\nfile_id = .*\nversion_id = .*\nnumber = 1\ndigest = .*\n(?!chunk_id)'
    changed, count = re.subn(whole, named, data)
    assert count == 1
    with pytest.raises(FileNotEvidence, match=r"e_\w{12}: c_\w{12} cites n\.md"):
        other.graph.load(changed.encode())
    assert other.graph.entities() == []
