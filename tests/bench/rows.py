"""What a line of the benchmarks gives, and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.bench.measuring import Series

NO_PEER = "none"


@dataclass(frozen=True, slots=True)
class Target:
    """What a row is held against.

    Attributes:
        said: the target in words, as in the design.
        value: what was measured of it.
        limit: where it begins to be missed, in the unit of `value`.
        at_least: whether `value` has to reach the limit, instead of staying below it.
    """

    said: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def at_most(name: str, value: float, limit: float, unit: str) -> Target:
    """A target that a number stays below: `p95 ≤ 12 ms`."""
    return Target(f"{name} ≤ {shown(limit)} {unit}", value, limit)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes:
        line: the line it belongs to.
        what: what was measured.
        ours: the values of stonebrowse.
        peer: what it is compared with.
        theirs: the peer's values; None where there is no peer, or it is missing.
        missing: why the peer's values are missing; empty where they are not.
        targets: what the row is held against.
        note: what else is to be known.
    """

    line: str
    what: str
    ours: Series
    peer: str = NO_PEER
    theirs: Series | None = None
    missing: str = ""
    targets: tuple[Target, ...] = ()
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Our median by the peer's; None without a peer's of the same unit."""
        if not self.theirs or not self.ours or self.theirs.unit != self.ours.unit:
            return None
        return self.ours.median / self.theirs.median if self.theirs.median else None

    def as_json(self) -> dict[str, Any]:
        """Everything about the row, every value included."""
        return {
            "line": self.line,
            "what": self.what,
            "ours": _series_json(self.ours),
            "peer": self.peer,
            "theirs": _series_json(self.theirs),
            "missing": self.missing,
            "ratio": self.ratio,
            "targets": [
                {"target": target.said, "value": target.value, "limit": target.limit, "met": target.met}
                for target in self.targets
            ],
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Absent:
    """A row that could not be measured at all, and why."""

    line: str
    what: str
    reason: str

    def as_json(self) -> dict[str, Any]:
        """The row as JSON."""
        return {"line": self.line, "what": self.what, "absent": self.reason}


HEAD = ("what", "median", "p95", "worst", "peer", "median", "p95", "ratio", "target", "")


def table(rows: Iterable[Row | Absent]) -> str:
    """The rows as a Markdown table that also reads well as it is."""
    cells = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEAD))]
    numbers = {1, 2, 3, 5, 6, 7}
    lines = [_line(cells[0], widths, numbers)]
    lines.append(
        "|"
        + "|".join("-" * (width + 1) + (":" if at in numbers else "-") for at, width in enumerate(widths))
        + "|"
    )
    lines += [_line(row, widths, numbers) for row in cells[1:]]
    return "\n".join(lines)


def notes(rows: Iterable[Row | Absent]) -> list[str]:
    """What is to be said below the table."""
    said = []
    for row in rows:
        if isinstance(row, Absent):
            said.append(f"{row.line}: {row.what}: not measured: {row.reason}")
            continue
        if row.missing:
            said.append(f"{row.line}: {row.what}: the peer {row.peer} is missing: {row.missing}")
        if row.note:
            said.append(f"{row.line}: {row.what}: {row.note}")
    return said


def shown(value: float) -> str:
    """A number in three significant digits, without an exponent."""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}".removesuffix(".0")
    text = f"{value:.2f}" if size >= 0.1 or size == 0 else f"{value:.3f}"
    return text.rstrip("0").rstrip(".")


def _line(cells: Sequence[str], widths: Sequence[int], right: set[int]) -> str:
    padded = [
        cell.rjust(width) if at in right else cell.ljust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "| " + " | ".join(padded) + " |"


def _cells(row: Row | Absent) -> tuple[str, ...]:
    if isinstance(row, Absent):
        return (f"{row.line}: {row.what}", "not measured", *[""] * 8)
    ours, theirs, ratio = row.ours, row.theirs, row.ratio
    return (
        f"{row.line}: {row.what}",
        f"{shown(ours.median)} {ours.unit}",
        shown(ours.p95),
        shown(ours.worst),
        row.peer,
        f"{shown(theirs.median)} {theirs.unit}" if theirs else "missing" if row.missing else "",
        shown(theirs.p95) if theirs else "",
        f"{shown(ratio)} ×" if ratio is not None else "",
        "; ".join(target.said for target in row.targets),
        "; ".join("met" if target.met else f"MISSED ({shown(target.value)})" for target in row.targets),
    )


def _series_json(series: Series | None) -> dict[str, Any] | None:
    if not series:
        return None
    return {
        "unit": series.unit,
        "median": series.median,
        "p95": series.p95,
        "worst": series.worst,
        "values": [round(value, 6) for value in series.values],
    }
