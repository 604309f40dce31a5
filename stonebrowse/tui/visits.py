"""Where the person was: back and forward."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 200


@dataclass(frozen=True, slots=True)
class Visit:
    """A place in a version.

    Attributes:
        file_id, version_id: the version that was shown.
        newest: whether it was the newest then; going back shows the newest of now.
        offset: what stood at the top, in bytes of its text.
    """

    file_id: str
    version_id: str
    newest: bool
    offset: int


class Visits:
    """A line of places, and where on it the person is."""

    def __init__(self) -> None:
        self._behind: list[Visit] = []
        self._ahead: list[Visit] = []

    def leave(self, here: Visit) -> None:
        """Keeps a place that is about to be left for a new one."""
        self._ahead.clear()
        if not self._behind or self._behind[-1] != here:
            self._behind.append(here)
            del self._behind[:-LONGEST]

    def back(self, here: Visit | None) -> Visit | None:
        """The place before; None where there is none."""
        return self._step(self._behind, self._ahead, here)

    def forward(self, here: Visit | None) -> Visit | None:
        """The place from which one came back; None where there is none."""
        return self._step(self._ahead, self._behind, here)

    @staticmethod
    def _step(out: list[Visit], into: list[Visit], here: Visit | None) -> Visit | None:
        while out and out[-1] == here:
            out.pop()
        if not out:
            return None
        if here is not None:
            into.append(here)
        return out.pop()
