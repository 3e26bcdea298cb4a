"""How fast and how steadily `probatum serve` answers: POST /validate with the schema layer at a fixed rate.

Starts a server of its own on 127.0.0.1 and asks it over plain sockets, at a rate that does not wait for answers, so
that a slow answer delays no measurement of the others. Prints the distribution of latencies, errors, and how the
memory of the server and its workers grew after the first seconds.

    python -m benchmarks.service_load [--rate 200] [--seconds 60] [--connections 64]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

SIZES = (1, 1, 1, 2, 4, 16, 64)
"""How many records of about 100 bytes an output has; picked at random."""
WARM_SECONDS = 5.0
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["id", "name", "amount"],
        "properties": {
            "id": {"type": "integer", "minimum": 1},
            "name": {"type": "string", "minLength": 1},
            "amount": {"type": "number", "minimum": 0},
        },
    },
}


@dataclass(slots=True)
class Tally:
    """What came back."""

    latencies: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    valid: int = 0


def body(chance: random.Random) -> bytes:
    """Return one request: most outputs are valid, each is another one."""
    records = [
        {"id": chance.randrange(1, 10**9), "name": f"record {chance.randrange(10**12)} of the list", "amount": 12.5}
        for _ in range(chance.choice(SIZES))
    ]
    if chance.random() < 0.2:
        records[-1]["amount"] = -1
    asked = {"output": records, "validation_types": ["schema"], "expected_schema": SCHEMA}
    return json.dumps(asked).encode()


class Connection:
    """One connection that is kept alive."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self._place = host, port
        self._head = f"POST /validate HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
        self._head += "Content-Type: application/json\r\nContent-Length: "
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, content: bytes) -> tuple[int, bytes]:
        """Return status and body of the answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._place)
        reader, writer = self._streams
        writer.write(f"{self._head}{len(content)}\r\n\r\n".encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        size = int(head.partition("content-length:")[2].partition("\r")[0])
        answer = await reader.readexactly(size)
        if "connection: close" in head:
            writer.close()
            self._streams = None
        return int(head[9:12]), answer


async def load(host: str, port: int, token: str, *, rate: float, seconds: float, connections: int) -> Tally:
    """Ask at this rate over so many connections; a request whose turn has come waits for a free one."""
    tally, chance = Tally(), random.Random(1)
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(connections):
        free.put_nowait(Connection(host, port, token))
    started = time.perf_counter()

    async def one(content: bytes, due: float) -> None:
        connection = await free.get()
        begun = time.perf_counter()
        try:
            status, answer = await connection.ask(content)
            if status != 200:
                tally.errors.append(f"{status} {answer[:100]!r}")
            else:
                tally.valid += json.loads(answer)["valid"]
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            tally.errors.append(f"{type(error).__name__}: {error}")
            connection = Connection(host, port, token)
        finally:
            ended = time.perf_counter()
            tally.latencies.append(ended - begun)
            tally.late.append(begun - due)
            free.put_nowait(connection)

    async with asyncio.TaskGroup() as group:
        for number in range(int(rate * seconds)):
            due = started + number / rate
            content = body(chance)
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            group.create_task(one(content, due))
    return tally


def resident(process: int) -> int:
    """Return the resident bytes of a process and all that it started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 + sum(resident(int(child)) for child in children)


def quantile(values: list[float], share: float) -> float:
    """Return the value below which this share lies, in milliseconds."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)] * 1000


def main() -> int:
    """Run the load and print what came out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=64)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "probatum", "serve", "--port", "0", "--store", f"{folder}/proofs.sqlite"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            host, port = told["url"].removeprefix("http://").split(":")
            shape = {"rate": asked.rate, "connections": asked.connections}
            asyncio.run(load(host, int(port), told["token"], seconds=WARM_SECONDS, **shape))
            before = resident(server.pid)
            tally = asyncio.run(load(host, int(port), told["token"], seconds=asked.seconds, **shape))
            after = resident(server.pid)
        finally:
            server.terminate()
            code = server.wait(30)
    print(f"{len(tally.latencies)} requests, {tally.valid} valid, {len(tally.errors)} errors {tally.errors[:3]}")
    shares = (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("most", 1.0))
    print("latency ms: " + ", ".join(f"{name} {quantile(tally.latencies, share):.2f}" for name, share in shares))
    print("late ms:    " + ", ".join(f"{name} {quantile(tally.late, share):.2f}" for name, share in shares))
    print(f"memory MiB: {before / 2**20:.1f} before, {after / 2**20:.1f} after; exit code {code}")
    return 0 if not tally.errors and code == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
