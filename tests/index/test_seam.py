"""The index is Whoosh's: its own reader, searcher, queries and deletions work on packed segments."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex, LockError
from whoosh.qparser import QueryParser
from whoosh.query import And, Every, Not, Or, Prefix, Term, Wildcard

from stonebrowse.index import Index, IndexBusy, parse
from stonebrowse.index.codec import PackedCodec, PackedSegment
from stonebrowse.index.index import NAME
from stonebrowse.index.schema import schema
from tests.index.documents import make
from tests.index.low_bounds import LOW, bounded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from whoosh.query import Query

DOCUMENTS = [
    make(1, "# Alpha beta\n\ngamma gamma\n\n## Delta\n\nepsilon\n", path="x/one.md", tags=("red",)),
    make(2, "# Beta\n\nalpha snake_case\n", path="x/two.md"),
    make(3, "gamma 北京大学\n", path="y/three.md", title="Third"),
    make(4, "alpha gamma delta\n", path="y/four.md"),
]


@pytest.fixture(params=[{}, LOW], ids=["postings", "dense"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    with bounded(request.param):
        index = Index.open(tmp_path / "index")
        index.update(DOCUMENTS[:3])
        index.update(DOCUMENTS[3:])
        index.close()
        yield tmp_path / "index"


def files(place: Path) -> FileIndex:
    return FileIndex(FileStorage(str(place)), indexname=NAME)


def found(place: Path, query: Query) -> set[tuple[int, int]]:
    with files(place).searcher() as searcher:
        return {(hit["key"], hit["ordinal"]) for hit in searcher.search(query, limit=None)}


@pytest.mark.parametrize(
    ("query", "passages"),
    [
        (Term("text", "gamma"), {(1, 0), (3, 0), (4, 0)}),
        (Term("heading", "alpha"), {(1, 0)}),
        (Term("path", "y"), {(3, 0), (4, 0)}),
        (Term("tag", "red"), {(1, 0), (1, 1)}),
        (Term("title", "third"), {(3, 0)}),
        (Term("text", "nowhere"), set()),
        (And([Term("text", "alpha"), Term("text", "gamma")]), {(1, 0), (4, 0)}),
        (Or([Term("text", "epsilon"), Term("text", "case")]), {(1, 1), (2, 0)}),
        (And([Term("text", "gamma"), Not(Term("text", "alpha"))]), {(3, 0)}),
        (Prefix("text", "del"), {(1, 1), (4, 0)}),
        (Prefix("heading", "del"), {(1, 1)}),
        (Wildcard("text", "ep*on"), {(1, 1)}),
        (Every(), {(1, 0), (1, 1), (2, 0), (3, 0), (4, 0)}),
    ],
    ids=str,
)
def test_whooshs_queries_find_what_ours_do(place: Path, query: Query, passages: set[tuple[int, int]]) -> None:
    assert found(place, query) == passages


def test_whooshs_parser_reads_words_as_the_index_does(place: Path) -> None:
    parser = QueryParser("text", schema())
    assert found(place, parser.parse("SNAKE")) == {(2, 0)}
    assert found(place, parser.parse("heading:delta")) == {(1, 1)}
    assert found(place, parser.parse("北京")) == {(3, 0)}


def test_whoosh_reads_terms_and_their_numbers(place: Path) -> None:
    reader = files(place).reader()
    terms = list(reader.all_terms())
    assert terms == sorted(terms)
    assert ("heading", b"delta") in terms
    assert ("text", "大学".encode()) in terms
    assert list(reader.expand_prefix("text", "ga")) == [b"gamma"]
    assert list(reader.expand_prefix("tag", "")) == [b"red"]
    assert reader.doc_frequency("text", "gamma") == 3
    assert reader.term_info("text", "gamma").doc_frequency() == 3
    assert reader.frequency("text", "gamma") > 0
    assert reader.doc_frequency("text", "nowhere") == 0
    assert reader.doc_count() == 5
    assert reader.doc_field_length(0, "text") == 4
    assert reader.max_field_length("text") >= reader.min_field_length("text") > 0
    assert reader.field_length("text") == 4 + 2 + 4 + 5 + 3
    assert set(reader.indexed_field_names()) == {"text", "heading", "path", "tag", "title"}
    from_f = dict(reader.iter_field("path", "f"))  # all from there on
    assert from_f[b"four"].doc_frequency() == 1
    assert min(from_f) == b"four"


def test_whooshs_deletions_are_seen(place: Path) -> None:
    index = Index.open(place)
    assert index.search(parse("gamma"), limit=9).total == 3
    writer = files(place).writer(codec=PackedCodec())
    writer.delete_document(0)
    writer.commit(mergetype=lambda _writer, segments: segments)
    assert index.refresh()
    assert [hit[:2] for hit in index.search(parse("gamma"), limit=9).hits] == [(3, 0), (4, 0)]
    assert found(place, Term("text", "gamma")) == {(3, 0), (4, 0)}
    assert len(index) == 4


def test_deletions_of_single_passages_can_be_taken_back() -> None:
    segment = PackedSegment("x")
    segment.set_doc_count(10)
    for number in (3, 5, 4, 9):
        segment.delete_document(number)
    assert segment.gone == ((3, 6), (9, 10))
    segment.delete_document(4, delete=False)
    assert sorted(segment.deleted_docs()) == [3, 5, 9]
    assert segment.is_deleted(5)
    assert not segment.is_deleted(4)
    assert segment.doc_count() == 7
    assert pickle.loads(pickle.dumps(segment)).gone == segment.gone


def test_one_writes_at_a_time(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stonebrowse.index.writer.LOCK_SECONDS", 0.0)
    index = Index.open(place)
    other = files(place).writer(codec=PackedCodec())
    with pytest.raises(IndexBusy):
        index.update([make(9, "late\n")])
    other.cancel()
    index.update([make(9, "late\n")])
    other = files(place).writer(codec=PackedCodec())
    with pytest.raises(LockError):
        files(place).writer(codec=PackedCodec())
    other.cancel()


def test_packed_segments_are_not_written_posting_by_posting(place: Path) -> None:
    writer = files(place).writer(codec=PackedCodec())
    with pytest.raises(NotImplementedError, match="written whole"):
        writer.add_document(text="no")
    writer.cancel()
