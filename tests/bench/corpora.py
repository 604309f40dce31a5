"""Where documents come from: a folder that is named, the shared archives, or made from the sample data."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
SEED = 20240229
SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")

# How many files, and the sizes that a share of them stays below: those of the shared set of the same name.
FILES = {"small": 162, "medium": 1_838, "large": 16_159}
SIZES = (
    (0.05, 454),
    (0.25, 1_153),
    (0.5, 2_692),
    (0.75, 7_152),
    (0.9, 15_061),
    (0.99, 52_359),
    (1.0, 136_286),
)
FILES_A_FOLDER = 15
# The history that is replayed, by the name of its archive.
HISTORIES = {"edits-sg": "edits", "edits-large": "edits-large"}


class NoCorpus(Exception):
    """Something to work on is not there and cannot be made."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A folder of documents.

    Attributes:
        name: `small`, `medium` or `large`.
        folder: the folder; only read.
        origin: where it came from, in words.
    """

    name: str
    folder: Path
    origin: str

    def paths(self) -> list[Path]:
        """The documents in it, in a fixed order."""
        return sorted(_documents(self.folder))


class Corpora:
    """Finds, unpacks or makes each set when it is first asked for.

    Args:
        work: a temporary place to unpack into.
        named: a folder that holds the sets (`small`, `medium`, `large`), or is one itself; None for none.
        say: told in a line what takes long.
    """

    def __init__(self, work: Path, named: Path | None, say: Callable[[str], None]) -> None:
        self._work = work
        self._named = named
        self._say = say
        self._found: dict[str, Corpus] = {}

    def corpus(self, name: str) -> Corpus:
        """One of the three sets."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def copy(self, name: str) -> Path:
        """A copy of a set that may be written to."""
        place = self._work / "copies" / name
        if not place.exists():
            shutil.copytree(self.corpus(name).folder, place, symlinks=True)
        return place

    def history(self, name: str) -> Path:
        """The folder of a history to replay: `base.json`, `edits.jsonl`, `blobs/`.

        Raises:
            NoCorpus: there is none; a history is not made up.
        """
        archive = HISTORIES[name]
        place = self._named / archive if self._named else None
        if place is None or not place.is_dir():
            place = self._unpacked(archive)
        if place is None:
            raise NoCorpus(f"{_shared() / 'corpora' / f'{archive}.tar.zst'} is not there")
        return next(found.parent for found in sorted(place.rglob("base.json")))

    def _find(self, name: str) -> Corpus:
        if self._named is not None:
            inside = self._named / name
            place = inside if inside.is_dir() else self._named
            return Corpus(name, place, "the folder that was named")
        unpacked = self._unpacked(name)
        if unpacked is not None:
            return Corpus(name, unpacked, "the shared archive")
        self._say(f"no archive of {name}: making a folder of its shape from tests/data")
        place = self._work / "made" / name
        make(place, FILES[name])
        return Corpus(name, place, "made from tests/data")

    def _unpacked(self, name: str) -> Path | None:
        archive = _shared() / "corpora" / f"{name}.tar.zst"
        place = self._work / "unpacked" / name
        if place.exists():
            return place
        if not archive.is_file() or not (shutil.which("zstd") and shutil.which("tar")):
            return None
        self._say(f"unpacking {archive.name}")
        place.mkdir(parents=True)
        with subprocess.Popen(["zstd", "-dc", "--long=27", archive], stdout=subprocess.PIPE) as unpacking:
            done = subprocess.run(["tar", "xf", "-", "-C", place], stdin=unpacking.stdout, check=False)
        if done.returncode or unpacking.returncode:
            raise NoCorpus(f"{archive} cannot be unpacked")
        return place


def _shared() -> Path:
    return Path(os.environ.get("STONEBROWSE_SHARED") or ROOT.parent / "shared")


def _documents(folder: Path) -> Iterator[Path]:
    """Documents that a library would take, hidden folders left out."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        for name in names:
            path = Path(place, name)
            if name.lower().endswith(SUFFIXES) and not name.startswith(".") and path.is_file():
                yield path


# -- making one ------------------------------------------------------------------------------------------


def make(folder: Path, files: int) -> None:
    """Makes a folder of documents from the paragraphs of the sample data, varied, always the same.

    Sizes are spread as in the shared set; words are replaced by others of a made vocabulary, so that words
    are as rare and as common as in real text.
    """
    chooser = random.Random(SEED)
    blocks = _blocks()
    words = _vocabulary(chooser)
    for number in range(files):
        place = folder / f"part-{number // (FILES_A_FOLDER * 20):02}" / f"group-{number // FILES_A_FOLDER:04}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"page-{number:05}.md").write_text(
            _document(chooser, blocks, words, _size(chooser)), encoding="utf-8"
        )


def _blocks() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(_documents(ROOT / "tests" / "data"))]
    blocks = [block for text in texts for block in re.split(r"\n{2,}", text) if block.strip()]
    if not blocks:
        raise NoCorpus("tests/data holds no documents to make a folder from")
    return blocks


def _vocabulary(chooser: random.Random) -> list[str]:
    syllables = [
        first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er")
    ]
    return ["".join(chooser.choices(syllables, k=chooser.randint(2, 4))) for _ in range(30_000)]


def _size(chooser: random.Random) -> int:
    share = chooser.random()
    low_share, low = 0.0, 120
    for high_share, high in SIZES:
        if share <= high_share:
            return int(low + (high - low) * (share - low_share) / (high_share - low_share))
        low_share, low = high_share, high
    return low


def _document(chooser: random.Random, blocks: list[str], words: list[str], size: int) -> str:
    parts = [f"# {' '.join(chooser.choices(words, k=3)).capitalize()}"]
    held = len(parts[0])
    while held < size:
        if chooser.random() < 0.3:
            level = "#" * chooser.randint(2, 4)
            block = f"{level} {' '.join(chooser.choices(words, k=2)).capitalize()}"
        else:
            # The power makes some words common and most rare, roughly as in a language.
            block = re.sub(
                r"\b[a-z]{4,}\b",
                lambda found: (
                    words[int(len(words) * chooser.random() ** 4)] if chooser.random() < 0.5 else found[0]
                ),
                chooser.choice(blocks),
            )
        parts.append(block)
        held += len(block.encode()) + 2
    return "\n\n".join(parts) + "\n"
