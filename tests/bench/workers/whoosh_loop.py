"""`whoosh_loop FOLDER PLACE EVERY`: the plain Whoosh loop, which only indexes.

The peer as anyone would write it from Whoosh's manual: a stemming analyzer, one `add_document` a passage, one
commit. Reading, decoding and cutting are not counted.
"""

from __future__ import annotations

import sys
from pathlib import Path

from whoosh.analysis import StemmingAnalyzer
from whoosh.fields import ID, TEXT, Schema
from whoosh.index import create_in

from tests.bench.workers.answer import Spent, answer
from tests.bench.workers.documents import prepared


def main(folder: str, place: str, every: str) -> None:
    """Builds it, and says what that took."""
    documents = prepared(folder, int(every))
    schema = Schema(
        id=ID(stored=True, unique=True),
        path=TEXT,
        heading=TEXT(analyzer=StemmingAnalyzer()),
        trail=TEXT(analyzer=StemmingAnalyzer()),
        text=TEXT(analyzer=StemmingAnalyzer()),
    )
    Path(place).mkdir(parents=True)
    index = create_in(place, schema)
    passages = 0
    with Spent() as spent:
        writer = index.writer()
        for document in documents:
            for passage in document.cut.passages():
                trail = document.cut.trail(passage.section)
                writer.add_document(
                    id=f"{document.path}:{passage.start}",
                    path=document.path,
                    heading=document.cut.section(passage.section).heading,
                    trail=" ".join(trail),
                    text=document.text[passage.start : passage.end].decode(),
                )
                passages += 1
        writer.commit()
    index.close()
    answer(wall=spent.wall, cpu=spent.cpu, passages=passages)


if __name__ == "__main__":
    main(*sys.argv[1:])
