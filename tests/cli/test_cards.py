"""Cards and recipes: each is printed, linked, and each example in one does what it says."""

from __future__ import annotations

import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest

from stonebrowse.errors import EvidenceUnavailable, FileNotEvidence, NotFound, StoreUnavailable
from stonebrowse.library.cards import NAMES, card, cards, explains
from stonebrowse.library.library import Library
from tests.cli.program import COMMAND, Program

if TYPE_CHECKING:
    from collections.abc import Callable

HOLIDAYS = "# Holidays\n\nThirty days a year.\n\n## Carry-over\n\nFive days, until March.\n\n## Sick leave\n\nThird day.\n"


@pytest.fixture
def library(make: Callable[..., Program]) -> Program:
    """A small library; nothing is recorded yet."""
    return make({"holidays.md": HOLIDAYS, "office.md": "# Office\n\nKeys.\n"})


def prepared(program: Program, words: str) -> tuple[str, str]:
    """The token for some words, and an entity that cites them."""
    with Library.open(program.folder, store=program.store, write=True) as opened:
        opened.update()
        file = opened.find_file("holidays.md")
        document = opened.document(opened.find_version(file, None), file)
        start = HOLIDAYS.index(words)
        token = opened.token(document, start, start + len(words))
        workspace = opened.graph.create()
        entity = opened.graph.stage_entity(workspace, name="Carry-over", kind="rule")
        opened.graph.capture(workspace, entity, token=token)
        opened.graph.commit(workspace)
        return token, entity


def examples(text: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_each_card_runs(library: Program, name: str) -> None:
    (example,) = examples(card(name).text)
    token, entity = prepared(library, "Five days, until March.")
    if "edition" in example:
        library.write({"holidays.md": "# Holidays\n\nNew.\n\n" + HOLIDAYS.partition("\n\n")[2]})
    notes = library.root / "notes"
    notes.mkdir()
    assert library.store is not None
    program = shlex.join([*COMMAND, "-C", str(library.folder), "--store", str(library.store)])
    script = f'stonebrowse() {{ {program} "$@"; }}\nset -eux\n{example}'
    done = subprocess.run(
        ["bash", "-c", script],
        env={**library.environment(), "T": token, "E": entity, "NOTES": str(notes)},
        cwd=library.folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_each_card_says_what_is_enforced_and_what_is_your_job() -> None:
    for each in cards():
        assert each.text.startswith(f"# {each.title}\n")
        assert re.findall(r"^## (.*)$", each.text, re.MULTILINE) == ["Enforced", "Your job", "Example"]
        assert all(len(line) <= 120 for line in each.text.splitlines())


def test_help_lists_the_cards_and_prints_each(library: Program) -> None:
    listed = library.ok("help").lines
    assert [line.split("\t")[0] for line in listed] == list(NAMES)
    for name in NAMES:
        assert library.ok("help", name).out == card(name).text
    assert library.ok("help", "file", "--json").json()["name"] == "file"
    assert len(library.ok("help", "--json").json()["cards"]) == len(NAMES)
    message = library.run("help", "pasage").refusal(3, "not_found")
    assert "passage" in message


def test_the_last_word_that_has_a_card_names_it() -> None:
    missing = NotFound("x")
    assert explains(missing, ["files", "chunks"]) == "passage"
    assert explains(missing, ["graph", "workspace", "show"]) == "workspace"
    assert explains(missing, ["config", "set"]) is None
    assert explains(FileNotEvidence("x"), ["cite"]) == "answer-with-citations"
    assert explains(EvidenceUnavailable("x"), ["graph", "workspace", "capture"]) == "save-facts"
    assert explains(StoreUnavailable("x"), ["search"]) is None


def test_json_names_the_card_in_a_field_of_its_own(library: Program) -> None:
    done = library.run("files", "chunks", "p_000000000000", "--json").expect(3)
    assert '"card": "passage"' in done.err.splitlines()[-1]
