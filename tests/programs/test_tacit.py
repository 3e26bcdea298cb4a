"""An order of arguments that words speak of without stating it as a requirement: nothing outside of it refutes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_contract, extract_module
from probatum.programs.judging.tacit import tacit_orders
from probatum.programs.record import FunctionRecord
from probatum.programs.rejudge import require_consistent
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import Question
from probatum.programs.verifier import verify_function
from probatum.sandbox import Sandbox
from tests.programs.reading import source_of

UNIQUE = """def unique(xs: list[int]) -> list[int]:
    '''{document}

    Returns:
        A list without duplicates.
    {example}
    '''
    found = []
    for x in xs:
        if not found or found[-1] != x:
            found.append(x)
    return found
"""
SHOWN = "\n    >>> unique([1, 2, 2, 5])\n    [1, 2, 5]"
MERGED = """def merged(xs: list[int], ys: list[int]) -> list[int]:
    '''Merge two sorted lists.

    Returns:
        A sorted list with the items of both.

    >>> merged([1, 4], [2, 9])
    [1, 2, 4, 9]
    '''
    found = []
    xs, ys = list(xs), list(ys)
    while xs and ys:
        found.append((xs if xs[0] <= ys[0] else ys).pop(0))
    return found + xs + ys
"""
INSERTED = """def inserted(xs: list[int], x: int) -> list[int]:
    '''Insert x into the sorted list xs. The result is sorted.

    >>> inserted([1, 4], 2)
    [1, 2, 4]
    '''
    place = 0
    while place < len(xs) and xs[place] < x:
        place += 1
    return xs[:place] + [x] + xs[place:]
"""
HALF_SORTED = """def ordered(xs: list[int]) -> list[int]:
    '''Return the numbers sorted.{example}
    '''
    return xs[:1] + sorted(xs[1:])
"""


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as first, Sandbox.open(hash_seed=1) as second:
        yield Benches(first, second)


def observe(benches: Benches, source: str) -> tuple[FunctionRecord, Outcome]:
    module = extract_module(source)
    policy = ProgramPolicy(level="standard", generated_inputs=60, mutants=5)
    record = verify_function(Question(source_of(source), module.functions[-1], policy), benches, ignore)
    require_consistent(record)
    return record, decide_function(record, policy).outcome


@pytest.mark.parametrize(
    "document",
    [
        "xs is sorted.",
        "The list xs must be sorted.",
        "xs must already be sorted.",
        "Works on sorted lists only.",
        "Assumes that xs is sorted.",
        "Drop repeated items from a sorted list.",
        "Drop what is repeated.\n\n    Args:\n        xs: Numbers in ascending order.",
    ],
)
@pytest.mark.parametrize("example", ["", SHOWN], ids=["words alone", "with an example"])
def test_an_order_in_words_keeps_other_arguments_from_refuting(benches: Benches, document: str, example: str) -> None:
    record, outcome = observe(benches, UNIQUE.format(document=document, example=example))
    assert outcome is not Outcome.REFUTED, [check.note for check in record.checks]
    assert not any("read as" in each for each in record.unread)


@pytest.mark.parametrize("source", [MERGED, INSERTED], ids=["merge", "insert"])
def test_a_statement_is_checked_on_arguments_in_order(benches: Benches, source: str) -> None:
    record, outcome = observe(benches, source)
    assert outcome is not Outcome.REFUTED, [check.note for check in record.checks]
    assert any(check.kind == "property" for check in record.checks)


@pytest.mark.parametrize("example", ["", "\n\n    >>> ordered([1, 3, 2])\n    [1, 2, 3]"], ids=["none", "unsorted"])
def test_the_order_of_the_result_is_none_of_the_arguments(benches: Benches, example: str) -> None:
    assert observe(benches, HALF_SORTED.format(example=example))[1] is Outcome.REFUTED


def test_words_alone_leave_what_breaks_without_the_order_unchecked(benches: Benches) -> None:
    record, outcome = observe(benches, UNIQUE.format(document="xs is sorted.", example=""))
    assert outcome is Outcome.UNDECIDED
    assert any("no input was found that shows whether it holds" in each for each in record.unread)


def test_a_wrong_program_is_refuted_by_arguments_in_order(benches: Benches) -> None:
    source = UNIQUE.format(document="xs is sorted.", example=SHOWN).replace(
        "found[-1] != x", "len(found) % 5 or x != 2"
    )
    assert observe(benches, source)[1] is Outcome.REFUTED


# documentation, documented arguments, whether an order is presumed
WORDS: tuple[tuple[str, tuple[object, ...], bool], ...] = (
    ("xs is sorted.", ([1, 2],), True),
    ("xs is sorted.", ([2, 1, 3],), False),
    ("Numbers in ascending order.", ([2, 1],), False),
    ("Numbers in descending order.", ([3, 1], [2]), True),
    ("Numbers in descending order.", ([3, 1], [1, 2]), False),
    ("Merge k sorted lists.", ([[5, 6], [1, 9]],), True),
    ("Merge k sorted lists.", ([[5, 6], [9, 1], [0]],), False),
    ("Binary search for x.", ([1, 2],), True),
    ("Return the numbers sorted.", ([1, 2],), False),
    ("Return a sorted list of unique elements.", ([1, 2],), False),
    ("Sort the list in ascending order.", ([1, 2],), False),
    ("Return whether the list is sorted in ascending order.", ([1, 2],), False),
    ("xs need not be sorted.", ([1, 2],), False),
    ("Keep them in the same order.", ([1, 2],), False),
    ("Like sorted(xs), with a twist.", ([1, 2],), False),
    ("xs must be sorted.", ([1, 2],), False),
)


@pytest.mark.parametrize(("document", "given", "is_presumed"), WORDS)
def test_an_order_is_presumed_from_words_that_every_example_bears_out(
    document: str, given: tuple[object, ...], is_presumed: bool
) -> None:
    [function] = extract_module(f'def f(xs: list):\n    """{document}"""\n    return xs\n').functions
    orders = tacit_orders(function, function.parameters, [{"xs": each} for each in given])
    assert bool(orders) is is_presumed
    assert all(order.admits({"xs": each}) for order in orders for each in given)


def test_words_of_a_contract_count_as_well() -> None:
    [function] = extract_module("def f(xs: list):\n    return xs\n").functions
    function = extract_contract("Works on sorted lists only.", function)
    assert [order.parameter for order in tacit_orders(function, function.parameters, [])] == ["xs"]
