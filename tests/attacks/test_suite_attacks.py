"""Hostile tests of a tree: none reaches the machine, none ends as what it is not, and none leaves anything behind.

A run that a test spoils is told as not whole. Every attack on the operating system works outside of the sandbox.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from probatum.changes.suite import RunOfTests
from probatum.sandbox.environment import Environment, own_environment
from tests.sandbox import os_attacks
from tests.sandbox.trees import need_namespaces, secret_outside, small_environment, suite_of
from tests.sandbox.worlds import outside, world

_OF_PROCESSES = (
    *("signal_to_the_parent", "signal_to_another_process", "signal_by_file_ownership"),
    *("signal_by_process_descriptor", "limits_of_another_process"),
)
_OF_THE_KERNEL = (
    *("ptrace", "read_the_memory_of_another_process", "mount", "unshare", "clone_into_a_new_user_namespace"),
    *("setuid", "setuid_to_root", "io_uring", "open_by_handle", "bpf_program"),
)
_SYSCALL = """
import ctypes, os, platform
LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
def call(x86, aarch64, *arguments):
    return LIBC.syscall(x86 if X86 else aarch64, *arguments)
"""
OF_SUITES = {
    "read_etc_shadow": """
def attack(world):
    return ":" in open("/etc/shadow").read()
""",
    "look_at_a_process_in_proc": """
import os
def attack(world):
    return os.path.realpath(f"/proc/{world['victim']}/exe").endswith(("sleep", "busybox", "coreutils"))
""",
    "trace_an_own_child": _SYSCALL
    + """
import time
def attack(world):
    child = os.fork()
    if child == 0:
        time.sleep(600)
        os._exit(0)
    try:
        return call(101, 117, 0x4206, child, None, None) == 0
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
""",
    "clone3_into_a_new_user_namespace": _SYSCALL
    + """
def attack(world):
    arguments = (ctypes.c_uint64 * 8)(0x10000000, 0, 0, 0, 17)
    child = call(435, 435, arguments, 64)
    if child == 0:
        os._exit(0)
    return child > 0 and os.waitpid(child, 0)[0] == child
""",
    "enter_a_namespace_again": _SYSCALL
    + """
def attack(world):
    place = os.open("/proc/self/ns/user", os.O_RDONLY)
    failed = call(308, 268, place, 0) != 0
    # The kernel itself refuses to enter one's own; the filter refuses before that.
    return not failed or ctypes.get_errno() == 22
""",
    "add_a_key_to_the_kernel": _SYSCALL
    + """
def attack(world):
    return call(250, 219, 0, -3, 1) > 0 or call(248, 217, b"user", b"canary", b"x", 1, -2) > 0
""",
    "watch_the_processor": _SYSCALL
    + """
def attack(world):
    attributes = (ctypes.c_uint32 * 32)(1, 128, 1)
    attributes[10] = 0x61
    return call(298, 241, attributes, 0, -1, -1, 0) >= 0
""",
    "look_for_other_interfaces": """
def attack(world):
    return len(open("/proc/net/dev").read().splitlines()) > 3
""",
}
_TAKEN = {
    **os_attacks.READING,
    **os_attacks.NETWORK,
    **{name: text for name, text in os_attacks.WRITING.items() if name != "fill_the_disk"},
    **{name: os_attacks.PROCESSES[name] for name in _OF_PROCESSES},
    **{name: os_attacks.KERNEL[name] for name in _OF_THE_KERNEL},
}
# Its own file of users is written for the tests alone.
ATTACKS = {name: text for name, text in _TAKEN.items() if name != "read_etc_passwd"} | OF_SUITES
NEEDS_PRIVILEGE = os_attacks.CONTROL_NEEDS_PRIVILEGE | {
    *("read_etc_shadow", "look_at_a_process_in_proc", "trace_an_own_child", "clone3_into_a_new_user_namespace"),
    *("enter_a_namespace_again", "add_a_key_to_the_kernel", "watch_the_processor", "look_for_other_interfaces"),
}
# What these say of themselves means nothing; what the observer sees does.
_OBSERVED = {"signal_by_file_ownership", "send_a_datagram"}

BOMB = """
def test_many_processes():
    import os, time

    children = []
    try:
        while len(children) < 700:
            child = os.fork()
            if child == 0:
                time.sleep(600)
                os._exit(0)
            children.append(child)
    except OSError:
        pass
    for child in children:
        os.kill(child, 9)
    for child in children:
        os.waitpid(child, 0)
    assert len(children) == 700


