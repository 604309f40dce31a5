"""The server as a process: over standard input and output, and over HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import pytest
from mcp import Client, StdioServerParameters

from tests.cli.program import COMMAND, Program, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def library(make: Callable[..., Program]) -> Program:
    return make({"holidays.md": "# Holidays\n\nThirty days.\n\n## Carry-over\n\nFive days, until March.\n"})


class Pipe:
    """A server behind pipes, spoken to line by line."""

    def __init__(self, program: Program) -> None:
        self.process = subprocess.Popen(
            program.words(["mcp"]),
            env=program.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def say(self, message: object) -> None:
        self.raw(json.dumps(message))

    def raw(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, number: int) -> Any:
        """The answer to a request; every line before it has to be protocol too."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0"
            if message.get("id") == number:
                return message
        raise AssertionError("the server ended")

    def call(self, number: int, tool: str, **arguments: Any) -> Any:
        self.say(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": tool, "arguments": arguments},
            }
        )
        return self.hear(number)

    def end(self) -> int:
        """Closes our end, and gives the exit status of the server."""
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            return process.wait(30)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()


@pytest.fixture
def pipe(library: Program) -> Iterator[Pipe]:
    speaking = Pipe(library)
    try:
        speaking.say(INITIALIZE)
        answer = speaking.hear(1)
        assert "path § heading (Line N)" in answer["result"]["instructions"]
        speaking.say(READY)
        yield speaking
    finally:
        speaking.end()


def test_a_client_of_the_sdk_over_standard_input_and_output(library: Program) -> None:
    words = library.words(["mcp"])
    parameters = StdioServerParameters(command=words[0], args=words[1:], env=dict(library.environment()))

    async def run() -> str:
        async with Client(parameters) as client:
            found = await client.call_tool("search", {"query": "five"})
            assert found.structured_content is not None
            passage = found.structured_content["hits"][0]["passage_id"]
            reference = {"reference": f"chunk:{passage}", "text": "Five days"}
            taken = await client.call_tool("read", reference)
            assert taken.structured_content is not None
            return str(taken.structured_content["token"])

    token = anyio.run(run)
    workspace = library.ok("graph", "workspace", "create").out.strip()
    entity = library.ok("graph", "workspace", "stage-entity", workspace, "--name", "A").out.strip()
    library.ok(
        "graph", "workspace", "capture", workspace, "--on", entity, "--token", token, "--note", "over MCP"
    )
    library.ok("graph", "workspace", "commit", workspace)
    assert "Five days" in library.ok("graph", "entity", "read", entity).out
    library.ok("doctor")


def test_one_bad_request_never_ends_the_server(pipe: Pipe) -> None:
    for line in (
        "{",
        "[]",
        "null",
        '"x"',
        '{"jsonrpc": "2.0"}',
        "[" * 5000,
        "\x00\x01",
        '{"jsonrpc":"2.0","id":7}',
    ):
        pipe.raw(line)
    pipe.say({"jsonrpc": "2.0", "id": 2, "method": "no/such"})
    assert "error" in pipe.hear(2)
    pipe.say({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 3}})
    assert "error" in pipe.hear(3)
    pipe.say({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "nothing"}})
    assert "error" in pipe.hear(4)
    refused = pipe.call(5, "search", query="x" * 10_000_000)
    assert refused["result"]["structuredContent"]["error"]["code"] == "input_invalid"
    assert pipe.call(6, "search", query="five")["result"]["structuredContent"]["total"] == 1
    assert pipe.end() == 0


def test_a_client_that_goes_away_ends_it_and_harms_nothing(library: Program, pipe: Pipe) -> None:
    for number in range(10, 40):
        pipe.say(
            {
                "jsonrpc": "2.0",
                "id": number,
                "method": "tools/call",
                "params": {"name": "search", "arguments": {"query": "five"}},
            }
        )
    assert pipe.end() == 0
    library.ok("doctor")


