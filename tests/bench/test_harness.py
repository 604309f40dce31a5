"""The harness itself: that it works, names what is missing, and always asks the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.bench.corpora import Corpora, Corpus, NoCorpus, make
from tests.bench.measuring import Deadline, Series, in_turn, quantile
from tests.bench.questions import hostile, mixed
from tests.bench.rows import Absent, Row, Target, notes, shown, table
from tests.bench.run import main

if TYPE_CHECKING:
    from collections.abc import Callable

HANDBOOK = Path(__file__).parents[1] / "data" / "handbook"


def test_one_line_is_measured_beside_its_peer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert main(["text", "-r", "2", "--corpus", str(HANDBOOK), "--json", str(report)]) == 0
    rows = json.loads(report.read_bytes())["rows"]
    assert [row["what"] for row in rows] == ["bytes → headings and labels", "bytes → passages"]
    assert all(len(row["ours"]["values"]) == len(row["theirs"]["values"]) == 2 for row in rows)
    equal = rows[0]["targets"][1]
    assert equal == {"target": "equal to markdown-it-py", "value": 0, "limit": 0, "met": True}
    assert "markdown-it-py" in capsys.readouterr().out


def test_a_set_that_cannot_be_had_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STONEBROWSE_SHARED", str(tmp_path))
    assert main(["history", "--work", str(tmp_path)]) == 0
    assert "edits-large.tar.zst is not there" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_named_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path, HANDBOOK, lambda _line: None)
    assert corpora.corpus("large").folder == HANDBOOK
    copy = corpora.copy("large")
    assert sorted(path.name for path in copy.rglob("*.md")) == sorted(
        path.name for path in HANDBOOK.rglob("*.md")
    )


def test_a_history_is_never_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STONEBROWSE_SHARED", str(tmp_path))
    with pytest.raises(NoCorpus, match="edits-large"):
        Corpora(tmp_path, None, lambda _line: None).history("edits-large")


def test_a_made_folder_is_always_the_same(tmp_path: Path) -> None:
    make(tmp_path / "one", 40)
    make(tmp_path / "two", 40)
    first, second = (Corpus("", tmp_path / name, "").paths() for name in ("one", "two"))
    assert len(first) == 40
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.parametrize("ask", [mixed, hostile])
def test_the_questions_are_always_the_same(ask: Callable[[list[Path]], list[object]]) -> None:
    paths = Corpus("", HANDBOOK, "").paths()
    assert ask(paths) == ask(paths)
    assert len(ask(paths)) > 40


def test_quantiles_are_values_that_were_measured() -> None:
    assert quantile([5.0, 1.0, 3.0], 0.95) == 5.0
    assert quantile(list(range(1, 101)), 0.95) == 95
    series = Series.timed([0.003, 0.001, 0.002])
    assert (series.median, series.p95, series.worst, series.unit) == (2.0, 3.0, 3.0, "ms")


def test_works_take_turns_and_the_first_round_is_always_made() -> None:
    order: list[str] = []

    def work(name: str) -> Callable[[], float]:
        def done() -> float:
            order.append(name)
            return len(order)

        return done

    assert in_turn(2, Deadline(60), work("a"), work("b")) == ([1, 3], [2, 4])
    assert in_turn(5, Deadline(0), work("c")) == ([5],)
    assert order == ["a", "b", "a", "b", "c"]


def test_the_table_shows_ratio_target_and_what_is_missing() -> None:
    ours, theirs = Series.timed([0.002]), Series.timed([0.008])
    rows: list[Row | Absent] = [
        Row("a", "fast", ours, "peer", theirs, targets=(Target("≤ 1 ms", 2, 1),)),
        Row("b", "alone", ours, "other", None, "it is not installed"),
        Absent("c", "third", "no reason"),
    ]
    lines = table(rows).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "0.25 ×" in lines[2]
    assert "MISSED (2)" in lines[2]
    assert "missing" in lines[3]
    assert notes(rows) == [
        "b: alone: the peer other is missing: it is not installed",
        "c: third: not measured: no reason",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234.6, "1,235"), (12.34, "12.3"), (12.0, "12"), (1.5, "1.5"), (0.0123, "0.012"), (0.0, "0")],
)
def test_numbers_are_shown_short(value: float, text: str) -> None:
    assert shown(value) == text
