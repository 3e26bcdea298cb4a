"""A sandbox is there or it is refused; when it ends, or its judge does, nothing is left of it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from probatum.core.errors import NotAttemptedError, UsageError
from probatum.sandbox import (
    Environment,
    Lost,
    LostReason,
    Program,
    Returned,
    Sandbox,
    Tier,
    describe_tiers,
    tiers,
    zygote,
)
from tests.sandbox.os_attacks import ATTACKS, NOT_CLAIMED
from tests.sandbox.worlds import world

ADD = Program(b"def add(a, b): return a + b")
HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in (*sys.path, str(ROOT)) if path)}


def _descendants(number: int) -> set[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found: set[int] = set()
    waiting = [number]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.update(below)
        waiting += below
    return found


def _wait_until_gone(numbers: set[int]) -> None:
    for number in numbers:
        try:
            watched = os.pidfd_open(number)
        except ProcessLookupError:
            continue
        try:
            assert select.select([watched], [], [], 30)[0], f"process {number} is still there"
        finally:
            os.close(watched)


def test_close_leaves_no_process_and_can_be_done_twice(sandbox: Sandbox) -> None:
    before = _descendants(os.getpid())
    own = Sandbox.open(tier=sandbox.tier)
    jobs = [own.candidate(Program(b"def f():\n    while True: pass")) for _ in range(3)]
    for job in jobs:
        job.load()
    started = _descendants(os.getpid()) - before
    assert len(started) >= 4
    own.close()
    own.close()
    _wait_until_gone(started)
    assert isinstance(jobs[0].call("f"), Lost)
    with pytest.raises(NotAttemptedError, match="closed"):
        own.candidate(ADD)


JUDGE = """
import sys, time
from probatum.core.limits import JobLimits
from probatum.sandbox import Program, Sandbox, Tier
sandbox = Sandbox.open(tier=Tier(sys.argv[1]))
job = sandbox.candidate(Program(b"import threading\\ndef f():\\n    while True: pass"), JobLimits(cpu_seconds=600))
job.load()
print("ready", flush=True)
job.call("f")
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_judge_leaves_no_process(how: signal.Signals, sandbox: Sandbox) -> None:
    judge = subprocess.Popen(
        [sys.executable, "-c", JUDGE, str(sandbox.tier)], stdout=subprocess.PIPE, text=True, env=_environment()
    )
    assert judge.stdout is not None
    with judge.stdout:
        assert judge.stdout.readline() == "ready\n"
        started = _descendants(judge.pid)
        assert len(started) >= 2
        judge.send_signal(how)
        judge.wait()
    _wait_until_gone(started)


def test_a_killed_worker_takes_its_jobs_along_and_is_no_fault_of_the_program(sandbox: Sandbox) -> None:
    before = _descendants(os.getpid())
    with Sandbox.open(tier=sandbox.tier) as own:
        job = own.candidate(ADD)
        job.load()
        started = _descendants(os.getpid()) - before
        own._process.kill()
        _wait_until_gone(started)
        reply = job.call("add", [1, 2])
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.SETUP
        with pytest.raises(NotAttemptedError, match="worker is gone"):
            own.candidate(ADD)


def test_a_sandbox_outlives_the_thread_that_opened_it(sandbox: Sandbox) -> None:
    opened: list[Sandbox] = []
    thread = threading.Thread(target=lambda: opened.append(Sandbox.open(tier=sandbox.tier)))
    thread.start()
    thread.join()
    with opened[0] as own, own.candidate(ADD) as job:
        job.load()
        assert job.call("add", [1, 2]) == Returned(3, (1, 2))


