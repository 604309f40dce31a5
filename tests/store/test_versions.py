"""Files and versions: what is recorded is read back, and what happened to a File is told."""

from __future__ import annotations

from datetime import timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid, Internal, NotFound
from stonebrowse.store import FolderIdentity, Stat
from stonebrowse.text.decoding import Decoded
from stonebrowse.text.passages import cut
from tests.store.samples import NOW, add_file, add_version, document, edited, open_store, stat_of

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.store import Store


def test_a_version_is_what_was_recorded(store: Store) -> None:
    raw = b"\xef\xbb\xbf# T\xc3\xa4st\r\n\r\nWords.\r\n"
    (version,) = add_file(store, "täst.md", raw)
    assert store.raw(version.version_id) == store.text(version.version_id) == raw
    read = store.version(version.version_id)
    assert (read.number, read.bytes, read.encoding, read.guessed) == (1, len(raw), "utf-8", False)
    assert (read.recorded_at, read.state, read.current) == ("2026-03-01T12:30:15.123456Z", "ready", True)
    assert store.version_by_key(version.key) == store.version_numbered(version.file_id, 1) == read
    file = store.file(version.file_id)
    assert (file.path, file.state, file.written_by, file.trashed_by) == ("täst.md", "current", "person", None)
    assert (file.version_id, file.number, file.versions, file.size) == (version.version_id, 1, 1, len(raw))
    assert file.stat == stat_of(raw)


def test_times_are_kept_in_utc(store: Store) -> None:
    with store.writing() as writing:
        file_id = writing.add_file("a.md", None)
        moment = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
        version = writing.record(file_id, b"a", Decoded(b"a", "utf-8", guessed=False), None, moment)
    assert store.version(version.version_id).recorded_at == "2026-03-01T12:30:15.123456Z"


def test_what_is_not_cut_is_processing(store: Store) -> None:
    first, second = add_file(store, "a.md", b"# A\n", b"# B\n", ready=False)
    assert store.version(first.version_id).state == "processing"
    assert store.cut(first.version_id) is None
    assert store.processing() == [first.version_id, second.version_id]
    with store.writing() as writing:
        writing.set_cut(second.version_id, cut(b"# B\n"))
    assert store.version(second.version_id).state == "ready"
    assert store.processing() == [first.version_id]


def test_a_cut_is_never_another(store: Store) -> None:
    (version,) = add_file(store, "a.md", b"# A\n")
    with store.writing() as writing:
        writing.set_cut(version.version_id, cut(b"# A\n"))
    with pytest.raises(Internal), store.writing() as writing:
        writing.set_cut(version.version_id, cut(b"# B\n\n## C\n"))


def test_a_then_b_then_a_is_three_versions(store: Store) -> None:
    contents = [document(1), document(2), document(1)]
    versions = add_file(store, "a.md", *contents)
    assert [version.number for version in versions] == [1, 2, 3]
    assert versions[0].digest == versions[2].digest != versions[1].digest
    assert len({version.version_id for version in versions}) == 3
    assert [store.raw(version.version_id) for version in versions] == contents
    assert [version.current for version in store.versions(versions[0].file_id)] == [True, False, False]


def test_the_same_contents_get_the_same_ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda _bits: 12345)
    built = []
    for name in ("one", "two"):
        with open_store(tmp_path / name) as store:
            versions = add_file(store, "a.md", document(1), document(2))
            built.append([version.version_id for version in versions])
    assert built[0] == built[1]


@pytest.mark.parametrize(
    ("raw", "encoding"), [("# Tä\n".encode("utf-16"), "utf-16-le"), ("# Tä\n".encode("utf-32"), "utf-32-le")]
)
def test_the_text_is_decoded_as_it_was_recorded(store: Store, raw: bytes, encoding: str) -> None:
    (version,) = add_file(store, "a.md", raw)
    text = "# Tä\n".encode()
    assert store.version(version.version_id).encoding == encoding
    assert (store.raw(version.version_id), store.text(version.version_id)) == (raw, text)
    assert store.text_size(version.version_id) == len(text)
    assert store.window(version.version_id, 2, 3) == text[2:5]


def test_a_rename_keeps_file_and_versions(store: Store) -> None:
    (version,) = add_file(store, "a.md", b"# A\n")
    with store.writing() as writing:
        writing.rename(version.file_id, "b/A.md", Stat(4, 5, 6, 7, 8))
    file = store.file(version.file_id)
    assert (file.path, file.versions, file.stat) == ("b/A.md", 1, Stat(4, 5, 6, 7, 8))
    assert store.file_at("a.md") is None
    assert store.file_at("b/A.md") == file


def test_two_files_may_change_places(store: Store) -> None:
    (a,), (b,) = add_file(store, "a.md", b"a"), add_file(store, "b.md", b"b")
    with store.writing() as writing:
        writing.rename(a.file_id, "b.md", None)
        writing.rename(b.file_id, "a.md", None)
    assert [(file.path, file.file_id) for file in store.files()] == [("a.md", b.file_id), ("b.md", a.file_id)]


def test_a_path_has_one_current_file(store: Store) -> None:
    (a,), (b,) = add_file(store, "a.md", b"a"), add_file(store, "b.md", b"b")
    with pytest.raises(InputInvalid, match=r"b\.md"), store.writing() as writing:
        writing.rename(a.file_id, "b.md", None)
    with pytest.raises(InputInvalid, match=r"b\.md"), store.writing() as writing:
        add_version(writing, writing.add_file("b.md", None), b"c")
    assert [file.path for file in store.files()] == ["a.md", "b.md"]
    assert store.file(b.file_id).path == "b.md"


