"""Bytes to headings and labels, and to passages; beside markdown-it-py's block parse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from stonebrowse.text.citations import label
from stonebrowse.text.decoding import Decoded, decode
from stonebrowse.text.headings import headings, headings_by_authority
from stonebrowse.text.passages import cut
from tests.bench.measuring import Series, in_turn, seconds
from tests.bench.rows import Row, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.bench.place import Place
    from tests.bench.rows import Absent

# A sample of so much is enough to know how fast a parser runs.
SAMPLE_BYTES = 4_000_000
FLOOR_MB_S = 60.0

Texts = list[tuple[str, bytes]]


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    corpus = place.corpora.corpus(place.large)
    texts: Texts = []
    for path in corpus.paths():
        decoded = decode(path.read_bytes())
        if isinstance(decoded, Decoded):
            texts.append((path.relative_to(corpus.folder).as_posix(), decoded.text))
    size = _size(texts)
    sample = texts[:: max(1, size // SAMPLE_BYTES)]
    # The inline pass is switched off: with it the peer is three to five times slower.
    parser = MarkdownIt("commonmark", {"maxNesting": 1_000}).enable("table").disable(["inline", "text_join"])
    heads, cuts, peer = in_turn(
        place.choices.rounds,
        place.deadline,
        lambda: _speed(texts, _headings_and_labels),
        lambda: _speed(texts, lambda _path, text: cut(text)),
        lambda: _speed(sample, lambda _path, text: parser.parse(text.decode())),
    )
    theirs = Series.of(peer, "MB/s")
    name = "markdown-it-py, block parse of a sample"
    other = _different(sample)
    ours = Series.of(heads, "MB/s")
    yield Row(
        "text",
        "bytes → headings and labels",
        ours,
        name,
        theirs,
        targets=(
            Target(f"≥ {FLOOR_MB_S:.0f} MB/s", ours.median, FLOOR_MB_S, at_least=True),
            Target("equal to markdown-it-py", other, 0),
        ),
        note=f"{len(texts)} files, {size / 1e6:.1f} MB; compared with markdown-it-py on {len(sample)}",
    )
    yield Row("text", "bytes → passages", Series.of(cuts, "MB/s"), name, theirs)


def _size(texts: Sequence[tuple[str, bytes]]) -> int:
    return sum(len(text) for _, text in texts)


def _speed(texts: Sequence[tuple[str, bytes]], work: Callable[[str, bytes], object]) -> float:
    """MB a second."""

    def all_of_them() -> None:
        for path, text in texts:
            work(path, text)

    return _size(texts) / 1e6 / seconds(all_of_them)


def _headings_and_labels(path: str, text: bytes) -> list[str]:
    return [label(path, heading.text) for heading in headings(text)]


def _different(texts: Sequence[tuple[str, bytes]]) -> int:
    """In how many files the scanner and markdown-it-py find other headings."""
    return sum(headings(text) != headings_by_authority(text) for _, text in texts)
