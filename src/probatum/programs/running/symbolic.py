"""Searching inputs that break a clause by symbolic execution, with CrossHair, in a process of the sandbox.

CrossHair runs the program and the clauses on unknown values and asks a solver for those that lead to another path. It
shares the process with the program, which may forge what comes back: a counterexample is an input to try and no more,
and whether every path was confirmed counts for programs in `symbolic_subset` alone. Work is counted in paths. Refuses
functions with a parameter of which nothing certain declares the type, and whatever is no function of the module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from probatum.core.limits import MEBIBYTE, JobLimits
from probatum.programs.parsing.annotations import parse_annotation
from probatum.programs.parsing.literals import value_of
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.sure_types import SureTypes, sure_types
from probatum.programs.running.checks import DirectCall
from probatum.programs.running.execute import LoadFailure, loaded
from probatum.programs.running.predicates import AFTER, OFFERED_MODULES, RESULT
from probatum.programs.source import UNPARSABLE, Source, expression_of, module_or_none
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.readings.syntax import NotReadableError
from probatum.sandbox import Environment, Program, Returned, Sandbox

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
class SearchedTerm:
    """A condition as a ``lambda`` with keyword parameters, and the values that it is given."""

    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchedTerms:
    """What says something about calls of one function: conditions that see the same helpers."""

    requires: tuple[SearchedTerm, ...] = ()
    raises: tuple[tuple[str, SearchedTerm], ...] = ()
    """The name of an exception, and when it is due."""
    clauses: tuple[tuple[str, SearchedTerm], ...] = ()
    """The id of a clause, and what it says of the result."""
    helpers: str = ""

    @property
    def all(self) -> tuple[SearchedTerm, ...]:
        """Every condition, in the order in which they are numbered."""
        return (*self.requires, *(term for _, term in self.raises), *(term for _, term in self.clauses))


@dataclass(frozen=True, slots=True)
class SymbolicSearch:
    """What came of searching the clauses of one function."""

    calls: tuple[DirectCall, ...] = ()
    """Inputs that break a clause, as CrossHair says: to be tried."""
    confirmed: frozenset[str] = frozenset()
    """Ids of the clauses that hold on every path, as CrossHair says; an empty id for the exceptions alone."""


def has_crosshair(python: Environment) -> bool:
    """Whether CrossHair is installed where programs run."""
    return any((Path(folder) / "crosshair" / "core_and_libs.py").is_file() for folder in python.packages)


def search(
    source: Source, function: FunctionSpec, told: Sequence[SearchedTerms], announced: frozenset[str], sandbox: Sandbox
) -> SymbolicSearch:
    """SymbolicSearch each clause; what requirements exclude and an announced exception breaks nothing."""
    parameters = _searched(function, sure_types(source.tree))
    text = None if parameters is None or not told else _without_documents(source)
    if parameters is None or text is None:
        return SymbolicSearch()
    wanted = [(id, place, each) for place, terms in enumerate(told) for id, each in terms.clauses]
    wanted = wanted[:MOST_SEARCHED] or [("", 0, SearchedTerm("lambda: True", ()))]
    wrapped = [
        _wrapper(f"{_SEARCH}_{number}", function, parameters, told, announced, (place, term))
        for number, (_, place, term) in enumerate(wanted)
    ]
    parts = [text, *(_factory(place, terms) for place, terms in enumerate(told)), *wrapped, _DRIVER]
    content = "\n".join(parts)
    if module_or_none(content) is None:
        return SymbolicSearch()
    program = source.program
    searched = Program(
        content.encode("utf-8", "backslashreplace"),
        program.module_name,
        program.siblings,
        program.is_package,
        world=program.world,
        files=program.files,
        is_installed=program.is_installed,
    )
    calls: dict[str, DirectCall] = {}
    open_ones, confirmed = set[str](), set[str]()
    with loaded(sandbox, searched, LIMITS) as candidate:
        for number, (id, _, _) in enumerate(wanted):
            reply = (
                None if isinstance(candidate, LoadFailure) else candidate.call(_SEARCH, [f"{_SEARCH}_{number}", PATHS])
            )
            states = list(_states(reply.value)) if isinstance(reply, Returned) else []
            (confirmed if [state for state, _ in states] == [_CONFIRMED] else open_ones).add(id)
            found = [_call(message, function, parameters) for state, message in states if state in _FAILING]
            calls |= {repr(call): call for call in found if call is not None}
    return SymbolicSearch(tuple(calls.values()), frozenset(confirmed - open_ones))


def _states(value: object) -> Iterator[tuple[str, str]]:
    """Yield what CrossHair said; anything else than pairs of texts is no such thing."""
    for each in value if isinstance(value, list) else ():
        match each:
            case [str(state), str(message)]:
                yield state, message
            case _:
                yield "", ""


def _searched(function: FunctionSpec, types: SureTypes) -> tuple[Parameter, ...] | None:
    """Return the parameters that are searched, None where one that calls need has no type that is certain."""
    names = {each.name for each in function.parameters}
    if function.kind != "function" or "." in function.qualname or function.is_async or function.qualname in names:
        return None
    if any(name in {RESULT} or name.startswith("_probatum") for name in names):
        return None
    kept = [each for each in function.parameters if each.annotation and _is_sure(each, types)]
    others = [each for each in function.parameters if each not in kept]
    if any(not each.may_be_left_out or each.kind == "positional_only" for each in others):
        return None
    return tuple(kept) or None


def _is_sure(parameter: Parameter, types: SureTypes) -> bool:
    node = parse_annotation(parameter.annotation or "")
    if node is None or parameter.kind.startswith("var_"):
        return False
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    is_plain = not any(isinstance(each, ast.Attribute) for each in ast.walk(node))
    return is_plain and names <= _HINTS and types.words(parameter.annotation or "") is not None


def _without_documents(source: Source) -> str | None:
    """Return the program without its docstrings: CrossHair would take conditions in them for granted."""
    tree = module_or_none(source.text)
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            document = node.body[0] if node.body and ast.get_docstring(node, clean=False) is not None else None
            node.body = [each for each in node.body if each is not document]
            node.body += [ast.Pass()] if not node.body and not isinstance(node, ast.Module) else []
    try:
        return ast.unparse(tree)
    except UNPARSABLE:
        return None


def _factory(place: int, terms: SearchedTerms) -> str:
    body = [f"import {', '.join(sorted(OFFERED_MODULES))}", terms.helpers]
    body.append(f"return [{', '.join(f'({each.text})' for each in terms.all)}]")
    return f"def {_TERMS}_{place}():\n{indent(chr(10).join(body), '    ')}\n{_TERMS}_{place} = {_TERMS}_{place}()\n"


def _asked(place: int, terms: SearchedTerms, term: SearchedTerm) -> str:
    """Return the call of a condition, by its number among those of its place."""
    given = ", ".join(f"{name}={name}" for name in term.names)
    return f"{_TERMS}_{place}[{terms.all.index(term)}]({given})"


def _wrapper(
    name: str,
    function: FunctionSpec,
    parameters: Sequence[Parameter],
    told: Sequence[SearchedTerms],
    announced: frozenset[str],
    wanted: tuple[int, SearchedTerm],
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
    node = parse_annotation(parameter.annotation or "")
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} if node is not None else set[str]()
    return parameter.name if names <= _SCALARS else f"__import__('copy').deepcopy({parameter.name})"


def _argument(parameter: Parameter) -> str:
    given = f"{parameter.name}{AFTER}"
    return given if parameter.kind == "positional_only" else f"{parameter.name}={given}"


def _call(message: str, function: FunctionSpec, parameters: Sequence[Parameter]) -> DirectCall | None:
    """Return the call of the function that a message names, None where its arguments are no plain values."""
    said = _CALLED.search(message)
    node = expression_of(said[1].rpartition(_RETURNING)[0] or said[1]) if said else None
    if not isinstance(node, ast.Call):
        return None
    given: dict[str, ast.expr] = dict(zip((each.name for each in parameters), node.args, strict=False))
    given |= {each.arg: each.value for each in node.keywords if each.arg}
    try:
        values: Mapping[str, object] = {name: value_of(each) for name, each in given.items()}
    except (NotReadableError, *UNPARSABLE):
        return None
    if values.keys() != {each.name for each in parameters}:
        return None
    first: list[str] = []
    by_place = [each for each in function.parameters if each.kind in {"positional_only", "positional_or_keyword"}]
    # By position as far as that goes: what is left out stands behind.
    while len(first) < len(by_place) and by_place[len(first)].name in values:
        first.append(by_place[len(first)].name)
    rest = tuple((name, value) for name, value in values.items() if name not in first)
    return DirectCall(function.qualname, tuple(values[name] for name in first), rest)
