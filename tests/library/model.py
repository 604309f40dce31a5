"""A small program that stands for a model: what it does is its first argument.

It is run as `python model.py MODE`, reads a prompt and writes an answer, like any model command.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time


def citations(prompt: str) -> list[str]:
    """The citations above the passages in the fence."""
    nonce = prompt.partition("<<<")[2].partition(" ")[0].strip()
    return re.findall(rf"^\[{nonce}\] (.*)$", prompt, re.MULTILINE)


def answer(mode: str, prompt: str) -> None:
    """Answers as models do."""
    say = sys.stdout.write
    if mode == "cites":
        say(f"It stands in {citations(prompt)[-1]}, see also other.md § Else (Line 1)")
        say(" and nothing.md § No (Line 9).\n")
    elif mode == "slowly":
        for word in ("one ", "two ", "trois é\r", "\nfour"):
            for byte in word.encode():
                sys.stdout.buffer.write(bytes([byte]))
                sys.stdout.buffer.flush()
            time.sleep(0.05)
    elif mode == "echoes":
        say(prompt)
    else:
        misbehave(mode)


def misbehave(mode: str) -> None:
    """Answers as no model should."""
    say = sys.stdout.write
    if mode == "controls":
        say("a\x1b]52;c;Zm9v\x07b\x1b[2Jc\x9bd\rfake\x00\u202eend\n")
        sys.stdout.flush()
        sys.stdout.buffer.write(b"\xff\xfe\xc3")
    elif mode == "fails":
        say("half an answer")
        sys.stderr.write("first\nthe model \x1b[31mburnt\n")
        sys.exit(3)
    elif mode == "floods":
        while True:
            say("flood " * 10_000)
    elif mode == "complains":
        sys.stderr.write("noise " * 200_000)
        say("done\n")


def main() -> None:
    """Does what the first argument says."""
    mode = sys.argv[1]
    if mode == "deaf":  # does not read its prompt
        sys.stdout.write("heard nothing\n")
    elif mode == "silent":
        sys.stdin.read()
    elif mode in {"hangs", "leaves"}:
        # A child of its own that would go on for ever, and says who it is.
        child = subprocess.Popen(["sleep", "1000"], stdout=None if mode == "leaves" else subprocess.DEVNULL)
        sys.stdout.write(f"begun {os.getpid()} {child.pid}\n")
        sys.stdout.flush()
        time.sleep(0 if mode == "leaves" else 1000)
    else:
        answer(mode, sys.stdin.read())


if __name__ == "__main__":
    main()
