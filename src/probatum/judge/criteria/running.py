"""Criteria about what the code of an output does, decided by running it in the sandbox.

The code is judged by its answers alone, which are compared out here. Refuses code that looks at more than its
arguments, a call that does not write its answer, and tests that catch what they assert.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from typing import Final

from probatum.exact.code.facts import imported_modules
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, PythonRunner, RunEnd, RunReply, ruled, unknown
from probatum.judge.layers import Basis
from probatum.judge.outputs import OutputView
from probatum.programs.source import UNPARSABLE, module_or_none
from probatum.readers.vocabulary import words_of

_SURROUNDINGS: Final = words_of(
    "os sys platform socket pathlib subprocess time datetime random secrets uuid inspect gc threading tempfile ctypes "
    "signal resource getpass locale asyncio multiprocessing"
)
_CATCHING: Final = frozenset({"suppress", "AssertionError"})
_OF_TESTS: Final = frozenset({"pytest", "hypothesis", "numpy", "__future__"})
_RAISES: Final = re.compile(r"(?P<call>.+\))\s+raises\s+(?P<error>[A-Za-z_]\w{0,60})", re.DOTALL)
_NO_PROGRAM: Final = "the output holds no Python program, or more than one"
_NO_SANDBOX: Final = "there is no sandbox to run the code in"


def run_ruling(rest: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    """Return whether the program of the output runs to its end: ``runs: python``."""
    if rest != "python" or not view.program or tools.runner is None:
        return unknown("write: runs: python" if rest != "python" else _NO_SANDBOX if view.program else _NO_PROGRAM)
    reply, again = (tools.runner.loaded(view.program) for _ in range(2))
    if reply.end is RunEnd.LOST or reply.end is not again.end or "ImportError" in reply.names:
        return unknown(f"the program could not be run: {reply.detail or again.detail}"[:300])
    holds = reply.end in (RunEnd.RETURNED, RunEnd.LEFT)
    return ruled(holds, Basis.EXECUTED, "the program runs to its end" if holds else f"it raises {reply.detail}")


def call_ruling(rest: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    """Return whether a call gives, or raises, what the criterion writes: ``call: f(3) == 5``."""
    if not view.program or tools.runner is None:
        return unknown(_NO_SANDBOX if view.program else _NO_PROGRAM)
    raises = _RAISES.fullmatch(rest)
    try:
        tree = ast.parse(raises["call"] if raises else rest, mode="eval").body
        call, wanted = (tree, None) if raises else _sides(tree)
        name, given = _called(call)
    except (*UNPARSABLE, TypeError):
        return unknown("a call is written with literals: f(3) == 5, or f(-1) raises ValueError")
    module = module_or_none(view.program)
    outside = sorted(_SURROUNDINGS.intersection(imported_modules(module))) if module else []
    if outside:
        return unknown(f"the code can look at more than its arguments: it imports {outside[0]}")
    # Twice in one process, and once in another: what is kept between calls must make no difference.
    one, *others = (
        *_ran(tools.runner, view.program, name, [given, given]),
        *_ran(tools.runner, view.program, name, [given]),
    )
    if one.end is RunEnd.LOST or any(each != one for each in others) or "ImportError" in one.names:
        return unknown(f"the call gives nothing, or another answer each time: {_observed(name, given, one)}")
    if raises:
        return ruled(raises["error"] in one.names, Basis.EXECUTED, _observed(name, given, one))
    holds = one.end is RunEnd.RETURNED and type(one.value) is type(wanted) and one.value == wanted
    if not holds and one.end is RunEnd.RETURNED and one.value == wanted:
        return unknown(f"the answer equals the value, with another type: {_observed(name, given, one)}")
    return ruled(holds, Basis.EXECUTED, _observed(name, given, one))


def tests_ruling(rest: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    """Return whether the tests of the output pass against its program: ``tests: pass``."""
    if rest != "pass" or not view.program or tools.runner is None:
        return unknown("write: tests: pass" if rest != "pass" else _NO_SANDBOX if view.program else _NO_PROGRAM)
    source = view.tests or view.program
    tree = module_or_none(source)
    tests = [] if tree is None else [node for node in ast.walk(tree) if _is_test(node)]
    if tree is None or not tests:
        if view.mentions_tests:
            return unknown("the text under 'tests' is not a file of Python tests")
        return ruled(False, Basis.STRUCTURE, "the output has no test: no function is called test…")
    modules = imported_modules(tree) if view.tests else []
    own = sorted(each for each in modules if each.split(".")[0] not in sys.stdlib_module_names | _OF_TESTS | {""})
    replies = tools.runner.tested(view.program, source, own)
    failed = [name for name, end in replies.items() if end.startswith("failed")]
    if failed:
        return ruled(False, Basis.EXECUTED, f"{failed[0][:80]}: {replies[failed[0]][:150]}", tests=len(replies))
    if len(replies) < len(tests) or set(replies.values()) != {"passed"}:
        return unknown("some tests could not be run")
    if any(map(_catches, tests)) or not all(map(_asserts, tests)):
        # A test that catches what it asserts, or asserts nothing, passes whatever the code does.
        return unknown("a test asserts nothing, or catches what it asserts")
    return ruled(True, Basis.EXECUTED, f"{len(replies)} tests pass", tests=len(replies))


def program_ruling(rest: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    """Return whether the program of the output is VERIFIED by its documentation: ``program: verified``."""
    if rest != "verified" or not view.program or tools.programs is None:
        missing = "there is nothing to verify programs with" if view.program else _NO_PROGRAM
        return unknown("write: program: verified" if rest != "verified" else missing)
    return tools.programs.judged(view.program)


def _sides(tree: ast.expr) -> tuple[ast.expr, object]:
    """Return the call and the value of ``f(3) == 5``; raises ValueError for anything else."""
    match tree:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return left, ast.literal_eval(right)
    raise ValueError("no comparison of a call with a value")


def _called(tree: ast.expr) -> tuple[str, tuple[object, ...]]:
    match tree:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return name, tuple(map(ast.literal_eval, args))
    raise ValueError("no call of a function with literals")


def _ran(
    runner: PythonRunner, program: str, function: str, calls: Sequence[tuple[object, ...]]
) -> tuple[RunReply, ...]:
    replies = runner.called(program, function, calls)
    return replies if len(replies) == len(calls) else (RunReply(RunEnd.LOST),) * len(calls)


def _observed(function: str, given: tuple[object, ...], reply: RunReply) -> str:
    try:
        value = repr(reply.value) if reply.end is RunEnd.RETURNED else (reply.names or (reply.detail,))[0]
    except (ValueError, RecursionError):
        value = "what cannot be written"
    return f"{function}({', '.join(repr(each)[:60] for each in given)}) gave {value[:120]}"


def _is_test(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")


def _catches(test: ast.AST) -> bool:
    nodes = list(ast.walk(test))
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    return bool(names & _CATCHING) or any(isinstance(each, ast.Try | ast.TryStar) for each in nodes)


def _asserts(test: ast.AST) -> bool:
    """Return whether a test asserts something that is not a literal, or calls an assertion."""
    for node in ast.walk(test):
        match node:
            case ast.Assert(test=asserted) if not isinstance(asserted, ast.Constant | ast.Tuple):
                return True
            case ast.Call(func=ast.Attribute(attr=name)) if name.startswith("assert") or name == "raises":
                return True
    return False
