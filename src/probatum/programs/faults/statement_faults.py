"""Faults in statements: left out, returning nothing, leaving a loop or passing over an item, raising something else.

Never left out are the first assignment of a name and the step of a ``while`` loop: every run would notice that. Refuses
iterables that may have no end, plain `range` calls, whose bounds have faults of their own, and exceptions that are not
built in: what others inherit from is not known here.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst

from probatum.programs.faults.kinds import kind_of
from probatum.programs.faults.omissions import is_guard
from probatum.programs.faults.part_faults import cut_out
from probatum.programs.faults.planting import Mutation
from probatum.programs.faults.sites import Rules, Site
from probatum.programs.faults.syntax import call_name, descendants, only_statement

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
_ENDLESS_OR_BOUNDED = frozenset({"count", "cycle", "repeat", "iter", "range", "enumerate", "zip"})
_INSTEAD, _INSTEAD_OF_THAT = "RuntimeError", "ValueError"


def _left_out(site: Site, node: libcst.BaseSmallStatement) -> Iterator[Mutation]:
    if _can_be_left_out(site, node) and not _is_whole_guard(site):
        alone = isinstance(site.parent, libcst.SimpleStatementLine) and len(site.parent.body) == 1
        words = "is left out" if alone else f"leaves out {site.shown(node)}"
        yield site.replacing(node, "pass", "statement_removed", words)


def _is_whole_guard(site: Site) -> bool:
    # The guard is left out as a whole.
    around = next((each for each in reversed(site.ancestors) if isinstance(each, libcst.If)), None)
    return around is not None and is_guard(around) and only_statement(around.body) is site.node


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
    # `break` is the only way out of `while True`; `continue` at the end of a loop's body does nothing.
    if isinstance(node, libcst.Break):
        return isinstance(_loop_around(site), libcst.For)
    return not _ends_its_loop(site, node)


def _loop_around(site: Site) -> libcst.For | libcst.While:
    return next(each for each in reversed(site.ancestors) if isinstance(each, libcst.For | libcst.While))


def _ends_its_loop(site: Site, node: libcst.CSTNode) -> bool:
    return any(inner is node for inner in descendants(_loop_around(site).body.body[-1]))


def _augmented(site: Site, node: libcst.AugAssign) -> Iterator[Mutation]:
    if _steps_a_while_loop(site, node.target):
        return
    kinds = {kind_of(node.target, site.kinds), kind_of(node.value, site.kinds)}
    if isinstance(node.operator, libcst.AddAssign):
        new = "-=" if "number" in kinds else "="
        yield site.replacing(node.operator, new, "arithmetic", f"uses {new} for +=")
    elif type(node.operator) in _AUGMENTED and not kinds & {"text", "list", "tuple"}:
        old, new = _AUGMENTED[type(node.operator)]
        yield site.replacing(node.operator, new, "arithmetic", f"uses {new} for {old}")


def _returns_nothing(site: Site, node: libcst.Return) -> Iterator[Mutation]:
    if node.value is not None and not _is_constant_name(node.value):
        yield site.replacing(node, "return None", "return", "returns None")


def _yields_nothing(site: Site, node: libcst.Yield) -> Iterator[Mutation]:
    if not isinstance(site.parent, libcst.Expr):
        return
    if isinstance(node.value, libcst.BaseExpression) and not _is_constant_name(node.value):
        yield site.replacing(node, "yield None", "return", "yields None")


def _is_constant_name(node: libcst.BaseExpression) -> bool:
    return isinstance(node, libcst.Name) and node.value in {"None", "True", "False"}


def _other_way_on(site: Site, node: libcst.Continue | libcst.Break) -> Iterator[Mutation]:
    if isinstance(node, libcst.Continue):
        yield site.replacing(node, "break", "loop_exit", "uses break for continue")
    # At the end of a loop's body, `continue` is the same as leaving `break` out.
    elif isinstance(_loop_around(site), libcst.For) and not _ends_its_loop(site, node):
        yield site.replacing(node, "continue", "loop_exit", "uses continue for break")


def _passed_over(site: Site, node: libcst.For | libcst.CompFor) -> Iterator[Mutation]:
    if node.asynchronous is not None or call_name(node.iter) in _ENDLESS_OR_BOUNDED:
        return
    text, shown = site.text(node.iter), site.shown(node.iter)
    yield site.replacing(node.iter, f"list({text})[1:]", "iteration", f"passes over the first item of {shown}")
    yield site.replacing(node.iter, f"list({text})[:-1]", "iteration", f"passes over the last item of {shown}")


def _raised(site: Site, node: libcst.Raise) -> Iterator[Mutation]:
    kind = node.exc.func if isinstance(node.exc, libcst.Call) else node.exc
    if isinstance(kind, libcst.Name) and _is_exception(kind.value):
        new = _INSTEAD_OF_THAT if kind.value == _INSTEAD else _INSTEAD
        yield site.replacing(kind, new, "exception", f"raises {new} for {kind.value}")


def _caught(site: Site, node: libcst.ExceptHandler) -> Iterator[Mutation]:
    caught = node.type
    if isinstance(caught, libcst.Name | libcst.Attribute):
        yield site.replacing(caught, "()", "exception", f"does not catch {site.shown(caught)}")
    elif isinstance(caught, libcst.Tuple) and len(caught.elements) > 1:
        for position, element in enumerate(caught.elements):
            cut = cut_out(site, caught.elements, position)
            yield site.fault(element, (cut,), "exception", f"does not catch {site.shown(element)}")


def _is_exception(name: str) -> bool:
    known = getattr(builtins, name, None)
    return isinstance(known, type) and issubclass(known, Exception)


STATEMENT_RULES: Rules = {
    libcst.Expr: (_left_out,),
    libcst.AugAssign: (_left_out, _augmented),
    libcst.Assign: (_left_out,),
    libcst.Raise: (_left_out, _raised),
    libcst.Del: (_left_out,),
    libcst.Continue: (_left_out, _other_way_on),
    libcst.Break: (_left_out, _other_way_on),
    libcst.Return: (_returns_nothing,),
    libcst.Yield: (_yields_nothing,),
    libcst.For: (_passed_over,),
    libcst.CompFor: (_passed_over,),
    libcst.ExceptHandler: (_caught,),
}
