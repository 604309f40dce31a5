"""`themes`: what the browser can be shown in."""

from __future__ import annotations

import click

from stonebrowse.cli.session import Group, Session


@click.group(cls=Group)
def themes() -> None:
    """The themes of the browser; `T` in it tries them out."""


@themes.command("list")
@click.pass_context
def list_themes(context: click.Context) -> None:
    """List the themes: name, dark or light, which is chosen, what it is like.

    Exit status 2 when a theme's file has faults.
    """
    from stonebrowse.settings.places import themes_folder
    from stonebrowse.settings.themes import load_all

    session = context.ensure_object(Session)
    loaded = load_all(themes_folder())
    chosen = loaded.choose(session.settings().theme)
    rows = [
        {
            "name": theme.name,
            "dark": theme.dark,
            "about": theme.about,
            "shipped": theme.shipped,
            "chosen": chosen is not None and theme.name == chosen.name,
        }
        for theme in loaded.found.values()
    ]
    if session.json:
        session.output.json({"themes": rows, "faults": [str(fault) for fault in loaded.faults]})
    else:
        session.output.table(
            [
                (
                    str(row["name"]),
                    "dark" if row["dark"] else "light",
                    "chosen" if row["chosen"] else "",
                    str(row["about"]),
                )
                for row in rows
            ]
        )
        for fault in loaded.faults:
            session.output.warn(str(fault))
    if loaded.faults:
        context.exit(2)
