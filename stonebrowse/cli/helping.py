"""`help`: cards and recipes."""

from __future__ import annotations

import click

from stonebrowse.cli.session import Command, Session


@click.command("help", cls=Command)
@click.argument("name", required=False)
@click.pass_context
def explained(context: click.Context, name: str | None) -> None:
    """Print a card or a recipe: what is enforced, and what is your job.

    Without NAME: their list. What a command takes says `stonebrowse COMMAND --help`.
    """
    from stonebrowse.library.cards import card, cards

    session = context.ensure_object(Session)
    if name is None:
        if session.json:
            session.output.json({"cards": [{"name": each.name, "title": each.title} for each in cards()]})
            return
        session.output.table([(each.name, each.title) for each in cards()])
        return
    found = card(name)
    if session.json:
        session.output.json({"name": found.name, "title": found.title, "text": found.text})
        return
    session.output.block(found.text)
