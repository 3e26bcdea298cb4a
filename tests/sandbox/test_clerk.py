"""Predicates and tests of the user's files run beside the program, never with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from probatum.core.limits import JobLimits
from probatum.sandbox import (
    Candidate,
    Clerk,
    GivenTest,
    Lost,
    LostReason,
    Program,
    Raised,
    Reply,
    Returned,
    Sandbox,
    answering,
)

SOURCE = b"""
import dataclasses, enum, os

class EmptyError(ValueError): pass

@dataclasses.dataclass
class Point:
    x: int
    def move(self, by): self.x += by

class Colour(enum.Enum):
    RED = 1

class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def pop(self):
        if not self.items: raise EmptyError("empty")
        return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)

LIMIT = 3
def add(a, b=1): return a + b
def sort(values): values.sort()
def fail(): raise EmptyError("no")
def count(n): yield from range(n)
def points(): return [Point(1), Point(2)]
def leave(): os._exit(0)
def stop(): raise StopIteration
def interrupt(): raise KeyboardInterrupt
"""


@pytest.fixture
def candidate(sandbox: Sandbox) -> Iterator[Candidate]:
    with sandbox.candidate(Program(SOURCE)) as job:
        assert isinstance(job.load(), Returned)
        yield job


@pytest.fixture(scope="module")
def clerk(sandbox: Sandbox) -> Iterator[Clerk]:
    with sandbox.clerk(JobLimits(cpu_seconds=60, wall_seconds=120.0)) as opened:
        yield opened


HOLDS = {
    "a call": "add(1, 2) == 3",
    "keywords": "add(1, b=5) == 6",
    "a predicate over values": "all(add(n) > n for n in range(5))",
    "a generator": "list(count(3)) == [0, 1, 2]",
    "a lambda of its own": "(lambda n: add(n))(1) == 2",
    "a record": "[point.x for point in points()] == [1, 2]",
}


@pytest.mark.parametrize("name", HOLDS)
def test_an_expression_that_holds(name: str, clerk: Clerk, candidate: Candidate) -> None:
    assert clerk.evaluate(HOLDS[name], ["add", "count", "points"], answering(candidate)) == Returned(True)


RAISES = {
    "the program's own exception": ("fail()", "artifact.EmptyError"),
    "an unknown name": ("nothing", "NameError"),
    "a syntax error": ("add(", "SyntaxError"),
    "its own exit": ("exit_now()", "NameError"),
}


@pytest.mark.parametrize("name", RAISES)
def test_an_expression_that_raises(name: str, clerk: Clerk, candidate: Candidate) -> None:
    expression, expected = RAISES[name]
    reply = clerk.evaluate(expression, ["add", "fail"], answering(candidate))
    assert isinstance(reply, Raised)
    assert reply.type_name == expected


UNSENT = {
    "a callable that cannot be given": "add(lambda: 1)",
    "inside a container": "add([print])",
    "even where every exception is expected": "[add(print) for _ in range(2)] or True",
}


@pytest.mark.parametrize("name", UNSENT)
def test_what_cannot_travel_is_no_exception_of_the_program(name: str, clerk: Clerk, candidate: Candidate) -> None:
    reply = clerk.evaluate(UNSENT[name], ["add"], answering(candidate))
    assert isinstance(reply, Lost)
    assert reply.reason is LostReason.ARGUMENTS
    again = clerk.evaluate("add(1, 2)", ["add"], answering(candidate))
    assert again == Returned(3) or isinstance(again, Returned)


TESTS_WITH_UNSENT = b"""
from artifact import add


def test_before():
    assert add(1, 2) == 3


def test_unsent():
    try:
        add(print)
    except Exception:
        pass


def test_after():
    assert add(1, 2) == 3
"""


def test_a_test_whose_value_cannot_travel_is_not_carried_and_the_next_one_runs(
    clerk: Clerk, candidate: Candidate
) -> None:
    results = clerk.run_tests(TESTS_WITH_UNSENT, answering(candidate), ["add"])
    assert [(test.name.rpartition("::")[2], test.outcome) for test in results] == [
        ("test_before", "passed"),
        ("test_unsent", "not_carried"),
        ("test_after", "passed"),
    ]


def test_a_lost_candidate_leaves_no_result(clerk: Clerk, candidate: Candidate) -> None:
    reply = clerk.evaluate("leave() or True", ["leave"], answering(candidate))
    assert isinstance(reply, Lost)
    assert reply.reason is LostReason.EXIT


def test_the_answers_are_the_callers_to_give(clerk: Clerk) -> None:
    asked: list[tuple[str, tuple[object, ...], dict[str, object]]] = []

    def resolve(target: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Reply:
        asked.append((target, args, kwargs))
        return Returned(len(asked), args)

    assert clerk.evaluate("f([1], key={2: 3}) + f()", ["f"], resolve) == Returned(3)
    assert asked == [("f", ([1],), {"key": {2: 3}}), ("f", (), {})]


def test_the_clerk_has_nothing_of_the_program(clerk: Clerk, candidate: Candidate) -> None:
    held = clerk.evaluate(
        "b'EmptyError' in b''.join(map(repr, __import__('gc').get_objects()))", [], answering(candidate)
    )
    assert not (isinstance(held, Returned) and held.value)


TESTS = b"""
import artifact, pytest
from artifact import *

