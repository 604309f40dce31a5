"""The query language, word by word, on documents one can read."""

from __future__ import annotations

import pytest

from stonebrowse.index import Memory, parse
from tests.index.documents import make

DOCUMENTS = [
    make(1, "# Vitamin C\n\nThe who said it: vitamin C is 42.\n", path="health/vitamins.md"),
    make(
        2,
        "# Code\n\n`snake_case_name` in v1.2.3, CamelCase and node.js; don't use C++.\n",
        path="dev/code.md",
    ),
    make(
        3,
        "# Mail\n\nuser@example.org keeps /etc/hosts; kebab-case too.\n",
        path="dev/mail.md",
        tags=("post",),
    ),
    make(4, "# 日記\n\n私は日本語を勉強します。北京に行く。ภาษาไทย\n", path="cjk.md", title="Notizbuch"),
    make(5, "# Orte\n\nstraße, naïve cafe\u0301, İstanbul, עברית\n", path="orte.md"),
    make(
        6,
        "# Carry-over\n\nDays are carried over; a holiday was taken.\n\n## Taking\n\nrunning water\n",
        path="h.md",
    ),
]
MEMORY = Memory(DOCUMENTS)


def found(query: str, *, typing: bool = False) -> list[int]:
    hits = MEMORY.search(parse(query, typing=typing), limit=50).hits
    return list(dict.fromkeys(key for key, _, _ in hits))


@pytest.mark.parametrize(
    ("query", "documents"),
    [
        ("vitamin C", {1}), ("the who", {1}), ("it", {1}), ("42", {1}),
        ("snake_case_name", {2}), ("snake", {2}), ("camelcase", {2}), ("camel", {2}), ("node.js", {2}), ("js", {2}),
        ("C++", {2}), ("v1.2.3", {2}), ("don't", {2}),
        ("user@example.org", {3}), ("/etc/hosts", {3}), ("hosts", {3}), ("kebab", {3}), ("kebab-case", {3}),
        ("日本語", {4}), ("勉強", {4}), ("北京", {4}), ("ภาษา", {4}), ("notizbuch", {4}), ("title:notizbuch", {4}),
        ("straße", {5}), ("STRASSE", {5}), ("naive", {5}), ("café", {5}), ("istanbul", {5}), ("עברית", {5}),
        ("holidays", {6}), ("carry", {6}), ("carrying", {6}), ("run", {6}), ("water taking", {6}),
        ("tag:post", {3}), ("path:dev", {2, 3}), ("path:dev -mail", {2}), ("heading:mail", {3}), ("heading:taken", {6}),
        ("vitamin OR mail", {1, 3}), ('"carried over"', {6}), ('"over carried"', set()), ('"days are"', {6}),
        ("vit*", {1}), ("-mail dev", {2}), ('dev -"kebab case"', {2}), ("nothere", set()), ("vitamin nothere", set()),
    ],
)  # fmt: skip
def test_what_a_query_finds(query: str, documents: set[int]) -> None:
    assert set(found(query)) == documents


def test_while_typing_the_last_word_is_a_beginning() -> None:
    assert found("vitam", typing=True) == [1]
    assert found("vitam") == []
    assert found("vit", typing=True) == [1]


def test_the_exact_form_stands_before_its_inflections_and_a_heading_before_text() -> None:
    memory = Memory(
        [
            make(1, "one holiday here and some more words\n"),
            make(2, "many holidays here and some more words\n"),
            make(3, "# Holidays\n\nhere and some more words\n"),
        ]
    )
    hits = [key for key, _, _ in memory.search(parse("holidays"), limit=5).hits]
    assert hits == [3, 2, 1]


@pytest.mark.parametrize(
    "query",
    [
        "", " ", '"', '"""', "-", "--", "OR", "OR OR", "a OR", "OR a", "*", "**", "a**b", "(", ")(", "[", "path:", "path::x",
        "heading:", "x" * 100_000, "a " * 5_000, "-a -b", '"unclosed phrase', "a AND NOT", "path:C:\\x", "\0", "\x1b[2J",
        "ﷺ" * 500, "é" * 9_000, "*" * 9_999, "-" * 9_999, '"' * 9_999, "日" * 9_999, "a OR " * 2_000, "tag:tag:tag:",
    ],
)  # fmt: skip
def test_nothing_that_is_typed_is_an_error(query: str) -> None:
    for typing in (False, True):
        read = parse(query, typing=typing)
        answer = MEMORY.search(read, limit=5)
        assert answer.total >= len(answer.hits)
        assert len(read.wanted) <= 50
        spans = answer.query.lights("Vitamin C and 日本語, path:C:\\x *** \u202e")
        assert all(a < b for a, b in spans)


def test_what_is_left_out_of_a_query_is_said() -> None:
    assert parse(" ".join(f"w{number}" for number in range(400))).notes
    assert parse("x" * 9_000).notes
    assert MEMORY.search(parse("path:nowhere vitamin"), limit=5).total == 0
    assert not parse("two words").notes


def test_what_is_cut_off_leaves_no_operator_to_be_looked_for() -> None:
    words = [f"w{number}" for number in range(60)]
    cut = parse(" OR ".join(words))
    assert cut.groups == parse(" OR ".join(words[:50])).groups
    assert cut.notes
    assert parse(" OR ".join([*words[:49], '"vitamin c"'])).groups == (
        tuple(each for (each,) in (*parse(" ".join(words[:49])).groups, *parse('"vitamin"').groups)),
    )


def test_exclusions_alone_are_plain_words() -> None:
    assert set(found("-vitamin")) == {1}


def test_the_lights_are_what_matched() -> None:
    text = "Holidays: a holiday, the HOLIDAY's end; naïve 日本語を."
    lit = [text[a:b] for a, b in parse("holiday naive 日本語").lights(text)]
    assert "Holidays" in lit
    assert "holiday" in lit
    assert "naïve" in lit
    assert "日本語" in "".join(lit)
