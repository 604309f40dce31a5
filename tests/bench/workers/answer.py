"""How a worker answers, and how its processor time is taken."""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import dataclass, field
from typing import Self


@dataclass(slots=True)
class Spent:
    """What a `with` block took.

    Attributes:
        wall: seconds.
        cpu: seconds of processor time, of this process and of its children that ended.
    """

    wall: float = 0.0
    cpu: float = 0.0
    _begun: tuple[float, float] = field(default=(0.0, 0.0))

    def __enter__(self) -> Self:
        self._begun = (time.perf_counter(), _cpu())
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self._begun[0]
        self.cpu = _cpu() - self._begun[1]


def _cpu() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def answer(**values: float) -> None:
    """Prints what was measured."""
    json.dump(values, sys.stdout)
