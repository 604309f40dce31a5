"""The program: its commands, and the edge where every error becomes a line and an exit status."""

from __future__ import annotations

import contextlib
import difflib
import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any

import click

from stonebrowse import __version__
from stonebrowse.cli import (
    asking,
    browsing,
    caring,
    citing,
    completing,
    editions,
    files,
    finding,
    graph,
    graph_files,
    helping,
    models,
    notes,
    reviewing,
    serving,
    storing,
    syncing,
    theming,
    tray,
    versions,
)
from stonebrowse.cli.session import Group, Session, common_options
from stonebrowse.errors import InputInvalid, Internal, StonebrowseError, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130

EPILOG = """FILE is a File ID or a path, VERSION a version ID or a number; IDs may be shortened.

The options above may stand before or after any command. The environment's STONEBROWSE_FOLDER and
STONEBROWSE_STORE name folder and store, NO_COLOR turns colours off.

Exit status: 0 done; 1 the honest answer is no; 2 wrong use; 3 not found; 4 refused as evidence;
5 the folder, the store or the index cannot be used now; 70 a fault in stonebrowse."""


class Program(Group):
    """The top of the command line, where a word that is no command is a folder or a document."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; else browsing what it names."""
        word = args[0]
        if word not in self.commands:
            near = difflib.get_close_matches(word, self.commands, n=1)
            if near and not os.path.lexists(word) and os.sep not in word:
                raise InputInvalid(f"there is no command and no folder {word!r}; did you mean {near[0]!r}?")
            return browsing.browse.name, browsing.browse, args
        return super().resolve_command(ctx, args)


@click.group(cls=Program, invoke_without_command=True, epilog=EPILOG)
@click.version_option(__version__, message="stonebrowse %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Browse, search and cite a folder of Markdown.

    `stonebrowse [FOLDER]` opens the browser (a Markdown file: its folder at that file). In a pipe it brings
    the library up to date and lists its files.
    """
    if context.invoked_subcommand is None:
        context.invoke(browsing.browse, place=None)


program.params[:] = [
    *(parameter for parameter in program.params if not getattr(parameter, "hidden", False)),
    *common_options(hidden=False),
]
for command in (
    finding.search,
    browsing.open_reference,
    citing.cite,
    citing.check,
    files.files,
    syncing.sync,
    syncing.watch,
    reviewing.review,
    tray.tray,
    graph.graph,
    graph.explored,
    graph.confirm,
    asking.ask,
    notes.notes,
    caring.doctor,
    caring.backup,
    storing.store,
    caring.config,
    theming.themes,
    completing.completion,
    browsing.guide,
    helping.explained,
    serving.serve,
    models.mcp,
):
    program.add_command(command)
versions.add_to(files.files)
graph_files.add_to(graph.graph)
graph.graph.add_command(editions.edition)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program.

    Args:
        arguments: the command line without the program's name; None are the process's own.

    Returns:
        The exit status.
    """
    if arguments is None and completing.complete(program):
        return 0
    words = list(sys.argv[1:] if arguments is None else arguments)
    session = Session()
    as_json = "--json" in (words[: words.index("--")] if "--" in words else words)
    _prepare_streams()
    try:
        # Not `program.main`, which turns a closed pipe into an exit status of 1.
        with program.make_context("stonebrowse", words, obj=session) as context:
            program.invoke(context)
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - the edge: whatever happens becomes a line and a status
        return _failed(error, as_json=as_json, session=session)
    return 0


def _failed(error: BaseException, *, as_json: bool, session: Session) -> int:
    """Says what went wrong, and gives the exit status for it."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        _abandon_output()
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        _abandon_output()
        return 0
    known = _translated(error)
    if isinstance(known, Internal):
        from stonebrowse.library.log import log_line

        log_line("".join(traceback.format_exception(error)))
    elif isinstance(known, StoreUnavailable) and isinstance(error, OSError):
        _abandon_output()
    session.output.failure(known, card=_card(known, session), as_json=as_json)
    return known.exit_status


def _card(error: StonebrowseError, session: Session) -> str | None:
    from stonebrowse.library.cards import explains

    return explains(error, session.words)


def _translated(error: BaseException) -> StonebrowseError:
    if isinstance(error, StonebrowseError):
        return error
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        command = error.ctx.command_path
        names = (
            error.ctx.command.list_commands(error.ctx) if isinstance(error.ctx.command, click.Group) else []
        )
        return InputInvalid(f"{command} wants one of {', '.join(names)}; see `{command} --help`")
    if isinstance(error, click.UsageError):
        # Browsing is what happens without a command: it has no name that a person could type.
        command = (
            error.ctx.command_path.removesuffix(f" {browsing.browse.name}") if error.ctx else "stonebrowse"
        )
        message = error.format_message().rstrip(".")
        return InputInvalid(f"{message[:1].lower()}{message[1:]}; see `{command} --help`")
    if isinstance(error, click.ClickException):
        return InputInvalid(error.format_message())
    if isinstance(error, OSError) and error.filename is None and error.errno is not None:
        return StoreUnavailable(f"standard output cannot be written ({os.strerror(error.errno)})")
    from stonebrowse.settings.places import log_file

    return Internal(f"a fault in stonebrowse ({type(error).__name__}); the log {log_file()} says where")


def _prepare_streams() -> None:
    """UTF-8 whatever the locale, and no traceback when a stream is closed from the start."""
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    with contextlib.suppress(ValueError):  # only the main thread may
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(*_: object) -> None:
    raise SystemExit(128 + signal.SIGTERM)


def _abandon_output() -> None:
    """Keeps the interpreter from flushing once more, at exit, what cannot be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
