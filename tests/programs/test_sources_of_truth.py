"""Where expected behaviour may come from besides the docstring: a contract, given tests, an earlier version."""

from __future__ import annotations

import pytest

from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from tests.services import Level, ProgramRequest, Service

RIGHT = b'''
def newest_first(items):
    """ """
    return sorted(items, reverse=True)
'''
WRONG = RIGHT.replace(b", reverse=True", b"")
EXAMPLES = b"""    >>> newest_first([1, 3, 2])
    [3, 2, 1]
    >>> newest_first([5, 8])
    [8, 5]
    >>> newest_first([])
    []
"""
DOCUMENTED = RIGHT.replace(b'""" """', b'"""\n%s    """' % EXAMPLES)

CONTRACT = "newest_first([1, 3, 2]) == [3, 2, 1]\nnewest_first([5, 8]) == [8, 5]\nnewest_first([]) == []\n"
TESTS = b"""
import pytest
from artifact import newest_first

@pytest.mark.parametrize(("given", "wanted"), [([1, 2], [2, 1]), ([], []), ([3, 1, 2], [3, 2, 1])])
def test_order(given, wanted):
    assert newest_first(given) == wanted

def test_numbers_are_no_list():
    with pytest.raises(TypeError):
        newest_first(3)
"""
SKIPPING = b"""
import pytest
import artifact

def test_order():
    pytest.skip("not today")
"""
FORGING = b"""
import artifact

def test_nothing():
    pass
"""

# name: source, further parts of the request, outcome, constraint
CASES = {
    "contract holds": (RIGHT, {"contract": CONTRACT}, "tested", "program.tested"),
    "contract is broken": (WRONG, {"contract": CONTRACT}, "refuted", "program.counterexample"),
    "contract without an example": (RIGHT, {"contract": "It sorts."}, "undecided", "program.contract_gives_nothing"),
    "given tests pass": (RIGHT, {"tests": TESTS}, "tested", "program.tested"),
    "given tests fail": (WRONG, {"tests": TESTS}, "refuted", "program.counterexample"),
    "a skipped test is no pass": (RIGHT, {"tests": SKIPPING}, "undecided", "program.clause_undecided"),
    "a file without tests is no pass": (RIGHT, {"tests": b"x = 1\n"}, "undecided", "program.clause_undecided"),
    "a test that does not parse is no pass": (
        RIGHT,
        {"tests": b"def test_(:\n"},
        "undecided",
        "program.clause_undecided",
    ),
    "same behaviour as before": (DOCUMENTED, {"against": RIGHT}, "tested", "program.tested"),
    "same behaviour as it has to be": (
        DOCUMENTED,
        {"against": RIGHT, "refactor": True},
        "tested",
        "program.tested_as_before",
    ),
    "no steady value before": (
        DOCUMENTED,
        {"against": RIGHT.replace(b"return ", b"return object() if hash('b') % 2 else ")},
        "undecided",
        "program.contract_gives_nothing",
    ),
    "other behaviour than before": (DOCUMENTED, {"against": WRONG}, "tested", "program.tested"),
    "other behaviour than it has to be": (
        DOCUMENTED,
        {"against": WRONG, "refactor": True},
        "refuted",
        "program.behaviour_changed",
    ),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_outcome(name: str, service: Service) -> None:
    source, parts, outcome, constraint = CASES[name]
    answer = service.verify_program(ProgramRequest(source, "subject.py", **parts))  # type: ignore[arg-type]  # a table
    assert (answer.verdict.outcome, answer.verdict.constraint_id) == (outcome, constraint), answer.sheet


def test_a_test_without_assertions_earns_nothing(service: Service) -> None:
    answer = service.verify_program(ProgramRequest(RIGHT, "subject.py", tests=FORGING))
    assert answer.verdict.outcome == "undecided"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case[2] == "tested"])
def test_every_verified_verdict_rechecks_and_replays(name: str) -> None:
    source, parts, _, _ = CASES[name]
    store = MemoryStore()
    with Service(store) as service:
        answer = service.verify_program(ProgramRequest(source, "subject.py", **parts))  # type: ignore[arg-type]  # a table
        assert answer.verdict.proof_ref is not None
        report = recheck(answer.verdict.proof_ref, store, service.recheckers(), replay=True)
    assert report.holds, [step for step in report.steps if not step.holds]


def test_same_input_gives_the_same_artifact_bytes() -> None:
    stores = MemoryStore(), MemoryStore()
    request = ProgramRequest(DOCUMENTED, "subject.py", contract=CONTRACT)
    references = []
    for store in stores:
        with Service(store) as service:
            references.append(service.verify_program(request).verdict.proof_ref)
    assert references[0] == references[1] is not None
    assert stores[0].fetch(references[0]) == stores[1].fetch(references[0])


@pytest.mark.parametrize("name", ["code.py", "ast.py", "json.py", "statistics.py"])
def test_a_program_with_the_name_of_a_standard_module_is_held_to_given_tests(name: str, service: Service) -> None:
    """What runs the tests is made of those modules: it keeps the real ones."""
    source = b"def doubled(number: int) -> int:\n    return number + number\n"
    for due, outcome in ((14, "passed"), (15, "failed")):
        tests = f"def test_it():\n    from artifact import doubled\n    assert doubled(7) == {due}\n".encode()
        answer = service.verify_program(ProgramRequest(source, name, tests=tests, level=Level.QUICK))
        assert (answer.verdict.outcome == "refuted") == (outcome == "failed"), answer.verdict
        assert answer.verdict.constraint_id != "program.no_specification"
