"""Readings whose code alone shows that they may say less than the words that they quote.

They restate documented examples, ask for types alone, copy the program, are a requirement read out of words that name
an exception, or leave out a number or a marked name that their words have. Refuses to tell what words mean: numbers and
names are compared.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal

from probatum.core.messages import listed
from probatum.programs.faults.targets import FunctionNode, definitions_of
from probatum.programs.parsing.expressions import free_names, names_in
from probatum.programs.parsing.literals import executed_by
from probatum.programs.requirements.constraints import BUILTIN_EXCEPTIONS
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS
from probatum.programs.source import expression_of, module_or_none
from probatum.programs.specification import Example, FunctionSpec
from probatum.programs.statements.documented import documented
from probatum.readings.lapses import collapsed, places
from probatum.readings.values import Reading, ReadingKind, ReadingRecord

MOST_NAMED = 5
FEWEST_NODES = 40
"""Of a body that is worth the name of a copy: what is shorter any reading of it may say the same way."""
_BUILTINS = frozenset(dir(builtins))
_WORD = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?!\w|\.\d)")
"""In words."""
_WRITTEN = re.compile(r"\d[\d_]*(?:\.\d+)?")
"""In code, also beside letters: the 2 of ``.2f`` is a number of digits."""
_MARKED = re.compile(r"`+([^\W\d]\w*)`+")
_COMPUTED = ""
_NO_CODE = (ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop)


def flags_in_code(question: FunctionQuestion) -> Mapping[str, str]:
    """Return by the id of a reading what its code shows; what is weak only where it leaves results open is apart."""
    return {
        record.id_of(reading): reason
        for record in question.readings
        for reading in record.readings
        if (reason := next(_reasons(question, record, reading), ""))
    }


def left_out_of(record: ReadingRecord, reading: Reading, parameters: Collection[str]) -> tuple[str, ...]:
    """Return the numbers and marked parameters of a reading's words that neither it nor another one of them has."""
    words = collapsed(reading.statement)
    of_the_same = (each for each in record.readings if _overlap(words, collapsed(each.statement)))
    code = "\n".join([*(f"{each.clause} {each.exception}" for each in of_the_same), record.helpers])
    named = [each for each in _MARKED.findall(words) if each in parameters and each not in _WORD.findall(code)]
    # A border is tried from beside it too.
    written = {Decimal(each) + step for each in _WRITTEN.findall(code) for step in (-1, 0, 1)}
    numbers = [each for each in _NUMBER.findall(words) if Decimal(each.replace(",", "")) not in written]
    return tuple(dict.fromkeys([*numbers, *named]))


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


def _reasons(question: FunctionQuestion, record: ReadingRecord, reading: Reading) -> Iterator[str]:
    if reading.kind is ReadingKind.REQUIRES:
        function = question.about(record).function
        around = places([reading.statement], documented((function,)))[0] or ()
        words = " ".join([reading.statement, *(f"{each.text} {each.about}" for each in around)])
        raised = {each.type_name.rpartition(".")[2] for each in function.raises}
        if named := sorted((BUILTIN_EXCEPTIONS | raised).intersection(_WORD.findall(words))):
            yield f"its words are about {named[0]}, and as a requirement it leaves out the calls that raise it"
    if reading.kind is ReadingKind.SESSION and (tree := module_or_none(reading.clause)) is not None:
        if _restates(question.function, tree):
            yield "it repeats documented examples"
        if all(_asks_for_a_type(each.test) for each in ast.walk(tree) if isinstance(each, ast.Assert)):
            yield "it asks for types alone"
        if missing := left_out_of(record, reading, ()):
            yield f"its words have {listed(missing, MOST_NAMED)}, and it does not"
    if reading.kind in {*SPEAKS_OF_RESULTS, ReadingKind.SESSION}:
        code = (reading.clause, record.helpers, record.reference)
        if _copies(question.source.tree, question.function.qualname, code):
            yield "its code is that of the program"


def _restates(function: FunctionSpec, session: ast.Module) -> bool:
    """Tell whether a session makes no other calls than examples do."""
    shown = {each for example in function.examples for each in _calls(function, _whole(example))} - {_COMPUTED}
    made = _calls(function, session)
    return function.kind == "function" and bool(made) and shown.issuperset(made)


