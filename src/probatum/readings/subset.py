"""The closed subset of Python that readings are written in: clauses, sessions, helpers, references, inputs.

This is a filter for honest mistakes and for the obvious, so that a person reviews code that can only compute. It is no
wall: readings are strangers' code and run in a sandboxed process all the same. Refuses, as `SubsetError` with a
sentence about what came and what is expected, anything that is not surely in the subset.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Self

from probatum.core.shape import shown
from probatum.readings import vocabulary as words
from probatum.readings.documented import Documentation
from probatum.readings.rules import (
    Bound,
    Rules,
    SubsetError,
    bound_by,
    expression,
    refuse,
    require,
    statements,
)
from probatum.readings.values import Reading, ReadingKind, ReadingRecord


@dataclass(frozen=True, slots=True)
class Around:
    """What the readings of one function may name besides what they bind themselves."""

    parameters: tuple[str, ...] = ()
    helpers: Bound = field(default_factory=dict)
    """What the helpers bind, see `require_helpers`."""
    program: frozenset[str] = frozenset()
    """Names of the program, for sessions, inputs and helpers."""
    bound: frozenset[str] = frozenset()
    """Those that no session may give another meaning."""
    types: frozenset[str] = frozenset()
    """Names of its types, for clauses."""
    packages: frozenset[str] = frozenset()
    """What may be imported besides modules of the standard library."""
    unclear: frozenset[str] = frozenset()
    """Built-in functions and types of whose names the program has its own, beside what the readings are about."""

    @classmethod
    def of(cls, documented: Documentation, helpers: str) -> Self:
        """Return what there is around the readings of a documented thing; raises SubsetError as `require_helpers`."""
        unclear = (documented.usable & words.COMPUTING) - {documented.name.partition(".")[0]}
        bare = cls(
            documented.parameters,
            program=documented.usable,
            bound=documented.bound,
            types=documented.types,
            packages=documented.packages,
            unclear=unclear,
        )
        return replace(bare, helpers=require_helpers(helpers, bare))


NOTHING = Around()


def require_helpers(source: str, around: Around = NOTHING) -> Bound:
    """Return the names that helpers bind; raises SubsetError for anything but imports, functions and constants."""
    names, kept = words.BUILTINS | around.program, words.BUILTINS | {words.RESULT}
    rules = Rules("the helper code", words.STATEMENTS, names, words.MODULES | around.packages, kept=kept)
    return _definitions(source, rules)


def require_reference(source: str, around: Around) -> None:
    """Raise SubsetError where a reference is not in the subset, or defines no function ``expected``."""
    names = {*words.BUILTINS, *around.helpers}
    modules = words.MODULES | around.packages
    rules = Rules("the reference", words.STATEMENTS, names, modules, around.helpers, words.BUILTINS)
    if words.EXPECTED not in _definitions(source, rules):
        refuse("no_expected", "the reference defines no function 'expected'")


def require_clause(reading: Reading, around: Around) -> None:
    """Raise SubsetError where the clause of a reading is not in the subset; an empty one is nothing to refuse."""
    kind, clause = reading.kind, reading.clause
    if (kind is ReadingKind.RAISES) != bool(reading.exception):
        refuse("wrong_exception", "a reading names an exception where it is of the kind raises, and only there")
    if reading.exception and not all(part.isidentifier() for part in reading.exception.split(".")):
        refuse("wrong_exception", f"the exception is {shown(reading.exception)}, expected a name")
    if not clause.strip():
        return
    if kind is ReadingKind.NARRATIVE:
        refuse("narrative_with_clause", "a narrative reading has a clause, expected none")
    if kind is ReadingKind.SESSION:
        _require_session(clause, around)
        return
    own = set(around.parameters)
    if kind in {ReadingKind.RESULT, ReadingKind.EFFECT}:
        own.add(words.RESULT)
    if kind is ReadingKind.EFFECT:
        own.update(f"{name}{words.AFTER}" for name in around.parameters)
    names = own | set(around.helpers) | words.BUILTINS | around.types
    tree = expression(clause, "the clause")
    require(tree, Rules("the clause", words.EXPRESSIONS, names, words.MODULES, around.helpers, names))
    said = own - set(around.parameters)
    if said and not said & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
        refuse("names_no_result", f"the clause is of the kind {kind.value} and names no {words.RESULT!r}")


def require_input(source: str, around: Around) -> None:
    """Raise SubsetError where an input is not an expression in the subset that can give a tuple of arguments."""
    tree = expression(source, "the input")
    if not isinstance(tree, ast.Tuple | ast.BinOp | ast.Call | ast.Name):
        refuse("input_no_tuple", "the input is not a tuple of arguments, expected one such as (1, 'a') or (1,)")
    names = {*words.BUILTINS, *around.helpers, *around.program, words.ENVIRONMENT}
    modules = words.SESSION_MODULES | around.packages
    rules = Rules("the input", words.EXPRESSIONS, names, modules, around.helpers, may_import_within=True)
    require(tree, rules)


def refusals(record: ReadingRecord, documented: Documentation) -> tuple[str, ...]:
    """Return for each reading of a record why it is not in the subset, empty where it is."""
    try:
        around = Around.of(documented, record.helpers)
    except SubsetError as error:
        return tuple(error.why if each.clause.strip() else "" for each in record.readings)
    return tuple(_refusal(each, around) for each in record.readings)


def _refusal(reading: Reading, around: Around) -> str:
    try:
        require_clause(reading, around)
    except SubsetError as error:
        return error.why
    return ""


def _definitions(source: str, rules: Rules) -> Bound:
    """Return what the top level of some definitions binds."""
    tree = statements(source, rules.what)
    for statement in tree.body:
        if not _is_definition(statement):
            where = f"line {statement.lineno} of {rules.what}"
            refuse("helpers_act", f"{where} does something, expected imports, functions and constants alone", of=where)
    require(tree, rules)
    bound = bound_by(tree.body)
    if words.RESULT in bound or any(name.endswith(words.AFTER) for name in bound):
        sentence = f"{rules.what} binds a name that clauses have for the result or for an argument after the call"
        refuse("name_taken", sentence, name=words.RESULT)
    return bound


def _is_definition(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.Expr(value=ast.Constant()):
            return True
        case ast.AnnAssign(target=ast.Name(), value=ast.expr()):
            return True
        case ast.Assign(targets=targets):
            names = [part for each in targets for part in (each.elts if isinstance(each, ast.Tuple) else [each])]
            return all(isinstance(each, ast.Name) for each in names)
    return False


def _require_session(source: str, around: Around) -> None:
    what = "the session"
    tree = statements(source, what)
    if not tree.body or not any(isinstance(each, ast.Assert) for each in ast.walk(tree.body[-1])):
        refuse("no_assert", "the session ends in no assert")
    # What else the program imports, and what its module is called, nobody can know from the words.
    kept = {*words.SESSION_BUILTINS, words.SCRATCH, *around.bound}
    names, modules = {*kept, *around.program, *around.helpers}, words.SESSION_MODULES | around.packages
    require(tree, Rules(what, words.SESSION_STATEMENTS, names, modules, around.helpers, kept))
    of_program = around.bound | (around.program - bound_by(ast.walk(tree)).keys())
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name in of_program:
                refuse("changes_program", f"the session changes {name!r}, which is under test", name=name)
            case ast.Name(id=name) if name in around.unclear:
                refuse(
                    "unclear_name", f"the session names {name!r}, which may be Python's own or the program's", name=name
                )
            case ast.Assert(test=ast.Constant() | ast.Tuple() as told) if getattr(told, "value", True):
                refuse("asserts_nothing", "the session asserts what is always true, expected a condition")
