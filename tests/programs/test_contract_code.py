"""Contracts in Python that define functions beside the one that is judged: what they lend to its equations."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.examples.contract_code import definitions_of
from probatum.programs.extract import extract_module
from probatum.programs.record import CheckState, FunctionRecord
from probatum.programs.rejudge import require_consistent
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.units import units_of
from probatum.programs.verifier import verify_function
from tests.programs.parsing import source_of

CONTRACT = '''
from operator import xor

KEY = 1


def exchanged(letter: str) -> str:
    return chr(xor(ord(letter), KEY))


def mask(text: str) -> str:
    """Exchange every letter with its neighbour, and turn the text around."""
    return "".join(exchanged(each) for each in reversed(text))


def unmask(text: str) -> str:
    """Undo mask.

    post: mask(__return__) == text
    """
'''
HELPERS = CONTRACT[: CONTRACT.index("def unmask")]
UNMASK = "def unmask(text: str) -> str:\n    return ''.join(chr(ord(each) ^ 1) for each in {})\n"
RIGHT = UNMASK.format("reversed(text)")
WRONG = UNMASK.format("text")


def observed(benches: Benches, source: str, contract: str, name: str = "unmask") -> tuple[FunctionRecord, Outcome]:
    module = extract_module(source)
    [function] = units_of(module, name, contract)
    policy = ProgramPolicy(generated_inputs=60, mutants=20, allow_unchecked=True)
    question = FunctionQuestion(source_of(source), function, policy)
    record = verify_function(question, benches, ignore)
    require_consistent(record)
    return record, decide_function(record, policy).outcome


def failing(record: FunctionRecord) -> list[str]:
    return [each.reproduction for each in record.checks if each.state is CheckState.FAILS]


def test_a_program_that_keeps_what_the_contract_defines_is_held_against_it(benches: Benches) -> None:
    record, outcome = observed(benches, HELPERS + RIGHT, CONTRACT)
    assert outcome is Outcome.TESTED
    assert {each.state for each in record.checks if each.kind == "property"} == {CheckState.HOLDS}


def test_a_function_that_is_no_inverse_of_it_is_refuted(benches: Benches) -> None:
    record, outcome = observed(benches, HELPERS + WRONG, CONTRACT)
    assert outcome is Outcome.REFUTED
    assert failing(record)[0].startswith("unmask('")


def test_the_contract_says_what_its_function_does_whatever_the_program_makes_of_it(benches: Benches) -> None:
    changed = HELPERS.replace("reversed(text)", "text")
    record, outcome = observed(benches, changed + WRONG, CONTRACT)
    assert outcome is Outcome.REFUTED
    assert failing(record)[0].startswith("unmask('")


def test_a_program_without_what_the_equation_speaks_of_is_left_open(benches: Benches) -> None:
    """The helper may be there where the program is used: that it is lacking refutes nothing and passes nothing."""
    record, outcome = observed(benches, RIGHT, CONTRACT)
    assert outcome is Outcome.UNDECIDED
    [check] = [each for each in record.checks if each.state is CheckState.DOUBTFUL]
    assert check.text == "def mask(text)"


def test_a_wrong_program_without_it_is_refuted_by_the_contracts_own(benches: Benches) -> None:
    record, outcome = observed(benches, WRONG, CONTRACT)
    assert outcome is Outcome.REFUTED
    assert failing(record)[0].startswith("unmask('")


NOT_LACKING: Mapping[str, tuple[str, str]] = {
    "it is bound by an import": ("from operator import neg as mask\n" + RIGHT, CONTRACT),
    "it is bound when the file runs": ("globals()['mask'] = len\n" + RIGHT, CONTRACT),
    "no word speaks of it": (RIGHT, CONTRACT.replace("mask.\n\n    post: mask(__return__) == text\n", "a disguise.\n")),
    "the contract only declares it": (RIGHT, CONTRACT.replace(CONTRACT[CONTRACT.index('    return "".join'):
                                                                       CONTRACT.index("\n\n\ndef unmask")], "    ...")),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_LACKING)
def test_what_is_there_or_not_spoken_of_is_not_missed(benches: Benches, name: str) -> None:
    source, contract = NOT_LACKING[name]
    record, _ = observed(benches, source, contract)
    assert "def mask(text)" not in [each.text for each in record.checks if each.state is not CheckState.HOLDS]


DEFINED: Mapping[str, tuple[str, tuple[str, ...] | None]] = {
    "functions, their imports and constants": (CONTRACT, ("exchanged", "mask")),
    "the last body is still to be written": (
        CONTRACT.replace('letters."""\n', 'letters."""\n    # here'),
        ("exchanged", "mask"),
    ),
    "stubs alone": ("def g(x):\n    ...\n\ndef unmask(text):\n    pass\n", None),
    "not implemented": ("def g(x):\n    raise NotImplementedError\n\ndef unmask(text):\n    pass\n", None),
    "not implemented, with words": (
        "def g(x):\n    raise NotImplementedError('later')\n\ndef unmask(t):\n    pass\n",
        None,
    ),
    "the function alone": ("def unmask(text):\n    return text\n", None),
    "a coroutine": ("async def g(x):\n    return x\n\ndef unmask(text):\n    pass\n", None),
    "a built-in name": ("def len(x):\n    return 3\n\ndef unmask(text):\n    pass\n", None),
    "no Python": ("unmask undoes mask.", None),
    "of unusual length": (CONTRACT + "# " + "long " * 5000, None),
}


@pytest.mark.parametrize("name", DEFINED)
def test_what_a_contract_defines(name: str) -> None:
    contract, names = DEFINED[name]
    found = definitions_of(contract, "unmask")
    assert (found.names if found is not None else None) == names
    assert found is None or "unmask" not in found.source
