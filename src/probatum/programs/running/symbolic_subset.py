"""Programs of which it counts that CrossHair confirmed every path: whole numbers and truth values, and nothing else.

CrossHair takes floating-point numbers for real ones and models texts and containers by code of its own, and a program
that shares its process could forge what it says. So what is listed here is all that such a program is made of: no
import, no attribute, no division, no text. Refuses, with the first reason, whatever is not listed.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Sequence

from probatum.programs.parsing.annotations import (
    accepts,
    alternatives_of,
    literal_values,
    name_of,
    parse_annotation,
    parts_of,
)
from probatum.programs.parsing.scanning import word_set
from probatum.programs.source import UNPARSABLE, expression_of
from probatum.programs.specification import FunctionSpec, Parameter

_BUILT_IN = word_set("abs bool divmod int max min range")
_ERRORS = word_set(
    "ArithmeticError AssertionError IndexError KeyError LookupError OverflowError RuntimeError TypeError ValueError"
    " ZeroDivisionError"
)
_FOR_HINTS = frozenset({"__future__", "typing", "typing_extensions", "collections.abc"})
_EXPRESSIONS = (
    *(ast.BoolOp, ast.And, ast.Or, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod),
    *(ast.UnaryOp, ast.Not, ast.USub, ast.UAdd, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    *(ast.IfExp, ast.Call, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Tuple, ast.Subscript),
)
_STATEMENTS = (
    *(ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.While),
    *(ast.For, ast.Break, ast.Continue, ast.Pass, ast.Assert, ast.Raise, ast.Expr),
)


def why_not_modelled(tree: ast.Module, function: FunctionSpec, conditions: Sequence[str]) -> str:
    """Return the first thing about a program, or about conditions on its calls, that is not in the subset."""
    found = (*_of_hints(function), *_of_module(tree), *(each for text in conditions for each in _of_condition(text)))
    return next(iter(found), "")


def _of_hints(function: FunctionSpec) -> Iterator[str]:
    for each in function.parameters:
        node = parse_annotation(each.annotation or "")
        is_known = node is not None and not each.kind.startswith("var_") and _is_exact(node)
        if not is_known or not _takes_default(each):
            yield f"the parameter {each.name} is not declared of whole numbers and truth values"


def _takes_default(parameter: Parameter) -> bool:
    """Whether what is passed where nothing is given is of the declared type."""
    if parameter.default is None:
        return True
    try:
        return accepts(parameter.annotation or "", ast.literal_eval(parameter.default)) is True
    except (ValueError, *UNPARSABLE):
        return False


def _is_exact(node: ast.expr) -> bool:
    parts = alternatives_of(node)
    if parts is not None:
        return all(map(_is_exact, parts))
    name = name_of(node)
    if name == "Literal":
        values = literal_values(node)
        return values is not None and all(type(each) in {int, bool} for each in values)
    if name in {"tuple", "Tuple"}:
        return bool(parts_of(node)) and all(map(_is_exact, parts_of(node)))
    return isinstance(node, ast.Name | ast.Constant) and name in {"int", "bool", "None"}


def _of_module(tree: ast.Module) -> Iterator[str]:
    """Take the whole file: what is not called runs when it is imported, or could be what a name means."""
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    own = {each.name for each in functions}
    for each in tree.body:
        match each:
            case ast.FunctionDef() | ast.Expr(value=ast.Constant()):
                pass
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                own.add(name)
                yield from (f"line {each.lineno}: {why}" for why in _of_nodes(value, own))
            case ast.ImportFrom(module=str() as module, names=names, level=0) if module in _FOR_HINTS:
                yield from (f"imports {one.name} under another name" for one in names if one.asname)
            case _:
                yield f"line {each.lineno} is no function and no number"
    bound = [each.name for each in functions]
    bound += [each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)]
    bound += [each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)]
    yield from (f"gives {name} another meaning" for name in bound if hasattr(builtins, name) or name.startswith("_"))
    yield from (f"defines {name} more than once" for name in sorted(own) if bound.count(name) > 1)
    for each in functions:
        yield from (f"line {each.lineno}: {why}" for why in _of_function(each, own))


def _of_function(node: ast.FunctionDef, own: set[str]) -> Iterator[str]:
    if node.decorator_list or getattr(node, "type_params", None):
        yield "it is decorated"
    bound = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    hints = [each.annotation for each in ast.walk(node) if isinstance(each, ast.arg | ast.AnnAssign)]
    aside = {id(part) for hint in (*hints, node.returns) if hint is not None for part in ast.walk(hint)}
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if default is not None and not isinstance(default, ast.Constant):
            yield "a default is computed"
    for each in node.body:
        yield from _of_nodes(each, own | bound, aside)


def _of_nodes(tree: ast.AST, known: set[str], aside: Collection[int] = ()) -> Iterator[str]:
    said = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise | ast.Assert | ast.Expr)
        for part in ast.walk(_message(node))
    }
    for node in ast.walk(tree):
        if id(node) in aside:
            continue
        match node:
            case ast.FunctionDef() | ast.arguments() | ast.arg():
                yield "a function is defined within it"
            case ast.Constant(value=value) if type(value) not in {int, bool, type(None)}:
                if not (isinstance(value, str) and id(node) in said):
                    yield f"it uses {ast.unparse(node)[:40]}"
            case ast.Call(func=ast.Name(id=name), keywords=named) if name in _BUILT_IN | _ERRORS | known:
                if named and name in _BUILT_IN:
                    yield f"it calls {name} with names"
            case ast.Call():
                yield f"it calls {ast.unparse(node.func)[:40]}"
            case ast.keyword(arg=str()):
                pass
            case ast.Name(id=name) if name not in _BUILT_IN | _ERRORS | known:
                yield f"it uses {name}"
            case ast.For(iter=ast.Call(func=ast.Name(id="range"))):
                pass
            case ast.In() | ast.NotIn() | ast.Is() | ast.IsNot():
                pass
            case ast.Compare(ops=ops, comparators=others) if not all(map(_is_compared, ops, others)):
                yield f"it compares {ast.unparse(node)[:40]}"
            case ast.For():
                yield "it goes through something else than a range"
            case ast.expr() | ast.stmt() | ast.operator() | ast.unaryop() | ast.boolop() | ast.cmpop():
                if not isinstance(node, (*_EXPRESSIONS, *_STATEMENTS)):
                    yield f"it has {type(node).__name__}"


def _is_compared(operator: ast.cmpop, other: ast.expr) -> bool:
    """Whether a comparison by identity is with None, and one of membership with a tuple that is written out."""
    if isinstance(operator, ast.Is | ast.IsNot):
        return isinstance(other, ast.Constant) and other.value is None
    return isinstance(other, ast.Tuple) or not isinstance(operator, ast.In | ast.NotIn)


def _message(node: ast.Raise | ast.Assert | ast.Expr) -> ast.AST:
    """Return the part of a statement that may hold text: what an error says, and documentation."""
    match node:
        case ast.Raise(exc=ast.expr() as error, cause=None):
            return error
        case ast.Assert(msg=ast.expr() as message):
            return message
        case ast.Expr(value=ast.Constant() as document):
            return document
    return ast.Pass()


def _of_condition(text: str) -> Iterator[str]:
    tree = expression_of(text)
    if tree is None:
        yield "a condition is no expression"
        return
    names = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
    yield from _of_nodes(tree, {name for name in names if not hasattr(builtins, name) and not name.startswith("_")})
