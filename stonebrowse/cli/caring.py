"""`doctor`, `backup` and `config`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stonebrowse.cli.session import Command, Group, Progress, Session
from stonebrowse.errors import InputInvalid

if TYPE_CHECKING:
    from stonebrowse.library.checkup import Checkup
    from stonebrowse.library.library import Library


@click.command(cls=Command)
@click.option("--rebuild-index", is_flag=True, help="Build the search index anew first.")
@click.option(
    "--report",
    "report",
    metavar="FILE",
    help="Write what a maintainer needs to a new file; no text, no names.",
)
@click.pass_context
def doctor(context: click.Context, rebuild_index: bool, report: str | None) -> None:
    """Check every digest, the store's own integrity and the index. Repairs nothing by itself.

    Exit status 1 when damage is found.
    """
    session = context.ensure_object(Session)
    if report is not None:
        _check_place(report)
    with session.open() as library:
        progress = Progress(session.output)
        if rebuild_index:
            library.update(rebuild=True, insist=True, say=session.output.warn, on_status=progress.show)
        checkup = library.check(lambda done, of: progress.tell(f"checking {done:,} of {of:,} …"))
        progress.end()
        if session.json:
            session.output.json(checkup.as_json())
        else:
            _print_checkup(session, checkup)
        if report is not None:
            _write_report(session, library, checkup, Path(report))
        if checkup.faults:
            context.exit(1)


def _print_checkup(session: Session, checkup: Checkup) -> None:
    for fault in checkup.faults:
        session.output.plain(f"damaged: {fault}")
    for remark in checkup.remarks:
        session.output.plain(remark)
    session.output.line(
        f"{checkup.files} files, {checkup.versions} versions,"
        f" {len(checkup.faults) or 'no'} {'fault' if len(checkup.faults) == 1 else 'faults'}"
    )


def _write_report(session: Session, library: Library, checkup: Checkup, place: Path) -> None:
    from stonebrowse.library.new_files import write_new_file

    write_new_file(place, library.report(checkup), mode=0o600)
    session.output.warn(f"the report is in {place}; read it before you send it")


def _check_place(place: str) -> None:
    from stonebrowse.library.new_files import refuse_what_is_there

    if not place or "\0" in place:
        raise InputInvalid("give the path of a new file or folder")
    refuse_what_is_there(Path(place))


@click.command(cls=Command)
@click.argument("place", metavar="PATH")
@click.pass_context
def backup(context: click.Context, place: str) -> None:
    """Copy the store, as it is at this moment, into a new folder. Others may go on using it.

    `stonebrowse --store PATH` opens the copy.
    """
    session = context.ensure_object(Session)
    _check_place(place)
    # What is stored is copied, whatever became of the folder.
    session.sync = False
    with session.open() as library:
        size = library.backup(Path(place))
        if session.json:
            session.output.json({"path": place, "bytes": size})
        else:
            session.output.plain(f"{size} bytes are in {place}")


@click.group(cls=Group)
def config() -> None:
    """Show or change the settings."""


@config.command()
@click.pass_context
def path(context: click.Context) -> None:
    """Print where the settings file is."""
    from stonebrowse.settings.places import settings_file

    session = context.ensure_object(Session)
    place = str(settings_file())
    if session.json:
        session.output.json({"path": place})
    else:
        session.output.plain(place)


@config.command()
@click.pass_context
def show(context: click.Context) -> None:
    """Print every setting, as TOML. Exit status 2 when the file has faults."""
    import tomllib

    from stonebrowse.settings import load
    from stonebrowse.settings import show as show_settings

    session = context.ensure_object(Session)
    loaded = load()
    text = show_settings(loaded.settings)
    if session.json:
        session.output.json(tomllib.loads(text))
    else:
        sys.stdout.write(text)
    for fault in loaded.faults:
        session.output.warn(f"input_invalid: {fault}")
    if loaded.faults:
        context.exit(2)


@config.command("set")
@click.argument("key")
@click.argument("value")
@click.pass_context
def set_setting(context: click.Context, key: str, value: str) -> None:
    """Change one setting, as `config set reader.width 80`."""
    from stonebrowse.settings import set_value
    from stonebrowse.settings.places import settings_file

    session = context.ensure_object(Session)
    set_value(settings_file(), key, value)
    if session.json:
        session.output.json({"path": str(settings_file()), "key": key})
