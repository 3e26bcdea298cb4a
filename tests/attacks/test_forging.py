"""Programs that could forge the reports of their own process are named with the place; honest ones are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from probatum.programs.decide import EvidencePolicy
from probatum.programs.running.forging import means_of_forging
from probatum.proof.stores import MemoryStore
from probatum.sandbox import GivenTest, Program, Sandbox, TestOutcome
from tests.attacks.forging_programs import AT_RUN_TIME, FORGING, HONEST
from tests.attacks.right_under_tests import PAIRS as RIGHT
from tests.attacks.wrong_under_tests import FORGING as UNDER_TESTS
from tests.services import Service, tolerant

# What they bend is the file of tests, or nothing: the tests themselves ask too little, or see the program end.
BENDS_NOTHING = frozenset(
    {
        *("a file without tests", "an empty table", "a test without assertions"),
        *("sys.exit at the first call", "the program decides what is skipped"),
    }
)

TESTS = b"""
import artifact
from pathlib import Path

def test_next():
    for number in (1, 2, 5, 9):
        due = number + 1
        assert artifact.next_one(number) == due
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox.open(hash_seed=0) as opened:
        yield opened


def _beside(sandbox: Sandbox, source: str, tests: bytes = TESTS) -> list[GivenTest]:
    with sandbox.one_process() as process:
        return process.run_tests(Program(source.encode(), "subject"), tests)


def _means(source: str) -> tuple[str, ...]:
    return means_of_forging(Program(source.encode(), "subject"))


@pytest.mark.parametrize("name", FORGING)
def test_means_are_named_with_their_line(name: str) -> None:
    means = _means(FORGING[name])
    assert means
    assert all(each.startswith("line ") and " of subject.py " in each for each in means)


@pytest.mark.parametrize("name", [name for name in UNDER_TESTS if not name.startswith(("tests that", "a test that"))])
def test_what_forges_beside_given_tests_has_means(name: str) -> None:
    assert _means(UNDER_TESTS[name][0]) or name in BENDS_NOTHING


@pytest.mark.parametrize("name", HONEST)
def test_honest_programs_have_none(name: str) -> None:
    assert _means(HONEST[name]) == ()


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs_under_tests_have_none(name: str) -> None:
    assert _means(RIGHT[name][0]) == ()


def test_a_sibling_counts_and_an_import_of_it_does_not() -> None:
    program = Program(b"import helper\nhelper.RATE = 2\n", "subject", (("helper", b"import gc\n"),))
    assert means_of_forging(program) == ("line 1 of helper.py imports gc",)


def test_a_sibling_with_the_name_of_a_module_of_python_is_not_what_others_import() -> None:
    program = Program(b"import math\nmath.isclose = None\n", "subject", (("math", b"pi = 3\n"),))
    assert means_of_forging(program) == (
        "line 2 of subject.py changes math.isclose",
        "line 1 of math.py takes the place of a module of Python",
    )


def test_what_cannot_be_read_is_a_means() -> None:
    assert _means("def f(:") == ("line 1 of subject.py cannot be read",)


@pytest.mark.parametrize("name", AT_RUN_TIME)
def test_what_no_text_shows_is_seen_at_run_time(name: str, sandbox: Sandbox) -> None:
    (told,) = _beside(sandbox, AT_RUN_TIME[name])
    assert told.uncarried.startswith("the program could bend its tests: it "), told


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_seen_of_right_programs(name: str, sandbox: Sandbox) -> None:
    source, tests = RIGHT[name]
    for told in _beside(sandbox, source, tests.encode()):
        assert told.outcome in {TestOutcome.PASSED, TestOutcome.SKIPPED}, told
        assert not told.uncarried


ASKED_BY_NAME = """
class Order:
    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        if name == "total":
            return getattr(self, "net", 0) + getattr(self, f"{'t'}ax", 0)
        raise AttributeError(name)

    def forget(self, name):
        delattr(self, name)
        return self
"""


def test_a_program_that_asks_by_name_answers_as_ever(sandbox: Sandbox) -> None:
    tests = b"""
import artifact
from artifact import *

def test_order():
    order = Order(net=3, tax=1)
    assert order.total == 4 and order.forget("tax").total == 3
    assert getattr(order, "missing", None) is None
    assert [name for name in dir(artifact) if not name.startswith("_")] == ["Order"]
"""
    assert [told.outcome for told in _beside(sandbox, ASKED_BY_NAME, tests)] == [TestOutcome.PASSED]
    assert _means(ASKED_BY_NAME) == ()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", [*FORGING, *AT_RUN_TIME])
def test_what_forges_is_verified_by_nothing_from_its_own_process(name: str) -> None:
    source = {**FORGING, **AT_RUN_TIME}[name]
    shared = tolerant(source.encode(), "subject.py", tests=TESTS)
    split = replace(shared, evidence=EvidencePolicy.SPLIT)
    with Service(MemoryStore()) as service:
        verdict = service.verify_program(shared).verdict
        assert verdict.proof_ref is None or service.verify_program(split).verdict.proof_ref, verdict
