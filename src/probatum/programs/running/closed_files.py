"""Files in which an answer depends on nothing but the arguments, and those among them that a solver models exactly.

What was run once for each input is known of it only where no number is drawn, no clock is read, no state is kept, and
nothing shows where an object lies, how deep the stack is, or how Python was started. What CrossHair confirmed counts
for whole numbers and truth values alone: it takes floating-point numbers for real ones, models texts and containers by
code of its own, and a program that shares its process could forge what it says. What such a file, and a condition on
its calls, is made of is listed here. Refuses, with the first reason, whatever is not.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

from probatum.programs.inputs.finite import members_of
from probatum.programs.parsing.annotations import accepts, parse_annotation
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.sure_types import sure_types
from probatum.programs.source import UNPARSABLE, expression_of
from probatum.programs.specification import FunctionSpec
from probatum.readings.rules import bound_by
from probatum.readings.vocabulary import ERRORS, STATEMENTS

_FOR_TYPES = frozenset({"__future__", "collections.abc", "typing", "typing_extensions"})
_LAZY = word_set("enumerate filter map reversed zip")
_LIMITS = word_set("Exception MemoryError RecursionError RuntimeError")
"""What is raised at a depth or size that depends on who calls and on the machine."""
_PLAIN = word_set("name value pi e inf nan")
_ATTRIBUTES = {name for owner in (str, bytes, int, float, list, tuple, dict, math) for name in vars(owner)} | _PLAIN
# A format reads attributes, and a generator knows its frame.
_NOT_READ = word_set("format format_map gi_code gi_frame")
# They are joined to sets, which have the order of hashes.
_VIEWS = word_set("items keys")
_HINTS = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load),
    *(ast.UnaryOp, ast.USub),
)
_CHANGEABLE = (ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.Call, ast.NamedExpr)
# What an assertion may call: of errors these raise TypeError alone.
_ASKING = word_set("abs bool isinstance issubclass len")
_ACTING = (ast.NamedExpr, ast.Subscript, ast.BinOp, ast.Attribute, ast.FormattedValue)
_EXACT = {int, bool, type(None)}
_EXACT_HINTS = word_set("int bool Optional Union Literal tuple Tuple")


@dataclass(frozen=True, slots=True)
class _Words:
    """What code is made of."""

    functions: frozenset[str]
    """Those of Python that it names."""
    syntax: tuple[type[ast.AST], ...]
    modules: frozenset[str]


_NEVER = (ast.Import, ast.ImportFrom, ast.alias, ast.With, ast.withitem, ast.Yield, ast.YieldFrom, ast.Delete)
_CLOSED = _Words(
    word_set(
        "abs all any bool bytes chr dict divmod enumerate filter float int isinstance issubclass len list map max min"
        " ord pow range reversed round sorted str sum tuple zip"
    ),
    tuple(each for each in STATEMENTS if each not in {*_NEVER, ast.Set, ast.SetComp}),
    _FOR_TYPES | {"enum", "math"},
)
_NUMBERS = _Words(
    word_set("abs bool divmod int max min range"),
    (
        *(ast.BoolOp, ast.boolop, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.UnaryOp, ast.Not),
        *(ast.USub, ast.UAdd, ast.Compare, ast.cmpop, ast.IfExp, ast.Call, ast.keyword, ast.Name, ast.Load, ast.Store),
        *(ast.Constant, ast.Tuple, ast.Subscript, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign),
        *(ast.AnnAssign, ast.AugAssign, ast.If, ast.While, ast.For, ast.Break, ast.Continue, ast.Pass, ast.Assert),
        *(ast.Raise, ast.Expr),
    ),
    _FOR_TYPES,
)


@dataclass(frozen=True, slots=True)
class _Outermost:
    """What the outermost statements of a file are, as far as they are listed."""

    modules: frozenset[str]
    """What may be imported."""
    roots: list[ast.AST] = field(default_factory=list)
    """What runs in calls, and values that outlive them."""
    hints: list[ast.AST] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)
    """Names for types, which no call may use: modules for types hold other modules, and functions."""
    aliases: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    """Of enumerations, as ``Colour.RED``."""
    wrong: list[str] = field(default_factory=list)

    def add(self, each: ast.stmt) -> None:
        """Sort one statement."""
        match each:
            case ast.ImportFrom(module=str() as module, names=names, level=0) if module in self.modules:
                self.wrong.extend(f"it imports {one.name} otherwise" for one in names if one.asname or one.name == "*")
                self.imported.update(one.name for one in names if module != "math")
            case ast.Import(names=names) if all(one.name in self.modules and not one.asname for one in names):
                self.imported.update(name for name, module in bound_by([each]).items() if module != "math")
            case ast.ClassDef(bases=bases, body=body) if members_of(each) and self._are_imported(bases, body):
                self.members.update(f"{each.name}.{name}" for name in members_of(each) or ())
                self.roots.extend(inner for inner in body if isinstance(inner, ast.FunctionDef))
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                if names_in(value) & (self.imported | self.aliases):
                    self.aliases.update(bound_by([each]))
                    self.hints.extend(filter(None, (value, getattr(each, "annotation", None))))
                else:
                    self.roots.append(each)
            case ast.FunctionDef() | ast.Expr(value=ast.Constant()):
                self.roots.append(each)
            case _:
                self.wrong.append(f"line {each.lineno} runs when the file is imported")

    def _are_imported(self, bases: list[ast.expr], body: list[ast.stmt]) -> bool:
        """Whether the base of an enumeration, and ``auto``, are those of Python."""
        values = [inner.value for inner in body if isinstance(inner, ast.Assign)]
        return all(names_in(each) <= self.imported for each in (*bases, *values))


def why_not_closed(tree: ast.Module, conditions: Sequence[str] = ()) -> str:
    """Return the first thing by which an answer, or what a condition says of it, could depend on more than arguments.

    It is empty where there is none.
    """
    return next(_reasons(tree, conditions, _CLOSED), "")


def why_not_modelled(tree: ast.Module, function: FunctionSpec, conditions: Sequence[str]) -> str:
    """Return the first thing about a program, or about conditions on its calls, that a solver may model otherwise."""
    return next(chain(_beyond_types(tree, function), _reasons(tree, conditions, _NUMBERS)), "")


def _running(roots: Iterable[ast.AST], hints: list[ast.AST]) -> list[ast.AST]:
    """Return the nodes that run in a call, without documentation; annotations are added to ``hints``."""
    waiting, found = list(roots), list[ast.AST]()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        found.append(node)
        for name, value in ast.iter_fields(node):
            parts = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]
            (hints if name in {"annotation", "returns"} else waiting).extend(parts)
    return found


def _condition(text: str) -> ast.expr:
    tree = expression_of(text)
    # What is no expression has syntax that is not listed.
    return tree.body if isinstance(tree, ast.Lambda) else tree or ast.Await(ast.Constant(None))


def _reasons(tree: ast.Module, conditions: Sequence[str], words: _Words) -> Iterator[str]:
    outer = _Outermost(words.modules)
    for statement in tree.body:
        outer.add(statement)
    yield from outer.wrong
    hints, own = outer.hints, [name for each in tree.body for name in bound_by([each])]
    yield from (f"it gives {name} two meanings" for name in own if own.count(name) > 1)
    nodes = _running(outer.roots, hints)
    yield from (
        f"an annotation has {type(part).__name__}"
        for each in hints
        for part in ast.walk(each)
        if not isinstance(part, _HINTS)
    )
    kept = [each.value for each in outer.roots if isinstance(each, ast.Assign | ast.AnnAssign)]
    kept += [
        value for each in nodes if isinstance(each, ast.arguments) for value in (*each.defaults, *each.kw_defaults)
    ]
    changing = (part for each in kept if each for part in ast.walk(each) if isinstance(part, _CHANGEABLE))
    yield from (f"line {part.lineno} keeps what could change" for part in changing)
    bound = {*own, *bound_by(nodes)} - outer.imported - outer.aliases
    errors = ERRORS - _errors_of_others(nodes)
    for parts in (nodes, *(_running([_condition(text)], []) for text in conditions)):
        # A condition names what it is given, and functions of the file.
        bound |= set() if parts is nodes else {name for each in parts for name in names_in(each)}
        known = words.functions | errors | {name for name in bound if not hasattr(builtins, name)}
        yield from _of_nodes(parts, known, outer.members, words.syntax)
        yield from _beyond_numbers(parts) if words is _NUMBERS else ()


def _errors_of_others(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """Return the exceptions that depend on who calls and how Python was started, where they could be caught."""
    kinds = set(map(type, nodes))
    limits = _LIMITS if ast.ExceptHandler in kinds else frozenset[str]()
    return limits | {"AssertionError", "TypeError"} if ast.Assert in kinds else limits


def _of_nodes(
    nodes: Sequence[ast.AST], known: Collection[str], members: Collection[str], syntax: tuple[type[ast.AST], ...]
) -> Iterator[str]:
    compared = [each for each in nodes if isinstance(each, ast.Compare)]
    attributes = _ATTRIBUTES | {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
    attributes |= {each.partition(".")[2] for each in members}
    attributes -= {each for each in attributes if each[0] == "_"} | _NOT_READ
    loops = [each.iter for each in nodes if isinstance(each, ast.For | ast.comprehension)]
    iterated = {id(each.func) for each in loops if isinstance(each, ast.Call)}
    # A set is only asked what it contains, which no order of it shows.
    asked = {id(part) for each in compared for op, part in zip(each.ops, each.comparators, strict=True) if _is_in(op)}
    for node in nodes:
        match node:
            case ast.Set() if id(node) in asked:
                pass
            case _ if not isinstance(node, syntax):
                yield f"it has {type(node).__name__}"
            case ast.FunctionDef(decorator_list=[_, *_]):
                yield f"{node.name} is decorated"
            case ast.Attribute(attr=name, ctx=use) if not isinstance(use, ast.Load) or name not in attributes:
                yield f"line {node.lineno} uses {name}"
            case ast.Attribute(attr=name) if name in _VIEWS and id(node) not in iterated:
                yield f"line {node.lineno} uses {name}, which sets are made of"
            case ast.Name(id=name, ctx=ast.Load()) if name.startswith("__") or name not in known:
                yield f"line {node.lineno} uses {name}"
            case ast.Compare(ops=ops, comparators=others) if not all(map(_is_by_value, ops, others, repeat(members))):
                yield f"line {node.lineno} asks which object it is"
            case ast.MatchClass(kwd_attrs=[_, *_]):
                yield f"line {node.cls.lineno} reads attributes"
            case ast.ExceptHandler(type=None) | ast.Try(finalbody=[_, *_]):
                yield f"line {node.lineno} could catch everything"
            case ast.FormattedValue(format_spec=ast.JoinedStr() as spec) if set("n{") & set(ast.unparse(spec)):
                yield f"line {node.lineno} writes numbers as is usual where it runs"
            case ast.Assert() if any(map(_acts, ast.walk(node))):
                yield f"line {node.lineno} does something in an assertion"
    if _shows_objects(nodes, members):
        yield "it could write where something lies in memory"


def _is_in(operator: ast.cmpop) -> bool:
    return isinstance(operator, ast.In | ast.NotIn)


def _is_by_value(operator: ast.cmpop, other: ast.expr, members: Collection[str]) -> bool:
    """Whether a comparison gives the same for equal values: by identity there are one None, True, False, and member."""
    is_one = isinstance(other, ast.Constant) and (other.value is None or isinstance(other.value, bool))
    return not isinstance(operator, ast.Is | ast.IsNot) or is_one or ast.unparse(other) in members


def _acts(node: ast.AST) -> bool:
    """Whether what Python may leave out could be missed: it changes something, or raises another error."""
    is_plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASKING
    return isinstance(node, _ACTING) or (isinstance(node, ast.Call) and not is_plain)


def _shows_objects(nodes: Sequence[ast.AST], members: Collection[str]) -> bool:
    """Whether a text could be made of something that is written with its place in memory.

    Or an assertion, which Python may leave out, goes through something that is empty then.
    """
    own = {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
    called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
    owners = {id(each.value) for each in nodes if isinstance(each, ast.Attribute)}
    writes = has_objects = False
    for node in nodes:
        match node:
            case ast.JoinedStr() | ast.Assert() | ast.Name(id="str", ctx=ast.Load()):
                writes = True
            case ast.BinOp(op=ast.Mod(), right=right) | ast.AugAssign(op=ast.Mod(), value=right):
                writes = writes or not isinstance(right, ast.Constant)
            case ast.GeneratorExp() | ast.Lambda():
                has_objects = True
            case ast.Name(id=name, ctx=ast.Load()) if name in _LAZY or (name in own and id(node) not in called):
                has_objects = True
            case ast.Name(id="math") if id(node) not in owners:
                has_objects = True
            case ast.Attribute(attr=name) if id(node) not in called and name not in _PLAIN - own:
                has_objects = has_objects or ast.unparse(node) not in members
    return writes and has_objects


def _beyond_types(tree: ast.Module, function: FunctionSpec) -> Iterator[str]:
    """Yield the parameters that could be given, or be left out for, something else than numbers and truth values."""
    types = sure_types(tree)
    for each in function.parameters:
        text = each.annotation or ""
        node = parse_annotation(text)
        values = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)] if node else []
        is_exact = node is not None and names_in(node) <= _EXACT_HINTS and set(map(type, values)) <= _EXACT
        is_exact = is_exact and types.words(text) is not None and not each.kind.startswith("var_")
        if not is_exact or not (each.default is None or _accepts_default(text, each.default)):
            yield f"the parameter {each.name} is not declared of whole numbers and truth values"


def _accepts_default(annotation: str, default: str) -> bool:
    try:
        return accepts(annotation, ast.literal_eval(default)) is True
    except (ValueError, *UNPARSABLE):
        return False


def _beyond_numbers(nodes: Sequence[ast.AST]) -> Iterator[str]:
    own = {each.name for each in nodes if isinstance(each, ast.FunctionDef)}
    local = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    local |= {each.arg for each in nodes if isinstance(each, ast.arg)}
    taken = (name for name in own | local if hasattr(builtins, name) or name[0] == "_" or name in own & local)
    yield from (f"it gives {name} another meaning" for name in taken)
    raised = [each.exc for each in nodes if isinstance(each, ast.Raise) and isinstance(each.exc, ast.Call)]
    said = {id(part) for each in raised for part in each.args}
    said |= {id(each.msg) for each in nodes if isinstance(each, ast.Assert)}
    ranges = {id(each.iter) for each in nodes if isinstance(each, ast.For)}
    counted = {id(each.func) for each in nodes if isinstance(each, ast.Call) and id(each) in ranges}
    for node in nodes:
        match node:
            case ast.FunctionDef(body=body) if any(isinstance(p, ast.FunctionDef) for b in body for p in ast.walk(b)):
                yield f"a function is defined within {node.name}"
            case ast.Constant(value=value) if type(value) not in _EXACT and not (
                isinstance(value, str) and id(node) in said
            ):
                yield f"it uses {ast.unparse(node)[:40]}"
            case ast.Call(func=ast.Name(id=name), keywords=named) if not named or name in own:
                pass
            case ast.Call():
                yield f"it calls {ast.unparse(node)[:40]}"
            case ast.Name(id=name) if (name == "range") is not (id(node) in counted):
                yield "it goes through something else than a range"
            case ast.Compare(ops=ops, comparators=others) if not all(map(_is_of_numbers, ops, others)):
                yield f"it compares {ast.unparse(node)[:40]}"
            case ast.For(iter=other) if not isinstance(other, ast.Call):
                yield "it goes through something else than a range"


def _is_of_numbers(operator: ast.cmpop, other: ast.expr) -> bool:
    """Whether a comparison by identity is with None, and one of membership with a tuple that is written out."""
    if isinstance(operator, ast.Is | ast.IsNot):
        return isinstance(other, ast.Constant) and other.value is None
    return isinstance(other, ast.Tuple) or not _is_in(operator)
