"""IDs are derived as the contract says, and rebuilding gives the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid
from stonebrowse.store import FileId, identifiers
from tests.store.samples import add_file, document, edited, open_store

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store

ID = re.compile(r"[fvp]_[0-9abcdefghjkmnpqrstvwxyz]{12}")


def test_ids_have_a_kind_and_twelve_characters(store: Store) -> None:
    (version,) = add_file(store, "a.md", b"# A\n")
    passage = identifiers.passage_id(version.version_id, 0, 4)
    assert [ID.fullmatch(each) is not None for each in (version.file_id, version.version_id, passage)] == [
        True
    ] * 3


def test_encoding_keeps_the_order_of_numbers() -> None:
    numbers = [0, 1, 31, 32, 2**30, 2**59, 2**60 - 1]
    encoded = [identifiers.encode(number) for number in numbers]
    assert encoded == sorted(encoded)
    assert (encoded[0], encoded[2], encoded[-1]) == ("0" * 12, "0" * 11 + "z", "z" * 12)


def test_derived_ids_do_not_change_between_releases() -> None:
    version = identifiers.version_id(FileId("f_0123456789ab"), 3, "sha256:" + "00" * 32)
    assert (version, identifiers.passage_id(version, 10, 20)) == ("v_mpzvpgvfpgz7", "p_mpzp60ggzckc")


def test_each_part_of_a_version_changes_its_id() -> None:
    file_id, digest = FileId("f_0123456789ab"), "sha256:" + "00" * 32
    ids = {
        identifiers.version_id(file_id, 1, digest),
        identifiers.version_id(file_id, 2, digest),
        identifiers.version_id(FileId("f_0123456789ac"), 1, digest),
        identifiers.version_id(file_id, 1, "sha256:" + "01" * 32),
    }
    assert len(ids) == 4


def test_a_passage_id_begins_as_its_version_id(store: Store) -> None:
    (version,) = add_file(store, "a.md", document(1))
    cut = store.cut(version.version_id)
    assert cut is not None
    passages = list(identifiers.passage_ids(version.version_id, cut))
    assert {passage[2:5] for passage in passages} == {version.version_id[2:5]}
    assert len(set(passages)) == len(cut) > 3


def test_a_passage_id_leads_to_its_passage(store: Store) -> None:
    first, second = add_file(store, "a.md", document(1), edited(document(1), 1))
    for version in (first, second):
        cut = store.cut(version.version_id)
        assert cut is not None
        for ordinal, passage in enumerate(identifiers.passage_ids(version.version_id, cut)):
            found = store.passage(passage)
            assert found is not None
            assert (found[0].version_id, found[1]) == (version.version_id, ordinal)
            assert store.find_ids(passage[:8]) == [passage]
    assert store.passage("p_" + first.version_id[2:5] + "0" * 9) is None


def test_a_passage_id_tells_its_place_in_its_version_alone(store: Store) -> None:
    first, second = add_file(store, "a.md", document(1), edited(document(1), 1))
    cut = store.cut(first.version_id)
    assert cut is not None
    ordinal = identifiers.passage_ordinals(first.version_id, cut)
    ids = list(identifiers.passage_ids(first.version_id, cut))
    assert [ordinal(each) for each in ids] == list(range(len(cut)))
    assert list(cut.spans()) == [(each.start, each.end) for each in cut.passages()]
    for start, end in cut.spans():
        assert ordinal(identifiers.passage_id(second.version_id, start, end)) is None
    assert ordinal(ids[0][:5] + "0" * 9) is None


def test_shortened_ids_are_found(store: Store) -> None:
    versions = add_file(store, "a.md", *(document(seed) for seed in range(3)))
    file_id = versions[0].file_id
    assert store.find_ids(file_id) == store.find_ids(file_id[:6]) == [file_id]
    assert store.find_ids(versions[1].version_id[:9]) == [versions[1].version_id]
    assert store.find_ids("v_" + "0" * 12) == []


def test_all_candidates_of_a_shortened_id_are_found(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter([5, 6])
    monkeypatch.setattr("secrets.randbits", lambda _bits: next(numbers))
    with open_store(place) as store:
        add_file(store, "a.md", b"a")
        add_file(store, "b.md", b"b")
        assert store.find_ids("f_0000") == ["f_000000000005", "f_000000000006"]


@pytest.mark.parametrize(
    "wrong", ["", "f_", "f_123", "f-1234", "f_123i", "F_1234", "f_1234567890123", "x", "a.md"]
)
def test_what_is_no_id_is_refused(store: Store, wrong: str) -> None:
    with pytest.raises(InputInvalid):
        store.find_ids(wrong)


@pytest.mark.parametrize("other", ["a_1234", "z_1234"])
def test_other_kinds_are_refused(store: Store, other: str) -> None:
    with pytest.raises(InputInvalid, match="not the ID of a File, a version or a passage"):
        store.find_ids(other)


@pytest.mark.parametrize("unknown", ["e_1234", "r_1234", "w_1234", "c_1234", "q_1234"])
def test_what_is_in_no_graph_is_not_found(store: Store, unknown: str) -> None:
    assert store.find_ids(unknown) == []
