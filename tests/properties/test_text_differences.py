"""Laws of differences: they lead from the old to the new, whatever the two are, in bounded work."""

from __future__ import annotations

import random
import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from stonebrowse.text.differences import WORK, Run, runs, split_lines, word_marks

elements = st.lists(st.sampled_from("aabbbcdefg"), max_size=40)


def assert_leads(old: list[str], new: list[str], found: list[Run]) -> None:
    old_at = new_at = 0
    for before, run in zip([None, *found], found, strict=False):
        assert (run.old_start, run.new_start) == (old_at, new_at)
        assert (old[run.old_start : run.old_end] == new[run.new_start : run.new_end]) == run.equal
        assert run.old_end > run.old_start or run.new_end > run.new_start
        assert before is None or before.equal != run.equal
        old_at, new_at = run.old_end, run.new_end
    assert (old_at, new_at) == (len(old), len(new))


@given(elements, elements, st.sampled_from([0, 5, 50, WORK]))
def test_runs_lead_from_the_old_to_the_new(old: list[str], new: list[str], work: int) -> None:
    assert_leads(old, new, runs(old, new, work))


@given(elements)
def test_the_same_is_one_equal_run(old: list[str]) -> None:
    assert runs(old, list(old)) == ([Run(True, 0, len(old), 0, len(old))] if old else [])


@given(elements, st.integers(0, 40), elements)
def test_what_was_put_in_is_all_that_changed(old: list[str], at: int, put: list[str]) -> None:
    new = old[:at] + put + old[at:]
    changed = [run for run in runs(old, new) if not run.equal]
    assert sum(run.new_end - run.new_start for run in changed) == len(put)
    assert sum(run.old_end - run.old_start for run in changed) == 0


def test_hostile_sequences_are_compared_in_bounded_work() -> None:
    source = random.Random(5)
    many = 200_000
    pairs = {
        "two that repeat": ([str(i % 2) for i in range(many)], [str((i // 2) % 2) for i in range(many)]),
        "reversed": ([str(i) for i in range(many)], [str(-i) for i in range(-many, 0)]),
        "shuffled": ([str(i) for i in range(many)], source.sample([str(i) for i in range(many)], many)),
        "nothing in common": (["a"] * many, ["b"] * many),
    }
    for name, (old, new) in pairs.items():
        begun = time.process_time()
        assert_leads(old, new, runs(old, new))
        # Hundreds of times what it takes; a quadratic way would take hours.
        assert time.process_time() - begun < 60, name


@given(st.binary(max_size=60) | st.text("\r\n\fab\u2028", max_size=30).map(str.encode))
def test_lines_add_up_and_end_only_where_lines_end(text: bytes) -> None:
    lines = split_lines(text)
    assert b"".join(lines) == text
    assert all(lines)
    for line in lines[:-1]:
        assert line.endswith((b"\n", b"\r"))
        assert not line.rstrip(b"\r\n").count(b"\n")
    for before, after in pairwise(lines):
        assert not (before.endswith(b"\r") and after.startswith(b"\n"))


@given(st.text("ab c.\n", max_size=30), st.text("ab c.\n", max_size=30))
def test_what_is_not_marked_is_the_same_in_both(old: str, new: str) -> None:
    marks = word_marks(old, new)
    if marks is not None:
        kept = []
        for text, spans in zip((old, new), marks, strict=True):
            bare, at = "", 0
            for start, end in spans:
                assert at <= start < end <= len(text)
                bare += text[at:start]
                at = end
            kept.append(bare + text[at:])
        assert kept[0] == kept[1]


def test_words_are_marked_and_lines_that_have_little_in_common_are_not() -> None:
    assert word_marks("The lantern turns once.", "The lantern turns twice.") == (((18, 22),), ((18, 23),))
    assert word_marks("one two three", "four five six") is None
    assert word_marks("x" * 10_000, "x" * 10_001) is None
