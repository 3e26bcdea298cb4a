"""Calls that tests make are kept and made again: what can be copied, what cannot, and what does harm."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.changes.suite import RecordedCall, RunOfTests, Suite
from probatum.core.shape import Shape
from probatum.sandbox.environment import Environment
from probatum.sandbox.suites import CopiedCall, PlantedFault, WatchedFunction, run_suite
from tests.sandbox.trees import fault, need_namespaces, newer_interpreter, small_environment, suite_of

LIB = '''
import os
import threading


class Box:
    def __init__(self, items):
        self.items = list(items)

    def add(self, item, *more, loud=False, **named):
        self.items.append(item)
        return len(self.items)

    @property
    def size(self):
        return len(self.items)

    @staticmethod
    def made(text):
        return Box(text)


class Leaving:
    """Ends whoever reads a copy of it."""

    def __reduce__(self):
        return os._exit, (0,)


class Counted:
    copies = 0

    def __reduce__(self):
        Counted.copies += 1
        return Counted, ()


class Proxy:
    asked = []

    def __getattr__(self, name):
        Proxy.asked.append(name)
        raise AttributeError(name)


def plain(value):
    return value


def leaves(value):
    if value == "leave":
        os._exit(0)
    return value


def loops(value):
    while value < 0:
        pass
    return value


def deep(value):
    return deep(value + 1) if value < 0 else value


def given(value):
    return type(value).__name__


def keeps(value):
    MEMORY.append(value)
    return len(MEMORY)


def outer(value):
    def inner(more):
        return value + more

    return inner(1)


def threaded(value):
    found = []
    thread = threading.Thread(target=lambda: found.append(plain(value)))
    thread.start()
    thread.join()
    return found


MEMORY = []
'''
TESTS = """
import threading

import pytest

import lib
from lib import Box, Counted, Leaving, Proxy


class Here:
    def __init__(self):
        self.value = 5


def test_box():
    box = Box.made("ab")
    assert box.add("c", 1, 2, loud=True, more=3) == 3
    assert box.size == 3


def test_plain():
    lib.plain(Here())
    for number in range(1000):
        lib.plain(number)


def test_rest():
    lib.leaves("stay"), lib.leaves("leave"[:2])
    lib.loops(1)
    lib.deep(1)
    lib.keeps(1), lib.keeps(2)
    lib.outer(1)
    lib.threaded(7)


@pytest.mark.parametrize("value", [lambda: 1, threading.Lock(), (each for each in ()), "x" * 100_000, Leaving()])
def test_what_cannot_be_kept(value):
    lib.given(value)


def test_copies_do_not_disturb():
    lib.given(Counted())
    assert Counted.copies == 0
    lib.given(Proxy())
    assert Proxy.asked == []


def test_forged(capfd):
    print('{"kind": "call", "function": 0}')
    lib.plain(None)


def test_that_fails():
    lib.plain("failing")
    raise AssertionError
