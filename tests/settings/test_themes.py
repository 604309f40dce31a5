"""Themes: the shipped ones are whole and legible; a wrong one is named and never stops anything."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from stonebrowse.settings import themes
from stonebrowse.settings.colors import ANSI_NAMES, contrast, is_ansi, parse_color
from stonebrowse.settings.themes import COLORS, Theme

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED = themes.load_all()
BEHIND = ("background", "surface", "mark", "code_background")
ON_PAGE = ("text", "muted", "accent", "link", "quote", "heading1", "heading2", "heading3")
REPORTS = ("warning", "error", "success")
CODE = ("code", "keyword", "string", "number", "function", "comment")
ON_BAR = ("text", "muted", "accent", *REPORTS)


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(text)
    return file


def ratio(theme: Theme, front: str, back: str) -> float:
    """The contrast of two colours of a theme; the terminal's default is black or white, as `dark` says."""
    behind = {"background", "surface", "bar", *BEHIND}

    def known(name: str) -> str:
        if theme.colors[name] != "ansi_default":
            return theme.colors[name]
        return "#000000" if (name in behind) == theme.dark else "#ffffff"

    value = contrast(known(front), known(back))
    assert value is not None
    return value


def test_there_are_themes_for_everyone() -> None:
    found = SHIPPED.found
    assert SHIPPED.faults == ()
    assert len(found) >= 8
    assert {"contrast-dark", "contrast-light", "ansi", themes.DARK, themes.LIGHT, "ansi-light"} <= set(found)
    assert found[themes.DARK].dark
    assert not found[themes.LIGHT].dark
    assert sum(not theme.dark for theme in found.values()) >= 3
    assert all(theme.about and theme.shipped for theme in found.values())
    assert len({tuple(theme.colors.values()) for theme in found.values()}) == len(found)


@pytest.mark.parametrize("name", SHIPPED.found)
def test_a_shipped_theme_names_every_colour_itself(name: str) -> None:
    held = tomllib.loads((themes.shipped_folder() / f"{name}.toml").read_text())
    assert set(held["colors"]) == set(COLORS)


@pytest.mark.parametrize("theme", SHIPPED.found.values(), ids=SHIPPED.found)
def test_everything_can_be_read(theme: Theme) -> None:
    # WCAG 2.2: 1.4.3 (4.5:1), 1.4.6 (7:1), 1.4.11 (3:1 for what shows where one is).
    least = 7.0 if theme.name.startswith("contrast-") else 4.5
    pairs = [(front, back) for front in (*ON_PAGE, *REPORTS, *CODE) for back in BEHIND]
    pairs += [(front, "bar") for front in ON_BAR]
    pairs += [("selection_text", "selection"), ("hit_text", "hit")]
    low = {pair: round(ratio(theme, *pair), 2) for pair in pairs if ratio(theme, *pair) < least}
    assert low == {}
    for back in ("background", "surface"):
        assert ratio(theme, "focus", back) >= 3
        assert ratio(theme, "selection", back) >= 1.4
        assert ratio(theme, "hit", back) >= (3 if least == 7 else 1.4)


@pytest.mark.parametrize("theme", SHIPPED.found.values(), ids=SHIPPED.found)
def test_dark_is_said_truly(theme: Theme) -> None:
    back = theme.colors["background"]
    to_white = contrast("#ffffff", back)
    assert to_white is None or (to_white > 7 if theme.dark else to_white < 1.5)


def test_the_sixteen_colour_themes_hold_nothing_else() -> None:
    for name in ("ansi", "ansi-light"):
        assert all(is_ansi(color) for color in SHIPPED.found[name].colors.values())


@pytest.mark.parametrize(
    ("written", "parsed"),
    [
        ("#FfCc66", "#ffcc66"),
        ("#fc6", "#ffcc66"),
        ("red", "ansi_red"),
        ("Bright-Blue", "ansi_bright_blue"),
        ("ansi_bright_blue", "ansi_bright_blue"),
        ("default", "ansi_default"),
    ],
)
def test_colours_are_read(written: str, parsed: str) -> None:
    assert parse_color(written) == parsed


@pytest.mark.parametrize(
    "wrong", ["", "#ff", "#gggggg", "rgb(1,2,3)", "tomato", "$accent", "#fffff\n", "\x1b", 3]
)
def test_what_is_no_colour_is_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="must be a colour such as") as refusal:
        parse_color(wrong)
    assert str(refusal.value).isprintable()


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("ansi_black", "ansi_bright_white") == pytest.approx(21)
    assert contrast("ansi_default", "#ffffff") is None
    assert len(ANSI_NAMES) == 16


