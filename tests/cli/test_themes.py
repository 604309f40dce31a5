"""`themes list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program


def test_every_theme_is_listed_and_the_chosen_one_marked(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    home = program.root / "config"
    program.env["XDG_CONFIG_HOME"] = str(home)
    program.ok("config", "set", "theme", "birch")
    found = program.ok("themes", "list", "--json").json()
    assert found["faults"] == []
    themes = {each["name"]: each for each in found["themes"]}
    assert len(themes) >= 8
    assert [name for name, each in themes.items() if each["chosen"]] == ["birch"]
    assert sum(name.startswith("contrast-") for name in themes) == 2
    lines = program.ok("themes", "list").lines
    assert [line.split("\t")[0] for line in lines] == list(themes)
    own = home / "stonebrowse" / "themes"
    own.mkdir(parents=True)
    (own / "mine.toml").write_text('name = "mine"\ncolors = 3\n', encoding="utf-8")
    done = program.run("themes", "list").expect(2)
    assert "mine.toml" in done.err
    assert len(done.lines) >= 8