def test_what_is_recorded_is_told(library: Program, pipe: Pipe) -> None:
    (file,) = pipe.call(2, "list_files")["result"]["structuredContent"]["files"]
    uri = f"stonebrowse://read/file:{file['file_id']}"
    pipe.say({"jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": {"uri": uri}})
    assert "result" in pipe.hear(3)
    library.write({"holidays.md": "# Holidays\n\nForty days.\n"})
    assert pipe.process.stdout is not None
    told = set()
    for line in pipe.process.stdout:
        message = json.loads(line)
        told.add(message["method"])
        if message["method"] == "notifications/resources/updated":
            assert message["params"]["uri"] == uri
        if len(told) == 2:
            break
    assert told == {"notifications/resources/updated", "notifications/resources/list_changed"}


def test_without_the_sdk_one_line_says_how_to_get_it(library: Program) -> None:
    hidden = "import sys; sys.modules['mcp'] = None; sys.argv[0] = 'stonebrowse'; "
    run = hidden + "from stonebrowse.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", run, *library.words(["mcp"])[len(COMMAND) :]],
        env=library.environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "pip install 'stonebrowse[mcp]'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.fixture
def door(library: Program) -> Iterator[str]:
    """The address that a server over HTTP printed."""
    process = subprocess.Popen(
        library.words(["mcp", "--http", "127.0.0.1:0"]),
        env=library.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        parts = urlsplit(url)
        wait_until(lambda: answered(url, {}) != 0, "the server listens")
        assert parts.hostname == "127.0.0.1"
        yield url
        process.send_signal(signal.SIGINT)
        process.wait(30)
    finally:
        process.kill()
        process.communicate()


def answered(url: str, headers: dict[str, str], path: str | None = None) -> int:
    """The status of a first request; 0 where nobody listens."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    accepted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        body = json.dumps(INITIALIZE)
        connection.request("POST", path or f"{parts.path}?{parts.query}", body, accepted | headers)
        return connection.getresponse().status
    except ConnectionError:
        return 0
    finally:
        connection.close()


def test_http_answers_who_has_the_secret_alone(door: str) -> None:
    port = urlsplit(door).port
    secret = door.partition("key=")[2]
    assert answered(door, {}) == 200
    assert answered(door, {"Authorization": f"Bearer {secret}"}, "/mcp") == 200
    assert answered(door, {}, "/mcp") == 403
    assert answered(door, {"Authorization": "Bearer wrong"}, "/mcp") == 403
    assert answered(door, {"Host": "evil.example"}) in {403, 421}
    assert answered(door, {"Origin": "http://evil.example"}) in {403, 421}
    assert answered(door, {"Origin": f"http://127.0.0.1:{port}"}) == 200

    async def run() -> None:
        async with Client(door) as client:
            found = await client.call_tool("search", {"query": "five"})
            assert found.structured_content is not None
            assert found.structured_content["total"] == 1

    anyio.run(run)


def test_another_host_needs_to_be_allowed(library: Program) -> None:
    assert "--allow-remote" in library.run("mcp", "--http", "0.0.0.0:0").refusal(2, "input_invalid")
    for wrong in ("x", "127.0.0.1", "127.0.0.1:70000", ":80"):
        library.run("mcp", "--http", wrong).refusal(2, "input_invalid")
    library.run("mcp", "--allow-remote").refusal(2, "input_invalid")


def test_nothing_is_left_behind(library: Program, pipe: Pipe) -> None:
    assert pipe.call(2, "search", query="five")["result"]["structuredContent"]["total"] == 1
    assert pipe.end() == 0
    assert library.store is not None
    wait_until(lambda: not children_of(str(library.store)), "the keeper has ended")


def children_of(store: str) -> list[str]:
    """The processes that name the store on their command lines."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace")
        except OSError:
            continue
        if store in words and "keeper_process" in words:
            found.append(pid)
    return found
