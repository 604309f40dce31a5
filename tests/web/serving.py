"""The server under test: the real program, asked by real requests."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import subprocess
import time
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import aiohttp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.cli.program import Program

PATIENCE_SECONDS = 30.0


class Serving:
    """A running `stonebrowse serve`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Reads the address that it prints."""
        self.process = process
        assert process.stdout is not None
        self.url = process.stdout.readline().decode().strip()
        parts = urlsplit(self.url)
        assert parts.hostname
        assert parts.port
        self.host = f"{parts.hostname}:{parts.port}"
        self.port = parts.port
        self.secret = parts.query.removeprefix("key=")

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    @property
    def cookie(self) -> str:
        return f"stonebrowse_{self.port}={self.secret}"

    def ask(self, path: str, **headers: str) -> http.client.HTTPResponse:
        """Asks for a path; the answer's body is read already, as `body`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        answer.body = answer.read()  # type: ignore[attr-defined]
        connection.close()
        return answer

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Ends it; gives its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)

    def browsers(self) -> list[int]:
        """The browser processes that it has started and that still run."""
        return children(self.process.pid)


def children(parent: int) -> list[int]:
    """The processes that a process has started and that still run."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(name))
    return found


def lives(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until_gone(pids: list[int]) -> None:
    """Waits until none of these processes is there."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while any(map(lives, pids)):
        assert time.monotonic() < deadline, f"still there: {[pid for pid in pids if lives(pid)]}"
        time.sleep(0.05)


@contextmanager
def serving(program: Program, *words: str) -> Iterator[Serving]:
    """Serves a program's library on any free port."""
    process = program.start("serve", "--port", "0", *words)
    try:
        yield Serving(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        process.communicate()


class Page:
    """An open page, as its script sees it: bytes come, keys go."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.got = b""

    async def press(self, keys: str) -> None:
        await self.socket.send_json(["stdin", keys])

    async def until(self, text: str, since: int = 0) -> None:
        """Waits until the browser has sent a text."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while text.encode() not in self.got[since:]:
                message = await self.socket.receive()
                assert message.type in {aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT}, (
                    message,
                    self.got[-2000:],
                )
                if message.type == aiohttp.WSMsgType.BINARY:
                    self.got += message.data

    async def until_closed(self) -> None:
        """Waits until the server closes the page."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await self.socket.receive()).type in {aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT}:
                pass


@asynccontextmanager
async def opened(serve: Serving, *, width: int = 100, height: int = 30) -> AsyncIterator[Page]:
    """Opens a page's websocket, as the page does."""
    address = f"ws://{serve.host}/ws?width={width}&height={height}"
    headers = {"Origin": serve.origin, "Cookie": serve.cookie}
    async with aiohttp.ClientSession() as client, client.ws_connect(address, headers=headers) as socket:
        yield Page(socket)
