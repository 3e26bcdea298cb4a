"""The readings of one record as one program: its helpers, a function for each clause, and one that asks them all.

It runs in a sandboxed process of its own, never where the program or the judge runs, and its work is counted: clauses
and helpers are strangers' code. It only tells what each clause gave; the judge decides. Refuses a record
whose helpers and clauses are no Python, with the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from probatum.core.errors import NotAttemptedError
from probatum.core.limits import JobLimits
from probatum.programs.faults.work_limit import with_work_limit
from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.source import expression_of, module_or_none
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.sandbox import Lost, Program

RESULT = "result"
AFTER = "__after"
RECORD = "\0record"
ASK = "_probatum_ask"
"""What is called with the name of one of the others, and the arguments of each question to it."""
JUDGE = "_probatum_judge"
INPUT = "_probatum_input"
BORDER = "_probatum_border"
REFERENCE = "_probatum_reference"
MOST_BORDERS = 12
WORK_PER_CALL = 400_000
"""How much counted work the clauses of one record may do for one question about a call."""
LIMITS = JobLimits(cpu_seconds=60, wall_seconds=10.0)
_ONE = "_probatum_one"
_OF_TYPES = frozenset({"callable", "hasattr", "isinstance", "issubclass", "type"})
Truth = bool | None
"""Whether a clause holds; None where it gives no truth value."""
SPEAKS_OF_RESULTS = frozenset({ReadingKind.RESULT, ReadingKind.EFFECT})

_ANSWERING = f"""

def {_ONE}(name, args):
    return globals()[name](*args)
"""
# Ours, and not counted: what one question used up ends no other. An answer is in a list, None where there is none.
_JUDGE = f"""

class _probatum_Record:
    def __init__(self, name, fields):
        self.__dict__.update(fields)
        self.__dict__["_probatum_name"] = name

    def __eq__(self, other):
        return isinstance(other, _probatum_Record) and self.__dict__ == other.__dict__

    def __repr__(self):
        shown = (f"{{name}}={{value!r}}" for name, value in self.__dict__.items() if name != "_probatum_name")
        return f"{{self._probatum_name}}({{', '.join(shown)}})"


def _probatum_made(value, known=None):
    from collections import deque
    known = {{}} if known is None else known
    if not isinstance(value, (list, tuple, set, frozenset, dict, deque)):
        return value
    if id(value) not in known:
        known[id(value)] = _probatum_made_anew(value, known)
    return known[id(value)]


def _probatum_made_anew(value, known):
    from collections import deque, namedtuple
    if isinstance(value, tuple) and len(value) == 4 and value[0] == {RECORD!r}:
        fields = {{name: _probatum_made(field, known) for name, field in value[2]}}
        if isinstance(value[3], tuple):
            return namedtuple(value[1], fields)(*fields.values())
        return _probatum_Record(value[1], fields) if value[3] is None else _probatum_made(value[3], known)
    if isinstance(value, (tuple, set, frozenset)):
        return type(value)([_probatum_made(each, known) for each in value])
    made = known[id(value)] = deque(maxlen=value.maxlen) if isinstance(value, deque) else type(value)()
    if isinstance(value, dict):
        made.update({{_probatum_made(key, known): _probatum_made(item, known) for key, item in value.items()}})
    else:
        made.extend(_probatum_made(each, known) for each in value)
    return made


def _probatum_reason(error):
    try:
        return f"{{type(error).__name__}}: {{error}}"[:200]
    except BaseException:
        return type(error).__name__


def {JUDGE}(given, wanted):
    from copy import deepcopy
    told, known = [], {{}}
    given = {{name: _probatum_made(value, known) for name, value in given.items()}}
    for index in wanted:
        clause, needs = _probatum_clauses[index]
        try:
            told.append(bool(clause(**deepcopy({{name: given[name] for name in needs}}))))
        except BaseException as error:
            told.append(_probatum_reason(error))
    return told


def _probatum_same(one, other):
    from math import isclose
    if hasattr(other, "__next__"):
        other = list(other)
    if type(one) is float or type(other) is float:
        try:
            return one == other or isclose(one, other, rel_tol=1e-9)
        except TypeError:
            return False
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(_probatum_same, one, other))
    if type(one) is dict and type(other) is dict:
        return one.keys() == other.keys() and all(_probatum_same(one[key], other[key]) for key in one)
    return bool(one == other)


