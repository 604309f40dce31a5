"""The page in a real Chromium: it is shown, it takes keys, and it asks nothing of anybody else."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import subprocess
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import aiohttp
import pytest

from tests.web.serving import PATIENCE_SECONDS, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.cli.program import Program
    from tests.web.serving import Serving

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")


class Tab:
    """One page of a Chromium, driven by its DevTools protocol."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self.asked: list[str] = []
        self.faults: list[str] = []

    async def do(self, method: str, **words: Any) -> dict[str, Any]:
        """Asks for something, and notes what the page does meanwhile."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": words})
        while True:
            message = await self._socket.receive_json(timeout=PATIENCE_SECONDS)
            if message.get("id") == self._number:
                assert "error" not in message, message
                found: dict[str, Any] = message["result"]
                return found
            self._note(message["method"], message["params"])

    def _note(self, method: str, words: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.asked.append(words["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.asked.append(words["url"])
        elif method == "Log.entryAdded" and words["entry"]["level"] == "error":
            self.faults.append(str(words["entry"]))
        elif method == "Runtime.exceptionThrown":
            self.faults.append(str(words))

    async def value(self, script: str) -> Any:
        return (await self.do("Runtime.evaluate", expression=script))["result"].get("value")

    async def until(self, script: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not await self.value(script):
            assert time.monotonic() < deadline, (script, self.asked, self.faults)
            await asyncio.sleep(0.1)

    async def press(self, key: str) -> None:
        await self.do("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        await self.do("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def escape(self) -> None:
        await self.do("Input.dispatchKeyEvent", type="rawKeyDown", key="Escape", windowsVirtualKeyCode=27)
        await self.do("Input.dispatchKeyEvent", type="keyUp", key="Escape", windowsVirtualKeyCode=27)

    async def picture(self) -> bytes:
        return base64.b64decode((await self.do("Page.captureScreenshot", format="png"))["data"])

    async def begin(self, url: str) -> Self:
        for domain in ("Network", "Log", "Runtime", "Page"):
            await self.do(f"{domain}.enable")
        await self.do("Page.navigate", url=url)
        await self.until("document.body && document.body.classList.contains('-first-byte')")
        return self


@asynccontextmanager
async def tab(profile: Path, url: str) -> AsyncIterator[Tab]:
    """Opens an address in a Chromium of its own."""
    assert CHROMIUM is not None
    process = subprocess.Popen(  # noqa: ASYNC220 - it only starts it
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--remote-debugging-port=0", "--remote-allow-origins=*",
            "--window-size=1200,800", f"--user-data-dir={profile}", "about:blank",
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, env=os.environ | {"HOME": str(profile)},
    )  # fmt: skip
    try:
        place = profile / "DevToolsActivePort"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (place.exists() and len(place.read_text().splitlines()) == 2):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
        port = place.read_text().splitlines()[0]
        async with aiohttp.ClientSession() as client:
            async with client.get(f"http://127.0.0.1:{port}/json/list") as answer:
                pages = [one for one in await answer.json(content_type=None) if one["type"] == "page"]
            address = pages[0]["webSocketDebuggerUrl"]
            async with client.ws_connect(address, max_msg_size=0) as socket:
                yield await Tab(socket).begin(url)
    finally:
        os.killpg(process.pid, 15)
        process.wait(20)


def is_here(address: str, serve: Serving) -> bool:
    """Whether an address is the server's own, or no request at all."""
    return address.startswith((f"{serve.origin}/", f"ws://{serve.host}/", "data:", "blob:"))


def keep(picture: bytes) -> None:
    """Writes what was seen to where the person who runs the tests wants to look at it."""
    if "STONEBROWSE_PICTURE" in os.environ:
        Path(os.environ["STONEBROWSE_PICTURE"]).write_bytes(picture)


async def test_a_page_is_shown_and_asks_nothing_of_anybody_else(library: Program, tmp_path: Path) -> None:
    with serving(library) as serve:
        async with tab(tmp_path, serve.url) as page:
            await asyncio.sleep(2)
            before = await page.picture()
            await page.press("s")
            await page.press("h")
            await asyncio.sleep(2)
            after = await page.picture()
            keep(after)
            assert await page.value("window.location.search") == ""
            assert await page.value("document.cookie") == ""
            assert await page.value("document.querySelector('.xterm-screen').clientWidth") > 1000
            assert page.asked
            assert [address for address in page.asked if not is_here(address, serve)] == []
            assert page.faults == []
            assert before != after
            browsers = serve.browsers()
            assert len(browsers) == 1
            await page.escape()
            await asyncio.sleep(1)
            await page.press("q")
            await page.until("document.body.classList.contains('-closed')")
        assert serve.end() == 130
