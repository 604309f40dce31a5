"""Setting one value: the file keeps everything else, and is replaced whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from stonebrowse import settings
from stonebrowse.errors import FolderUnavailable, InputInvalid
from stonebrowse.settings import Settings
from stonebrowse.settings.writing import as_data

if TYPE_CHECKING:
    from pathlib import Path

KEPT = """\
# my settings
theme = "moss"   # green

[reader]
# narrow
width = 72
[keys]
quit = "q"
"""


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("theme", "basalt", "basalt"),
        ("library.suffixes", ".md .txt", (".md", ".txt")),
        ("library.suffixes", "md,TXT", (".md", ".txt")),
        ("library.suffixes", '[".md", ".txt"]', (".md", ".txt")),
        ("library.gitignore", "off", False),
        ("library.max_file_bytes", "1_000_000", 1_000_000),
        ("search.limit", "7", 7),
        ("reader.width", " 120 ", 120),
        ("reader.raw", "TRUE", True),
        ("watch.polling", "Never", "never"),
        ("watch.poll_seconds", "0.5", 0.5),
        ("editor.command", "vim --cmd 'set ai'", ("vim", "--cmd", "set ai")),
        ("editor.command", '["a b", "{path}"]', ("a b", "{path}")),
        ("editor.command", "", ()),
    ],
)
def test_a_value_is_read_as_its_setting_needs_it(tmp_path: Path, key: str, text: str, value: Any) -> None:
    file = tmp_path / "settings.toml"
    assert settings.set_value(file, key, text) == value
    loaded = settings.load(file)
    assert loaded.faults == ()
    assert settings.FIELDS[key].of(loaded.settings) == value


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("reader.width", "wide", "a whole number from 20 to 1000"),
        ("reader.width", "9" * 5000, "a whole number"),
        ("reader.width", "19", "from 20"),
        ("reader.raw", "perhaps", "true or false"),
        ("watch.polling", "sometimes", '"always"'),
        ("watch.poll_seconds", "nan", "a number"),
        ("library.suffixes", "", "endings"),
        ("editor.command", 'vi "', "a list of words"),
        ("editor.command", "[1]", "a list of words"),
        ("editor.command", "[", "a list of words"),
        ("theme", "\x1b[31m", "a theme's name"),
        ("keys", "x", "one action at a time"),
        ("keys.quit", "", "a key"),
        ("reader.with", "80", "did you mean reader.width?"),
        ("qqqq", "80", "config show"),
        ("reader", "80", "is not a setting"),
        ("", "80", "is not a setting"),
    ],
)
def test_a_refused_value_changes_nothing(tmp_path: Path, key: str, text: str, words: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(KEPT)
    with pytest.raises(InputInvalid) as refusal:
        settings.set_value(file, key, text)
    assert words in refusal.value.message
    assert refusal.value.message.isprintable()
    assert file.read_text() == KEPT
    assert list(tmp_path.iterdir()) == [file]


def test_comments_and_layout_stay(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(KEPT)
    settings.set_value(file, "theme", "basalt")
    settings.set_value(file, "reader.width", "90")
    settings.set_value(file, "reader.raw", "true")
    settings.set_value(file, "keys.toggle outline", "o")
    settings.set_value(file, "search.limit", "30")
    assert file.read_text() == (
        '# my settings\ntheme = "basalt"   # green\n\n[reader]\n# narrow\nwidth = 90\nraw = true\n'
        '[keys]\nquit = "q"\n"toggle outline" = "o"\n\n[search]\nlimit = 30\n'
    )


def test_a_first_line_goes_below_the_comment_at_the_top(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("# mine\n\n[reader]\nraw = true")
    settings.set_value(file, "theme", "moss")
    settings.set_value(file, "reader.width", "80")
    assert file.read_text() == '# mine\ntheme = "moss"\n\n[reader]\nraw = true\nwidth = 80\n'


def test_crlf_and_a_byte_order_mark_are_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xef\xbb\xbf[reader]\r\nwidth = 80\r\n")
    settings.set_value(file, "reader.raw", "true")
    assert file.read_bytes() == b"[reader]\r\nwidth = 80\r\nraw = true\r\n"


@pytest.mark.parametrize(
    "text",
    [
        "reader = { raw = true }\nother = 1979-05-27\n",
        "reader.raw = true\n",
        "[reader.deep]\nx = 1\n",
        "[other]\n'reader.width' = '''\n[reader]\n'''\n",
        "[reader]\nraw = true # no line end",
        "# [reader]\n",
        "other = [\n  { a = 1 },\n]\n[[many]]\nx = 1\n[[many]]\nx = 2\n",
        "unknown = 1\n",
        "reader = { width = 50 }\n",
    ],
)
def test_everything_else_in_the_file_is_kept(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    settings.set_value(file, "reader.width", "80")
    held = tomllib.loads(file.read_text())
    assert held["reader"].pop("width") == 80
    before = tomllib.loads(text)
    before.setdefault("reader", {}).pop("width", None)
    assert held == before


@pytest.mark.parametrize("text", [b"theme = [1,\n", b"theme = 'caf\xe9'", b"reader = 3\n"])
def test_a_file_that_is_wrong_is_not_written_over(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(text)
    with pytest.raises(InputInvalid, match=r"line 1.*correct it first"):
        settings.set_value(file, "reader.width", "80")
    assert file.read_bytes() == text


def test_folders_are_made_for_the_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "settings.toml"
    settings.set_value(file, "theme", "moss")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_stays_a_link_and_a_mode_stays(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "settings.toml"
    real.parent.mkdir()
    real.write_text(KEPT)
    real.chmod(0o640)
    link = tmp_path / "settings.toml"
    link.symlink_to(real)
    settings.set_value(link, "theme", "birch")
    assert link.is_symlink()
    assert 'theme = "birch"' in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderUnavailable, match="cannot be written"):
        settings.set_value(tmp_path / "file" / "settings.toml", "theme", "moss")
    with pytest.raises(InputInvalid, match="is a folder"):
        settings.set_value(tmp_path, "theme", "moss")


def test_a_write_that_fails_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(KEPT)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FolderUnavailable, match="no space left on device"):
        settings.set_value(file, "theme", "birch")
    assert file.read_text() == KEPT
    assert list(tmp_path.iterdir()) == [file]


def test_two_that_set_at_once_both_count(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    program = (
        "import sys, pathlib; from stonebrowse import settings\n"
        "for n in range(20): settings.set_value(pathlib.Path(sys.argv[1]), f'keys.{sys.argv[2]}{n}', 'x')"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, file, letter]) for letter in "ab"]
    assert [process.wait() for process in running] == [0, 0]
    assert len(settings.load(file).settings.keys) == 40


def test_show_reads_back_and_names_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[reader]\nwidth = 72\n[keys]\n"go to" = "g"\n[editor]\ncommand = ["e", "\\u001b"]\n')
    chosen = settings.load(file).settings
    shown = settings.show(chosen)
    assert "width = 72  # default: 100" in shown
    assert 'theme = "auto"  # default\n' in shown
    assert "\x1b" not in shown
    file.write_text(shown)
    assert settings.load(file).settings == chosen
    assert settings.load(file).faults == ()


def test_as_data_holds_every_setting() -> None:
    data = as_data(Settings())
    for key in settings.FIELDS:
        value: Any = data
        for part in key.split("."):
            value = value[part]
    assert data["library"]["suffixes"] == [".md", ".markdown", ".mdown", ".mkd"]
