"""Settings: where they lie, what a wrong one does, and that a folder cannot bring its own."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.program import Program


def settings_file(program: Program) -> Path:
    path = Path(program.ok("config", "path").out.rstrip("\n"))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_the_path_is_below_the_users_configuration(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    place = Path(program.ok("config", "path").out.rstrip("\n"))
    assert place.is_relative_to(program.config_home / "stonebrowse")
    assert place.suffix == ".toml"
    home = Path(program.ok("config", "path", env={"XDG_CONFIG_HOME": None}).out.rstrip("\n"))
    assert home.is_relative_to(program.home / ".config" / "stonebrowse")
    assert isinstance(program.ask("config", "path"), dict)


def test_show_prints_every_setting_as_toml(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    shown = tomllib.loads(program.ok("config", "show").out)
    assert shown
    assert isinstance(program.ask("config", "show"), dict)
    # What is shown can stand in the file.
    settings_file(program).write_text(program.ok("config", "show").out, encoding="utf-8")
    assert tomllib.loads(program.ok("config", "show").out) == shown


def leaves(table: dict[str, object], above: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in table.items():
        name = f"{above}{key}"
        found.update(leaves(value, f"{name}.") if isinstance(value, dict) else {name: value})
    return found


def test_set_keeps_a_value_and_the_remarks_around_it(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    known = leaves(tomllib.loads(program.ok("config", "show").out))
    name = next(key for key, value in known.items() if isinstance(value, bool))
    for value in (not known[name], known[name]):
        program.ok("config", "set", name, str(value).lower())
        assert leaves(tomllib.loads(program.ok("config", "show").out))[name] is value
        assert leaves(tomllib.loads(settings_file(program).read_text(encoding="utf-8")))[name] is value


def test_set_refuses_unknown_keys_and_wrong_values_and_changes_nothing(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n"})
    known = leaves(tomllib.loads(program.ok("config", "show").out))
    switch = next(key for key, value in known.items() if isinstance(value, bool))
    program.ok("config", "set", switch, "true")
    before = settings_file(program).read_bytes()
    for key, value in (("no.such.key", "1"), ("thme", "dark"), (switch, "perhaps")):
        program.run("config", "set", key, value).refusal(2, "input_invalid")
    assert settings_file(program).read_bytes() == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"max_bytes = [1,\n", "line"),
        (b"a = 1\na = 2\n", "a"),
        (b'theme = "caf\xe9"\n', "UTF-8"),
    ],
    ids=["syntax", "twice", "latin-1"],
)
def test_a_broken_file_is_said_and_the_rest_works(
    make: Callable[..., Program], content: bytes, said: str
) -> None:
    program = make({"a.md": "# A\n\nalpha\n"})
    path = settings_file(program)
    path.write_bytes(content)
    shown = program.run("config", "show").expect(2)
    assert path.name in shown.err
    assert said.lower() in shown.err.lower()
    assert "stonebrowse: input_invalid: " in shown.err
    done = program.ok("search", "alpha")
    assert path.name in done.err
    assert path.read_bytes() == content


def test_a_folder_in_place_of_the_file(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\nalpha\n"})
    settings_file(program).mkdir()
    done = program.run("config", "show").expect(2, 5)
    assert settings_file(program).name in done.err
    program.ok("search", "alpha")


def test_an_unknown_key_is_named(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\nalpha\n"})
    settings_file(program).write_text('thme = "dark"\n', encoding="utf-8")
    done = program.ok("search", "alpha")
    assert "thme" in done.err
    assert "thme" in program.run("config", "show").expect(0, 2).err


def test_a_wrong_type_is_named_with_its_key(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n\nalpha\n"})
    known = leaves(tomllib.loads(program.ok("config", "show").out))
    name = next(key for key, value in known.items() if isinstance(value, bool))
    *tables, key = name.split(".")
    head = f"[{'.'.join(tables)}]\n" if tables else ""
    settings_file(program).write_text(f'{head}{key} = "many"\n', encoding="utf-8")
    assert key in program.run("config", "show").expect(2).err
    assert key in program.ok("search", "alpha").err


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf# ok\r\n", b"# only a remark\n"], ids=["empty", "bom", "remark"]
)
def test_an_empty_file_means_the_defaults(make: Callable[..., Program], content: bytes) -> None:
    program = make({"a.md": "# A\n"})
    defaults = program.ok("config", "show").out
    settings_file(program).write_bytes(content)
    assert tomllib.loads(program.ok("config", "show").out) == tomllib.loads(defaults)
    assert program.ok("files", "list").err == ""


def test_a_folder_cannot_bring_settings(make: Callable[..., Program]) -> None:
    broken = "this is no TOML ["
    names = (
        "stonebrowse.toml",
        ".stonebrowse.toml",
        "config.toml",
        ".stonebrowse/config.toml",
        "settings.toml",
    )
    program = make({"a.md": "# A\n", **dict.fromkeys(names, broken)})
    done = program.ok("files", "list", cwd=program.folder)
    assert done.err == ""


def test_what_counts_as_a_document_is_a_setting(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "b.txt": "b\n", "build/c.md": "# C\n", ".gitignore": "build/\n"})
    assert list(program.files()) == ["a.md"]
    settings_file(program).write_text(
        '[library]\nsuffixes = [".md", ".txt"]\ngitignore = false\n', encoding="utf-8"
    )
    assert sorted(program.files()) == ["a.md", "b.txt", "build/c.md"]


def test_the_largest_size_is_a_setting(make: Callable[..., Program]) -> None:
    program = make({"a.md": "# A\n", "big.md": "# Big\n" * 100})
    program.ok("config", "set", "library.max_file_bytes", "100")
    counts = program.sync()
    assert (counts["added"], counts["skipped"]) == (1, 1)
    assert "big.md" in program.ok("files", "list", "--skipped").out