def test_much_memory():
    kept = [bytearray(b"x" * (1 << 20)) for _ in range(64)]
    bytearray(5 << 30)


def test_after_all():
    pass
"""


@dataclass(frozen=True)
class Attacked:
    """How the tests that attack ended, and what the observer outside saw afterwards."""

    run: RunOfTests
    damage: list[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("attacks").resolve()
    need_namespaces(made / "nothing")
    return made


@pytest.fixture(scope="module")
def python(folder: Path) -> Environment:
    return small_environment(folder / "environment")


@pytest.fixture(scope="module")
def attacked(folder: Path) -> Attacked:
    with secret_outside(), world() as made:
        values = {**made.values, "inside": True, "forks": 20}
        text = f"import pytest\n\nWORLD = {values!r}\nATTACKS = {ATTACKS!r}\n\n\n"
        text += "@pytest.mark.parametrize('name', ATTACKS)\ndef test_attack(name):\n    space = {}\n"
        text += "    exec(ATTACKS[name], space)\n    assert space['attack'](WORLD)\n\n\n" + BOMB
        run = suite_of(folder / "attacked", {"test_attacks.py": text}, own_environment()).run()
        return Attacked(run, made.damage())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ATTACKS)
def test_attack_of_a_suite_is_stopped(name: str, attacked: Attacked) -> None:
    ended = attacked.run.ends[f"test_attacks.py::test_attack[{name}]"]
    assert ended.outcome == "failed" or name in _OBSERVED, "the attack got through"
    with world() as other:
        is_possible = outside(ATTACKS[name], other.values)
    if not is_possible and name in NEEDS_PRIVILEGE:
        pytest.skip("not run: this machine denies the attack to every ordinary process")
    assert is_possible, "the positive control failed, so that the attack proves nothing"


def test_the_observer_of_all_attacks_saw_nothing(attacked: Attacked) -> None:
    assert attacked.damage == []
    assert attacked.run.trouble == ""
    assert len(attacked.run.ends) == len(ATTACKS) + 3


def test_processes_and_memory_are_bounded(attacked: Attacked) -> None:
    assert attacked.run.outcome("test_attacks.py::test_many_processes") == "failed"
    assert "MemoryError" in attacked.run.ends["test_attacks.py::test_much_memory"].errors
    assert attacked.run.outcome("test_attacks.py::test_after_all") == "passed"


# Each begins with a test that does harm in its own process; the others tell how the rest of the run went.
_REST = """

def test_right():
    pass


def test_wrong():
    assert 1 == 2
"""
SURVIVED: Mapping[str, str] = {
    "prints_a_hundred_megabytes": """
def test_hostile():
    import os
    for _ in range(100):
        os.write(1, b"x" * (1 << 20))
        os.write(2, b"x")
    print("x" * 1000)
    assert False
""",
    "writes_two_gigabytes": """
def test_hostile(tmp_path):
    left = []
    try:
        for number in range(8):
            with open(tmp_path / str(number), "wb") as file:
                left.append(file.name)
                for _ in range(16):
                    file.write(bytes(16 << 20))
    finally:
        import os
        for name in left:
            os.unlink(name)
""",
    "writes_one_large_file": """
def test_hostile(tmp_path):
    with open(tmp_path / "file", "wb") as file:
        for _ in range(32):
            file.write(bytes(16 << 20))
""",
    "leaves_children": """
def test_hostile():
    import os, time
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            time.sleep(100_000)
            os._exit(0)
    assert False
""",
    "goes_on_in_a_child": """
def test_hostile():
    import os
    assert os.fork() == 0
""",
    "removes_the_tree": """
def test_hostile():
    import os, shutil
    shutil.rmtree(os.path.dirname(__file__), ignore_errors=True)
    assert False
""",
    "replaces_what_records_are_made_with": """
def test_hostile():
    import hashlib, json, os
    json.dumps = lambda *_, **__: '{"kind": "test", "outcome": "passed"}'
    hashlib.blake2b = None
    os.getpid = lambda: 1
    assert False
""",
    "replaces_parts_of_the_runner_for_a_while": """
def test_hostile(monkeypatch):
    import _pytest.runner
    monkeypatch.setattr(_pytest.runner, "pytest_runtest_call", lambda item: None)
    assert False
""",
    "kills_everything_else": """
def test_hostile():
    import os
    try:
        os.kill(-1, 9)
    finally:
        assert False
""",
    "kills_its_parent": """
