"""`index_build FOLDER PLACE`: our index alone, from documents that are read, decoded and cut already."""

from __future__ import annotations

import sys
from pathlib import Path

from stonebrowse.index import Document, Index
from stonebrowse.text.front_matter import front_matter
from tests.bench.workers.answer import Spent, answer
from tests.bench.workers.documents import prepared


def main(folder: str, place: str) -> None:
    """Builds it, and says what that took."""
    documents = []
    for key, each in enumerate(prepared(folder, 1), start=1):
        matter = front_matter(each.text)
        title, tags = (matter.title, matter.tags) if matter else ("", ())
        documents.append(
            Document(key=key, path=each.path, title=title, tags=tags, cut=each.cut, text=each.text)
        )
    Path(place).mkdir(parents=True)
    index = Index.open(Path(place))
    with Spent() as spent:
        index.update(documents)
    index.close()
    size = sum(path.stat().st_size for path in Path(place).rglob("*") if path.is_file())
    answer(wall=spent.wall, cpu=spent.cpu, passages=sum(len(each.cut) for each in documents), size=size)


if __name__ == "__main__":
    main(*sys.argv[1:])
