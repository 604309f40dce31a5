"""`files text`: windows of the text, exact to the byte."""

from __future__ import annotations

import re

import pytest

from tests.cli.program import DIGEST, ID, Program

WIDE = "a日é😀z\n" * 3
FILES: dict[str, str | bytes] = {
    "ten.md": b"0123456789",
    "wide.md": WIDE,
    "crlf.md": b"# A\r\n\r\ntext\r\n",
    "bom.md": b"\xef\xbb\xbf# Start\n",
    "zero.md": b"",
    "long.md": "# Long\n" + "0123456789abcde\n" * 8192,
    "pages.md": "one\n\ftwo\n\fthree\n",
    "escape.md": b"# A\n\n\x1b[31mred\x07\n",
    "utf16.md": "\ufeff# Ü\n".encode("utf-16-le"),
}
LAST = re.compile(r"(?:end of text|stopped at byte (\d+) of (\d+); continue with --start (\d+))\n\Z")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program.in_dir(tmp_path_factory.mktemp("text"), FILES)
    program.sync()
    return program


def test_the_whole_text_and_then_one_last_line(program: Program) -> None:
    assert program.ok("files", "text", "wide.md").stdout == WIDE.encode() + b"end of text\n"
    assert program.ok("files", "text", "crlf.md").stdout == b"# A\r\n\r\ntext\r\nend of text\n"
    assert program.ok("files", "text", "bom.md").stdout == b"\xef\xbb\xbf# Start\nend of text\n"


def test_a_line_end_is_added_only_where_it_is_missing(program: Program) -> None:
    assert program.ok("files", "text", "ten.md").stdout == b"0123456789\nend of text\n"
    stopped = b"0123\nstopped at byte 4 of 10; continue with --start 4\n"
    assert program.ok("files", "text", "ten.md", "--max-bytes", "4").stdout == stopped


def test_an_empty_file_and_the_place_behind_the_last_byte(program: Program) -> None:
    assert program.ok("files", "text", "zero.md").stdout == b"end of text\n"
    assert program.ok("files", "text", "ten.md", "--start", "10").stdout == b"end of text\n"
    window = program.ask("files", "text", "ten.md", "--start", "10")
    assert (window["start"], window["end"], window["text"], window["end_of_text"]) == (10, 10, "", True)


def test_in_a_pipe_nothing_is_escaped(program: Program) -> None:
    done = program.ok("files", "text", "escape.md")
    assert done.stdout == b"# A\n\n\x1b[31mred\x07\nend of text\n"


