"""Arguments that are written as expressions: how calls with them run, shrink, and are held against what is stated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.core.events import ignore
from probatum.core.limits import JobLimits
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.extract import extract_module
from probatum.programs.inputs.source_shapes import settled, written
from probatum.programs.record import CheckState, FunctionRecord
from probatum.programs.rejudge import require_consistent
from probatum.programs.running.checks import Action, ClerkExpression, DirectCall, Statements, plan_checks
from probatum.programs.running.execute import Benches, run_actions
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import changed_argument
from probatum.programs.running.shown_calls import framed_calls, shown_calls
from probatum.programs.specification import Property, Span
from probatum.programs.verifier import verify_function
from probatum.sandbox import Program, Raised, Returned, SourceArgument
from tests.programs.parsing import source_of

SOURCE = """
import asyncio
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int = 0

    def __post_init__(self):
        if self.x > 1000:
            raise OverflowError("far")


def total(points: list[Point], scale: int) -> int:
    return sum(abs(point.x) for point in points) * scale


async def later(values):
    for value in values:
        yield value


async def double(x):
    return 2 * x


def adder(n):
    return lambda x: x + n


def grow(items, point):
    items.append(point.x)
    return point
"""
LIMITS = JobLimits(cpu_seconds=3, wall_seconds=10.0)


def planned_action(expression: str, expected: str, *before: str) -> Action:
    lines = "".join(f"    >>> {step}\n" for step in (*before, expression))
    stub = f'{SOURCE}\ndef last():\n    """Last.\n\n{lines}    {expected}\n    """\n'
    module = extract_module(stub)
    return plan_checks(module.functions[-1], module)[-1].action


PLANS: dict[str, tuple[str, str, Action]] = {
    "awaited": ("await double(3)", "6", DirectCall("double", (3,))),
    "run": ("asyncio.run(double(3))", "6", DirectCall("double", (3,))),
    "drained": ("[n async for n in later([1])]", "[1]", DirectCall("later", ([1],))),
    "drained with a change": (
        "[n + 1 async for n in later([1])]",
        "[2]",
        Statements((), "[n + 1 async for n in later([1])]"),
    ),
    "awaited inside": ("round(await double(3))", "6", ClerkExpression("round(double(3))", ("double",))),
    "closure": ("adder(2)(3)", "5", ClerkExpression("adder(2)(3)", ("adder",))),
    "object": ("total([Point(1)], 2)", "2", DirectCall("total", (SourceArgument("[Point(1)]"), 2))),
}


@pytest.mark.parametrize("case", PLANS)
def test_example_is_planned(case: str) -> None:
    expression, expected, action = PLANS[case]
    assert planned_action(expression, expected) == action


ANSWERS: dict[str, tuple[Action, object]] = {
    "async generator": (DirectCall("later", ([1, 2],)), [1, 2]),
    "await at the top": (Statements((), "await double(4)"), 8),
    "async comprehension": (Statements(("n = 5",), "[n + k async for k in later([1, 2])]"), [6, 7]),
    "objects in a list": (DirectCall("total", (SourceArgument("[Point(1), Point(-2)]"), 3)), 9),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_action_gives_its_value(case: str, benches: Benches) -> None:
    action, value = ANSWERS[case]
    [reply] = run_actions(benches.first, Program(SOURCE.encode()), [action], LIMITS)
    assert isinstance(reply, Returned)
    assert reply.value == value


def test_what_making_an_argument_raises_is_what_the_call_raises(benches: Benches) -> None:
    actions = [DirectCall("total", (SourceArgument(f"[Point({x})]"), 2)) for x in (5000, 1, 2000)]
    replies = run_actions(benches.first, Program(SOURCE.encode()), actions, LIMITS)
    assert [reply.type_name if isinstance(reply, Raised) else reply.value for reply in replies if reply] == [
        "OverflowError",
        2,
        "OverflowError",
    ]


def test_changed_arguments_are_seen_beside_written_ones(benches: Benches) -> None:
    call = DirectCall("grow", ([1], SourceArgument("Point(3)")))
    [reply] = run_actions(benches.first, Program(SOURCE.encode()), [call], LIMITS)
    assert isinstance(reply, Returned)
    assert changed_argument(call, reply)
    assert not isinstance(reply.value, SourceArgument), "a result travels by value also where it is an argument"


def test_statements_that_wait_print(benches: Benches) -> None:
    prompt = ">>> async for n in later([1, 2]):\n    ...     print(n)\n    1\n    2\n"
    source = f'{SOURCE}\ndef last():\n    """Last.\n\n    {prompt}    """\n'
    module = extract_module(source)
    [check] = plan_checks(module.functions[-1], module)
    [reply] = run_actions(benches.first, Program(source.encode()), [check.action], LIMITS)
    assert isinstance(reply, Returned)
    assert reply.output == "1\n2\n"


WRITTEN: dict[str, tuple[object, str]] = {
    "list": ([SourceArgument("A.B"), 1], "[A.B, 1]"),
    "tuple of one": ((SourceArgument("A.B"),), "(A.B,)"),
    "dictionary": ({"k": SourceArgument("A()")}, "{'k': A()}"),
    "set": ({2, 1}, "set([1, 2])"),
    "infinity": ([float("inf"), SourceArgument("A.B")], "[float('inf'), A.B]"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_value_is_written_as_one_expression(case: str) -> None:
    value, text = WRITTEN[case]
    assert written(value) == text
    assert settled([1, {"a": (2,)}]) == [1, {"a": (2,)}]


def documented(*lines: str) -> str:
    shown = "".join(f"    {line}\n" for line in lines)
    return f'def make(n, step=1):\n    """Make.\n\n{shown}    """\n    return lambda x: x + n * step\n'


def test_calls_are_found_wherever_they_stand() -> None:
    module = extract_module(
        documented(
            ">>> make(2)(3)", "5", ">>> f = make(4, step=2)", ">>> f(1)", "9", ">>> n = 3", ">>> make(n)(1)", "4"
        )
    )
    shown = shown_calls("make", plan_checks(module.functions[0], module), module.defined)
    assert {DirectCall("make", (2,)), DirectCall("make", (4,), (("step", 2),))} == set(shown.calls)
    assert shown.used_as_objects


def test_calls_are_put_where_examples_make_them() -> None:
    module = extract_module(documented(">>> make(2)(3)", "5", ">>> f = make(4)", ">>> f(1)", "5"))
    planned = plan_checks(module.functions[0], module)
    framed = framed_calls(planned, [DirectCall("make", (7,)), DirectCall("make", (8,), (("step", 0),))])
    assert framed == (
        ClerkExpression("make(7)(3)", ("make",)),
        Statements(("f = make(8, step=0)",), "f(1)"),
    )


def observe(benches: Benches, source: str, stated: str) -> tuple[FunctionRecord, Outcome]:
    module = extract_module(source)
    clause = Property("p1", stated, stated, Span(1, 0, 1, 1))
    function = replace(next(each for each in module.functions if each.qualname == "total"), properties=(clause,))
    policy = ProgramPolicy(generated_inputs=40, mutants=10)
    record = verify_function(FunctionQuestion(source_of(source), function, policy), benches, ignore)
    require_consistent(record)
    return record, decide_function(record, policy).outcome


STATED: dict[str, tuple[str, bool]] = {
    "broken": ("result >= 0", True),
    "kept": ("result % scale == 0 if scale else result == 0", False),
    "about an object": ("result >= len(points)", False),
}


@pytest.mark.parametrize("case", STATED)
def test_stated_property_is_held_against_calls_with_objects(case: str, benches: Benches) -> None:
    stated, is_broken = STATED[case]
    record, outcome = observe(benches, SOURCE, stated)
    assert (outcome is Outcome.REFUTED) is is_broken
    broken = [check.reproduction for check in record.checks if check.state is CheckState.FAILS]
    assert bool(broken) is is_broken
    assert all("Point(x=" in each for each in broken)
