"""Clauses asked in the program's own process, as sessions: for arguments and results that cannot cross.

One test a reading: it makes the reader's calls, and asserts the clause after every one that the requirements admit. It
is neither passed nor failed where no call is admitted. What counts of it is for `reading_sessions` to say.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from probatum.programs.parsing.expressions import names_in
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, JudgedClause, ReadingJudge
from probatum.programs.source import expression_of
from probatum.programs.specification import FunctionSpec
from probatum.readings.values import Reading, ReadingKind


def clause_sessions(
    judge: ReadingJudge,
    function: FunctionSpec,
    wanted: Collection[str],
    others: Sequence[ReadingJudge] = (),
    made: Collection[str] = (),
) -> Mapping[Reading, str]:
    """Return the body of a test for each of the wanted readings that speaks of results or exceptions.

    What ``others`` require limits them too. Nothing is asked where that needs helpers of its own. Inputs of a method
    begin with its object. ``made`` are the helpers that an environment wrote: a call with what one of them makes, for
    which a clause has no truth value, is left out.
    """
    limiting = [each for each in others if each.of_kind(ReadingKind.REQUIRES, ReadingKind.RAISES)]
    if any(each.record.helpers.strip() not in {"", judge.record.helpers.strip()} for each in limiting):
        return {}
    around = [each for one in (judge, *limiting) for each in one.clauses]
    inputs = [tree for text in judge.record.inputs if isinstance(tree := expression_of(text), ast.expr)]
    called = _reading(function) if function.is_read else function.qualname
    rows = [f"({_call(function, each)!r}, lambda: {_made(function, each)})" for each in inputs]
    calls = f"[{', '.join(rows)}]"
    loose = repr([_call(function, each) for each in inputs if not names_in(each).isdisjoint(made)])
    requires = f"[{', '.join(_clause(each) for each in around if each.kind is ReadingKind.REQUIRES)}]"
    raises = f"[{_raising([each for each in around if each.kind is ReadingKind.RAISES])}]"
    announced = named_exceptions(function)
    read = {each.reading.exception.rpartition(".")[2] for each in judge.clauses if each.kind is ReadingKind.RAISES}
    named = f"{sorted(announced - read)!r}, {sorted(announced & read)!r}"
    found: dict[Reading, str] = {}
    for reading in (each for each in judge.record.readings if rows and judge.record.id_of(each) in wanted):
        own = [each for each in judge.clauses if each.reading is reading]
        if reading.kind is ReadingKind.RAISES:
            asked = f"_asked['exceptions'](lambda: {called}, {calls}, {requires}, [{_raising(own)}], {loose})"
        elif reading.kind in SPEAKS_OF_RESULTS:
            clauses = f"[{', '.join(map(_clause, own))}]"
            asked = f"_asked['results'](lambda: {called}, {calls}, {requires}, {raises}, {clauses}, {named}, {loose})"
        else:
            continue
        found[reading] = f"return {asked}"
    return found


def _call(function: FunctionSpec, tree: ast.expr) -> str:
    elements = tree.elts if isinstance(tree, ast.Tuple) else [ast.Starred(tree)]
    if function.is_read and len(elements) == 1:
        return ast.unparse(ast.Attribute(elements[0], function.qualname.rpartition(".")[2]))
    return f"{function.qualname}({', '.join(map(ast.unparse, elements))})"


def _made(function: FunctionSpec, tree: ast.expr) -> str:
    owner, _, name = function.qualname.rpartition(".")
    if function.kind != "method":
        return ast.unparse(tree)
    return f"_asked['of_class']({owner}, {ast.unparse(tree)}{f', {name!r}' * function.is_read})"


def _reading(function: FunctionSpec) -> str:
    """Return a function that reads a property on its object."""
    own = ", ".join(each.name for each in function.parameters)
    return f"(lambda {own}: {own}.{function.qualname.rpartition('.')[2]})"


def _raising(clauses: list[JudgedClause]) -> str:
    return ", ".join(f"({_clause(each)}, {each.reading.exception.rpartition('.')[2]!r})" for each in clauses)


def _clause(clause: JudgedClause) -> str:
    return f"(lambda {', '.join(clause.needs)}: ({clause.code}), {list(clause.needs)!r})"


def failing_call(message: str) -> tuple[str, str]:
    """Return the call that a failing test names, empty where it names none, and what came of it."""
    said = message.removeprefix("AssertionError: ")
    ends = [place for verb in (" gives: ", " raises: ") if (place := said.find(verb)) > 0]
    return (said[: min(ends)], said[min(ends) + 1 :]) if ends else ("", message)