def test_the_bytes_do_not_depend_on_the_locale(program: Program) -> None:
    env = {"LC_ALL": "C", "LANG": None, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    assert program.ok("files", "text", "wide.md", env=env).stdout == WIDE.encode() + b"end of text\n"
    env = {"PYTHONIOENCODING": "latin-1"}
    assert program.ok("files", "text", "wide.md", env=env).stdout == WIDE.encode() + b"end of text\n"


def test_without_limits_a_window_is_64_kib(program: Program) -> None:
    window = program.ask("files", "text", "long.md")
    assert (window["start"], window["end"], window["end_of_text"]) == (0, 65_536, False)
    assert window["size"] == len(FILES["long.md"])
    last = LAST.search(program.ok("files", "text", "long.md").out)
    assert last is not None
    assert last.groups() == ("65536", str(window["size"]), "65536")


def test_windows_that_follow_each_other_add_up(program: Program) -> None:
    raw = WIDE.encode()
    got, start = b"", 0
    for _ in range(len(raw)):
        window = program.ask("files", "text", "wide.md", "--no-sync", f"--start={start}", "--max-bytes=5")
        assert 0 < window["end"] - window["start"] <= 5
        assert window["start"] == start
        got += window["text"].encode()
        start = window["end"]
        if window["end_of_text"]:
            break
    assert got == raw
    out = program.ok("files", "text", "wide.md", "--start", "0", "--max-bytes", "9").out
    last = LAST.search(out)
    assert last is not None
    assert last[1] == last[3]
    assert int(last[2]) == len(raw)


@pytest.mark.parametrize("start", [1, 2, 3, 5, 7, 9, 11])
def test_a_window_never_splits_a_character(program: Program, start: int) -> None:
    raw = WIDE.encode()
    window = program.ask("files", "text", "wide.md", "--no-sync", "--start", str(start), "--max-bytes", "4")
    begin = start
    while raw[begin] & 0xC0 == 0x80:
        begin -= 1
    end = begin + 4
    while raw[end] & 0xC0 == 0x80:
        end -= 1
    assert (window["start"], window["end"]) == (begin, end)
    assert window["text"].encode() == raw[begin:end]
    assert window["end_of_text"] is False


@pytest.mark.parametrize("start", ["11", "99999999999999999999", "-1", "abc", "1.5", ""])
def test_a_start_that_is_no_place_of_the_text_is_refused_with_its_size(program: Program, start: str) -> None:
    sentence = program.run("files", "text", "ten.md", "--start", start).refusal(2, "input_invalid")
    assert re.search(r"\b10\b", sentence), sentence


@pytest.mark.parametrize("limit", ["3", "0", "-5", "abc"])
def test_a_window_holds_at_least_the_longest_character(program: Program, limit: str) -> None:
    program.run("files", "text", "ten.md", f"--max-bytes={limit}").refusal(2, "input_invalid")


@pytest.mark.parametrize("limit", ["10", "11", "99999999999999999999"])
def test_a_limit_beyond_the_end_gives_what_is_there(program: Program, limit: str) -> None:
    window = program.ask("files", "text", "ten.md", "--max-bytes", limit)
    assert (window["text"], window["end"], window["end_of_text"]) == ("0123456789", 10, True)


def test_the_json_has_the_fields_that_scripts_read(program: Program) -> None:
    window = program.ask("files", "text", "ten.md", "--start", "2", "--max-bytes", "4")
    wanted = {"number": 1, "path": "ten.md", "start": 2, "end": 6, "size": 10, "text": "2345"}
    assert {key: window[key] for key in wanted} == wanted
    assert window["end_of_text"] is False
    assert ID["f"].fullmatch(window["file_id"])
    assert ID["v"].fullmatch(window["version_id"])
    assert DIGEST.fullmatch(window["digest"])


def test_offsets_are_those_of_the_text_not_of_other_encodings(program: Program) -> None:
    window = program.ask("files", "text", "utf16.md")
    assert (window["text"], window["size"]) == ("# Ü\n", 5)


def test_pages_stand_between_form_feeds(program: Program) -> None:
    pages = [program.ask("files", "text", "pages.md", "--page", str(number)) for number in (1, 2, 3)]
    assert [page["text"].strip("\f") for page in pages] == ["one\n", "two\n", "three\n"]
    raw = "one\n\ftwo\n\fthree\n"
    assert [raw[page["start"] : page["end"]] for page in pages] == [page["text"] for page in pages]
    assert program.ok("files", "text", "pages.md", "--page", "2").out.startswith("two\n")
    assert LAST.search(program.ok("files", "text", "pages.md", "--page", "2").out)
    assert LAST.search(program.ok("files", "text", "pages.md", "--page", "3").out)


def test_a_file_without_form_feeds_has_one_page(program: Program) -> None:
    assert program.ask("files", "text", "ten.md", "--page", "1")["text"] == "0123456789"
    program.run("files", "text", "ten.md", "--page", "2").refusal(3, "not_found")
    program.run("files", "text", "pages.md", "--page", "4").refusal(3, "not_found")


@pytest.mark.parametrize(
    "options",
    [
        ["--page", "1", "--start", "0"],
        ["--page", "1", "--max-bytes", "10"],
        ["--page", "0"],
        ["--page", "-1"],
        ["--page", "x"],
    ],
    ids=" ".join,
)
def test_pages_and_offsets_do_not_mix(program: Program, options: list[str]) -> None:
    program.run("files", "text", "ten.md", *options).refusal(2, "input_invalid")
