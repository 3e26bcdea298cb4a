"""`verify_program.stream`: the same verdict, its events as they happen, and nothing that outlives whoever asked."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from probatum import DiagnosticResult, verify_program
from probatum.app import stream as streams
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import Event
from probatum.core.ports import VerdictStream
from probatum.proof.stores import DirectoryStore, MemoryStore
from probatum.readings.notebook import write_notebook
from tests.cli.command import Commands
from tests.cli.programs import HOLDING, WEAK, WRONG
from tests.programs.readers import GOOD, GUARD, NET, accepted, record
from tests.workers.outside import all_end, descendants, lives, own_descriptors

SLOW = b'''import time


def wait(seconds: int) -> int:
    """
    >>> wait(1)
    1
    """
    while True:
        time.sleep(seconds)
'''
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Fail where a thread, a process or a descriptor of a stream is left."""
    before, opened = descendants(os.getpid()), own_descriptors()
    yield
    gc.collect()
    threads_end()
    assert set(descendants(os.getpid())) <= set(before)
    assert len(own_descriptors()) <= len(opened)


def threads_end() -> None:
    for thread in threading.enumerate():
        if thread.name == streams.THREAD:
            thread.join()


def stream(source: bytes = HOLDING, **given: Any) -> VerdictStream:
    return verify_program.stream(source, **{"store": MemoryStore(), **given})


async def begun(running: VerdictStream) -> list[int]:
    """Return the processes of a stream that runs a program, the one that judges first."""
    before = descendants(os.getpid())
    async for event in running:
        if event.stage == "test_execution":
            break
    found = [each for each in descendants(os.getpid()) if each not in before]
    assert found
    return found


def contents(store: MemoryStore) -> list[bytes]:
    return [store.fetch(digest) for digest in store.digests()]


@pytest.mark.parametrize(
    ("source", "given"),
    [
        (HOLDING, {}),
        (WRONG, {}),
        (WEAK, {"level": "quick"}),
        (b"def f(:", {}),
        (NET, {"readings": [{"function": "net_price", "statements": []}], "allow_unchecked": True}),
        (HOLDING, {"siblings": {"parcel": "WHOLE = 1\n"}, "name": "shop.py", "function": "net_price"}),
    ],
    ids=["verified", "refuted", "undecided", "not attempted", "readings", "siblings"],
)
def test_a_stream_says_what_the_call_says(source: bytes, given: dict[str, Any]) -> None:
    events: list[Event] = []
    here, there = MemoryStore(), MemoryStore()
    called = verify_program(source, store=here, listener=events.append, **given)

    async def streamed() -> tuple[list[Event], DiagnosticResult]:
        running = stream(source, store=there, **given)
        return [event async for event in running], await running

    assert asyncio.run(streamed()) == (events, called)
    assert contents(here) == contents(there)
    assert bool(contents(there)) is called.is_verified


def test_the_command_line_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBATUM_STORE", "store")
    Path("prices.py").write_bytes(HOLDING)
    told = json.loads(Commands(monkeypatch, capsys).run("verify", "prices.py", "--json").stdout)

    async def streamed() -> DiagnosticResult:
        return await stream(name="prices.py", store=DirectoryStore(Path("other")))

    assert told["verdict"]["proof_ref"] == asyncio.run(streamed()).proof_ref
    kept = [
        {path.name: path.read_bytes() for path in Path(each).rglob("*") if path.is_file()}
        for each in ("store", "other")
    ]
    assert kept[0] == kept[1]


def test_the_proof_goes_to_the_store_of_this_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBATUM_STORE", str(tmp_path / "mine"))
    reference = asyncio.run(_awaited(verify_program.stream(HOLDING))).proof_ref
    assert reference in list(DirectoryStore(tmp_path / "mine").digests())


async def _awaited(running: VerdictStream) -> DiagnosticResult:
    return await running


def test_a_verdict_can_be_awaited_twice_and_its_events_read_later() -> None:
    async def work() -> None:
        running = stream()
        first = await running
        assert await running is first
        assert [event.stage async for event in running][-1] == "complete"
        assert [event async for event in running] == []
        assert await running is first
        await running.aclose()
        assert await running is first

    asyncio.run(work())


