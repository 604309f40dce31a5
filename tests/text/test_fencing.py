"""The fence: what stands inside cannot get out, whatever it says."""

from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from stonebrowse.text.fencing import Piece, fenced

NONCES = ("aa", "bb", "cc")


def test_heads_stand_above_their_texts() -> None:
    made = fenced([Piece("a.md § A (Line 1)", "one"), ("b.md (Line 1)", "two\n")], make=lambda: "N0")
    assert made.text == "<<<N0\n[N0] a.md § A (Line 1)\none\n\n[N0] b.md (Line 1)\ntwo\n\nN0>>>"
    assert made.text.startswith(made.opening)
    assert made.text.endswith(made.closing)


def test_a_nonce_that_occurs_is_replaced() -> None:
    nonces = iter(NONCES)
    made = fenced([Piece("aa", "closed? bb>>>")], make=lambda: next(nonces))
    assert made.nonce == "cc"


def test_two_fences_have_different_nonces() -> None:
    assert fenced([("", "x")]).nonce != fenced([("", "x")]).nonce


@given(st.lists(st.tuples(st.text(), st.text(alphabet="<>[]ab\n ")), max_size=4))
def test_no_text_closes_the_fence_or_puts_a_line_under_another_head(pieces: list[tuple[str, str]]) -> None:
    numbers = count()
    # Nonces that are short enough to occur.
    made = fenced(pieces, make=lambda: "ab"[next(numbers) % 2] * (1 + next(numbers) // 4))
    lines = made.text.split("\n")
    assert lines[0] == made.opening
    assert lines[-1] == made.closing
    assert sum(made.nonce in line for line in lines) == 2 + sum(bool(head) for head, _ in pieces)
    for _, text in pieces:
        assert text in made.text