"""
_NAMES = (
    *("Box.add", "Box.size", "Box.made", "plain", "leaves", "loops", "deep", "given", "keeps", "outer"),
    *("outer.<locals>.inner", "absent"),
)
WATCHED = tuple(WatchedFunction("lib.py", name, 1, 999) for name in _NAMES)


@pytest.fixture(scope="module", params=["our own version", "a newer version"])
def suite(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Suite:
    folder = tmp_path_factory.mktemp("calls")
    need_namespaces(folder / "nothing")
    python: Environment = (
        small_environment(folder / "environment", newer_interpreter())
        if request.param == "a newer version"
        else small_environment(folder / "environment")
    )
    return suite_of(folder / "tree", {"lib.py": LIB, "test_lib.py": TESTS}, python)


@pytest.fixture(scope="module")
def run(suite: Suite) -> RunOfTests:
    return suite.run(recorded=WATCHED)


def _calls(run: RunOfTests, name: str) -> list[RecordedCall]:
    return [each for each in run.calls if _NAMES[each.function] == name]


def _made(run: RunOfTests, name: str) -> list[str]:
    return [each.shown for each in _calls(run, name) if each.near < 0]


def test_tests_end_as_they_do_without(suite: Suite, run: RunOfTests) -> None:
    assert {name: end.outcome for name, end in run.ends.items()} == {
        name: end.outcome for name, end in suite.run().ends.items()
    }


def test_calls_are_kept_with_the_test_that_made_them(run: RunOfTests) -> None:
    [added] = [each for each in _calls(run, "Box.add") if each.near < 0]
    assert added.shown == "Box.add(<lib.Box object>, 'c', 1, 2, loud=True, more=3)"
    assert added.tests == ("test_lib.py::test_box",)
    assert _made(run, "Box.size") == ["Box.size(<lib.Box object>)"]
    assert _made(run, "Box.made") == ["Box.made('ab')"]
    assert _made(run, "leaves") == ["leaves('stay')", "leaves('le')"]
    assert _made(run, "outer.<locals>.inner") == ["outer.<locals>.inner(1)"]
    assert not _made(run, "absent")


def test_no_more_are_kept_than_are_useful(run: RunOfTests) -> None:
    assert len(_made(run, "plain")) == 40
    assert len(_calls(run, "plain")) <= 120


def test_what_cannot_be_copied_is_left_out(run: RunOfTests) -> None:
    shown = _made(run, "given")
    assert not any("xxx" in each or "lambda" in each or "generator" in each for each in shown)


def test_variations_stay_near(run: RunOfTests) -> None:
    variations = {each.shown for each in _calls(run, "loops") if each.near >= 0}
    assert variations == {"loops(0)", "loops(-1)", "loops(2)", "loops(11)"}
    literals = {each.shown for each in _calls(run, "leaves") if each.near >= 0}
    assert "leaves('leave')" in literals


def _again(suite: Suite, run: RunOfTests, *faults: PlantedFault) -> dict[str, Shape]:
    calls = tuple(CopiedCall(str(at), WATCHED[each.function], each.given) for at, each in enumerate(run.calls))
    order = replace(suite.order(), calls=calls, faults=faults, options=(*suite.order().options, "test_lib.py"))
    told = run_suite(order)
    assert told.is_whole
    return {each.text("id"): each for each in told.records if each.text("kind") in {"outcome", "fault"}}


def test_calls_come_to_the_same_and_what_does_harm_is_not_known(suite: Suite, run: RunOfTests) -> None:
    loops = tuple(str(at) for at, each in enumerate(run.calls) if _NAMES[each.function] == "loops")
    plain = tuple(str(at) for at, each in enumerate(run.calls) if _NAMES[each.function] == "plain")
    ended = "    return {}\n\n\ndef leaves"
    listed = fault("noticed", "lib.py", LIB, ended.format("value"), ended.format("[value]"))
    noticed = replace(listed, calls=plain)
    missed = replace(fault("missed", "lib.py", LIB, "while value < 0", "while value < -99"), calls=loops)
    inner = tuple(str(at) for at, each in enumerate(run.calls) if "inner" in _NAMES[each.function])
    nobody = replace(fault("nobody", "lib.py", LIB, "value + more", "value - more"), calls=inner)
    told = _again(suite, run, noticed, missed, nobody)
    ends = {run.calls[int(at)].shown: each for at, each in told.items() if at.isdecimal()}
    assert ends["Box.made('ab')"].text("what") == "returns"
    assert ends["plain(3)"].text("shown") == "3"
    assert ends["plain(<test_lib.Here object>)"].text("shown") == "<test_lib.Here object>"
    assert ends["leaves('leave')"].text("what") == "lost"
    assert ends["leaves('stay')"].text("shown") == "'stay'"
    assert ends["loops(-1)"].text("shown") == "does not end"
    assert ends["deep(-1)"].text("what") == "returns"
    # It remembers the calls before it.
    assert not ends["keeps(1)"].flag("is_steady")
    # Only what a module holds can be found again.
    assert ends["outer.<locals>.inner(1)"].text("what") == "unknown"
    assert told["noticed"].text("end") == "noticed"
    assert told["missed"].text("end") == "noticed"
    # Where no call is known, none was tried.
    assert (told["nobody"].text("end"), told["nobody"].text("said")) == ("survived", "0")