def {REFERENCE}(args, named, result):
    named = {{name: _probatum_made(value) for name, value in named.items()}}
    return _probatum_same(_probatum_made(result), expected(*map(_probatum_made, args), **named))


def {INPUT}(index):
    return _probatum_inputs[index]()


def {BORDER}(given, wanted):
    from copy import deepcopy
    told = []
    for index in wanted:
        border, needs = _probatum_borders[index]
        try:
            told.append(border(**{{name: deepcopy(given[name]) for name in needs}}))
        except BaseException:
            told.append(None)
    return told


def {ASK}(name, rows):
    told = []
    for args in rows:
        try:
            told.append([{_ONE}(name, args)])
        except BaseException:
            told.append(None)
    return told
"""


@dataclass(frozen=True, slots=True)
class JudgedClause:
    """One clause that can be asked.

    "Raises X if A, or if B" is two, of one reading: A, and B without A. Each is met and due by itself.
    """

    id: str
    reading: Reading
    code: str
    """A single expression, as Python writes it."""
    needs: tuple[str, ...]
    """The values that it is given: parameters, ``NAME__after`` and ``result``."""

    @property
    def kind(self) -> ReadingKind:
        """What it says of a call."""
        return self.reading.kind

    @property
    def is_about_types(self) -> bool:
        """Whether it may speak of arguments that are not of their declared types."""
        return bool(names_in(ast.parse(self.code)) & _OF_TYPES)


@dataclass(frozen=True, slots=True)
class Border:
    """What one argument, or its length, is compared with somewhere in the clauses of a record."""

    parameter: str
    is_length: bool
    expression: str
    needs: tuple[str, ...]
    """The parameters that the other side of the comparison is about."""


@dataclass(frozen=True, slots=True)
class ReadingJudge:
    """What judges calls of one function by the readings of one record."""

    record: ReadingRecord
    parameters: tuple[Parameter, ...]
    """Those that a caller fills."""
    clauses: tuple[JudgedClause, ...]
    borders: tuple[Border, ...]
    program: Program
    limits: JobLimits = LIMITS
    """Of its process, which serves many questions; what one of them may cost is counted."""
    exhausted: list[Lost] = field(default_factory=list, compare=False)
    """What ended its process by a budget in this verification, for one question each: see `evaluator.ask`."""

    def of_kind(self, *kinds: ReadingKind) -> tuple[int, ...]:
        """Return the places of the clauses of these kinds."""
        return tuple(index for index, each in enumerate(self.clauses) if each.kind in kinds)

    def by_reading(self, found: Mapping[int, Truth]) -> Mapping[str, Truth]:
        """Return the truth of whole readings, by their ids, from that of clauses by their places."""
        told: dict[str, list[Truth]] = {}
        for place, truth in found.items():
            told.setdefault(self.clauses[place].id, []).append(truth)
        return {name: True if True in each else None if None in each else False for name, each in told.items()}


def judge_of(record: ReadingRecord, function: FunctionSpec) -> ReadingJudge | str:
    """Return what judges by the readings of a record that have a clause about calls, or why there is no such thing."""
    # Inputs of a method begin with its object, so that clauses may be about it.
    return judge_with(record, function.parameters if function.kind == "method" else function.taken)


def judge_with(record: ReadingRecord, parameters: tuple[Parameter, ...]) -> ReadingJudge | str:
    """Return what `judge_of` does, for whatever has these parameters."""
    judge = _judge_with(record, parameters)
    return judge if isinstance(judge, str) else replace(judge, limits=LIMITS, exhausted=[])


# What is tried as a proposal is asked again as what counts.
@lru_cache(maxsize=8)
def _judge_with(record: ReadingRecord, parameters: tuple[Parameter, ...]) -> ReadingJudge | str:
    names = frozenset(each.name for each in parameters)
    clauses = [
        JudgedClause(record.id_of(each), each, ast.unparse(part), _needs(each.kind, part, names))
        for each in record.readings
        if each.clause and each.check == "python"
        for part in _parts(each)
    ]
    borders = tuple(dict.fromkeys(_borders(clauses, {each.name for each in parameters})))[:MOST_BORDERS]
    reference = record.reference if module_or_none(record.reference) is not None else ""
    parts = [record.helpers, reference, *_functions(clauses), *_inputs(record.inputs), _bordering(borders), _ANSWERING]
    source = "\n".join(parts)
    try:
        counted = with_work_limit(source.encode(), WORK_PER_CALL, fresh_for=_ONE) + _JUDGE.encode()
    except (NotAttemptedError, UnicodeEncodeError) as error:
        return f"its helpers and clauses are not Python: {error}"
    return ReadingJudge(record, parameters, tuple(clauses), borders, Program(counted, "readings"))


def _parts(reading: Reading) -> Iterator[ast.expr]:
    """Yield the expressions of a reading: one, or for an exception one for each alternative without those before it."""
    tree = expression_of(reading.clause)
    if tree is None:
        return
    is_several = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or) and reading.kind is ReadingKind.RAISES
    cases = tree.values if is_several and isinstance(tree, ast.BoolOp) else [tree]
    for index, case in enumerate(cases):
        before: list[ast.expr] = [ast.UnaryOp(ast.Not(), each) for each in cases[:index]]
        yield ast.BoolOp(ast.And(), [*before, case]) if before else case


def _needs(kind: ReadingKind, tree: ast.expr, names: frozenset[str]) -> tuple[str, ...]:
    bindable = names | ({f"{each}{AFTER}" for each in names} | {RESULT} if kind in SPEAKS_OF_RESULTS else set())
    return tuple(sorted(free_names(tree) & bindable))


def _functions(clauses: list[JudgedClause]) -> Iterable[str]:
    for index, each in enumerate(clauses):
        yield f"def _probatum_clause_{index}({', '.join(each.needs)}):\n    return ({each.code})"
    rows = [f"(_probatum_clause_{index}, {list(each.needs)!r})" for index, each in enumerate(clauses)]
    yield f"_probatum_clauses = [{', '.join(rows)}]"


def _inputs(inputs: tuple[str, ...]) -> Iterable[str]:
    rows = [f"lambda: {_one_line(text)}" if expression_of(text) is not None else "None" for text in inputs]
    yield f"_probatum_inputs = [{', '.join(rows)}]"


def _borders(clauses: list[JudgedClause], parameters: set[str]) -> Iterator[Border]:
    # Where calls begin to be legal readers say loosely: a call there is nobody's promise.
    for each in (clause for clause in clauses if clause.kind is not ReadingKind.REQUIRES):
        for node in ast.walk(ast.parse(each.code, mode="eval")):
            sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
            for one, other in [*pairwise(sides), *pairwise(reversed(sides))]:
                name = _measured(one)
                needs = free_names(other)
                # What is bound within the clause, and what only a result tells, is known nowhere else.
                if isinstance(name, ast.Name) and name.id in parameters and not _is_bound(other, each):
                    yield Border(name.id, name is not one, ast.unparse(other), tuple(sorted(needs & parameters)))


def _measured(node: ast.expr) -> ast.expr:
    """Return what ``len`` is taken of, any other expression as it is."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as name], keywords=[]):
            return name
    return node


def _is_bound(node: ast.expr, clause: JudgedClause) -> bool:
    whole = ast.parse(clause.code, mode="eval")
    bound = names_in(whole, ast.Store) | {each.arg for each in ast.walk(whole) if isinstance(each, ast.arg)}
    used = names_in(node)
    return bool(used & bound) or RESULT in used or any(each.endswith(AFTER) for each in used)


def _bordering(borders: Iterable[Border]) -> str:
    rows = [f"(lambda {', '.join(b.needs)}: ({b.expression}), {list(b.needs)!r})" for b in borders]
    return f"_probatum_borders = [{', '.join(rows)}]"


def _one_line(expression: str) -> str:
    # As Python writes it, it cannot end before or after the place where it is put.
    return f"({ast.unparse(ast.parse(expression.strip(), mode='eval'))})"
