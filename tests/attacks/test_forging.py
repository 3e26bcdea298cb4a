"""Programs that could forge the reports of their own process are named with the place; honest ones are not."""

from __future__ import annotations

import pytest

from probatum.programs.running.forging import means_of_forging
from probatum.sandbox import Program
from tests.attacks.forging_programs import FORGING, HONEST
from tests.attacks.right_under_tests import PAIRS as RIGHT
from tests.attacks.wrong_under_tests import FORGING as UNDER_TESTS

# What they bend is the file of tests, or nothing: the tests themselves ask too little, or see the program end.
BENDS_NOTHING = frozenset(
    {
        *("a file without tests", "an empty table", "a test without assertions"),
        *("sys.exit at the first call", "the program decides what is skipped"),
    }
)


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
    assert means_of_forging(program) == ("line 2 of subject.py changes math.isclose",)


def test_what_cannot_be_read_is_a_means() -> None:
    assert _means("def f(:") == ("line 1 of subject.py cannot be read",)
