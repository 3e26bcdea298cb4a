"""Faults of omission: a guard or a branch that is not there, and a result that is returned before it is complete.

A program that forgets a case leaves nothing behind to change, so what stands there is left out instead, one thing at a
time. Statements and sides of conditions that are left out are planted beside the other faults of their node. Refuses
what every run would notice: an ``else`` that gives a name its first value, a way out of a loop that has no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst

from probatum.programs.faults.boundaries import excludes_boundary, selects_boundary
from probatum.programs.faults.planting import Edit, Mutation
from probatum.programs.faults.sites import Rules, Site
from probatum.programs.faults.syntax import descendants
from probatum.programs.record import BRANCH_REMOVED, EARLY_RETURN, GUARD_REMOVED

WHOLE = frozenset({GUARD_REMOVED, BRANCH_REMOVED, EARLY_RETURN})
"""Kinds of which each place is chosen before any other fault, as far as the limit allows."""
_LEAVES = (libcst.Raise, libcst.Return, libcst.Continue, libcst.Break)
_LOOPS = (libcst.For, libcst.While)
_OTHER_SCOPES = (libcst.FunctionDef, libcst.Lambda, libcst.ClassDef)


def is_guard(node: libcst.CSTNode) -> bool:
    """Tell whether a node is an ``if`` that does nothing but leave: it raises, returns or goes on, and has no else."""
    return isinstance(node, libcst.If) and node.orelse is None and _leaves(node.body) is not None


def _leaves(body: libcst.BaseSuite) -> libcst.CSTNode | None:
    last: libcst.CSTNode = body.body[-1]
    small = last.body[-1] if isinstance(last, libcst.SimpleStatementLine) else last
    return small if isinstance(small, _LEAVES) else None


def _never_taken(site: Site, node: libcst.If) -> Iterator[Mutation]:
    leaving = _leaves(node.body) if is_guard(node) else None
    if isinstance(leaving, libcst.Break) and _is_only_way_out(site):
        return
    if isinstance(leaving, libcst.Continue) and _ends_its_loop(site, node):
        return
    if leaving is not None:
        kind, words = GUARD_REMOVED, f"leaves out the check of {site.shown(node.test)}"
    else:
        kind, words = BRANCH_REMOVED, f"never takes its branch ({site.shown(node.test)})"
    fault = site.replacing(node.test, "False", kind, words)
    yield replace(fault, serves_boundary=fault.serves_boundary or selects_boundary(node.test, site.limit_names))


def _is_only_way_out(site: Site) -> bool:
    around = next(each for each in reversed(site.ancestors) if isinstance(each, _LOOPS))
    return isinstance(around, libcst.While) and isinstance(around.test, libcst.Name)


def _ends_its_loop(site: Site, node: libcst.CSTNode) -> bool:
    around = next(each for each in reversed(site.ancestors) if isinstance(each, _LOOPS))
    return any(inner is node for inner in descendants(around.body.body[-1]))


def _no_else(site: Site, node: libcst.Else) -> Iterator[Mutation]:
    conditional = site.parent
    if not isinstance(conditional, libcst.If) or any(not _is_given(site, name) for name in _bound_in(node)):
        return
    first, last = site.span(node.body.body[0])[0], site.span(node.body.body[-1])[1]
    words = f"leaves out its else branch (not {site.shown(conditional.test)})"
    fault = site.fault(node, (Edit(first, last, "pass"),), BRANCH_REMOVED, words)
    yield replace(fault, serves_boundary=excludes_boundary(conditional.test, site.limit_names))


def _bound_in(node: libcst.CSTNode) -> set[str]:
    targets = (
        each.target
        for each in descendants(node)
        if isinstance(each, libcst.AssignTarget | libcst.AnnAssign | libcst.NamedExpr | libcst.For)
    )
    return {name.value for target in targets for name in descendants(target) if isinstance(name, libcst.Name)}


def _is_given(site: Site, name: str) -> bool:
    return name in site.bound_from and site.bound_from[name] <= site.span(site.node)[0]


def _one_arm(site: Site, node: libcst.IfExp) -> Iterator[Mutation]:
    for truth, arm in (("True", node.body), ("False", node.orelse)):
        words = f"always takes {site.shown(arm)}, whatever {site.shown(node.test)}"
        yield site.replacing(node.test, truth, BRANCH_REMOVED, words)


def _no_case(site: Site, node: libcst.MatchCase) -> Iterator[Mutation]:
    words = f"never takes its case ({site.shown(node.pattern)})"
    if node.guard is not None:
        yield site.replacing(node.guard, "False", BRANCH_REMOVED, words)
    else:
        end = site.span(node.pattern)[1]
        yield site.fault(node, (Edit(end, end, " if False"),), BRANCH_REMOVED, words)


def _after_one_turn(site: Site, node: libcst.For | libcst.While) -> Iterator[Mutation]:
    function = site.plot.root
    if site.inside(*_LOOPS, libcst.ClassDef, libcst.Lambda) or not isinstance(function, libcst.FunctionDef):
        return
    if any(isinstance(each, libcst.FunctionDef) for each in site.ancestors[1:]):
        return
    answer = _answer(site, function)
    last = node.body.body[-1]
    if answer is None or _leaves(node.body) is not None or not isinstance(node.body, libcst.IndentedBlock):
        return
    first, end = site.span(node.body.body[0])[0], site.span(last)[1]
    text = site.ground.source.text
    indentation = text[text.rfind("\n", 0, first) + 1 : first]
    edit = Edit(end, end, f"\n{indentation}{answer}")
    yield site.fault(node, (edit,), EARLY_RETURN, "returns after the first turn of its loop")


def _answer(site: Site, function: libcst.FunctionDef) -> str | None:
    """Return the statement that ends the function early, None where its result is not there yet or nothing follows."""
    if any(isinstance(each, libcst.Yield) for each in _own(function)):
        return "return"
    last: libcst.CSTNode = function.body.body[-1]
    returned = last.body[-1] if isinstance(last, libcst.SimpleStatementLine) else last
    if not isinstance(returned, libcst.Return) or returned.value is None:
        return None
    bound = {name for each in function.body.body for name in _bound_in(each)}
    names = {each.value for each in descendants(returned.value) if isinstance(each, libcst.Name)}
    ready = all(_is_given(site, name) for name in names & (bound | site.bound_from.keys()))
    return site.text(returned) if ready and names & bound else None


def _own(function: libcst.FunctionDef) -> Iterator[libcst.CSTNode]:
    for statement in function.body.body:
        if not isinstance(statement, _OTHER_SCOPES):
            yield from descendants(statement)


OMISSION_RULES: Rules = {
    libcst.If: (_never_taken,),
    libcst.Else: (_no_else,),
    libcst.IfExp: (_one_arm,),
    libcst.MatchCase: (_no_case,),
    libcst.For: (_after_one_turn,),
    libcst.While: (_after_one_turn,),
}
