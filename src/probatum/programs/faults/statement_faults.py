"""Faults in statements: left out, returning nothing, leaving a loop instead of going on.

A statement is left out only where the program stays complete without it: never the assignment that first gives a name
its value, and never the step of a ``while`` loop, because every run would notice that at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import libcst

from probatum.programs.faults.boundaries import selects_boundary
from probatum.programs.faults.kinds import kind_of
from probatum.programs.faults.planting import Fault, shorten
from probatum.programs.faults.sites import Site
from probatum.programs.faults.syntax import descendants

__all__ = ["STATEMENT_RULES"]

_AUGMENTED: dict[type[libcst.CSTNode], tuple[str, str]] = {
    libcst.SubtractAssign: ("-=", "+="),
    libcst.MultiplyAssign: ("*=", "+="),
    libcst.DivideAssign: ("/=", "*="),
    libcst.FloorDivideAssign: ("//=", "-="),
    libcst.ModuloAssign: ("%=", "//="),
    libcst.PowerAssign: ("**=", "*="),
    libcst.BitAndAssign: ("&=", "|="),
    libcst.BitOrAssign: ("|=", "&="),
    libcst.BitXorAssign: ("^=", "&="),
    libcst.LeftShiftAssign: ("<<=", ">>="),
    libcst.RightShiftAssign: (">>=", "<<="),
}


def _left_out(site: Site) -> Iterator[Fault]:
    if _can_be_left_out(site, site.node):
        yield _removal(site)


def _removal(site: Site) -> Fault:
    line = site.parent
    alone = isinstance(line, libcst.SimpleStatementLine) and len(line.body) == 1
    words = "is left out" if alone else f"leaves out {shorten(site.text(site.node))}"
    return site.replacing(site.node, "pass", "statement_removed", words)


def _can_be_left_out(site: Site, node: libcst.CSTNode) -> bool:
    if isinstance(node, libcst.Expr):
        return isinstance(node.value, libcst.Call | libcst.Await)
    if isinstance(node, libcst.AugAssign):
        return not _steps_a_while_loop(site, node.target)
    if isinstance(node, libcst.Raise | libcst.Del):
        return True
    if isinstance(node, libcst.Assign):
        targets = [target.target for target in node.targets]
        if any(_steps_a_while_loop(site, target) for target in targets):
            return False
        return all(_has_a_value_already(site, target) for target in targets)
    return isinstance(node, libcst.Continue | libcst.Break) and _leaving_out_ends(site, node)


def _steps_a_while_loop(site: Site, target: libcst.CSTNode) -> bool:
    names = {node.value for node in descendants(target) if isinstance(node, libcst.Name)}
    return any(
        isinstance(loop, libcst.While)
        and any(isinstance(node, libcst.Name) and node.value in names for node in descendants(loop.test))
        for loop in site.ancestors
    )


def _has_a_value_already(site: Site, target: libcst.BaseExpression) -> bool:
    if isinstance(target, libcst.Subscript | libcst.Attribute):
        return not (isinstance(target, libcst.Attribute) and site.plot.target.qualname.endswith("__init__"))
    if isinstance(target, libcst.Tuple):
        return all(_has_a_value_already(site, element.value) for element in target.elements)
    if not isinstance(target, libcst.Name) or site.inside(libcst.ClassDef, libcst.Lambda):
        return False
    if sum(isinstance(node, libcst.FunctionDef) for node in site.ancestors) != 1:
        return False
    return target.value in site.bound_from and site.bound_from[target.value] <= site.span(site.node)[0]


def _leaving_out_ends(site: Site, node: libcst.CSTNode) -> bool:
    """``continue`` at the end of a loop's body does nothing; ``break`` out of ``while True`` is the only way out."""
    loop = next(each for each in reversed(site.ancestors) if isinstance(each, libcst.For | libcst.While))
    if isinstance(node, libcst.Break):
        return isinstance(loop, libcst.For)
    last = loop.body.body[-1]
    return not any(inner is node for inner in descendants(last))


def _never_true(site: Site) -> Iterator[Fault]:
    node = site.node
    if not isinstance(node, libcst.If):
        return
    statements = node.body.body
    only = statements[0] if len(statements) == 1 else None
    small = only.body[0] if isinstance(only, libcst.SimpleStatementLine) and len(only.body) == 1 else only
    around = (*site.ancestors, node)
    if (
        small is not None
        and node.orelse is None
        and _can_be_left_out(replace(site, node=small, ancestors=around), small)
    ):
        return
    fault = site.replacing(
        node.test, "False", "branch_removed", f"never takes its branch ({shorten(site.text(node.test))})"
    )
    yield replace(fault, serves_boundary=fault.serves_boundary or selects_boundary(node.test, site.limit_names))


def _augmented(site: Site) -> Iterator[Fault]:
    node = site.node
    if not isinstance(node, libcst.AugAssign) or _steps_a_while_loop(site, node.target):
        return
    kinds = {kind_of(node.target, site.kinds), kind_of(node.value, site.kinds)}
    if isinstance(node.operator, libcst.AddAssign):
        new = "-=" if "number" in kinds else "="
        yield site.replacing(node.operator, new, "arithmetic", f"uses {new} for +=")
    elif type(node.operator) in _AUGMENTED and not kinds & {"text", "list", "tuple"}:
        old, new = _AUGMENTED[type(node.operator)]
        yield site.replacing(node.operator, new, "arithmetic", f"uses {new} for {old}")


def _returns_nothing(site: Site) -> Iterator[Fault]:
    node = site.node
    if isinstance(node, libcst.Return) and node.value is not None and not _is_constant_name(node.value):
        yield site.replacing(node, "return None", "return", "returns None")


def _yields_nothing(site: Site) -> Iterator[Fault]:
    node = site.node
    if not isinstance(node, libcst.Yield) or not isinstance(site.parent, libcst.Expr):
        return
    if isinstance(node.value, libcst.BaseExpression) and not _is_constant_name(node.value):
        yield site.replacing(node, "yield None", "return", "yields None")


def _is_constant_name(node: libcst.BaseExpression) -> bool:
    return isinstance(node, libcst.Name) and node.value in {"None", "True", "False"}


def _other_way_on(site: Site) -> Iterator[Fault]:
    if isinstance(site.node, libcst.Continue):
        yield site.replacing(site.node, "break", "loop_exit", "uses break for continue")
    elif isinstance(site.node, libcst.Break) and _goes_on_in_for_loop(site):
        yield site.replacing(site.node, "continue", "loop_exit", "uses continue for break")


def _goes_on_in_for_loop(site: Site) -> bool:
    """At the end of a loop's body, ``continue`` is the same as leaving ``break`` out."""
    loop = next(each for each in reversed(site.ancestors) if isinstance(each, libcst.For | libcst.While))
    return isinstance(loop, libcst.For) and not any(inner is site.node for inner in descendants(loop.body.body[-1]))


STATEMENT_RULES: dict[type[libcst.CSTNode], tuple[Callable[[Site], Iterator[Fault]], ...]] = {
    libcst.Expr: (_left_out,),
    libcst.AugAssign: (_left_out, _augmented),
    libcst.Assign: (_left_out,),
    libcst.Raise: (_left_out,),
    libcst.Del: (_left_out,),
    libcst.Continue: (_left_out, _other_way_on),
    libcst.Break: (_left_out, _other_way_on),
    libcst.Return: (_returns_nothing,),
    libcst.Yield: (_yields_nothing,),
    libcst.If: (_never_true,),
}
