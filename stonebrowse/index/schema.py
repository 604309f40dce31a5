"""What Whoosh is told of the fields, so that its own parser and queries read words as the index does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whoosh.analysis import Analyzer, Token
from whoosh.fields import STORED, TEXT, Schema

from stonebrowse.index.fields import FIELDS
from stonebrowse.text.words import chunks, is_unspaced, terms

if TYPE_CHECKING:
    from collections.abc import Iterator


class WordsAnalyzer(Analyzer):  # type: ignore[misc]  # Whoosh has no types
    """The rules of `text.words` as Whoosh's tokens. Only queries that Whoosh parses go this way."""

    def __call__(self, value: str, **kwargs: Any) -> Iterator[Token]:
        """The words of a text, its parts after each."""
        token = Token(chars=True, positions=True, **kwargs)
        position = kwargs.get("start_pos", 0)
        for start, end, chunk in chunks(value):
            before = ""
            for word in terms(chunk):
                # The last character of a run of Chinese is indexed alone too, for prefixes; a query that asked
                # for it would miss where the run goes on.
                alone = len(word) == 1 and len(before) == 2 and is_unspaced(word) and is_unspaced(before)
                before = word
                if alone and kwargs.get("mode") == "query":
                    continue
                token.text = token.original = word
                token.pos = position
                token.startchar, token.endchar = start, end
                token.boost = 1.0
                token.stopped = False
                position += 1
                yield token


def schema() -> Schema:
    """The schema of every index; what is stored of a passage is where it stands."""
    fields = {field: TEXT(analyzer=WordsAnalyzer(), phrase=False) for field in FIELDS}
    return Schema(key=STORED, ordinal=STORED, **fields)