def test_hostile():
    import os
    os.kill(os.getppid(), 9)
    assert False
""",
}
# What spoils the tree for the others, and a child that runs whatever follows.
_LAST = ("removes_the_tree", "replaces_what_records_are_made_with", "goes_on_in_a_child")
SPOILT: Mapping[str, str] = {
    "ends_the_process_well": "\n\ndef test_hostile():\n    import os\n    os._exit(0)\n",
    "tells_pytest_to_end_well": "\n\ndef test_hostile():\n    import pytest\n    pytest.exit('done', 0)\n",
    "is_interrupted": "\n\ndef test_hostile():\n    raise KeyboardInterrupt\n",
    "kills_itself": "\n\ndef test_hostile():\n    import os\n    os.kill(os.getpid(), 9)\n",
    "breaks_the_runner": """

def test_hostile(monkeypatch):
    import _pytest.runner
    monkeypatch.setattr(_pytest.runner, "call_and_report", None)
    assert False
""",
    "closes_every_descriptor": "\n\ndef test_hostile():\n    import os\n    os.closerange(3, 4096)\n    assert False\n",
    "forges_records": """

def test_hostile():
    import os
    record = b'{"kind": "test", "id": "test_it.py::test_wrong", "outcome": "passed", "lines": {}, "n": 5}'
    for number in range(3, 256):
        try:
            os.write(number, b"0" * 32 + b" " + record + b"\\n")
        except OSError:
            pass
    assert False
""",
    "writes_half_a_line": """

def test_hostile():
    import os
    os.write(200, b"x" * 100)
    assert False
""",
    "writes_without_an_end": """

def test_hostile():
    import os
    while True:
        os.write(200, b"x" * 65536)
""",
}


@pytest.fixture(scope="module")
def survived(folder: Path, python: Environment) -> Iterator[Mapping[str, RunOfTests]]:
    """All of them in one run, each in a file of its own."""
    order = sorted(SURVIVED, key=lambda name: _LAST.index(name) if name in _LAST else -1)
    files = {f"test_{at:02}_{name}.py": SURVIVED[name] + _REST for at, name in enumerate(order)}
    root = folder / "survived"
    run = suite_of(root, files, python).run()
    assert list(root.iterdir()) == []
    yield {name: _part(run, f"test_{at:02}_{name}.py") for at, name in enumerate(order)}
    assert _processes_at(root) == []


def _part(run: RunOfTests, file: str) -> RunOfTests:
    ends = {name.partition("::")[2]: end for name, end in run.ends.items() if name.startswith(f"{file}::")}
    return RunOfTests(ends, tuple(ends), {}, run.trouble)


def _processes_at(root: Path) -> list[str]:
    """Return the processes whose folder is the tree, seen from outside, once those that are ending have ended."""
    for _ in range(1000):
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(place / "cwd").startswith(str(root)):
                    found.append(place.name)
            except OSError:
                continue
        if not found:
            return []
        os.sched_yield()
    return found


@pytest.mark.parametrize("name", SURVIVED)
def test_a_hostile_test_fails_and_the_rest_is_told_truly(name: str, survived: Mapping[str, RunOfTests]) -> None:
    run = survived[name]
    assert run.trouble == ""
    assert {test: end.outcome for test, end in run.ends.items()} == {
        "test_hostile": "failed",
        "test_right": "passed",
        "test_wrong": "failed",
    }


@pytest.mark.parametrize("name", SPOILT)
def test_a_test_that_spoils_its_run_is_told_as_that(name: str, folder: Path, python: Environment) -> None:
    root = folder / name
    run = suite_of(root, {"test_it.py": SPOILT[name] + _REST}, python).run()
    assert run.outcome("test_it.py::test_hostile") == "ended_the_process"
    assert run.outcome("test_it.py::test_wrong") == "failed"
    assert run.outcome("test_it.py::test_right") == "passed"
    assert list(root.iterdir()) == []
    assert _processes_at(root) == []


def test_a_test_without_an_end_is_late(folder: Path, python: Environment) -> None:
    hangs = "\n\ndef test_hostile():\n    import threading\n    threading.Event().wait()\n" + _REST
    run = suite_of(folder / "hangs", {"test_it.py": hangs}, python, patience=6.0).run()
    assert run.trouble
    # A very busy machine may not even come to begin it.
    assert run.outcome("test_it.py::test_hostile") in {"late", ""}
    assert run.outcome("test_it.py::test_right") == ""
    assert _processes_at(folder / "hangs") == []
