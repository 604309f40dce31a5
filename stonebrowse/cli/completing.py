"""`completion`: what a shell asks while a command is being typed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import StonebrowseError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VARIABLE = "_STONEBROWSE_COMPLETE"
NAME = "stonebrowse"
MOST_PATHS = 2_000


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "fish", "zsh"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete commands, options and paths.

    bash and zsh: eval "$(stonebrowse completion bash)" in ~/.bashrc or ~/.zshrc. fish: write it to
    ~/.config/fish/completions/stonebrowse.fish.
    """
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    asked = kind(context.find_root().command, {}, NAME, VARIABLE)
    # Not the class's own: that of bash first starts bash, to look at its version.
    sys.stdout.write(ShellComplete.source(asked))


def complete(program: click.Command) -> bool:
    """Answers a shell that asks, by the environment, what may come next; says whether one did."""
    from click.shell_completion import get_completion_class

    shell, _, instruction = os.environ.get(VARIABLE, "").partition("_")
    kind = get_completion_class(shell) if instruction == "complete" else None
    if kind is None:
        return False
    answer = kind(program, {"obj": Session()}, NAME, VARIABLE).complete()
    sys.stdout.write(answer + "\n")
    return True


def paths(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The library's paths that begin so, from what is stored, without looking at the folder."""
    from click.shell_completion import CompletionItem

    del parameter
    return [CompletionItem(path) for path in _paths(context) if path.startswith(incomplete)][:MOST_PATHS]


def _paths(context: click.Context) -> list[str]:
    from stonebrowse.library.library import Library

    session = context.find_object(Session) or Session()
    folder = session.folder or os.environ.get("STONEBROWSE_FOLDER") or "."
    store = session.store or os.environ.get("STONEBROWSE_STORE")
    try:
        with Library.open(Path(folder), store=Path(store) if store else None, create=False) as library:
            return [file.path for file in library.files()]
    except StonebrowseError:
        return []  # nothing is stored yet, or cannot be read now: then nothing is offered


FILE = click.argument("file", shell_complete=paths)
"""The argument FILE: a File ID or a path, which a shell completes."""