def test_a_trashed_file_keeps_all_and_returns(store: Store) -> None:
    raw = document(1)
    first, second = add_file(store, "a.md", raw, edited(raw, 1))
    with store.writing() as writing:
        writing.trash(first.file_id, "hand")
    trashed = store.file(first.file_id)
    assert (trashed.state, trashed.trashed_by, trashed.path) == ("trashed", "hand", "a.md")
    assert store.files() == []
    assert store.files(state="trashed") == store.files(state="all") == [trashed]
    assert store.current_keys() == {}
    assert not store.version(second.version_id).current
    assert store.raw(first.version_id) == raw
    with store.writing() as writing:
        writing.restore(first.file_id, stat_of(raw))
    assert store.file(first.file_id).state == "current"
    assert store.current_keys() == {second.key: first.file_id}


def test_a_path_names_the_file_trashed_there_last(store: Store) -> None:
    ids = []
    for number in range(3):
        (version,) = add_file(store, "a.md", b"%d" % number)
        ids.append(version.file_id)
        with store.writing() as writing:
            writing.trash(version.file_id, "disappearance")
    found = store.file_at("a.md")
    assert found is not None
    assert found.file_id == ids[2]
    with store.writing() as writing:
        writing.restore(ids[0], None)
    found = store.file_at("a.md")
    assert found is not None
    assert found.file_id == ids[0]


def test_one_file_may_take_the_path_of_another_that_is_trashed(store: Store) -> None:
    (a,), (b,) = add_file(store, "a.md", b"a"), add_file(store, "b.md", b"b")
    with store.writing() as writing:
        writing.rename(a.file_id, "b.md", None)
        writing.trash(b.file_id, "disappearance")
    assert store.file(b.file_id).path == "b.md"
    assert [(file.path, file.file_id) for file in store.files()] == [("b.md", a.file_id)]


def test_large_inode_numbers_are_kept(store: Store) -> None:
    stat = Stat(1, -5, 2**62, 2**64 - 1, 2**63)
    (version,) = add_file(store, "a.md", b"a")
    with store.writing() as writing:
        writing.seen(version.file_id, stat)
    assert store.file(version.file_id).stat == stat
    assert store.stats() == {"a.md": (version.file_id, stat)}


def test_what_is_unknown_is_not_found(store: Store) -> None:
    (version,) = add_file(store, "a.md", b"a")
    unknown = "0" * 12
    for call in (
        lambda: store.file("f_" + unknown),
        lambda: store.versions("f_" + unknown),
        lambda: store.version("v_" + unknown),
        lambda: store.raw("v_" + unknown),
        lambda: store.version_by_key(99),
        lambda: store.version_numbered(version.file_id, 2),
    ):
        with pytest.raises(NotFound):
            call()
    with pytest.raises(NotFound), store.writing() as writing:
        writing.trash("f_" + unknown, "hand")  # type: ignore[arg-type]


def test_files_with_a_digest_are_found(store: Store) -> None:
    (a,), (b,) = add_file(store, "a.md", b"same"), add_file(store, "b.md", b"same")
    (c,) = add_file(store, "c.md", b"other")
    assert [file.file_id for file in store.files_with_digest(a.digest)] == [a.file_id, b.file_id]
    assert store.current_keys() == {a.key: a.file_id, b.key: b.file_id, c.key: c.file_id}


def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    (version,) = add_file(store, "a.md", document(1))
    with pytest.raises(KeyError), store.writing() as writing:  # noqa: PT012 -- the block is the case
        add_version(writing, version.file_id, document(2))
        add_version(writing, writing.add_file("b.md", None), document(3))
        writing.note("fact", "changed")
        raise KeyError
    assert [file.path for file in store.files()] == ["a.md"]
    assert store.version(version.version_id).current
    assert store.noted("fact") is None
    assert store.check() == []


def test_errors_of_the_caller_stay_what_they_are(store: Store) -> None:
    with pytest.raises(PermissionError), store.writing():
        raise PermissionError(13, "no")


def test_a_file_without_a_version_is_refused(store: Store) -> None:
    with pytest.raises(Internal), store.writing() as writing:
        writing.add_file("a.md", None)
    assert store.files(state="all") == []


def test_a_transaction_inside_a_transaction_is_refused(store: Store) -> None:
    with store.writing(), pytest.raises(Internal), store.writing():
        pass


def test_facts_and_skipped_paths(store: Store) -> None:
    identity = FolderIdentity(2049, 2**63 + 1, 3)
    with store.writing() as writing:
        writing.note("last", "one")
        writing.note("last", "two")
        writing.set_folder_identity(identity)
        writing.set_skipped([("b.md", "it is too large"), ("a.md", "it is a socket")])
    assert (store.noted("last"), store.noted("other"), store.folder_identity()) == ("two", None, identity)
    assert store.skipped() == [("a.md", "it is a socket"), ("b.md", "it is too large")]
    with store.writing() as writing:
        writing.unskip("a.md")
        writing.skip("c.md", "it cannot be read")
    assert [path for path, _reason in store.skipped()] == ["b.md", "c.md"]
    with store.writing() as writing:
        writing.set_skipped([])
    assert store.skipped() == []


def test_data_version_changes_with_each_commit(store: Store, place: Path) -> None:
    before = store.data_version()
    assert store.data_version() == before
    add_file(store, "a.md", b"a")
    own = store.data_version()
    assert own != before
    with open_store(place) as other:
        add_file(other, "b.md", b"b")
    assert store.data_version() != own
