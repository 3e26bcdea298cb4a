"""Criteria about what the code in the output does, decided by running it in the sandbox.

The code is judged by its answers alone, which are compared out here: what it says of itself counts for nothing. Refuses
to choose a function where several could be meant, and to guess what an answer should be: it is written in the
criterion, follows from a known task, or is left open.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Final

from probatum.exact.code.facts import imported_modules
from probatum.judge.criteria.forms import Decide, every
from probatum.judge.criteria.growth import growth_ruling
from probatum.judge.criteria.reading import FoundCode, Function, OutputView
from probatum.judge.criteria.tasks import inputs_of, same, task_called, task_in
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, PythonRunner, RunEnd, RunReply, ruled, unknown
from probatum.judge.criteria.usage import NO_CODE, imports_of, names_in
from probatum.judge.layers import Basis
from probatum.programs.source import UNPARSABLE
from probatum.readers.vocabulary import words_of

Told = Mapping[str, str]
_CONTROLS: Final[Mapping[str, object]] = {"list": [3, 1, 2], "text": "abc", "number": 5}
_CASES: Final[Mapping[str, tuple[tuple[str, object], ...]]] = {
    "empty list": (("list", []),),
    "empty string": (("text", ""),),
    "empty": (("list", []), ("text", "")),
    "none": (("list", None), ("text", None), ("number", None)),
    "zero": (("number", 0), ("list", [0, 0])),
    "negative": (("number", -5), ("list", [-3, -1, -2])),
    "duplicate": (("list", [2, 1, 2, 1]),),
    "single": (("list", [4]),),
    "large": (("list", list(range(20_000, 0, -1))),),
}
_HARMLESS_DECORATORS: Final = frozenset({"functools", "lru_cache", "cache"})
_SURROUNDINGS: Final = words_of(
    "os sys platform socket pathlib subprocess time datetime random secrets uuid inspect gc threading tempfile ctypes "
    "signal resource getpass locale asyncio multiprocessing"
)
_DENIAL: Final = re.compile(r"(?i)\b(?:not|never|no|without)\b")
_LARGEST: Final = 100
_MOST_LISTED: Final = 8
_ASKED_AGAIN: Final = 5
_CATCHING: Final = frozenset({"suppress", "AssertionError"})
_OF_TESTS: Final = frozenset({"pytest", "hypothesis", "numpy", "__future__"})
_WORDS_OF_GROWTH: Final[Mapping[str, str]] = {
    "constant": "1", "logarithmic": "log n", "linear": "n", "linearithmic": "n log n", "quadratic": "n^2",
}  # fmt: skip


def _executed(holds: bool | None, why: str, **evidence: object) -> CriterionRuling:
    return ruled(holds, Basis.EXECUTED, why, **evidence)


def _with_code(decide: Callable[[FoundCode, PythonRunner, Told], CriterionRuling]) -> Decide:
    @wraps(decide)
    def whole(view: OutputView, tools: CriteriaTools, told: Told) -> CriterionRuling:
        if view.code is None or tools.runner is None:
            return unknown(NO_CODE if view.code is None else "there is no sandbox to run the code in")
        outside = sorted(_SURROUNDINGS.intersection(imports_of(view.code.tree)))
        if outside:
            return unknown(f"the code can look at more than its arguments: it imports {outside[0]}")
        return decide(view.code, tools.runner, told)

    return whole


def _meant(code: FoundCode) -> Function | None:
    """Return the only public function, where it is plain and needs exactly one argument."""
    found = code.public_functions()
    if len(found) != 1 or isinstance(found[0], ast.AsyncFunctionDef):
        return None
    if not {name for each in found[0].decorator_list for name in names_in(each)} <= _HARMLESS_DECORATORS:
        return None
    given = found[0].args
    needed = len(given.posonlyargs) + len(given.args) - len(given.defaults)
    return found[0] if needed == 1 and None not in given.kw_defaults else None


def _ran(
    runner: PythonRunner, code: FoundCode, function: str, calls: Sequence[tuple[object, ...]]
) -> tuple[RunReply, ...]:
    """Return what came of each call; an import that is missing here says nothing of the code."""
    replies = runner.called(code.source, function, calls)
    lost = RunReply(RunEnd.LOST)
    if len(replies) != len(calls):
        return (lost,) * len(calls)
    return tuple(lost if "ImportError" in each.names else each for each in replies)


def _answer(reply: RunReply, wanted: object) -> bool | None:
    """Return whether a call gave what is wanted: its value, or its changed argument where it gave nothing."""
    is_changed = reply.value is None and isinstance(wanted, list) and bool(reply.arguments)
    return same(reply.arguments[0] if is_changed else reply.value, wanted)


def _told(function: str, given: tuple[object, ...], reply: RunReply) -> str:
    try:
        value = repr(reply.value) if reply.end is RunEnd.RETURNED else (reply.names or (reply.detail,))[0]
    except (ValueError, RecursionError):
        value = "what cannot be written"
    return f"{function}({', '.join(repr(each)[:60] for each in given)}) gave {value[:120]}"


def _task(code: FoundCode, runner: PythonRunner, told: Told) -> CriterionRuling:
    task = task_called(told["task"])
    inputs = inputs_of(task.inputs) if task else []
    # Some come again: what is kept between calls must make no difference.
    inputs += inputs[-_ASKED_AGAIN:]
    function = _meant(code)
    if task is None or function is None:
        return unknown("it is no task whose answers are known, or not exactly one public function is meant")
    replies = _ran(runner, code, function.name, inputs)
    states: list[bool | None] = []
    for given, reply in zip(inputs, replies, strict=True):
        # A function may refuse what is empty, or take another type.
        is_open = reply.end is RunEnd.LOST or not given[0] or "TypeError" in reply.names
        refused = None if is_open else False
        states.append(_answer(reply, task.answer(*given)) if reply.end is RunEnd.RETURNED else refused)
    count = states.count(False)
    if count and task.has_variants and (count * 4 > len(states) or task.words[0] == "dedup"):
        return unknown("its answers differ from the usual ones as a variant of the task would have it")
    holds = every(states)
    observed = _told(function.name, inputs[at := states.index(holds)], replies[at])
    if holds is None:
        return unknown(f"it is open whether this is the answer: {observed}")
    if holds and (special := _special_values(code.tree)):
        return unknown(f"the code may answer otherwise beyond the inputs that are tried: it names {special}")
    all_told = f"{function.name} gave the known answers to {len(inputs)} inputs"
    return _executed(holds, all_told if holds else observed, inputs=len(inputs), wrong=count)


def _special_values(tree: ast.Module) -> str:
    """Return what of a program may tell the inputs that are tried from others; empty where there is nothing."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=int() | float() as value) if abs(value) > _LARGEST:
                return repr(value)[:40]
            case ast.BinOp(op=ast.Pow() | ast.LShift(), left=ast.Constant(), right=ast.Constant()):
                return "a large number"
            case ast.Tuple() | ast.List() | ast.Set() if len(node.elts) > _MOST_LISTED:
                return f"{len(node.elts)} values"
            case ast.Dict() if len(node.keys) > _MOST_LISTED:
                return f"{len(node.keys)} values"
            case _:
                pass
    return ""


