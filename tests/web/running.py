"""A real server on 127.0.0.1 for tests, and a kind of subject whose work goes on as long as a test wants."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

import probatum
from tests.verification.packages import offering

PATIENCE = 30.0
HELD_KIND = """
import os, signal, time
from probatum.core.command import Command
from probatum.core.decision import Outcome, decide
from probatum.core.endpoint import Endpoint
from probatum.core.errors import UsageError
from probatum.core.events import Event
from probatum.verification.kind import PlainKind
from probatum.verification.observed import NotJudged


class Held:
    def __init__(self, name, fields):
        self.name = self.recorded_name = name
        self.fields, self.content = fields, b"held"


class Bench:
    def observe(self, request, listener):
        fields = request.fields
        listener(Event("begun", "It begins.", {"number": 1}))
        if "begun" in fields:
            with open(fields["begun"], "a") as file:
                file.write(request.name + "\\n")
        if fields.get("ends") == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if fields.get("ends") == "fails":
            raise RuntimeError("a defect")
        if fields.get("ends") == "refuses":
            raise UsageError("held.refused", "It is refused.", details={"field": "ends"})
        while "until" in fields and not os.path.exists(fields["until"]):
            time.sleep(0.005)
        return NotJudged(request.name, decide(Outcome.UNDECIDED, "held.done", catalogue=Verifier.sentences))

    def close(self):
        pass


class Verifier(PlainKind):
    name = "held"
    command = Command("held", "Held?", "Hold.", "FILE", "A file.")
    too_large = "held.too_large"
    sentences = {"held.too_large": "It is too large.", "held.done": "It was held."}

    def endpoint(self):
        return Endpoint(path="/hold", is_quick=lambda fields: fields.get("quick") is True)

    def requests(self, given, sources):
        return iter(())

    def request(self, line):
        return Held(line.id, line.fields)

    def open(self, given, host):
        return Bench()
"""


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    url: str
    token: str
    process: subprocess.Popen[str]
    log: Path

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        """Return a client with this token, else with that of the server."""
        told = {"Authorization": f"Bearer {self.token if token is None else token}", **headers}
        return httpx.Client(base_url=self.url, headers=told, timeout=PATIENCE)

    def terminate(self) -> None:
        """Ask the server to end."""
        self.process.send_signal(signal.SIGTERM)

    def logged(self) -> list[dict[str, object]]:
        """Return the lines of its log that are JSON."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]


def offer_held(site: Path, source: str = HELD_KIND) -> None:
    """Install the held kind into a folder."""
    if not site.exists():
        site.mkdir()
        offering(site, "held", source, verifier_id="held", group="probatum.kinds")


@contextmanager
def server(folder: Path, *options: str, with_held: bool = False, **variables: str) -> Iterator[Running]:
    """Run a server in a folder of its own, with the held kind where asked for."""
    folder.mkdir(exist_ok=True, parents=True)
    site = folder / "site"
    if with_held:
        offer_held(site)
    # The server works in another folder, where a relative path of ours would lead nowhere.
    path = os.pathsep.join([str(site), str(Path(probatum.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": path, "PROBATUM_LEDGER": "", **variables}
    command = [sys.executable, "-m", "probatum", "serve", "--port", "0", "--store", str(folder / "proofs.sqlite")]
    log = folder / "log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*command, *options], stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, cwd=folder
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, log.read_text()
        told = json.loads(line)
        yield Running(told["url"], told.get("token", ""), process, log)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout and process.stdout.close()


def eventually(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.01)