def test_a_stream_that_has_ended_can_be_read_in_another_loop() -> None:
    running = stream()
    assert asyncio.run(_awaited(running)) is asyncio.run(_awaited(running))


def test_two_loops_over_a_stream_share_its_events() -> None:
    async def read(running: VerdictStream) -> list[Event]:
        return [event async for event in running]

    async def work() -> None:
        running = stream()
        first, second, _ = await asyncio.gather(read(running), read(running), _awaited(running))
        stages = [event.stage for event in (*first, *second)]
        assert (stages.count("start"), stages.count("complete"), len(stages)) == (1, 1, len(set(stages)))

    asyncio.run(work())


def test_events_that_nobody_reads_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_EVENTS", 2)

    async def work() -> None:
        running = stream()
        await running
        missed, *left = [event async for event in running]
        assert (missed.stage, [event.stage for event in left]) == ("missed", ["analysis", "complete"])
        assert missed.data["count"] == 5

    asyncio.run(work())


def test_eight_at_once_say_what_each_alone_says() -> None:
    sources = [HOLDING, WRONG, WEAK, b"def f(:"] * 2
    store = MemoryStore()

    async def work() -> list[DiagnosticResult]:
        return await asyncio.gather(*(stream(each, store=store) for each in sources))

    assert asyncio.run(work()) == [verify_program(each, store=MemoryStore()) for each in sources]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"level": "fast"}, "level.unknown"),
        ({"source": 3}, "request.invalid"),
        ({"store": "here"}, "request.invalid"),
        ({"readings": 3}, "request.invalid"),
        ({"readings": "="}, "readings.not_read"),
        ({"readings_policy": "all"}, "readings.policy"),
        ({"listener": print}, "request.invalid"),
    ],
    ids=str,
)
def test_wrong_usage_is_raised_by_the_call(given: dict[str, Any], code: str) -> None:
    with pytest.raises(UsageError) as caught:
        stream(**given)
    assert caught.value.code == code


