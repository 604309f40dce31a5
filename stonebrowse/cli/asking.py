"""`ask`: a question to the model command of the settings, answered from the library."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

import click

from stonebrowse.cli.session import Command, Session
from stonebrowse.errors import InputInvalid, NotFound

if TYPE_CHECKING:
    from stonebrowse.cli.output import Output
    from stonebrowse.library.asking import Asking, Prompt, Turn
    from stonebrowse.library.engraving import Engraved

STANDINGS = {
    "handed_over": ("handed over", "good"),
    "in_library": ("in the library, not handed over", "match"),
    "unknown": ("unknown", "bad"),
}


@click.command(cls=Command)
@click.argument("question")
@click.option("--prompt", "only_prompt", is_flag=True, help="Print the prompt and ask nobody.")
@click.option("--engrave", "path", metavar="PATH", help="Write the answer and its sources as a note at PATH.")
@click.pass_context
def ask(context: click.Context, question: str, only_prompt: bool, path: str | None) -> None:
    """Ask the model command of the settings, with the passages that fit, and say what its citations are worth.

    The command (ask.command) gets the prompt on its standard input; its answer is shown as it comes. Without one,
    or with --prompt, the prompt itself is printed. Exit status 1 when nothing in the library fits.
    """
    session = context.ensure_object(Session)
    with session.library(write=True) as library:
        printing = only_prompt or not library.settings.ask.command
        if path is not None:
            if printing:
                raise InputInvalid(
                    "there is no answer to be engraved; set ask.command, and leave --prompt out"
                )
            library.engraving.check_path(path)
        conversation = library.conversation()
        try:
            if printing:
                _print_prompt(session, conversation.prompt(question), chosen=only_prompt)
                return
            asking = conversation.ask(question)
        except NotFound as error:
            _print_nothing(session, question, error)
            context.exit(1)
        turn = _answered(session, asking)
        engraved = library.engrave(path, turn.note, turn.references) if path is not None else None
    _print_end(session, turn, engraved)


def _print_prompt(session: Session, prompt: Prompt, *, chosen: bool) -> None:
    if not chosen:
        session.output.warn("no model command is set (ask.command): this is the prompt for one")
    if session.json:
        sources = [each.as_json() for each in prompt.sources]
        session.output.json({"question": prompt.question, "prompt": prompt.text, "sources": sources})
    else:
        session.output.block(prompt.text)


def _print_nothing(session: Session, question: str, error: NotFound) -> None:
    if session.json:
        session.output.json({"question": question, "answer": None, "sources": [], "citations": []})
    else:
        session.output.warn(error.message)


def _answered(session: Session, asking: Asking) -> Turn:
    """Shows the answer as it comes; ended in the middle, the model is ended too."""
    pieces = iter(asking)
    with contextlib.closing(pieces):
        last = "\n"
        for piece in pieces:
            if not session.json:
                sys.stdout.write(piece)
                sys.stdout.flush()
                last = piece[-1:] or last
    if last != "\n":
        session.output.line()
    assert asking.turn is not None
    return asking.turn


def _print_end(session: Session, turn: Turn, engraved: Engraved | None) -> None:
    if session.json:
        answer: dict[str, Any] = {
            "question": turn.prompt.question,
            "answer": turn.answer,
            "sources": [each.as_json() for each in turn.prompt.sources],
            "citations": [each.as_json() for each in turn.citations],
            "engraved": None if engraved is None else engraved.as_json(),
        }
        session.output.json(answer)
        return
    _print_citations(session.output, turn)
    if engraved is not None:
        session.output.warn(f"engraved as {engraved.file.path}, with {len(engraved.sources)} sources")


def _print_citations(output: Output, turn: Turn) -> None:
    output.line()
    seen = {each.citation: each.standing for each in turn.citations}
    if not seen:
        output.line(output.style("the answer cites nothing", "bad"))
    for citation, standing in seen.items():
        words, style = STANDINGS[standing]
        output.line(output.style(f"{words}: ", style), output.style(citation, "strong"))
