"""Clauses asked in the program's own process, as sessions: for arguments and results that cannot cross.

One test a reading: it makes the reader's calls, and asserts the clause after every one that the requirements admit. It
is neither passed nor failed where no call is admitted. What counts of it is for `reading_sessions` to say.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, JudgedClause, ReadingJudge
from probatum.programs.source import expression_of
from probatum.programs.specification import FunctionSpec
from probatum.readings.values import Reading, ReadingKind

NOT_MET = "no call of the reader meets it"
SUPPORT = f"""
def _probatum_value(value):
    import asyncio, inspect
    if inspect.isawaitable(value):
        async def wait():
            return await value
        value = asyncio.run(wait())
    return list(value) if hasattr(value, "__next__") else value


def _probatum_is(error, names):
    import builtins
    kinds = type(error).__mro__
    return any(kind.__name__ in names and getattr(builtins, kind.__name__, kind) is kind for kind in kinds)


def _probatum_copy(value):
    import copy
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def _probatum_state(value, depth=9):
    if depth == 0 or isinstance(value, type):
        return type(value).__name__
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(_probatum_state(each, depth - 1) for each in value)]
    if isinstance(value, dict):
        return [_probatum_state(pair, depth - 1) for pair in value.items()]
    if type(value).__repr__ is object.__repr__ and hasattr(value, "__dict__"):
        return [type(value).__name__, _probatum_state(vars(value), depth - 1)]
    return _probatum_shown(value, None)


def _probatum_shown(value, most=200):
    import re
    try:
        return re.sub(" at 0x[0-9a-f]+", "", _probatum_text(value))[:most]
    except Exception:
        return f"an object of type {{type(value).__name__}}"


def _probatum_text(value, depth=4):
    if type(value) in (list, tuple) and depth:
        shown = ", ".join(_probatum_text(each, depth - 1) for each in value)
        return f"[{{shown}}]" if type(value) is list else f"({{shown}}{{',' * (len(value) == 1)}})"
    if type(value).__repr__ is object.__repr__ and hasattr(value, "__dict__") and depth:
        fields = {{name: part for name, part in vars(value).items() if name[:1] != "_"}}
        shown = ", ".join(f"{{name}}={{_probatum_text(part, depth - 1)}}" for name, part in fields.items())
        return f"{{type(value).__name__}}({{shown}})"
    return repr(value)


class _ProbatumSilent(Exception):
    pass


def _probatum_holds(clause, given):
    function, needs = clause
    try:
        return bool(function(**{{name: given[name] for name in needs}}))
    except Exception as error:
        raise _ProbatumSilent(f"it has no truth value: {{type(error).__name__}}") from error


def _probatum_calls(function, calls, requires):
    import inspect
    for text, make in calls:
        bound = inspect.signature(function).bind(*make())
        before = {{name: _probatum_copy(value) for name, value in bound.arguments.items()}}
        whole = inspect.signature(function).bind(*bound.args, **bound.kwargs)
        whole.apply_defaults()
        given = {{**whole.arguments, **before}}
        if all(_probatum_holds(each, given) for each in requires):
            yield text, bound, given


def _probatum_result(function, calls, requires, raises, clauses, named):
    asked = 0
    for text, bound, given in _probatum_calls(function, calls, requires):
        if any(_probatum_holds(each, given) for each, _ in raises):
            continue
        try:
            result = _probatum_value(function(*bound.args, **bound.kwargs))
        except (OSError, MemoryError, ImportError):
            raise
        except Exception as error:
            if not _probatum_is(error, named):
                raise AssertionError(f"{{text}} raises: {{type(error).__name__}}: {{error}}") from error
            continue
        asked += 1
        after = {{f"{{name}}__after": value for name, value in bound.arguments.items()}}
        # An object that was left as it was stands for itself: a clause may ask whether the result is one of them.
        for name, value in bound.arguments.items():
            if _probatum_state(value) == _probatum_state(given[name]):
                given[name] = value
        for each in clauses:
            holds = _probatum_holds(each, {{**given, **after, "result": result}})
            assert holds, f"{{text}} gives: {{_probatum_shown(result)}}"
    return None if asked else {NOT_MET!r}


