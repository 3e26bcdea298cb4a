"""Planted faults: each is noticed or survives as an ordinary run of pytest on the mutated file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

import pytest

from probatum.changes.suite import FaultEnd
from probatum.sandbox.suites import PlantedFault, SuiteRun, run_suite
from tests.sandbox.trees import (
    fault,
    is_noticed_outside,
    need_namespaces,
    newer_interpreter,
    order_of,
    small_environment,
    suite_of,
)

Place = SimpleNamespace

LIB = '''
    import functools
    import os
    import sys
    import time

    LIMIT = 3
    TABLE = {"up": lambda x: x + 1, "down": lambda x: x - 1}


    def plain(x):
        return x + 10


    def unchecked(x):
        return x + 20


    def limited(x):
        return min(x, LIMIT)


    def outer(x):
        def inner(y):
            return y * 30

        return inner(x)


    class Thing:
        size = 40

        def __init__(self, value=50):
            self.value = value

        def method(self):
            return self.value + 60

        @property
        def shown(self):
            return f"<{self.value}>"

        @staticmethod
        def static():
            return 70


    def doubled(function):
        @functools.wraps(function)
        def wrapper(*arguments):
            return 2 * function(*arguments)

        return wrapper


    @doubled
    def decorated(x):
        return x + 80


    def adder(n):
        def add(x):
            return x + n + 90

        return add


    ADD = adder(1)


    def numbers():
        yield 100
        yield 101


    def first():
        return 110


    FIRST = first()
    RUNNING = numbers()
    next(RUNNING)

    if sys.platform:
        MODE = 120


    def documented():
        """Return.

        >>> documented()
        130
        """
        return 130


    def loop(n):
        total = 0
        while n:
            n -= 1
            total += 1
        return total


    def waits(seconds=0):
        time.sleep(seconds * 140)
        return 140


    def leaves():
        return os.getpid() and 150


    @functools.cache
    def kept():
        return 160


    def by_name():
        return 170


    if __name__ == "__main__":
        print(plain(1))
'''
TESTS = """
    import importlib
    import json
    import subprocess
    import sys

    import lib
    from lib import by_name, kept

    KEPT = kept()


    def test_plain():
        assert lib.plain(1) == 11


    def test_unchecked():
        lib.unchecked(1)


    def test_limited():
        assert lib.limited(5) == 3


    def test_outer():
        assert lib.outer(1) == 30


    def test_thing():
        thing = lib.Thing()
        assert (thing.size, thing.value, thing.method(), thing.shown, thing.static()) == (40, 50, 110, "<50>", 70)


    def test_decorated():
        assert lib.decorated(1) == 162


    def test_adder():
        assert lib.ADD(1) == 92


    def test_numbers():
        assert list(lib.numbers()) == [100, 101]


    def test_running():
        assert next(lib.RUNNING) == 101


    def test_first():
        assert lib.FIRST == 110


    def test_mode():
        assert lib.MODE == 120


    def test_table():
        assert (lib.TABLE["up"](1), lib.TABLE["down"](1)) == (2, 0)


    def test_loop():
        assert lib.loop(3) == 3


    def test_waits():
        assert lib.waits() == 140


    def test_leaves():
        assert lib.leaves() == 150


    def test_kept():
        assert KEPT == 160


    def test_by_name():
        assert by_name() == 170


    def test_in_another_process():
        assert subprocess.run([sys.executable, lib.__file__], capture_output=True, text=True).stdout == "11\\n"


    def test_replaces_json(monkeypatch):
        monkeypatch.setattr(json, "dumps", lambda *_, **__: "nothing")
        assert lib.plain(1) == 11


    def test_answers_to_a_descriptor():
        import os

        for number in range(3, 200):
            try:
                os.write(number, b'{"end": "survived"}\\n')
            except OSError:
                pass
        assert lib.plain(1) == 11


    def test_leaves_a_process():
        import os
        import time

        value = lib.plain(1)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(10_000)
            os._exit(0)
        assert value == 11
