"""The editor's command line."""

from __future__ import annotations

import pytest

from stonebrowse.errors import InputInvalid
from stonebrowse.settings import EditorSettings, Settings
from stonebrowse.settings.editor import command_line


@pytest.mark.parametrize(
    ("command", "environ", "words"),
    [
        ((), {}, ["vi", "+7", "/a b.md"]),
        ((), {"EDITOR": "nano"}, ["nano", "+7", "/a b.md"]),
        ((), {"VISUAL": "code --wait", "EDITOR": "nano"}, ["code", "--wait", "--goto", "/a b.md:7"]),
        ((), {"VISUAL": "  ", "EDITOR": "/usr/bin/hx"}, ["/usr/bin/hx", "/a b.md:7"]),
        (("subl", "-w"), {"EDITOR": "nano"}, ["subl", "-w", "/a b.md:7"]),
        (("mine", "--at={line}", "{path}"), {}, ["mine", "--at=7", "/a b.md"]),
    ],
)
def test_the_editor_is_started_at_the_line(
    command: tuple[str, ...], environ: dict[str, str], words: list[str]
) -> None:
    chosen = Settings(editor=EditorSettings(command))
    assert command_line(chosen, "/a b.md", 7, environ) == words


def test_a_name_is_never_an_option_nor_a_placeholder() -> None:
    assert command_line(Settings(), "-rf", 1, {}) == ["vi", "+1", "./-rf"]
    chosen = Settings(editor=EditorSettings(("e", "{path}")))
    assert command_line(chosen, "/{line}", 1, {}) == ["e", "/{line}"]


def test_an_editor_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InputInvalid, match="EDITOR cannot be read"):
        command_line(Settings(), "/a.md", 1, {"EDITOR": 'vi "'})
