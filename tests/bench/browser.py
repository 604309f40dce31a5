"""The browser of stonebrowse, on a terminal."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.bench.place import program
from tests.bench.processes import Failed
from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.bench.place import Place

# What the first screen shows whatever the library: the search line's prompt.
FIRST_TEXT = " Search "
START_SECONDS = 60.0


@contextmanager
def browser(
    place: Place, folder: Path, store: Path, *words: str, settled: float = 1.0, **env: str
) -> Iterator[Terminal]:
    """The browser on a library, started and waited for until it has painted.

    Args:
        place: where the run works.
        folder: the library's folder.
        store: its store.
        words: more of the command line, as `open REFERENCE`.
        settled: how many seconds nothing may come before it counts as having started; 0 for at once.
        env: more of its environment.

    Raises:
        Failed: it painted nothing.
    """
    with Terminal([*program(folder, store), *words], place.env(**env)) as terminal:
        if terminal.until(FIRST_TEXT, START_SECONDS) is None:
            raise Failed(f"the browser painted nothing within {START_SECONDS:.0f} s")
        if settled:
            terminal.quiet(settled)
        yield terminal