def _usual(code: FoundCode, runner: PythonRunner, told: Told) -> tuple[Function | None, list[object], bool]:
    """Return the function that is meant, the inputs of the case that it takes in general, and whether it gives values.

    Only what it takes in general says something: a number is no list.
    """
    function = _meant(code)
    cases = next(inputs for word, inputs in _CASES.items() if word in told["case"].lower())
    if function is None:
        return None, [], False
    controls = _ran(runner, code, function.name, [(_CONTROLS[name],) for name, _ in cases])
    takes = [given for (_, given), each in zip(cases, controls, strict=True) if each.end is RunEnd.RETURNED]
    return function, takes, any(each.value is not None for each in controls)


def _handles(code: FoundCode, runner: PythonRunner, told: Told) -> CriterionRuling:
    """Tell whether a function takes an unusual input without an exception that its documentation does not name."""
    function, takes, gives = _usual(code, runner, told)
    if function is None or not takes:
        return unknown("which input or function is meant is not certain, or the function takes none such in general")
    replies = _ran(runner, code, function.name, [(each,) for each in takes])
    states = [
        _is_handled(function, given, reply, told, gives=gives) for given, reply in zip(takes, replies, strict=True)
    ]
    # What one kind of input is handled like, and another is not, may be no input that is meant.
    holds = states[0] if len(set(states)) == 1 else None
    why = _told(function.name, (takes[0],), replies[0])
    return _executed(holds, why if holds is not None else f"whether this is as it should be is open: {why}")


def _is_handled(function: Function, given: object, reply: RunReply, told: Told, *, gives: bool) -> bool | None:
    text = ast.get_docstring(function) or ""
    if reply.end is RunEnd.RETURNED:
        # Nothing, where something is given otherwise, may be an answer or a lapse.
        is_lapse = reply.value is None and gives and "None" not in text
        return None if is_lapse or not _may_be_right(function, given, reply, told) else True
    raised = "|".join(map(re.escape, reply.names[:-2])) or "(?!)"
    word = re.split("[ -]", re.sub(r"^(?:an?|the) ", "", told["case"].lower()))[0][:5]
    sentences = [each for each in re.split(r"\.\s|\n\s*\n", text) if word in each.lower() and not _DENIAL.search(each)]
    if any(re.search(rf"(?is)\brais\w{{0,4}}\b.{{0,80}}\b(?:{raised})\b", each) for each in sentences):
        return True
    own = {name for node in ast.walk(function) if isinstance(node, ast.Raise) for name in names_in(node)}
    is_meant = own & {*reply.names} or any(name in text for name in reply.names)
    return None if is_meant or reply.end is RunEnd.LOST else False


