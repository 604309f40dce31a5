"""The documents of a folder, decoded and cut, as what builds an index is handed them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from stonebrowse.text.decoding import Decoded, decode
from stonebrowse.text.passages import Cut, cut
from tests.bench.corpora import Corpus


class Prepared(NamedTuple):
    """One document: its path below the folder, its text, its passages."""

    path: str
    text: bytes
    cut: Cut


def prepared(folder: str, every: int) -> list[Prepared]:
    """Every so many-th document of a folder, ready to be indexed."""
    corpus = Corpus("", Path(folder), "")
    found = []
    for path in corpus.paths()[::every]:
        decoded = decode(path.read_bytes())
        if isinstance(decoded, Decoded):
            found.append(Prepared(path.relative_to(folder).as_posix(), decoded.text, cut(decoded.text)))
    return found