def _whole(example: Example) -> ast.Module | None:
    """Return the syntax of an example with its setup."""
    steps = (*(executed_by(each) or each for each in example.setup), example.expression)
    return module_or_none("\n".join(steps))


def _calls(function: FunctionSpec, code: ast.Module | None) -> list[str]:
    """Return the calls of a function as texts in which every argument has its name, `_COMPUTED` where one may vary.

    What a name of the code around it stands for may vary, unless it is written there once: ``Decimal("1")`` means the
    same everywhere.
    """
    if code is None:
        return []
    written: dict[str, list[ast.expr]] = {}
    for node in ast.walk(code):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                written.setdefault(name, []).append(value)
    bound = names_in(code, ast.Store) | {each.arg for each in ast.walk(code) if isinstance(each, ast.arg)}
    found = []
    for each in ast.walk(code):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == function.qualname:
            names = [parameter.name for parameter in function.taken]
            given = [*zip(names, each.args, strict=False), *((key.arg or "**", key.value) for key in each.keywords)]
            meant = {name: _written_for(value, written) for name, value in given}
            is_fixed = all(free_names(part).isdisjoint(bound) for part in meant.values())
            has_all = not any(isinstance(part, ast.Starred) for part in meant.values()) and "**" not in meant
            texts = sorted((name, ast.unparse(value)) for name, value in meant.items())
            found.append(repr(texts) if is_fixed and has_all else _COMPUTED)
    return found


def _written_for(argument: ast.expr, written: Mapping[str, Sequence[ast.expr]]) -> ast.expr:
    values = written.get(argument.id, ()) if isinstance(argument, ast.Name) else ()
    return values[0] if len(values) == 1 else argument


def excludes_values(clause: str) -> bool:
    """Tell whether a condition names values that are not meant: ``x != 3`` or ``x not in (1, 2)``."""
    tree = expression_of(clause)
    compared = [each for each in ast.walk(tree) if isinstance(each, ast.Compare)] if tree is not None else []
    named = (part for each in compared if isinstance(each.ops[0], ast.NotEq | ast.NotIn) for part in each.comparators)
    return any(not any(isinstance(each, ast.Name) for each in ast.walk(part)) for part in named)


def _asks_for_a_type(test: ast.expr) -> bool:
    match test:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" | "callable" | "hasattr")):
            return True
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.BoolOp(values=parts):
            return all(map(_asks_for_a_type, parts))
    return False


def _copies(tree: ast.Module, name: str, code: Sequence[str]) -> bool:
    """Tell whether the body of a function, names of its own aside, stands in some code."""
    node = definitions_of(tree).get(name)
    body = _without_docstring(node.body) if isinstance(node, FunctionNode) else []
    if sum(_size(each) for each in body) < FEWEST_NODES:
        return False
    parsed = [read for each in code if (read := module_or_none(each)) is not None]
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            wanted = _shape([value])
            return any(wanted == _shape([e]) for each in parsed for e in ast.walk(each) if isinstance(e, ast.expr))
    wanted = _shape(body)
    functions = (each for part in parsed for each in ast.walk(part) if isinstance(each, FunctionNode))
    return any(wanted == _shape(_without_docstring(each.body)) for each in functions)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


def _size(node: ast.AST) -> int:
    return sum(not isinstance(each, _NO_CODE) for each in ast.walk(node))


def _shape(nodes: Sequence[ast.AST]) -> str:
    """Return code as text with its own names numbered in order of appearance."""
    names: dict[str, str] = {}

    def numbered(name: str) -> str:
        return name if name in _BUILTINS else names.setdefault(name, f"n{len(names)}")

    def written(value: object) -> str:
        match value:
            case ast.Name(id=name) | ast.arg(arg=name):
                return numbered(name)
            case ast.AST():
                fields = (written(each) for _, each in ast.iter_fields(value) if not isinstance(each, ast.expr_context))
                return f"{type(value).__name__}({','.join(fields)})"
            case list():
                return f"[{','.join(map(written, value))}]"
        return repr(value)

    return written(list(nodes))
