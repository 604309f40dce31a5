"""What can be thrown away and built again: the search index, on Whoosh.

What lives here: `queries` reads what a person typed; `analyzer`, `draft` and `packing` turn documents into
segments; `codec` is the seam by which these are Whoosh's; `writer` commits them; `engine` with `evaluating`,
`rows`, `matching` and `scoring` finds the best passages; `index` holds it together. `ranking` has the numbers.

What may not: anything that cannot be rebuilt from the store; reading files of the library; other pickles than
Whoosh's table of contents.

Units: a *document* is a version, known by its key; a *passage* is known by its document and its *ordinal*
in it. Inside a segment, ordinals count the passages of all its documents. A *value* is one byte. Words are
folded by `text.words`. Spans of `Query.lights` are characters.
"""

from __future__ import annotations

from stonebrowse.index.documents import Document
from stonebrowse.index.errors import IndexBusy, IndexDamaged
from stonebrowse.index.index import Index
from stonebrowse.index.memory import Memory, search_in_memory
from stonebrowse.index.queries import Query, parse
from stonebrowse.index.result import Found

__all__ = [
    "Document",
    "Found",
    "Index",
    "IndexBusy",
    "IndexDamaged",
    "Memory",
    "Query",
    "parse",
    "search_in_memory",
]
