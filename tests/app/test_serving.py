"""The lanes of a service: opened and closed at once, they have ended, however far their workers came."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from probatum.app import pool
from probatum.app.service_port import ServiceRequest
from probatum.app.serving import Lanes
from tests.workers.outside import own_children

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 30.0


def request(folder: Path) -> ServiceRequest:
    return ServiceRequest(
        host="127.0.0.1",
        port=0,
        store=folder / "proofs.sqlite",
        ledger=None,
        tokens=None,
        add_token="",
        caller_keys=None,
        caller_issuer="",
        caller_audience="",
        no_auth=True,
        issuer="probatum",
        sign="",
        most_bytes=1000,
        queue=5,
        workers=2,
        timeout=60.0,
        per_minute=0,
    )


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 5, 8, 100])
def test_lanes_that_close_while_their_workers_start_have_ended(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "WORKER_MODULE", "tests.app.stand_in_worker")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    async def open_and_close() -> None:
        lanes = Lanes(request(tmp_path))
        lanes.open()
        for _ in range(steps):
            await asyncio.sleep(0)
        await asyncio.wait_for(lanes.close(), LONGEST)

    before = own_children()
    for _ in range(5):
        asyncio.run(open_and_close())
    assert own_children() <= before
