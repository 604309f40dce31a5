"""The door, and the socket behind it."""

from __future__ import annotations

import socket

import pytest

from stonebrowse.errors import InputInvalid
from stonebrowse.library.doors import Door, is_loopback, listen, own_name

HOME = "127.0.0.1:8000"


def door(host: str = "127.0.0.1") -> Door:
    return Door(host, 8000, "right")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000"])
def test_its_own_names_are_let_in(host: str) -> None:
    assert door().refusal(host, None, "right") == ""
    assert door().refusal(host, f"http://{host.lower()}", None, "right") == ""


@pytest.mark.parametrize(
    "host",
    [
        None, "", ":8000", "127.0.0.1", "127.0.0.1:8001", "evil.example:8000", "127.0.0.1.evil.example:8000",
        "me@127.0.0.1:8000", "127.0.0.1:8000/x", "127.0.0.1:80000", "[::1", "localhost.:8000", "0.0.0.0:8000",
    ],
)  # fmt: skip
def test_foreign_names_are_refused(host: str | None) -> None:
    assert door().refusal(host, None, "right")


@pytest.mark.parametrize(
    "origin",
    ["null", "", "http://evil.example", "http://localhost:8000", "https://127.0.0.1:8000", "http://127.0.0.1",
     "http://127.0.0.1:8000/", "http://127.0.0.1:8000.evil.example"],
)  # fmt: skip
def test_foreign_pages_are_refused(origin: str) -> None:
    assert door().refusal(HOME, origin, "right")


@pytest.mark.parametrize(
    "given", [(), (None,), ("",), ("wrong", None), ("righ",), ("rightt",), ("r\xedght",)]
)
def test_nothing_is_open_without_the_secret(given: tuple[str | None, ...]) -> None:
    assert door().refusal(HOME, None, *given)


def test_every_server_has_a_secret_of_its_own_that_no_listing_shows() -> None:
    doors = [Door("127.0.0.1", 8000) for _ in range(20)]
    assert len({one.secret for one in doors}) == 20
    assert all(
        len(one.secret) >= 32 and one.secret in one.url and one.secret not in repr(one) for one in doors
    )


def test_an_open_host_takes_addresses_and_its_own_name_but_no_other() -> None:
    wide = door("0.0.0.0")
    for host in ("192.168.1.5:8000", "localhost:8000", f"{own_name()}:8000"):
        assert wide.refusal(host, None, "right") == ""
    assert wide.refusal("evil.example:8000", None, "right")
    assert own_name() in wide.url


def test_a_named_host_is_the_only_name() -> None:
    named = door("reading.example")
    assert named.refusal("reading.example:8000", None, "right") == ""
    assert named.refusal("127.0.0.1:8000", None, "right")


def test_loopback_is_known() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "localhost", "::1", "127.9.9.9")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.5", "evil.example", "")))


def test_another_host_needs_to_be_allowed() -> None:
    with pytest.raises(InputInvalid, match="--allow-remote"):
        listen("0.0.0.0", 0)
    with listen("0.0.0.0", 0, allow_remote=True) as listening:
        assert listening.getsockname()[1]


def test_a_taken_port_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(InputInvalid, match="is taken"):
        listen("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.name.invalid"])
def test_a_host_that_is_not_ours_is_said(host: str) -> None:
    with pytest.raises(InputInvalid, match="--host"):
        listen(host, 0, allow_remote=True)
