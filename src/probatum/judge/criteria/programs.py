"""Criteria about what the code in the output does, decided by running it in the sandbox.

The code is judged by its answers alone, which are compared out here: what it says of itself counts for nothing. Refuses
to choose a function where several could be meant, and to guess what an answer should be: it is written in the
criterion, follows from a task of the table, or is left open.
"""

from __future__ import annotations

import ast
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from typing import Final

from probatum.judge.criteria.forms import Decide
from probatum.judge.criteria.growth import growth_ruling
from probatum.judge.criteria.reading import FoundCode, Function, OutputView
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, PythonRunner, RunEnd, RunReply, ruled, unknown
from probatum.judge.layers import Basis, CheckState
from probatum.programs.source import UNPARSABLE

_NO_SANDBOX: Final = "there is no sandbox to run the code in"
_CONTROLS: Final[Mapping[str, object]] = {"list": [3, 1, 2], "text": "abc", "number": 5}
_LARGE: Final = 20_000


@dataclass(frozen=True, slots=True)
class KnownTask:
    """A task whose right answers are known: what its inputs are, and what follows from each."""

    inputs: str
    answer: Callable[..., object]


def _primes(number: int) -> bool:
    return number > 1 and all(number % each for each in range(2, math.isqrt(number) + 1))


def _fibonacci(number: int) -> int:
    one, other = 0, 1
    for _ in range(number):
        one, other = other, one + other
    return one


TASKS: Final[Mapping[str, KnownTask]] = {
    "sort": KnownTask("numbers", sorted),
    "revers": KnownTask("numbers", lambda given: given[::-1]),
    "sum": KnownTask("numbers", sum),
    "max": KnownTask("some numbers", max),
    "min": KnownTask("some numbers", min),
    "average": KnownTask("some numbers", lambda given: Fraction(sum(given), len(given))),
    "dedup": KnownTask("numbers", lambda given: list(dict.fromkeys(given))),
    "factorial": KnownTask("small", math.factorial),
    "fibonacci": KnownTask("small", _fibonacci),
    "prime": KnownTask("small", _primes),
    "gcd": KnownTask("pairs", math.gcd),
    "palindrome": KnownTask("words", lambda text: text == text[::-1]),
    "binary search": KnownTask("places", lambda given, wanted: given.index(wanted) if wanted in given else -1),
}
_WORDS: Final = {
    "sorting": "sort", "sorts": "sort", "reversal": "revers", "reversing": "revers", "reverse": "revers", "summation": "sum",
    "maximum": "max", "minimum": "min", "mean": "average", "deduplication": "dedup", "deduplicating": "dedup",
    "greatest common divisor": "gcd", "primality": "prime",
}  # fmt: skip


