"""The program as a person or a script meets it: run as its own process, seen from outside.

Nothing of stonebrowse is imported here except to learn where the package lies, so that the process that is
started is the package that the tests belong to.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DATA = Path(__file__).parents[1] / "data" / "contract"
"""Small inputs of our own."""

COMMAND = (sys.executable, "-m", "stonebrowse")
DEADLINE = 60.0
"""Seconds until a test that waits for something gives up. Nothing is measured against it."""

ID = {kind: re.compile(rf"{kind}_[0-9a-hjkmnp-tv-z]{{12}}") for kind in "fvp"}
"""Crockford base32 in lower case: no i, l, o, u."""
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
RFC3339_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")

SYNC_FIELDS = ("added", "changed", "renamed", "trashed", "restored", "unchanged", "skipped", "passages")
CHANGES = ("added", "changed", "renamed", "trashed", "restored")

Content = str | bytes
T = TypeVar("T")


def _package_place() -> str:
    """The folder that holds the package under test: where it is installed, else this checkout."""
    spec = importlib.util.find_spec("stonebrowse")
    if spec is None or spec.origin is None:
        return str(Path(__file__).parents[2])
    return str(Path(spec.origin).parents[1])


def write(folder: Path, files: Mapping[str, Content]) -> None:
    """Writes files below a folder, text as UTF-8 without touching its line ends."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))


def wait_until(probe: Callable[[], T], what: str, seconds: float = DEADLINE) -> T:
    """Asks again and again until the answer is true; fails, with the last answer, at the deadline."""
    end = time.monotonic() + seconds
    while True:
        answer = probe()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:g} s in vain until {what}; last: {answer!r}")
        time.sleep(0.05)


@dataclass(frozen=True)
class Done:
    """One finished run."""

    args: tuple[str, ...]
    code: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        return self.stdout.decode("utf-8")

    @property
    def err(self) -> str:
        return self.stderr.decode("utf-8")

    @property
    def lines(self) -> list[str]:
        return self.out.split("\n")[:-1]

    def json(self) -> Any:
        """The one JSON value on standard output."""
        return json.loads(self.out)

    def is_quiet(self) -> bool:
        """Whether no part of a Python traceback or of the interpreter's own complaints came out."""
        noise = ("Traceback", "Exception ignored", "Error:\n", "ResourceWarning", "DeprecationWarning")
        both = self.stdout.decode("utf-8", "replace") + self.stderr.decode("utf-8", "replace")
        return not any(word in both for word in noise)

    def expect(self, *codes: int) -> Self:
        """Fails, showing the whole run, unless the exit code is one of these."""
        assert self.code in codes, (
            f"exit {self.code}, wanted {codes}: {self.args}\n{self.stdout[-2000:]!r}\n{self.stderr[-3000:]!r}"
        )
        assert self.is_quiet(), f"$ {self.args}\n{self.stdout[-2000:]!r}\n{self.stderr[-3000:]!r}"
        return self

    def refusal(self, exit_code: int, code: str) -> str:
        """The sentence of a refusal; fails unless it has exactly this exit code, code and form."""
        self.expect(exit_code)
        assert self.stdout == b"", f"a refusal prints no result: {self.stdout!r}"
        if "--json" in self.args:
            error = json.loads(self.err.splitlines()[-1])
            assert set(error) == {"error"}
            assert error["error"]["code"] == code, error
            message: str = error["error"]["message"]
            assert message
            return message
        found = re.search(rf"^stonebrowse: {code}: (.+)", self.err, re.MULTILINE | re.DOTALL)
        assert found, f"no 'stonebrowse: {code}: …' in {self.err!r}"
        return found[1].strip()


