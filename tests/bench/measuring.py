"""Numbers that were measured, and taking them in turn."""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Asked = ParamSpec("Asked")

PER_SECOND = {"s": 1.0, "ms": 1e3, "µs": 1e6}


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one kind, in their unit."""

    values: tuple[float, ...]
    unit: str

    @classmethod
    def of(cls, values: Iterable[float], unit: str) -> Series:
        """A series of values that are in this unit already."""
        return cls(tuple(values), unit)

    @classmethod
    def timed(cls, seconds: Iterable[float], unit: str = "ms") -> Series:
        """A series of times given in seconds."""
        return cls(tuple(each * PER_SECOND[unit] for each in seconds), unit)

    def __bool__(self) -> bool:
        return bool(self.values)

    @property
    def median(self) -> float:
        """The middle value."""
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        """What 95 of 100 do not exceed."""
        return quantile(self.values, 0.95)

    @property
    def worst(self) -> float:
        """The largest value."""
        return max(self.values)


class Deadline:
    """How long a line may take. Once it is over, loops end with what they have."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds left, at least a hundredth: for a timeout."""
        return max(0.01, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() >= self._end


def seconds(work: Callable[Asked, object], *arguments: Asked.args, **options: Asked.kwargs) -> float:
    """How long a call takes, in wall time."""
    begun = time.perf_counter()
    work(*arguments, **options)
    return time.perf_counter() - begun


def processor_share(cpu_seconds: float = 0.05) -> float:
    """How much of one processor a busy process is given now: 1 on a quiet machine, less on a busy one."""
    wall, cpu = time.perf_counter(), time.process_time()
    while time.process_time() - cpu < cpu_seconds:
        pass
    return (time.process_time() - cpu) / (time.perf_counter() - wall)


def in_turn(rounds: int, deadline: Deadline, *works: Callable[[], float]) -> tuple[list[float], ...]:
    """Each work so many times, one after the other, so that what disturbs the machine disturbs them alike.

    Args:
        rounds: how often.
        deadline: no further round is begun after it; the first one is always made.
        works: each gives the value it measured.

    Returns:
        The values of each work.
    """
    values: tuple[list[float], ...] = tuple([] for _ in works)
    for number in range(rounds):
        if number and deadline.over:
            break
        for work, found in zip(works, values, strict=True):
            found.append(work())
    return values