def test_a_users_theme_takes_what_it_does_not_say_from_its_base(tmp_path: Path) -> None:
    write(tmp_path, "mine.toml", 'base = "moss"\nabout = "Mine."\n[colors]\ntext = "#ffffff"\n')
    write(tmp_path, "bright.toml", 'dark = false\n[colors]\naccent = "red"\n')
    write(tmp_path, "basalt.toml", '[colors]\ntext = "white"\n')
    write(tmp_path, ".hidden.toml", "x")
    write(tmp_path, "notes.txt", "x")
    loaded = themes.load_all(tmp_path)
    assert loaded.faults == ()
    mine = loaded.found["mine"]
    assert (mine.about, mine.dark, mine.shipped) == ("Mine.", True, False)
    assert mine.colors == {**loaded.found["moss"].colors, "text": "#ffffff"}
    assert loaded.found["bright"].colors["text"] == loaded.found[themes.LIGHT].colors["text"]
    assert loaded.found["basalt"].colors == {**SHIPPED.found["basalt"].colors, "text": "ansi_white"}
    assert list(loaded.found) == sorted(loaded.found)


def test_what_is_wrong_in_a_theme_is_named(tmp_path: Path) -> None:
    text = 'dark = "yes"\nbase = "none"\nabot = 3\n[colors]\ntext = "tomato"\nhit = 3\nbackgroud = "#000"\n'
    file = write(tmp_path, "odd.toml", text)
    loaded = themes.load_all(tmp_path)
    assert [(fault.file, fault.line, fault.key) for fault in loaded.faults] == [
        (file, 1, "dark"),
        (file, 2, "base"),
        (file, 3, "abot"),
        (file, 5, "colors.text"),
        (file, 6, "colors.hit"),
        (file, 7, "colors.backgroud"),
    ]
    assert "did you mean background?" in loaded.faults[-1].message
    assert loaded.found["odd"].colors == loaded.found[themes.DARK].colors


@pytest.mark.parametrize("text", ["colors = 3", "[colors", "about = 3\n[colors]\ntext = [1]\n"])
def test_no_theme_file_is_an_error(tmp_path: Path, text: str) -> None:
    write(tmp_path, "odd.toml", text)
    loaded = themes.load_all(tmp_path)
    assert loaded.faults
    assert set(loaded.found) - {"odd"} == set(SHIPPED.found)


def test_a_folder_that_is_none_is_a_fault(tmp_path: Path) -> None:
    file = write(tmp_path, "themes", "")
    (fault,) = themes.load_all(file).faults
    assert "its themes are left out" in fault.message
    assert themes.load_all(tmp_path / "none").faults == ()


def test_a_broken_install_still_has_a_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(themes, "shipped_folder", lambda: tmp_path / "gone")
    loaded = themes.load_all()
    assert list(loaded.found) == ["plain"]
    assert loaded.choose("auto", {}) is themes.PLAIN
    assert "reinstall" in loaded.faults[0].message
    write(tmp_path, "mine.toml", "[colors]\ntext = '#fff'\n")
    assert set(themes.load_all(tmp_path).found["mine"].colors) == set(COLORS)


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({}, "lamplight"),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;0"}, "lamplight"),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, "daylight"),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;default;15"}, "daylight"),
        ({"TERM": "xterm-256color", "COLORFGBG": "nonsense"}, "lamplight"),
        ({"TERM": "linux"}, "ansi"),
        ({"TERM": "linux", "COLORFGBG": "0;7"}, "ansi-light"),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, "lamplight"),
    ],
)
def test_auto_follows_the_terminal(environ: dict[str, str], name: str) -> None:
    chosen = SHIPPED.choose("auto", environ)
    assert chosen is SHIPPED.found[name]


def test_a_theme_is_chosen_by_name() -> None:
    assert SHIPPED.choose("moss", {}) is SHIPPED.found["moss"]
    assert SHIPPED.choose("mos", {}) is None
    assert SHIPPED.near("mos") == "moss"
    assert SHIPPED.near("qqqqqq") is None


def test_the_shipped_folder_is_the_checkouts_or_the_packages() -> None:
    assert (themes.shipped_folder() / "ansi.toml").is_file()
    assert themes.shipped_folder().is_absolute()
