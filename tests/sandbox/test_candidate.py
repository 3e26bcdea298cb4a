"""What a candidate answers to each request, how its end is told, and what its surroundings look like."""

from __future__ import annotations

import sys

import hypothesis
import pytest

from probatum.core.limits import JobLimits
from probatum.sandbox import Candidate, Declared, Handle, Lost, LostReason, Program, Raised, Returned, Sandbox, Tier

SOURCE = b'''
"""A module."""
import asyncio, sys

class EmptyError(LookupError):
    """Nothing there."""

class Stack:
    limit = 3
    def __init__(self, items=()):
        self.items = list(items)
    def push(self, item):
        self.items.append(item)
        return self
    def pop(self):
        if not self.items:
            raise EmptyError("nothing to pop")
        return self.items.pop()
    async def later(self):
        await asyncio.sleep(0)
        return self.items

def greet(name, *, loud=False):
    print("called", name)
    return name.upper() if loud else name

def count(limit):
    for number in range(limit):
        print(number)
        yield number

def broken():
    yield 1
    raise EmptyError("in the middle")

async def wait(value):
    await asyncio.sleep(0)
    return value

async def countdown(start):
    for number in range(start, 0, -1):
        yield number

def nasty():
    class Nasty(Exception):
        def __str__(self): raise ValueError
    raise Nasty

def leave(code): sys.exit(code)
def interrupt(): raise KeyboardInterrupt
def main(): return __name__
'''


@pytest.fixture
def candidate(sandbox: Sandbox) -> Candidate:
    job = sandbox.candidate(Program(SOURCE))
    loaded = job.load()
    assert isinstance(loaded, Returned)
    assert isinstance(loaded.value, list)
    assert {"Stack", "greet", "count", "asyncio"} <= set(loaded.value)
    return job


def test_call_returns_value_arguments_and_output(candidate: Candidate) -> None:
    assert candidate.call("greet", ["ann"], {"loud": True}) == Returned(
        "ANN", ("ann",), (("loud", True),), "called ann\n"
    )
    assert candidate.call("greet", ["bob"]).output == "called bob\n"  # type: ignore[union-attr]  # a Returned, as above


def test_an_exception_has_its_qualified_name_and_bases(candidate: Candidate) -> None:
    reply = candidate.call("greet", [1], {"loud": True})
    assert isinstance(reply, Raised)
    assert (reply.type_name, reply.bases[1]) == ("AttributeError", "Exception")
    assert reply.output == "called 1\n"
    assert reply.arguments == (1,)
    stack = _handle(candidate.construct("Stack"))
    reply = candidate.method(stack, "pop")
    assert isinstance(reply, Raised)
    assert reply.type_name == "artifact.EmptyError"
    assert reply.bases == ("artifact.EmptyError", "LookupError", "Exception", "BaseException", "object")
    assert reply.text == "nothing to pop"


@pytest.mark.parametrize(
    ("target", "arguments", "expected"),
    [
        ("nasty", [], "artifact.nasty.<locals>.Nasty"),
        ("leave", [0], "SystemExit"),
        ("interrupt", [], "KeyboardInterrupt"),
    ],
)
def test_exceptions_that_are_hard_to_hold(
    target: str, arguments: list[object], expected: str, candidate: Candidate
) -> None:
    reply = candidate.call(target, arguments)
    assert isinstance(reply, Raised)
    assert reply.type_name == expected
    assert candidate.call("main") == Returned("artifact"), "the process lives on"


def _handle(reply: object) -> Handle:
    assert isinstance(reply, Returned)
    assert isinstance(reply.value, Handle)
    return reply.value


def test_an_object_keeps_its_state(candidate: Candidate) -> None:
    stack = _handle(candidate.construct("Stack", [[1, 2]]))
    assert stack.type_name == "artifact.Stack"
    assert candidate.method(stack, "push", [3]) == Returned(stack, (3,))
    assert candidate.get(stack, "items") == Returned([1, 2, 3])
    assert candidate.method(stack, "pop") == Returned(3)
    assert candidate.method(stack, "later") == Returned([1, 2])


def test_names_of_the_module_can_be_read(candidate: Candidate) -> None:
    assert candidate.get(None, "Stack.limit") == Returned(3)
    assert candidate.get(None, "__doc__") == Returned("A module.")
    assert _handle(candidate.get(None, "greet")).type_name == "function"


def test_a_generator_is_drained_as_far_as_asked(candidate: Candidate) -> None:
    numbers = _handle(candidate.call("count", [5]))
    assert numbers.type_name == "generator"
    assert candidate.next(numbers, 2) == Returned(([0, 1], False), (), (), "0\n1\n")
    assert candidate.next(numbers, 10) == Returned(([2, 3, 4], True), (), (), "2\n3\n4\n")
    assert candidate.next(numbers, 10) == Returned(([], True))
    reply = candidate.next(_handle(candidate.call("broken")), 10)
    assert isinstance(reply, Raised)
    assert reply.type_name == "artifact.EmptyError"


