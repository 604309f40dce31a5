"""`serve`, asked by real requests: who is let in, what is shown, and how it ends."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import sys
from typing import TYPE_CHECKING

import aiohttp
import pytest

from stonebrowse.web.visitor import sizes
from tests.web.serving import opened, serving, until_gone

if TYPE_CHECKING:
    from tests.cli.program import Program
    from tests.web.serving import Serving

PATHS = (
    "/",
    "/static/page.js",
    "/static/terminal.js",
    "/ws",
    "/download/x",
    "/nothing",
    "/?key=",
    "/?key=wrong",
)


def test_the_address_opens_the_page_and_gives_the_cookie(server: Serving) -> None:
    answer = server.ask(f"/?key={server.secret}")
    assert answer.status == 200
    cookie = answer.getheader("Set-Cookie") or ""
    assert cookie.startswith(server.cookie)
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}
    assert server.ask("/", Cookie=server.cookie).status == 200


@pytest.mark.parametrize("path", PATHS)
def test_without_the_secret_nothing_is_answered(server: Serving, path: str) -> None:
    for headers in ({}, {"Cookie": f"stonebrowse_{server.port}=wrong"}, {"Cookie": server.secret}):
        answer = server.ask(path, **headers)
        assert answer.status == 403
        assert server.secret not in repr(answer.headers.items()) + repr(answer.body)  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/static/page.js", "/ws", "/download/x"])
def test_the_secret_in_an_address_opens_the_page_alone(server: Serving, path: str) -> None:
    assert server.ask(f"{path}?key={server.secret}").status == 403


@pytest.mark.parametrize("path", ["/", "/static/terminal.js", "/ws", "/download/x"])
def test_a_foreign_host_or_origin_is_refused_with_the_secret_too(server: Serving, path: str) -> None:
    for headers in (
        {"Host": f"evil.example:{server.port}"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://localhost:{server.port}"},
    ):
        assert server.ask(path, Cookie=server.cookie, **headers).status == 403


def test_two_hosts_in_one_request_are_refused(server: Serving) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as raw:
        raw.sendall(
            f"GET / HTTP/1.1\r\nHost: {server.host}\r\nHost: evil.example\r\n"
            f"Cookie: {server.cookie}\r\nConnection: close\r\n\r\n".encode()
        )
        assert raw.recv(64).split()[1] in {b"400", b"403"}


@pytest.mark.parametrize(
    "path", ["/static/", "/static/..%2fserver.py", "/static/nothing.js", "/download/x", "/etc/passwd"]
)
def test_nothing_else_is_there(server: Serving, path: str) -> None:
    assert server.ask(path, Cookie=server.cookie).status == 404


def test_the_page_loads_only_what_is_here(server: Serving) -> None:
    answer = server.ask("/", Cookie=server.cookie)
    text = answer.body.decode()  # type: ignore[attr-defined]
    wanted = re.findall(r'(?:src|href)="([^"]*)"', text)
    assert len(wanted) == 5
    assert {address for address in wanted if not address.startswith("/static/")} == {"data:,"}
    assert set(re.findall(r"\w+://[^\"]*", text)) == {f"ws://{server.host}/ws"}
    for address in wanted:
        if address.startswith("/"):
            assert server.ask(address, Cookie=server.cookie).status == 200
    policy = answer.getheader("Content-Security-Policy") or ""
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["connect-src"] == f"'self' ws://{server.host}"
    assert not re.search(r"https?:|\*", policy)
    assert answer.getheader("Referrer-Policy") == "no-referrer"


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Cookie": "x=y"}, {"Host": "evil.example"}]
)
async def test_a_foreign_websocket_starts_nothing(server: Serving, headers: dict[str, str]) -> None:
    before = server.browsers()
    async with aiohttp.ClientSession() as client:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await client.ws_connect(
                f"ws://{server.host}/ws", headers={"Cookie": server.cookie, "Origin": server.origin} | headers
            )
    assert refused.value.status == 403
    assert server.browsers() == before


async def test_a_page_browses_and_its_end_ends_its_browser(library: Program) -> None:
    with serving(library) as serve:
        async with opened(serve) as page:
            await page.until("Search")
            await page.until("holidays.md")
            browsers = serve.browsers()
            assert len(browsers) == 1
            at = len(page.got)
            await page.press("e")
            await page.until("Not in a web page", at)
        until_gone(browsers)
        assert not list(library.root.rglob("editor-was-here"))


async def test_a_page_that_is_resized_as_it_opens_has_its_last_size(library: Program) -> None:
    with serving(library) as serve:
        async with opened(serve, width=20, height=30) as page:
            await page.until("\x1b[")
            await page.socket.send_json(["resize", {"width": 90, "height": 25}])
            # So wide that the line's number stands at the right.
            await page.until(" line 1 ")


async def test_a_page_that_sends_nonsense_goes_on(library: Program) -> None:
    with serving(library) as serve:
        async with opened(serve) as page:
            await page.until("Search")
            for nonsense in (
                "{",
                "[]",
                "null",
                "7",
                '["stdin"]',
                '["stdin", 5]',
                '["resize", {"width": "x"}]',
                '["open_url"]',
            ):
                await page.socket.send_str(nonsense)
            await page.socket.send_json(["resize", {"width": 90, "height": 25}])
            await page.socket.send_json(["ping", 7])
            await page.until("holidays.md")
            await page.press("q")
            await page.until_closed()
        assert serve.end() == 130


async def test_ctrl_c_ends_it_with_all_its_pages(library: Program) -> None:
    with serving(library) as serve:
        async with opened(serve) as one, opened(serve) as two:
            await one.until("Search")
            await two.until("Search")
            browsers = serve.browsers()
            assert len(browsers) == 2
            serve.process.send_signal(signal.SIGINT)
            await one.until_closed()
            await two.until_closed()
        assert await asyncio.to_thread(serve.process.wait, 20) == 130
        until_gone(browsers)
        assert serve.process.stderr is not None
        said = serve.process.stderr.read().decode()
        assert "Traceback" not in said
        assert serve.secret not in said


async def test_a_server_that_is_killed_leaves_no_browser(library: Program) -> None:
    with serving(library) as serve:
        async with opened(serve) as page:
            await page.until("Search")
            browsers = serve.browsers()
            serve.end(signal.SIGKILL)
        until_gone(browsers)


def test_a_size_is_kept_within_bounds() -> None:
    assert sizes("120", "40") == (120, 40)
    assert sizes(-5, 10**9) == (20, 500)
    assert sizes("wide", None) == sizes(float("inf"), 3) == (80, 24)


def test_a_taken_port_and_another_host_are_refused(library: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "taken" in library.run("serve", "--port", port).refusal(2, "input_invalid")
    assert "--allow-remote" in library.run("serve", "--host", "0.0.0.0").refusal(2, "input_invalid")
    library.run("serve", "--port", "70000").refusal(2, "input_invalid")


def test_a_missing_folder_is_said_before_anything_listens(library: Program) -> None:
    library.run("-C", "nowhere", "serve", bare=True).refusal(5, "folder_unavailable")


def test_without_the_extra_one_line_says_how_to_get_it(library: Program) -> None:
    blocked = "import sys; sys.modules['textual_serve'] = None\nfrom stonebrowse.__main__ import run\nrun()"
    import subprocess

    done = subprocess.run(
        [sys.executable, "-c", blocked, "-C", str(library.folder), "serve"],
        capture_output=True, env=library.environment(), cwd=library.root, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert b"pip install 'stonebrowse[web]'" in done.stderr
