"""The XDG base folders and the names of stores."""

from __future__ import annotations

import os
import pwd
from hashlib import sha256
from pathlib import Path

import pytest

from stonebrowse.settings import places


def test_the_base_folders_are_those_of_the_environment() -> None:
    environ = {
        "XDG_DATA_HOME": "/d",
        "XDG_STATE_HOME": "/s",
        "XDG_CONFIG_HOME": "/c",
        "XDG_CACHE_HOME": "/k",
    }
    assert places.data_folder(environ) == Path("/d/stonebrowse")
    assert places.log_file(environ) == Path("/s/stonebrowse/stonebrowse.log")
    assert places.settings_file(environ) == Path("/c/stonebrowse/settings.toml")
    assert places.themes_folder(environ) == Path("/c/stonebrowse/themes")
    assert places.cache_folder(environ) == Path("/k/stonebrowse")


@pytest.mark.parametrize("wrong", ["", "relative/path", "~/data"])
def test_a_relative_or_empty_variable_counts_as_not_set(wrong: str) -> None:
    environ = {"HOME": "/home/someone", "XDG_DATA_HOME": wrong}
    assert places.data_folder(environ) == Path("/home/someone/.local/share/stonebrowse")
    assert places.state_folder(environ) == Path("/home/someone/.local/state/stonebrowse")


def test_without_home_the_systems_list_of_users_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.home_folder({}) == Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert places.home_folder({"HOME": ""}) == places.home_folder({})

    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert places.settings_file({}) == Path("/.config/stonebrowse/settings.toml")


def test_a_store_is_named_for_its_folder_and_its_path() -> None:
    environ = {"XDG_DATA_HOME": "/d"}
    digest = sha256(b"/home/a/notes").hexdigest()[:8]
    assert places.store_place(b"/home/a/notes", environ) == Path(f"/d/stonebrowse/notes-{digest}")
    assert places.store_place(b"/home/a/notes/", environ) == places.store_place(b"/home/a/notes", environ)
    assert places.store_place(b"/home/b/notes", environ) != places.store_place(b"/home/a/notes", environ)
    assert places.store_place(b"/", environ).name.startswith("root-")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Café 日本".encode(), "Café 日本"),
        (b"a\x1b[31m\n", "a_[31m_"),
        (b"caf\xe9", "caf_"),
        ("a\u202eb".encode(), "a_b"),
        (b"x" * 255, "x" * 200),
        ("é".encode() * 127, "é" * 100),
        (b".", "."),
    ],
)
def test_a_strange_name_makes_a_plain_one(name: bytes, shown: str) -> None:
    place = places.store_place(b"/home/" + name, {"XDG_DATA_HOME": "/d"})
    assert place.parent == Path("/d/stonebrowse")
    assert place.name[:-9] == shown
    assert len(os.fsencode(place.name)) <= 255
