"""Probes for data: one mutant for each thing that a value may be looked up in, with nothing in it.

A table of the documented answers serves documented inputs alone, whatever it is (a dictionary, a text that is taken
apart, an object, a pattern) and however it is searched. So is a comparison with something that does not come from the
input. Where a thing cannot be emptied, the copy is the program itself, and the probe says nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import libcst

from probatum.programs.faults.boundaries import excludes_boundary, selects_boundary
from probatum.programs.faults.planting import Edit
from probatum.programs.faults.sites import Site
from probatum.programs.faults.syntax import call_name, descendants
from probatum.programs.source import Source

PROBE_MESSAGE = "branch probe"
_EMPTIED = (
    "(lambda e, v: e(e, v))(lambda e, v:"
    " v[:0] if isinstance(v, (str, bytes, tuple, list, range))"
    ' else __import__("re").compile("(?!)") if hasattr(v, "fullmatch")'
    ' else type(v)(v.__name__) if hasattr(v, "__spec__") and hasattr(v, "__loader__")'
    ' else iter(()) if hasattr(type(v), "__next__")'
    ' else (lambda c: (c.clear(), c)[1])(__import__("copy").copy(v))'
    ' if hasattr(type(v), "clear") and hasattr(type(v), "__len__")'
    ' else {} if hasattr(type(v), "keys")'
    " else frozenset() if isinstance(v, frozenset)"
    " else 0 if type(v) is int"
    " else (lambda c: (vars(c).update((k, e(e, x)) for k, x in [*vars(c).items()]), c)[1])"
    '(__import__("copy").copy(v))'
    ' if hasattr(v, "__dict__") and not isinstance(v, type) and not hasattr(v, "__code__") else v, ('
)
_INNER = (libcst.Element, libcst.DictElement, libcst.Index)
_COMPREHENSIONS = (libcst.ListComp, libcst.SetComp, libcst.DictComp, libcst.GeneratorExp, libcst.Subscript)
_MEMBERSHIP = (libcst.In, libcst.NotIn)
_NAMESPACES = frozenset({"globals", "vars"})
_TARGETS = (libcst.AssignTarget, libcst.Del, libcst.Raise, libcst.AugAssign)
_TESTED = (libcst.If, libcst.IfExp, libcst.While, libcst.Assert, libcst.CompIf)
_JOINS = (libcst.BooleanOperation, libcst.UnaryOperation)
_SEARCHED = (
    libcst.Arg, libcst.Attribute, libcst.Assign, libcst.AnnAssign, libcst.Param, libcst.For, libcst.CompFor,
    libcst.Subscript,
)  # fmt: skip
_BINDING = (libcst.AssignTarget, libcst.AnnAssign, libcst.AugAssign, libcst.NamedExpr, libcst.For, libcst.CompFor)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FEWEST_CHARACTERS = 2
_LARGE = 1 << 31


RAISING = f'(_ for _ in ()).throw(RuntimeError("{PROBE_MESSAGE}"))'
# An outcome of a comparison; which operator makes it say "equal", and what then stands for it; else what raises there.
_OUTCOMES = (
    ("true", libcst.Equal, "False if t is True else t", f"{RAISING} if t else t"),
    ("false", libcst.NotEqual, "True if t is False else t", f"t if t else {RAISING}"),
)


@dataclass(frozen=True, slots=True)
class Branch:
    """One thing to probe: where it is, how it is called (``@`` stands for its line), and what is edited."""

    at: libcst.CSTNode
    words: str
    edits: tuple[Edit, ...]


def data_of(site: Site) -> Iterator[Branch]:
    """Yield the probe of a node that gives the same to every input and can be emptied."""
    node, parent = site.node, site.parent
    if not isinstance(node, libcst.BaseExpression) or site.inside(*_TARGETS) or not _may_hold(site, node, parent):
        return
    if _loaded(node) & (_bound_in(site.plot.root) - _bound_in(node)):
        return
    start, end = site.span(node)
    edits = (Edit(start, start, _EMPTIED), Edit(end, end, "))"))
    yield Branch(node, f"what {site.shown(node)} holds @", edits)


def comparison_of(site: Site, node: libcst.Comparison) -> Iterator[Branch]:
    """Yield both outcomes of a comparison with something fixed, where no branch depends on it directly.

    What is equal to it is probed everywhere, by taking it for another: entering a branch where that makes no difference
    shows nothing.
    """
    bound = _bound_in(site.plot.root)
    sides = (node.left, *(each.comparator for each in node.comparisons))
    if all(_loaded(side) & bound for side in sides) or selects_boundary(node, site.limit_names):
        return
    start, end = site.span(node)
    operator = type(node.comparisons[0].operator) if len(node.comparisons) == 1 else None
    for outcome, equality, otherwise, raised in _OUTCOMES:
        if operator is not equality and _is_tested(site):
            continue
        if outcome == "true" or not excludes_boundary(node, site.limit_names):
            probed = otherwise if operator is equality else raised
            edits = (Edit(start, start, f"(lambda t: {probed})(("), Edit(end, end, "))"))
            yield Branch(node, f"the case @ in which {site.shown(node)} is {outcome}", edits)


def item_of(site: Site) -> Iterator[Branch]:
    """Yield the probe of an item of a mapping that is not a parameter: it raises where there is one."""
    node = site.node
    if not isinstance(node, libcst.Subscript) or len(node.slice) != 1 or site.inside(*_TARGETS):
        return
    is_given = isinstance(node.value, libcst.Name) and node.value.value in _parameters_of(site)
    if is_given or not isinstance(node.slice[0].slice, libcst.Index):
        return
    (start, end), bracket = site.span(node), site.span(node.lbracket)
    raising = f'(lambda t, k: {RAISING} if hasattr(type(t), "keys") and k in t else t[k])('
    edits = (Edit(start, start, raising), Edit(*bracket, ", ("), Edit(end - 1, end, "))"))
    yield Branch(node, f"the value @ that {site.shown(node)} finds", edits)


def _parameters_of(site: Site) -> frozenset[str]:
    root = site.plot.root
    is_asked = isinstance(root, libcst.FunctionDef) and site.plot.target.qualname == site.ground.qualname
    return _bound_in(root.params) if is_asked and isinstance(root, libcst.FunctionDef) else frozenset()


def _is_tested(site: Site) -> bool:
    inner = site.node
    for around in reversed(site.ancestors):
        if isinstance(around, _TESTED):
            return around.test is inner
        if not isinstance(around, _JOINS):
            return False
        inner = around
    return False


def _may_hold(site: Site, node: libcst.BaseExpression, parent: libcst.CSTNode) -> bool:
    source = site.ground.source
    if isinstance(node, libcst.Name):
        is_key = isinstance(parent, libcst.Arg) and parent.keyword is node
        return not is_key and node.value in _data_names(source)
    if isinstance(node, libcst.Attribute):
        is_called = isinstance(parent, libcst.Call) and parent.func is node
        return not is_called and _root_of(node) in _own_names(source)
    if isinstance(node, libcst.Call):
        gives = bool(node.args) or call_name(node) in _own_names(source) | _NAMESPACES
        return gives and not isinstance(parent, libcst.Expr)
    if isinstance(node, libcst.List | libcst.Tuple | libcst.Set | libcst.Dict):
        return bool(node.elements) and not isinstance(parent, _INNER)
    if isinstance(node, libcst.Integer):
        return int(node.value.replace("_", ""), 0) >= _LARGE
    if isinstance(node, libcst.SimpleString | libcst.ConcatenatedString):
        is_searched = isinstance(parent, _SEARCHED) or isinstance(getattr(parent, "operator", None), _MEMBERSHIP)
        return is_searched and len(site.text(node)) > _FEWEST_CHARACTERS + 2
    return isinstance(node, _COMPREHENSIONS)


def _root_of(node: libcst.BaseExpression) -> str:
    while isinstance(node, libcst.Attribute):
        node = node.value
    return node.value if isinstance(node, libcst.Name) else ""


def _loaded(node: libcst.CSTNode) -> frozenset[str]:
    return frozenset(each.value for each in descendants(node) if isinstance(each, libcst.Name))


@lru_cache(maxsize=256)
def _bound_in(code: libcst.CSTNode) -> frozenset[str]:
    """Return the names that get a value somewhere in a piece of code, its parameters included."""
    names: set[str] = set()
    for node in descendants(code):
        if isinstance(node, libcst.Param | libcst.AsName | libcst.MatchAs | libcst.MatchStar):
            names |= _stored(node.name)
        elif isinstance(node, _BINDING):
            names |= _stored(node.target)
    return frozenset(names)


def _stored(target: libcst.CSTNode | None) -> set[str]:
    if isinstance(target, libcst.Name):
        return {target.value}
    if isinstance(target, libcst.Tuple | libcst.List):
        return set().union(*(_stored(each.value) for each in target.elements))
    return set()


@lru_cache(maxsize=4)
def _data_names(source: Source) -> frozenset[str]:
    """Return the names of the module that something is assigned to, or that other modules of the user give it."""
    names = [node for node in _top_level(source.tree) if isinstance(node, ast.Name)]
    stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return frozenset(stored | set(_own_imports(source)))


@lru_cache(maxsize=4)
def _own_names(source: Source) -> frozenset[str]:
    defined = {each.name for each in _top_level(source.tree) if isinstance(each, _DEFINITIONS)}
    return _data_names(source) | defined


def _own_imports(source: Source) -> Iterator[str]:
    own = source.program.importable
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from (each.asname or each.name.partition(".")[0] for each in node.names if each.name in own)
        elif isinstance(node, ast.ImportFrom) and (node.level or node.module in own):
            yield from (each.asname or each.name for each in node.names)


def _top_level(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _DEFINITIONS):
            waiting.extend(ast.iter_child_nodes(node))
