"""Every attempt to forge a result: the program is wrong in each, knows nothing of what is expected, and is hostile.

The control gives the same program to oracles that share a process with it (an exit code, a line of output, pytest).
Inside, three oracles are asked: a value compared by the judge, a predicate in the clerk, a file of tests in the clerk.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from probatum.core.limits import JobLimits
from probatum.sandbox import Candidate, Lost, LostReason, Program, Returned, Sandbox, answering

WRONG = "def add_one(number):\n    return number + 2\n"

FORGES_A_NAIVE_ORACLE = {
    "exit_at_import": "import os\nos._exit(0)\n" + WRONG,
    "exit_in_a_call": "import os\ndef add_one(number):\n    os._exit(0)\n",
    "sys_exit_at_import": "import sys\nsys.exit(0)\n" + WRONG,
    "sys_exit_in_a_call": "import sys\ndef add_one(number):\n    sys.exit(0)\n",
    "atexit": "import atexit, os\natexit.register(os._exit, 0)\n" + WRONG,
    "int_subclass_that_equals_everything": """
class Any(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
def add_one(number): return Any(number)
""",
    "str_subclass_that_equals_everything": """
class Any(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
def add_one(number): return Any(number)
""",
    "object_that_equals_everything": """
class Any:
    def __eq__(self, other): return True
def add_one(number): return Any()
""",
    "patched_pytest": """
try:
    import _pytest.python, _pytest.runner
    _pytest.python.Function.runtest = lambda self: None
except ImportError:
    pass
def add_one(number): return number + 2
""",
    "pytest_skip": "import pytest\ndef add_one(number):\n    pytest.skip('not today')\n",
    "fake_json_to_every_descriptor": """
import json, os
def add_one(number):
    text = json.dumps({"passed": True, "failed": 0}) + "\\n"
    for descriptor in range(256):
        try:
            os.write(descriptor, text.encode())
        except OSError:
            pass
    return number + 2
""",
    "rewritten_test_file": """
import glob
for path in glob.glob("**/test_*.py", recursive=True) + ["/given_tests.py"]:
    try:
        open(path, "w").write("def test_add_one(): pass\\n")
    except OSError:
        pass
def add_one(number): return number + 2
""",
    "replaced_assertion_error": """
import builtins, sys
class Quiet(Exception):
    def __init__(self, *arguments): sys.exit(0)
builtins.AssertionError = Quiet
sys.excepthook = lambda *error: __import__("os")._exit(0)
def add_one(number): return number + 2
""",
    "exit_hook_that_finds_the_checker": """
import sys
def add_one(number):
    frame = sys._getframe(1)
    while frame:
        for name, value in list(frame.f_globals.items()):
            if name == "EXPECTED":
                frame.f_globals[name] = number + 2
        frame = frame.f_back
    return number + 2
""",
}

FORGES_A_CHANNEL = {
    "number_found_by_frames": """
import os, sys
def add_one(number):
    frame = sys._getframe()
    while frame:
        for value in [v for x in list(frame.f_locals.values()) for v in (x, *getattr(x, "__dict__", {}).values())]:
            if type(value) is bytes and len(value) == 16:
                for payload in (b'["ok",true,[],[],"",[]]', b'["passed"]', b'["test","test_add_one","passed",""]'):
                    os.write(63, len(payload).to_bytes(4, "little") + value + payload)
        frame = frame.f_back
    os._exit(0)
""",
    "number_found_by_gc": """
import gc, os
def add_one(number):
    for holder in gc.get_objects():
        for value in gc.get_referents(holder):
            if type(value) is bytes and len(value) == 16:
                payload = b'["ok",{"passed":true},[],[],"",[]]'
                os.write(63, len(payload).to_bytes(4, "little") + value + payload)
    return number + 2
""",
    "patched_json": """
import json
json.dumps = json.JSONEncoder.encode = json.encoder.encode_basestring_ascii = lambda *a, **k: '["ok",true,[],[],"",[]]'
def add_one(number): return number + 2
""",
    "patched_server": """
import gc, sys
for name, module in list(sys.modules.items()):
    if name.startswith("_probatum"):
        for attribute in list(vars(module)):
            if attribute in ("_dumps", "type_name", "Encoder"):
                setattr(module, attribute, lambda *a, **k: '["ok",true,[],[],"",[]]')
def add_one(number): return number + 2
""",
    "pickle_on_the_channel": """
import os, pickle
class Evil:
    def __reduce__(self): return (exec, ("import os; os.environ['FORGED'] = '1'",))
def add_one(number):
    os.write(63, pickle.dumps(Evil()))
    return number + 2
""",
    "unsolicited_frames": """
import os
payload = b'["ok",2,[],[],"",[]]'
for _ in range(100):
    os.write(63, len(payload).to_bytes(4, "little") + bytes(16) + payload)
def add_one(number): return number + 2
""",
    "frames_after_the_reply": """
import os, threading
payload = b'["ok",2,[],[],"",[]]'
def flood():
    while True: os.write(63, len(payload).to_bytes(4, "little") + bytes(16) + payload)
def add_one(number):
    try:
        threading.Thread(target=flood, daemon=True).start()
    except RuntimeError:
        flood()
    return number + 2
""",
    "nested_json_of_1_8_megabytes": """
import os, sys
def add_one(number):
    frame = sys._getframe()
    payload = b"[" * 1_800_000
    while frame:
        for value in [v for x in list(frame.f_locals.values()) for v in (x, *getattr(x, "__dict__", {}).values())]:
            if type(value) is bytes and len(value) == 16:
                os.write(63, len(payload).to_bytes(4, "little") + value + payload)
        frame = frame.f_back
    return number + 2
""",
    "nested_json_under_the_cap": """
import os, sys
def add_one(number):
    frame = sys._getframe()
    payload = b"[" * 900_000
    while frame:
        for value in [v for x in list(frame.f_locals.values()) for v in (x, *getattr(x, "__dict__", {}).values())]:
            if type(value) is bytes and len(value) == 16:
                data = len(payload).to_bytes(4, "little") + value + payload
                while data: data = data[os.write(63, data):]
                return number + 2
        frame = frame.f_back
    return number + 2
""",
    "a_frame_that_never_ends": """
import os, sys
def add_one(number):
    frame = sys._getframe()
    while frame:
        for value in [v for x in list(frame.f_locals.values()) for v in (x, *getattr(x, "__dict__", {}).values())]:
            if type(value) is bytes and len(value) == 16:
                os.write(63, (1000).to_bytes(4, "little") + value + b"[")
        frame = frame.f_back
    os._exit(0)
""",
    "claims_of_the_judges_own": """
import os, sys
def add_one(number):
    frame = sys._getframe()
    while frame:
        for value in [v for x in list(frame.f_locals.values()) for v in (x, *getattr(x, "__dict__", {}).values())]:
            if type(value) is bytes and len(value) == 16:
                payload = b'["lost","setup","the sandbox is broken"]'
                os.write(63, len(payload).to_bytes(4, "little") + value + payload)
                os._exit(0)
        frame = frame.f_back
""",
}

ATTACKS = FORGES_A_NAIVE_ORACLE | FORGES_A_CHANNEL

TESTS = b"""
from artifact import add_one
def test_add_one():
    assert add_one(1) == 2
"""

NAIVE_SCRIPT = """
import json
EXPECTED = 2
from artifact import add_one
if not add_one(1) == EXPECTED: raise AssertionError("not what was expected")
"""

LIMITS = JobLimits(wall_seconds=300.0)


def _a_naive_oracle_believes(source: str, folder: Path) -> bool:
    """Ask the oracles in the program's own process: an exit code, a line of output, pytest (twice in one folder)."""
    # Without a sandbox it would write where it says.
    (folder / "artifact.py").write_text(source.replace("/given_tests.py", f"{folder}/given_tests.py"))
    (folder / "check.py").write_text(NAIVE_SCRIPT)
    (folder / "test_given.py").write_bytes(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\n")
    script = subprocess.run([sys.executable, "check.py"], cwd=folder, capture_output=True, check=False, text=True)
    if script.returncode == 0 or '"passed": true' in script.stdout:
        return True
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_given.py"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    runs = (subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False) for _ in range(2))
    return any(run.returncode == 0 for run in runs)


@pytest.mark.parametrize("name", FORGES_A_NAIVE_ORACLE)
def test_the_control_forges_an_oracle_in_its_own_process(name: str, tmp_path: Path) -> None:
    assert _a_naive_oracle_believes(FORGES_A_NAIVE_ORACLE[name], tmp_path)


def test_the_naive_oracles_see_through_a_program_that_is_only_wrong(tmp_path: Path) -> None:
    assert not _a_naive_oracle_believes(WRONG, tmp_path)


def _fresh(sandbox: Sandbox, source: str) -> Candidate:
    job = sandbox.candidate(Program(source.encode()), LIMITS)
    job.load()
    return job


@pytest.mark.parametrize("name", ATTACKS)
def test_the_judge_is_not_deceived(name: str, sandbox: Sandbox) -> None:
    with _fresh(sandbox, ATTACKS[name]) as job:
        replies = [job.call("add_one", [number]) for number in (1, 10, 100)]
        passed = [type(reply.value) is int for reply in replies if isinstance(reply, Returned)]
        right = [
            isinstance(reply, Returned) and type(reply.value) is int and reply.value == number + 1
            for reply, number in zip(replies, (1, 10, 100), strict=True)
        ]
        assert not any(right), (passed, replies)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_predicate_in_the_clerk_is_not_deceived(name: str, sandbox: Sandbox) -> None:
    with _fresh(sandbox, ATTACKS[name]) as job, sandbox.clerk(LIMITS) as clerk:
        reply = clerk.evaluate("add_one(1) == 2", ["add_one"], answering(job))
        assert not (isinstance(reply, Returned) and reply.value), reply
        still = clerk.evaluate("1 + 1 == 2", [], answering(job))
        assert still == Returned(True), "the clerk was harmed"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ATTACKS)
def test_a_test_in_the_clerk_is_not_deceived(name: str, sandbox: Sandbox) -> None:
    with _fresh(sandbox, ATTACKS[name]) as job, sandbox.clerk(LIMITS) as clerk:
        (result,) = clerk.run_tests(TESTS, answering(job))
        assert (result.name, result.outcome in ("failed", "error", "not_carried")) == ("test_add_one", True), result


def test_a_right_program_convinces_all_three(sandbox: Sandbox) -> None:
    with _fresh(sandbox, "def add_one(number): return number + 1\n") as job, sandbox.clerk() as clerk:
        assert job.call("add_one", [1]) == Returned(2, (1,))
        assert clerk.evaluate("add_one(1) == 2", ["add_one"], answering(job)) == Returned(True)
        assert [test.outcome for test in clerk.run_tests(TESTS, answering(job))] == ["passed"]


@pytest.mark.parametrize("name", ["nested_json_of_1_8_megabytes", "nested_json_under_the_cap"])
def test_nested_json_breaks_the_protocol_and_not_the_judge(name: str, sandbox: Sandbox) -> None:
    with _fresh(sandbox, ATTACKS[name]) as job:
        reply = job.call("add_one", [1])
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.PROTOCOL


def test_a_program_cannot_claim_a_broken_sandbox(sandbox: Sandbox) -> None:
    with _fresh(sandbox, ATTACKS["claims_of_the_judges_own"]) as job:
        reply = job.call("add_one", [1])
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.PROTOCOL
