from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import InputInvalid, NotFound
from tests.library.conftest import write

if TYPE_CHECKING:
    from pathlib import Path

    from stonebrowse.library.library import Library
    from stonebrowse.library.references import Target

WICK = "rooms/lamp.md § Wick (Line 5)"


def text_of(library: Library, target: Target) -> str:
    assert target.passage is not None
    document = library.document(target.version, target.file)
    return document.read(target.passage.start, target.passage.end).decode()


@pytest.fixture
def synced(library: Library) -> Library:
    library.update()
    return library


def test_every_printed_citation_reads_back_to_its_passage(synced: Library, folder: Path) -> None:
    write(folder / "odd § name (Line 3).md", "# A § b (Line 9)\n\none\n\n## (Line 1)\n\ntwo\n\n#\n\nthree\n")
    write(folder / "odd.md", "before\n\n# name (Line 3).md § A § b\n\nfour\n")
    synced.update()
    for file in synced.files():
        document = synced.document(synced.find_version(file, None))
        for ordinal in range(len(document.cut)):
            passage = document.passage(ordinal)
            for reference in (passage.citation, passage.passage_id, f"chunk:{passage.passage_id}"):
                target = synced.resolve(reference)
                assert target.passage == passage
                assert not target.notice


def test_a_citation_leads_to_its_text_after_an_edit(synced: Library, folder: Path) -> None:
    write(folder / "rooms/lamp.md", "# Lamp room\n\nElectric now.\n")
    synced.update()
    target = synced.resolve(WICK)
    assert "Trim the wick" in text_of(synced, target)
    assert "version 1 of 2" in target.notice


def test_after_a_rename_and_a_deletion(synced: Library, folder: Path) -> None:
    (folder / "rooms/lamp.md").rename(folder / "lantern.md")
    synced.update()
    target = synced.resolve(WICK)
    assert "Trim the wick" in text_of(synced, target)
    assert "renamed to lantern.md" in target.notice
    (folder / "lantern.md").unlink()
    synced.update()
    target = synced.resolve(WICK)
    assert "Trim the wick" in text_of(synced, target)
    assert "disappeared" in target.notice


def test_paths_are_taken_as_people_give_them(
    synced: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "rooms")
    wanted = synced.find_file("rooms/lamp.md").file_id
    for path in (
        "rooms/lamp.md",
        "./rooms/lamp.md",
        "lamp.md",
        "../rooms/lamp.md",
        str(folder / "rooms/lamp.md"),
    ):
        assert synced.find_file(path).file_id == wanted, path
    for path in ("../../outside.md", "/etc/passwd", "", "\0", "rooms", "no.md"):
        with pytest.raises(NotFound):
            synced.find_file(path)


def test_ids_may_be_shortened_while_they_are_clear(synced: Library) -> None:
    file = synced.find_file("README.md")
    assert synced.find_file(file.file_id[:6]).file_id == file.file_id
    version = synced.find_version(file, file.version_id[:7])
    assert version.version_id == file.version_id
    assert synced.find_version(file, "1") == version
    assert synced.resolve(f"version:{version.version_id[:8]}").version == version
    for text in ("f_abc", "f_", "v_0123456789ab", "p_0123456789ab", "moment:1", "f_u123"):
        with pytest.raises((InputInvalid, NotFound)):
            synced.find_file(text)


def test_the_wrong_kind_of_id_is_said_to_be(synced: Library) -> None:
    file = synced.find_file("README.md")
    with pytest.raises(InputInvalid, match="a File"):
        synced.find_version(file, file.file_id)
    with pytest.raises(InputInvalid, match="a version"):
        synced.find_file(file.version_id)
    with pytest.raises(InputInvalid, match="another File"):
        synced.find_version(synced.find_file("rooms/lamp.md"), file.version_id)
    for text in ("moment:5", "chunk:f_0123", "e_0123456789ab", ""):
        with pytest.raises(InputInvalid):
            synced.resolve(text)


def test_a_passage_is_reopened_only_while_its_version_is_current(synced: Library, folder: Path) -> None:
    passage = synced.resolve(WICK).passage
    assert passage is not None
    assert synced.chunk(passage.passage_id)[0] == passage
    messages = set()
    write(folder / "rooms/lamp.md", "# Lamp room\n")
    synced.update()
    with pytest.raises(NotFound) as older:
        synced.chunk(passage.passage_id)
    messages.add(older.value.message)
    assert "Trim" in synced.chunk(passage.passage_id, inactive=True)[1]
    (folder / "rooms/lamp.md").unlink()
    synced.update()
    for reference, inactive in (
        (passage.passage_id, True),
        (passage.passage_id, False),
        ("p_0123456789ab", False),
    ):
        with pytest.raises(NotFound) as refused:
            synced.chunk(reference, inactive=inactive)
        messages.add(refused.value.message)
    assert len(messages) == 1


@pytest.mark.parametrize("text", ["\udcff", "b\ud800", "a\udcff.md § B (Line 1)", "./\udcff/a.md"])
def test_what_is_no_text_is_not_found(synced: Library, text: str) -> None:
    with pytest.raises(NotFound):
        synced.resolve(text)
    with pytest.raises(NotFound):
        synced.find_file(text)
