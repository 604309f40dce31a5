"""What the options that stand everywhere say, and the library that they name."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stonebrowse.cli.output import Output
from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from stonebrowse.library.library import Library
    from stonebrowse.library.status import Status
    from stonebrowse.settings import Settings

# Shorter work shows no progress: a line that flashes is worse than none.
QUIET_SECONDS = 1.0


@dataclass(slots=True)
class Session:
    """One run of the program.

    Attributes:
        folder: the folder named by `-C` or the environment; None is the current one.
        store: the store's place named by `--store` or the environment.
        json: whether results are JSON.
        relocate: whether the store's folder has moved to this one.
        sync: whether reading commands first bring the library up to date.
        words: the words of the command line that named a command.
    """

    folder: str | None = None
    store: str | None = None
    json: bool = False
    relocate: bool = False
    sync: bool = True
    words: list[str] = field(default_factory=list)
    output: Output = field(default_factory=Output)

    def settings(self) -> Settings:
        """The user's settings; what is wrong with them is said on standard error."""
        from stonebrowse.settings import load

        loaded = load()
        for fault in loaded.faults:
            self.output.warn(str(fault))
        return loaded.settings

    def open(self, folder: str | None = None, *, write: bool = False) -> Library:
        """Opens the library without bringing it up to date.

        Args:
            folder: another than the one that the options name.
            write: the store will be written, also with `--no-sync`.

        Raises:
            StonebrowseError: see `Library.open`.
        """
        from stonebrowse.library.library import Library

        named = folder if folder is not None else self.folder or os.environ.get("STONEBROWSE_FOLDER") or "."
        store = self.store or os.environ.get("STONEBROWSE_STORE") or None
        if "\0" in named or (store and "\0" in store):
            raise InputInvalid("a path cannot hold a NUL byte")
        return Library.open(
            Path(named),
            store=Path(store) if store else None,
            settings=self.settings(),
            create=self.sync,
            write=self.sync or write,
            relocate=self.relocate,
        )

    def library(self, folder: str | None = None, *, write: bool = False) -> Library:
        """Opens the library and, unless told not to, brings it up to date with its folder."""
        library = self.open(folder, write=write)
        if self.sync:
            try:
                progress = Progress(self.output)
                library.update(say=self.output.warn, on_status=progress.show)
                progress.end()
            except BaseException:
                library.close()
                raise
        return library


class Progress:
    """One line on a terminal's standard error that says how far the work is."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._begun = time.monotonic()
        self._shown = False

    def show(self, status: Status) -> None:
        """Shows a status, if the work takes long enough to be shown."""
        self.tell(
            f"{status.phase} {status.done:,} of {status.of:,} files" if status.of else f"{status.phase} …"
        )

    def tell(self, text: str) -> None:
        """Shows one line of our own in place of the one before, if the work takes long enough to be shown."""
        if not sys.stderr.isatty() or time.monotonic() - self._begun < QUIET_SECONDS:
            return
        sys.stderr.write(f"\r\x1b[K{text}" if self._output.controls else "")
        sys.stderr.flush()
        self._shown = True

    def end(self) -> None:
        """Takes the line away."""
        if self._shown and self._output.controls:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Notes an option's value, wherever on the line the option stands."""
    session = context.find_object(Session)
    if session is None or value is None or value is False:
        return
    assert parameter.name is not None
    if parameter.name == "no_sync":
        session.sync = False
    elif parameter.name == "plain":
        session.output.bare = True
    elif parameter.name == "color":
        session.output.color = value
    else:
        setattr(session, parameter.name, value)


def common_options(*, hidden: bool) -> list[click.Parameter]:
    """The options that every command takes."""

    def option(*names: str, **attributes: Any) -> click.Option:
        return click.Option(names, callback=_keep, expose_value=False, hidden=hidden, **attributes)

    return [
        option("-C", "--folder", "folder", metavar="DIR", help="The folder (default: the current one)."),
        option("--store", metavar="DIR", help="Where its store lies."),
        option("--json", is_flag=True, help="Print results and errors as JSON."),
        option("--color", type=click.Choice(["auto", "always", "never"]), help="Colours in the output."),
        option("--plain", is_flag=True, help="No columns, colours or blank lines: for a screen reader."),
        option("--relocate", is_flag=True, help="The folder has moved here: its store belongs to it."),
        option("--no-sync", is_flag=True, help="Read what is stored, without looking at the folder first."),
    ]


class Command(click.Command):
    """A command that takes the options which stand everywhere."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        attributes.setdefault("context_settings", {}).setdefault("help_option_names", ["-h", "--help"])
        super().__init__(*arguments, **attributes)
        self.params.extend(common_options(hidden=True))


class Group(click.Group):
    """A group of such commands."""

    command_class = Command

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        attributes.setdefault("context_settings", {}).setdefault("help_option_names", ["-h", "--help"])
        super().__init__(*arguments, **attributes)
        self.params.extend(common_options(hidden=True))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; it is noted, so that a refusal can name its card."""
        found = super().resolve_command(ctx, args)
        session = ctx.find_object(Session)
        if session is not None and found[0] is not None:
            session.words.append(found[0])
        return found


Group.group_class = Group
