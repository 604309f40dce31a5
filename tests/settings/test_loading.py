"""Reading the settings file: what is right is taken, what is wrong is named, nothing is raised."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from stonebrowse import settings
from stonebrowse.settings import Loaded, Settings
from tests.shared import SHARED, needed

if TYPE_CHECKING:
    from pathlib import Path


def load_text(folder: Path, text: str | bytes, before: Settings | None = None) -> Loaded:
    file = folder / "settings.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return settings.load(file, before=before)


def places(loaded: Loaded) -> list[tuple[int | None, str | None]]:
    return [(fault.line, fault.key) for fault in loaded.faults]


def test_a_file_that_is_not_there_gives_the_defaults(tmp_path: Path) -> None:
    loaded = settings.load(tmp_path / "none" / "settings.toml")
    assert loaded.settings == Settings()
    assert loaded.faults == ()


def test_every_setting_is_read(tmp_path: Path) -> None:
    loaded = load_text(
        tmp_path,
        """
theme = "moss"
[library]
suffixes = [".MD", "txt"]
gitignore = false
max_file_bytes = 1_000
[search]
limit = 50
[reader]
width = 80
raw = true
[watch]
polling = "always"
poll_seconds = 5
[editor]
command = "code --wait"
[keys]
quit = "ctrl+q"
down = ["j", "down"]
""",
    )
    assert loaded.faults == ()
    chosen = loaded.settings
    assert chosen.theme == "moss"
    assert chosen.library == settings.LibrarySettings((".md", ".txt"), gitignore=False, max_file_bytes=1000)
    assert chosen.search.limit == 50
    assert chosen.reader == settings.ReaderSettings(80, raw=True)
    assert chosen.watch == settings.WatchSettings("always", 5.0)
    assert chosen.editor.command == ("code", "--wait")
    assert dict(chosen.keys) == {"quit": "ctrl+q", "down": "j,down"}
    assert loaded.lines["reader.width"] == 10


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("\n[reader]\nwidth = 'wide'\n", 3, "reader.width", "a whole number from 20 to 1000"),
        ("[reader]\nwidth = -1", 2, "reader.width", "not -1"),
        ("[reader]\nwidth = true", 2, "reader.width", "not true"),
        ("[reader]\nwidth = 5_000_000_000_000_000_000_000_000_000_000_000", 2, "reader.width", "30 digits"),
        ("[reader]\nraw = 1", 2, "reader.raw", "true or false"),
        ("[watch]\npolling = 'perhaps'", 2, "watch.polling", '"auto", "always", "never"'),
        ("[watch]\npoll_seconds = nan", 2, "watch.poll_seconds", "a number from 0.1 to 3600"),
        ("[library]\nsuffixes = []", 2, "library.suffixes", "an empty list"),
        ("[library]\nsuffixes = ['.md', 'a/b']", 2, "library.suffixes", "file name endings"),
        ("[editor]\ncommand = [3]", 2, "editor.command", "a list of words"),
        ("[editor]\ncommand = 'open \"quote'", 2, "editor.command", "a list of words"),
        ("theme = ''", 1, "theme", "a theme's name"),
        ("reader = 3", 1, "reader", "must be a table, [reader], not 3"),
        ("[[reader]]\nwidth = 80", 1, "reader", "must be a table"),
        ("[keys]\n'' = 'x'\nquit = ''", 3, "keys.quit", 'a key such as "ctrl+f"'),
    ],
)
def test_a_wrong_value_is_named_and_the_default_used(
    tmp_path: Path, text: str, line: int, key: str, words: str
) -> None:
    loaded = load_text(tmp_path, text)
    assert places(loaded) == [(line, key)]
    assert words in loaded.faults[0].problem
    assert loaded.faults[0].message.startswith(f"{tmp_path / 'settings.toml'}, line {line}: {key}: ")
    assert loaded.faults[0].problem.endswith("; the default is used")
    assert {**settings.writing.as_data(loaded.settings), "keys": {}} == settings.writing.as_data(Settings())


@pytest.mark.parametrize(
    ("text", "key", "meant"),
    [
        ('thme = "dark"', "thme", "theme"),
        ("[reader]\nwith = 80", "reader.with", "reader.width"),
        ("[libary]\nsuffixes = ['.md']", "libary", "library"),
        ("gitignore = false", "gitignore", "library.gitignore"),
        ("max_file_byte = 10", "max_file_byte", "library.max_file_bytes"),
        ("[search]\nwidth = 80", "search.width", "reader.width"),
        ("[watch]\npoll-seconds = 1", "watch.poll-seconds", "watch.poll_seconds"),
    ],
)
def test_an_unknown_key_is_named_with_a_guess(tmp_path: Path, text: str, key: str, meant: str) -> None:
    (fault,) = load_text(tmp_path, text).faults
    assert fault.key == key
    assert fault.problem.endswith(f"did you mean {meant}?")


def test_an_unknown_key_without_a_neighbour_has_no_guess(tmp_path: Path) -> None:
    (fault,) = load_text(tmp_path, "[zzzz]\nqqqq = 1").faults
    assert fault.problem == "is not a setting and is ignored"


def test_one_wrong_value_leaves_the_others_alone(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, '[reader]\nwidth = "x"\nraw = true\n[keys]\nquit = 3\nhelp = "f1"\n')
    assert places(loaded) == [(2, "reader.width"), (5, "keys.quit")]
    assert loaded.settings.reader == settings.ReaderSettings(raw=True)
    assert dict(loaded.settings.keys) == {"help": "f1"}


def test_faults_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, "[keys]\nquit = 3\n[reader]\nwidth = 3\n[nothing]\n")
    assert [line for line, _ in places(loaded)] == [2, 4, 5]


def test_very_many_faults_are_counted(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, "".join(f"wodth{number} = 1\n" for number in range(4000)))
    assert [fault.line for fault in loaded.faults] == [*range(1, 51), None]
    assert loaded.faults[-1].problem == "has 3950 more faults"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"theme = [1,\n", 1),
        (b"a = 1\na = 2\n", 2),
        (b"[reader]\nwidth = 80 raw = true\n", 2),
        (b"theme = 'x'\nlater = 'caf\xe9'\n", 2),
        (b"x = " + b"9" * 5000, 1),
        (b"\x00", 1),
    ],
)
def test_a_file_that_is_no_toml_is_named_with_its_line(tmp_path: Path, text: bytes, line: int) -> None:
    loaded = load_text(tmp_path, text)
    assert loaded.settings == Settings()
    assert places(loaded) == [(line, None)]
    assert loaded.faults[0].problem.endswith("the defaults are used")


def test_nesting_without_end_is_a_fault(tmp_path: Path) -> None:
    (fault,) = load_text(tmp_path, "x = " + "[" * 100_000).faults
    assert "the defaults are used" in fault.problem


def test_empty_files_byte_order_marks_and_crlf_are_right(tmp_path: Path) -> None:
    assert load_text(tmp_path, b"") == load_text(tmp_path, b"\xef\xbb\xbf# nothing\r\n")
    loaded = load_text(tmp_path, b"\xef\xbb\xbf[reader]\r\nwidth = 80\r\nraw = 3\r\n")
    assert loaded.settings.reader.width == 80
    assert places(loaded) == [(3, "reader.raw")]


def test_what_is_no_file_is_a_fault(tmp_path: Path) -> None:
    assert "is a folder" in settings.load(tmp_path).faults[0].problem
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    assert "not a regular file" in settings.load(pipe).faults[0].problem
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (64 * 1024 + 1))
    assert "is larger than" in settings.load(large).faults[0].problem
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    assert "cannot be read" in settings.load(loop).faults[0].problem


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("theme = 'moss'")
    file.chmod(0)
    assert "permission denied" in settings.load(file).faults[0].problem


def test_a_file_that_breaks_while_running_changes_nothing(tmp_path: Path) -> None:
    before = load_text(tmp_path, 'theme = "moss"\n[reader]\nwidth = 60\n[keys]\nquit = "x"\n').settings
    for text in ("[reader]\nwidth = ", 'theme = 3\n[reader]\nwidth = "w"\n[keys]\nquit = 3\n'):
        loaded = load_text(tmp_path, text, before)
        assert loaded.settings == before
        assert all("what was set before stays" in fault.problem for fault in loaded.faults)
    assert load_text(tmp_path, "[reader]\nraw = true\n", before).settings.theme == "auto"


def test_a_message_never_steers_a_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "a\x1b[31m"
    folder.mkdir()
    loaded = load_text(folder, '"\\u001b]52;c;x\\u0007" = 1\ntheme = "\\u202e"\n[keys]\n"\\u001b" = 3\n')
    assert len(loaded.faults) == 3
    assert all(fault.message.isprintable() for fault in loaded.faults)
    assert '"\\x1b]52;c;x\\x07"' in loaded.faults[0].message


def test_the_callers_own_faults_get_their_line(tmp_path: Path) -> None:
    loaded = load_text(tmp_path, "\n[keys]\nquitt = 'q'\n")
    fault = loaded.fault("keys.quitt", "is no action; did you mean quit?")
    assert (fault.line, fault.key) == (3, "keys.quitt")
    assert loaded.fault("theme", "is not there").line is None


def test_lines_are_found_in_every_way_to_write_a_key(tmp_path: Path) -> None:
    text = '''# [reader]
watch = { polling = """a
b""", poll_seconds = [ "}", # ]
  1 ] }
library.gitignore = \'\'\'x
\'\'\'
"reader" . 'width' = 1979-05-27 07:32:00 # width
[ search ]
"li\\u006dit" = { a = "\\"}" }
'''
    assert places(load_text(tmp_path, text)) == [
        (2, "watch.polling"),
        (3, "watch.poll_seconds"),
        (5, "library.gitignore"),
        (7, "reader.width"),
        (9, "search.limit"),
    ]


def test_the_shared_case_of_wrong_settings(tmp_path: Path) -> None:
    case = needed(SHARED / "cases" / "079-config-errors")
    subprocess.run([sys.executable, case / "gen.py", tmp_path], check=True)
    counted = {file.name: len(settings.load(file).faults) for file in sorted(tmp_path.iterdir())}
    assert counted == {
        "bom.toml": 0,
        "dup.toml": 1,
        "empty.toml": 0,
        "folder.toml": 1,
        "latin.toml": 1,
        "neg.toml": 1,
        "syntax.toml": 1,
        "type.toml": 1,
        "unknown.toml": 2,
    }
    assert "did you mean theme?" in settings.load(tmp_path / "unknown.toml").faults[1].problem
    shutil.rmtree(tmp_path)


def test_the_users_file_is_found_by_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "stonebrowse" / "settings.toml"
    file.parent.mkdir()
    file.write_text('theme = "birch"')
    loaded = settings.load(environ={"XDG_CONFIG_HOME": str(tmp_path)})
    assert loaded.path == file
    assert loaded.settings.theme == "birch"
