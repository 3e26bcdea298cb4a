"""What is said of all inputs: each of a small domain was run, or CrossHair confirmed every path of a plain program.

Nothing is ever proved of a program that the solver models otherwise than Python runs it, or that could forge.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from importlib.util import find_spec

import pytest

from probatum.core.decision import Outcome
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import Level, ProgramPolicy
from probatum.programs.established import Established, EstablishedBy
from probatum.programs.inputs.finite import every_call
from probatum.programs.judging.claims import read_stated
from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.judging.whole_domain import WholeDomain, whole_domain
from probatum.programs.loading import read_source
from probatum.programs.proved import with_established
from probatum.programs.record import FunctionRecord
from probatum.programs.rejudge import require_consistent, require_within
from probatum.programs.running.closed_files import why_not_closed, why_not_modelled
from probatum.programs.running.execute import Benches
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import Source
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from probatum.readings.values import Reading, ReadingKind
from probatum.sandbox import Program
from tests.programs.closed_cases import BEYOND_NUMBERS, CLOSED, CONDITIONS, OPEN, TYPES
from tests.programs.readers import accepted, record
from tests.programs.symbolic_cases import NEVER, RIGHT, WRONG
from tests.services import Service

needs_crosshair = pytest.mark.skipif(find_spec("crosshair") is None, reason="crosshair-tool is not installed")
THOROUGH = ProgramPolicy(level=Level.THOROUGH.value, generated_inputs=400)


def searched(source: bytes, benches: Benches) -> WholeDomain:
    found = read_source(Program(source))
    assert isinstance(found, Source)
    function = next(each for each in found.module.functions if each.qualname == "f")
    with Predicates(benches.first, found.program) as predicates:
        stated = read_stated(function, found.module, (), predicates)
        assert stated.properties
        return whole_domain(FunctionQuestion(found, function, THOROUGH), (), stated, ReadingRun(), benches)


@needs_crosshair
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RIGHT)
def test_right_functions_of_whole_numbers_are_confirmed(name: str, benches: Benches):
    found = searched(RIGHT[name], benches)
    assert [each.by for each in found.established] == [EstablishedBy.CROSSHAIR]
    assert not found.calls


@needs_crosshair
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", WRONG)
def test_a_counterexample_is_found_where_hardly_an_input_shows_it(name: str, benches: Benches):
    found = searched(WRONG[name], benches)
    assert len(found.calls) == 1
    assert not found.established


@needs_crosshair
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NEVER)
def test_a_confirmation_counts_for_whole_numbers_and_truth_values_alone(name: str, benches: Benches):
    assert not searched(NEVER[name], benches).established


FINITE = {
    "truth values": ("a: bool, b: bool", 4),
    "literals": ("a: Literal['x', 'y', 3], b: Literal[1, 2]", 6),
    "an optional": ("a: bool | None, b: Optional[Literal[7]]", 6),
    "a union": ("a: Union[bool, None, Literal['x']]", 4),
    "a tuple": ("a: tuple[bool, Literal[1, 2]]", 4),
    "an enumeration": ("a: Colour, b: bool", 6),
    "a default of another type": ("a: bool = None", 3),
    "by name alone": ("a: bool, *, b: bool = False", 4),
    "an alias": ("a: Side", 2),
    "whole numbers": ("a: bool, b: int", 0),
    "a sequence": ("a: list[bool]", 0),
    "no type": ("a: bool, b", 0),
    "any number of them": ("*a: bool", 0),
    "flags": ("a: Right", 0),
    "members that the text does not show": ("a: Hidden", 0),
    "a tuple of any length": ("a: tuple[bool, ...]", 0),
    "a tuple of anything": ("a: tuple, b: bool", 0),
    "too many": ("a: tuple[bool, bool, bool, bool, bool], b: tuple[bool, bool, bool, bool]", 0),
}


@pytest.mark.parametrize(("parameters", "count"), FINITE.values(), ids=FINITE)
def test_every_call_that_the_types_allow(parameters: str, count: int):
    source = read_source(Program(f"{TYPES}\ndef f({parameters}):\n    return 1\n".encode()))
    assert isinstance(source, Source)
    function = next(each for each in source.module.functions if each.qualname == "f")
    calls = every_call(function, source.tree)
    assert len(calls) == len({repr(each) for each in calls}) == count


XOR = b'''def xor(a: bool, b: bool) -> bool:
    """
    >>> xor(True, True)
    False
    >>> xor(True, False)
    True
    >>> xor(False, True)
    True
    >>> xor(False, False)
    False
    """
    return a != b
'''
THREE_SHOWN = XOR.replace(b"    >>> xor(False, False)\n    False\n", b"")
IMPLIES = b'''def implies(a: bool, b: bool) -> bool:
    """
    post: __return__ == ((not a) or b)

    >>> implies(True, False)
    False
    >>> implies(True, True)
    True
    """
    if a:
        return b
    return True
'''
PRICE = b'''from typing import Literal


def price(size: Literal["s", "m", "l"], member: bool, gift: bool) -> int:
    """
    post: (__return__ == 0) == (gift and member)
    post: __return__ in (0, 3, 4, 5)

    >>> price("s", False, False)
    3
    >>> price("m", False, True)
    4
    >>> price("l", True, False)
    5
    """
    if gift and member:
        return 0
    return {"s": 3, "m": 4, "l": 5}[size]
'''
HIDDEN = PRICE.replace(b"    if gift and member:\n", b'    if gift and member and size != "l":\n')
RAISING = IMPLIES.replace(b"    return True\n", b"    raise RuntimeError\n")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("source", "outcome", "constraint"),
    [
        pytest.param(XOR, Outcome.PROVED, "program.proved", id="examples show every input"),
        pytest.param(THREE_SHOWN, Outcome.TESTED, "program.tested", id="one input is not shown"),
        pytest.param(IMPLIES, Outcome.PROVED, "program.proved", id="a condition holds on every input"),
        pytest.param(PRICE, Outcome.PROVED, "program.proved", id="literals"),
        pytest.param(HIDDEN, Outcome.REFUTED, "program.property_broken", id="one input of twelve is wrong"),
        pytest.param(RAISING, Outcome.UNDECIDED, "program.inputs_not_generated", id="one input raises"),
    ],
)
def test_every_input_of_a_small_domain_is_run(service: Service, source: bytes, outcome: Outcome, constraint: str):
    verdict = service.verify_program(ProgramRequest(source, "shop.py")).verdict
    assert (verdict.outcome, verdict.constraint_id) == (outcome.value, constraint), verdict.developer_fields


@pytest.mark.parametrize("name", CLOSED)
def test_a_file_whose_answers_depend_on_arguments_alone(name: str):
    assert why_not_closed(ast.parse(CLOSED[name])) == ""


@pytest.mark.parametrize("name", OPEN)
def test_a_file_whose_answers_could_depend_on_more(name: str):
    assert why_not_closed(ast.parse(OPEN[name])) != ""


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_that_could_hold_in_one_run_alone(name: str):
    tree = ast.parse("def f(a: bool) -> bool:\n    return a\n")
    assert why_not_closed(tree, ["result == a and all(result is True for _ in (1, 2))"]) == ""
    assert why_not_closed(tree, [CONDITIONS[name]]) != ""


@pytest.mark.parametrize("name", BEYOND_NUMBERS)
def test_a_file_that_the_solver_could_model_otherwise(name: str):
    source = read_source(Program(BEYOND_NUMBERS[name].encode()))
    assert isinstance(source, Source)
    function = next(each for each in source.module.functions if each.qualname == "f")
    assert why_not_modelled(source.tree, function, ["result >= 0"]) != ""
    assert why_not_modelled(ast.parse("def f(x: int) -> int:\n    return x\n"), function, ["result == 'x'"]) != ""


@needs_crosshair
def test_a_proof_by_search_is_checked_and_replayed():
    store = MemoryStore()
    with Service(store) as service:
        verdict = service.verify_program(ProgramRequest(RIGHT["quarter"], "shop.py", level=Level.THOROUGH)).verdict
        assert (verdict.outcome, verdict.constraint_id) == ("proved", "program.proved"), verdict
        assert verdict.proof_ref is not None
        content = store.fetch(verdict.proof_ref)
        report = recheck(verdict.proof_ref, store, service.recheckers(), replay=True)
        assert report.holds, report
        assert b'"package crosshair-tool"' in content
        assert b"inputs that were not run" not in content
        assert b'"established":[{"by":"crosshair","clauses":["p1","p2"],"inputs":0}]' in content


ROOT = b'''def steps(n: int) -> int:
    """Return how many steps of three are needed.

    Raises:
        ValueError: If n is negative.

    >>> steps(0)
    0
    >>> steps(4)
    2
    >>> steps(6)
    2
    """
    if n < 0:
        raise ValueError("n")
    return (n + 2) // 3
'''
NEEDED = Reading("Return how many steps of three are needed.", ReadingKind.RESULT, "0 <= 3 * result - n < 3")
GUARD = Reading("If n is negative.", ReadingKind.RAISES, "n < 0", "ValueError")
INPUTS = ("(5,)", "(-1,)", "(90,)", "(-7,)", "(3,)")


@needs_crosshair
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("source", "readings", "constraint"),
    [
        pytest.param(ROOT, accepted(NEEDED, GUARD), "program.proved_by_author", id="all that it says is read"),
        pytest.param(ROOT, (NEEDED, GUARD), "program.tested_unaccepted", id="nobody accepted it"),
        pytest.param(
            ROOT.replace(b"Return how many steps of three are needed.\n\n    R", b"R").replace(
                b"(n + 2) // 3", b"(n + 2) // 3 - n // 77777"
            ),
            accepted(GUARD),
            "program.tested_by_author",
            id="no clause speaks of a result",
        ),
        pytest.param(
            ROOT.replace(b"(n + 2) // 3", b"-(-n // 3) if n != 4433221 else n"),
            accepted(NEEDED, GUARD),
            "program.clause_undecided",
            id="a generated call breaks a reading",
        ),
    ],
)
def test_readings_are_searched(service: Service, source: bytes, readings: tuple[Reading, ...], constraint: str):
    policy = "accepted" if readings[0].by else "proposed"
    told = record(*readings, function="steps", inputs=INPUTS)
    request = ProgramRequest(source, "shop.py", level=Level.THOROUGH, readings=(told,), readings_policy=policy)
    verdict = service.verify_program(request).verdict
    assert verdict.constraint_id == constraint, verdict.developer_fields


@pytest.mark.parametrize(
    ("error", "check", "outcome"),
    [
        pytest.param("ValueError", "if not x:\n        raise ValueError(a)", "proved", id="raised"),
        pytest.param("AssertionError", "assert x", "undecided", id="not raised where Python leaves assertions out"),
    ],
)
def test_an_assertion_is_no_certain_exception(service: Service, error: str, check: str, outcome: str):
    head = f"Raises:\n        {error}: If a.\n\n    >>> shut(False)\n    False\n    "
    source = f'def shut(a: bool) -> bool:\n    """\n    {head}"""\n    x = not a\n    {check}\n    return a\n'
    due = accepted(Reading("If a.", ReadingKind.RAISES, "a", error))
    told = record(*due, function="shut", inputs=("(True,)", "(False,)"))
    verdict = service.verify_program(ProgramRequest(source.encode(), "shop.py", readings=(told,))).verdict
    assert verdict.outcome == outcome, verdict.developer_fields


@pytest.mark.parametrize(
    ("helper", "constraint"),
    [
        pytest.param("def first():\n    return 'x'\n", "program.proved_by_author", id="always the same"),
        pytest.param("def first():\n    return list({'x', 'y'})[0]\n", "program.inputs_not_generated", id="by hashes"),
    ],
)
def test_a_clause_with_a_helper_that_depends_on_more_is_not_established(service: Service, helper: str, constraint: str):
    document = '"""Return the price.\n\n    >>> cost("s", True)\n    2\n    """'
    body = 'if member:\n        return 2 if size == "s" else 3\n    return 3 if size == "s" else 4'
    head = 'from typing import Literal\ndef cost(size: Literal["s", "m"], member: bool) -> int:'
    clause = "result == (3 if size == 's' else 4) - member and first() in ('x', 'y')"
    read = accepted(Reading("Return the price.", ReadingKind.RESULT, clause))
    told = record(*read, function="cost", inputs=("('s', False)", "('m', True)"), helpers=helper)
    source = f"{head}\n    {document}\n    {body}\n".encode()
    verdict = service.verify_program(ProgramRequest(source, "shop.py", readings=(told,))).verdict
    assert verdict.constraint_id == constraint, verdict.developer_fields


@needs_crosshair
def test_a_counterexample_of_the_search_is_run_again_and_refutes(service: Service):
    verdict = service.verify_program(ProgramRequest(WRONG["one number"], "shop.py", level=Level.THOROUGH)).verdict
    assert (verdict.outcome, verdict.constraint_id) == ("refuted", "program.property_broken")


def test_without_crosshair_nothing_changes(service: Service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("probatum.programs.judging.whole_domain.has_crosshair", lambda _: False)
    verdict = service.verify_program(ProgramRequest(RIGHT["quarter"], "shop.py", level=Level.THOROUGH)).verdict
    assert (verdict.outcome, verdict.constraint_id) == ("tested", "program.tested")


def test_what_no_check_asks_about_is_not_established():
    found = (Established(EstablishedBy.CROSSHAIR, ("p1",)),)
    bare = FunctionRecord("f", 1)
    assert with_established(bare, found).established == ()
    with pytest.raises(ValueError, match="no check asks about"):
        require_consistent(replace(bare, established=found))


def test_a_record_of_a_level_without_search_holds_none():
    searching = replace(FunctionRecord("f", 1), established=(Established(EstablishedBy.CROSSHAIR, ("p1",)),))
    require_within(searching, THOROUGH)
    with pytest.raises(ValueError, match="symbolic search"):
        require_within(searching, ProgramPolicy())