def test_coroutines_are_awaited_inside(candidate: Candidate) -> None:
    assert candidate.call("wait", [[1]]) == Returned([1], ([1],))
    numbers = _handle(candidate.call("countdown", [3]))
    assert numbers.type_name == "async_generator"
    assert candidate.next(numbers, 9) == Returned(([3, 2, 1], True))


def test_statements_of_the_documentation_keep_their_names(candidate: Candidate) -> None:
    assert candidate.statements("s = Stack()\ns.push(1)\nprint(len(s.items))") == Returned(None, (), (), "1\n")
    assert candidate.statements("s.push(2)", "s.items") == Returned([1, 2])
    assert candidate.statements("", "wait(5)") == Returned(5)
    for source, expression, expected in (("s.(", None, "SyntaxError"), ("", "nothing", "NameError")):
        reply = candidate.statements(source, expression)
        assert isinstance(reply, Raised)
        assert reply.type_name == expected
    assert isinstance(candidate.get(None, "s"), Raised), "the module itself is not written to"


REMEMBERING = b"""
calls = 0
def light():
    global calls
    calls += 1
def heavy():
    light()
    for _ in range(10_000):
        pass
def made():
    return calls
"""


def _made_by_repeating(sandbox: Sandbox, name: str) -> int:
    with sandbox.candidate(Program(REMEMBERING)) as candidate:
        candidate.load()
        assert candidate.repeat(12_000, [(name, (), {})]) == Returned(None)
        made = candidate.call("made")
    assert isinstance(made, Returned)
    assert isinstance(made.value, int)
    return made.value


def test_repeating_ends_after_the_same_number_of_calls_everywhere(sandbox: Sandbox) -> None:
    assert _made_by_repeating(sandbox, "light") == 12_000
    heavy = _made_by_repeating(sandbox, "heavy")
    assert 50 < heavy < 200
    assert heavy == _made_by_repeating(sandbox, "heavy")


def test_an_object_can_be_read_by_value(candidate: Candidate) -> None:
    stack = _handle(candidate.construct("Stack"))
    assert candidate.value(stack) == Returned(stack)


def test_a_constructed_dataclass_can_be_read_by_value(sandbox: Sandbox) -> None:
    source = b"import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int\n"
    with sandbox.candidate(Program(source)) as job:
        job.load()
        point = _handle(job.construct("P", [3]))
        assert job.value(point) == Returned(Declared("artifact.P", (("x", 3),)))


ENDS = {
    "exit code": ("import os\ndef f(): os._exit(7)", LostReason.EXIT, "exit code 7"),
    "closed channel": ("import os\ndef f():\n    os.close(3)\n    while True: pass", LostReason.SIGNAL, "signal 9"),
    "crash": ("import ctypes\ndef f(): ctypes.string_at(0)", LostReason.SIGNAL, "signal 11"),
    "memory": ("def f(): return [0] * 10**9", LostReason.MEMORY, "memory"),
    "processor time": ("def f():\n    while True: pass", LostReason.CPU, "processor time"),
}


@pytest.mark.parametrize("name", ENDS)
def test_how_a_process_was_lost_is_told(name: str, sandbox: Sandbox) -> None:
    source, reason, words = ENDS[name]
    with sandbox.candidate(Program(source.encode()), JobLimits(cpu_seconds=2)) as job:
        job.load()
        reply = job.call("f")
        assert isinstance(reply, Lost)
        assert reply.reason is reason
        assert words in reply.detail


def test_a_lost_or_ended_candidate_answers_nothing(sandbox: Sandbox) -> None:
    job = sandbox.candidate(Program(b"import os\nos._exit(1)"))
    assert isinstance(job.load(), Lost)
    for _ in range(2):
        reply = job.load()
        assert isinstance(reply, Lost)
        assert reply.reason is LostReason.ENDED
        job.end()


TOP_LEVELS = {
    "does not parse": (b"def f(:", "SyntaxError"),
    "wrong encoding": (b"x = '\xff'", "SyntaxError"),
    "raises": (b"1 / 0", "ZeroDivisionError"),
    "exits": (b"raise SystemExit(0)", "SystemExit"),
    "missing package": (b"import a_package_that_is_not_there", "ModuleNotFoundError"),
    "unfinished": (b"def f():", "IndentationError"),
    "nested too deep": (b"x = " + b"(" * 300 + b")" * 300, "SyntaxError"),
}


@pytest.mark.parametrize("name", TOP_LEVELS)
def test_what_the_top_level_raises_is_told(name: str, sandbox: Sandbox) -> None:
    source, expected = TOP_LEVELS[name]
    with sandbox.candidate(Program(source)) as job:
        reply = job.load()
        assert isinstance(reply, Raised)
        assert reply.type_name == expected


