"""`watch`, running, as the tests see it: its events as they come."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
import subprocess
import threading
from typing import TYPE_CHECKING, Any, Self

from tests.cli.program import DEADLINE, Program, wait_until

if TYPE_CHECKING:
    from collections.abc import Mapping


class Watch:
    """`watch --json`, running, its lines read as they come."""

    def __init__(
        self, program: Program, *args: str, env: Mapping[str, str | None] | None = None, **options: Any
    ) -> None:
        """Starts it."""
        self.program = program
        self.process = program.start("watch", "--json", *args, env=env, **options)
        self.events: list[dict[str, Any]] = []
        self.strays: list[str] = []
        self._errors: list[bytes] = []
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._readers = [
            threading.Thread(target=self._read_events, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_events(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self._errors.extend(self.process.stderr)

    @property
    def err(self) -> str:
        return b"".join(self._errors).decode("utf-8", "replace")

    def take(self) -> list[dict[str, Any]]:
        """Everything that has come so far."""
        while True:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return self.events
            event = json.loads(line)
            assert isinstance(event, dict)
            self.events.append(event)

    def wait_for(self, event: str, path: str, after: int = 0) -> dict[str, Any]:
        """Waits until this event of this path has come (behind the first `after` events)."""

        def probe() -> dict[str, Any] | None:
            hits = [one for one in self.take()[after:] if (one["event"], one["path"]) == (event, path)]
            if not hits and self.process.poll() is not None:
                raise AssertionError(f"watch ended with {self.process.returncode}: {self.err}")
            return hits[0] if hits else None

        found = wait_until(probe, f"watch reports {event} {path}; came: {self.events[after:]}; {self.err}")
        assert found is not None
        return found

    def ready(self) -> int:
        """Waits until it is seen to notice changes; gives the number of events so far."""
        probe = self.program.folder / "zz-probe.md"
        count = 0

        def seen() -> bool:
            nonlocal count
            if any(event["path"] == probe.name for event in self.take()):
                return True
            if self.process.poll() is not None:
                raise AssertionError(f"watch ended with {self.process.returncode}: {self.err}")
            if count % 20 == 0:
                probe.write_text(f"# Probe {count}\n", encoding="utf-8")
            count += 1
            return False

        wait_until(seen, f"watch notices a new file; {self.err}")
        return len(self.events)

    def stop(self, number: int = signal.SIGINT) -> int:
        """Ends it as Ctrl-C does; gives the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            for reader in self._readers:
                reader.join(5)
            for stream in (self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()
        self.take()
        return self.process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGCONT)
        self.stop()
