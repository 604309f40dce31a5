"""Laws of the store's parts: windows add up, frames cover, what is packed is unpacked."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from stonebrowse.store import FileId, compression, frames, identifiers, parity
from tests.store.samples import add_file, large_document, open_store

LARGE = large_document(1_300_000)
NUMBERS = st.integers(0, len(LARGE) + 10)


@given(st.lists(NUMBERS, max_size=6), st.integers(0, 3))
@settings(max_examples=12, deadline=None)
def test_windows_that_follow_each_other_add_up_to_the_text(borders: list[int], seed: int) -> None:
    small = large_document(3000, seed)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "store") as store:
        for path, raw in (
            ("large.md", LARGE),
            ("small.md", small),
            ("utf-16.md", small.decode().encode("utf-16")),
        ):
            (version,) = add_file(store, path, raw, ready=False)
            text = store.text(version.version_id)
            size = store.text_size(version.version_id)
            assert size == len(text)
            places = [0, *sorted(place % (size + 10) for place in borders), size]
            windows = [store.window(version.version_id, a, b - a) for a, b in pairwise(sorted(places))]
            assert b"".join(windows) == text


@given(
    st.lists(st.tuples(st.binary(max_size=60), st.sampled_from([b"\n", b"\r", b"\r\n", b""])), max_size=40),
    st.integers(1, 20_000),
)
@settings(max_examples=60, deadline=None)
def test_frames_cover_the_content(lines: list[tuple[bytes, bytes]], repeat: int) -> None:
    content = b"".join(line + end for line, end in lines) * repeat
    content = content[: 3 << 20]
    borders = list(frames.split(content))
    assert [start for start, _end in borders] == [0, *(end for _start, end in borders[:-1])]
    assert borders[-1][1] == len(content)
    assert all(0 < end - start <= frames.LARGEST_BYTES + 1 for start, end in borders) or not content
    lines_of = [frames.count_lines(content[start:end]) for start, end in borders]
    assert sum(lines_of) == frames.count_lines(content)


@given(
    st.lists(
        st.tuples(st.integers(1, 2**63), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)), min_size=1
    )
)
def test_a_list_of_frames_is_read_back(rows: list[tuple[int, int, int]]) -> None:
    listed = [frames.FrameRow(*row) for row in rows]
    assert frames.unpack(frames.pack(listed)) == listed


@given(st.binary(max_size=500), st.binary(min_size=8, max_size=500), st.integers(1, 9))
def test_what_is_compressed_is_expanded(content: bytes, neighbour: bytes, level: int) -> None:
    assert compression.expand(compression.compress(content, level), len(content)) == content
    beside = compression.compress_beside(content, neighbour, level)
    assert compression.expand_beside(beside, len(content), neighbour) == content
    dictionary = compression.Dictionary(neighbour)
    assert dictionary.expand(dictionary.compress(content), len(content)) == content


@given(st.binary(max_size=300), st.binary(max_size=60), st.integers(0, 300))
def test_what_is_spoilt_is_never_expanded_to_another_size(content: bytes, other: bytes, at: int) -> None:
    data = bytearray(compression.compress(content, 3))
    data[at % len(data) : at % len(data) + len(other)] = other
    try:
        expanded = compression.expand(bytes(data), len(content))
    except compression.Spoilt:
        return
    assert len(expanded) == len(content)


@given(st.binary(max_size=400), st.integers(0, parity.PARTS - 1), st.binary(max_size=40))
def test_any_one_part_may_be_anything(content: bytes, lost: int, instead: bytes) -> None:
    parts: list[bytes | None] = [*parity.split(content)]
    parts[lost] = instead
    assert parity.join(parts) == content


@given(st.integers(0, 2**60 - 1), st.integers(0, 2**60 - 1))
def test_identifiers_sort_as_their_numbers(one: int, other: int) -> None:
    assert (identifiers.encode(one) < identifiers.encode(other)) == (one < other)


@given(st.integers(1, 10**6), st.integers(0, 10**9), st.integers(0, 10**9))
def test_passage_ids_are_pure(number: int, start: int, length: int) -> None:
    version = identifiers.version_id(FileId("f_0123456789ab"), number, "sha256:" + "0" * 64)
    passage = identifiers.passage_id(version, start, start + length)
    assert passage == identifiers.passage_id(version, start, start + length)
    assert passage != identifiers.passage_id(version, start, start + length + 1)
    assert identifiers.versions_of_passage(passage) == version[:5]
