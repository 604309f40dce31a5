"""A citation leads back to its text: the line it names is the heading's line in the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.cli.program import Program

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "front.md": "---\ntitle: x\n---\n\n# First thing\n\ntext\n",
    "crlf.md": "pre\r\n\r\n# Alpha beta\r\n\r\n## Gamma\r\n",
    "cr.md": "pre\r\r# Alpha beta\r\rGamma\r---\r",
    "feeds.md": "pre\f\n\v\n# Alpha\fbeta\n\n## Gamma\n",
    "separators.md": "pre\u2028x\u2029y\u0085z\n# Alpha\n",
    "setext.md": "pre\n\nA title of\ntwo lines\n===\n\ntext\n",
    "bom.md": "\ufeff# Alpha\n",
    "blank.md": "\n\n\n\nfirst words\n\n# Alpha\n",
    "signs.md": "# § 4 (Line 3)\n## Scope § 2 (Line 99)\n## (Line 1)\n## Trailing §\n",
    "empty.md": "text\n\n#\n\nunder an empty heading\n",
    "sub/nested.md": "# A\n## A\n### A\n## A\n",
}

OPENED = ("crlf.md", "feeds.md", "signs.md", "empty.md")


def test_the_line_of_a_citation_is_the_line_in_the_file(tmp_path: Path) -> None:
    program = Program.in_dir(tmp_path, FILES)
    program.sync()
    for path, text in FILES.items():
        lines = re.split("\r\n|\n|\r", text)
        for passage in program.passages(path, "--no-sync"):
            line = lines[passage["line"] - 1]
            heading = passage["label"].removeprefix(path).removeprefix(" § ")
            if heading:
                assert re.split(r"[\s\\]", heading)[0] in line
            else:
                assert line.strip("\ufeff \t")
            if path in OPENED:
                opened = program.ask("open", "--print", passage["citation"], "--no-sync")
                assert opened["passage_id"] == passage["passage_id"]
                assert opened["citation"] == passage["citation"]


def test_one_string_in_every_place(handbook: Program) -> None:
    citation = "tools/printer.md § Toner (Line 12)"
    listed = next(one for one in handbook.passages("tools/printer.md") if one["line"] == 12)
    assert listed["citation"] == citation
    assert handbook.found("parse_toner_level") == [citation]
    for args in (
        ["search", "parse_toner_level"],
        ["files", "passages", "tools/printer.md"],
        ["files", "chunks", listed["passage_id"]],
        ["open", "--print", citation],
    ):
        assert citation in handbook.ok(*args).out
