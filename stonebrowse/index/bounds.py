"""Where one way of holding or doing something gives place to another, and how much work is done at most.

None of these changes what is found, or in which order, but for MOST_LOOKS, which is said where it does. The
tests set them low to go all ways with few passages.
"""

from __future__ import annotations

# A segment: its ordinals fit 16 bits, and its words (each has a character) and sequences bound its memory.
MOST_PASSAGES = 60_000
MOST_TERMS = 300_000
MOST_SEQUENCE_BYTES = 48 << 20

# A segment with fewer passages keeps plain postings only.
DENSE_FROM_PASSAGES = 1024
# A term that at least every eighth passage holds is kept as one byte for every passage.
DENSE_SHARE = 8
# Beginnings of words that have more postings than this are kept as bits.
MANY_POSTINGS = 4096

# Up to so many passages values are held as a table, and members as a list.
MOST_IN_TABLE = 3000
MOST_IN_LIST = 3000
# One byte a passage is enough to sum the coarse scores of so many; each more blurs it by one of its steps.
MOST_IN_ONE_BYTE = 3

# What a searching process keeps of words looked for lately.
CACHE_BYTES = 16 << 20
# After so many searches it gives back what it has read of the files, which the system keeps anyway.
RELEASED_AFTER = 16
# How many sequences a query may have looked through, for words in a row. A query that needs more is answered
# without what it did not look through, and that is said.
MOST_LOOKS = 200_000

# Segments of about the same size become one when there are so many of them, where that takes no more passages
# than an update may spend time on.
MERGED_SEGMENTS = 20
MERGED_AT_ONCE = 4_000
# Files of segments up to this size are checked byte for byte when they are opened; larger ones are forced to the
# disk when they are written.
CHECKED_BYTES = 1 << 20
