"""Files of tests where the program's Python has no pytest: functions, plain classes, cases of unittest."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from probatum.sandbox.inside import suite

SOURCE = b"""
import unittest

def test_function(): pass
def test_fails(): assert False
def test_gives_something_back(): return True

class TestPlain:
    def setup_method(self): self.ready = True
    def test_it(self): assert self.ready

class CaseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.items = []
    def setUp(self): self.items.append(1)
    def tearDown(self): self.items.clear()
    def test_setup(self): self.assertEqual(self.items, [1])
    def test_wrong(self): self.assertEqual(self.items, [2])
    def test_raises(self): [][0]
    def test_denied(self): raise PermissionError("no")
    def test_parts(self):
        for n in (1, 2):
            with self.subTest(n=n): self.assertEqual(n, 1)
    @unittest.skip("later")
    def test_skipped(self): self.fail()
    def test_skips_itself(self): self.skipTest("later")
    @unittest.expectedFailure
    def test_wish(self): self.fail()
    @unittest.expectedFailure
    def test_wish_come_true(self): pass

class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError
    def test_never_run(self): pass
"""
OUTCOMES = {
    "test_function": "passed",
    "test_fails": "failed",
    "test_gives_something_back": "error",
    "TestPlain::test_it": "passed",
    "CaseTest::test_setup": "passed",
    "CaseTest::test_wrong": "failed",
    "CaseTest::test_raises": "failed",
    "CaseTest::test_denied": "error",
    "CaseTest::test_parts": "failed",
    "CaseTest::test_skipped": "skipped",
    "CaseTest::test_skips_itself": "skipped",
    "CaseTest::test_wish": "skipped",
    "CaseTest::test_wish_come_true": "failed",
}


@pytest.mark.parametrize("wanted", [None, ["test_function", "CaseTest::test_setup"]])
def test_every_test_is_told_once(wanted: list[str] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[str] = []
    told: list[tuple[str, str]] = []

    def report(kind: str, *about: Any) -> None:
        if kind == "planned":
            planned.extend(about[0])
        else:
            told.append((about[0], about[1]))

    monkeypatch.setitem(sys.modules, "pytest", None)
    monkeypatch.setitem(sys.modules, "given_tests", None)
    suite.run(SOURCE, report, None, wanted)
    due = OUTCOMES if wanted is None else {name: OUTCOMES[name] for name in wanted}
    assert dict(told) == due
    assert len(told) == len(due)
    assert set(planned) == (due.keys() | {"Broken::test_never_run"} if wanted is None else set(wanted))
