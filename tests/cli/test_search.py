"""What a search finds, in which order, and how it is shown."""

from __future__ import annotations

import unicodedata

import pytest

from tests.cli.program import ID, Program

FILES = {
    "fruit.md": """---
title: Orchard almanac
tags: [harvest, winter-store]
---

# Fruit

## Apples

The russet keeps until spring. Cherries do not.

## Cherry

One cherry tree stands alone near the old well.

## Pears

A russet pear ripens in the straw.
""",
    "code.md": """# Code

## Names

Call snake_case_name() or my-kebab-case, never MyCamelCase or HTTPServerError.

## Versions

Runs on node.js v1.2.3 with C++ and F#; os.path.join is used, and foo::bar->baz.

## Contact

Write to user@example.org or edit /etc/hosts, but don't call 42 times.
""",
    "words.md": """# Words

## Band

The Who played it in the hall.

## Vitamin

Take vitamin C with water.

## Running

She was running, he runs, they ran. The studies of two boxes.

## Study

One study in one box.
""",
    "marks.md": f"""# Marks

## Accents

naïve {unicodedata.normalize("NFD", "café")} Ångström İstanbul straße ﬁle Ｗｉｄｅ

## Next

nothing else here
""",
    "cjk.md": """# 日記

私は日本語を勉強します。

## 旅行

北京と東京へ行く。

## ไทย

ฉันเรียนภาษาไทยทุกวัน

## 한국어

나는 한국어를 공부합니다
""",
    "rank/body.md": "# Other\n\nA text that says zanzibar once.\n",
    "rank/head.md": "# Zanzibar\n\nA text that says something.\n",
    "rank/zeppelin.md": "# Airship\n\nfilled with helium\n",
    "literal.md": "# Literal\n\nSet heading: moonstone here, path: os.getcwd there, and tag: opaque too.\n",
    "minus.md": "# Minus\n\nquokka alone\n\n## Both\n\nquokka and wombat\n",
    "many.md": "".join(f"## Entry {number}\n\nubiquitous {number}\n\n" for number in range(30)),
}

LONG_QUERY = "russet " + " ".join(f"word{number}" for number in range(3000))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program.in_dir(tmp_path_factory.mktemp("search"), FILES)
    program.sync()
    return program


def labels(program: Program, *query: str) -> list[str]:
    """The labels of the hits, best first. Queries stand behind `--`."""
    return [hit["label"] for hit in program.search("--no-sync", "-n", "50", "--", *query)["hits"]]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        # and, over the passage and all that stands above it
        ("russet spring", {"fruit.md § Apples"}),
        ("apples russet", {"fruit.md § Apples"}),
        ("orchard straw", {"fruit.md § Pears"}),
        ("almanac harvest russet spring", {"fruit.md § Apples"}),
        ("zeppelin helium", {"rank/zeppelin.md § Airship"}),
        # the operators
        ('"russet pear"', {"fruit.md § Pears"}),
        ("russ* straw", {"fruit.md § Pears"}),
        ("russet -pear", {"fruit.md § Apples"}),
        ("quokka -wombat", {"minus.md § Minus"}),
        ('quokka -"and wombat"', {"minus.md § Minus"}),
        ("helium OR straw", {"rank/zeppelin.md § Airship", "fruit.md § Pears"}),
        ("heading:zanzibar", {"rank/head.md § Zanzibar"}),
        ("path:zeppelin", {"rank/zeppelin.md § Airship"}),
        ("path:rank zanzibar", {"rank/head.md § Zanzibar", "rank/body.md § Other"}),
        ("tag:harvest pear", {"fruit.md § Pears"}),
        ("tag:winter-store pear", {"fruit.md § Pears"}),
        # names out of code, whole and by part
        ("snake_case_name", {"code.md § Names"}),
        ("snake", {"code.md § Names"}),
        ("my-kebab-case", {"code.md § Names"}),
        ("MyCamelCase", {"code.md § Names"}),
        ("camel", {"code.md § Names"}),
        ("HTTPServerError", {"code.md § Names"}),
        ("server", {"code.md § Names"}),
        ("node.js", {"code.md § Versions"}),
        ("C++", {"code.md § Versions"}),
        ("F#", {"code.md § Versions"}),
        ("v1.2.3", {"code.md § Versions"}),
        ("os.path.join", {"code.md § Versions"}),
        ("foo::bar->baz", {"code.md § Versions"}),
        ("user@example.org", {"code.md § Contact"}),
        ("/etc/hosts", {"code.md § Contact"}),
        ("don't", {"code.md § Contact"}),
        ("don’t", {"code.md § Contact"}),
        ("42", {"code.md § Contact"}),
        # stop words and short words
        ("the who", {"words.md § Band"}),
        ("vitamin C", {"words.md § Vitamin"}),
        ('"it in the"', {"words.md § Band"}),
        # inflections
        ("cherries", {"fruit.md § Apples", "fruit.md § Cherry"}),
        ("run", {"words.md § Running", "code.md § Versions"}),
        ("boxes", {"words.md § Running", "words.md § Study"}),
        # case, accents, forms
        ("RUSSET STRAW", {"fruit.md § Pears"}),
        ("naive", {"marks.md § Accents"}),
        ("caf\u00e9", {"marks.md § Accents"}),
        ("cafe\u0301", {"marks.md § Accents"}),
        ("angstrom", {"marks.md § Accents"}),
        ("istanbul", {"marks.md § Accents"}),
        ("straße", {"marks.md § Accents"}),
        ("STRASSE", {"marks.md § Accents"}),
        ("file", {"marks.md § Accents"}),
        ("wide", {"marks.md § Accents"}),
        # scripts without blanks: any run of two characters
        ("日本語", {"cjk.md § 日記"}),
        ("本語", {"cjk.md § 日記"}),
        ("北京", {"cjk.md § 旅行"}),
        ("東京へ", {"cjk.md § 旅行"}),
        ("ภาษา", {"cjk.md § ไทย"}),
        ("เรียน", {"cjk.md § ไทย"}),
        ("한국", {"cjk.md § 한국어"}),
        ("京東", set()),
        # what looks like an operator and is none
        ("heading:moonstone", {"literal.md § Literal"}),
        ("-quokka", {"minus.md § Minus", "minus.md § Both"}),
        ("path: os.getcwd", {"literal.md § Literal"}),
        ('russet "straw', {"fruit.md § Pears"}),
        ("(russet straw", {"fruit.md § Pears"}),
    ],
)
def test_a_query_finds_just_these(program: Program, query: str, wanted: set[str]) -> None:
    assert set(labels(program, query)) == wanted


