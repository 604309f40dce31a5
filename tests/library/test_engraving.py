"""Engraving: where a note may go, what is recorded with it, and that it is never evidence."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import (
    EvidenceUnavailable,
    FileNotEvidence,
    FolderUnavailable,
    InputInvalid,
    NotFound,
    StonebrowseError,
)
from stonebrowse.library import engraving
from stonebrowse.library.rewriting import read_note, rewritten, write_note
from stonebrowse.store import TrayItem
from tests.library.conftest import write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.library.library import Library

WICK = "rooms/lamp.md § Wick (Line 5)"


@pytest.fixture
def known(library: Library) -> Library:
    library.update()
    return library


def left(folder: Path) -> set[str]:
    """Everything that lies below the folder, hidden files too."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_a_note_is_written_recorded_and_searched(known: Library, folder: Path) -> None:
    engraved = known.engrave(
        "notes/2026/wick.md", "# Trimming\n\nEvery evening.\n", [WICK, WICK, "README.md"]
    )
    text = (folder / "notes/2026/wick.md").read_bytes()
    assert known.store.raw(engraved.version.version_id) == text
    assert engraved.file.written_by == "stonebrowse"
    assert engraved.version.state == "ready"
    assert [source.citation for source in engraved.sources] == [WICK, "README.md (Line 1)"]
    assert known.store.notes.sources(engraved.file.file_id) == list(engraved.sources)
    assert f"- `{WICK}` ({engraved.sources[0].version_id}, {engraved.sources[0].digest})\n" in text.decode()
    assert "notes/2026/wick.md § Trimming (Line 6)" in [hit.citation for hit in known.search("evening").hits]
    counts = known.update()
    assert counts is not None
    assert (counts["added"], counts["changed"], counts["unchanged"]) == (0, 0, 4)
    assert not [name for name in left(folder) if "/." in name]


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".",
        "notes/",
        "../out.md",
        "notes/../../out.md",
        "/tmp/out.md",
        ".hidden.md",
        ".git/note.md",
        "node_modules/note.md",
        "note.txt",
        "note",
        "private/note.md",
        "secret.md",
        "linked/note.md",
        "README.md/note.md",
        "README.md",
        "rooms",
        "broken.md",
        "a\nb.md",
        "a\x1bb.md",
        "\udcff.md",
        "a\0.md",
        "n" * 300 + ".md",
        "n/" * 3000 + "n.md",
    ],
)
def test_a_path_that_leads_out_or_would_not_be_found_is_refused(
    known: Library, folder: Path, path: str
) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (folder / "linked").symlink_to(outside)
    (folder / "broken.md").symlink_to(outside / "nothing.md")
    write(folder / ".gitignore", "private/\nsecret.md\n")
    before = left(folder)
    with pytest.raises(InputInvalid):
        known.engrave(path, "text", [WICK])
    assert left(folder) == before
    assert list(outside.iterdir()) == []
    assert known.notes() == []


def test_an_absolute_path_below_the_folder_will_do(known: Library, folder: Path) -> None:
    assert known.engrave(str(folder / "new.md"), "text", []).file.path == "new.md"
    with pytest.raises(InputInvalid, match="already"):
        known.engrave("./new.md", "text", [])
    with pytest.raises(InputInvalid, match="not below"):
        known.engrave(str(folder) + "-other/new.md", "text", [])


@pytest.mark.parametrize("reference", ["nothing.md § No (Line 1)", "v_zzzz", "", "e_000000000000", "sbc1_no"])
def test_a_source_that_leads_nowhere_refuses_the_whole(known: Library, folder: Path, reference: str) -> None:
    before = left(folder)
    with pytest.raises((InputInvalid, NotFound)):
        known.engrave("deep/er/note.md", "text", [WICK, reference])
    assert left(folder) == before


def test_a_trashed_source_is_refused_and_a_token_is_cited_by_its_words(known: Library) -> None:
    lamp = known.find_file("rooms/lamp.md")
    document = known.document(known.find_version(lamp, None))
    start = document.read(0, document.size).index(b"Brass")
    token = known.token(document, start, start + 5)
    (source,) = known.engrave("a.md", "text", [token]).sources
    assert (source.start, source.end, source.words) == (start, start + 5, True)
    assert source.citation == "rooms/lamp.md § Lamp room (Line 1)"
    known.trash(lamp)
    with pytest.raises(EvidenceUnavailable):
        known.engrave("b.md", "text", [WICK])


