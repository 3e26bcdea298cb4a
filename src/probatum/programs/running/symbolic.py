"""Searching inputs that break a clause by symbolic execution, with CrossHair, in a process of the sandbox.

CrossHair runs the program and the clauses on unknown values and asks a solver for those that lead to another path. It
shares the process with the program, which may forge what comes back: a counterexample is an input to try and no more,
and whether every path was confirmed counts for what `closed_files` lists alone. Work is counted in paths. Refuses
functions with a parameter of which nothing certain declares the type, and whatever is no function of the module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from textwrap import indent

from probatum.core.limits import MEBIBYTE, JobLimits
from probatum.programs.parsing.annotations import parse_annotation
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.literals import value_of
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.sure_types import SureTypes, sure_types
from probatum.programs.running.checks import DirectCall
from probatum.programs.running.execute import LoadFailure, loaded
from probatum.programs.running.predicates import AFTER, OFFERED_MODULES, RESULT, Predicate
from probatum.programs.source import UNPARSABLE, Source, expression_of, module_or_none, parsed
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.readings.syntax import NotReadableError
from probatum.sandbox import Environment, Returned, Sandbox

SEARCHING = frozenset({"crosshair-tool", "z3-solver"})
"""The distributions that take part in a search."""
PATHS = 64
"""How many paths are followed for one clause."""
MOST_SEARCHED = 8
"""How many clauses of one function are searched."""
LIMITS = JobLimits(cpu_seconds=10, wall_seconds=40.0, memory_bytes=1024 * MEBIBYTE)
_SEARCH = "_probatum_search"
_TERMS = "_probatum_terms"
_HINTS = word_set(
    "int bool str float bytes list List tuple Tuple dict Dict set Set frozenset FrozenSet Optional Union Literal"
    " Sequence Iterable Mapping Collection"
)
_SCALARS = word_set("int bool str float bytes Optional Union Literal tuple Tuple")
_CALLED = re.compile(rf"when calling ({_SEARCH}\w*\(.*)", re.DOTALL)
_RETURNING = " (which returns "
_ALWAYS = Predicate("lambda: True", (), ())
_CONFIRMED, _FAILING = "CONFIRMED", frozenset({"POST_FAIL", "POST_ERR", "EXEC_ERR"})
# Seconds for one path and one question to the solver; what is cut off there is neither confirmed nor refuted.
_DRIVER = f"""

def {_SEARCH}(name, paths):
    import sys
    from crosshair.core_and_libs import AnalysisKind, analyze_function, run_checkables
    from crosshair.options import AnalysisOptionSet
    options = AnalysisOptionSet(
        analysis_kind=[AnalysisKind.PEP316], enabled=True, report_all=True, max_iterations=paths,
        per_condition_timeout=1000.0, per_path_timeout=3.0, max_uninteresting_iterations=0,
    )
    return [[each.state.name, each.message] for each in run_checkables(analyze_function(globals()[name], options))]