@dataclass
class Program:
    """The program with a home, a folder and a store of its own.

    Attributes:
        root: An empty directory that this test may fill; home, folder and store lie in it.
        folder: The library's folder.
        store: What `--store` is given; None leaves it to the program's rule.
    """

    root: Path
    folder: Path
    store: Path | None
    env: dict[str, str] = field(default_factory=dict)

    @classmethod
    def in_dir(
        cls, root: Path, files: Mapping[str, Content] | None = None, *, folder: str = "library"
    ) -> Self:
        """A program on a new folder with these files."""
        place = root / folder
        place.mkdir(parents=True)
        write(place, files or {})
        return cls(root, place, root / "store")

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def data_home(self) -> Path:
        return self.root / "data"

    @property
    def config_home(self) -> Path:
        return self.root / "config"

    def environment(self, extra: Mapping[str, str | None] | None = None) -> dict[str, str]:
        """What the process sees: nothing of the person who runs the tests."""
        kept = {key: os.environ[key] for key in ("PATH", "COVERAGE_PROCESS_START") if key in os.environ}
        for place in (self.home, self.root / "run"):
            place.mkdir(mode=0o700, exist_ok=True)
        env: dict[str, str | None] = {
            **kept,
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.data_home),
            "XDG_CONFIG_HOME": str(self.config_home),
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "XDG_STATE_HOME": str(self.root / "state"),
            "XDG_RUNTIME_DIR": str(self.root / "run"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TZ": "UTC",
            "PYTHONPATH": _package_place(),
            **self.env,
            **(extra or {}),
        }
        return {key: value for key, value in env.items() if value is not None}

    def words(self, args: Sequence[str]) -> list[str]:
        """The command line: the program, its places, and what the test asks."""
        places = ["-C", str(self.folder)]
        if self.store is not None:
            places += ["--store", str(self.store)]
        return [*COMMAND, *places, *args]

    def run(
        self,
        *args: str,
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
        stdin: bytes = b"",
        bare: bool = False,
        timeout: float = 100,
        **options: Any,
    ) -> Done:
        """Runs one command to its end.

        Args:
            args: The words after the program's name.
            env: Changes to the environment; None takes a variable out.
            cwd: The working directory (default: the root, which is not the folder).
            stdin: What it reads.
            bare: Without `-C` and `--store`.
            timeout: Seconds until it counts as hanging.
            options: More for `subprocess.run`.
        """
        command = [*COMMAND, *args] if bare else self.words(args)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        done = subprocess.run(
            command,
            input=stdin,
            env=self.environment(env),
            cwd=cwd or self.root,
            timeout=timeout,
            check=False,
            **options,
        )
        return Done(tuple(args), done.returncode, done.stdout or b"", done.stderr or b"")

    def start(
        self, *args: str, env: Mapping[str, str | None] | None = None, **options: Any
    ) -> subprocess.Popen[bytes]:
        """Starts a command and leaves it running."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen(
            self.words(args),
            stdin=subprocess.DEVNULL,
            env=self.environment(env),
            cwd=self.root,
            **options,
        )

    def ok(self, *args: str, **options: Any) -> Done:
        """Runs a command that must succeed."""
        return self.run(*args, **options).expect(0)

    def ask(self, *args: str, **options: Any) -> Any:
        """The JSON answer of a command that must succeed."""
        return self.ok(*args, "--json", **options).json()

    def sync(self, *args: str) -> dict[str, Any]:
        """Brings the library up to date; gives the counts."""
        answer: dict[str, Any] = self.ask("sync", *args)
        return answer

    def passages(self, path: str, *args: str) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = self.ask("files", "passages", path, *args)["passages"]
        return answer

    def versions(self, path: str, *args: str) -> list[dict[str, Any]]:
        answer: list[dict[str, Any]] = self.ask("files", "versions", path, *args)["versions"]
        return answer

    def files(self, *args: str) -> dict[str, dict[str, Any]]:
        """The listed Files by path."""
        return {entry["path"]: entry for entry in self.ask("files", "list", *args)["files"]}

    def file(self, path: str, *args: str) -> dict[str, Any]:
        answer: dict[str, Any] = self.ask("files", "show", path, *args)
        return answer

    def search(self, *args: str, **options: Any) -> dict[str, Any]:
        """The answer of a search, with hits or without. Options stand before the words."""
        done = self.run("search", "--json", *args, **options).expect(0, 1)
        answer: dict[str, Any] = done.json()
        assert (done.code == 0) == bool(answer["hits"]), (done.code, answer)
        return answer

    def found(self, *args: str) -> list[str]:
        """The citations of a search's hits, best first."""
        return [hit["citation"] for hit in self.search(*args)["hits"]]

    def write(self, files: Mapping[str, Content]) -> None:
        write(self.folder, files)


def picture(folder: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """Everything that a write into a folder would change."""
    shot: dict[str, tuple[int, int, int, bytes]] = {}
    for place, names, files in os.walk(folder):
        for path in [Path(place), *(Path(place) / name for name in (*names, *files))]:
            stat = path.lstat()
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            shot[str(path)] = (stat.st_mode, stat.st_mtime_ns, stat.st_ino, content)
    return shot


def databases(store: Path) -> list[Path]:
    """The SQLite files of a store, biggest first."""
    found = [path for path in store.rglob("*") if path.is_file() and path.stat().st_size >= 100]
    found = [path for path in found if path.read_bytes()[:15] == b"SQLite format 3"]
    return sorted(found, key=lambda path: -path.stat().st_size)


def index_tables(root: Path) -> list[Path]:
    """The tables of contents of Whoosh indexes below a directory."""
    return sorted(root.rglob("_*_*.toc"))


def has(tool: str) -> bool:
    return shutil.which(tool) is not None
