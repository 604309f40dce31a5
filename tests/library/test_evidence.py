"""Tokens, and what may be cited: the order of the checks, and their borders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stonebrowse.errors import (
    EvidenceDigestMismatch,
    EvidenceQuoteMismatch,
    EvidenceUnavailable,
    FileNotEvidence,
    InputInvalid,
    NotFound,
)
from stonebrowse.library import tokens
from stonebrowse.library.tokens import Token
from stonebrowse.store.identifiers import encode
from tests.library.conftest import write

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.library.library import Library
    from stonebrowse.library.reading import Document

MADE = st.builds(
    Token,
    version_id=st.integers(0, 2**60 - 1).map(lambda number: "v_" + encode(number)),
    digest=st.binary(min_size=32, max_size=32).map(lambda data: "sha256:" + data.hex()),
    start=st.integers(0, 2**63),
    length=st.integers(1, 2**31),
    quote_hash=st.binary(min_size=16, max_size=16),
)


@given(MADE)
def test_a_token_reads_back(token: Token) -> None:
    written = token.write()
    assert tokens.read(written) == token
    assert len(written) == 103


@given(MADE, st.data())
def test_a_token_that_was_damaged_anywhere_is_refused(token: Token, data: st.DataObject) -> None:
    written = token.write()
    at = data.draw(st.integers(0, len(written) - 1))
    other = data.draw(st.sampled_from("ABab01-_"))
    damaged = [written[:at] + written[at + 1 :], written + other, written[:at]]
    if written[at] != other:
        damaged.append(written[:at] + other + written[at + 1 :])
    for text in damaged:
        with pytest.raises(InputInvalid):
            tokens.read(text)


def opened(library: Library, path: str) -> Document:
    library.update()
    file = library.find_file(path)
    return library.document(library.find_version(file, None), file)


def test_a_token_holds_on_its_own_bytes_only(library: Library, folder: Path) -> None:
    document = opened(library, "rooms/lamp.md")
    text = document.read(0, document.size)
    start = text.index(b"Brass")
    token = library.token(document, start, start + 5)
    evidence = library.evidence(token=token, note="why")
    assert (evidence.quote, evidence.start, evidence.end, evidence.note) == ("Brass", start, start + 5, "why")
    assert evidence.passage is not None
    assert evidence.passage.citation == "rooms/lamp.md § Lamp room (Line 1)"
    write(folder / "rooms/lamp.md", "# Lamp room\n\nSteel.\n")
    library.update()
    assert library.evidence(token=token).quote == "Brass"

    def forged(**change: object) -> str:
        fields = {name: getattr(tokens.read(token), name) for name in Token.__dataclass_fields__}
        return Token(**(fields | change)).write()

    with pytest.raises(EvidenceQuoteMismatch):
        library.evidence(token=forged(start=start + 1))
    with pytest.raises(EvidenceQuoteMismatch):
        library.evidence(token=forged(start=2**40))
    with pytest.raises(EvidenceDigestMismatch):
        library.evidence(token=forged(digest="sha256:" + "0" * 64))
    with pytest.raises(EvidenceUnavailable):
        library.evidence(token=forged(version_id="v_000000000000"))


def test_the_order_of_the_checks(library: Library, folder: Path) -> None:
    write(folder / "note.md", "---\nengraved_by: stonebrowse\n---\n\n# N\n\nengraved\n")
    note, lamp, stairs = (opened(library, path) for path in ("note.md", "rooms/lamp.md", "rooms/stairs.md"))
    right = {
        "file_id": lamp.file.file_id,
        "version_id": lamp.version.version_id,
        "digest": lamp.version.digest,
    }
    passage = stairs.passage(0).passage_id
    no_digest = "sha256:" + "0" * 64
    assert library.evidence(**right).passage is None
    assert library.evidence(**right, chunk_id=lamp.passage(1).passage_id).passage == lamp.passage(1)
    # Shape comes before all else.
    for wrong in (
        {"token": "sbc1_x"},
        {"token": library.token(lamp, 0, 5), **right},
        {"token": library.token(lamp, 0, 5), "chunk_id": passage},
        {"file_id": "x"},
        right | {"digest": "sha256:0"},
        right | {"digest": no_digest.upper()},
        right | {"file_id": lamp.version.version_id},
        right | {"note": "n" * 501, "file_id": "f_000000000000"},
        {},
    ):
        with pytest.raises(InputInvalid):
            library.evidence(**wrong)
    engraved = {"file_id": note.file.file_id, "version_id": note.version.version_id, "digest": no_digest}
    with pytest.raises(FileNotEvidence):
        library.evidence(**engraved)
    with pytest.raises(FileNotEvidence):
        library.token(note, 0, 3)
    for unknown in (
        right | {"file_id": "f_000000000000", "digest": no_digest},
        right | {"file_id": stairs.file.file_id},
        right | {"chunk_id": passage, "digest": no_digest},
        right | {"chunk_id": "p_000000000000"},
    ):
        with pytest.raises(EvidenceUnavailable):
            library.evidence(**unknown)
    with pytest.raises(EvidenceDigestMismatch):
        library.evidence(**(right | {"digest": no_digest}))
    token = library.token(lamp, 0, 5)
    (folder / "rooms/lamp.md").unlink()
    library.update()
    for trashed in (right, {"token": token}):
        with pytest.raises(EvidenceUnavailable):
            library.evidence(**trashed)
    with pytest.raises(NotFound):
        library.resolve(token)


def test_what_stonebrowse_wrote_is_refused_as_that_whatever_else_is_wrong(
    library: Library, folder: Path
) -> None:
    write(folder / "note.md", "# N\n\nwords\n")
    token = library.token(opened(library, "note.md"), 0, 3)
    write(folder / "note.md", "---\nengraved_by: stonebrowse\n---\n\n# N\n\nengraved\n")
    note, lamp = (opened(library, path) for path in ("note.md", "rooms/lamp.md"))
    named = {
        "file_id": note.file.file_id,
        "version_id": note.version.version_id,
        "digest": note.version.digest,
    }
    wrong = (
        named | {"chunk_id": "p_000000000000"},
        named | {"chunk_id": lamp.passage(0).passage_id},
        named | {"version_id": "v_000000000000"},
        named | {"version_id": lamp.version.version_id},
        named | {"digest": lamp.version.digest},
    )
    quote = note.read(40, 45)
    forged = Token(note.version.version_id, note.version.digest, 40, 5, tokens.quote_hash(b"other"))
    assert quote != b"other"
    # What a person wrote before is no note; it is the version that counts.
    assert library.evidence(token=token).quote == "# N"
    for trashed in (False, True):
        if trashed:
            library.trash(note.file)
        for each in (*wrong, {"token": forged.write()}):
            with pytest.raises(FileNotEvidence):
                library.evidence(**each)


def test_the_limit_comes_before_what_cannot_be_opened(library: Library, folder: Path) -> None:
    write(folder / "long.md", "# é\n\n" + "語" * 1366)
    document = opened(library, "long.md")
    start = document.size - 4098
    text = document.read(start, document.size)
    long = Token(document.version.version_id, document.version.digest, start, 4098, tokens.quote_hash(text))
    library.trash(document.file)
    with pytest.raises(InputInvalid, match="4098 bytes"):
        library.evidence(token=long.write())
    short = Token(
        document.version.version_id, document.version.digest, start, 4095, tokens.quote_hash(text[:-3])
    )
    with pytest.raises(EvidenceUnavailable):
        library.evidence(token=short.write())


def test_the_limits_at_their_borders(library: Library, folder: Path) -> None:
    # Three bytes a character: 4,096 is no multiple of them.
    write(folder / "long.md", "\n\n" + "語" * 1365 + "x\n\n\n" + "語" * 1366)
    document = opened(library, "long.md")
    text = document.read(0, document.size)
    fits = len("語".encode()) * 1365 + 1
    assert fits == 4096
    assert (
        library.evidence(token=library.token(document, 0, 2 + fits + 3)).quote
        == text[: 2 + fits + 3].decode()
    )
    for start, end in ((0, 2 + fits + 6), (document.size - 4098, document.size), (0, 0), (0, 2), (3, 5)):
        with pytest.raises(InputInvalid):
            library.token(document, start, end)
    version = {
        "file_id": document.file.file_id,
        "version_id": document.version.version_id,
        "digest": document.version.digest,
    }
    assert library.evidence(**version, note="語" * 500).note == "語" * 500
    with pytest.raises(InputInvalid):
        library.evidence(**version, note="語" * 501)


def test_a_token_that_was_made_elsewhere_opens_nothing(library: Library, folder: Path) -> None:
    write(folder / "long.md", "# é\n\n語語\n")
    document = opened(library, "long.md")
    version, size = document.version, document.size
    text = document.read(0, size)
    good = text.index("語".encode())
    assert library.resolve(library.token(document, good, good + 3)).span == (good, good + 3)
    for start, end, held in ((good + 1, good + 3, text[good + 1 : good + 3]), (good, size + 9, text[good:])):
        forged = Token(version.version_id, version.digest, start, end - start, tokens.quote_hash(held))
        with pytest.raises(NotFound):
            library.resolve(forged.write())
        with pytest.raises(EvidenceQuoteMismatch):
            library.evidence(token=forged.write())