def _may_be_right(function: Function, given: object, reply: RunReply, told: Told) -> bool:
    """Return whether an answer agrees with the task that the function is called after.

    Of other functions only that they take what is empty, single or large: what else they should answer is not known.
    """
    task = task_in(function.name)
    if task is None:
        return "well" not in told and any(each in told["case"].lower() for each in ("empty", "single", "large"))
    try:
        return _answer(reply, task.answer(given)) is True
    except (TypeError, ValueError, ArithmeticError):
        return False


def _raises(code: FoundCode, runner: PythonRunner, told: Told) -> CriterionRuling:
    function, takes, _ = _usual(code, runner, told)
    replies = _ran(runner, code, function.name, [(each,) for each in takes]) if function else ()
    if function is None or not replies or any(each.end is RunEnd.LOST for each in replies):
        return unknown("which call is meant is not certain, or it gives nothing")
    holds = all(told["error"] in each.names for each in replies)
    return _executed(holds, _told(function.name, (takes[0],), replies[0]))


def _call(code: FoundCode, runner: PythonRunner, told: Told) -> CriterionRuling:
    """Tell whether a call that the criterion writes gives, or raises, what it says."""
    try:
        tree = ast.parse(told["call"], mode="eval").body
        wanted = None if "error" in told else ast.literal_eval(told["wanted"].strip())
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
            return unknown("it is no call of a function with literals")
        given = tuple(ast.literal_eval(each) for each in tree.args)
    except (*UNPARSABLE, TypeError):
        return unknown("it cannot be read as a call with literals, and an answer")
    name = tree.func.id
    if [each.name for each in code.public_functions()].count(name) != 1:
        return unknown("the code has no such function, or several")
    # Twice in one process, and once in another: what is kept between calls must make no difference.
    one, *others = (*_ran(runner, code, name, [given, given]), *_ran(runner, code, name, [given]))
    if any(each != one for each in others) or one.end is RunEnd.LOST:
        return unknown(f"the call gives nothing, or another answer each time: {_told(name, given, one)}")
    holds = told["error"] in one.names if "error" in told else one.end is RunEnd.RETURNED and same(one.value, wanted)
    return _executed(holds, _told(name, given, one))


def _growth(code: FoundCode, runner: PythonRunner, told: Told) -> CriterionRuling:
    written = told.get("order", "").lower().replace("²", "^2").replace("**", "^")
    bound = " ".join(re.sub(r"[*()]", " ", written.replace("nlogn", "n log n").replace("logn", "log n")).split())
    function = _meant(code)
    if function is None:
        return unknown("not exactly one public function takes one argument")
    return growth_ruling(_WORDS_OF_GROWTH.get(told.get("word", "").lower(), bound), code, function.name, runner)


def _tests_pass(code: FoundCode, runner: PythonRunner, _told: Told) -> CriterionRuling:
    tests = code.test_functions()
    modules = imported_modules(code.tests_tree) if code.tests_tree else []
    own = sorted(each for each in modules if each.split(".")[0] not in sys.stdlib_module_names | _OF_TESTS | {""})
    replies = runner.tested(code.source, code.tests or code.source, own) if tests else {}
    failed = [name for name, end in replies.items() if end.startswith("failed")]
    if failed:
        return _executed(False, f"{failed[0][:80]}: {replies[failed[0]][:150]}", tests=len(replies))
    # A test that catches what it asserts passes whatever the code does.
    tries = [each for test in tests for each in ast.walk(test) if isinstance(each, ast.Try | ast.TryStar)]
    is_caught = bool(tries) or any(names_in(test) & _CATCHING for test in tests)
    are_all = len(replies) >= len({each.name for each in tests}) > 0 and set(replies.values()) == {"passed"}
    if is_caught or not are_all:
        return unknown("some tests could not be run, or check nothing of the code")
    return _executed(True, f"{len(replies)} tests pass", tests=len(replies))


def _works(view: OutputView, tools: CriteriaTools, _told: Told) -> CriterionRuling:
    if view.code is None or tools.programs is None:
        return unknown(NO_CODE if view.code is None else "there is nothing to verify programs with")
    return tools.programs.judged(view.code.source)


PROGRAM_DECIDERS: Final[Mapping[str, Decide]] = {
    "handles": _with_code(_handles),
    "raises": _with_code(_raises),
    "call": _with_code(_call),
    "growth": _with_code(_growth),
    "tests_pass": _with_code(_tests_pass),
    "task": _with_code(_task),
    "works": _works,
}