def test_words_may_stand_in_one_argument_or_in_several(program: Program) -> None:
    assert labels(program, "russet", "straw") == labels(program, "russet straw") == ["fruit.md § Pears"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("zanzibar", "rank/head.md § Zanzibar"),
        ("cherry", "fruit.md § Cherry"),
        ("studies", "words.md § Running"),
        ("study", "words.md § Study"),
    ],
)
def test_a_heading_and_the_exact_form_come_first(program: Program, query: str, first: str) -> None:
    assert labels(program, query)[0] == first


@pytest.mark.parametrize(
    "query",
    [
        '"',
        '""',
        "(",
        "*",
        "-",
        "OR",
        "a OR",
        ":",
        "tag:",
        'tag:"a b',
        "[a TO z]",
        "\\",
        "x?y*z",
        "def f(path: str, *, tag: int = -1) -> None: ...",
        "https://example.org/a?b=c&d=e#f",
        "\x1b[31m",
        "\u202e",
        "😀",
        "a " * 3000,
        "x* " * 500,
        "-a " * 500,
        "a OR " * 500,
        "日" * 3000,
        '" ' * 1000,
        "x" * 100_000,
        " ",
    ],
    ids=lambda query: ascii(query[:20]),
)
def test_a_query_is_never_an_error(program: Program, query: str) -> None:
    done = program.run("search", "--no-sync", "--json", "--", query, timeout=60).expect(0, 1)
    assert isinstance(done.json()["hits"], list)
    assert '"error"' not in done.err


def test_no_hits_are_an_answer(program: Program) -> None:
    done = program.run("search", "nonexistentword").expect(1)
    assert done.out == ""
    answer = program.run("search", "nonexistentword", "--json").expect(1).json()
    assert (answer["hits"], answer["total"], answer["complete"]) == ([], 0, True)


def test_a_misspelt_word_is_answered_with_the_nearest(program: Program) -> None:
    done = program.run("search", "zanzibra").expect(0, 1)
    assert "zanzibar" in (done.out + done.err).lower()


def test_where_no_passage_holds_all_words_that_is_said(program: Program) -> None:
    done = program.run("search", "helium russet").expect(0, 1)
    said = (done.out + done.err).replace("helium russet", "")
    # The query comes back as it was typed; beside it stands what comes nearest, or where one word is found.
    assert "helium" in said or "russet" in said


@pytest.mark.parametrize("query", ["-quokka", "heading:moonstone", "tag:nosuchtag opaque", LONG_QUERY])
def test_what_was_searched_otherwise_than_asked_is_said(program: Program, query: str) -> None:
    assert program.run("search", "--", query).expect(0, 1).err.strip()


