"""`ask`: the answer as it comes, its citations, the note, and a model that does not do as it should."""

from __future__ import annotations

import json
import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.program import Program, picture, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL = Path(__file__).parents[1] / "library" / "model.py"
LAMP = "# Lamp room\n\nBrass and glass.\n\n## Wick\n\nTrim the wick every evening.\n"
WICK = "lamp.md § Wick (Line 5)"
OTHER = "other.md § Else (Line 1)"


def with_model(program: Program, mode: str, settings: str = "") -> Program:
    """Sets the model command."""
    place = program.config_home / "stonebrowse" / "settings.toml"
    place.parent.mkdir(parents=True, exist_ok=True)
    command = json.dumps([sys.executable, str(MODEL), mode])
    place.write_text(f"[ask]\ncommand = {command}\n{settings}\n")
    return program


@pytest.fixture
def asked(make: Callable[..., Program]) -> Program:
    return with_model(make({"lamp.md": LAMP, "other.md": "# Else\n\nzebra\n"}), "cites")


def test_the_answer_and_its_citations(asked: Program) -> None:
    done = asked.ok("ask", "Who trims the wick?")
    answer, _, marked = done.out.partition("\n\n")
    assert answer == f"It stands in {WICK}, see also {OTHER} and nothing.md § No (Line 9)."
    assert marked.splitlines() == [
        f"handed over: {WICK}",
        f"in the library, not handed over: {OTHER}",
        "unknown: nothing.md § No (Line 9)",
    ]
    as_json = asked.ask("ask", "Who trims the wick?")
    assert as_json["answer"] == answer + "\n"
    assert [each["standing"] for each in as_json["citations"]] == ["handed_over", "in_library", "unknown"]
    assert WICK in [each["citation"] for each in as_json["sources"]]
    assert as_json["engraved"] is None


def test_the_prompt(asked: Program) -> None:
    prompt = asked.ok("ask", "--prompt", "Who trims the wick?").out
    found = re.search(r"^<<<([0-9a-f]{32})$", prompt, re.MULTILINE)
    assert found
    assert f"[{found[1]}] {WICK}\n## Wick\n" in prompt
    as_json = asked.ask("ask", "--prompt", "Who trims the wick?")
    assert as_json["prompt"].startswith("You answer a question")
    assert asked.file("lamp.md")["version_id"] in [each["version_id"] for each in as_json["sources"]]


def test_without_a_command_the_prompt_is_printed(make: Callable[..., Program]) -> None:
    program = make({"lamp.md": LAMP})
    done = program.ok("ask", "wick")
    assert f"] {WICK}\n" in done.out
    assert "ask.command" in done.err
    program.run("ask", "wick", "--engrave", "note.md").refusal(2, "input_invalid")


def test_nothing_fits(asked: Program) -> None:
    assert asked.run("ask", "xylophone").expect(1).out == ""
    assert asked.run("ask", "xylophone", "--json").expect(1).json()["answer"] is None
    asked.run("ask", " ").refusal(2, "input_invalid")


def test_the_answer_is_engraved(asked: Program) -> None:
    done = asked.ask("ask", "Who trims\nthe wick?", "--engrave", "answers/wick.md")
    assert [each["citation"] for each in done["engraved"]["sources"]] == [WICK, OTHER]
    text = (asked.folder / "answers/wick.md").read_text()
    assert "\n# Who trims" in text
    assert "2 of 2 sources hold" in asked.ok("notes", "list", "--check").out
    asked.run("cite", "answers/wick.md").refusal(4, "file_not_evidence")
    # The model is not asked for what could not be written then.
    with_model(asked, "hangs")
    asked.run("ask", "wick", "--engrave", "answers/wick.md").refusal(2, "input_invalid")


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("fails", "status 3"),
        ("floods", "more than"),
        ("silent", "answered nothing"),
        ("hangs", "wrote nothing"),
    ],
)
def test_a_model_that_does_not_answer(asked: Program, mode: str, said: str) -> None:
    with_model(asked, mode, "silence_seconds = 1")
    before = picture(asked.folder)
    done = asked.run("ask", "wick", "--engrave", "note.md").expect(2)
    assert "stonebrowse: input_invalid: the model command" in done.err
    assert said in done.err
    assert "\x1b" not in done.err
    assert picture(asked.folder) == before


def test_a_command_that_is_not_there(asked: Program) -> None:
    place = asked.config_home / "stonebrowse" / "settings.toml"
    place.write_text('[ask]\ncommand = ["no-such-model; touch hacked"]\n')
    assert "cannot be started" in asked.run("ask", "wick").refusal(2, "input_invalid")
    assert not (asked.root / "hacked").exists()


def test_control_characters_do_not_come_through(asked: Program) -> None:
    with_model(asked, "controls")
    for words in ((), ("--json",), ("--engrave", "note.md")):
        done = asked.ok("ask", "wick", *words)
        assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.out)
    assert b"\x1b" not in (asked.folder / "note.md").read_bytes()


def is_running(process: int) -> bool:
    with suppress(OSError):
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    return False


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_is_ended_with_its_children(asked: Program, number: signal.Signals, status: int) -> None:
    with_model(asked, "hangs")
    process = asked.start("ask", "wick", "--engrave", "note.md")
    assert process.stdout is not None
    said = process.stdout.readline().split()
    children = [int(word) for word in said[1:]]
    assert all(map(is_running, children))
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == status, err
    assert b"Traceback" not in err
    wait_until(lambda: not any(map(is_running, children)), "the model and its child are ended", 10)
    assert not (asked.folder / "note.md").exists()


def test_a_reader_that_goes_away(asked: Program) -> None:
    with_model(asked, "slowly")
    process = asked.start("ask", "wick")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.read(1) == b"o"
    process.stdout.close()
    assert process.wait(30) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