def _probatum_raises(function, calls, requires, clauses):
    asked = 0
    for text, bound, given in _probatum_calls(function, calls, requires):
        due = {{name for each, name in clauses if _probatum_holds(each, given)}}
        if not due:
            continue
        asked += 1
        try:
            result = _probatum_value(function(*bound.args, **bound.kwargs))
        except Exception as error:
            assert _probatum_is(error, due), f"{{text}} raises: {{type(error).__name__}}: {{error}}"
        else:
            assert False, f"{{text}} gives: {{_probatum_shown(result)}}, and {{min(due)}} is due"
    return None if asked else {NOT_MET!r}
"""
"""What the tests below call: plain Python that stands in the file of tests once."""


def clause_sessions(
    judge: ReadingJudge, function: FunctionSpec, wanted: Collection[str], others: Sequence[ReadingJudge] = ()
) -> Mapping[Reading, str]:
    """Return the body of a test for each of the wanted readings that speaks of results or exceptions.

    What ``others`` require limits them too. Nothing is asked where that needs helpers of its own. Inputs of a method
    begin with its object.
    """
    limiting = [each for each in others if each.of_kind(ReadingKind.REQUIRES, ReadingKind.RAISES)]
    if any(each.record.helpers.strip() not in {"", judge.record.helpers.strip()} for each in limiting):
        return {}
    around = [each for one in (judge, *limiting) for each in one.clauses]
    inputs = [tree for text in judge.record.inputs if isinstance(tree := expression_of(text), ast.expr)]
    rows = [f"({f'{function.qualname}{_arguments(each)}'!r}, lambda: {ast.unparse(each)})" for each in inputs]
    calls = f"[{', '.join(rows)}]"
    requires = f"[{', '.join(_clause(each) for each in around if each.kind is ReadingKind.REQUIRES)}]"
    raises = f"[{_raising([each for each in around if each.kind is ReadingKind.RAISES])}]"
    named = f"{sorted(named_exceptions(function))!r}"
    found: dict[Reading, str] = {}
    for reading in (each for each in judge.record.readings if rows and judge.record.id_of(each) in wanted):
        own = [each for each in judge.clauses if each.reading is reading]
        if reading.kind is ReadingKind.RAISES:
            asked = f"_probatum_raises({function.qualname}, {calls}, {requires}, [{_raising(own)}])"
        elif reading.kind in SPEAKS_OF_RESULTS:
            clauses = f"[{', '.join(map(_clause, own))}]"
            asked = f"_probatum_result({function.qualname}, {calls}, {requires}, {raises}, {clauses}, set({named}))"
        else:
            continue
        found[reading] = f"try:\n    return {asked}\nexcept _ProbatumSilent as error:\n    return str(error)"
    return found


def _arguments(tree: ast.expr) -> str:
    elements = tree.elts if isinstance(tree, ast.Tuple) else [ast.Starred(tree)]
    return f"({', '.join(map(ast.unparse, elements))})"


def _raising(clauses: list[JudgedClause]) -> str:
    return ", ".join(f"({_clause(each)}, {each.reading.exception.rpartition('.')[2]!r})" for each in clauses)


def _clause(clause: JudgedClause) -> str:
    return f"(lambda {', '.join(clause.needs)}: ({clause.code}), {list(clause.needs)!r})"


def failing_call(message: str) -> tuple[str, str]:
    """Return the call that a failing test names, empty where it names none, and what came of it."""
    said = message.removeprefix("AssertionError: ")
    ends = [place for verb in (" gives: ", " raises: ") if (place := said.find(verb)) > 0]
    return (said[: min(ends)], said[min(ends) + 1 :]) if ends else ("", message)