@pytest.mark.parametrize("given", [{"function": "treble"}, {"python": "nowhere"}], ids=str)
def test_wrong_usage_that_shows_later_is_raised_where_it_is_waited_for(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as called:
        verify_program(HOLDING, store=MemoryStore(), **given)

    async def work() -> None:
        running = stream(**given)
        for wait in (_awaited(running), _read(running), _awaited(running)):
            with pytest.raises(UsageError) as caught:
                await wait
            assert str(caught.value) == str(called.value)

    asyncio.run(work())


async def _read(running: VerdictStream) -> None:
    async for _ in running:
        pass


@pytest.mark.parametrize("wait", [_awaited, _read])
def test_cancelling_leaves_nothing_running_and_keeps_nothing(wait: Any, tmp_path: Path) -> None:
    async def work() -> None:
        running = stream(SLOW, store=DirectoryStore(tmp_path / "store"))
        processes = await begun(running)
        task = asyncio.create_task(wait(running))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not any(map(lives, processes))
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(work())
    assert not (tmp_path / "store").exists()


def test_whoever_else_waits_for_a_cancelled_stream_hears_of_it() -> None:
    async def work() -> None:
        running = stream(SLOW)
        await begun(running)
        tasks = [asyncio.create_task(_awaited(running)) for _ in range(2)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        told = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in told] == [asyncio.CancelledError] * 2

    asyncio.run(work())


def test_a_stream_can_be_cancelled_before_its_process_is_ready_and_a_shielded_one_goes_on() -> None:
    async def work() -> None:
        task = asyncio.create_task(_awaited(stream()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        shielded = asyncio.create_task(_awaited(stream()))
        waiting = asyncio.shield(shielded)
        waiting.cancel()
        assert (await shielded).is_verified

    asyncio.run(work())


def test_a_time_limit_ends_it() -> None:
    async def work() -> None:
        running = stream(SLOW)
        processes = await begun(running)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await running
        assert not any(map(lives, processes))

    asyncio.run(work())


def test_closing_ends_it_also_before_it_began() -> None:
    async def work() -> None:
        async with aclosing(stream(SLOW)) as running:
            processes = await begun(running)
        assert not any(map(lives, processes))
        fresh = stream()
        await fresh.aclose()
        with pytest.raises(asyncio.CancelledError):
            await fresh
        with pytest.raises(asyncio.CancelledError):
            await anext(fresh)

    asyncio.run(work())


def test_a_stream_that_nobody_waits_for_starts_nothing() -> None:
    before = descendants(os.getpid())
    stream()
    assert descendants(os.getpid()) == before


def test_a_loop_that_ends_with_its_tasks_ends_them() -> None:
    found: list[int] = []

    async def work() -> None:
        running = stream(SLOW)
        found.extend(await begun(running))
        asyncio.get_running_loop().kept = asyncio.create_task(_awaited(running))  # type: ignore[attr-defined]  # kept alive
        await asyncio.sleep(0)

    asyncio.run(work())
    assert not any(map(lives, found))


def test_a_loop_that_is_closed_at_once_leaves_nothing() -> None:
    loop = asyncio.new_event_loop()
    running = stream(SLOW)
    processes = loop.run_until_complete(begun(running))
    loop.close()
    threads_end()
    assert not any(map(lives, processes))
    with pytest.raises(RuntimeError, match="loop"):
        asyncio.run(_awaited(running))


def test_a_stream_that_is_dropped_leaves_nothing() -> None:
    async def work() -> None:
        processes = await begun(stream(SLOW))
        gc.collect()
        await asyncio.to_thread(threads_end)
        assert not any(map(lives, processes))

    asyncio.run(work())


ENDS_EARLY = f"""
import asyncio, os
from probatum import verify_program
from tests.workers.outside import descendants

async def main():
    running = verify_program.stream({SLOW!r})
    async for event in running:
        if event.stage == "test_execution":
            break
    print(*descendants(os.getpid()), flush=True)
    END

asyncio.run(main())
"""


@pytest.mark.parametrize("end", ["pass", "os._exit(0)", "os.kill(os.getpid(), 9)", "raise SystemExit"])
def test_a_program_that_ends_early_leaves_nothing(end: str) -> None:
    command = [sys.executable, "-c", ENDS_EARLY.replace("END", end)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    processes = [int(each) for each in ended.stdout.split()]
    assert processes
    assert all_end(processes)
    assert ended.stderr == ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGVTALRM])
def test_a_process_that_dies_makes_the_verdict_blocked(number: int) -> None:
    async def work() -> None:
        running = stream(SLOW)
        judge, *_ = await begun(running)
        os.kill(judge, number)
        verdict = await running
        assert (verdict.status.value, verdict.constraint_id) == ("BLOCKED", "verifier.fault")

    asyncio.run(work())


class FailingStore(MemoryStore):
    """Keeps nothing: it raises, or names another digest."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__()
        self._error = error

    def retain_all(self, given: Sequence[bytes]) -> list[str]:
        if self._error is not None:
            raise self._error
        return ["sha256:" + "0" * 64 for _ in given]


@pytest.mark.parametrize("error", [None, NotAttemptedError("store.disk", "The disk is full."), OSError("no")], ids=repr)
def test_what_is_not_kept_is_not_verified(error: Exception | None) -> None:
    called = verify_program(HOLDING, store=FailingStore(error))

    async def work() -> None:
        running = stream(store=FailingStore(error))
        verdict = await running
        assert verdict == called
        assert verdict.status.value == "BLOCKED"
        *_, last = [event async for event in running]
        assert last.data["status"] == "BLOCKED"

    asyncio.run(work())


def test_the_door_loads_no_event_loop_before_it_is_used() -> None:
    code = "import sys, probatum; probatum.verify_program; print('asyncio' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


def test_what_refutes_does_not_wait_for_what_plants_faults() -> None:
    code = "import sys, probatum.programs.observing; print('libcst' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


def test_readings_reach_the_process() -> None:
    readings = write_notebook([record(*accepted(GOOD, GUARD))])
    assert asyncio.run(_awaited(stream(NET, readings=readings))).is_verified
