"""What can go wrong with an index. These stay between this room and `library`: the index can be thrown away."""

from __future__ import annotations


class IndexDamaged(Exception):  # a state, as its callers read it
    """The index cannot be used: missing, damaged, foreign, of another format, or open to others.

    Nothing is lost with it. Whoever gets this deletes the index's folder and builds it again.
    """


class IndexBusy(Exception):  # a state, as its callers read it
    """Another process is writing to the index."""