def test_a_worker_that_lives_for_many_jobs_collects_nothing(sandbox: Sandbox) -> None:
    with Sandbox.open(tier=sandbox.tier) as own:
        descriptors = len(os.listdir("/proc/self/fd"))
        for number in range(100):
            with own.candidate(ADD) as job:
                job.load()
                assert job.call("add", [number, 1]) == Returned(number + 1, (number, 1))
        assert len(os.listdir("/proc/self/fd")) == descriptors


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_the_hash_seed_decides_the_order_of_sets(seed: int, sandbox: Sandbox) -> None:
    source = Program(b"def order(): return list({'alpha', 'beta', 'gamma', 'delta', 'epsilon'})")
    orders = []
    for _ in range(2):
        with Sandbox.open(tier=sandbox.tier, hash_seed=seed) as own, own.candidate(source) as job:
            job.load()
            orders.append(job.call("order"))
    assert orders[0] == orders[1]
    command = [sys.executable, "-c", "print(list({'alpha', 'beta', 'gamma', 'delta', 'epsilon'}))"]
    done = subprocess.run(command, env={"PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=True)
    assert isinstance(orders[0], Returned)
    assert str(orders[0].value) == done.stdout.strip()


def test_no_isolation_must_be_asked_for_by_its_unsafe_name() -> None:
    with pytest.raises(UsageError, match="unsafe_no_isolation"):
        Sandbox.open(tier=Tier.UNSAFE_NONE)
    with Sandbox.open(unsafe_no_isolation=True) as unsafe, unsafe.candidate(ADD) as job:
        assert unsafe.tier is Tier.UNSAFE_NONE
        job.load()
        assert job.call("add", [1, 2]) == Returned(3, (1, 2))


def test_each_tier_is_described() -> None:
    reports = describe_tiers()
    assert [report.tier for report in reports] == [Tier.NAMESPACES, Tier.LANDLOCK]
    for report in reports:
        assert report.reason
        assert report.available or report.hint


def test_a_tier_that_lets_a_probe_through_is_refused(monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> None:
    start = tiers.worker_start

    def without_isolation(tier: Tier, hash_seed: int, python: Environment) -> tiers.WorkerStart:
        del tier
        return start(Tier.UNSAFE_NONE, hash_seed, python)

    monkeypatch.setattr(zygote, "worker_start", without_isolation)
    with pytest.raises(NotAttemptedError, match="got through"):
        Sandbox.open(tier=sandbox.tier)


LEFT_OUT = {
    "no seccomp filter": {"filter": ""},
    "a filter that allows everything": {"filter": "BgAAAAAA/38="},
    "no Landlock": {"landlock_since": 0},
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_the_fallback_tier_needs_each_of_its_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start = tiers.worker_start

    def with_a_gap(tier: Tier, hash_seed: int, python: Environment) -> tiers.WorkerStart:
        whole = start(tier, hash_seed, python)
        return tiers.WorkerStart(whole.command, whole.environment, {**whole.settings, **LEFT_OUT[name]})

    monkeypatch.setattr(zygote, "worker_start", with_a_gap)
    with pytest.raises(NotAttemptedError, match=r"cannot be set up|does not isolate"):
        Sandbox.open(tier=Tier.LANDLOCK)


def test_a_machine_that_is_not_linux_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(NotAttemptedError, match="Linux virtual machine") as caught:
        Sandbox.open()
    assert (caught.value.code, caught.value.exit_code) == ("sandbox.unavailable", 4)


UNDER_A_PROFILE = """
import json, sys
from probatum.core.errors import NotAttemptedError
from probatum.core.limits import JobLimits
from probatum.sandbox import Program, Returned, Sandbox
attacks, values = json.loads(sys.stdin.read())
try:
    sandbox = Sandbox.open()
except NotAttemptedError as error:
    print(json.dumps({"refused": [error.code, error.sentence, error.hint]}))
    raise SystemExit(error.exit_code)
through = []
with sandbox:
    for name, source in attacks.items():
        with sandbox.candidate(Program(source.encode()), JobLimits(cpu_seconds=20)) as job:
            job.load()
            reply = job.call("attack", [values])
            if isinstance(reply, Returned) and reply.value:
                through.append(name)
    with sandbox.candidate(Program(b"def add(a, b): return a + b")) as job:
        job.load()
        total = job.call("add", [1, 2]).value
    print(json.dumps({"tier": sandbox.tier, "through": through, "total": total}))
"""


def _under_a_profile(denied: str, values: dict[str, object]) -> tuple[int, dict[str, object]]:
    attacks = {name: source for name, source in ATTACKS.items() if ("landlock", name) not in NOT_CLAIMED}
    done = subprocess.run(
        [sys.executable, str(HERE / "denied.py"), denied, "-c", UNDER_A_PROFILE],
        input=json.dumps([attacks, {**values, "inside": True, "forks": 200, "judge": os.getpid()}]),
        capture_output=True,
        check=False,
        text=True,
        env=_environment(),
    )
    assert done.stdout, done.stderr
    told: dict[str, object] = json.loads(done.stdout)
    return done.returncode, told


def test_without_namespaces_the_fallback_tier_stops_every_attack_that_it_claims() -> None:
    if not next(report for report in describe_tiers() if report.tier is Tier.LANDLOCK).available:
        pytest.skip("not run: this machine has no Landlock")
    with world() as attacked:
        status, told = _under_a_profile("namespaces", attacked.values)
        assert told == {"tier": "landlock", "through": [], "total": 3}
        assert status == 0
        assert attacked.damage() == []


def test_without_namespaces_and_landlock_nothing_is_attempted() -> None:
    with world() as attacked:
        status, told = _under_a_profile("namespaces,landlock", attacked.values)
        assert attacked.damage() == []
    assert status == 4
    code, sentence, hint = told["refused"]  # type: ignore[misc]  # decoded from JSON two lines above
    assert code == "sandbox.unavailable"
    assert "namespaces" in sentence
    assert "landlock" in sentence
    assert hint


def test_a_worker_that_cannot_isolate_a_job_says_so(monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox) -> None:
    if sandbox.tier is not Tier.NAMESPACES:
        pytest.skip("not run: only the namespaces tier has a scratch that can be missing")
    start = tiers.worker_start

    def without_a_scratch(tier: Tier, hash_seed: int, python: Environment) -> tiers.WorkerStart:
        whole = start(tier, hash_seed, python)
        return tiers.WorkerStart(whole.command, whole.environment, {**whole.settings, "scratch": "/nowhere/home"})

    monkeypatch.setattr(zygote, "worker_start", without_a_scratch)
    broken = Sandbox(sandbox.tier, 0)
    with broken, broken.candidate(ADD) as job:
        reply = job.load()
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.SETUP
        assert "scratch" in reply.detail
