"""Every attack on the operating system: it works outside the sandbox, and inside it neither works nor leaves a trace.

Inside, an attack may be refused, raise, or lose its process. What it may not do is say that it succeeded, or change
anything that the observer outside can see.
"""

from __future__ import annotations

import os

import pytest

from probatum.core.limits import JobLimits
from probatum.sandbox import Lost, LostReason, Program, Raised, Returned, Sandbox
from tests.sandbox.os_attacks import ATTACKS, CONTROL_NEEDS_PRIVILEGE, NOT_CLAIMED
from tests.sandbox.worlds import outside, world

ROOMY = JobLimits(cpu_seconds=20)


@pytest.fixture(scope="module")
def controls() -> dict[str, bool]:
    """What each attack achieved outside, tried once however many tiers there are."""
    return {}


def _control(name: str, controls: dict[str, bool]) -> None:
    if name not in controls:
        with world() as attacked:
            controls[name] = outside(ATTACKS[name], attacked.values)
    if not controls[name] and name in CONTROL_NEEDS_PRIVILEGE:
        pytest.skip("not run: this machine denies the attack to every ordinary process")
    assert controls[name], "the positive control failed, so that the attack proves nothing"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_stopped(name: str, sandbox: Sandbox, controls: dict[str, bool]) -> None:
    if (sandbox.tier, name) in NOT_CLAIMED:
        pytest.skip("not run: the documentation says that this tier does not stop it")
    _control(name, controls)
    with world() as attacked, sandbox.candidate(Program(ATTACKS[name].encode()), ROOMY) as job:
        loaded = job.load()
        assert isinstance(loaded, Returned | Raised)
        reply = job.call("attack", [{**attacked.values, "inside": True, "forks": 200}])
        assert not (isinstance(reply, Returned) and reply.value), f"the attack got through: {reply}"
        assert attacked.damage() == []
    with sandbox.candidate(Program(b"def add(a, b): return a + b")) as later:
        later.load()
        assert later.call("add", [1, 2]) == Returned(3, (1, 2)), "the worker was harmed"


def test_the_observer_sees_damage() -> None:
    with world() as attacked:
        assert attacked.damage() == []
        outside(ATTACKS["write_outside_the_scratch"], attacked.values)
        outside(ATTACKS["connect_to_a_loopback_listener"], attacked.values)
        outside(ATTACKS["signal_to_another_process"], attacked.values)
        attacked.victim.wait()
        assert attacked.damage() == ["files appeared or vanished", "the victim was killed", "tcp heard something"]


FLOODS = {
    "printed": "def attack():\n    for _ in range(1024): print('x' * 65536)\n",
    "written_to_both_standard_descriptors": """
import os
def attack():
    for _ in range(1024):
        os.write(1, b"x" * 65536)
        os.write(2, b"x" * 65536)
""",
}


@pytest.mark.parametrize("name", FLOODS)
def test_64_mebibytes_of_output_reach_nobody(name: str, sandbox: Sandbox) -> None:
    limits = JobLimits(output_bytes=1000)
    with sandbox.candidate(Program(FLOODS[name].encode()), limits) as job:
        job.load()
        reply = job.call("attack")
        assert isinstance(reply, Returned)
        assert len(reply.output) <= 1000


HANGS = {
    "busy_loop": "def attack():\n    while True: pass\n",
    "busy_loop_with_every_signal_ignored": """
import signal
def attack():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True: pass
""",
    "busy_loop_that_swallows_every_exception": """
def attack():
    while True:
        try:
            while True: pass
        except BaseException:
            pass
""",
    "regular_expression": "import re\ndef attack():\n    re.match('(a|a)*b', 'a' * 64)\n",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", HANGS)
def test_endless_work_ends_at_its_budget(name: str, sandbox: Sandbox) -> None:
    with sandbox.candidate(Program(HANGS[name].encode()), JobLimits(cpu_seconds=1)) as job:
        job.load()
        reply = job.call("attack")
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.CPU


SLEEPS = {
    "sleep": "import time\ndef attack():\n    time.sleep(1000)\n",
    "wait_for_a_lock": "import threading\ndef attack():\n    threading.Lock().acquire() and threading.Event().wait()\n",
    "read_the_channel": "import os\ndef attack():\n    while True: os.read(63, 1)\n",
}


@pytest.mark.parametrize("name", SLEEPS)
def test_endless_waiting_ends_at_the_wall_budget(name: str, sandbox: Sandbox) -> None:
    with sandbox.candidate(Program(SLEEPS[name].encode()), JobLimits(wall_seconds=0.5)) as job:
        job.load()
        reply = job.call("attack")
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.WALL


@pytest.mark.long
def test_unbounded_recursion_harms_nobody_else(sandbox: Sandbox) -> None:
    source = b"""
import sys
sys.setrecursionlimit(10**9)
def attack(): return [attack()]
def deep():
    class A:
        def __repr__(self): return repr(self)
    return repr(A())
"""
    for target in ("attack", "deep"):
        with sandbox.candidate(Program(source), JobLimits(cpu_seconds=20)) as job:
            job.load()
            assert isinstance(job.call(target), Lost | Raised)
    with sandbox.candidate(Program(b"def one(): return 1")) as job:
        job.load()
        assert job.call("one") == Returned(1)


def test_what_one_job_writes_no_other_job_sees(sandbox: Sandbox) -> None:
    source = b"""
import os, shutil
def write():
    with open("left", "w") as file: file.write("x")
    return os.listdir(".")
def remove(): shutil.rmtree(os.getcwd())
def look(): return os.listdir(".")
"""
    with sandbox.candidate(Program(source)) as first, sandbox.candidate(Program(source)) as second:
        first.load()
        second.load()
        written = first.call("write")
        if sandbox.tier == "namespaces":
            assert isinstance(written, Returned)
            assert written.value == ["left"]
            empty = second.call("look")
            assert isinstance(empty, Returned)
            assert empty.value == []
        else:
            assert isinstance(written, Raised)
        first.call("remove")
    with sandbox.candidate(Program(source)) as third:
        third.load()
        if sandbox.tier == "namespaces":
            again = third.call("write")
            assert isinstance(again, Returned)
            assert again.value == ["left"]
        else:
            assert isinstance(third.call("write"), Raised)


def test_a_job_has_no_privilege_and_no_descriptor_but_its_own(sandbox: Sandbox) -> None:
    source = b"""
import os
def descriptors():
    found = []
    for number in range(256):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        found.append((number, mode & 0o170000 in (0o40000, 0o20000, 0o140000)))
    return found
def identity(): return os.getuid(), os.geteuid(), os.getgroups()
"""
    with sandbox.candidate(Program(source)) as job:
        job.load()
        found = job.call("descriptors")
        assert isinstance(found, Returned)
        assert isinstance(found.value, list)
        assert all(kind for _, kind in found.value)
        assert len(found.value) <= 8
        user = 65534 if os.geteuid() == 0 else os.geteuid()
        identity = job.call("identity")
        assert isinstance(identity, Returned)
        assert isinstance(identity.value, tuple)
        assert identity.value[:2] == (user, user)