def _inputs(kind: str) -> list[tuple[object, ...]]:
    chance = random.Random(7)  # noqa: S311  # no secret: the same inputs each time
    lists = [
        [chance.randint(-50, 50) for _ in range(length)]
        for length in (1, 2, 2, 3, 3, 5, 8, 13, 21, 40)
        for _ in range(3)
    ]
    lists += [[5], [2, 2, 2], list(range(20)), list(range(20, 0, -1)), [0, -1, 0, 1], [10**12, -(10**12)]]
    match kind:
        case "numbers":
            return [(each,) for each in [[], *lists]]
        case "some numbers":
            return [(each,) for each in lists]
        case "small":
            return [(each,) for each in range(31)]
        case "pairs":
            return [(chance.randint(1, 500), chance.randint(1, 500)) for _ in range(40)] + [(12, 18), (7, 13), (9, 9)]
        case "words":
            return [
                (word,)
                for word in (
                    "",
                    "a",
                    "ab",
                    "aa",
                    "aba",
                    "abc",
                    "abba",
                    "abcba",
                    "abcda",
                    "racecar",
                    "palindrome",
                    "xyzzyx",
                    "noon",
                )
            ]
    rising = [sorted(set(each)) for each in lists]
    return [(each, wanted) for each in rising for wanted in (each[0], each[-1], each[len(each) // 2], 99)]


def _with_code(decide: Callable[[FoundCode, PythonRunner, Mapping[str, str]], CriterionRuling]) -> Decide:
    @wraps(decide)
    def whole(view: OutputView, tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
        if view.code is None:
            return unknown("the output has no Python code that is certain to be meant")
        return unknown(_NO_SANDBOX) if tools.runner is None else decide(view.code, tools.runner, told)

    return whole


def _meant(code: FoundCode, arguments: int, name: str = "") -> Function | None:
    """Return the one public function that takes so many arguments, and needs no fewer."""
    found = [each for each in code.public_functions() if not name or each.name == name]
    if len(found) != 1 or isinstance(found[0], ast.AsyncFunctionDef) or found[0].decorator_list:
        return None
    given = found[0].args
    positional = [*given.posonlyargs, *given.args]
    needed = len(positional) - len(given.defaults)
    keywords = any(default is None for default in given.kw_defaults)
    return found[0] if needed <= arguments <= len(positional) and needed == arguments and not keywords else None


def _ran(
    runner: PythonRunner, code: FoundCode, function: str, calls: Sequence[tuple[object, ...]]
) -> tuple[RunReply, ...]:
    replies = runner.called(code.source, function, calls)
    return tuple(replies) if len(replies) == len(calls) else ()


def same(found: object, wanted: object) -> bool | None:
    """Return whether an answer is the wanted one; None where only its type is another."""
    if isinstance(wanted, Fraction):
        if (
            isinstance(found, bool)
            or not isinstance(found, int | float)
            or (isinstance(found, float) and not math.isfinite(found))
        ):
            return False
        return abs(Fraction(found) - wanted) <= abs(wanted) / 10**9
    try:
        if found == wanted:
            numbers = isinstance(found, int | float) and isinstance(wanted, int | float)
            plain = numbers and isinstance(found, bool) == isinstance(wanted, bool)
            return True if plain or repr(found) == repr(wanted) else None
        is_sequence = isinstance(found, list | tuple) and isinstance(wanted, list | tuple)
        return None if is_sequence and list(found) == list(wanted) else False  # type: ignore[call-overload]  # just seen
    except (ValueError, RecursionError, OverflowError):
        return None


def _task(code: FoundCode, runner: PythonRunner, told: Mapping[str, str]) -> CriterionRuling:
    word = told["task"].lower()
    task = TASKS.get(_WORDS.get(word, word))
    if task is None:
        return unknown(f"{word} is not among the tasks whose answers are known")
    inputs = _inputs(task.inputs)
    function = _meant(code, len(inputs[0]))
    if function is None:
        return unknown(f"not exactly one public function takes {len(inputs[0])} arguments")
    replies = _ran(runner, code, function.name, inputs)
    states: list[bool | None] = []
    for given, reply in zip(inputs, replies, strict=bool(replies)):
        wanted = task.answer(*given)
        if reply.end is RunEnd.LOST:
            states.append(None)
        elif reply.end is RunEnd.RAISED:
            # A function may refuse what is empty, or take another type.
            states.append(None if not given[0] or "TypeError" in reply.names else False)
        elif reply.value is None and isinstance(wanted, list):
            states.append(same(reply.arguments[0], wanted) if reply.arguments else None)
        else:
            states.append(same(reply.value, wanted))
    if not states or None in states:
        return unknown("what it gives for some inputs cannot be compared")
    if False in states:
        at = states.index(False)
        # Of the other order, of another index: a task with that name may mean it.
        if states.count(False) * 10 > len(states) * 3 and word in {
            "sort",
            "sorting",
            "fibonacci",
            "dedup",
            "deduplication",
        }:
            return unknown("its answers differ from the usual ones throughout: another task may be meant")
        return ruled(
            False, Basis.EXECUTED, f"{function.name}{_shown(inputs[at])} gave {_short(replies[at])}", inputs=len(inputs)
        )
    return ruled(
        True,
        Basis.EXECUTED,
        f"{function.name} gave the known answer for {len(inputs)} inputs",
        inputs=len(inputs),
        tested=True,
    )


def _short(reply: RunReply) -> str:
    try:
        return (repr(reply.value) if reply.end is RunEnd.RETURNED else ", ".join(reply.names[:1]) or reply.detail)[:120]
    except (ValueError, RecursionError):
        return "what cannot be written"


def _shown(given: tuple[object, ...]) -> str:
    return f"({', '.join(repr(each)[:60] for each in given)})"


_CASES: Final[Mapping[str, tuple[tuple[str, object], ...]]] = {
    "empty list": (("list", []),),
    "empty string": (("text", ""),),
    "empty input": (("list", []), ("text", "")),
    "none": (("list", None), ("text", None), ("number", None)),
    "zero": (("number", 0), ("list", [0, 0])),
    "negative number": (("number", -5), ("list", [-3, -1, -2])),
    "duplicate": (("list", [2, 1, 2, 1]),),
    "single element": (("list", [4]),),
    "large input": (("list", list(range(_LARGE, 0, -1))),),
}


def _case(word: str) -> tuple[tuple[str, object], ...]:
    plain = re.sub(r"^(?:an?|the) ", "", word.lower())
    plain = {
        "empty lists": "empty list",
        "empty strings": "empty string",
        "empty inputs": "empty input",
        "none input": "none",
    }.get(plain, plain)
    plain = re.sub(r"^(negative|duplicate|single|large)\b.*", r"\1", plain)
    known = {"negative": "negative number", "single": "single element", "large": "large input"}.get(plain, plain)
    return _CASES.get(known, ())


def _handles(code: FoundCode, runner: PythonRunner, told: Mapping[str, str]) -> CriterionRuling:
    """Tell whether a function takes an unusual input without an exception that its documentation does not name."""
    function, cases = _meant(code, 1), _case(told["case"])
    if function is None or not cases:
        return unknown(
            "not exactly one public function takes one argument" if cases else "which input is meant is not certain"
        )
    names = [name for name, _ in cases]
    controls = _ran(runner, code, function.name, [(_CONTROLS[name],) for name in names])
    # Only what the function takes in general says something: a number is no list.
    takes = [each for each, control in zip(cases, controls, strict=False) if control.end is RunEnd.RETURNED]
    text = ast.get_docstring(function) or ""
    raised = {
        each.id
        for node in ast.walk(function)
        if isinstance(node, ast.Raise)
        for each in ast.walk(node)
        if isinstance(each, ast.Name)
    }
    states: list[bool | None] = []
    shown = ""
    gives = any(control.value is not None for control in controls)
    for reply, (_, given) in zip(_ran(runner, code, function.name, [(each,) for _, each in takes]), takes, strict=True):
        documented = any(re.search(rf"\b{re.escape(name)}\b", text) for name in reply.names[:-2])
        if reply.end is RunEnd.RETURNED:
            # Nothing, where something is given otherwise, may be an answer or a lapse.
            is_lapse = reply.value is None and gives and "None" not in text
            states.append(None if is_lapse else True)
        else:
            is_own = bool(set(reply.names) & raised)
            states.append(True if documented else None if is_own or reply.end is RunEnd.LOST else False)
        shown = shown or f"{function.name}({repr(given)[:40]}) gave {_short(reply)}"
    known = next((task for name, task in TASKS.items() if name.split()[0] in function.name.lower()), None)
    if (
        not states
        or None in states
        or (False not in states and known is not None and not _agrees(known, function.name, takes, code, runner))
    ):
        return unknown(
            f"what the function should do is not certain: {shown}"
            if shown
            else "the function takes no such input in general"
        )
    return ruled(False not in states, Basis.EXECUTED, shown, inputs=len(states), tested=True)


def _agrees(
    task: KnownTask, name: str, takes: Sequence[tuple[str, object]], code: FoundCode, runner: PythonRunner
) -> bool:
    """Return whether a function that is called like a task gives the known answers for what it is given."""
    replies = _ran(runner, code, name, [(each,) for _, each in takes])
    for reply, (_, given) in zip(replies, takes, strict=False):
        try:
            wanted = task.answer(given)
        except (TypeError, ValueError, ArithmeticError):
            return reply.end is RunEnd.RAISED
        found = reply.arguments[0] if reply.value is None and reply.arguments else reply.value
        if reply.end is RunEnd.RETURNED and not same(found, wanted):
            return False
    return bool(replies)


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text.strip())
    except (*UNPARSABLE, TypeError):
        raise ValueError(f"{text[:40]} is no literal of Python") from None


def _call(code: FoundCode, runner: PythonRunner, told: Mapping[str, str]) -> CriterionRuling:
    """Tell whether a call that the criterion writes gives, or raises, what it says."""
    try:
        if "call" in told:
            tree = ast.parse(told["call"], mode="eval").body
            if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
                return unknown("it is no call of a function with literals")
            name, given = tree.func.id, tuple(ast.literal_eval(each) for each in tree.args)
        else:
            name, given = "", (_literal(told["input"]),)
        wanted = None if "error" in told else _literal(told["wanted"])
    except (*UNPARSABLE, TypeError) as error:
        return unknown(f"it cannot be read: {error}"[:200])
    function = (
        _meant(code, len(given), name)
        if not name
        else next((each for each in code.public_functions() if each.name == name), None)
    )
    if function is None:
        return unknown("the code has no such function, or several")
    replies = [_ran(runner, code, function.name, [given]) for _ in range(2)]
    if replies[0] != replies[1] or not replies[0] or replies[0][0].end is RunEnd.LOST:
        return unknown("the call gives nothing, or another answer each time")
    reply = replies[0][0]
    why = f"{function.name}{_shown(given)} gave {_short(reply)}"
    if "error" in told:
        return ruled(told["error"] in reply.names, Basis.EXECUTED, why)
    return ruled(same(reply.value, wanted) if reply.end is RunEnd.RETURNED else False, Basis.EXECUTED, why)


def _raises(code: FoundCode, runner: PythonRunner, told: Mapping[str, str]) -> CriterionRuling:
    function, cases = _meant(code, 1), _case(told["case"])
    if function is None or not cases:
        return unknown("which call is meant is not certain")
    controls = _ran(runner, code, function.name, [(_CONTROLS[name],) for name, _ in cases])
    takes = [given for (_, given), control in zip(cases, controls, strict=False) if control.end is RunEnd.RETURNED]
    replies = _ran(runner, code, function.name, [(each,) for each in takes])
    if not replies or any(each.end is RunEnd.LOST for each in replies):
        return unknown("the function takes no such input in general")
    return ruled(
        all(told["error"] in each.names for each in replies),
        Basis.EXECUTED,
        f"{function.name}({repr(takes[0])[:40]}) gave {_short(replies[0])}",
    )


def _growth(code: FoundCode, runner: PythonRunner, told: Mapping[str, str]) -> CriterionRuling:
    words = {"constant": "1", "logarithmic": "log n", "linear": "n", "linearithmic": "n log n", "quadratic": "n^2"}
    written = (
        re.sub(r"[*·]", " ", told.get("order", "").lower())
        .replace("nlogn", "n log n")
        .replace("²", "^2")
        .replace("^ 2", "^2")
    )
    bound = words.get(told.get("word", "").lower(), " ".join(written.replace("(", " ").replace(")", " ").split()))
    function = _meant(code, 1)
    if bound not in {"1", "log n", "n", "n log n", "n^2"} or function is None:
        return unknown("which bound, or which function of one list, is meant is not certain")
    return growth_ruling(bound, code, function.name, runner)


def _tests_pass(code: FoundCode, runner: PythonRunner, _told: Mapping[str, str]) -> CriterionRuling:
    tests = code.tests or code.source
    names = [each.name for each in code.test_functions()]
    if not names:
        return unknown("the output has no tests that could be read")
    tree = code.tests_tree or code.tree
    imported = (
        {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
        if code.tests
        else set()
    )
    replies = runner.tested(code.source, tests, sorted(imported))
    failed = [name for name, end in replies.items() if end.startswith("failed")]
    if failed:
        return ruled(False, Basis.EXECUTED, f"{failed[0][:80]}: {replies[failed[0]][:150]}", tests=len(replies))
    if not replies or set(replies.values()) != {"passed"} or len(replies) < len(names):
        return unknown("some tests could not be run, or test nothing of the code")
    return ruled(True, Basis.EXECUTED, f"{len(replies)} tests pass", tests=len(replies))


def _works(view: OutputView, tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    if view.code is None or tools.programs is None:
        return unknown("there is no program, or nothing to verify programs with")
    ruling = tools.programs.judged(view.code.source)
    holds = {CheckState.PASSED: True, CheckState.FAILED: False}.get(ruling.state)
    return ruled(
        holds, Basis.EXECUTED, ruling.message[:300] or "the verifier of programs says nothing", **ruling.counts
    )


PROGRAM_DECIDERS: Final[Mapping[str, Decide]] = {
    "handles": _with_code(_handles),
    "raises": _with_code(_raises),
    "call": _with_code(_call),
    "growth": _with_code(_growth),
    "tests_pass": _with_code(_tests_pass),
    "task": _with_code(_task),
    "works": _works,
}
