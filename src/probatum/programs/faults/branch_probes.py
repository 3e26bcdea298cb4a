"""Probes: one mutant for each branch, which raises as soon as that branch is entered.

An input whose outcome changes under a probe reaches the branch. Handlers that would swallow the probe let it pass.
Branches for a natural limit (see `boundaries`) have no probe, because one input may be all that can reach them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import libcst

from probatum.core.errors import BudgetError
from probatum.programs.faults.boundaries import excludes_boundary, reaches_right, selects_boundary
from probatum.programs.faults.data_probes import PROBE_MESSAGE, RAISING, Branch, comparison_of, data_of, item_of
from probatum.programs.faults.planting import Edit, Ground, Mutant, Mutation
from probatum.programs.faults.siblings import with_siblings
from probatum.programs.faults.sites import Site, sites_of
from probatum.programs.faults.syntax import descendants
from probatum.programs.record import DATA_PROBE, PROBE
from probatum.programs.source import Source, encoded

MOST_BRANCHES = 400
_RAISE = f'raise RuntimeError("{PROBE_MESSAGE}")'
_LET_PASS = (
    f'str(__import__("sys").exc_info()[1]) == "{PROBE_MESSAGE}" '
    'and (_ for _ in ()).throw(__import__("sys").exc_info()[1])'
)
_BROAD = frozenset({"Exception", "BaseException", "RuntimeError"})
_LOOKUPS = frozenset({"get", "pop", "setdefault"})


def branch_probes(source: Source, qualname: str) -> tuple[Mutant, ...]:
    """Return the probes of ``qualname``, of what it calls in the same file, and of what it uses of sibling modules.

    Raises as `plan_mutants` does, and `BudgetError` (``program.too_many_branches``) rather than leave one out.
    """
    probes: dict[tuple[str, str], Mutation] = {}
    count = 0
    for module, _, ground, name in with_siblings(source, qualname):
        if not name:
            continue
        faults, passing = _proposed(ground)
        count += len(faults)
        if count > MOST_BRANCHES:
            sentence = f"{qualname} has {count} branches; at most {MOST_BRANCHES} can be probed."
            raise BudgetError("program.too_many_branches", sentence, "Verify its parts one by one.")
        for fault in sorted(faults, key=lambda each: (each.line, each.column, each.sentence)):
            whole = replace(fault, edits=(*passing, *fault.edits))
            text = ground.apply(whole.edits)
            if (module, text) not in probes and ground.compiles(whole):
                probes[module, text] = fault
    return tuple(
        Mutant(
            f"b{number}",
            fault.operator,
            fault.line,
            fault.column,
            fault.sentence.replace("at line", f"in {module} at line", 1) if module else fault.sentence,
            encoded(source, text),
            module=module,
        )
        for number, ((module, text), fault) in enumerate(probes.items(), 1)
    )


def _proposed(ground: Ground) -> tuple[list[Mutation], list[Edit]]:
    """Return the probes of one file, and what lets them pass through its handlers."""
    faults: list[Mutation] = []
    passing: list[Edit] = []
    for site in sites_of(ground, decorators=True):
        if site.ancestors:
            faults += [_probe(site, branch, DATA_PROBE) for branch in (*data_of(site), *item_of(site))]
        if site.plot.target.is_constant and not site.inside(libcst.Lambda):
            continue
        if isinstance(site.node, libcst.ExceptHandler | libcst.ExceptStarHandler) and _is_broad(site.node.type):
            passing.append(_entering(site, site.node.body, _LET_PASS))
        rule = _RULES.get(type(site.node))
        faults += [_probe(site, branch, PROBE) for branch in rule(site, site.node)] if rule is not None else []
        if isinstance(site.node, libcst.Comparison):
            faults += [_probe(site, branch, DATA_PROBE) for branch in comparison_of(site, site.node)]
    return faults, passing


def _probe(site: Site, branch: Branch, operator: str) -> Mutation:
    fault = site.fault(branch.at, branch.edits, operator, "")
    sentence = branch.words.replace("@", f"at line {fault.line}", 1)
    return replace(fault, sentence=sentence)


def _is_broad(handled: libcst.BaseExpression | None) -> bool:
    if handled is None:
        return True
    return any(isinstance(node, libcst.Name) and node.value in _BROAD for node in descendants(handled))


def _entering(site: Site, body: libcst.BaseSuite, statement: str) -> Edit:
    # What follows the statement stays, so that names keep their scope.
    first = body.body[0]
    start = site.span(first)[0]
    if isinstance(first, libcst.FunctionDef | libcst.ClassDef):
        start = min([start, *(site.span(decorator)[0] for decorator in first.decorators)])
    if isinstance(first, libcst.SimpleStatementLine | libcst.BaseSmallStatement):
        return Edit(start, start, f"{statement}; ")
    return Edit(start, start, f"{statement}\n{_indentation(site, start)}")


def _indentation(site: Site, offset: int) -> str:
    source = site.ground.source.text
    start = max(source.rfind("\n", 0, offset), source.rfind("\r", 0, offset)) + 1
    return source[start:offset]


def _instead(site: Site, node: libcst.BaseExpression) -> tuple[Edit, ...]:
    start, end = site.span(node)
    return (Edit(start, start, f"({RAISING}, ("), Edit(end, end, "))[1]"))


def _of_if(site: Site, node: libcst.If) -> Iterator[Branch]:
    word = "elif" if isinstance(site.parent, libcst.If) else "if"
    condition = site.shown(node.test)
    if not selects_boundary(node.test, site.limit_names):
        yield Branch(node, f"the branch @ ({word} {condition})", (_entering(site, node.body, _RAISE),))
    if node.orelse is None and not excludes_boundary(node.test, site.limit_names):
        start, _ = site.span(node)
        _, end = site.span(node.body)
        missing = Edit(end, end, f"\n{_indentation(site, start)}else: {_RAISE}")
        yield Branch(node, f"the case @ in which {condition} is false", (missing,))


def _of_else(site: Site, node: libcst.Else) -> Iterator[Branch]:
    around = site.parent
    if not isinstance(around, libcst.If) or not excludes_boundary(around.test, site.limit_names):
        yield Branch(node, "the else branch @", (_entering(site, node.body, _RAISE),))


def _of_loop(site: Site, node: libcst.For | libcst.While) -> Iterator[Branch]:
    if isinstance(node, libcst.For):
        words = f"for {site.shown(node.target)} in {site.shown(node.iter)}"
    else:
        words = f"while {site.shown(node.test)}"
    yield Branch(node, f"the loop body @ ({words})", (_entering(site, node.body, _RAISE),))


def _of_handler(site: Site, node: libcst.ExceptHandler | libcst.ExceptStarHandler) -> Iterator[Branch]:
    kind = f" {site.shown(node.type)}" if node.type is not None else ""
    yield Branch(node, f"the handler @ (except{kind})", (_entering(site, node.body, _RAISE),))


def _of_try(site: Site, node: libcst.Try | libcst.TryStar) -> Iterator[Branch]:
    # Running the protected block to its end is a branch too: the inputs for which nothing is raised.
    if not node.handlers or node.orelse is not None:
        return
    last = node.body.body[-1]
    while isinstance(last, libcst.With):
        last = last.body.body[-1]
    words = "the end of the try block @"
    end = site.span(last)[1]
    small = last.body[-1] if isinstance(last, libcst.SimpleStatementLine) else last
    if isinstance(small, libcst.BaseSmallStatement):
        if isinstance(small, libcst.Return) and small.value is not None:
            start, end = site.span(small.value)
            yield Branch(node, words, (Edit(start, start, "(("), Edit(end, end, f"), {RAISING})[1]")))
        elif not isinstance(small, libcst.Return | libcst.Raise | libcst.Continue | libcst.Break):
            end = site.span(small)[1]
            yield Branch(node, words, (Edit(end, end, f"; {_RAISE}"),))
    elif isinstance(last, libcst.BaseCompoundStatement) and not _always_leaves(last):
        indentation = _indentation(site, site.span(last)[0])
        yield Branch(node, words, (Edit(end, end, f"\n{indentation}{_RAISE}"),))


def _always_leaves(node: libcst.CSTNode | None) -> bool:
    """Tell whether nothing comes after a statement, because all of its branches return, raise or go on elsewhere."""
    if isinstance(node, libcst.If):
        return _always_leaves(node.body) and _always_leaves(node.orelse)
    if isinstance(node, libcst.With | libcst.Else):
        return _always_leaves(node.body)
    if isinstance(node, libcst.BaseSuite | libcst.SimpleStatementLine):
        return _always_leaves(node.body[-1])
    return isinstance(node, libcst.Return | libcst.Raise | libcst.Continue | libcst.Break)


def _of_case(site: Site, node: libcst.MatchCase) -> Iterator[Branch]:
    yield Branch(node, f"the case @ ({site.shown(node.pattern)})", (_entering(site, node.body, _RAISE),))


def _of_conditional(site: Site, node: libcst.IfExp) -> Iterator[Branch]:
    condition = site.shown(node.test)
    for arm, state, is_limit in (
        (node.body, "true", selects_boundary(node.test, site.limit_names)),
        (node.orelse, "false", excludes_boundary(node.test, site.limit_names)),
    ):
        if not is_limit:
            yield Branch(arm, f"the value {site.shown(arm)} @ for which {condition} is {state}", _instead(site, arm))


def _of_short_circuit(site: Site, node: libcst.BooleanOperation) -> Iterator[Branch]:
    if reaches_right(node, site.limit_names):
        word = "and" if isinstance(node.operator, libcst.And) else "or"
        words = f"the right side of {word} @ ({site.shown(node.right)})"
        yield Branch(node.operator, words, _instead(site, node.right))


def _of_comprehension(site: Site, node: libcst.BaseSimpleComp) -> Iterator[Branch]:
    yield Branch(node, f"the elements @ of {site.shown(node)}", _instead(site, node.elt))


def _of_entries(site: Site, node: libcst.DictComp) -> Iterator[Branch]:
    yield Branch(node, f"the entries @ of {site.shown(node)}", _instead(site, node.key))


def _of_lookup(site: Site, node: libcst.Call) -> Iterator[Branch]:
    # `table.get(key, default)` hides two branches: found and not found.
    if not isinstance(node.func, libcst.Attribute):
        return
    name = node.func.attr.value
    if name not in _LOOKUPS or not 1 <= len(node.args) <= 2 or any(arg.star or arg.keyword for arg in node.args):
        return
    start, _ = site.span(node)
    between = (site.span(node.func.dot)[0], site.span(node.args[0])[0])
    for words, found, missing in (
        (f"the value @ that {site.shown(node)} finds", RAISING, f"t.{name}(k, *d)"),
        (f"the case @ in which {site.shown(node)} finds nothing", f"t.{name}(k, *d)", RAISING),
    ):
        raising = f"(lambda t, k, *d: {found} if k in t else {missing})("
        yield Branch(node, words, (Edit(start, start, raising), Edit(*between, ", ")))


_RULES: Mapping[type[libcst.CSTNode], Callable[[Site, Any], Iterator[Branch]]] = {
    libcst.If: _of_if,
    libcst.Else: _of_else,
    **dict.fromkeys((libcst.For, libcst.While), _of_loop),
    **dict.fromkeys((libcst.ExceptHandler, libcst.ExceptStarHandler), _of_handler),
    **dict.fromkeys((libcst.Try, libcst.TryStar), _of_try),
    libcst.MatchCase: _of_case,
    libcst.IfExp: _of_conditional,
    libcst.BooleanOperation: _of_short_circuit,
    **dict.fromkeys((libcst.ListComp, libcst.SetComp, libcst.GeneratorExp), _of_comprehension),
    libcst.DictComp: _of_entries,
    libcst.Call: _of_lookup,
}