"""
FILES = {"lib.py": LIB, "test_lib.py": TESTS, "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}

# The name of the fault, what it replaces by what, whether importing runs it, and the tests.
_Row = tuple[str, str, bool, tuple[str, ...]]
PLANTED: Mapping[str, _Row] = {
    "the body of a function": ("x + 10", "x - 10", False, ("test_plain",)),
    "a function that no test checks": ("x + 20", "x - 20", False, ("test_unchecked", "test_plain")),
    "a constant": ("LIMIT = 3", "LIMIT = 4", True, ("test_limited",)),
    "a constant that no test checks": ("LIMIT = 3", "LIMIT = 4", True, ("test_plain",)),
    "a nested function": ("y * 30", "y * 31", False, ("test_outer",)),
    "a class body": ("size = 40", "size = 41", True, ("test_thing",)),
    "a default value": ("value=50", "value=51", True, ("test_thing",)),
    "a method": ("self.value + 60", "self.value - 60", False, ("test_thing",)),
    "a property": ('f"<{self.value}>"', 'f"{self.value}"', False, ("test_plain", "test_thing")),
    "a static method": ("return 70", "return 71", False, ("test_thing",)),
    "a decorator": ("2 * function", "3 * function", True, ("test_decorated",)),
    "no decorator": ("@doubled\n", "", True, ("test_decorated",)),
    "a decorated function": ("x + 80", "x + 81", False, ("test_decorated",)),
    "a closure made at import": ("x + n + 90", "x - n + 90", False, ("test_adder",)),
    "a generator": ("yield 101", "yield 102", True, ("test_numbers",)),
    "a generator that was begun at import": ("yield 101", "yield 102", True, ("test_running",)),
    "a result that was kept at import": ("return 110", "return 111", True, ("test_first",)),
    "code of the module": ("MODE = 120", "MODE = 121", True, ("test_mode",)),
    "one of two lambdas, checked": ("x - 1}", "x - 2}", True, ("test_table",)),
    "a docstring that is a test": ("\n    130\n", "\n    131\n", False, ("lib.documented",)),
    "a function that a docstring tests": ("return 130", "return 131", False, ("lib.documented",)),
    "a result that a test file kept": ("return 160", "return 161", True, ("test_kept",)),
    "a function imported by name": ("return 170", "return 171", False, ("test_by_name",)),
    "code that another process runs": ("x + 10", "x + 11", False, ("test_in_another_process",)),
    "an exception": ("return x + 10", "raise KeyError(x)", False, ("test_plain",)),
    "text that is no Python": ("return x + 10", "return x +", False, ("test_plain",)),
    "an import that fails": ("import time\n", "import not_there\n", True, ("test_plain",)),
    "beside a test that replaces json": ("x + 10", "x + 11", False, ("test_replaces_json",)),
    "beside a test that writes everywhere": ("x + 10", "x + 11", False, ("test_answers_to_a_descriptor",)),
}
ENDING = {
    "a loop without an end": (("n -= 1", "n -= 0", False, ("test_loop",)), "bound"),
    "an end of the process": (("os.getpid() and 150", "os._exit(0)", False, ("test_leaves",)), "lost"),
    "a signal to the process": (("os.getpid() and 150", "os.kill(os.getpid(), 9)", False, ("test_leaves",)), "lost"),
    # Outside, what it leaves would outlive these tests.
    "beside a test that leaves a process": (("x + 10", "x + 11", False, ("test_leaves_a_process",)), "noticed"),
    "nothing beside a test that leaves a process": (
        ("x + 20", "x + 21", False, ("test_leaves_a_process",)),
        "survived",
    ),
    "the last fault of all": (("x + 10", "x - 10", False, ("test_plain",)), "noticed"),
}


def _planted(name: str, row: _Row) -> PlantedFault:
    old, new, at_import, tests = row
    named = [f"lib.py::{test}" if "." in test else f"test_lib.py::{test}" for test in tests]
    return fault(name, "lib.py", LIB, old, new, *named, at_import=at_import)


def _ends(run: SuiteRun) -> dict[str, FaultEnd]:
    assert run.is_whole, run.said
    assert [each.flag("is_sound") for each in run.records if each.text("kind") == "sound"] == [True]
    shapes = [each for each in run.records if each.text("kind") == "fault"]
    return {each.text("id"): FaultEnd(each.text("id"), each.text("end"), each.text("by")) for each in shapes}


FAULTS = {name: _planted(name, row) for name, row in PLANTED.items()}
FAULTS_THAT_END = {name: _planted(name, row) for name, (row, _) in ENDING.items()}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """An environment with pytest in it, and folders for trees; skips where no suite can be run."""
    folder = tmp_path_factory.mktemp("faults").resolve()
    need_namespaces(folder / "nothing")
    return SimpleNamespace(folder=folder, python=small_environment(folder / "environment"))


@pytest.fixture(scope="module")
def ends(place: Place) -> dict[str, FaultEnd]:
    faults = (*FAULTS.values(), *FAULTS_THAT_END.values())
    suite = suite_of(place.folder / "tree", FILES, place.python)
    return _ends(run_suite(order_of(suite, faults=faults)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed_as_outside(name: str, place: Place, ends: dict[str, FaultEnd]) -> None:
    folder = place.folder / f"outside-{len(list(place.folder.iterdir()))}"
    is_noticed = is_noticed_outside(place.python, folder, FILES, FAULTS[name])
    assert ends[name].end == ("noticed" if is_noticed else "survived")
    if is_noticed and ends[name].by in FAULTS[name].tests:
        assert ends[name].by == FAULTS[name].tests[-1]


@pytest.mark.parametrize("name", FAULTS_THAT_END)
def test_a_fault_that_ends_otherwise_is_told_as_that(name: str, ends: dict[str, FaultEnd]) -> None:
    assert ends[name].end == ENDING[name][1]


def test_what_no_test_checks_survives(ends: dict[str, FaultEnd]) -> None:
    assert [name for name in FAULTS if ends[name].end == "survived"] == [
        "a function that no test checks",
        "a constant that no test checks",
    ]


def test_a_newer_python_tells_the_same(place: Place, ends: dict[str, FaultEnd]) -> None:
    python = small_environment(place.folder / "newer", newer_interpreter())
    faults = (*FAULTS.values(), *FAULTS_THAT_END.values())
    told = _ends(run_suite(order_of(suite_of(place.folder / "tree-2", FILES, python), faults=faults)))
    assert {name: end.end for name, end in told.items()} == {name: end.end for name, end in ends.items()}


@pytest.mark.long
def test_a_fault_that_sleeps_is_late(place: Place) -> None:
    planted = _planted("sleeps", ("seconds=0", "seconds=1000", True, ("test_waits",)))
    suite = suite_of(place.folder / "sleeping", FILES, place.python)
    # Enough for a run without the fault on a busy machine; the run with it waits in full.
    faults = (planted, _planted("last", PLANTED["the body of a function"]))
    ends = _ends(run_suite(replace(order_of(suite, faults=faults), patience_each=12.0)))
    assert {name: end.end for name, end in ends.items()} == {"sleeps": "late", "last": "noticed"}


STATEFUL = {
    "lib.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    "test_lib.py": """
        from pathlib import Path

        import lib

        STATE = Path(__file__).with_name("state")


        def test_f():
            number = int(STATE.read_text()) if STATE.exists() else 0
            STATE.write_text(str(number + 1))
            assert number in LEFT
            assert lib.f() == 1


        def test_g():
            lib.g()
    """,
}


def _stateful(left: str) -> dict[str, str]:
    return {**STATEFUL, "test_lib.py": STATEFUL["test_lib.py"].replace("LEFT", left)}


def test_what_tests_leave_in_files_makes_them_unsound(place: Place) -> None:
    files = _stateful("{0}")
    tests = ("test_lib.py::test_f", "test_lib.py::test_g")
    faults = (fault("f", "lib.py", files["lib.py"], "return 1", "return 3", *tests),)
    suite = suite_of(place.folder / "unsound", files, place.python)
    told = suite.faults(faults)
    assert not told.is_sound
    assert told.ends == ()


def test_tests_that_fail_without_a_fault_are_unsound(place: Place) -> None:
    files = {
        "lib.py": "def f():\n    return 1\n",
        "test_lib.py": "import lib\n\ndef test_f():\n    assert lib.f() == 2\n",
    }
    faults = (fault("f", "lib.py", files["lib.py"], "return 1", "return 2", "test_lib.py::test_f"),)
    told = suite_of(place.folder / "failing", files, place.python).faults(faults)
    assert not told.is_sound
    assert told.ends == ()


def test_what_cleans_up_when_it_starts_anew_is_sound(place: Place) -> None:
    files = {
        **_stateful("{0}"),
        # Removed where tests are collected, not between copies of the process.
        "conftest.py": "from pathlib import Path\n\nPath(__file__).with_name('state').unlink(missing_ok=True)\n",
    }
    tests = ("test_lib.py::test_f", "test_lib.py::test_g")
    faults = (
        fault("f", "lib.py", files["lib.py"], "return 1", "return 3", *tests),
        fault("g", "lib.py", files["lib.py"], "return 2", "return 3", *tests),
    )
    told = suite_of(place.folder / "anew", files, place.python).faults(faults)
    assert told.is_sound
    assert {each.id: each.end for each in told.ends} == {"f": "noticed", "g": "survived"}


def test_a_test_that_ends_the_one_who_copies_is_no_proof(place: Place) -> None:
    files = {
        "lib.py": "def f():\n    return 1\n",
        "test_lib.py": """
            import os

            import lib


            def test_f():
                if lib.f() == 2:
                    os.kill(os.getppid(), 9)
                assert lib.f() != 3
        """,
    }
    named = "test_lib.py::test_f"
    faults = (
        fault("kills", "lib.py", files["lib.py"], "return 1", "return 2", named),
        fault("wrong", "lib.py", files["lib.py"], "return 1", "return 3", named),
    )
    told = suite_of(place.folder / "killing", files, place.python).faults(faults)
    ends = {each.id: each.end for each in told.ends if told.is_sound}
    assert ends.get("kills") in {None, "lost"}
    assert ends.get("wrong") in {None, "noticed"}