def test_a_hit_is_four_lines(program: Program) -> None:
    hits = program.search("russet")["hits"]
    lines = program.ok("search", "russet").lines
    for hit in hits:
        at = lines.index(hit["citation"])
        trail, snippet, ids = lines[at + 1 : at + 4]
        assert trail == " › ".join(hit["trail"])
        assert "russet" in snippet
        assert ids.split() == [hit["file_id"], hit["version_id"], hit["passage_id"]]
        assert ID["p"].fullmatch(ids.split()[2])


def test_a_hit_has_the_fields_of_a_passage_and_its_own(program: Program) -> None:
    hits = program.search("russet")["hits"]
    for hit in hits:
        passage = program.ask("files", "chunks", hit["passage_id"])
        passage.pop("text")
        assert {key: hit[key] for key in passage} == passage
        assert isinstance(hit["score"], int | float)
        assert hit["matches"]
        for start, end in hit["matches"]:
            assert hit["snippet"][start:end].lower() == "russet"
        assert "\n" not in hit["snippet"]
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)


def test_matches_are_places_in_characters(program: Program) -> None:
    hit = program.search("straße")["hits"][0]
    assert [hit["snippet"][start:end] for start, end in hit["matches"]] == ["straße"]
    hit = program.search("北京")["hits"][0]
    assert "北京" in "".join(hit["snippet"][start:end] for start, end in hit["matches"])


def test_twenty_hits_or_as_many_as_asked(program: Program) -> None:
    answer = program.search("ubiquitous")
    assert (len(answer["hits"]), answer["total"], answer["complete"]) == (20, 30, True)
    answer = program.search("ubiquitous", "-n", "3")
    assert (len(answer["hits"]), answer["total"]) == (3, 30)
    best = [hit["passage_id"] for hit in program.search("ubiquitous", "-n", "30")["hits"]]
    assert [hit["passage_id"] for hit in answer["hits"]] == best[:3]
    assert len(best) == 30
    for number in ("-1", "x", "1.5"):
        program.run("search", "ubiquitous", "-n", number).refusal(2, "input_invalid")


def test_a_glob_narrows_the_paths(program: Program) -> None:
    assert program.found("zanzibar", "--path", "rank/b*.md") == ["rank/body.md § Other (Line 1)"]
    assert len(program.found("zanzibar", "--path", "rank/*")) == 2
    assert program.found("zanzibar", "--path", "*.txt") == []
    assert program.found("russet", "--path", "fruit.md", "-n", "1")


def test_the_words_of_a_query_are_needed(program: Program) -> None:
    program.run("search").refusal(2, "input_invalid")


def test_equal_sections_are_hits_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = "# Use\n\n## Install\n\npangolin\n\n## Install\n\npangolin\n\n```\n# zanzibar\n"
    program = Program.in_dir(tmp_path_factory.mktemp("equal"), {"dup.md": text})
    assert sorted(program.found("pangolin")) == ["dup.md § Install (Line 3)", "dup.md § Install (Line 7)"]
    assert program.found("zanzibar") == ["dup.md § Install (Line 7)"]


def test_an_empty_library_has_no_hits(tmp_path_factory: pytest.TempPathFactory) -> None:
    program = Program.in_dir(tmp_path_factory.mktemp("empty"), {"notes.txt": "x\n"})
    answer = program.search("x")
    assert (answer["hits"], answer["total"], answer["complete"]) == ([], 0, True)
    assert program.run("search", "x").expect(1).err.strip()


def test_pathological_nesting_does_not_hide_the_other_files(tmp_path_factory: pytest.TempPathFactory) -> None:
    n = 20_000
    program = Program.in_dir(
        tmp_path_factory.mktemp("nesting"),
        {
            "quote.md": ">" * n + " x\n",
            "list.md": "- " * n + "x\n",
            "bracket.md": "[" * n + "\n",
            "image.md": "![[" * n + "\n",
            "star.md": "*a_ " * (n // 2) + "\n",
            "ok.md": "# OK\n\nfine\n",
        },
    )
    assert program.found("fine") == ["ok.md § OK (Line 1)"]
    assert len(program.files()) == 6


def test_one_file_of_many_sections(tmp_path_factory: pytest.TempPathFactory) -> None:
    body = "".join(f"## Section {number}\n\nsome *text* [here](#x)\n\n" for number in range(1, 4000))
    program = Program.in_dir(
        tmp_path_factory.mktemp("large"), {"large.md": f"# Large\n\n{body}## Section 4000\n\nneedle\n"}
    )
    assert program.found("needle") == ["large.md § Section 4000 (Line 15999)"]
