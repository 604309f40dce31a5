"""The guide and the sample handbook: links lead somewhere, and the guide names everything there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import click
import pytest

from stonebrowse import errors, guide
from stonebrowse.cli.main import program
from stonebrowse.settings import FIELDS, themes
from stonebrowse.settings.writing import show

if TYPE_CHECKING:
    from collections.abc import Iterator

HANDBOOK = Path(__file__).parents[1] / "data" / "handbook"
PAGES = sorted([*guide.folder().rglob("*.md"), *HANDBOOK.rglob("*.md")])


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command that a person can give, by its words."""
    for name, command in group.commands.items():
        if command.hidden:
            continue
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        else:
            yield " ".join((*words, name))


def prose(page: Path) -> str:
    """A page without its code, in which links and headings are none."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^    .*$|`[^`\n]*`", "", text, flags=re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[tuple[Path, str]]:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = unquote(target).partition("#")
        yield (page.parent / path).resolve() if path else page, anchor


def named(page: str) -> str:
    return (guide.folder() / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in links(page):
        assert target.is_file(), target
        assert not anchor or anchor in anchors(target), (target, anchor)


def test_pages_have_one_title_each() -> None:
    for page in PAGES:
        assert len(re.findall(r"^# ", prose(page), flags=re.MULTILINE)) == 1, page


def test_every_page_of_the_guide_is_reached_from_its_first() -> None:
    reached = {guide.folder() / "index.md"} | {target for target, _ in links(guide.folder() / "index.md")}
    assert {page.resolve() for page in guide.folder().rglob("*.md")} == reached


@pytest.mark.parametrize("key", [key for key in FIELDS if key != "keys"])
def test_the_guide_has_every_setting_with_its_default(key: str) -> None:
    lines = [line for line in named("settings.md").splitlines() if line.startswith(f"| `{key}` ")]
    assert len(lines) == 1
    default: Any = FIELDS[key].default
    name = key.rpartition(".")[2]
    written = next(
        line for line in _defaults() if line.startswith(f"{name} = ") and line.endswith("  # default")
    )
    if key.endswith(".command"):
        assert default == ()
        written = f"{name} = []  # default"
    assert f"| `{written.removeprefix(f'{name} = ').removesuffix('  # default')}` |" in lines[0]


def _defaults() -> list[str]:
    from stonebrowse.settings import Settings

    return show(Settings()).splitlines()


def test_the_guide_names_no_setting_that_is_not_there() -> None:
    rows = re.findall(r"^\| `([a-z_]+\.[a-z_]+|theme|restore)` \|", named("settings.md"), flags=re.MULTILINE)
    assert set(rows) == set(FIELDS) - {"keys"}


def test_the_guide_has_every_theme_and_every_colour() -> None:
    page = named("settings.md")
    for name in themes.load_all().found:
        assert f"`{name}`" in page
    for name, what in themes.COLORS.items():
        assert f"| `{name}` | {what} |" in page


def test_the_guide_has_every_error_code() -> None:
    def leaves(kind: type[errors.StonebrowseError]) -> Iterator[type[errors.StonebrowseError]]:
        for each in kind.__subclasses__():
            yield from leaves(each) if each.__subclasses__() else [each]

    page = named("errors.md")
    for leaf in leaves(errors.StonebrowseError):
        if leaf.exit_status == 4:
            assert f"`{leaf.code}`" in page
        else:
            assert re.search(rf"^## {leaf.code}\n\nExit {leaf.exit_status}\.", page, flags=re.MULTILINE)


@pytest.mark.parametrize("command", sorted(commands(program)))
def test_the_guide_has_every_command_and_its_options(command: str) -> None:
    page = named("commands.md")
    words = command.split()
    sections = re.split(r"^## ", page, flags=re.MULTILINE)
    section = next(
        (text for text in sections if text.startswith((f"{command}\n", f"{words[0]}\n"))),
        "",
    )
    assert f"\n    stonebrowse {words[0]}" in section, command
    for word in words:
        assert word in section, command
    found: click.Command = program
    for word in words:
        assert isinstance(found, click.Group)
        found = found.commands[word]
    for option in found.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert any(re.search(rf"(?<![\w-]){re.escape(name)}\b", section) for name in option.opts), (
                option.name
            )


def test_the_keys_table_has_its_place() -> None:
    page = named("keys.md")
    assert page.count("<!-- keys:begin -->") == page.count("<!-- keys:end -->") == 1
    assert page.index("<!-- keys:begin -->") < page.index("<!-- keys:end -->")


def test_the_handbook_shows_what_markdown_has() -> None:
    texts = {
        page.relative_to(HANDBOOK).as_posix(): page.read_text("utf-8") for page in HANDBOOK.rglob("*.md")
    }
    assert 12 <= len(texts) <= 18
    assert texts["holidays.md"].startswith("# Holidays\n")
    assert texts["holidays.md"].splitlines()[41] == "## Carry-over"
    whole = "\n".join(texts.values())
    for feature in (
        r"^> \[!WARNING\]$",
        r"^- \[ \] ",
        r"^\[\^surge\]: ",
        r"^\|---\|",
        r"^```python$",
        r"^### ",
        r"^1\. ",
        r"\[\[lens#How the panels are numbered\]\]",
        "灯台",
        "café",
    ):
        assert re.search(feature, whole, flags=re.MULTILINE), feature
    assert texts["shop/tickets.md"].startswith("---\ntitle: ")
