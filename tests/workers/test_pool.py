"""The pool: owners take turns, slow work holds up nobody, and a pool that closes has ended, whenever it began."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.workers.frames import Frame
from probatum.workers.link import own_command
from probatum.workers.pool import LostError, NotReadyError, Pool, PoolJob
from tests.workers.outside import own_children, own_descriptors

ROOT = Path(__file__).resolve().parents[2]
BROKEN = [*own_command("tests.app.stand_in_worker", json.dumps({"store": "broken", "given": {}}))]


@pytest.fixture(autouse=True)
def _the_worker_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def command() -> list[str]:
    return own_command("tests.app.stand_in_worker", json.dumps({"store": "", "given": {}}))


def job(owner: str, source: str = "answer", slow_after: float = math.inf, hung_after: float = math.inf) -> PoolJob:
    body = json.dumps({"id": owner, "source": source}).encode()
    return PoolJob(Frame({"layer": "proof"}, body), owner, slow_after, hung_after)


def run(work: Callable[[Pool], Awaitable[None]], pool: Callable[[], Pool] = lambda: Pool(command(), 1)) -> None:
    """Work with a pool in an event loop of its own; afterwards nothing of it is left."""

    async def whole() -> None:
        made = pool()
        try:
            await work(made)
        finally:
            await asyncio.wait_for(made.close(), 60)

    children = own_children()
    asyncio.run(whole())
    assert own_children() <= children


@pytest.mark.parametrize("steps", range(8))
def test_a_pool_that_closes_while_its_workers_start_has_ended(steps: int) -> None:
    async def barely_begin(pool: Pool) -> None:
        pool.start()
        pool.start()
        for _ in range(steps):
            await asyncio.sleep(0)

    descriptors = own_descriptors()
    for _ in range(5):
        run(barely_begin)
    assert own_descriptors() <= descriptors


def test_an_owner_with_much_slow_work_does_not_keep_the_workers_from_others(tmp_path: Path) -> None:
    until = tmp_path / "until"

    async def work(pool: Pool) -> None:
        greedy = [job("greedy", f"wait {until}", slow_after=0.01) for _ in range(4)]
        for each in greedy:
            pool.add(each)
        for owner in ("b", "c", "b"):
            other = job(owner)
            pool.add(other)
            await asyncio.wait_for(other.reply, 60)
        assert not any(each.reply.done() for each in greedy)
        assert len(pool.waiting) == 3
        until.touch()
        await asyncio.gather(*(each.reply for each in greedy))

    run(work)


def test_as_many_workers_again_stand_beside_slow_ones_and_no_more(tmp_path: Path) -> None:
    until = tmp_path / "until"
    before = own_children()

    async def work(pool: Pool) -> None:
        slow = [job(str(number), f"wait {until}", slow_after=0.01) for number in range(5)]
        for each in slow:
            pool.add(each)
        while len(pool.waiting) > 1:
            await asyncio.sleep(0.01)
        assert len(own_children() - before) == 4
        until.touch()
        await asyncio.gather(*(each.reply for each in slow))

    run(work, lambda: Pool(command(), 2))


@pytest.mark.parametrize(("source", "slow_after"), [("die", math.inf), ("hang", 0.05)])
def test_what_ends_its_worker_is_lost_and_the_next_is_answered(source: str, slow_after: float) -> None:
    async def work(pool: Pool) -> None:
        broken, sound = job("a", source, slow_after, 2 * slow_after), job("a")
        pool.add(broken)
        pool.add(sound)
        with pytest.raises(LostError):
            await broken.reply
        assert await sound.reply

    run(work)


def test_where_no_worker_starts_all_that_waits_is_lost_or_waits_on() -> None:
    async def once(pool: Pool) -> None:
        jobs = [job(str(number)) for number in range(3)]
        for each in jobs:
            pool.add(each)
        for each in jobs:
            with pytest.raises(NotReadyError):
                await each.reply

    async def on_and_on(pool: Pool) -> None:
        pool.add(waits := job("a"))
        while not pool.is_failing:
            await asyncio.sleep(0.01)
        assert not waits.reply.done()

    run(once, lambda: Pool(BROKEN, 2, tries_to_start=False))
    run(on_and_on, lambda: Pool(BROKEN, 2))


@given(owners=st.lists(st.sampled_from("abc"), max_size=30))
def test_owners_take_turns_and_each_is_served_in_order(owners: list[str]) -> None:
    async def work(pool: Pool) -> None:
        served, jobs = list[PoolJob](), [job(owner) for owner in owners]
        pool.waiting += jobs
        while (each := pool.next()) is not None:
            served.append(each)
        for owner in "abc":
            assert [each for each in served if each.owner == owner] == [each for each in jobs if each.owner == owner]
        # Nobody is served twice while somebody waits who was not served in between.
        for number, each in enumerate(served):
            before = next((n for n in range(number - 1, -1, -1) if served[n].owner == each.owner), None)
            between = {} if before is None else {one.owner for one in served[before + 1 : number]}
            waiting = {one.owner for one in served[number:]} - {each.owner}
            assert before is None or waiting <= set(between)

    run(work)


def test_the_last_of_the_greediest_makes_room_for_one_who_has_less() -> None:
    async def work(pool: Pool) -> None:
        pool.waiting += (jobs := [job(owner) for owner in "aaabb"])
        assert pool.crowded_out("c") is jobs[2]
        # Now both have two: one more of either would be no fairer.
        assert pool.crowded_out("a") is None
        assert pool.crowded_out("b") is None
        assert pool.crowded_out("c") in jobs
        pool.give_back(LostError("It is over."))
        assert not pool.waiting
        for each in jobs:
            assert each.reply.cancel() or each.reply.exception()

    run(work)