def refused(known: Library, path: str) -> None:
    """It cannot be cited in any way."""
    file = known.find_file(path)
    version = known.find_version(file, None)
    for cited in (
        lambda: known.cite(path),
        lambda: known.engrave("other.md", "text", [path]),
        lambda: known.evidence(file_id=file.file_id, version_id=version.version_id, digest=version.digest),
        lambda: known.token(known.document(version), 0, 10),
    ):
        with pytest.raises(FileNotEvidence):
            cited()


def test_a_note_is_never_evidence(
    known: Library, folder: Path, opened: Callable[[Path], Library], tmp_path: Path
) -> None:
    known.engrave("note.md", "# Note\n\ntext", [WICK])
    refused(known, "note.md")
    text = (folder / "note.md").read_text()
    write(folder / "copy.md", text)
    write(folder / "note.md", "# Note\n\nall else is gone\n")
    shutil.move(folder / "rooms", folder / "halls")
    known.update()
    refused(known, "note.md")  # edited, its mark too
    refused(known, "copy.md")
    assert [note.file.path for note in known.notes()] == ["copy.md", "note.md"]
    # On another machine, where its front matter alone says so; and there edited.
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere / "brought.md", text)
    other = opened(elsewhere)
    other.update()
    refused(other, "brought.md")
    write(elsewhere / "brought.md", "# Brought\n\nwithout its mark\n")
    other.update()
    refused(other, "brought.md")


def test_a_persons_file_that_becomes_a_copy_of_a_note_is_not_evidence(known: Library, folder: Path) -> None:
    known.engrave("note.md", "# Note\n\ntext", [WICK])
    shutil.copy(folder / "note.md", folder / "README.md")
    known.update()
    refused(known, "README.md")


def test_a_note_at_the_path_of_a_deleted_file_is_a_file_of_its_own(known: Library, folder: Path) -> None:
    old = known.find_file("README.md")
    (folder / "README.md").unlink()
    known.update()
    engraved = known.engrave("README.md", "text", [WICK])
    assert engraved.file.file_id != old.file_id
    known.update()
    assert known.find_file("README.md").file_id == engraved.file.file_id
    assert known.store.file(old.file_id).state == "trashed"


def test_sources_are_held_and_can_be_forgotten(known: Library, folder: Path) -> None:
    cited = known.find_file("rooms/lamp.md").version_id
    key = known.store.version(cited).key
    assert key not in known.store.held_versions()
    engraved = known.engrave("note.md", "text", [WICK])
    assert key in known.store.held_versions()
    assert known.store.notes.citing(cited) == [engraved.file.file_id]
    write(folder / "rooms/lamp.md", "# Lamp room\n\nAll new.\n")
    known.update()
    known.forget(known.store.version(cited))
    assert known.store.notes.sources(engraved.file.file_id) == []
    (note,) = known.notes(check=True)
    assert note.checked is not None
    assert [checked.verdict for checked in note.checked] == ["unknown"]


def test_what_became_of_the_sources(known: Library, folder: Path) -> None:
    known.engrave("note.md", "text", [WICK, "README.md", "rooms/stairs.md § Stairs (Line 1)"])
    (note,) = known.notes(check=True)
    assert note.holding == 3
    lamp = (folder / "rooms/lamp.md").read_text()
    write(folder / "rooms/lamp.md", lamp.replace("# Lamp", "\n\n# Lamp"))
    write(folder / "README.md", "# Lighthouse\n\nAnother text.\n")
    known.update()
    (note,) = known.notes(check=True)
    assert note.checked is not None
    assert [(each.verdict, each.now) for each in note.checked] == [
        ("moved", "rooms/lamp.md § Wick (Line 7)"),
        ("edited", "README.md (Line 1)"),
        ("holds", "rooms/stairs.md § Stairs (Line 1)"),
    ]
    assert known.notes()[0].holding is None


