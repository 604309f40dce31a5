"""Golden transcripts: what a person sees, command by command.

A transcript is a text file in `transcripts/`:

    # a remark
    % echo 'a shell line, run in the folder'
    $ stonebrowse search pangolin
    what comes on standard output
    ! what comes on standard error
    [exit 0]

It runs on a copy of `tests/data/contract/handbook`. IDs, digests, times, durations and places are written in
a form that is the same in every run (see `Names`). With STONEBROWSE_TRANSCRIPTS=write in the environment the
files are written anew instead of compared: read the difference before it is kept.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import DATA, Program

PLACE = Path(__file__).parent / "transcripts"


class Names:
    """Gives what differs from run to run names that do not, of the same width where columns depend on it."""

    def __init__(self, program: Program) -> None:
        """Knows the places of this run."""
        self.places = {
            str(program.folder): "/FOLDER",
            str(program.store): "/STORE",
            str(program.root): "/ROOT",
        }
        self.seen: dict[str, dict[str, str]] = {}

    def number(self, kind: str, value: str, width: int) -> str:
        known = self.seen.setdefault(kind, {})
        return known.setdefault(value, str(len(known) + 1).rjust(width, "0"))

    def plain(self, text: str) -> str:
        """A text of this run as the transcript has it."""
        for place, name in self.places.items():
            text = text.replace(place, name)
        text = re.sub(
            r"\b([fvp])_([0-9a-hjkmnp-tv-z]{12})\b",
            lambda found: (
                f"{found[1]}_{self.number(found[1], found[2], 12)}" if found[2].strip("0") else found[0]
            ),
            text,
        )
        text = re.sub(
            r"sha256:([0-9a-f]{64})", lambda found: f"sha256:{self.number('digest', found[1], 64)}", text
        )
        text = re.sub(r"\d{4}-\d\d-\d\d([T ])\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|\+00:00)?", "TIME", text)
        text = re.sub(r"\b\d+\.\d+(?= ?s(?:econds?)?\b)", "0.0", text)
        text = re.sub(r"(seconds\W+)\d+(\.\d+)?", r"\g<1>0.0", text)
        return re.sub(r'("score": )[0-9.e-]+', r"\g<1>1.0", text)

    def real(self, line: str) -> str:
        """A line of the transcript with this run's IDs in place of the names."""
        for kind in "fvp":
            for value, number in self.seen.get(kind, {}).items():
                line = line.replace(f"{kind}_{number}", f"{kind}_{value}")
        for place, name in self.places.items():
            line = line.replace(name, place)
        return line


def play(file: Path, program: Program) -> str:
    """Runs a transcript; gives it as it should read."""
    names = Names(program)
    played: list[str] = []
    in_output = False
    for line in file.read_text(encoding="utf-8").splitlines():
        if in_output:
            in_output = not re.fullmatch(r"\[exit \d+\]", line)
        elif line.startswith("% "):
            played.append(line)
            subprocess.run(["sh", "-ec", line[2:]], cwd=program.folder, check=True)
        elif line.startswith("$ stonebrowse "):
            played.append(line)
            done = program.run(*shlex.split(names.real(line))[2:])
            played += names.plain(done.out).splitlines()
            played += [f"! {said}".rstrip() for said in names.plain(done.err).splitlines()]
            played.append(f"[exit {done.code}]")
            in_output = True
        else:
            played.append(line)
    return "\n".join(played) + "\n"


@pytest.mark.parametrize("file", sorted(PLACE.glob("*.txt")), ids=lambda file: str(file.stem))
def test_transcript(file: Path, tmp_path: Path) -> None:
    shutil.copytree(DATA / "handbook", tmp_path / "handbook")
    program = Program(tmp_path, tmp_path / "handbook", tmp_path / "store")
    played = play(file, program)
    if os.environ.get("STONEBROWSE_TRANSCRIPTS") == "write":
        file.write_text(played, encoding="utf-8")
    assert played == file.read_text(encoding="utf-8")


def test_there_are_transcripts() -> None:
    assert list(PLACE.glob("*.txt"))
