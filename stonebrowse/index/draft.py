"""A segment while it is gathered, before it is packed.

Each term gets a character of its own, so that the words of a passage are a string: its *sequence*. To look for
a phrase is then to look for a substring, and UTF-8 packs the sequences well.
"""

from __future__ import annotations

from array import array

from stonebrowse.index import bounds

_SURROGATES = 0xD800
_AFTER_SURROGATES = 0xE000 - _SURROGATES
# Between two texts that are kept as one: no term has this character.
SEPARATOR = "\0"


# Quicker to copy than to make.
_NO_POSTINGS = array("I")


class Codes(dict[str, str]):
    """Term → its character. Fills itself, and begins the postings of each new term."""

    def __init__(self, postings: dict[str, array[int]]) -> None:
        super().__init__()
        self._postings = postings

    def __missing__(self, term: str) -> str:
        number = len(self) + 1
        code = self[term] = chr(number if number < _SURROGATES else number + _AFTER_SURROGATES)
        self._postings[code] = _NO_POSTINGS[:]
        return code


class Draft:
    """What one segment will hold.

    Attributes:
        codes: term → its character.
        postings: character → one number a passage that holds the term: ordinal in the segment << 8 | value.
        sequences: the sequences of all passages, in UTF-8, end to end; `sequence_ends` says where each ends.
        keys, firsts, bases: a document's key; its first passage in the segment; which passage of the document
            that is. A document without passages is there too.
        path_texts, title_texts, tag_texts: a document's path, title and tags, as sequences in UTF-8.
        own_starts, own_ends, subtree_ends, headings: a section's own passages, where the last section below it
            ends, and the sequence of its heading. A section whose heading has no words is not there.
    """

    def __init__(self) -> None:
        self.postings: dict[str, array[int]] = {}
        self.codes = Codes(self.postings)
        self.sequences = bytearray()
        self.sequence_ends = array("I")
        self.keys = array("q")
        self.firsts = array("I")
        self.bases = array("I")
        self.path_texts: list[bytes] = []
        self.title_texts: list[bytes] = []
        self.tag_texts: list[bytes] = []
        self.own_starts = array("I")
        self.own_ends = array("I")
        self.subtree_ends = array("I")
        self.headings: list[bytes] = []

    def __len__(self) -> int:
        return len(self.sequence_ends)

    @property
    def full(self) -> bool:
        """Whether the next passage belongs into another segment."""
        return (
            len(self.sequence_ends) >= bounds.MOST_PASSAGES
            or len(self.codes) >= bounds.MOST_TERMS
            or len(self.sequences) >= bounds.MOST_SEQUENCE_BYTES
        )

    def add_document(self, key: int, base: int, path: bytes, title: bytes, tags: bytes) -> None:
        """Begins a document; the passages added next are its own.

        Args:
            key: the document's key.
            base: which passage of the document comes next, where others stand in an earlier segment.
            path: its path as a sequence, in UTF-8.
            title: its title likewise.
            tags: its tags likewise.
        """
        self.keys.append(key)
        self.firsts.append(len(self))
        self.bases.append(base)
        self.path_texts.append(path)
        self.title_texts.append(title)
        self.tag_texts.append(tags)

    def open_section(self, heading: bytes) -> int:
        """Begins a section at the next passage, and gives its number, for `close_own` and `close_subtree`."""
        here = len(self.sequence_ends)
        self.own_starts.append(here)
        self.own_ends.append(here)
        self.subtree_ends.append(here)
        self.headings.append(heading)
        return len(self.headings) - 1

    def close_own(self, section: int) -> None:
        """Ends a section's own passages before the next one."""
        self.own_ends[section] = len(self)

    def close_subtree(self, section: int) -> None:
        """Ends a section with all below it before the next passage."""
        self.subtree_ends[section] = len(self)
