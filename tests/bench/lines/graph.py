"""What is asked of a large graph: 10,000 entities with 30 citations each, a fifth of the documents edited since."""

from __future__ import annotations

import random
import time
from functools import partial
from typing import TYPE_CHECKING

from stonebrowse.library.library import Library
from tests.bench.graphs import fill
from tests.bench.measuring import Series, seconds
from tests.bench.rows import Row, at_most

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bench.place import Place
    from tests.bench.rows import Absent

ENTITIES = 10_000
CITATIONS = 30
RELATIONSHIPS = ENTITIES // 2
ASKED = 20
PAGE = 100
LIMIT_MS = 50
EDITED = 5
"""Each so manieth document is edited after it was cited."""


def measure(place: Place) -> Iterator[Row | Absent]:
    """The rows of this line."""
    folder, store = place.corpora.copy("medium"), place.fresh("store-graph")
    with Library.open(folder, store=store) as library:
        library.update()
        place.say(f"making {ENTITIES:,} entities with {CITATIONS} citations each")
        begun = time.monotonic()
        entities = fill(library, ENTITIES, CITATIONS)
        said = f"made in {time.monotonic() - begun:.0f} s; {len(library.files())} documents"
        for file in library.files()[::EDITED]:
            path = folder / file.path
            path.write_bytes(b"A new line.\n\n" + path.read_bytes())
        library.update()
        chance = random.Random(ENTITIES)
        for what, calls in _calls(library, entities, chance).items():
            place.limit()
            times = [seconds(call) for _ in range(place.choices.rounds) for call in calls]
            series = Series.timed(times)
            yield Row(
                "graph",
                what,
                series,
                targets=(at_most("median", series.median, LIMIT_MS, "ms"),),
                note=said,
            )
            said = ""


def _calls(
    library: Library, entities: list[str], chance: random.Random
) -> dict[str, list[Callable[[], object]]]:
    graph = library.graph
    read = chance.sample(entities, ASKED)
    files = [file.file_id for file in chance.sample(library.files(), ASKED)]
    first = [str(library.store.versions(file)[-1].version_id) for file in files]
    pages = [chance.randrange(0, ENTITIES - PAGE) for _ in range(ASKED)]
    links = [chance.randrange(0, RELATIONSHIPS - PAGE) for _ in range(ASKED)]
    return {
        "entity read": [partial(graph.read, each) for each in read],
        "explore by file": [partial(graph.explore, file_id=each) for each in files],
        "explore by version": [partial(graph.explore, version_id=each) for each in first],
        "explore by entity": [partial(graph.explore, entity_id=each) for each in read],
        "a page of entities": [partial(graph.entities, limit=PAGE, offset=each) for each in pages],
        "a page of relationships": [partial(graph.relationships, limit=PAGE, offset=each) for each in links],
        "search of entities": [partial(graph.entities, f"lamp {each}") for each in pages],
    }