@pytest.fixture
def stack(): return Stack()

@pytest.mark.parametrize("n", [1, 2])
def test_add(n): assert add(n) == n + 1
def test_wrong(): assert add(1) == 3
def test_stack(stack):
    stack.push(3)
    assert stack.items == [3] and len(stack) == 1 and stack.pop() == 3
    with pytest.raises(artifact.EmptyError): stack.pop()
    with pytest.raises(ValueError): stack.pop()
def test_point():
    point = Point(1)
    point.move(2)
    assert point.x == 3 and point == Point(3) and artifact.Colour.RED == artifact.Colour.RED
def test_constant(): assert artifact.LIMIT == 3
class TestSort:
    def test_in_place(self):
        values = [2, 1]
        sort(values)
        assert values == [1, 2]
def test_generator(): assert list(count(3)) == [0, 1, 2]
@pytest.mark.skip(reason="not now")
def test_skipped(): pass
def test_unknown_fixture(nothing_there): pass
def test_wrong_exception():
    with pytest.raises(KeyError): fail()
def test_iterated_again(stack):
    stack.push(5)
    first, whole = next(iter(stack)), list(stack)
    assert [first] == whole[:1] and list(stack) == whole
def test_objects_are_not_compared(stack): assert stack == Stack()
"""

OUTCOMES = {
    "test_add[1]": "passed",
    "test_add[2]": "passed",
    "test_wrong": "failed",
    "test_stack": "passed",
    "test_point": "passed",
    "test_constant": "passed",
    "TestSort::test_in_place": "passed",
    "test_generator": "passed",
    "test_skipped": "skipped",
    "test_unknown_fixture": "error",
    "test_wrong_exception": "failed",
    "test_iterated_again": "passed",
    "test_objects_are_not_compared": "not_carried",
}


def test_a_file_of_tests(clerk: Clerk, candidate: Candidate) -> None:
    names = ["Stack", "Point", "add", "sort", "count", "fail"]
    for _ in range(2):
        results = clerk.run_tests(TESTS, answering(candidate), names)
        assert {result.name: result.outcome for result in results} == OUTCOMES
        assert "assert add(1) == 3" in next(result.message for result in results if result.name == "test_wrong")


BROKEN_FILES = {
    "raises at its top level": (b"raise ValueError\ndef test_a(): pass", {"test_a": "error"}),
    "does not parse": (b"def test_a(:", {"the file of tests": "error"}),
    "has no test": (b"x = 1", {}),
    "hides a test": (
        b"def test_a(): pass\ndef test_b(): pass\ntest_b.__test__ = False",
        {"test_a": "idle", "test_b": "error"},
    ),
    "leaves": (b"import os\ndef test_a(): os._exit(0)\ndef test_b(): pass", {"test_a": "error", "test_b": "error"}),
    "exits": (b"import sys\ndef test_a(): sys.exit(0)", {"test_a": "error"}),
    "loses the program": (
        b"import artifact\ndef test_a(): artifact.leave()\ndef test_b(): pass",
        {"test_a": "error", "test_b": "error"},
    ),
    "loses the program and hides it": (
        b"import artifact\ndef test_a():\n    try: artifact.leave()\n    except BaseException: pass\n",
        {"test_a": "error"},
    ),
    "is interrupted by the program": (
        b"import artifact\ndef test_a(): artifact.interrupt()\ndef test_b(): pass",
        {"test_a": "error", "test_b": "error"},
    ),
    "stops the session": (
        b"import pytest\ndef test_a(): pytest.exit('x', 0)\ndef test_b(): pass",
        {"test_a": "error", "test_b": "error"},
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BROKEN_FILES)
def test_no_test_goes_missing(name: str, sandbox: Sandbox, candidate: Candidate) -> None:
    source, expected = BROKEN_FILES[name]
    with sandbox.clerk(JobLimits(cpu_seconds=30, wall_seconds=60.0)) as own:
        results = own.run_tests(source, answering(candidate))
    assert {result.name: result.outcome for result in results} == expected


FORGED_REPORTS = {
    "a report twice": "told('test_a', 'passed'); told('test_a', 'passed')",
    "an unplanned test": "told('test_x', 'passed'); told('test_a', 'passed')",
    "an unknown outcome": "told('test_a', 'great')",
}


def _frames(calls: str) -> bytes:
    return f"""
import gc, json
desk = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Desk")
def told(name, outcome): desk._report(["test", name, outcome, "", ""])
def test_a():
    {calls}
""".encode()


@pytest.mark.parametrize("name", FORGED_REPORTS)
def test_reports_out_of_order_are_errors(name: str, sandbox: Sandbox, candidate: Candidate) -> None:
    with sandbox.clerk(JobLimits(cpu_seconds=30, wall_seconds=60.0)) as own:
        results = own.run_tests(_frames(FORGED_REPORTS[name]), answering(candidate))
    assert any(result.outcome == "error" for result in results), results
    assert GivenTest("test_x", "passed") not in results
