"""`doctor` and `config`."""

from __future__ import annotations

import sys

import click

from stonebrowse.cli.session import Command, Group, Progress, Session


@click.command(cls=Command)
@click.option("--rebuild-index", is_flag=True, help="Build the search index anew first.")
@click.pass_context
def doctor(context: click.Context, rebuild_index: bool) -> None:
    """Check every digest, the store's own integrity and the index. Repairs nothing by itself.

    Exit status 1 when damage is found.
    """
    session = context.ensure_object(Session)
    with session.open() as library:
        if rebuild_index:
            progress = Progress(session.output)
            library.update(rebuild=True, insist=True, say=session.output.warn, on_status=progress.show)
            progress.end()
        checkup = library.check()
        if session.json:
            session.output.json(checkup.as_json())
        else:
            for fault in checkup.faults:
                session.output.plain(f"damaged: {fault}")
            for remark in checkup.remarks:
                session.output.plain(remark)
            session.output.line(
                f"{checkup.files} files, {checkup.versions} versions,"
                f" {len(checkup.faults) or 'no'} {'fault' if len(checkup.faults) == 1 else 'faults'}"
            )
        if checkup.faults:
            context.exit(1)


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
