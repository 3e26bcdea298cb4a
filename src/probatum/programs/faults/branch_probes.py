"""Probes: one mutant for each branch, which raises as soon as that branch is entered.

An input whose outcome changes under a probe reaches the branch. Handlers that would swallow the probe let it pass.
Branches for a natural limit (see `boundaries`) have no probe, because one input may be all that can reach them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import libcst

from probatum.core.errors import BudgetError
from probatum.programs.faults.boundaries import excludes_boundary, reaches_right, selects_boundary
from probatum.programs.faults.planting import PROBE, Edit, Mutant, Mutation, encode_like, grounds_of, shorten
from probatum.programs.faults.sites import Site, sites_of
from probatum.programs.faults.syntax import descendants
from probatum.programs.source import Source

PROBE_MESSAGE = "branch probe"
MOST_BRANCHES = 400
_RAISE = f'raise RuntimeError("{PROBE_MESSAGE}")'
_RAISING = f'(_ for _ in ()).throw(RuntimeError("{PROBE_MESSAGE}"))'
_LET_PASS = (
    f'str(__import__("sys").exc_info()[1]) == "{PROBE_MESSAGE}" '
    'and (_ for _ in ()).throw(__import__("sys").exc_info()[1])'
)
_BROAD = frozenset({"Exception", "BaseException", "RuntimeError"})
_REPEATABLE = (
    libcst.Attribute, libcst.BinaryOperation, libcst.Dict, libcst.DictElement, libcst.Element, libcst.Index,
    libcst.List, libcst.Name, libcst.BaseNumber, libcst.SimpleString, libcst.Subscript, libcst.SubscriptElement,
    libcst.Tuple, libcst.BaseBinaryOp, libcst.UnaryOperation, libcst.BaseUnaryOp, libcst.Arg,
)  # fmt: skip
_REPEATABLE_CALLS = frozenset({"tuple", "str", "repr", "len", "int", "float", "frozenset", "sorted", "abs"})


@dataclass(frozen=True, slots=True)
class _Branch:
    at: libcst.CSTNode
    words: str
    edits: tuple[Edit, ...]


def branch_probes(source: Source, qualname: str) -> tuple[Mutant, ...]:
    """Return one probe for each branch of ``qualname`` and of what it calls in the same file, in order of position.

    Raises as `plan_mutants` does, and `BudgetError` (``program.too_many_branches``) rather than leave one out.
    """
    ground = grounds_of(source, qualname)
    faults: list[Mutation] = []
    passing: list[Edit] = []
    for site in sites_of(ground):
        if site.plot.target.is_constant:
            continue
        if isinstance(site.node, libcst.ExceptHandler | libcst.ExceptStarHandler) and _is_broad(site.node.type):
            passing.append(_entering(site, site.node.body, _LET_PASS))
        faults += [_probe(site, branch) for branch in _branches(site)]
    if len(faults) > MOST_BRANCHES:
        sentence = f"{qualname} has {len(faults)} branches; at most {MOST_BRANCHES} can be probed."
        raise BudgetError("program.too_many_branches", sentence, "Verify its parts one by one.")
    probes: dict[str, Mutation] = {}
    for fault in sorted(faults, key=lambda each: (each.line, each.column, each.sentence)):
        whole = replace(fault, edits=(*passing, *fault.edits))
        text = ground.apply(whole.edits)
        if text not in probes and ground.compiles(whole):
            probes[text] = fault
    return tuple(
        Mutant(f"b{number}", fault.operator, fault.line, fault.column, fault.sentence, encode_like(source.text, text))
        for number, (text, fault) in enumerate(probes.items(), 1)
    )


def _probe(site: Site, branch: _Branch) -> Mutation:
    fault = site.fault(branch.at, branch.edits, PROBE, "")
    sentence = branch.words.replace("@", f"at line {fault.line}", 1)
    return replace(fault, sentence=sentence)


def _branches(site: Site) -> Iterator[_Branch]:
    for types, rule in _RULES:
        if isinstance(site.node, types):
            yield from rule(site)


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


def _shown(site: Site, node: libcst.CSTNode) -> str:
    return shorten(site.text(node))


def _instead(site: Site, node: libcst.BaseExpression) -> tuple[Edit, ...]:
    start, end = site.span(node)
    return (Edit(start, start, f"({_RAISING}, ("), Edit(end, end, "))[1]"))


def _of_if(site: Site) -> Iterator[_Branch]:
    node = site.node
    if not isinstance(node, libcst.If):
        return
    word = "elif" if isinstance(site.parent, libcst.If) else "if"
    condition = _shown(site, node.test)
    if not selects_boundary(node.test, site.limit_names):
        yield _Branch(node, f"the branch @ ({word} {condition})", (_entering(site, node.body, _RAISE),))
    if node.orelse is None and not excludes_boundary(node.test, site.limit_names):
        start, _ = site.span(node)
        _, end = site.span(node.body)
        missing = Edit(end, end, f"\n{_indentation(site, start)}else: {_RAISE}")
        yield _Branch(node, f"the case @ in which {condition} is false", (missing,))


def _of_else(site: Site) -> Iterator[_Branch]:
    node = site.node
    around = site.parent
    if isinstance(around, libcst.If) and excludes_boundary(around.test, site.limit_names):
        return
    if isinstance(node, libcst.Else):
        yield _Branch(node, "the else branch @", (_entering(site, node.body, _RAISE),))


def _of_loop(site: Site) -> Iterator[_Branch]:
    node = site.node
    if isinstance(node, libcst.For):
        words = f"the loop body @ (for {_shown(site, node.target)} in {_shown(site, node.iter)})"
        yield _Branch(node, words, (_entering(site, node.body, _RAISE),))
    elif isinstance(node, libcst.While):
        words = f"the loop body @ (while {_shown(site, node.test)})"
        yield _Branch(node, words, (_entering(site, node.body, _RAISE),))


def _of_handler(site: Site) -> Iterator[_Branch]:
    node = site.node
    if isinstance(node, libcst.ExceptHandler | libcst.ExceptStarHandler):
        kind = f" {_shown(site, node.type)}" if node.type is not None else ""
        yield _Branch(node, f"the handler @ (except{kind})", (_entering(site, node.body, _RAISE),))


def _of_try(site: Site) -> Iterator[_Branch]:
    # Running the protected block to its end is a branch too: the inputs for which nothing is raised.
    node = site.node
    if not isinstance(node, libcst.Try | libcst.TryStar) or not node.handlers or node.orelse is not None:
        return
    last = node.body.body[-1]
    words = "the end of the try block @"
    end = site.span(last)[1]
    small = last.body[-1] if isinstance(last, libcst.SimpleStatementLine) else last
    if isinstance(small, libcst.BaseSmallStatement):
        if isinstance(small, libcst.Return) and small.value is not None:
            start, end = site.span(small.value)
            yield _Branch(node, words, (Edit(start, start, "(("), Edit(end, end, f"), {_RAISING})[1]")))
        elif not isinstance(small, libcst.Return | libcst.Raise | libcst.Continue | libcst.Break):
            end = site.span(small)[1]
            yield _Branch(node, words, (Edit(end, end, f"; {_RAISE}"),))
    elif isinstance(last, libcst.BaseCompoundStatement):
        indentation = _indentation(site, site.span(last)[0])
        yield _Branch(node, words, (Edit(end, end, f"\n{indentation}{_RAISE}"),))


def _of_case(site: Site) -> Iterator[_Branch]:
    node = site.node
    if isinstance(node, libcst.MatchCase):
        yield _Branch(node, f"the case @ ({_shown(site, node.pattern)})", (_entering(site, node.body, _RAISE),))


def _of_conditional(site: Site) -> Iterator[_Branch]:
    node = site.node
    if isinstance(node, libcst.IfExp):
        condition = _shown(site, node.test)
        for arm, state, is_limit in (
            (node.body, "true", selects_boundary(node.test, site.limit_names)),
            (node.orelse, "false", excludes_boundary(node.test, site.limit_names)),
        ):
            if is_limit:
                continue
            yield _Branch(arm, f"the value {_shown(site, arm)} @ for which {condition} is {state}", _instead(site, arm))


def _of_short_circuit(site: Site) -> Iterator[_Branch]:
    node = site.node
    if isinstance(node, libcst.BooleanOperation) and reaches_right(node, site.limit_names):
        word = "and" if isinstance(node.operator, libcst.And) else "or"
        words = f"the right side of {word} @ ({_shown(site, node.right)})"
        yield _Branch(node.operator, words, _instead(site, node.right))


def _of_comprehension(site: Site) -> Iterator[_Branch]:
    node = site.node
    if isinstance(node, libcst.BaseSimpleComp):
        yield _Branch(node, f"the elements @ of {_shown(site, node)}", _instead(site, node.elt))
    elif isinstance(node, libcst.DictComp):
        yield _Branch(node, f"the entries @ of {_shown(site, node)}", _instead(site, node.key))


def _of_lookup(site: Site) -> Iterator[_Branch]:
    # `table.get(key, default)` hides two branches: found and not found.
    node = site.node
    if not isinstance(node, libcst.Call) or not isinstance(node.func, libcst.Attribute):
        return
    if node.func.attr.value != "get" or not 1 <= len(node.args) <= 2 or any(arg.star for arg in node.args):
        return
    table, key = node.func.value, node.args[0].value
    if not _can_be_repeated(table) or not _can_be_repeated(key):
        return
    start, end = site.span(node)
    found = f"({site.text(key)}) in ({site.text(table)})"
    lookup = _shown(site, node)
    yield _Branch(
        node,
        f"the value @ that {lookup} finds",
        (Edit(start, start, f"({_RAISING} if {found} else ("), Edit(end, end, "))")),
    )
    yield _Branch(
        node,
        f"the case @ in which {lookup} finds nothing",
        (Edit(start, start, "(("), Edit(end, end, f") if {found} else {_RAISING})")),
    )


def _can_be_repeated(node: libcst.BaseExpression) -> bool:
    # Evaluating it twice does nothing that evaluating it once would not do.
    return all(
        isinstance(inner, _REPEATABLE)
        or (
            isinstance(inner, libcst.Call)
            and isinstance(inner.func, libcst.Name)
            and inner.func.value in _REPEATABLE_CALLS
        )
        for inner in descendants(node)
    )


_Rule = Callable[[Site], Iterator[_Branch]]
_RULES: tuple[tuple[tuple[type[libcst.CSTNode], ...], _Rule], ...] = (
    ((libcst.If,), _of_if),
    ((libcst.Else,), _of_else),
    ((libcst.For, libcst.While), _of_loop),
    ((libcst.ExceptHandler, libcst.ExceptStarHandler), _of_handler),
    ((libcst.Try, libcst.TryStar), _of_try),
    ((libcst.MatchCase,), _of_case),
    ((libcst.IfExp,), _of_conditional),
    ((libcst.BooleanOperation,), _of_short_circuit),
    ((libcst.BaseSimpleComp, libcst.DictComp), _of_comprehension),
    ((libcst.Call,), _of_lookup),
)