"""


@dataclass(frozen=True, slots=True)
class SearchedTerms:
    """What says something about calls of one function: conditions that see the same helpers."""

    requires: tuple[Predicate, ...] = ()
    raises: tuple[tuple[str, Predicate], ...] = ()
    """The name of an exception, and when it is due."""
    clauses: tuple[tuple[str, Predicate], ...] = ()
    """The id of a clause, and what it says of the result."""
    helpers: str = ""

    @property
    def all(self) -> tuple[Predicate, ...]:
        """Every condition, in the order in which they are numbered."""
        return (*self.requires, *(term for _, term in self.raises), *(term for _, term in self.clauses))


def has_crosshair(python: Environment) -> bool:
    """Whether CrossHair is installed where programs run."""
    return any((Path(folder) / "crosshair" / "core_and_libs.py").is_file() for folder in python.packages)


def search(
    source: Source, function: FunctionSpec, told: Sequence[SearchedTerms], announced: frozenset[str], sandbox: Sandbox
) -> tuple[tuple[DirectCall, ...], frozenset[str]]:
    """Return what CrossHair says: inputs that break a clause, to be tried, and ids of clauses that hold on every path.

    What requirements exclude and an announced exception breaks nothing. The id is empty for the exceptions alone.
    """
    parameters = _searched(function, sure_types(source.tree)) if told else ()
    if not parameters:
        return (), frozenset()
    wanted = [(id, place, each) for place, terms in enumerate(told) for id, each in terms.clauses]
    wanted = wanted[:MOST_SEARCHED] or [("", 0, _ALWAYS)]
    parts = [_without_documents(source), *(_factory(place, terms) for place, terms in enumerate(told))]
    for number, (_, place, term) in enumerate(wanted):
        parts.append(_wrapper(f"{_SEARCH}_{number}", function, parameters, told, announced, (place, term)))
    content = "\n".join([*parts, _DRIVER])
    if module_or_none(content) is None:
        return (), frozenset()
    written = content.encode("utf-8", "backslashreplace")
    # CrossHair reads the conditions in the text that a module finds as its own.
    searched = replace(source.program, source=written, shown=written)
    calls: dict[str, DirectCall] = {}
    confirmed = {id for id, _, _ in wanted}
    with loaded(sandbox, searched, LIMITS) as candidate:
        for number, (id, _, _) in enumerate(wanted):
            if isinstance(candidate, LoadFailure):
                return (), frozenset()
            reply = candidate.call(_SEARCH, [f"{_SEARCH}_{number}", PATHS])
            states = _states(reply.value) if isinstance(reply, Returned) else []
            if [state for state, _ in states] != [_CONFIRMED]:
                confirmed.discard(id)
            found = [_call(message, function, parameters) for state, message in states if state in _FAILING]
            calls |= {repr(call): call for call in found if call is not None}
    return tuple(calls.values()), frozenset(confirmed)


def _states(value: object) -> list[tuple[str, str]]:
    """Return what CrossHair said; anything else than pairs is nothing that it says."""
    rows = value if isinstance(value, list) else []
    return [(str(each[0]), str(each[1])) if isinstance(each, list) and len(each) == 2 else ("", "") for each in rows]


def _searched(function: FunctionSpec, types: SureTypes) -> tuple[Parameter, ...]:
    """Return the parameters that are searched, none where one that calls need has no type that is certain."""
    names = {each.name for each in function.parameters}
    if function.kind != "function" or "." in function.qualname or function.is_async or function.qualname in names:
        return ()
    if any(name == RESULT or name.startswith("_probatum") for name in names):
        return ()
    kept = tuple(each for each in function.parameters if _is_sure(each, types))
    others = [each for each in function.parameters if each not in kept]
    return () if any(not each.may_be_left_out or each.kind == "positional_only" for each in others) else kept


def _is_sure(parameter: Parameter, types: SureTypes) -> bool:
    is_one = not parameter.kind.startswith("var_") and types.words(parameter.annotation or "") is not None
    return is_one and _hinted(parameter) <= _HINTS


def _hinted(parameter: Parameter) -> set[str]:
    node = parse_annotation(parameter.annotation or "")
    return names_in(node) if node is not None else set()


def _without_documents(source: Source) -> str:
    """Return the program without docstrings of functions: CrossHair would take conditions in them for granted.

    It is no Python where the program cannot be written again.
    """
    try:
        tree = parsed(source.text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and ast.get_docstring(
                node, False
            ):
                node.body[0] = ast.Pass()
        return ast.unparse(tree)
    except UNPARSABLE:
        return "("


def _factory(place: int, terms: SearchedTerms) -> str:
    body = [f"import {', '.join(sorted(OFFERED_MODULES))}", terms.helpers]
    body.append(f"return [{', '.join(f'({each.text})' for each in terms.all)}]")
    return f"def {_TERMS}_{place}():\n{indent(chr(10).join(body), '    ')}\n{_TERMS}_{place} = {_TERMS}_{place}()\n"


def _asked(place: int, terms: SearchedTerms, term: Predicate) -> str:
    """Return the call of a condition, by its number among those of its place."""
    given = ", ".join(f"{name}={name}" for name in term.names)
    return f"{_TERMS}_{place}[{terms.all.index(term)}]({given})"


def _wrapper(
    name: str,
    function: FunctionSpec,
    parameters: Sequence[Parameter],
    told: Sequence[SearchedTerms],
    announced: frozenset[str],
    wanted: tuple[int, Predicate],
) -> str:
    """Return a function with the parameters of the other that returns whether one clause holds for a call."""
    lines = ['"""', "post: _", '"""', f"{RESULT} = None"]
    required = [_asked(at, terms, each) for at, terms in enumerate(told) for each in terms.requires]
    lines += [f"if not {each}: return True" for each in required]
    due = [f"({each!r}, {_asked(at, terms, term)})" for at, terms in enumerate(told) for each, term in terms.raises]
    lines.append(f"_probatum_due = [each for each, holds in [{', '.join(due)}] if holds]")
    lines += [f"{each.name}{AFTER} = {_copied(each)}" for each in parameters]
    lines += ["try:", f"    {RESULT} = {function.qualname}({', '.join(map(_argument, parameters))})"]
    lines += [f"    if hasattr({RESULT}, '__next__'): {RESULT} = list({RESULT})"]
    lines += ["except Exception as _probatum_error:"]
    lines += ["    _probatum_kinds = {each.__name__ for each in type(_probatum_error).__mro__}"]
    excused = f"not _probatum_due and not _probatum_kinds.isdisjoint({sorted(announced)!r})"
    lines += [f"    return not _probatum_kinds.isdisjoint(_probatum_due) or ({excused})"]
    place, term = wanted
    holds = _asked(place, told[place], term) if term in told[place].all else "True"
    lines += [f"return not _probatum_due and bool({holds})"]
    heads = ", ".join(f"{each.name}: {each.annotation}" for each in parameters)
    return f"def {name}({heads}) -> bool:\n{indent(chr(10).join(lines), '    ')}\n"


def _copied(parameter: Parameter) -> str:
    return parameter.name if _hinted(parameter) <= _SCALARS else f"__import__('copy').deepcopy({parameter.name})"


def _argument(parameter: Parameter) -> str:
    given = f"{parameter.name}{AFTER}"
    return given if parameter.kind == "positional_only" else f"{parameter.name}={given}"


def _call(message: str, function: FunctionSpec, parameters: Sequence[Parameter]) -> DirectCall | None:
    """Return the call of the function that a message names, None where its arguments are no plain values."""
    said = _CALLED.search(message)
    node = expression_of(said[1].rpartition(_RETURNING)[0] or said[1]) if said else None
    if not isinstance(node, ast.Call):
        return None
    given = dict(zip((each.name for each in parameters), node.args, strict=False))
    given |= {each.arg: each.value for each in node.keywords if each.arg}
    try:
        values = {name: value_of(each) for name, each in given.items()}
    except (NotReadableError, *UNPARSABLE):
        return None
    if values.keys() != {each.name for each in parameters}:
        return None
    # By position as far as that goes: what is left out stands behind.
    first = list(takewhile(lambda each: each.name in values and each.kind != "keyword_only", function.parameters))
    args = tuple(values.pop(each.name) for each in first)
    return DirectCall(function.qualname, args, tuple(values.items()))