def test_what_was_collected_is_cited_from_its_version(known: Library, folder: Path) -> None:
    lamp = known.store.version(known.find_file("rooms/lamp.md").version_id)
    size = known.document(lamp).size
    at = known.document(lamp).read(0, size).index(b"## Wick")
    items = [
        TrayItem(WICK, lamp.version_id, at, size),
        TrayItem(WICK, lamp.version_id, at + 9, size - 1),
        TrayItem("rooms/lamp.md (Line 1)", lamp.version_id, 0, size),
    ]
    write(folder / "rooms/lamp.md", "# Lamp room\n\nNew.\n")
    known.update()
    (folder / "rooms").rename(folder / "halls")
    known.update()
    engraved = known.engrave("note.md", "text", [*items, "README.md"])
    assert [(each.citation, each.words) for each in engraved.sources] == [
        ("halls/lamp.md § Wick (Line 5)", False),
        ("halls/lamp.md § Wick (Line 5)", True),
        ("halls/lamp.md (Line 1)", False),
        ("README.md (Line 1)", False),
    ]
    text = (folder / "note.md").read_text()
    assert text.count(lamp.version_id) == 2  # one and the same line for the section and its words
    (note,) = known.notes(check=True)
    assert note.checked is not None
    assert [each.verdict for each in note.checked] == ["gone", "edited", "holds"]


def test_check_takes_the_version_beside_the_string(known: Library, folder: Path) -> None:
    """The string alone was true again later; the note names the version before."""
    known.engrave("note.md", "text", ["rooms/stairs.md § Stairs (Line 1)"])
    text = (folder / "note.md").read_text()
    write(folder / "rooms/stairs.md", "# Stairs\n\nTwo hundred steps.\n")
    known.update()
    known.cite("rooms/stairs.md § Stairs (Line 1)")
    (checked,) = known.checking().text(text)
    assert checked.verdict == "edited"
    (plain,) = known.checking().text("rooms/stairs.md § Stairs (Line 1)")
    assert plain.verdict == "holds"


def test_a_source_that_moved_is_fixed_with_its_version(known: Library, folder: Path) -> None:
    """The version before had another section at the line where it is now."""
    write(folder / "two.md", "# Same\n\nfirst\n\n# Same\n\nsecond\n")
    known.update()
    known.engrave("note.md", "text", ["two.md § Same (Line 1)"])
    write(folder / "two.md", "# New\n\nnew\n\n# Same\n\nfirst\n\n# Same\n\nsecond\n")
    known.update()
    note = read_note(str(folder / "note.md"), named=True)
    assert note is not None
    text, changed = rewritten(note, known.checking().text(note.text, changed_at=note.changed_at))
    assert len(changed) == 1
    write_note(note, text)
    known.update()
    version = known.find_version(known.find_file("two.md"), None)
    assert f"- `two.md § Same (Line 5)` ({version.version_id}, {version.digest})\n" in text
    assert known.notes(check=True)[0].holding == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(known: Library, folder: Path) -> None:
    folder.chmod(0o500)
    try:
        with pytest.raises(FolderUnavailable):
            known.engrave("notes/note.md", "text", [WICK])
    finally:
        folder.chmod(0o700)
    assert "notes" not in left(folder)


@pytest.mark.parametrize("broken", ["name", "record"])
def test_what_fails_half_way_leaves_nothing(
    known: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    before, files = left(folder), known.files()

    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if broken == "name":
        monkeypatch.setattr("stonebrowse.library.placing.os.link", fails)
    else:
        # The file has its name already when the record fails.
        monkeypatch.setattr(engraving, "changed_at", fails)
    with pytest.raises((StonebrowseError, OSError)):
        known.engrave("deep/er/note.md", "text", [WICK])
    monkeypatch.undo()
    assert left(folder) == before
    assert known.files() == files
    known.engrave("deep/er/note.md", "text", [WICK])


def test_where_there_are_no_hard_links(known: Library, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("stonebrowse.library.placing.os.link", fails)
    known.engrave("note.md", "text", [WICK])
    assert (folder / "note.md").read_text().endswith(")\n")
    assert not [name for name in left(folder) if name.startswith(".")]


def test_a_large_body(known: Library) -> None:
    body = "A line of a long note, with some words in it.\n" * 220_000
    engraved = known.engrave("long.md", body, [WICK])
    assert engraved.version.bytes > 10_000_000
    assert known.notes()[0].sources[0].citation == WICK
