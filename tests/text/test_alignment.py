"""What became of each section: by what is equal, never by what is alike."""

from __future__ import annotations

import os

import pytest

from stonebrowse.text.alignment import Alignment, align, normal
from stonebrowse.text.decoding import Decoded, decode
from stonebrowse.text.passages import cut
from tests.shared import replay


def aligned(old: str, new: str) -> Alignment:
    before, after = old.encode(), new.encode()
    return align(before, cut(before), after, cut(after))


def kinds(old: str, new: str) -> list[tuple[str, int | None]]:
    return [(fate.kind, fate.new) for fate in aligned(old, new).fates]


A, B, C = "# A\n\na\n\n", "# B\n\nb\n\n", "# C\n\nc\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (A + B + C, A + B + C, [("unchanged", 0), ("unchanged", 1), ("unchanged", 2)]),
        (A + B + C, "# N\n\nn\n\n" + A + B + C, [("unchanged", 1), ("unchanged", 2), ("unchanged", 3)]),
        (A + B + C, A + C, [("unchanged", 0), ("removed", None), ("unchanged", 1)]),
        (A + B + C, A + "# B\n\nother\n\n" + C, [("unchanged", 0), ("edited", 1), ("unchanged", 2)]),
        (A + B, A + "# Named anew\n\nb\n\n", [("unchanged", 0), ("edited", 1)]),
        (A + B, A + "# Named anew\n\nother\n\n", [("unchanged", 0), ("removed", None)]),
        # Its text, below another heading: elsewhere.
        ("# A\n\n## S\n\ns\n\n# B\n", "# A\n\n# B\n\n## S\n\ns\n", [("unchanged", 0), ("moved", 2), ("unchanged", 1)]),
        # Line ends, and blank lines at a section's end, are no text.
        ("# A\n\na\n", "# A\r\n\r\na\r\n\r\n\r\n", [("unchanged", 0)]),
        # One of two that are alike: the neighbour says which.
        (A + B, A + B + C + B, [("unchanged", 0), ("unchanged", 1)]),
        # Two of the same become two of the same, in their order.
        ("# A\n\n# X\n\nx\n\n# X\n\nx\n", "# N\n\n# X\n\nx\n\n# X\n\nx\n", [("removed", None), ("unchanged", 1), ("unchanged", 2)]),
        ("before\n\n# A\n", "before!\n\n# A\n", [("edited", 0), ("unchanged", 1)]),
        ("", "# A\n", []),
    ],
)  # fmt: skip
def test_what_became_of_each_section(old: str, new: str, expected: list[tuple[str, int | None]]) -> None:
    assert kinds(old, new) == expected


def test_of_several_places_none_is_chosen() -> None:
    found = aligned("# A\n\n## N\n\nsame\n", "# X\n\n## N\n\nsame\n\n# Y\n\n## N\n\nsame\n")
    assert found.fates[1].kind == "ambiguous"
    assert found.fates[1].candidates == (1, 3)
    assert found.fates[1].new is None


def test_what_is_new_is_added() -> None:
    assert aligned(A + C, A + B + C).added == [1]


def test_many_sections_that_are_all_alike_are_aligned_in_one_go() -> None:
    old = "".join(f"# H\n\ntext {number % 7}\n\n" for number in range(20_000))
    found = aligned(old, "# New\n\n" + old[: -len("# H\n\ntext 0\n\n")])
    assert len(found.fates) == 20_000
    assert sum(fate.kind in {"unchanged", "moved"} for fate in found.fates) >= 19_999


EVERY = 1 if os.environ.get("STONEBROWSE_LONG") else 12


@pytest.mark.parametrize("name", ["edits", "edits-large"])
def test_real_edits_are_aligned_exactly(name: str) -> None:
    """No edited section is called unchanged, and none whose text stands there once is lost."""
    compared = 0
    for edit in replay(name).edits[::EVERY]:
        old, new = (decode(raw) if raw is not None else None for raw in (edit.before, edit.after))
        if not (isinstance(old, Decoded) and isinstance(new, Decoded)) or not edit.path.endswith(".md"):
            continue
        before, after = cut(old.text), cut(new.text)
        found = align(old.text, before, new.text, after)
        olds = [normal(old.text[each.start : each.end]) for each in before.sections()]
        news = [normal(new.text[each.start : each.end]) for each in after.sections()]
        partners = [fate.new for fate in found.fates if fate.new is not None]
        assert len(partners) == len(set(partners))
        for index, fate in enumerate(found.fates):
            if fate.kind in {"unchanged", "moved"}:
                assert fate.new is not None
                assert news[fate.new] == olds[index], edit.path
            else:
                # Where its text stands more often than before, or less, it may be another's.
                assert olds[index] not in news or olds.count(olds[index]) != news.count(olds[index]), (
                    edit.path
                )
            if fate.kind == "unchanged":
                assert fate.new is not None
                assert before.trail(index) == after.trail(fate.new)
            compared += 1
    assert compared > 500
