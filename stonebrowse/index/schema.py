"""What Whoosh is told of the fields, so that its own parser and queries read words as the index does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whoosh.analysis import Analyzer, Token
from whoosh.fields import TEXT, Schema

from stonebrowse.index.fields import FIELDS
from stonebrowse.text.words import chunks, terms

if TYPE_CHECKING:
    from collections.abc import Iterator


class WordsAnalyzer(Analyzer):  # type: ignore[misc]  # Whoosh has no types
    """The rules of `text.words` as Whoosh's tokens. Only queries that Whoosh parses go this way."""

    def __call__(self, value: str, **kwargs: Any) -> Iterator[Token]:
        """The words of a text, its parts after each."""
        token = Token(chars=True, positions=True, **kwargs)
        position = kwargs.get("start_pos", 0)
        for start, end, chunk in chunks(value):
            for word in terms(chunk):
                token.text = token.original = word
                token.pos = position
                token.startchar, token.endchar = start, end
                token.boost = 1.0
                token.stopped = False
                position += 1
                yield token


def schema() -> Schema:
    """The schema of every index."""
    fields = {field: TEXT(analyzer=WordsAnalyzer(), phrase=False) for field in FIELDS}
    return Schema(**fields)
