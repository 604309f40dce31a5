"""An index from its making to its damage: one process writes, others read, and nothing is a false nothing."""

from __future__ import annotations

import gc
import os
import random
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from stonebrowse.index import Index, IndexDamaged, Memory, parse
from tests.index.documents import make

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stonebrowse.index import Document


def keys(index: Index, query: str) -> list[int]:
    return sorted(key for key, _, _ in index.search(parse(query), limit=1000).hits)


def page(key: int) -> Document:
    return make(key, f"# Page {key}\n\nshared word{key} even{key % 2}\n", path=f"d/p{key}.md")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "index"


def test_it_begins_empty_private_and_answers(place: Path) -> None:
    index = Index.open(place)
    assert place.stat().st_mode & 0o777 == 0o700
    assert index.keys() == frozenset()
    assert index.search(parse("anything"), limit=5).total == 0
    index.close()


def test_what_is_put_in_is_found_replaced_and_taken_out(place: Path) -> None:
    index = Index.open(place)
    index.update([page(key) for key in range(1, 6)])
    assert index.keys() == frozenset(range(1, 6))
    assert keys(index, "shared") == [1, 2, 3, 4, 5]
    index.update([make(2, "# Other\n\nreplaced\n")], remove=[3, 99])
    assert index.keys() == frozenset({1, 2, 4, 5})
    assert keys(index, "shared") == [1, 4, 5]
    assert keys(index, "replaced") == [2]
    assert keys(index, "word3") == []
    index.close()
    again = Index.open(place, create=False)
    assert keys(again, "shared") == [1, 4, 5]
    again.close()


def test_hundreds_of_small_commits_leave_few_segments(place: Path) -> None:
    index = Index.open(place)
    chance = random.Random(1)
    held: set[int] = set()
    for key in range(1, 201):
        gone = {chance.choice(sorted(held))} if held and key % 3 == 0 else set()
        index.update([page(key)], remove=gone)
        held = (held | {key}) - gone
    assert index.keys() == frozenset(held)
    assert keys(index, "shared") == sorted(held)
    assert len([name for name in os.listdir(place) if name.endswith(".toc")]) == 1
    assert len(os.listdir(place)) < 60
    index.close()


def test_a_reader_goes_on_while_another_process_writes_and_deletes(place: Path) -> None:
    writer = Index.open(place)
    writer.update([page(key) for key in range(1, 40)])
    reader = Index.open(place, create=False)
    for turn in range(30):
        writer.update([page(100 + turn)], remove=[1 + turn])
        assert len(keys(reader, "shared")) == 39, "what is open stays as it was"
    assert reader.refresh()
    assert not reader.refresh()
    assert reader.keys() == writer.keys()
    assert keys(reader, "shared") == keys(writer, "shared")
    reader.close()
    writer.close()


def test_documents_can_count_as_gone_or_be_the_only_ones_or_come_from_memory(place: Path) -> None:
    index = Index.open(place)
    index.update([page(key) for key in range(1, 6)])
    query = parse("shared")

    def found(**how: object) -> list[int]:
        return sorted(key for key, _, _ in index.search(query, limit=9, **how).hits)  # type: ignore[arg-type]

    assert found(without={2, 3}) == [1, 4, 5]
    assert found(only={2, 4}) == [2, 4]
    assert found(also=Memory([page(7)])) == [1, 2, 3, 4, 5, 7]
    assert found(also=Memory([page(7)]), only={7, 1}, without={1}) == [7]
    index.close()


def damage_toc(place: Path, change: Callable[[bytes], bytes]) -> None:
    (toc,) = place.glob("*.toc")
    toc.write_bytes(change(toc.read_bytes()))


def no_toc(place: Path) -> None:
    for toc in place.glob("*.toc"):
        toc.unlink()


def no_segment(place: Path) -> None:
    for path in segments(place):
        path.unlink()


def cut_segment(place: Path) -> None:
    for path in segments(place):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def no_folder(place: Path) -> None:
    shutil.rmtree(place)
    place.write_text("no folder")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "half a table": lambda place: damage_toc(place, lambda data: data[: len(data) // 2]),
    "zeros": lambda place: damage_toc(place, lambda data: b"\0" * len(data)),
    "noise": lambda place: damage_toc(place, lambda data: random.Random(3).randbytes(len(data))),
    "no table": no_toc,
    "no segment": no_segment,
    "half a segment": cut_segment,
    "no folder": no_folder,
}


def segments(place: Path) -> list[Path]:
    return [
        path for path in place.iterdir() if path.suffix not in {".toc", ".lock"} and "LOCK" not in path.name
    ]


# Whoosh leaves the table of contents open when it cannot read it; the collector closes it, and warns.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_is_said_never_answered_with_nothing(place: Path, kind: str) -> None:
    index = Index.open(place)
    index.update([page(key) for key in range(1, 30)])
    index.close()
    DAMAGES[kind](place)
    with pytest.raises(IndexDamaged):
        keys(Index.open(place), "shared")
    gc.collect()


def test_a_folder_that_others_may_write_to_is_refused(place: Path) -> None:
    Index.open(place).close()
    place.chmod(0o770)
    with pytest.raises(IndexDamaged, match="other users"):
        Index.open(place)


def test_a_writer_that_is_killed_leaves_the_last_commit(place: Path) -> None:
    index = Index.open(place)
    index.update([page(key) for key in range(1, 6)])
    script = (
        "import os, sys, pathlib\n"
        "from stonebrowse.index import Index\n"
        "from tests.index.documents import make\n"
        "def documents():\n"
        "    for key in range(10, 2000):\n"
        "        if key == 1200: os.kill(os.getpid(), 9)\n"
        "        yield make(key, 'shared ' + 'word ' * 50)\n"
        "Index.open(pathlib.Path(sys.argv[1])).update(documents())\n"
    )
    done = subprocess.run([sys.executable, "-c", script, place], check=False, capture_output=True)
    assert done.returncode == -9, done.stderr
    index.refresh()
    assert keys(index, "shared") == [1, 2, 3, 4, 5]
    index.update([page(6)])
    assert keys(index, "shared") == [1, 2, 3, 4, 5, 6]
    index.close()


def test_a_misspelt_word_has_neighbours(place: Path) -> None:
    index = Index.open(place)
    index.update([make(1, "# Lighthouse\n\nThe lantern burns brightly.\n")])
    found = index.search(parse("lantren"), limit=3)
    assert found.total == 0
    assert found.unknown == ("lantren",)
    assert "lantern" in index.nearest("lantren")
    assert index.nearest("zzzzzzzz") == []
    index.close()