def test_siblings_are_imported_from_memory(sandbox: Sandbox) -> None:
    program = Program(
        b"import artifact\nfrom shop import price\nfrom .tax import rate, Kind\nimport helpers\n"
        b"def total(): return price() * rate() + helpers.zero()\ndef kind(): return Kind.FULL\n"
        b"def itself(): return artifact.total is total\n",
        module_name="shop.cart",
        siblings=(
            ("shop.__init__", b"from .tax import rate\ndef price(): return 10\n"),
            ("shop.tax", b"import enum\nclass Kind(enum.Enum):\n    FULL = 1\ndef rate(): return 2\n"),
            ("helpers", b"# \xe9 in latin-1 would not do\ndef zero(): return 0\n".replace(b"\xe9", b"e")),
        ),
    )
    with sandbox.candidate(program) as job:
        assert isinstance(job.load(), Returned)
        assert job.call("total") == Returned(20)
        assert job.call("kind") == Returned(Declared("shop.tax.Kind", (("name", "FULL"), ("value", 1))))
        assert job.call("itself") == Returned(True)


def test_installed_packages_and_late_modules_can_be_imported(sandbox: Sandbox) -> None:
    source = b"""
def third_party():
    import hypothesis, libcst
    return hypothesis.__version__
def late():
    import sqlite3, csv, xml.etree.ElementTree, zoneinfo, unittest, concurrent.futures, ctypes.util, encodings.idna
    return sqlite3.connect(":memory:").execute("select 1 + 1").fetchone()
"""
    with sandbox.candidate(Program(source), JobLimits(cpu_seconds=30)) as job:
        job.load()
        assert job.call("third_party") == Returned(hypothesis.__version__)
        assert job.call("late") == Returned((2,))


def test_nothing_of_the_user_is_on_the_import_path(sandbox: Sandbox) -> None:
    source = b"""
import os, sys
def path(): return sys.path
def arguments(): return sys.argv
def environment(): return dict(os.environ)
"""
    with sandbox.candidate(Program(source)) as job:
        job.load()
        path = job.call("path")
        assert isinstance(path, Returned)
        assert isinstance(path.value, list)
        for folder in path.value:
            assert folder in sys.path or folder.startswith(("/proc/self/fd/", sys.base_prefix, "/usr/lib"))
        assert "" not in path.value
        assert job.call("arguments") == Returned(["artifact"])
        environment = job.call("environment")
        assert isinstance(environment, Returned)
        assert isinstance(environment.value, dict)
        assert set(environment.value) <= {
            "PYTHONHASHSEED", "PYTHONUTF8", "MALLOC_ARENA_MAX", "LANG", "PATH", "HOME", "TMPDIR", "PWD", "LC_CTYPE",
            "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
        }  # fmt: skip


def test_a_few_threads_work_where_they_can_be_counted(sandbox: Sandbox) -> None:
    source = b"""
from concurrent.futures import ThreadPoolExecutor
def squares():
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda n: n * n, range(20)))
"""
    with sandbox.candidate(Program(source)) as job:
        job.load()
        reply = job.call("squares")
        if sandbox.tier is Tier.NAMESPACES:
            assert reply == Returned([n * n for n in range(20)])
        else:
            assert isinstance(reply, Raised)


def test_random_numbers_differ_between_processes(sandbox: Sandbox) -> None:
    drawn = set()
    for _ in range(4):
        with sandbox.candidate(Program(b"import random\ndef draw(): return random.random()")) as job:
            job.load()
            reply = job.call("draw")
            assert isinstance(reply, Returned)
            drawn.add(reply.value)
    assert len(drawn) == 4


def test_many_candidates_at_once(sandbox: Sandbox) -> None:
    jobs = [sandbox.candidate(Program(f"def f(): return {number}".encode())) for number in range(20)]
    for number, job in reversed(list(enumerate(jobs))):
        job.load()
        assert job.call("f") == Returned(number)
    for job in jobs:
        job.end()


def test_standard_output_is_a_text_file_with_a_buffer(sandbox: Sandbox) -> None:
    source = b"""
import sys
def speak():
    sys.stdout.write("text ")
    sys.stdout.buffer.write("bytes \\u00e9\\n".encode())
    print("flushed", flush=True)
    print(ascii("x"), end="")
def surrogate(): print(chr(0xd800))
def leave(): exit(3)
def ask(): return input()
"""
    with sandbox.candidate(Program(source), JobLimits(output_bytes=100)) as job:
        job.load()
        assert job.call("speak") == Returned(None, (), (), "text bytes \u00e9\nflushed\n'x'")
        for target, expected in (("surrogate", "UnicodeEncodeError"), ("ask", "EOFError"), ("leave", "SystemExit")):
            reply = job.call(target)
            assert isinstance(reply, Raised)
            assert reply.type_name == expected
