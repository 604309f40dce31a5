"""The store against a plain model of it: after any sequence of changes both say the same."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from stonebrowse.errors import InputInvalid
from stonebrowse.store import FileId, Store, identifiers
from stonebrowse.text.passages import cut
from tests.store.samples import add_version, document, edited, open_store

PATHS = st.sampled_from(["a.md", "b.md", "c/a.md", "ü.md"])
CONTENTS = st.one_of(
    st.builds(document, st.integers(0, 3), st.integers(1, 12)),
    st.builds(edited, st.builds(document, st.integers(0, 3)), st.integers(0, 5)),
    st.sampled_from([b"", b"a", b"# A\r\n", "# Ä\n".encode("utf-16")]),
    st.binary(max_size=30).map(lambda raw: raw.replace(b"\0", b"") or b"x").filter(bytes.isascii),
)


@dataclass
class Modelled:
    path: str
    trashed: bool = False
    order: int = 0
    versions: list[tuple[str, bytes]] = field(default_factory=list)


class StoreMachine(RuleBasedStateMachine):
    files = Bundle("files")

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="stonebrowse-"))
        self.store: Store = open_store(self.folder / "store")
        self.model: dict[FileId, Modelled] = {}
        self.skipped: dict[str, str] = {}
        self.trashings = 0

    def teardown(self) -> None:
        if hasattr(self, "store"):
            assert self.store.check() == []
            self.store.close()
            shutil.rmtree(self.folder)

    def current_at(self, path: str) -> FileId | None:
        return next((key for key, file in self.model.items() if file.path == path and not file.trashed), None)

    @rule(target=files, path=PATHS, raw=CONTENTS)
    def add(self, path: str, raw: bytes) -> object:
        taken = self.current_at(path) is not None
        try:
            with self.store.writing() as writing:
                file_id = writing.add_file(path, None)
                version = add_version(writing, file_id, raw)
        except InputInvalid:
            assert taken
            return multiple()
        assert not taken
        self.model[file_id] = Modelled(path, versions=[(version.version_id, raw)])
        return file_id

    @rule(file_id=files, raw=CONTENTS)
    def change(self, file_id: FileId, raw: bytes) -> None:
        with self.store.writing() as writing:
            version = add_version(writing, file_id, raw)
        self.model[file_id].versions.append((version.version_id, raw))

    @rule(file_id=files, raws=st.lists(CONTENTS, min_size=1, max_size=12))
    def change_often(self, file_id: FileId, raws: list[bytes]) -> None:
        with self.store.writing() as writing:
            for raw in raws:
                version = add_version(writing, file_id, raw)
                self.model[file_id].versions.append((version.version_id, raw))

    @rule(file_id=files, path=PATHS)
    def rename(self, file_id: FileId, path: str) -> None:
        file = self.model[file_id]
        taken = not file.trashed and self.current_at(path) not in {None, file_id}
        if file.trashed:
            return
        try:
            with self.store.writing() as writing:
                writing.rename(file_id, path, None)
        except InputInvalid:
            assert taken
        else:
            assert not taken
            file.path = path

    @rule(one=files, other=files)
    def swap(self, one: FileId, other: FileId) -> None:
        first, second = self.model[one], self.model[other]
        if first.trashed or second.trashed:
            return
        with self.store.writing() as writing:
            writing.rename(one, second.path, None)
            writing.rename(other, first.path if one != other else second.path, None)
        if one != other:
            first.path, second.path = second.path, first.path

    @rule(file_id=files, by=st.sampled_from(["hand", "disappearance"]))
    def trash(self, file_id: FileId, by: str) -> None:
        with self.store.writing() as writing:
            writing.trash(file_id, by)  # type: ignore[arg-type]
        self.trashings += 1
        self.model[file_id].trashed, self.model[file_id].order = True, self.trashings

    @rule(file_id=files)
    def restore(self, file_id: FileId) -> None:
        file = self.model[file_id]
        taken = file.trashed and self.current_at(file.path) is not None
        try:
            with self.store.writing() as writing:
                writing.restore(file_id, None)
        except InputInvalid:
            assert taken
        else:
            assert not taken
            file.trashed = False

    @rule(file_id=files, raw=CONTENTS, path=PATHS)
    def give_up(self, file_id: FileId, raw: bytes, path: str) -> None:
        with pytest.raises(KeyError), self.store.writing() as writing:  # noqa: PT012 -- the block is the case
            add_version(writing, file_id, raw)
            writing.trash(file_id, "hand")
            add_version(writing, writing.add_file(path + "x", None), raw)
            writing.set_skipped([])
            raise KeyError

    @rule(path=PATHS, reason=st.text(max_size=5))
    def skip(self, path: str, reason: str) -> None:
        with self.store.writing() as writing:
            writing.skip(path, reason.replace("\0", "").encode("utf-8", "replace").decode())
        self.skipped[path] = reason.replace("\0", "").encode("utf-8", "replace").decode()

    @rule(path=PATHS)
    def unskip(self, path: str) -> None:
        with self.store.writing() as writing:
            writing.unskip(path)
        self.skipped.pop(path, None)

    @rule()
    def tidy(self) -> None:
        with self.store.writing() as writing:
            writing._contents.pace.count(9 << 20)
            writing._cuts.pace.count(9 << 20)
        while self.store.tidy(20_000):
            pass

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_store(self.folder / "store")

    @rule(file_id=consumes(files))
    def leave(self, file_id: FileId) -> None:
        """Look at one File closely, and touch it no more."""
        for version_id, raw in self.model[file_id].versions:
            packed = self.store.cut(version_id)
            assert packed is not None
            assert packed.pack() == cut(self.store.text(version_id)).pack()
            passages = list(identifiers.passage_ids(self.store.version(version_id).version_id, packed))
            assert self.store.raw(version_id) == raw
            for ordinal, passage in enumerate(passages[:2]):
                found = self.store.passage(passage)
                assert found is not None
                assert (found[0].version_id, found[1]) == (version_id, ordinal)

    @invariant()
    def the_same_files(self) -> None:
        if not hasattr(self, "store"):
            return
        current = {file.file_id: file.path for file in self.store.files()}
        assert current == {key: file.path for key, file in self.model.items() if not file.trashed}
        assert {file.file_id for file in self.store.files(state="all")} == self.model.keys()
        assert dict(self.store.skipped()) == self.skipped
        keys = self.store.current_keys()
        assert set(keys.values()) == current.keys()
        for path in ("a.md", "b.md", "c/a.md", "ü.md"):
            at_path = [
                (not file.trashed, file.order, key) for key, file in self.model.items() if file.path == path
            ]
            found = self.store.file_at(path)
            assert (found and found.file_id) == (max(at_path)[2] if at_path else None)

    @invariant()
    def the_same_versions(self) -> None:
        if not hasattr(self, "store"):
            return
        for file_id, file in self.model.items():
            versions = self.store.versions(file_id)[::-1]
            assert [version.version_id for version in versions] == [known for known, _raw in file.versions]
            assert [version.number for version in versions] == list(range(1, len(versions) + 1))
            assert [version.current for version in versions] == (
                [False] * (len(versions) - 1) + [not file.trashed]
            )
            for version_id, raw in file.versions[-3:] + file.versions[:1]:
                assert self.store.raw(version_id) == raw


StoreMachine.TestCase.settings = settings(
    max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
test_the_store_is_what_its_model_is = StoreMachine.TestCase
