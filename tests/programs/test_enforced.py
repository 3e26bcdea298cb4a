"""Conditions on the result that a program enforces itself: what breaks one refutes, other AssertionErrors do not."""

from __future__ import annotations

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_module
from probatum.programs.judging.enforced import without_enforcement
from probatum.programs.record import CheckState, FunctionRecord
from probatum.programs.rejudge import require_consistent
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.verifier import verify_function
from tests.programs.parsing import source_of

POLICY = ProgramPolicy(generated_inputs=40, mutants=4)
DEAL = b"""
class PostContractError(AssertionError):
    pass

class PreContractError(AssertionError):
    pass

def pre(condition):
    def decorate(function):
        def checked(*args):
            if not condition(*args):
                raise PreContractError
            return function(*args)
        return checked
    return decorate

def post(condition):
    def decorate(function):
        def checked(*args):
            result = function(*args)
            if not condition(result):
                raise PostContractError
            return result
        return checked
    return decorate
"""


def observe(benches: Benches, source: str) -> tuple[FunctionRecord, Outcome]:
    module = extract_module(source)
    record = verify_function(
        FunctionQuestion(source_of(source, (("deal", DEAL),)), module.functions[-1], POLICY), benches, ignore
    )
    require_consistent(record)
    return record, decide_function(record, POLICY).outcome


EXAMPLE = '''"""Halve.

    >>> halve(4)
    2
    """'''
ASSERTED = f"""
def halve(number: int) -> int:
    {EXAMPLE}
    assert number >= 0
    half = int(number / 2 + 0.5)
    assert 2 * half <= number
    return half
"""
DECORATED = f"""
import deal

@deal.pre(lambda number: number >= 0)
@deal.post(lambda half: half < 3)
def halve(number: int) -> int:
    {EXAMPLE}
    return number // 2
"""


@pytest.mark.parametrize(("source", "clause"), [(ASSERTED, "2 * half <= number"), (DECORATED, "half < 3")])
def test_a_call_that_breaks_what_the_program_enforces_refutes(benches: Benches, source: str, clause: str) -> None:
    record, outcome = observe(benches, source)
    [failing] = [check for check in record.checks if check.state is CheckState.FAILS]
    assert outcome is Outcome.REFUTED
    assert failing.kind == "property"
    assert clause in failing.text
    assert "enforces itself" in failing.note
    assert failing.reproduction.count("halve(") == 1


NO_FAULT = {
    "it holds": ASSERTED.replace("int(number / 2 + 0.5)", "number // 2"),
    "only illegal calls break it": ASSERTED.replace("number >= 0", "number >= 0 and number % 2 == 0"),
    "no requirement in code": ASSERTED.replace("    assert number >= 0\n", ""),
    "another assertion in the middle": ASSERTED.replace("int(number / 2 + 0.5)", "number // 2").replace(
        "    half =", "    digits = str(number)\n    assert number < 7, digits\n    half ="
    ),
    "a requirement that was misread": ASSERTED.replace("Halve.", "Halve.\n\n    Requires:\n        number > 100"),
    "the document mentions it": ASSERTED.replace("Halve.", "Halve. Raises AssertionError for some numbers."),
    "the document mentions it in other words": ASSERTED.replace("Halve.", "If it is odd, an AssertionError is raised."),
    "a requirement that cannot be read": DECORATED.replace(
        "@deal.post", "is_small = lambda number: number < 6\n\n@deal.pre(is_small)\n@deal.post"
    ).replace("@deal.pre(lambda number: number >= 0)\n", ""),
}


@pytest.mark.parametrize("name", NO_FAULT)
def test_other_assertion_errors_do_not_refute(benches: Benches, name: str) -> None:
    record, outcome = observe(benches, NO_FAULT[name])
    assert outcome is not Outcome.REFUTED
    assert not [check for check in record.checks if check.state is CheckState.FAILS]


def test_the_copy_without_enforcement_only_lacks_that() -> None:
    [function] = [each for each in extract_module(DECORATED).functions if each.properties]
    bare = without_enforcement(source_of(DECORATED), [function.properties[0].span])
    assert bare is not None
    assert b"post" not in bare.source
    assert b"@deal.pre(lambda number: number >= 0)" in bare.source
    nowhere = extract_module(ASSERTED).functions[0].span
    assert without_enforcement(source_of(DECORATED), [nowhere]) is None


def test_an_assertion_that_is_documented_as_an_exception_refutes_nobody(benches: Benches) -> None:
    source = (
        'def root(n: int) -> int:\n    """Return the square root of a square number.\n\n'
        "    Raises:\n        Exception: if n is not a square number.\n\n    >>> root(9)\n    3\n"
        "    >>> root(0)\n    0\n    >>> root(16)\n    4\n"
        '    """\n    assert n >= 0\n    r = round(n ** 0.5)\n    assert r * r == n\n    return r\n'
    )
    assert observe(benches, source)[1] is not Outcome.REFUTED
